//! Blends the matrices of several joints. `shader/skinning.wgsl` has the same formulas.

use glam::{Mat3, Quat, Vec3, Vec4};

use super::{Blending, Influences, Palette};
use crate::palette::PaletteRows;

/// The matrix that moves a vertex; `None` where no joint of the palette does.
pub(super) fn blended(influences: &Influences, palette: &Palette, blending: Blending) -> Option<PaletteRows> {
    if influences.count == 0 {
        return None;
    }
    match blending {
        Blending::Linear => linear(influences, palette),
        Blending::DualQuaternion => dual_quaternion(influences, palette),
    }
}

fn linear(influences: &Influences, palette: &Palette) -> Option<PaletteRows> {
    let mut sum = [Vec4::ZERO; 3];
    let mut is_moved = false;
    for (joint, weight) in influences.iter() {
        if let Some(PaletteRows(rows)) = palette.get(joint) {
            is_moved = true;
            for (sum, row) in sum.iter_mut().zip(rows) {
                *sum += Vec4::from(row) * weight;
            }
        }
    }
    is_moved.then(|| PaletteRows(sum.map(Into::into)))
}

fn dual_quaternion(influences: &Influences, palette: &Palette) -> Option<PaletteRows> {
    let pivot =
        palette.get(usize::from(influences.joints[influences.pivot()])).map(|rows| Rigid::of(&rows).rotation)?;
    let (mut rotation, mut dual, mut stretch) = (Vec4::ZERO, Vec4::ZERO, Mat3::ZERO);
    for (joint, weight) in influences.iter() {
        let Some(rows) = palette.get(joint) else { continue };
        let rigid = Rigid::of(&rows);
        // Two quaternions stand for one rotation: the nearer one to the strongest joint's is taken.
        let signed = if rigid.rotation.dot(pivot) < 0.0 { -weight } else { weight };
        rotation += Vec4::from(rigid.rotation) * signed;
        dual += Vec4::from(rigid.dual()) * signed;
        stretch += rigid.stretch * weight;
    }
    let length = rotation.length();
    if !(length > 0.0) {
        return None;
    }
    let (rotation, dual) = (Quat::from_vec4(rotation / length), Quat::from_vec4(dual / length));
    let translation = (dual * rotation.conjugate()).xyz() * 2.0;
    let linear = Mat3::from_quat(rotation) * stretch;
    let row = |row: usize| linear.row(row).extend(translation[row]).into();
    Some(PaletteRows([row(0), row(1), row(2)]))
}

/// A matrix as a stretch (scale, shear, mirror) that is followed by a rotation and a translation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rigid {
    pub rotation: Quat,
    pub translation: Vec3,
    pub stretch: Mat3,
}

impl Rigid {
    /// The rotation is that of the first two columns, made orthogonal; whatever it does not explain is stretch.
    pub fn of(PaletteRows([a, b, c]): &PaletteRows) -> Self {
        let linear =
            Mat3::from_cols(Vec3::new(a[0], b[0], c[0]), Vec3::new(a[1], b[1], c[1]), Vec3::new(a[2], b[2], c[2]));
        let x = unit_or(linear.x_axis, Vec3::X);
        // Where the columns do not tell, any direction at right angles to the first will do.
        let other = if x.x.abs() < 0.8 { Vec3::X } else { Vec3::Y };
        let y = unit_or(linear.y_axis - x * x.dot(linear.y_axis), unit_or(x.cross(other), Vec3::Z));
        let axes = Mat3::from_cols(x, y, x.cross(y));
        Self {
            rotation: Quat::from_mat3(&axes),
            translation: Vec3::new(a[3], b[3], c[3]),
            stretch: axes.transpose() * linear,
        }
    }

    /// The dual part of the dual quaternion.
    fn dual(&self) -> Quat {
        let t = self.translation * 0.5;
        Quat::from_xyzw(t.x, t.y, t.z, 0.0) * self.rotation
    }

    /// The rotation from another one to this one, by less than half a turn.
    pub fn turn_from(&self, other: &Self) -> Quat {
        let turn = self.rotation * other.rotation.conjugate();
        if turn.w < 0.0 { -turn } else { turn }
    }

    /// Moves a point that the stretch has already seen.
    pub fn carry(&self, stretched: Vec3) -> Vec3 {
        self.rotation * stretched + self.translation
    }
}

/// The vector normalized; `other` if it has no length.
pub(super) fn unit_or(vector: Vec3, other: Vec3) -> Vec3 {
    let largest = vector.abs().max_element();
    if largest > 0.0 && largest < f32::INFINITY {
        let scaled = vector / largest;
        return scaled / scaled.length();
    }
    other
}
