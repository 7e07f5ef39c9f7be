use std::hint::black_box;

use bevy_ecs::schedule::Schedule;
use bevy_ecs::world::World;
use nebula_animation::{
    AnimationClip, AnimationPlayer, add_animation_systems, compute_world_matrices, ecs::Time, palette::PaletteRows,
    player::advance_and_sample,
};

use super::crowd::{FRAME_SECS, frames, scattered};
use super::{ClipFacts, Scene, Stage, Workload, difference};

/// Players as components, advanced by a schedule; and the same players in a loop over the authored clips.
pub struct EcsWorkload {
    scene: Scene,
    world: World,
    schedule: Schedule,
    plain: Vec<AnimationPlayer>,
    /// A slice is sampled as it is authored: the library has compiled clips.
    clips: Vec<AnimationClip>,
}

impl EcsWorkload {
    /// Characters that walk, the first clip of the library, each at another time.
    pub fn new(scene: Scene, characters: usize) -> Self {
        let clips = vec![scene.walk.authored.clone()];
        let duration = clips[0].duration;
        let plain: Vec<AnimationPlayer> = (0..characters)
            .map(|index| {
                let mut player = AnimationPlayer::new(0, duration, scene.joint_count());
                player.seek(scattered(index, duration));
                player
            })
            .collect();
        let mut world = World::new();
        let mut schedule = Schedule::default();
        add_animation_systems(&mut schedule);
        let library = scene.library.clone();
        let players = plain.clone().into_iter().map(|player| (player, library.clone()));
        world.spawn_batch(players.collect::<Vec<_>>());
        Self { scene, world, schedule, plain, clips }
    }
}

impl Workload for EcsWorkload {
    fn characters(&self) -> usize {
        self.plain.len()
    }

    fn joints(&self) -> usize {
        self.scene.joint_count()
    }

    fn frames(&self) -> usize {
        frames(self.characters())
    }

    fn stages(&self) -> &'static [Stage] {
        &[Stage::Plain, Stage::Fast]
    }

    fn run(&mut self, stage: Stage, slice: usize) {
        for _ in 0..self.frames() {
            if stage == Stage::Fast {
                self.world.get_resource_or_init::<Time>().advance(FRAME_SECS);
                self.schedule.run(&mut self.world);
                continue;
            }
            let range = stage.range(slice, self.plain.len());
            for player in &mut self.plain[range] {
                advance_and_sample(player, &self.scene.skeleton, &self.clips, FRAME_SECS);
                compute_world_matrices(player, &self.scene.skeleton);
            }
            black_box(&mut self.plain);
        }
    }

    fn difference(&mut self) -> f32 {
        let mut players = self.world.query::<&AnimationPlayer>();
        let pairs = players.iter(&self.world).zip(&self.plain);
        pairs.fold(0.0, |worst, (fast, plain)| {
            let rows: Vec<PaletteRows> = fast.joint_matrices.iter().map(PaletteRows::from_matrix).collect();
            worst.max(difference(&plain.joint_matrices, &rows))
        })
    }

    fn clip(&self) -> ClipFacts {
        self.scene.facts(&[&self.scene.walk])
    }
}
