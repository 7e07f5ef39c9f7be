use nebula_animation::{
    AnimationClipLibrary, AnimationPlayer, Character, Skeleton, advance_time, compute_world_matrices,
    player::advance_and_sample, sample_clip,
};

use super::draw::Draw;
use super::world::World;

/// A player, and what it plays.
pub struct Player<'w> {
    player: AnimationPlayer,
    skeleton: &'w Skeleton,
    clips: &'w AnimationClipLibrary,
}

impl<'w> Player<'w> {
    pub fn new(world: &'w World, draw: &mut Draw) -> Self {
        let (skeleton, clips) = (world.skeleton(draw), world.library(draw));
        Self { player: AnimationPlayer::new(draw.index(), draw.wild(), draw.below(20)), skeleton, clips }
    }

    pub fn call(&mut self, world: &'w World, draw: &mut Draw) {
        let player = &mut self.player;
        match draw.below(16) {
            0 => player.time = draw.wild(),
            1 => player.speed = draw.wild(),
            2 => player.looping = draw.yes(),
            3 => player.playing = draw.yes(),
            4 => player.clip_index = draw.index(),
            5 => player.play(draw.index()),
            6 => player.play_by(draw.index(), draw.clock()),
            7 => player.restart(),
            8 => player.seek(f64::from(draw.wild())),
            9 => player.seek_total(f64::from(draw.wild())),
            10 => self.clips = world.library(draw),
            11 => self.skeleton = world.skeleton(draw),
            12 => player.local_poses.truncate(draw.below(4)),
            13 => {
                let mut character = Character::new(self.skeleton.clone(), self.clips.clone());
                character.player.clip_index = draw.index();
                character.update(draw.step());
                super::assert_finite(&character.player.local_poses, "of a character");
            }
            _ => {}
        }
        match draw.below(3) {
            0 => {
                advance_and_sample(player, self.skeleton, self.clips, draw.step());
            }
            1 => {
                advance_time(player, self.clips, draw.step());
                sample_clip(player, self.skeleton, self.clips);
            }
            // As authored, without a compiled form.
            _ => {
                advance_and_sample(player, self.skeleton, &self.clips[..], draw.step());
            }
        }
        compute_world_matrices(player, self.skeleton);
        self.check(draw.is_tame);
    }

    fn check(&self, is_tame: bool) {
        let player = &self.player;
        if let Some(clip) = self.clips.get(player.clip_index) {
            let end = if clip.duration.is_finite() { clip.duration.max(0.0) } else { 0.0 };
            assert!((0.0..=end).contains(&player.time), "time {} in a clip of {}", player.time, clip.duration);
        }
        assert!(player.time.is_finite() && player.seconds().is_finite() && player.total_time().is_finite());
        let _ = (player.pass(), player.is_finished(), player.last_advance(), player.clock());
        assert_eq!(player.local_poses.len(), self.skeleton.joints.len());
        assert_eq!(player.joint_matrices.len(), self.skeleton.joints.len());
        super::assert_finite(&player.local_poses, "of a player");
        if is_tame {
            assert!(player.joint_matrices.iter().all(|matrix| matrix.is_finite()), "the palette of a player");
        }
    }
}
