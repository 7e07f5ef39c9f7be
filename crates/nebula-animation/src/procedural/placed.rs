use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A, Vec4, Vec4Swizzles};

use super::turn::{rotated, rotated_back};
use crate::skeleton::JointPose;

/// Where a joint is in model space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    even: Even,
    /// Rotation, scale and shear where the scale is not even, and of no meaning otherwise.
    linear: Mat3A,
}

/// A rotation of unit length, then a positive uniform scale, then a translation. It takes about half the work of
/// matrices, and includes the rotation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Even {
    pub rotation: Quat,
    pub translation: Vec3A,
    /// 0 where the transform is of another kind, whose translation this is.
    pub scale: f32,
}

impl Even {
    /// The transform of a joint below, if it is of this kind too.
    #[inline(always)]
    pub fn of_child(&self, (translation, rotation, factor): &JointPose) -> Option<Self> {
        // The fourth number does not count. It lies next to the others, so that all are read at once.
        let translation = Vec3A::from_vec4(translation.extend(factor.x));
        self.of_child_at(self.point(translation), *rotation, factor)
    }

    /// The same, of one whose origin is known.
    #[inline(always)]
    pub fn of_child_at(&self, translation: Vec3A, rotation: Quat, factor: &Vec3) -> Option<Self> {
        let length_squared = rotation.length_squared();
        let scale = self.scale * factor.x;
        // Of a quaternion that is not of unit length, the matrix is no rotation.
        let is_even = (length_squared - 1.0).abs() < 1e-5
            && (1e-9..1e9).contains(&scale)
            && factor.x == factor.y
            && factor.x == factor.z;
        // What it is off by is taken out by one step of Newton's.
        let rotation = self.rotation * (rotation * (1.5 - 0.5 * length_squared));
        is_even.then_some(Self { rotation, translation, scale })
    }

    #[inline(always)]
    fn point(&self, point: Vec3A) -> Vec3A {
        self.translation + rotated(self.rotation, point) * self.scale
    }
}

impl Placed {
    pub const IDENTITY: Self =
        Self { even: Even { rotation: Quat::IDENTITY, translation: Vec3A::ZERO, scale: 1.0 }, linear: Mat3A::IDENTITY };

    /// Composes with the parent's transform.
    #[inline(always)]
    pub fn put(&mut self, even: Even) {
        self.even = even;
    }

    /// The place of a joint below, where one of them is not [`Even`].
    ///
    /// The product of both matrices, of which the lower one is never put together: it takes part number by number.
    #[inline(never)]
    pub fn of_uneven_child(&self, (translation, rotation, scale): &JointPose) -> Self {
        let above = self.linear();
        let q = Vec4::from(*rotation);
        let doubled = q + q;
        let squares = q * doubled;
        let diagonal = Vec4::ONE - (squares.yxxw() + squares.zzyw());
        // Twice xy, xz, yz, and zw, yw, xw.
        let (products, turns) = (q.xxyw() * doubled.yzzw(), q.wwww() * doubled.zyxw());
        let (sums, differences) = (products + turns, products - turns);
        let column = |x: Vec4, y: Vec4, z: Vec4| {
            let (x, y, z) = (Vec3A::from_vec4(x), Vec3A::from_vec4(y), Vec3A::from_vec4(z));
            above.x_axis * x + above.y_axis * y + above.z_axis * z
        };
        let linear = Mat3A::from_cols(
            column(diagonal.xxxx(), sums.xxxx(), differences.yyyy()) * scale.x,
            column(differences.xxxx(), diagonal.yyyy(), sums.zzzz()) * scale.y,
            column(sums.yyyy(), differences.zzzz(), diagonal.zzzz()) * scale.z,
        );
        let translation = above * Vec3A::from(*translation) + self.even.translation;
        Self { even: Even { rotation: Quat::IDENTITY, translation, scale: 0.0 }, linear }
    }

    /// As long as it is even, what it is.
    #[inline(always)]
    pub fn even(&self) -> Even {
        self.even
    }

    /// Whether the scale is positive and the same for all directions, and there is no shear.
    #[inline(always)]
    pub fn is_even(&self) -> bool {
        self.even.scale > 0.0
    }

