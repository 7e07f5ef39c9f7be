//! `nebula-demo act`: what a script says is what is printed.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use glam::{Mat4, Vec3};
use serde_json::{Value, json};

use super::corpus;

fn humanoid() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets/simple_humanoid.glb")
}

fn act(script: &Value) -> Output {
    let mut child = Command::new(corpus::program())
        .args(["act", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    child.stdin.take().expect("a pipe").write_all(script.to_string().as_bytes()).expect("it reads");
    child.wait_with_output().expect("it ends")
}

/// What a character did.
struct Acted {
    joints: Vec<String>,
    frames: Vec<Frame>,
}

struct Frame {
    time: f64,
    entity: Mat4,
    world: Vec<Mat4>,
    planted: Vec<bool>,
    ground: Vec<f64>,
    target: Option<Vec3>,
}

fn numbers(value: &Value) -> Vec<f32> {
    value.as_array().expect("a list").iter().map(|number| number.as_f64().expect("a number") as f32).collect()
}

fn matrix(value: &Value) -> Mat4 {
    Mat4::from_cols_slice(&numbers(value))
}

fn acted(script: &Value) -> Acted {
    let output = act(script);
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let frame = |frame: &Value| Frame {
        time: frame["time"].as_f64().expect("a time"),
        entity: matrix(&frame["entity"]),
        world: list(&frame["world"]).iter().map(matrix).collect(),
        planted: list(&frame["feet"]).iter().map(|foot| foot["planted"].as_bool().expect("whether")).collect(),
        ground: list(&frame["feet"]).iter().map(|foot| foot["ground"].as_f64().expect("a height")).collect(),
        target: Some(&frame["target"])
            .filter(|target| !target.is_null())
            .map(|target| Vec3::from_slice(&numbers(target))),
    };
    let joints: Vec<String> = list(&json["joints"]).iter().map(|name| name.as_str().expect("a name").into()).collect();
    assert_eq!(list(&json["nodes"]).len(), joints.len());
    let frames: Vec<Frame> = list(&json["frames"]).iter().map(frame).collect();
    assert!(frames.iter().all(|frame| frame.world.len() == joints.len() && frame.planted.len() == 2));
    Acted { joints, frames }
}

/// A script of a clip from the beginning, with what else it says.
fn script(character: &Path, clip: &str, hz: u32, seconds: f64, more: Value) -> Value {
    let mut script = json!({"character": character, "hz": hz, "seconds": seconds, "play": [{"at": 0, "clip": clip}]});
    script.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    script
}

#[test]
fn someone_walks_as_fast_as_the_clip_says_and_the_ground_goes_up() {
    let tan = 10_f32.to_radians().tan();
    let on = |ground: Value| acted(&script(&humanoid(), "stroll", 30, 2.0, json!({"ground": ground})));
    let (flat, slope) = (on(json!({"kind": "flat"})), on(json!({"kind": "slope", "degrees": 10})));
    assert_eq!(flat.frames.len(), 61);
    for (index, (level, steep)) in flat.frames.iter().zip(&slope.frames).enumerate() {
        assert!((level.time - index as f64 / 30.0).abs() < 1e-9 && level.time == steep.time);
        let way = level.entity.w_axis;
        assert!((way.z - 0.604 * level.time as f32).abs() < 0.02 && way.x.abs() < 1e-4 && way.y == 0.0, "{way}");
        let up = steep.entity.w_axis;
        assert!((up.z - way.z).abs() < 1e-5 && (up.y - tan * up.z).abs() < 1e-5, "{up}");
        // Another ground, the same moment of the clip: without feet it is the same pose.
        for (a, b) in level.world.iter().zip(&steep.world) {
            assert!((level.entity.inverse() * *a).abs_diff_eq(steep.entity.inverse() * *b, 1e-5));
        }
        assert_eq!(level.planted, steep.planted);
        assert!(level.ground.iter().all(|height| *height == 0.0) && level.target.is_none());
    }
    // It walks, and does not hop.
    assert!(flat.frames.iter().any(|frame| frame.planted == [true, false]));
    assert!(flat.frames.iter().any(|frame| frame.planted == [false, true]));
}

#[test]
fn stairs_turns_speeds_and_targets_are_as_the_script_says() {
    let aim = json!({"circle": {"radius": 3.0, "height": 1.5, "degrees_per_second": 90.0}});
    let more = json!({"speed": 1.0, "ground": {"kind": "stairs", "rise": -0.1, "run": 0.25}, "aim": aim});
    let down = acted(&script(&humanoid(), "walk", 60, 1.0, more));
    let last = &down.frames[60];
    let end = last.entity.w_axis;
    // On the edge of the fifth stair, or a rounding before it.
    assert!((end.z - 1.0).abs() < 1e-5 && (-0.4 - 1e-5..=-0.3 + 1e-5).contains(&end.y), "{end}");
    let half = &down.frames[30].entity.w_axis;
    assert!((half.z - 0.5).abs() < 1e-5 && (-0.2 - 1e-5..=-0.1).contains(&half.y), "{half}");
    let (first, later) =
        (down.frames[0].target.expect("one"), last.target.expect("one") - last.entity.w_axis.truncate());
    assert!(first.abs_diff_eq(Vec3::new(0.0, 1.5, 3.0), 1e-5), "in front: {first}");
    assert!(later.abs_diff_eq(Vec3::new(3.0, 1.5, 0.0), 1e-4), "to the left: {later}");
    // A quarter of a circle to the left.
    let round = acted(&script(&humanoid(), "walk", 60, 1.0, json!({"speed": 1.0, "turn": 90.0})));
    let entity = round.frames[60].entity;
    let radius = 2.0 / std::f32::consts::PI;
    assert!(entity.w_axis.truncate().abs_diff_eq(Vec3::new(radius, 0.0, radius), 1e-3), "{entity}");
    assert!(entity.transform_vector3(Vec3::Z).abs_diff_eq(Vec3::X, 1e-5));
}

/// Stands on a lift and on a platform: feet stay where they are on it, while it moves and after.
fn feet_ride(file: &Path, idle: &str, feet: [&str; 2], size: f32) {
    for ground in [
        json!({"kind": "lift", "velocity": 0.5, "until": 1.0}),
        json!({"kind": "lift", "velocity": 3.0, "until": 1.0}),
        json!({"kind": "platform", "velocity": [0.5, 0.0, 0.3], "until": 1.0}),
    ] {
        for hz in [30, 60, 144] {
            let more = json!({"speed": 0.0, "feet": true, "ground": ground});
            let acted = acted(&script(file, idle, hz, 2.0, more));
            for name in feet {
                let joint = acted.joints.iter().position(|joint| joint == name).expect("a foot");
                let on_it =
                    |frame: &Frame| frame.entity.inverse().transform_point3(frame.world[joint].w_axis.truncate());
                let start = on_it(&acted.frames[0]);
                let off = acted.frames.iter().map(|frame| on_it(frame).distance(start)).fold(0.0, f32::max);
                assert!(off < 0.01 * size, "{}, {name} on {ground} at {hz} Hz: {off} m off", file.display());
            }
        }
    }
}

#[test]
fn feet_ride_on_lifts_and_platforms() {
    feet_ride(&humanoid(), "idle", ["LeftFoot", "RightFoot"], 1.0);
}

#[test]
fn strangers_ride_on_lifts_and_platforms() {
    let Some(folder) = corpus::find("strangers_ride_on_lifts_and_platforms") else { return };
    let characters = folder.join("characters");
    feet_ride(&characters.join("kaykit-knight.glb"), "Idle", ["foot.l", "foot.r"], 1.0);
    // It is four metres tall.
    feet_ride(&characters.join("robot-expressive.glb"), "Standing", ["Foot.L", "Foot.R"], 2.5);
}

#[test]
fn mistakes_are_named() {
    let of = |more: Value| {
        let output = act(&script(&humanoid(), "walk", 60, 1.0, more));
        assert!(!output.status.success() && output.stdout.is_empty());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let misspelt = of(json!({"play": [{"at": 0, "clip": "wlak"}]}));
    assert!(misspelt.contains("\"wlak\"") && misspelt.contains("walk"), "{misspelt}");
    assert!(of(json!({"wind": 3})).contains("wind"));
    assert!(of(json!({"ground": {"kind": "stairs", "rise": 0.1, "run": 0.0}})).contains("the stairs' run"));
    assert!(of(json!({"speed": "fast"})).contains("clip"));
    assert!(of(json!({"hz": 0})).contains("hz is 0"));
    assert!(of(json!({"play": []})).contains("no clip"));
    assert!(of(json!({"play": [{"at": 1, "clip": "walk"}, {"at": 0, "clip": "run"}]})).contains("order"));
    assert!(of(json!({"character": "nobody.glb"})).contains("nobody.glb"));
}
