use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, Res, SystemParam};
use glam::{Affine3A, Vec3};

use super::components::{ModelOffset, Transform, Velocity};
use crate::frame::{GroundPoint, GroundQuery, Surroundings, TargetId, TargetQuery};

/// For worlds without ground: see [`finish_character_system`](super::finish_character_system).
#[derive(Debug, Clone, Copy, Default, Resource)]
pub struct NoGround;

impl GroundQuery for NoGround {
    fn ground(&self, _place: Vec3) -> Option<GroundPoint> {
        None
    }
}

/// The surroundings that all characters of a world share: its ground, if there is one, and the entities that layers
/// follow by their [bits](Entity::to_bits).
#[derive(SystemParam)]
pub struct Around<'w, 's, G: Resource> {
    ground: Option<Res<'w, G>>,
    places: Query<'w, 's, &'static Transform>,
}

impl<G: Resource + GroundQuery> TargetQuery for Around<'_, '_, G> {
    fn position(&self, target: TargetId) -> Option<Vec3> {
        let entity = Entity::try_from_bits(target.0)?;
        self.places.get(entity).ok().map(|transform| transform.translation)
    }
}

impl<G: Resource + GroundQuery> Around<'_, '_, G> {
    /// The surroundings of one entity. What it lacks counts as the default.
    pub(super) fn surroundings(
        &self,
        transform: Option<&Transform>,
        velocity: Option<&Velocity>,
        offset: Option<&ModelOffset>,
        is_airborne: bool,
    ) -> Surroundings<'_> {
        let world_from_entity = transform.map_or(Affine3A::IDENTITY, Transform::to_affine);
        let entity_from_model = offset.map_or(Affine3A::IDENTITY, |offset| offset.0.to_affine());
        Surroundings {
            world_from_model: world_from_entity * entity_from_model,
            velocity: velocity.map_or(Vec3::ZERO, |velocity| velocity.linear),
            ground: self.ground.as_deref().map(|ground| ground as &dyn GroundQuery),
            is_grounded: !is_airborne,
            targets: Some(self),
        }
    }
}
