//! Players.

use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationPlayer, Clock, advance_time, compute_world_matrices,
    player::advance_and_sample, sample_clip,
};

use super::Table;
use super::fixtures::{INDICES, chain, clips, is_finite, library, library_of, numbers, poses, skeletons, times};

fn player() -> AnimationPlayer {
    AnimationPlayer::new(0, 1.0, 3)
}

/// A frame of a healthy character after something was done to its player.
fn frame(player: &mut AnimationPlayer) {
    advance_and_sample(player, &chain(3), &library(), 0.1);
    assert!(player.time.is_finite() && player.total_time().is_finite() && is_finite(&player.local_poses));
    assert_eq!(player.local_poses.len(), 3);
}

pub fn rows(table: &mut Table) {
    table.row("AnimationPlayer::new", || {
        for index in INDICES {
            for duration in numbers() {
                frame(&mut AnimationPlayer::new(index, duration, 0));
            }
            assert!(AnimationPlayer::new(0, 1.0, index).local_poses.len() <= 65_536, "no number takes the memory");
        }
    });
    table.row("AnimationPlayer::play", || {
        for index in INDICES {
            let mut player = player();
            player.play(index);
            frame(&mut player);
            assert_eq!(player.local_poses, chain(3).bind_pose(), "a clip that is not there shows the bind pose");
        }
    });
    table.row("AnimationPlayer::play_by", || {
        for index in INDICES {
            for number in times() {
                let mut player = player();
                player.play_by(index, Clock { start: number, end: Some(number), speed: number, ..Clock::default() });
                frame(&mut player);
                player.play_by(0, Clock { offset: number, hold: number, end: Some(1.0), ..Clock::default() });
                frame(&mut player);
            }
        }
    });
    table.row("AnimationPlayer::seek", || {
        for time in times() {
            let mut player = player();
            frame(&mut player);
            player.seek(time);
            frame(&mut player);
        }
    });
    table.row("AnimationPlayer::seek_total", || {
        for time in times() {
            let mut player = player();
            player.seek_total(time);
            frame(&mut player);
        }
    });
    table.row("AnimationPlayer::needs_sampling", || {
        let mut player = player();
        frame(&mut player);
        for skeleton in skeletons() {
            assert!(player.needs_sampling(&skeleton, &AnimationClipLibrary::default()), "it has never seen these");
        }
    });
    table.row("advance_time", || {
        for step in times() {
            for speed in numbers() {
                let mut player = player();
                player.speed = speed;
                advance_time(&mut player, &library(), step);
                assert!((0.0..=1.0).contains(&player.time), "{} after {step} at {speed}", player.time);
                advance_time(&mut player, &[] as &[AnimationClip], step);
            }
        }
    });
    table.row("sample_clip", || {
        for skeleton in skeletons() {
            for clip in clips() {
                let mut player = player();
                player.time = 0.3;
                sample_clip(&mut player, &skeleton, &[clip]);
                assert_eq!(player.local_poses.len(), skeleton.joints.len());
                assert!(is_finite(&player.local_poses));
            }
        }
    });
    table.row("advance_and_sample", || {
        for skeleton in skeletons() {
            let library = library_of(&skeleton, &clips());
            for index in (0..library.len()).step_by(7).chain(INDICES) {
                let mut player = AnimationPlayer::new(index, 1.0, 1);
                advance_and_sample(&mut player, &skeleton, &library, 0.2);
                assert!(is_finite(&player.local_poses));
                // Compiled for another rig: the rest pose.
                advance_and_sample(&mut player, &chain(5), &library, 0.2);
                assert!(player.local_poses.len() == 5 && is_finite(&player.local_poses));
            }
        }
    });
    table.row("compute_world_matrices", || {
        for skeleton in skeletons() {
            for pose in poses() {
                let mut player = player();
                player.local_poses = pose;
                player.joint_matrices.clear();
                compute_world_matrices(&mut player, &skeleton);
                assert_eq!(player.joint_matrices.len(), skeleton.joints.len());
            }
        }
    });
}
