//! What a troupe may cost, and from where it is seen.

use glam::{Affine3A, Vec3};

use crate::math::trig::sin_cos;

/// What the poses of a [`Troupe`](super::Troupe) may cost in a frame. Time passes for everybody in any case.
///
/// ```
/// use nebula_animation::troupe::Budget;
///
/// assert_eq!(Budget::default(), Budget::Unlimited);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub enum Budget {
    /// As much as the [tolerance](super::TroupeOptions::tolerance) asks for.
    #[default]
    Unlimited,
    /// About so many joints per frame are evaluated on average. The same bits on every machine and thread count.
    Joints(usize),
    /// About so many milliseconds per frame, including the clocks. What is evaluated depends on how fast the machine
    /// is. A number that is not finite counts as no limit.
    Milliseconds(f32),
}

/// Where a troupe is seen from.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::troupe::View;
///
/// let view = View::look_at(Vec3::new(0.0, 2.0, 8.0), Vec3::Y, 60_f32.to_radians(), [1920.0, 1080.0]);
/// // A metre at a distance of eight metres.
/// assert!((view.pixels_per_metre(8.0) - 117.0).abs() < 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// The transform from world space to the space of the camera, which looks along -Z with +Y up.
    pub camera_from_world: Affine3A,
    /// Vertical field of view, in radians; more than 0 and less than pi.
    pub vertical_fov: f32,
    /// Width and height of the picture, in pixels.
    pub size: [f32; 2],
}

impl View {
    /// A camera at `eye` that looks at `target`, both in world space, with +Y up. `size` is the width and height of the
    /// picture in pixels.
    #[must_use]
    pub fn look_at(eye: Vec3, target: Vec3, vertical_fov: f32, size: [f32; 2]) -> Self {
        let direction = (target - eye).try_normalize().unwrap_or(Vec3::NEG_Z);
        let up = if direction.y.abs() > 0.999 { Vec3::Z } else { Vec3::Y };
        Self { camera_from_world: Affine3A::look_to_rh(eye, direction, up), vertical_fov, size }
    }

    /// Pixels that a metre takes at a distance in metres, which counts as at least 0.3.
    #[must_use]
    pub fn pixels_per_metre(&self, distance: f32) -> f32 {
        self.sight().focal / distance.max(NEAREST)
    }

    /// What is worked out once per frame.
    pub(super) fn sight(&self) -> Sight {
        let fov = if self.vertical_fov > 1e-3 { self.vertical_fov.min(3.1) } else { 1.0 };
        let [width, height] = self.size.map(|size| if size.is_finite() { size.max(1.0) } else { 1.0 });
        let (sine, cosine) = sin_cos(0.5 * fov);
        let half = sine / cosine;
        let sides = [half * width / height, half];
        Sight {
            camera_from_world: self.camera_from_world,
            focal: 0.5 * height / half,
            sides,
            stretch: sides.map(|side| (1.0 + side * side).sqrt()),
        }
    }
}

/// Distances count as at least this, in metres.
const NEAREST: f32 = 0.3;

/// A view, prepared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sight {
    camera_from_world: Affine3A,
    focal: f32,
    /// Half of the picture's width and height at a distance of 1.
    sides: [f32; 2],
    stretch: [f32; 2],
}

impl Sight {
    /// Pixels that a metre takes there; `None` for a sphere that is out of view.
    #[inline]
    pub fn pixels(&self, middle: Vec3, radius: f32) -> Option<f32> {
        let place = self.camera_from_world.transform_point3(middle);
        let depth = -place.z;
        let [width, height] = self.sides;
        let is_seen = depth > -radius
            && place.x.abs() - depth * width < radius * self.stretch[0]
            && place.y.abs() - depth * height < radius * self.stretch[1];
        is_seen.then(|| self.focal / (depth - 0.5 * radius).max(NEAREST))
    }
}

/// How a [`Troupe`](super::Troupe) is shown.
///
/// ```
/// use nebula_animation::troupe::{Budget, TroupeOptions};
///
/// let options = TroupeOptions { budget: Budget::Joints(30_000), ..TroupeOptions::default() };
/// assert_eq!(options.tolerance, 0.5);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TroupeOptions {
    /// What poses may cost in a frame; default [`Budget::Unlimited`].
    pub budget: Budget,
    /// How far interpolation may leave a joint from its place on the screen, in pixels; default 0.5. Under load the
    /// troupe allows more, for everybody alike. 0 or less, or NaN, works everybody in view out in every frame.
    pub tolerance: f32,
    /// The most frames from one key to the next; default 16. 0 counts as 1.
    pub longest: u8,
    /// Radius of the sphere around a member that is looked for in the view, in metres; default 1.3.
    pub radius: f32,
}

impl Default for TroupeOptions {
    fn default() -> Self {
        Self { budget: Budget::Unlimited, tolerance: 0.5, longest: 16, radius: 1.3 }
    }
}

impl TroupeOptions {
    pub(super) fn clean_tolerance(&self) -> f32 {
        if self.tolerance > 0.0 { self.tolerance.min(1e3) } else { 0.0 }
    }

    pub(super) fn clean_radius(&self) -> f32 {
        if self.radius.is_finite() { self.radius.max(0.0) } else { 0.0 }
    }
}
