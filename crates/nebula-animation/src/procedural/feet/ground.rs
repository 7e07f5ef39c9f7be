use glam::Vec3;

/// The ground below or above a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundPoint {
    /// Its y in world space, in metres.
    pub height: f32,
    /// Its direction upwards, square to the surface, in world space; of any length.
    pub normal: Vec3,
}

/// Where the ground is: all that foot placement needs to know of the world.
///
/// A closure will do. It is asked a few times a frame, at places near the feet.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::procedural::feet::{GroundPoint, GroundQuery};
///
/// // A slope that rises along +X.
/// let slope = |place: Vec3| Some(GroundPoint { height: 0.3 * place.x, normal: Vec3::new(-0.3, 1.0, 0.0) });
/// assert_eq!(slope.ground(Vec3::X).unwrap().height, 0.3);
/// ```
pub trait GroundQuery: Send + Sync {
    /// The ground at the x and z of a place; its y tells which storey is meant. None where there is no ground.
    fn ground(&self, place: Vec3) -> Option<GroundPoint>;
}

impl<F: Fn(Vec3) -> Option<GroundPoint> + Send + Sync> GroundQuery for F {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        self(place)
    }
}
