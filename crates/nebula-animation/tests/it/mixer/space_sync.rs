use glam::Mat4;
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, BlendSpace, ClipMarkers, Marker, Rig,
    mixer::{BlendInput, Blender},
    retarget::Mirror,
};
use nebula_animation::{mixer::BlendMode, palette::model_matrices};
use proptest::prelude::*;

use crate::support::humanoid::{humanoid, humanoid_markers};

fn clip(name: &str, duration: f32) -> AnimationClip {
    AnimationClip { name: name.into(), duration, ..Default::default() }
}

fn markers(table: &[(usize, &str, f64)]) -> ClipMarkers {
    let mut markers = ClipMarkers::new();
    for &(clip, name, time) in table {
        markers.add(clip, Marker { name: name.into(), time });
    }
    markers
}

#[test]
fn markers_that_do_not_fit_are_named() {
    let clips = [clip("walk", 2.0), clip("run", 1.0)];
    let space = || BlendSpace::line(&clips, &[(0.0, 0), (1.0, 1)]).expect("a line");
    let sync = |table: &[(usize, &str, f64)]| {
        space().synchronised(&clips, &markers(table), &["l", "r", "x"]).map(|_| ()).map_err(|error| error.to_string())
    };
    let walk = [(0, "l", 0.1), (0, "r", 0.7), (0, "x", 1.1)];
    let with = |run: &[(usize, &'static str, f64)]| sync(&[&walk[..], run].concat());
    assert_eq!(
        with(&[(1, "l", 0.1), (1, "x", 0.2)]),
        Err(r#"clip "run" has marker "r" 0 times, expected once"#.into())
    );
    assert_eq!(
        with(&[(1, "l", 0.1), (1, "r", 0.2), (1, "r", 0.3), (1, "x", 0.4)]),
        Err(r#"clip "run" has marker "r" 2 times, expected once"#.into())
    );
    assert_eq!(
        with(&[(1, "l", 0.1), (1, "r", 0.5), (1, "x", 0.4)]),
        Err(r#"clip "run": marker "x" does not come after "r""#.into())
    );
    assert_eq!(with(&[(1, "l", 0.9), (1, "r", 0.05), (1, "x", 0.4)]), Ok(()), "it begins elsewhere in the cycle");
    assert_eq!(with(&[]), Ok(()), "a clip without any runs along");
}

proptest! {
    /// Wherever markers are, all clips pass them together, each clip on its own keeps its own pace, and time never stands
    /// still or jumps.
    #[test]
    fn clips_pass_their_markers_together(
        durations in prop::array::uniform3(0.2_f32..3.0),
        pieces in prop::array::uniform3(prop::array::uniform3(0.05_f64..1.0)),
        starts in prop::array::uniform3(0.0_f64..1.0),
        x in 0.0_f32..2.0,
    ) {
        let clips = durations.map(|duration| clip("gait", duration));
        let names = ["a", "b", "c"];
        let mut table = ClipMarkers::new();
        let mut times = [[0.0; 3]; 3];
        for index in 0..3 {
            let total: f64 = pieces[index].iter().sum();
            let mut at = starts[index];
            for (piece, name) in names.iter().enumerate() {
                let time = at.rem_euclid(1.0) * f64::from(durations[index]);
                times[index][piece] = time;
                table.add(index, Marker { name: (*name).into(), time });
                at += pieces[index][piece] / total;
            }
        }
        let space = BlendSpace::line(&clips, &[(0.0, 0), (1.0, 1), (2.0, 2)]).expect("a line");
        let space = space.synchronised(&clips, &table, &names).expect("in order");
        let weights = space.weights_on_line(x);
        let phases = (0..=2000).map(|step| f64::from(step) / 1000.0 - 0.5);
        let mut before: Option<Vec<f64>> = None;
        for phase in phases {
            let seconds: Vec<f64> = (0..3).map(|index| space.seconds(&weights, index, phase)).collect();
            if let Some(before) = before {
                for (piece, name) in names.iter().enumerate() {
                    let passes = |index: usize, seconds: f64| {
                        (seconds - times[index][piece]) / f64::from(durations[index])
                    };
                    // A moment at a marker may be before it or after it, by rounding.
                    let is_at = |passes: f64| (passes - passes.round()).abs() < 1e-7;
                    if (0..3).any(|index| is_at(passes(index, seconds[index])) || is_at(passes(index, before[index]))) {
                        continue;
                    }
                    let passed =
                        |index: usize| passes(index, seconds[index]).floor() - passes(index, before[index]).floor();
                    for index in 1..3 {
                        prop_assert_eq!(passed(0), passed(index), "marker {} at {}", name, phase);
                    }
                }
                for index in 0..3 {
                    let step = seconds[index] - before[index];
                    prop_assert!(step > 0.0 && step < 0.05 * f64::from(durations[index]), "{}", step);
                }
            }
            before = Some(seconds);
        }
        for (index, duration) in durations.iter().enumerate() {
            let alone = space.weights_on_line(index as f32);
            prop_assert!((space.duration(&alone) - f64::from(*duration)).abs() < 1e-12);
            for phase in [-1.3, 0.0, 0.2, 0.77, 1.0, 5.5] {
                prop_assert!((space.seconds(&alone, index, phase) - phase * f64::from(*duration)).abs() < 1e-9);
            }
        }
    }
}

/// Height of both feet over the ground: of heel and ball, whichever is lower.
fn foot_heights(models: &[Mat4], skeleton: &nebula_animation::Skeleton) -> [f32; 2] {
    ["Left", "Right"].map(|side| {
        let joint = |part: &str| usize::from(skeleton.joint_by_name(&format!("{side}{part}")).expect("a foot"));
        let (foot, toes) = (joint("Foot"), joint("ToeBase"));
        let heel = models[foot].transform_point3(glam::Vec3::new(0.0, -0.085, -0.055)).y;
        heel.min(models[toes].transform_point3(glam::Vec3::new(0.0, -0.025, 0.0)).y)
    })
}

#[test]
fn walking_and_running_feet_touch_down_together_across_the_space() {
    let (skeleton, clips) = humanoid();
    let markers = humanoid_markers();
    let index = |name: &str| clips.iter().position(|clip| clip.name == name).expect("a clip");
    let (walk, run) = (index("walk"), index("run"));
    let space = BlendSpace::line(&clips, &[(1.4, walk), (2.43, run)]).expect("a line");
    let space = space.synchronised(&clips, &markers, &["left_down", "right_down"]).expect("the clips have them");
    let library = AnimationClipLibrary::new(&Rig::new(&skeleton), &clips);
    let mut blender = Blender::new();
    let mut pose = skeleton.bind_pose();
    let mut models = vec![Mat4::IDENTITY; pose.len()];
    let mut heights = |x: f32, phase: f64| {
        let weights = space.weights_on_line(x);
        let inputs: Vec<BlendInput> = weights
            .iter()
            .map(|&(sample, weight)| {
                let clip = &library[space.samples()[sample].clip];
                let time = space.seconds(&weights, sample, phase).rem_euclid(f64::from(clip.duration())) as f32;
                BlendInput { clip, time, weight, mask: None, mode: BlendMode::Override }
            })
            .collect();
        blender.blend(library.rig(), &inputs, &mut pose);
        model_matrices(&skeleton, &pose, &mut models);
        foot_heights(&models, &skeleton)
    };
    // Both clips begin a third of the cycle after the left foot lands.
    for step in 0..=40_u8 {
        let x = 1.4 + 1.03 * f32::from(step) / 40.0;
        for (foot, down) in [(0, 0.67), (1, 0.17)] {
            let (before, at) = (heights(x, down - 0.04), heights(x, down));
            assert!(at[foot].abs() < 0.02, "at {x} foot {foot} is {} m high when it lands", at[foot]);
            assert!(
                before[foot] > at[foot] + 0.005,
                "at {x} foot {foot} is still in the air shortly before: {before:?}"
            );
        }
    }
}

#[test]
fn mirrored_clips_keep_step_with_their_originals() {
    let (skeleton, clips) = humanoid();
    let markers = humanoid_markers();
    let walk = clips.iter().position(|clip| clip.name == "walk").expect("a walk");
    let both = [clips[walk].clone(), Mirror::new(&skeleton).clip(&clips[walk])];
    let mut table = ClipMarkers::new();
    for (clip, list) in [(0, markers.of(walk).to_vec()), (1, Mirror::markers(markers.of(walk)))] {
        list.into_iter().for_each(|marker| table.add(clip, marker));
    }
    let space = BlendSpace::line(&both, &[(0.0, 0), (1.0, 1)]).expect("a line");
    let space = space.synchronised(&both, &table, &["left_down", "right_down"]).expect("both have them");
    // Half a cycle apart, because the same foot has to be down.
    let weights = space.weights_on_line(0.0);
    let apart = space.seconds(&weights, 1, 0.3) - space.seconds(&weights, 0, 0.3);
    assert!((apart.abs() - 0.5).abs() < 1e-6, "{apart}");
}
