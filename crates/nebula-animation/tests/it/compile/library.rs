//! Libraries compile their clips once for each skeleton, and players notice when one is not what it was.

use std::sync::Arc;
use std::thread;

use glam::Vec3;
use nebula_animation::{
    AnimationClipLibrary, AnimationPlayer, Character, Skeleton, compute_world_matrices, player::advance_and_sample,
    sample_clip,
};

use crate::player::rig::{chain, slide};

fn library() -> AnimationClipLibrary {
    AnimationClipLibrary::from(vec![slide(0, 1.0), slide(1, 2.0)])
}

#[test]
fn equal_skeletons_share_and_others_do_not() {
    let library = library();
    let first = library.compiled_for(&chain(3));
    assert!(Arc::ptr_eq(&first, &library.clone().compiled_for(&chain(3))), "clones share");
    let mut moved = chain(3);
    moved.joints[2].bind_translation.y += 0.5;
    let other = library.compiled_for(&moved);
    assert!(!Arc::ptr_eq(&first, &other));
    assert!(!Arc::ptr_eq(&first, &library.compiled_for(&chain(4))));
    assert!(Arc::ptr_eq(&first, &library.compiled_for(&chain(3))), "still there");
    assert_eq!((first.clips().len(), first.rig().joint_count()), (2, 3));
}

#[test]
fn many_skeletons_do_not_pile_up() {
    let library = library();
    let first = library.compiled_for(&chain(1));
    for joints in 2..200 {
        let _ = library.compiled_for(&chain(joints));
    }
    assert_eq!(Arc::strong_count(&first), 1, "the library let go of it");
}

#[test]
fn threads_that_ask_at_once_get_the_same() {
    let library = library();
    let skeleton = chain(30);
    let all: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| library.compiled_for(&skeleton))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(all.iter().all(|compiled| Arc::ptr_eq(compiled, &all[0])));
}

#[test]
fn a_library_shows_what_a_slice_shows() {
    let skeleton = chain(5);
    let library = library();
    let clips = library.to_vec();
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
    let skeleton = chain(2);
    let mut player = AnimationPlayer::new(0, 1.0, 2);
    for height in 0..20_u8 {
        let mut clip = slide(0, 1.0);
        for key in &mut clip.translation_channels[0].keyframes {
            key.value = Vec3::splat(f32::from(height));
        }
        let library = AnimationClipLibrary::from(vec![clip]);
        sample_clip(&mut player, &skeleton, &library);
        assert_eq!(player.local_poses[0].0, Vec3::splat(f32::from(height)));
    }
}

#[test]
fn a_skeleton_in_the_place_of_another_is_noticed() {
    let library = library();
    let mut player = AnimationPlayer::new(0, 1.0, 2);
    for height in 1..20_u8 {
        let mut skeleton = chain(2);
        skeleton.joints[1].inverse_bind_matrix.w_axis.y = f32::from(height);
        sample_clip(&mut player, &skeleton, &library);
        compute_world_matrices(&mut player, &skeleton);
        let mut plain = AnimationPlayer::new(0, 1.0, 2);
        sample_clip(&mut plain, &skeleton, &library.to_vec());
        compute_world_matrices(&mut plain, &skeleton);
        assert!(player.joint_matrices[1].abs_diff_eq(plain.joint_matrices[1], 1e-5), "height {height}");
    }
}

#[test]
fn skeletons_that_are_edited_in_place_are_seen_when_told() {
    let mut character = Character::new(chain(3), library());
    let skeleton: &mut Skeleton = Arc::get_mut(&mut character.skeleton).expect("nobody else has it");
    skeleton.joints[1].bind_translation = Vec3::new(0.0, 7.0, 0.0);
    character.player.mark_sources_changed();
    character.update(0.0);
    assert_eq!(character.player.local_poses[1].0.y, 7.0);
}
