//! Libraries are compiled once for one rig and shared, and players notice when they are given another.

use std::sync::Arc;
use std::thread;

use glam::Vec3;
use nebula_animation::palette::Evaluator;
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationPlayer, Rig, Skeleton, compute_world_matrices,
    player::advance_and_sample, sample_clip,
};

use crate::player::rig::{chain, slide};

fn clips() -> Vec<AnimationClip> {
    vec![slide(0, 1.0), slide(1, 2.0)]
}

fn library(skeleton: &Skeleton) -> AnimationClipLibrary {
    AnimationClipLibrary::new(&Rig::new(skeleton), &clips())
}

#[test]
fn clones_share_and_rigs_are_told_apart() {
    let rig = Rig::new(chain(3));
    let before = Arc::strong_count(&rig);
    let first = AnimationClipLibrary::new(&rig, &clips());
    let with_one = Arc::strong_count(&rig);
    let clones = vec![first.clone(); 100];
    assert!(with_one > before && Arc::strong_count(&rig) == with_one, "clones share");
    assert!(clones.iter().all(|clone| clone.rig().id() == rig.id() && clone.bytes() == first.bytes()));
    let mut moved = chain(3);
    moved.joints[2].bind_translation.y += 0.5;
    let others = [library(&moved), library(&chain(4)), library(&chain(3))];
    assert!(others.iter().all(|other| other.rig().id() != rig.id()), "another skeleton is another rig");
    assert_eq!((first.len(), first.rig().joint_count()), (2, 3));
    assert_eq!((others[1].len(), others[1].rig().joint_count()), (2, 4));
}

#[test]
fn rigs_do_not_pile_up() {
    let first = Rig::new(chain(1));
    let kept = AnimationClipLibrary::new(&first, &clips());
    let dropped = Arc::downgrade(library(&chain(1)).rig());
    for joints in 2..200 {
        let _ = library(&chain(joints));
    }
    assert_eq!(dropped.strong_count(), 0, "gone with its library");
    drop(kept);
    assert_eq!(Arc::strong_count(&first), 1, "the library let go of it");
}

#[test]
fn threads_that_compile_at_once_get_the_same() {
    let rig = Rig::new(chain(30));
    let pose_of = |library: &AnimationClipLibrary, clip: usize| {
        let mut pose = rig.bind_pose();
        Evaluator::new().pose(&rig, &library[clip], 0.7, &mut pose);
        pose
    };
    let all: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| AnimationClipLibrary::new(&rig, &clips()))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    for clip in 0..2 {
        assert!(all.iter().all(|library| pose_of(library, clip) == pose_of(&all[0], clip)));
        assert_ne!(pose_of(&all[0], clip), rig.bind_pose());
    }
}

#[test]
fn a_library_shows_what_a_slice_shows() {
    let skeleton = chain(5);
    let (library, clips) = (library(&skeleton), clips());
    let mut by_library = AnimationPlayer::new(0, 1.0, 5);
    let mut by_slice = by_library.clone();
    for frame in 0..100 {
        if frame == 50 {
            by_library.play(1);
            by_slice.play(1);
        }
        advance_and_sample(&mut by_library, &skeleton, &library, 1.0 / 60.0);
        advance_and_sample(&mut by_slice, &skeleton, &clips, 1.0 / 60.0);
        compute_world_matrices(&mut by_library, &skeleton);
        compute_world_matrices(&mut by_slice, &skeleton);
        super::assert_close(&by_library.local_poses, &by_slice.local_poses, &format!("frame {frame}"));
        for (fast, plain) in by_library.joint_matrices.iter().zip(&by_slice.joint_matrices) {
            assert!(fast.abs_diff_eq(*plain, 1e-5), "frame {frame}: {fast} instead of {plain}");
        }
    }
}

/// Symptom: after one library was dropped and another made, players went on with the clips of the first. Cause: libraries
/// were told apart by address, and the second one got the address of the first. The clips are of the same size, so that
/// the allocator has every reason to do that.
#[test]
fn a_library_in_the_place_of_another_is_noticed() {
    let rig = Rig::new(chain(2));
    let mut player = AnimationPlayer::new(0, 1.0, 2);
    for height in 0..20_u8 {
        let mut clip = slide(0, 1.0);
        for key in &mut clip.translation_channels[0].keyframes {
            key.value = Vec3::splat(f32::from(height));
        }
        let library = AnimationClipLibrary::new(&rig, &[clip]);
        if height % 2 == 0 {
            sample_clip(&mut player, &rig, &library);
        } else {
            // Also by a player that stands still, and would not sample again.
            advance_and_sample(&mut player, &rig, &library, 0.0);
        }
        assert_eq!(player.local_poses[0].0, Vec3::splat(f32::from(height)));
    }
}

#[test]
fn a_skeleton_in_the_place_of_another_is_noticed() {
    let mut player = AnimationPlayer::new(0, 1.0, 2);
    for height in 1..20_u8 {
        let mut skeleton = chain(2);
        skeleton.joints[1].inverse_bind_matrix.w_axis.y = f32::from(height);
        advance_and_sample(&mut player, &skeleton, &library(&skeleton), 0.0);
        compute_world_matrices(&mut player, &skeleton);
        let mut plain = AnimationPlayer::new(0, 1.0, 2);
        sample_clip(&mut plain, &skeleton, &clips());
        compute_world_matrices(&mut plain, &skeleton);
        assert!(player.joint_matrices[1].abs_diff_eq(plain.joint_matrices[1], 1e-5), "height {height}");
    }
}
