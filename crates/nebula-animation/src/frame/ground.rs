use glam::Vec3;

/// The ground below or above a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundPoint {
    /// Its y in world space, in metres.
    pub height: f32,
    /// Its direction upwards, square to the surface, in world space; of any length.
    pub normal: Vec3,
    /// How the ground moves there, in world space and metres per second: a lift, a platform. Feet that stand on it ride along.
    pub velocity: Vec3,
    /// How fast the ground turns about the vertical, in radians per second, counter-clockwise seen from above: a turntable. Feet that stand on
    /// it turn along; `velocity` is that of this place, the turn included.
    pub spin: f32,
}

impl GroundPoint {
    /// Ground that does not move, at a height and with a normal.
    #[must_use]
    pub fn new(height: f32, normal: Vec3) -> Self {
        Self { height, normal, velocity: Vec3::ZERO, spin: 0.0 }
    }

    /// Level ground that does not move.
    #[must_use]
    pub fn level(height: f32) -> Self {
        Self::new(height, Vec3::Y)
    }

    /// The same ground on the move, in world space and metres per second.
    #[must_use]
    pub fn moving(self, velocity: Vec3) -> Self {
        Self { velocity, ..self }
    }

    /// The same ground at a place of something that turns about a vertical axis, in radians per second, counter-clockwise seen from above. Its
    /// velocity there is added to the one that it has.
    ///
    /// ```
    /// use glam::Vec3;
    /// use nebula_animation::GroundPoint;
    ///
    /// // A turntable about the origin, a metre from its axis.
    /// let point = GroundPoint::level(0.0).turning(0.5, Vec3::ZERO, Vec3::X);
    /// assert_eq!(point.velocity, Vec3::new(0.0, 0.0, -0.5));
    /// ```
    #[must_use]
    pub fn turning(self, spin: f32, axis: Vec3, place: Vec3) -> Self {
        let arm = place - axis;
        Self { velocity: self.velocity + Vec3::new(spin * arm.z, 0.0, -spin * arm.x), spin, ..self }
    }
}

/// Where the ground is: all that foot placement needs to know of the world.
///
/// A closure will do, or your own physics. It is asked a few times a frame, at places near the feet.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::{GroundPoint, GroundQuery};
///
/// // A slope that rises along +X.
/// let slope = |place: Vec3| Some(GroundPoint::new(0.3 * place.x, Vec3::new(-0.3, 1.0, 0.0)));
/// assert_eq!(slope.ground(Vec3::X).map(|point| point.height), Some(0.3));
/// ```
pub trait GroundQuery {
    /// The ground at the x and z of a place; its y tells which storey is meant. `None` where there is no ground.
    fn ground(&self, place: Vec3) -> Option<GroundPoint>;
}

impl<F: Fn(Vec3) -> Option<GroundPoint>> GroundQuery for F {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        self(place)
    }
}
