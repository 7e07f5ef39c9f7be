use bevy_ecs::entity::Entity;
use bevy_ecs::schedule::Schedule;
use bevy_ecs::world::World;
use nebula_animation::{AnimationClipLibrary, AnimationPlayer, Rig, add_animation_systems, ecs::Time};

use crate::scene::{Expected, FRAME_SECS, Playing, Runtime, Scene, matrices_apart};

/// Players as components, and a schedule with the animation systems.
pub struct Components {
    world: World,
    schedule: Schedule,
    characters: Vec<Entity>,
}

impl Components {
    pub const SCOPE: &str = "add_animation_systems on bevy_ecs, to local poses and palettes of matrices";

    pub fn new(scene: &Scene) -> Self {
        let mut world = World::new();
        let mut schedule = Schedule::default();
        add_animation_systems(&mut schedule);
        let library = AnimationClipLibrary::new(&Rig::new(&scene.skeleton), std::slice::from_ref(&scene.walk));
        let spawn = |start: &Playing| {
            let mut player = AnimationPlayer::new(0, scene.walk.duration, scene.joint_count());
            player.seek(start.walk);
            world.spawn((player, library.clone())).id()
        };
        Self { characters: scene.starts.iter().map(spawn).collect(), world, schedule }
    }
}

impl Runtime for Components {
    fn frame(&mut self) {
        self.world.get_resource_or_init::<Time>().advance(FRAME_SECS);
        self.schedule.run(&mut self.world);
        self.world.clear_trackers();
    }

    fn shown(&self, character: usize) -> Playing {
        let player = self.world.get::<AnimationPlayer>(self.characters[character]);
        Playing { walk: player.map_or(f64::NAN, AnimationPlayer::seconds), fade: None }
    }

    fn difference(&self, character: usize, expected: &Expected) -> f32 {
        let player = self.world.get::<AnimationPlayer>(self.characters[character]);
        player.map_or(f32::INFINITY, |player| matrices_apart(player.joint_matrices.iter().copied(), &expected.palette))
    }
}