    /// Where the joint's origin is.
    #[inline(always)]
    pub fn origin(&self) -> Vec3A {
        self.even.translation
    }

    /// Moves the joint.
    #[inline(always)]
    pub fn translate(&mut self, offset: Vec3A) {
        self.even.translation += offset;
    }

    /// Rotation, scale and shear.
    pub fn linear(&self) -> Mat3A {
        if self.is_even() { Mat3A::from_quat(self.even.rotation) * self.even.scale } else { self.linear }
    }

    /// The whole transform as a matrix.
    pub fn model_from_joint(&self) -> Affine3A {
        Affine3A { matrix3: self.linear(), translation: self.even.translation }
    }

    /// Takes a point from the joint's space to model space.
    #[inline]
    pub fn point(&self, point: Vec3A) -> Vec3A {
        if self.is_even() { self.even.point(point) } else { self.linear * point + self.even.translation }
    }

    /// Takes a direction from the joint's space to model space.
    #[inline]
    pub fn vector(&self, vector: Vec3A) -> Vec3A {
        if self.is_even() { rotated(self.even.rotation, vector) * self.even.scale } else { self.linear * vector }
    }

    /// How the axes lie, scale and shear left out; unit length.
    #[inline]
    pub fn rotation(&self) -> Quat {
        if self.is_even() { self.even.rotation } else { self.rotation_of_uneven() }
    }

    fn rotation_of_uneven(&self) -> Quat {
        let linear = &self.linear;
        // The first axis, and the plane of the first two. The third one of a mirror is turned round.
        let x = linear.x_axis.try_normalize();
        let y = x.and_then(|x| (linear.y_axis - x * linear.y_axis.dot(x)).try_normalize());
        match (x, y) {
            (Some(x), Some(y)) => Quat::from_mat3a(&Mat3A::from_cols(x, y, x.cross(y))),
            _ => Quat::IDENTITY,
        }
    }

    /// Transforms a direction from model space to joint space; not finite if there is no inverse.
    #[inline]
    pub fn vector_from_model(&self, vector: Vec3A) -> Vec3A {
        if self.is_even() {
            return rotated_back(self.even.rotation, vector) / self.even.scale;
        }
        let (x, y, z) = (self.linear.x_axis, self.linear.y_axis, self.linear.z_axis);
        let (a, b, c) = (y.cross(z), z.cross(x), x.cross(y));
        Vec3A::new(a.dot(vector), b.dot(vector), c.dot(vector)) / x.dot(a)
    }

    /// The same, of any length: only its direction matters.
    #[inline]
    pub fn way_from_model(&self, vector: Vec3A) -> Vec3A {
        if self.is_even() { rotated_back(self.even.rotation, vector) } else { self.vector_from_model(vector) }
    }

    /// Converts a rotation from model space to joint space; `None` if there is no inverse, or nothing to rotate.
    #[inline]
    pub fn turn_from_model(&self, turn: Quat) -> Option<Quat> {
        let axis = Vec3A::from_vec4(turn.into());
        // Comparisons with what is not a number are false.
        if !(axis.length_squared() >= 1e-20) {
            return None;
        }
        if self.is_even() {
            return Some(Quat::from_vec4(rotated_back(self.even.rotation, axis).extend(turn.w)));
        }
        let turned = self.cofactors_of(axis);
        turned.is_finite().then(|| Quat::from_vec4(turned.extend(turn.w)))
    }

    /// The axis of a rotation in model space, converted to joint space, with the same length.
    fn cofactors_of(&self, axis: Vec3A) -> Vec3A {
        let linear = &self.linear;
        // A rotation about an axis, seen through a mirror, goes the other way round: it is the cofactor matrix that turns it.
        let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
        let turned = Vec3A::new(y.cross(z).dot(axis), z.cross(x).dot(axis), x.cross(y).dot(axis));
        // Of ordinary size first: squares of what scales of a millionth leave would be zero.
        let turned = turned / turned.abs().max_element();
        turned * (axis.length_squared() / turned.length_squared()).sqrt()
    }
}
