use std::sync::Arc;

use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationPlayer, Character, Rig, Surroundings, advance_time, compile::Clips,
    compute_world_matrices, player::advance_and_sample, sample_clip,
};

use super::draw::Draw;
use super::world::World;

/// A player, and what it plays.
pub struct Player<'w> {
    player: AnimationPlayer,
    rig: &'w Arc<Rig>,
    clips: &'w AnimationClipLibrary,
    authored: &'w [AnimationClip],
}

impl<'w> Player<'w> {
    pub fn new(world: &'w World, draw: &mut Draw) -> Self {
        let clips = world.library(draw);
        let player = AnimationPlayer::new(draw.index(), draw.wild(), draw.below(20));
        Self { player, rig: clips.rig(), clips, authored: world.authored(draw) }
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
            10 => {
                self.clips = world.library(draw);
                self.rig = self.clips.rig();
            }
            // One that the clips are not for.
            11 => self.rig = world.rig(draw),
            12 => player.local_poses.truncate(draw.below(4)),
            13 => {
                let mut character = Character::new(self.rig.skeleton(), self.authored);
                character.update(draw.step(), &Surroundings::default());
                let mut pose = self.rig.bind_pose();
                character.frame().write_pose(&mut pose);
                super::assert_finite(&pose, "of a character");
            }
            14 => self.authored = world.authored(draw),
            _ => {}
        }
        // As authored, without a compiled form, where the last of them is drawn.
        let way = draw.below(3);
        match way {
            0 => {
                advance_and_sample(player, self.rig, self.clips, draw.step());
            }
            1 => {
                advance_time(player, self.clips, draw.step());
                sample_clip(player, self.rig, self.clips);
            }
            _ => {
                advance_and_sample(player, self.rig, self.authored, draw.step());
            }
        }
        compute_world_matrices(player, self.rig);
        let durations: [&dyn Clips; 2] = [self.clips, &self.authored];
        self.check(durations[usize::from(way == 2)], draw.is_tame);
    }

    fn check(&self, clips: &dyn Clips, is_tame: bool) {
        let player = &self.player;
        if let Some(duration) = clips.clip_duration(player.clip_index) {
            let end = if duration.is_finite() { duration.max(0.0) } else { 0.0 };
            assert!((0.0..=end).contains(&player.time), "time {} in a clip of {duration}", player.time);
        }
        assert!(player.time.is_finite() && player.seconds().is_finite() && player.total_time().is_finite());
        let _ = (player.pass(), player.is_finished(), player.last_advance(), player.clock());
        assert_eq!(player.local_poses.len(), self.rig.joints.len());
        assert_eq!(player.joint_matrices.len(), self.rig.joints.len());
        super::assert_finite(&player.local_poses, "of a player");
        if is_tame {
            assert!(player.joint_matrices.iter().all(|matrix| matrix.is_finite()), "the palette of a player");
        }
    }
}
