//! The camera.

#[cfg(feature = "gpu")]
use glam::{Mat4, Vec4};
use glam::{Vec2, Vec3, Vec3A};

use super::walk::Area;

/// A perspective camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// Where it stands.
    pub eye: Vec3,
    /// The point in the middle of the picture.
    pub target: Vec3,
    /// A direction that is up in the picture.
    pub up: Vec3,
    /// The angle between the lower and the upper edge of the picture.
    pub vertical_fov_radians: f32,
}

/// From the target towards the camera: a twelfth of a turn from the front (+Z in glTF) and a little from
/// above, so that front, side and floor are seen together.
const THREE_QUARTER: Vec3 = Vec3::new(0.50, 0.30, 0.84);

/// A longer lens than usual: a figure that fills the picture is not distorted.
const VERTICAL_FOV: f32 = 0.52;

/// The part of the picture that the framed box may fill in each direction.
const FILL: f32 = 0.86;

impl Camera {
    /// A camera that shows a box from its front right, as large as it fits into a picture of this shape
    /// (width divided by height).
    #[must_use]
    pub fn framing(min: Vec3, max: Vec3, aspect: f32) -> Self {
        Self::framing_from(THREE_QUARTER, min, max, aspect)
    }

    /// The same from another side; `direction` points from the box towards the camera.
    #[must_use]
    pub fn framing_from(direction: Vec3, min: Vec3, max: Vec3, aspect: f32) -> Self {
        let (min, max) = if min.is_finite() && max.is_finite() { (min, max) } else { (Vec3::NEG_ONE, Vec3::ONE) };
        let center = (min + max) * 0.5;
        let mut half = ((max - min) * 0.5).abs();
        if half == Vec3::ZERO {
            half = Vec3::ONE;
        }
        let axes = Axes::new(-direction, Vec3::Y);
        let tan_y = (VERTICAL_FOV * 0.5).tan() * FILL;
        let tan_x = tan_y * if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 };

        // For every corner (x, y, depth), seen from the centre, the four side planes of the view ask that
        // `x - tan * depth` and its mirror images stay below a limit. The largest values on either side give the
        // camera's sideways position and how far back it has to go.
        let mut limits = [f32::NEG_INFINITY; 4];
        for corner in 0..8 {
            let sign = |bit: u32| if corner >> bit & 1 == 0 { -1.0 } else { 1.0 };
            let local = axes.local((half * Vec3::new(sign(0), sign(1), sign(2))).into());
            for (limit, (side, tan)) in
                limits.iter_mut().zip([(local.x, tan_x), (-local.x, tan_x), (local.y, tan_y), (-local.y, tan_y)])
            {
                *limit = limit.max(side - tan * local.z);
            }
        }
        let [right, left, top, bottom] = limits;
        let back = ((right + left) / (2.0 * tan_x)).max((top + bottom) / (2.0 * tan_y));
        let shift = axes.right * ((right - left) * 0.5) + axes.up * ((top - bottom) * 0.5);
        let target = center + Vec3::from(shift);
        let eye = target - Vec3::from(axes.forward) * back;
        Self { eye, target, up: Vec3::Y, vertical_fov_radians: VERTICAL_FOV }
    }
}

/// The directions of the picture; unit vectors at right angles.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Axes {
    right: Vec3A,
    up: Vec3A,
    forward: Vec3A,
}

impl Axes {
    /// Directions for any input: what is zero, parallel or not finite is replaced.
    fn new(forward: Vec3, up: Vec3) -> Self {
        let forward = forward.try_normalize().unwrap_or(Vec3::NEG_Z);
        let right = forward.cross(up).try_normalize().unwrap_or_else(|| forward.any_orthonormal_vector());
        let up = right.cross(forward);
        Self { right: right.into(), up: up.into(), forward: forward.into() }
    }

    /// Right, up and forward parts of a vector.
    fn local(&self, vector: Vec3A) -> Vec3A {
        Vec3A::new(self.right.dot(vector), self.up.dot(vector), self.forward.dot(vector))
    }
}

