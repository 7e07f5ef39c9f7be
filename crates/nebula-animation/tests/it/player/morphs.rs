//! Players show faces: morph weights beside the pose, from libraries, from authored clips and in the ECS.

use std::sync::Arc;

use glam::Vec3;
use nebula_animation::clip::{MorphLayout, MorphMesh};
use nebula_animation::rig::RigOptions;
use nebula_animation::sample::sample_morph_weights;
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationPlayer, Character, Interpolation, Rig, Surroundings, advance_time,
    compute_world_matrices, sample_clip,
};

use super::rig::{chain, slide};

/// A face of four targets and an ear of one, with weights of their own at rest.
fn rig() -> Arc<Rig> {
    let mesh = |node, first_slot, weights: &[f32]| MorphMesh {
        node,
        first_slot,
        target_names: vec![String::new(); weights.len()],
        weights: weights.to_vec(),
        ..MorphMesh::default()
    };
    let morphs = MorphLayout { meshes: vec![mesh(0, 0, &[0.0, 0.25, 0.5, 0.75]), mesh(1, 6, &[0.125])] };
    Rig::with_options(chain(3), RigOptions { morphs, ..RigOptions::default() })
}

/// A clip that talks and moves a joint, one that wiggles the ear by a spline, and one that only moves.
fn clips() -> Vec<AnimationClip> {
    let [mut talk, mut wiggle] = [slide(0, 1.0), AnimationClip { name: "wiggle".into(), ..AnimationClip::default() }];
    let values = [0.0, 0.1, 0.2, 0.3, 1.0, -0.5, 0.25, 0.75];
    talk.set_morph_weights(0, Interpolation::Linear, &[0.0, 1.0], &values, 4).expect("good keys");
    let values = [0.0, 0.5, 1.0, -2.0, 1.0, 0.0];
    wiggle.set_morph_weights(6, Interpolation::CubicSpline, &[0.0, 0.5], &values, 1).expect("good keys");
    vec![talk, wiggle, slide(1, 2.0)]
}

/// What glTF's formulas make of a clip.
fn expected(clip: usize, time: f32) -> Vec<f32> {
    let mut weights = vec![9.0; 9];
    sample_morph_weights(&clips()[clip], &rig().morphs().defaults(), time, &mut weights);
    weights
}

fn assert_near(weights: &[f32], expected: &[f32]) {
    assert_eq!(weights.len(), expected.len());
    assert!(weights.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{weights:?} instead of {expected:?}");
}

#[test]
fn players_of_a_library_show_the_face_of_their_clip() {
    let library = AnimationClipLibrary::new(&rig(), &clips());
    let mut player = AnimationPlayer::new(0, library[0].duration(), 3);
    assert_eq!(player.morph_weights(), [0.0; 0], "before the first stage");
    for (clip, step) in [(0, 0.25), (0, 0.5), (1, 0.2), (2, 0.1), (0, 0.0), (7, 0.1), (1, 0.3)] {
        player.clip_index = clip;
        advance_time(&mut player, &library, step);
        sample_clip(&mut player, library.rig(), &library);
        let rest = library.rig().morphs().defaults();
        let weights = if clip < 3 { expected(clip, player.time) } else { rest };
        assert_near(player.morph_weights(), &weights);
        let before = player.morph_weights().to_vec();
        compute_world_matrices(&mut player, library.rig());
        assert_eq!(player.morph_weights(), before, "the palette has nothing to do with it");
    }
}

/// A player and a character that play the same clip show the same face, to the bit.
#[test]
fn players_and_characters_show_the_same_face() {
    let library = AnimationClipLibrary::new(&rig(), &clips());
    let mut player = AnimationPlayer::new(0, library[0].duration(), 3);
    let mut character = Character::of(library.clone());
    for clip in [0, 1, 2] {
        player.play(clip);
        character.mixer.play(clip, 0.0).expect("the clip is there");
        for _ in 0..100 {
            advance_time(&mut player, &library, 1.0 / 60.0);
            sample_clip(&mut player, library.rig(), &library);
            character.update(1.0 / 60.0, &Surroundings::default());
            let bits = |weights: &[f32]| weights.iter().map(|weight| weight.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(player.morph_weights()), bits(character.frame().morph_weights()));
        }
    }
}

/// Authored clips have no rig: weights that no clip has moved are 0, and the buffer has those that were seen.
#[test]
fn players_of_authored_clips_show_a_face_too() {
    let (skeleton, clips) = (chain(3), clips());
    let mut player = AnimationPlayer::new(2, clips[2].duration, 3);
    sample_clip(&mut player, &skeleton, &clips);
    assert_eq!(player.morph_weights(), [0.0; 0]);
    player.play(0);
    player.seek(0.5);
    sample_clip(&mut player, &skeleton, &clips);
    assert_near(player.morph_weights(), &[0.5, -0.2, 0.225, 0.525, 0.0, 0.0]);
    player.play(1);
    sample_clip(&mut player, &skeleton, &clips);
    assert_near(player.morph_weights(), &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0]);
    player.play(2);
    sample_clip(&mut player, &skeleton, &clips);
    assert_near(player.morph_weights(), &[0.0; 9]);
    player.play(9);
    sample_clip(&mut player, &skeleton, &clips);
    assert_near(player.morph_weights(), &[0.0; 9]);
}

