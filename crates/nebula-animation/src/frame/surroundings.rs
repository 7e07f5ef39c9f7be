use std::fmt;

use glam::{Affine3A, Vec3};

use super::ground::GroundQuery;
use crate::state::{StateError, StateReader, StateWriter, Stateful};

/// The world around a character for one frame: its transform and velocity, the ground, and the targets it looks at. It
/// is borrowed for the call, so layers query whatever your game has directly: its physics, a resource of its ECS.
///
/// ```
/// use glam::{Affine3A, Vec3};
/// use nebula_animation::{GroundPoint, Surroundings};
///
/// struct Level {
///     floor: f32,
/// }
/// let level = Level { floor: 0.25 }; // Yours.
/// let ground = |_place: Vec3| Some(GroundPoint::level(level.floor));
/// let surroundings = Surroundings {
///     world_from_model: Affine3A::from_translation(Vec3::new(3.0, 0.25, 0.0)),
///     velocity: Vec3::X,
///     ground: Some(&ground),
///     ..Surroundings::default()
/// };
/// assert!(surroundings.is_grounded);
/// ```
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// The transform from model space to world space, at which the model is drawn. The identity by default.
    pub world_from_model: Affine3A,
    /// Velocity of the character in world space, in metres per second; zero by default.
    pub velocity: Vec3,
    /// The ground, for feet. `None`, the default, is an error for layers that need it.
    pub ground: Option<&'a dyn GroundQuery>,
    /// Whether the character is on the ground, according to its controller; default true. During a jump or a fall, feet
    /// are released.
    pub is_grounded: bool,
    /// Positions of the targets that layers follow by [`TargetId`]; none by default.
    pub targets: Option<&'a dyn TargetQuery>,
}

/// Your own number for a target that a layer follows: an entity, an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TargetId(pub u64);

impl Stateful for TargetId {
    fn write_state(&self, writer: &mut StateWriter) {
        writer.write(&self.0);
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        reader.read(&mut self.0)
    }
}

/// Finds targets. A closure works too.
pub trait TargetQuery {
    /// The position of a target in world space; `None` while it is unknown, in which case layers ignore it.
    fn position(&self, target: TargetId) -> Option<Vec3>;
}

impl<F: Fn(TargetId) -> Option<Vec3>> TargetQuery for F {
    fn position(&self, target: TargetId) -> Option<Vec3> {
        self(target)
    }
}

impl Default for Surroundings<'_> {
    fn default() -> Self {
        Self {
            world_from_model: Affine3A::IDENTITY,
            velocity: Vec3::ZERO,
            ground: None,
            is_grounded: true,
            targets: None,
        }
    }
}

impl Surroundings<'_> {
    /// The default, with a transform.
    #[must_use]
    pub fn at(world_from_model: Affine3A) -> Self {
        Self { world_from_model, ..Self::default() }
    }
}

impl fmt::Debug for Surroundings<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Surroundings")
            .field("world_from_model", &self.world_from_model)
            .field("velocity", &self.velocity)
            .field("has_ground", &self.ground.is_some())
            .field("is_grounded", &self.is_grounded)
            .finish_non_exhaustive()
    }
}