/// A camera for a picture of a certain size.
///
/// It works in homogeneous pixels: (x · w, y · w, w), where x and y count pixels from the upper left corner and w is
/// the distance along the camera's axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct View {
    pub(crate) eye: Vec3A,
    pub(crate) target: Vec3A,
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// Nearest distance that is drawn.
    pub(crate) near: f32,
    /// How the ray changes from one pixel to the next one on the right, and to the next one below.
    pub(crate) ray_step_x: Vec3A,
    pub(crate) ray_step_y: Vec3A,
    /// The ray through the upper left corner.
    ray_start: Vec3A,
    axes: Axes,
    /// Pixels for a slope of one.
    focal: f32,
    center: Vec2,
}

impl View {
    pub(crate) fn new(camera: &Camera, width: u32, height: u32) -> Self {
        let or_zero = |point: Vec3| if point.is_finite() { point } else { Vec3::ZERO };
        let (eye, target) = (or_zero(camera.eye), or_zero(camera.target));
        let axes = Axes::new(target - eye, camera.up);
        let center = Vec2::new(width as f32, height as f32) * 0.5;
        let fov = camera.vertical_fov_radians;
        let fov = if fov.is_finite() { fov.clamp(0.01, 3.0) } else { VERTICAL_FOV };
        let distance = eye.distance(target);
        let near = if distance > 0.0 { (distance * 1e-3).max(f32::MIN_POSITIVE) } else { 1e-3 };
        let focal = center.y / (fov * 0.5).tan();
        let (ray_step_x, ray_step_y) = (axes.right / focal, axes.up / -focal);
        Self {
            eye: eye.into(),
            target: target.into(),
            width,
            height,
            near,
            ray_step_x,
            ray_step_y,
            ray_start: axes.forward - ray_step_x * center.x - ray_step_y * center.y,
            axes,
            focal,
            center,
        }
    }

    /// The same as a matrix for a GPU, without a far plane: the depth is `near` divided by the distance along the axis.
    #[cfg(feature = "gpu")]
    pub(crate) fn clip_from_world(&self) -> Mat4 {
        let Axes { right, up, forward } = self.axes;
        let row = |axis: Vec3A, scale: f32| Vec3::from(axis * scale).extend(-(axis.dot(self.eye)) * scale);
        let rows = [
            row(right, self.focal / self.center.x.max(0.5)),
            row(up, self.focal / self.center.y.max(0.5)),
            Vec4::new(0.0, 0.0, 0.0, self.near),
            row(forward, 1.0),
        ];
        Mat4::from_cols_array_2d(&rows.map(|row| row.to_array())).transpose()
    }

    /// Where a point is seen, in pixels from the upper left corner; none if it is behind the camera.
    #[cfg(any(feature = "window", all(feature = "gpu", test)))]
    pub(crate) fn pixel_of(&self, point: Vec3) -> Option<Vec2> {
        let place = self.project(point);
        let pixel = Vec2::new(place.x, place.y) / place.z;
        (place.z > self.near && pixel.is_finite()).then_some(pixel)
    }

    /// All pixels of the picture.
    pub(super) fn area(&self) -> Area {
        Area { left: 0, top: 0, right: self.width as i32, bottom: self.height as i32 }
    }

    /// Homogeneous pixel of a point in the world.
    pub(super) fn project(&self, point: Vec3) -> Vec3A {
        let local = self.axes.local(Vec3A::from(point) - self.eye);
        Vec3A::new(
            local.x * self.focal + local.z * self.center.x,
            local.z * self.center.y - local.y * self.focal,
            local.z,
        )
    }

    /// Direction through a point of the picture, one unit deep: the point at depth w is `eye + ray * w`.
    pub(crate) fn ray(&self, x: f32, y: f32) -> Vec3A {
        self.ray_start + self.ray_step_x * x + self.ray_step_y * y
    }
}
