use glam::Vec3;

/// A point of the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GroundPoint {
    /// Height (y) in world space, in metres.
    pub height: f32,
    /// Surface normal in world space, pointing up; of any length.
    pub normal: Vec3,
    /// Velocity of the ground in world space, in metres per second: a lift, a platform. Feet that stand on it move
    /// along.
    pub velocity: Vec3,
    /// How fast the ground rotates about the vertical, in radians per second, counter-clockwise seen from above: a
    /// turntable. Feet that stand on it rotate along. `velocity` is that of this point, including the rotation.
    pub spin: f32,
}

impl GroundPoint {
    /// Static ground with a height and a normal.
    #[must_use]
    pub fn new(height: f32, normal: Vec3) -> Self {
        Self { height, normal, velocity: Vec3::ZERO, spin: 0.0 }
    }

    /// Static, level ground.
    #[must_use]
    pub fn level(height: f32) -> Self {
        Self::new(height, Vec3::Y)
    }

    /// The same ground, moving with a velocity in world space, in metres per second.
    #[must_use]
    pub fn moving(self, velocity: Vec3) -> Self {
        Self { velocity, ..self }
    }

    /// The same ground, as a point of something that rotates about a vertical axis, in radians per second,
    /// counter-clockwise seen from above. The resulting velocity of this point is added to the one it has.
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

/// Finds the ground: all that foot placement needs to know about the world.
///
/// Use a closure, or implement it for your physics. It is called a few times per frame, at positions near the feet.
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
    /// The ground at the x and z of a position; its y selects the storey. `None` if there is no ground.
    fn ground(&self, place: Vec3) -> Option<GroundPoint>;
}

impl<F: Fn(Vec3) -> Option<GroundPoint>> GroundQuery for F {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        self(place)
    }
}
