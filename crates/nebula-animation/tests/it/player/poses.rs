//! What players show.

use glam::{Mat4, Vec3};
use nebula_animation::{
    AnimationClip, AnimationPlayer, Character, Clock, Surroundings,
    clip::ClipEntry,
    compute_world_matrices,
    palette::{model_matrices, skinning_matrices},
    player::advance_and_sample,
    sample_clip, sample_pose,
};

use super::rig::{Puppet, chain, slide, turn};

#[test]
fn joints_without_channels_return_to_the_bind_pose() {
    let skeleton = chain(3);
    let clips = [slide(1, 1.0), slide(2, 1.0)];
    let mut player = AnimationPlayer::new(0, 1.0, 3);
    player.time = 0.5;
    sample_clip(&mut player, &skeleton, &clips);
    assert_eq!(player.local_poses[1].0, Vec3::new(0.5, 0.0, 0.0));
    player.clip_index = 1;
    sample_clip(&mut player, &skeleton, &clips);
    assert_eq!(player.local_poses[1], skeleton.joints[1].bind_pose());
    assert_eq!(player.local_poses[2].0, Vec3::new(0.5, 0.0, 0.0));
}

#[test]
fn the_palette_is_that_of_the_plain_stages() {
    let skeleton = chain(5);
    let clip = turn(2, 9, 0.4);
    let mut puppet = Puppet::new(skeleton.clone(), vec![clip.clone()]);
    let mut character = Character::new(skeleton.clone(), std::slice::from_ref(&clip));
    for frame in 0..100_u8 {
        puppet.update(1.0 / 60.0);
        character.update(1.0 / 60.0, &Surroundings::default());
        let time = ((f64::from(frame) + 1.0) / 60.0).rem_euclid(f64::from(clip.duration)) as f32;
        assert!((puppet.player.time - time).abs() < 1e-6);
        assert_eq!(character.mixer.current_action.as_ref().map(|action| action.time), Some(puppet.player.time));
        let mut pose = skeleton.bind_pose();
        sample_pose(&clip, &skeleton, puppet.player.time, &mut pose);
        let mut palette = vec![Mat4::IDENTITY; 5];
        model_matrices(&skeleton, &pose, &mut palette);
        skinning_matrices(&skeleton, &mut palette);
        for (who, palettes) in [("player", puppet.palette()), ("character", character.palette())] {
            for (palette, plain) in palettes.iter().zip(&palette) {
                assert!(palette.abs_diff_eq(*plain, 1e-5), "{who}, frame {frame}: {palette} instead of {plain}");
            }
        }
    }
}

#[test]
fn a_new_player_has_a_palette_that_leaves_the_mesh_alone() {
    let player = AnimationPlayer::new(0, 1.0, 4);
    assert_eq!(player.joint_matrices, [Mat4::IDENTITY; 4]);
    let character = Character::new(chain(2), &[slide(1, 1.0)]);
    assert_ne!(character.palette()[1], Mat4::IDENTITY, "already in the first frame of its clip");
    let puppet = Puppet::new(chain(2), vec![slide(1, 1.0)]);
    assert_eq!(puppet.palette(), character.palette());
}

#[test]
fn a_paused_player_follows_its_time_its_clip_and_its_pose() {
    let mut puppet = Puppet::new(chain(2), vec![slide(0, 1.0), slide(1, 1.0)]);
    puppet.player.playing = false;
    for time in [0.25, 0.75, 0.0, 1.0] {
        puppet.player.time = time;
        puppet.update(0.1);
        assert_eq!(puppet.player.local_poses[0].0.x, time);
        assert_eq!(puppet.palette()[0].w_axis.x, time);
    }
    puppet.player.clip_index = 1;
    puppet.update(0.1);
    assert_eq!(puppet.player.local_poses[1].0.x, 1.0);
    puppet.player.local_poses[0].0 = Vec3::new(7.0, 0.0, 0.0);
    puppet.update(0.1);
    assert_eq!(puppet.palette()[0].w_axis.x, 7.0, "a pose that somebody wrote stays");
    puppet.player.mark_pose_stale();
    puppet.update(0.1);
    assert_eq!(puppet.player.local_poses[0], puppet.rig.joints[0].bind_pose());
}

#[test]
fn another_library_shows_on_a_paused_player() {
    let mut puppet = Puppet::new(chain(1), vec![slide(0, 1.0)]);
    puppet.player.playing = false;
    puppet.player.time = 0.5;
    puppet.update(0.0);
    puppet.set_clips(vec![AnimationClip { name: "another".into(), ..slide(0, 1.0) }]);
    puppet.player.local_poses[0].0.x = 9.0;
    puppet.update(0.0);
    assert_eq!(puppet.player.local_poses[0].0.x, 0.5);
}

#[test]
fn a_finished_player_keeps_its_last_pose() {
    let mut puppet = Puppet::new(chain(1), vec![slide(0, 1.0)]);
    puppet.player.looping = false;
    assert!(puppet.update(3.0).is_finished);
    let last = puppet.palette().to_vec();
    for _ in 0..3 {
        assert!(!puppet.update(0.1).is_finished);
        assert_eq!(puppet.palette(), last);
    }
    assert_eq!(last[0].w_axis.x, 1.0);
}

#[test]
fn a_zero_length_clip_shows_its_only_pose() {
    let skeleton = chain(1);
    let mut clip = slide(0, 1.0);
    clip.duration = 0.0;
    clip.translation_channels[0].keyframes.remove(0);
    clip.translation_channels[0].keyframes[0].time = 0.0;
    let mut player = AnimationPlayer::new(0, 0.0, 1);
    advance_and_sample(&mut player, &skeleton, &[clip], 0.1);
    compute_world_matrices(&mut player, &skeleton);
    assert_eq!((player.time, player.joint_matrices[0].w_axis.x), (0.0, 1.0));
}

#[test]
fn an_entry_of_several_animations_plays_them_at_once() {
    let clips = [slide(0, 1.0), slide(1, 2.0), AnimationClip { name: "over".into(), ..slide(0, 3.0) }];
    let entry = ClipEntry { animations: vec![1, 0], start: 0.5, end: Some(2.0), ..ClipEntry::default() };
    let mut puppet = Puppet::new(chain(2), vec![entry.merged_clip(&clips)]);
    assert_eq!(puppet.clips[0].duration(), 2.0);
    puppet.player.play_by(0, Clock::from(&entry));
    puppet.update(1.0);
    assert_eq!(puppet.player.time, 1.5);
    assert_eq!(puppet.player.local_poses[0].0.x, 1.0, "clamped to its last keyframe");
    assert_eq!(puppet.player.local_poses[1].0.x, 1.5);
    let both = ClipEntry { animations: vec![0, 2], ..entry }.merged_clip(&clips);
    assert_eq!(both.translation_channels, clips[2].translation_channels, "the later one has the joint");
}
