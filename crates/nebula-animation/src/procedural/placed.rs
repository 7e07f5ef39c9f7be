use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A, Vec4, Vec4Swizzles};

use crate::skeleton::JointPose;

/// Where a joint is in model space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub model_from_joint: Affine3A,
    /// Where the transform is a rotation, a positive scale that is the same for all directions, and a translation: that scale.
    /// Otherwise 0.
    pub scale: f32,
}

impl Placed {
    pub const IDENTITY: Self = Self { model_from_joint: Affine3A::IDENTITY, scale: 1.0 };

    /// The place of a joint below.
    ///
    /// The product of both matrices, of which the lower one is never put together: it takes part number by number.
    #[inline(always)]
    pub fn of_child(&self, (translation, rotation, scale): &JointPose) -> Self {
        let above = &self.model_from_joint;
        let q = Vec4::from(*rotation);
        let doubled = q + q;
        let squares = q * doubled;
        let diagonal = Vec4::ONE - (squares.yxxw() + squares.zzyw());
        // Twice xy, xz, yz, and zw, yw, xw.
        let (products, turns) = (q.xxyw() * doubled.yzzw(), q.wwww() * doubled.zyxw());
        let (sums, differences) = (products + turns, products - turns);
        let column = |x: Vec4, y: Vec4, z: Vec4| {
            let (x, y, z) = (Vec3A::from_vec4(x), Vec3A::from_vec4(y), Vec3A::from_vec4(z));
            above.matrix3.x_axis * x + above.matrix3.y_axis * y + above.matrix3.z_axis * z
        };
        let mut matrix3 = Mat3A::from_cols(
            column(diagonal.xxxx(), sums.xxxx(), differences.yyyy()),
            column(differences.xxxx(), diagonal.yyyy(), sums.zzzz()),
            column(sums.yyyy(), differences.zzzz(), diagonal.zzzz()),
        );
        let translation = above.matrix3 * Vec3A::from(*translation) + above.translation;
        // Of a quaternion that is not of unit length, the matrix is no rotation.
        let is_unit = (squares.element_sum() - 2.0).abs() < 2e-5;
        let mut even = if is_unit { self.scale } else { 0.0 };
        if *scale != Vec3::ONE {
            matrix3.x_axis *= scale.x;
            matrix3.y_axis *= scale.y;
            matrix3.z_axis *= scale.z;
            let is_even = (1e-6..1e6).contains(&scale.x) && scale.x == scale.y && scale.x == scale.z;
            even *= if is_even { scale.x } else { 0.0 };
        }
        Self { model_from_joint: Affine3A { matrix3, translation }, scale: even }
    }

    /// How the axes lie, scale and shear left out; unit length.
    pub fn rotation(&self) -> Quat {
        let linear = &self.model_from_joint.matrix3;
        if self.scale > 0.0 {
            let rotation = Quat::from_mat3a(&(*linear * self.scale.recip()));
            // Of unit length but for the rounding of all matrices above, which one step of Newton's takes out.
            return rotation * (1.5 - 0.5 * rotation.length_squared());
        }
        // The first axis, and the plane of the first two. The third one of a mirror is turned round.
        let x = linear.x_axis.try_normalize();
        let y = x.and_then(|x| (linear.y_axis - x * linear.y_axis.dot(x)).try_normalize());
        match (x, y) {
            (Some(x), Some(y)) => Quat::from_mat3a(&Mat3A::from_cols(x, y, x.cross(y))),
            _ => Quat::IDENTITY,
        }
    }

    /// Takes a direction of model space to the joint's; not finite where there is no inverse.
    #[inline]
    pub fn vector_from_model(&self, vector: Vec3A) -> Vec3A {
        let linear = &self.model_from_joint.matrix3;
        if self.scale > 0.0 {
            return transposed(linear, vector) / (self.scale * self.scale);
        }
        let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
        let (a, b, c) = (y.cross(z), z.cross(x), x.cross(y));
        Vec3A::new(a.dot(vector), b.dot(vector), c.dot(vector)) / x.dot(a)
    }

    /// The same, of any length: where it points is what counts.
    #[inline]
    pub fn way_from_model(&self, vector: Vec3A) -> Vec3A {
        if self.scale > 0.0 {
            transposed(&self.model_from_joint.matrix3, vector)
        } else {
            self.vector_from_model(vector)
        }
    }

    /// Takes a turn from model space to the joint's; none where there is no inverse, or nothing to be turned.
    #[inline]
    pub fn turn_from_model(&self, turn: Quat) -> Option<Quat> {
        let axis = Vec3A::from_vec4(turn.into());
        if axis.length_squared() < 1e-20 {
            return None;
        }
        let linear = &self.model_from_joint.matrix3;
        let turned = if self.scale > 0.0 { transposed(linear, axis) / self.scale } else { self.cofactors_of(axis) };
        turned.is_finite().then(|| Quat::from_vec4(turned.extend(turn.w)))
    }

    /// What the axis of a turn in model space is in the joint's, of the same length.
    fn cofactors_of(&self, axis: Vec3A) -> Vec3A {
        let linear = &self.model_from_joint.matrix3;
        // A rotation about an axis, seen through a mirror, goes the other way round: it is the cofactor matrix that turns it.
        let (x, y, z) = (linear.x_axis, linear.y_axis, linear.z_axis);
        let turned = Vec3A::new(y.cross(z).dot(axis), z.cross(x).dot(axis), x.cross(y).dot(axis));
        // Of ordinary size first: squares of what scales of a millionth leave would be zero.
        let turned = turned / turned.abs().max_element();
        turned * (axis.length_squared() / turned.length_squared()).sqrt()
    }
}

/// The dot products of a vector with the columns.
#[inline]
fn transposed(linear: &Mat3A, vector: Vec3A) -> Vec3A {
    Vec3A::new(linear.x_axis.dot(vector), linear.y_axis.dot(vector), linear.z_axis.dot(vector))
}