/// Keys that are no numbers, as only programs make them, leave a weight at rest.
#[test]
fn weights_that_are_no_numbers_are_at_rest() {
    let mut clips = clips();
    clips[0]
        .translation_channels
        .iter_mut()
        .for_each(|channel| channel.keyframes[0].value = Vec3::new(f32::NAN, 1.0, 0.0));
    let library = AnimationClipLibrary::new(&rig(), &clips);
    let mut player = AnimationPlayer::new(0, library[0].duration(), 3);
    player.time = 0.5;
    sample_clip(&mut player, library.rig(), &library);
    let rest = library.rig().morphs().defaults();
    assert!(player.morph_weights().iter().all(|weight| weight.is_finite()));
    assert_eq!((player.morph_weights()[0], player.morph_weights()[3]), (rest[0], rest[3]));
    sample_clip(&mut player, &chain(3), &clips);
    assert!(player.morph_weights().iter().all(|weight| weight.is_finite()));
}

/// Another rig, with another face or none: the buffer follows.
#[test]
fn the_buffer_follows_the_rig() {
    let (faced, plain) =
        (AnimationClipLibrary::new(&rig(), &clips()), AnimationClipLibrary::new(&Rig::new(chain(3)), &clips()));
    let mut player = AnimationPlayer::new(0, 1.0, 3);
    for (library, count) in [(&faced, 9), (&plain, 0), (&faced, 9)] {
        sample_clip(&mut player, library.rig(), library);
        assert_eq!(player.morph_weights().len(), count);
    }
}

#[cfg(feature = "ecs")]
mod systems {
    use bevy_ecs::prelude::*;
    use bevy_ecs::system::RunSystemOnce;
    use nebula_animation::ecs::Time;
    use nebula_animation::{add_animation_systems, animation_playback_system};

    use super::*;

    /// In one system and in stages, bent or not.
    #[test]
    fn systems_move_faces() {
        let library = AnimationClipLibrary::new(&rig(), &clips());
        let player = || AnimationPlayer::new(0, library[0].duration(), 3);
        for is_staged in [false, true] {
            let mut world = World::new();
            let mut schedule = Schedule::default();
            add_animation_systems(&mut schedule);
            let entity = world.spawn((player(), library.clone())).id();
            for frame in 1..=90_u8 {
                world.get_resource_or_init::<Time>().advance(1.0 / 64.0);
                if is_staged {
                    schedule.run(&mut world);
                } else {
                    world.run_system_once(animation_playback_system).expect("it needs nothing else");
                }
                let player = world.get::<AnimationPlayer>(entity).expect("it is there");
                assert_eq!(player.time, f32::from(frame) / 64.0 % 1.0);
                assert_near(player.morph_weights(), &expected(0, player.time));
                if frame == 40 {
                    // Somebody bends the pose from now on.
                    world.get_mut::<AnimationPlayer>(entity).expect("it is there").local_poses[1].0.x += 1.0;
                }
            }
        }
    }
}
