//! `nebula-demo report`: what it says of a file is so.

mod made;

use std::path::{Path, PathBuf};

use glam::{Mat4, Vec3};
use serde_json::{Value, json};

use crate::corpus;
use made::Made;

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets")
}

fn said(file: &Path, more: &[&str]) -> String {
    let arguments = [&["report", file.to_str().expect("UTF-8")], more].concat();
    let output = corpus::run(&arguments);
    assert!(output.status.success(), "{}: {}", file.display(), String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn report(file: &Path) -> Value {
    serde_json::from_str(&said(file, &["--json"])).expect("JSON")
}

fn clip<'a>(report: &'a Value, name: &str) -> &'a Value {
    let clips = report["clips"].as_array().expect("clips");
    clips.iter().find(|clip| clip["name"] == name).unwrap_or_else(|| panic!("no clip {name:?}"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn assert_near(value: &Value, expected: f64, close: f64, what: &str) {
    assert!((number(value) - expected).abs() <= close, "{what}: {value}, expected {expected}");
}

/// Everything of this rig is known, because it was made so: speed, stride, seam, slide, depth, contacts.
#[test]
fn what_was_put_into_a_file_is_found_in_it() {
    let folder = tempfile::tempdir().expect("a folder");
    for made in [
        Made::default(),
        Made { is_turned: true, ..Made::default() },
        Made { travels: true, ..Made::default() },
        Made { is_turned: true, travels: true, ..Made::default() },
    ] {
        let file = made.write(folder.path());
        let report = report(&file);
        let walk = clip(&report, "walk");
        assert_eq!(report["facing"]["axis"], if made.is_turned { "-Z" } else { "+Z" }, "{made:?}");
        assert_eq!(report["humanoid"]["is_human"], true, "{}", report["humanoid"]);
        assert_eq!(report["unit"]["seems"], "metres");
        assert_near(&report["unit"]["height"], made::HEIGHT, 1e-3, "height");
        assert_near(&walk["seconds"], made::SECONDS, 1e-5, "seconds");
        assert_near(&walk["speed"], made::SPEED, 0.01, "speed");
        assert_near(&walk["stride"], made::SPEED * made::SECONDS, 0.01, "stride");
        assert_eq!(walk["way"], "ahead");
        let way = if made.travels { made::SPEED * made::SECONDS } else { 0.0 };
        assert_near(&walk["travels"], way, 1e-4, "travels");
        assert_near(&walk["seam"]["degrees"], 12.0, 0.01, "seam");
        assert_eq!(walk["seam"]["degrees_at"], "Spine");
        assert_near(&walk["slide_mm"]["median"], made::SLIDE_MM, 0.2, "slide");
        assert_near(&walk["slide_mm"]["largest"], made::SLIDE_MM, 0.2, "slide");
        assert_near(&walk["depth_mm"], made::DEPTH_MM, 0.1, "depth");
        for (leg, expected) in [[0.0, 0.6], [0.5, 0.1]].into_iter().enumerate() {
            let spans = walk["contacts"][leg].as_array().expect("spans");
            assert_eq!(spans.len(), 1, "{made:?}: {}", walk["contacts"]);
            let off = |time: f64, expected: f64| (time - expected + 0.5).rem_euclid(1.0) - 0.5;
            assert!(off(number(&spans[0][0]), expected[0]).abs() < 0.06, "{made:?}: leg {leg} {spans:?}");
            assert!(off(number(&spans[0][1]), expected[1]).abs() < 0.06, "{made:?}: leg {leg} {spans:?}");
        }
        assert_eq!(walk["grounds"].as_array().expect("grounds").len(), 11);
        let page = said(&file, &[]);
        assert!(page.contains("walk: the loop jumps by 12 degrees at Spine"), "{page}");
        assert!(page.contains("faces") && page.contains("stairs down"), "{page}");
    }
}

#[test]
fn units_that_are_no_metres_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    for (scale, unit) in [(100.0, "centimetres"), (1000.0, "millimetres"), (0.01, "once too often")] {
        let file = Made { scale, ..Made::default() }.write(folder.path());
        let page = said(&file, &[]);
        assert!(page.contains(unit), "{scale}: {page}");
        assert_near(
            &report(&file)["unit"]["height"],
            made::HEIGHT * f64::from(scale),
            1e-3 * f64::from(scale),
            "height",
        );
    }
}

#[test]
fn what_cannot_be_measured_is_said_and_no_mistake() {
    let folder = tempfile::tempdir().expect("a folder");
    let bare = Made { has_meshes: false, ..Made::default() }.write(folder.path());
    let found = report(&bare);
    assert_near(&clip(&found, "walk")["speed"], made::SPEED, 0.05, "speed by joints alone");
    assert!(clip(&found, "walk")["slide_mm"].is_null() && clip(&found, "walk")["depth_mm"].is_null());
    assert!(said(&bare, &[]).contains("no mesh"), "{}", said(&bare, &[]));
    let still = Made { has_clip: false, ..Made::default() }.write(folder.path());
    assert!(said(&still, &[]).contains("clips: there are none"), "{}", said(&still, &[]));
    let sword = said(&assets().join("sword.glb"), &[]);
    assert!(sword.contains("humanoid: no hips"), "{sword}");
}

/// The author wrote how far our own clips go, and when their feet come down.
#[test]
fn our_own_clips_walk_as_their_author_meant() {
    let file = assets().join("simple_humanoid.glb");
    let bytes = std::fs::read(&file).expect("the file is there");
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let json: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
    let report = report(&file);
    assert_near(&report["unit"]["height"], 1.75, 0.02, "height");
    let mut walks = 0;
    for animation in json["animations"].as_array().expect("animations") {
        let name = animation["name"].as_str().expect("a name");
        let found = clip(&report, name);
        assert!(
            number(&found["seam"]["degrees"]) < 0.1 || name == "turn_left_root_motion",
            "{name}: {}",
            found["seam"]
        );
        let distance = number(&animation["extras"]["distance"]);
        if animation["extras"]["root_motion"] == true {
            assert_near(&found["travels"], distance, 1e-3, name);
        }
        if ["walk", "run", "stroll"].iter().any(|word| name.starts_with(word)) {
            walks += 1;
            assert_near(&found["speed"], distance / number(&found["seconds"]), 0.02, name);
            assert_near(&found["stride"], distance, 0.03, name);
            assert!(number(&found["depth_mm"]) < 3.0, "{name}: {}", found["depth_mm"]);
            let slides = if name.starts_with("stroll") { 4.0 } else { 2.0 };
            assert!(number(&found["slide_mm"]["largest"]) < slides, "{name}: {}", found["slide_mm"]);
        } else {
            assert!(found["stride"].is_null(), "{name} is no walk");
        }
    }
    assert_eq!(walks, 6);
    assert_near(&clip(&report, "walk")["speed"], 1.4, 0.01, "walk");
    assert_near(&clip(&report, "stroll")["speed"], 0.6, 0.01, "stroll");
}

/// What the report says of grounds is what `act` shows on them.
fn agrees_with_act(file: &Path, walk: &str, legs: [[&str; 3]; 2], hips: &str) {
    let report = report(file);
    for trial in clip(&report, walk)["grounds"].as_array().expect("grounds").iter().step_by(2) {
        let frames = |feet: bool, ground: &Value| {
            let script =
                json!({"character": file, "seconds": 6, "play": [{"clip": walk}], "feet": feet, "ground": ground});
            Acted::of(&script)
        };
        let (own, with_feet) = (frames(false, &json!({"kind": "flat"})), frames(true, &trial["ground"]));
        let knee = |acted: &Acted| legs.iter().map(|leg| acted.knee_speed(leg)).fold(0.0, f64::max);
        let what = format!("{walk} on {}", trial["ground"]);
        assert_near(&trial["knee"], knee(&with_feet) / knee(&own), 0.01, &what);
        if trial["ground"]["kind"] != "lift" {
            let (own, with_feet) = (own.acceleration(hips), with_feet.acceleration(hips));
            assert_near(&trial["pelvis"], with_feet / own, 0.02 * (1.0 + with_feet / own), &what);
        }
    }
}

/// Places of joints, frame by frame, from the second second on.
struct Acted {
    joints: Vec<String>,
    places: Vec<Vec<Vec3>>,
}

impl Acted {
    fn of(script: &Value) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("script.json");
        std::fs::write(&file, script.to_string()).expect("it is written");
        let output = corpus::run(&["act", file.to_str().expect("UTF-8")]);
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let list = |value: &Value| value.as_array().expect("a list").clone();
        let place = |matrix: &Value| {
            let numbers: Vec<f32> =
                list(matrix).iter().map(|number| number.as_f64().expect("a number") as f32).collect();
            Mat4::from_cols_slice(&numbers).w_axis.truncate()
        };
        let places =
            list(&json["frames"]).into_iter().skip(60).map(|frame| list(&frame["world"]).iter().map(place).collect());
        let joints = list(&json["joints"]).iter().map(|name| name.as_str().expect("a name").into()).collect();
        Self { joints, places: places.collect() }
    }

    fn joint(&self, name: &str) -> usize {
        self.joints.iter().position(|joint| joint == name).unwrap_or_else(|| panic!("no joint {name}"))
    }

    fn knee_speed(&self, leg: &[&str; 3]) -> f64 {
        let [hip, knee, ankle] = leg.map(|name| self.joint(name));
        let angle = |places: &Vec<Vec3>| {
            let (thigh, shin) = ((places[hip] - places[knee]).as_dvec3(), (places[ankle] - places[knee]).as_dvec3());
            (thigh.dot(shin) / thigh.length() / shin.length()).clamp(-1.0, 1.0).acos().to_degrees()
        };
        let angles: Vec<f64> = self.places.iter().map(angle).collect();
        angles.windows(2).map(|pair| 60.0 * (pair[1] - pair[0]).abs()).fold(0.0, f64::max)
    }

    fn acceleration(&self, joint: &str) -> f64 {
        let joint = self.joint(joint);
        let threes = self.places.windows(3).map(|three| [0, 1, 2].map(|frame| three[frame][joint].as_dvec3()));
        threes.map(|[a, b, c]| 3600.0 * (c - 2.0 * b + a).length()).fold(0.0, f64::max)
    }
}

#[test]
fn grounds_are_those_of_act() {
    let legs = [["LeftUpLeg", "LeftLeg", "LeftFoot"], ["RightUpLeg", "RightLeg", "RightFoot"]];
    agrees_with_act(&assets().join("simple_humanoid.glb"), "run", legs, "Hips");
}

/// Of strangers: their clips' own figures were measured once by a program of its own, which read the meshes by itself.
#[test]
fn strangers_are_measured_by_their_meshes() {
    let Some(folder) = corpus::find("strangers_are_measured_by_their_meshes") else { return };
    let character = |name: &str| folder.join("characters").join(name);
    for (file, name, slide, knee, pelvis) in [
        ("kaykit-knight.glb", "Walking_A", Some([18.0, 18.0]), 1806.0, 25.0),
        ("kaykit-knight.glb", "Running_A", None, 1229.0, 141.0),
        ("robot-expressive.glb", "Walking", Some([61.7, 91.8]), 954.0, 164.0),
        ("robot-expressive.glb", "Running", None, 1193.0, 333.0),
    ] {
        let report = report(&character(file));
        let found = clip(&report, name);
        assert_near(&found["knee_speed"], knee, 1.0, name);
        assert_near(&found["pelvis_acceleration"], pelvis, 0.01 * pelvis + 0.5, name);
        match slide {
            Some([median, largest]) => {
                assert_near(&found["slide_mm"]["median"], median, 0.2, name);
                assert_near(&found["slide_mm"]["largest"], largest, 0.2, name);
            }
            None => assert!(found["slide_mm"].is_null(), "{name}: its stances are shorter than 80 ms"),
        }
        assert_eq!(found["way"], "ahead");
    }
    let knight = report(&character("kaykit-knight.glb"));
    for (name, way) in
        [("Walking_Backwards", "back"), ("Running_Strafe_Left", "left"), ("Running_Strafe_Right", "right")]
    {
        assert_eq!(clip(&knight, name)["way"], way);
    }
    for name in ["Sit_Floor_Down", "Death_A", "Jump_Full_Long", "Idle", "T-Pose"] {
        assert!(clip(&knight, name)["stride"].is_null(), "{name} is no walk");
    }
    let legs = [["upperleg.l", "lowerleg.l", "foot.l"], ["upperleg.r", "lowerleg.r", "foot.r"]];
    agrees_with_act(&character("kaykit-knight.glb"), "Walking_A", legs, "hips");
}

#[test]
fn strangers_that_lack_something_are_told_so() {
    let Some(folder) = corpus::find("strangers_that_lack_something_are_told_so") else { return };
    for (file, words) in [
        ("m2m-fox-animations.glb", ["not built like a human", "39 and 39 and 45 and 45 vertices"]),
        ("m2m-kaiju-t-rex.glb", ["humanoid: no", "clips: there are none"]),
        ("m2m-human-sophia.glb", ["% sure", "clips: there are none"]),
        ("kaykit-medium-movement.glb", ["the file has no mesh", "cannot be measured"]),
        ("hips-spine-twisting.vrma", ["100 % sure", "faces     +Z"]),
        ("vrm1-example.vrm", ["said by the file", "clips: there are none"]),
    ] {
        let page = said(&folder.join("characters").join(file), &[]);
        assert!(words.iter().all(|word| page.contains(word)), "{file}: {words:?} in\n{page}");
    }
}
