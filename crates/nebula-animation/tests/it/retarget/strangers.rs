//! Characters that nobody here made play each other's clips.

use std::path::Path;
use std::sync::Arc;

use glam::{DVec3, Vec3};
use nebula_animation::retarget::RetargetError;
use nebula_animation::{AnimationClip, Asset, HumanoidJoint as J, Retarget, Rig};

use super::conventions::assert_all_paired;
use super::outside::{Names, Seen, apart};
use super::soles::lowest_sole;
use crate::determinism::corpus;

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

/// The humans of the corpus, ours among them: names, rigs, what an outsider sees of them, and their clips.
pub fn everybody(test: &str) -> Vec<(String, Arc<Rig>, Seen, Vec<AnimationClip>)> {
    let Some(folder) = corpus(test) else { return Vec::new() };
    let humans = [
        ("", Names::MIXAMO),
        ("kaykit-knight.glb", Names::KAYKIT),
        ("kaykit-medium-movement.glb", Names::KAYKIT),
        ("robot-expressive.glb", Names::ROBOT),
        ("m2m-sample-rig.glb", Names::UNREAL),
        ("m2m-human-sophia.glb", Names::UNREAL),
        ("m2m-human-female.glb", Names::UNREAL),
        ("vrm1-example.vrm", Names::VRM),
        ("hips-spine-twisting.vrma", Names::VRMA),
    ];
    let seen = |(name, names): (&str, Names)| {
        let (rig, clips) = character(&folder, name);
        let seen = Seen::new(rig.skeleton(), names, DVec3::Z);
        (name.to_owned(), rig, seen, clips)
    };
    humans.into_iter().map(seen).collect()
}

/// In the axes of the file as in those of the moving trunk; and every joint that both have is paired.
#[test]
fn limbs_of_strangers_point_where_the_sources_do() {
    let everybody = everybody("limbs_of_strangers_point_where_the_sources_do");
    for (from, source, source_seen, clips) in &everybody {
        for (to, target, target_seen, _) in &everybody {
            let retarget = Retarget::new(source, target).unwrap_or_else(|error| panic!("{from} to {to}: {error}"));
            assert_all_paired(&format!("{from} to {to}"), &retarget, source, target);
            for clip in clips {
                let made = retarget.clip(clip);
                for (kind, [mean, worst]) in
                    apart([source_seen, target_seen], [clip, &made], 12).into_iter().enumerate()
                {
                    let which =
                        format!("{:?} of {from} by {to}: mean {mean}, largest {worst} in axes {kind}", clip.name);
                    assert!(mean <= 8.0 && worst <= 30.0, "{which}");
                }
            }
        }
    }
}

#[test]
fn avatars_face_where_their_standard_says() {
    let Some(folder) = corpus("avatars_face_where_their_standard_says") else { return };
    for name in ["vrm1-example.vrm", "hips-spine-twisting.vrma"] {
        let (rig, _) = character(&folder, name);
        assert_eq!((rig.front(), rig.up()), (Some(Vec3::Z), Vec3::Y), "{name}");
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
                    // A share of the leg: a centimetre and a half of an adult's, between two moments that are looked at. The feet of
                    // the robot hang from its root and not from its shins; strafing knights are 11 cm in the ground.
                    let slack = if to.contains("robot") { 0.022 } else { 0.016 };
                    let apart = lowest - own.max(0.0);
                    assert!(
                        apart.abs() < slack * leg,
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
