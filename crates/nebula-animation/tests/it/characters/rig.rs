use glam::{DMat3, DMat4, Mat4, Vec3};
use nebula_animation::{Joint, Skeleton};

use super::Random;

/// What a skeleton is like. The seed decides the rest.
#[derive(Debug, Clone, Copy)]
pub struct RigRecipe {
    pub joints: usize,
    pub shape: Shape,
    pub binds: Binds,
    pub rest_scales: RestScales,
    /// Translations are up to this far from the parent, on each axis.
    pub extent: f32,
    pub seed: u64,
}

/// Who is whose parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// As deep as there are joints.
    Chain,
    /// All joints below the first.
    Star,
    /// Any earlier joint; now and then no parent at all.
    Tree,
    /// Chains that start at some earlier joint, like limbs.
    Limbs,
}

/// What inverse bind matrices are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binds {
    /// The inverse of the joint's matrix in the rest pose, as in most files.
    OfRest,
    /// A rotation and a translation that have nothing to do with the rest pose.
    Rigid,
    /// As `Rigid`, but every number is off by up to 1e-6 of the matrix, as exporters write them.
    Noisy,
    /// As `Rigid`, with a scale.
    Uniform,
    /// As `Rigid`, with a scale for each axis.
    Uneven,
    /// As `Rigid`, with a shear.
    Sheared,
}

/// What scales of the rest pose are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestScales {
    One,
    Uniform,
    Uneven,
}

impl RigRecipe {
    /// Whether palettes are made of rotations and translations only.
    pub fn is_rigid(&self) -> bool {
        matches!(self.binds, Binds::OfRest | Binds::Rigid) && self.rest_scales == RestScales::One
    }

    pub fn skeleton(&self) -> Skeleton {
        let mut random = Random::new(self.seed);
        let unit_scale = [0.01, 1.0, 100.0][random.below(3)];
        let mut model_from_joint: Vec<DMat4> = Vec::new();
        let mut joints = Vec::new();
        for index in 0..self.joints {
            let parent = self.parent(index, &mut random);
            let rotation = random.quat();
            let translation = random.vector(self.extent);
            let scale = self.rest_scale(&mut random);
            let parent_from_joint =
                DMat4::from_scale_rotation_translation(scale.as_dvec3(), rotation.as_dquat(), translation.as_dvec3());
            model_from_joint
                .push(parent.map_or(DMat4::IDENTITY, |parent| model_from_joint[parent]) * parent_from_joint);
            joints.push(Joint {
                index: index as u16,
                parent: parent.map(|parent| parent as u16),
                inverse_bind_matrix: self.inverse_bind(model_from_joint[index], unit_scale, &mut random),
                name: format!("joint {index}"),
                bind_translation: translation,
                bind_rotation: rotation,
                bind_scale: scale,
            });
        }
        Skeleton { joints }
    }

    fn parent(&self, index: usize, random: &mut Random) -> Option<usize> {
        if index == 0 {
            return None;
        }
        match self.shape {
            Shape::Chain => Some(index - 1),
            Shape::Star => Some(0),
            Shape::Tree => (!random.chance(0.02)).then(|| random.below(index)),
            Shape::Limbs => Some(if random.chance(0.85) { index - 1 } else { random.below(index) }),
        }
    }

    /// Near 1, and as often above as below: 300 of them in a row stay within reason.
    fn rest_scale(&self, random: &mut Random) -> Vec3 {
        let mut factor = || {
            let factor = random.between(1.0, 1.1);
            if random.chance(0.5) { factor } else { 1.0 / factor }
        };
        match self.rest_scales {
            RestScales::One => Vec3::ONE,
            RestScales::Uniform => Vec3::splat(factor()),
            RestScales::Uneven => Vec3::new(factor(), factor(), factor()),
        }
    }

    fn inverse_bind(&self, model_from_joint: DMat4, unit_scale: f32, random: &mut Random) -> Mat4 {
        let rotation = random.quat().as_dquat();
        let mut linear = DMat3::from_quat(rotation);
        match self.binds {
            Binds::OfRest => return model_from_joint.inverse().as_mat4(),
            Binds::Rigid | Binds::Noisy => {}
            Binds::Uniform => linear *= f64::from(unit_scale * random.between(0.5, 2.0)),
            Binds::Uneven => {
                linear *= DMat3::from_diagonal((random.vector(0.5) + Vec3::ONE).as_dvec3());
            }
            Binds::Sheared => {
                let shear = random.vector(0.5).as_dvec3();
                linear *= DMat3::from_cols_array(&[1.0, 0.0, 0.0, shear.x, 1.0, 0.0, shear.y, shear.z, 1.0]);
            }
        }
        let mut matrix = DMat4::from_mat3(linear);
        matrix.w_axis = random.vector(3.0 * self.extent).as_dvec3().extend(1.0);
        let mut columns = matrix.as_mat4().to_cols_array_2d();
        if self.binds == Binds::Noisy {
            for column in &mut columns[..3] {
                for number in &mut column[..3] {
                    *number += random.between(-1e-6, 1e-6);
                }
            }
        }
        Mat4::from_cols_array_2d(&columns)
    }
}
