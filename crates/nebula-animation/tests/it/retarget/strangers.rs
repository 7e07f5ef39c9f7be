//! Characters that nobody here made play each other's clips.

use std::path::Path;
use std::sync::Arc;

use nebula_animation::retarget::{PairedBy, RetargetError};
use nebula_animation::{AnimationClip, Asset, HumanoidJoint as J, Retarget, Rig};

use super::limbs::{compare, lowest_sole};
use crate::determinism::corpus;

const SOURCES: [&str; 6] = [
    "",
    "kaykit-knight.glb",
    "kaykit-medium-movement.glb",
    "robot-expressive.glb",
    "m2m-sample-rig.glb",
    "hips-spine-twisting.vrma",
];
const TARGETS: [&str; 6] = [
    "",
    "m2m-human-sophia.glb",
    "m2m-human-female.glb",
    "vrm1-example.vrm",
    "kaykit-knight.glb",
    "robot-expressive.glb",
];

/// A character of the corpus, or ours where the name is empty.
fn character(folder: &Path, name: &str) -> (Arc<Rig>, Vec<AnimationClip>) {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let path = if name.is_empty() { own } else { folder.join("characters").join(name) };
    let asset = Asset::load(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (asset.rig(), asset.clips())
}

#[test]
fn limbs_of_strangers_point_where_the_sources_do() {
    let Some(folder) = corpus("limbs_of_strangers_point_where_the_sources_do") else { return };
    for from in SOURCES {
        let (source, clips) = character(&folder, from);
        for to in TARGETS {
            let (target, _) = character(&folder, to);
            let retarget = Retarget::new(&source, &target).unwrap_or_else(|error| panic!("{from} to {to}: {error}"));
            let is_known = |joint: &&J| [&source, &target].iter().all(|rig| rig.humanoid().get(**joint).is_some());
            let is_paired = |pair: &&nebula_animation::retarget::JointPair| matches!(pair.by, PairedBy::Meaning(_));
            let paired = retarget.report().pairs.iter().filter(is_paired).count();
            assert_eq!(paired, J::ALL.iter().filter(is_known).count(), "{from} to {to}");
            for clip in &clips {
                let apart = compare([&source, &target], [clip, &retarget.clip(clip)]);
                let which = format!("{:?} of {from} by {to}: mean {}, {apart:?}", clip.name, apart.mean());
                assert!(apart.mean() <= 8.0 && apart.worst <= 30.0, "{which}");
                // In the axes of the moving trunk, what bodies are shaped like counts too.
                assert!(apart.worst_in_trunk <= 30.0, "{which}");
            }
        }
    }
}

/// Everybody's lowest sole is as high as the source's, in proportion; what sinks in there does not here.
#[test]
fn soles_of_strangers_stay_on_the_ground() {
    let Some(folder) = corpus("soles_of_strangers_stay_on_the_ground") else { return };
    for from in ["", "kaykit-knight.glb", "kaykit-medium-movement.glb", "m2m-sample-rig.glb"] {
        let (source, clips) = character(&folder, from);
        let walks = |clip: &&AnimationClip| {
            let name = clip.name.to_lowercase();
            ["walk", "run", "idle", "custom"].iter().any(|word| name.contains(word))
                && !["jump", "sit", "lie"].iter().any(|word| name.contains(word))
        };
        for to in TARGETS.iter().filter(|to| **to != from) {
            let (target, _) = character(&folder, to);
            // The knight has the legs of its family, and does what they do.
            if target.soles().is_empty() || (from.contains("kaykit") && to.contains("kaykit")) {
                continue;
            }
            let retarget = Retarget::new(&source, &target).expect("two humans");
            let leg = target.position(target.humanoid().get(J::Hips).expect("hips")).y;
            for clip in clips.iter().filter(walks) {
                let made = retarget.clip(clip);
                let mut lowest_of_all = f32::INFINITY;
                for step in 0..=40_u8 {
                    let time = clip.duration * f32::from(step) / 40.0;
                    let lowest = lowest_sole(&target, &made, time);
                    lowest_of_all = lowest_of_all.min(lowest);
                    if source.soles().is_empty() {
                        continue;
                    }
                    let own = lowest_sole(&source, clip, time) * retarget.proportion();
                    // A share of the leg: a centimetre of an adult's.
                    let apart = lowest - own.max(0.0);
                    assert!(
                        apart.abs() < 0.012 * leg,
                        "{:?} of {from} by {to} at {time}: {lowest}, source {own}",
                        clip.name
                    );
                }
                // Without a mesh of the source's feet it is not known how high they are, but walks and runs touch the ground.
                assert!(lowest_of_all.abs() < 0.03 * leg, "{:?} of {from} by {to}: {lowest_of_all}", clip.name);
            }
        }
    }
}

#[test]
fn animals_do_not_become_humans() {
    let Some(folder) = corpus("animals_do_not_become_humans") else { return };
    for animal in ["m2m-fox-animations.glb", "m2m-dragon-animations.glb", "m2m-kaiju-t-rex.glb"] {
        let ((animal_rig, clips), (human, _)) =
            (character(&folder, animal), character(&folder, "m2m-human-female.glb"));
        for (source, target, which) in [(&animal_rig, &human, "source"), (&human, &animal_rig, "target")] {
            let error = Retarget::new(source, target).expect_err(animal);
            assert!(matches!(&error, RetargetError::NotHuman { which: who, .. } if *who == which), "{animal}: {error}");
        }
        let own = Retarget::new(&animal_rig, &animal_rig).expect("its own");
        assert!(own.missing_in_target().is_empty());
        clips.iter().for_each(|clip| assert_eq!(own.clip(clip).duration, clip.duration));
    }
}
