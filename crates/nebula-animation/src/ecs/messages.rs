use bevy_ecs::entity::Entity;
use bevy_ecs::message::{Message, Messages};
use bevy_ecs::system::{Local, ResMut, SystemParam};
use bevy_ecs::world::{FromWorld, World};

use super::systems::Sampled;
use super::time::Time;
use crate::player::Advance;

/// A player has reached the end that it moves towards, and has stopped there. The entity may be gone when this is read.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use nebula_animation::{AnimationFinished, AnimationPlayer};
///
/// fn go_on(mut finished: MessageReader<AnimationFinished>, mut players: Query<&mut AnimationPlayer>) {
///     for message in finished.read() {
///         if let Ok(mut player) = players.get_mut(message.entity) {
///             player.play(0);
///         }
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Message)]
pub struct AnimationFinished {
    /// The entity of the player.
    pub entity: Entity,
}

/// A player has started over, or turned, once or several times in one frame. The entity may be gone when this is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Message)]
pub struct AnimationLooped {
    /// The entity of the player.
    pub entity: Entity,
    /// How many passes ended in this frame; at least 1.
    pub passes: u32,
}

/// Where the systems report to. A message can be read until the second frame after its own, as usual with `bevy_ecs`;
/// nobody else needs to update the buffers, and nothing breaks where somebody does.
#[derive(SystemParam)]
pub struct Reports<'w, 's> {
    /// First, because it makes the resources that the others ask for.
    _resources: Local<'s, Resources>,
    finished: ResMut<'w, Messages<AnimationFinished>>,
    looped: ResMut<'w, Messages<AnimationLooped>>,
}

impl Reports<'_, '_> {
    /// Forgets the messages of the frame before the last one.
    pub(super) fn begin_frame(&mut self) {
        self.finished.update();
        self.looped.update();
    }

    pub(super) fn write(&mut self, entity: Entity, advance: Advance) {
        if advance.passes > 0 {
            self.looped.write(AnimationLooped { entity, passes: advance.passes });
        }
        if advance.is_finished {
            self.finished.write(AnimationFinished { entity });
        }
    }
}

/// Makes the resources of the systems when these are first put to use, where the user has not made them.
struct Resources;

impl FromWorld for Resources {
    fn from_world(world: &mut World) -> Self {
        world.init_resource::<Time>();
        world.init_resource::<Sampled>();
        world.init_resource::<Messages<AnimationFinished>>();
        world.init_resource::<Messages<AnimationLooped>>();
        Self
    }
}
