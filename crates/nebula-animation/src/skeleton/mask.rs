use super::{Skeleton, UnknownJoint};
use crate::math::clean_weight;

/// A weight per joint of a skeleton, from 0 (excluded) to 1 (fully included).
///
/// Names are looked up while you build it. Build it once and keep it.
///
/// ```
/// use nebula_animation::{Joint, JointMask, Skeleton};
/// # use glam::{Mat4, Quat, Vec3};
/// # let joint = |index: u16, parent, name: &str| Joint {
/// #     index, parent, name: name.into(), inverse_bind_matrix: Mat4::IDENTITY,
/// #     bind_translation: Vec3::Y, bind_rotation: Quat::IDENTITY, bind_scale: Vec3::ONE,
/// # };
/// # let skeleton = Skeleton { joints: vec![joint(0, None, "Hips"), joint(1, Some(0), "Spine"), joint(2, Some(1), "Head")] };
/// // The upper body, but the head only by half.
/// let mask = JointMask::none(&skeleton).with_subtree(&skeleton, "Spine", 1.0)?.with_joint(&skeleton, "Head", 0.5)?;
/// assert_eq!(mask.weights(), [0.0, 1.0, 0.5]);
/// # Ok::<(), nebula_animation::skeleton::UnknownJoint>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[doc(alias = "avatar mask")]
pub struct JointMask {
    /// One weight per joint, in the skeleton's order; finite and from 0 to 1.
    weights: Box<[f32]>,
    /// Of morph targets, all together.
    morph_weight: f32,
}

impl JointMask {
    /// Includes every joint fully.
    #[must_use]
    pub fn all(skeleton: &Skeleton) -> Self {
        Self { weights: vec![1.0; skeleton.joints.len()].into(), morph_weight: 1.0 }
    }

    /// Includes no joint.
    #[must_use]
    pub fn none(skeleton: &Skeleton) -> Self {
        Self { weights: vec![0.0; skeleton.joints.len()].into(), morph_weight: 0.0 }
    }

    /// A weight for each joint, in skeleton order; clamped to 0 to 1, and 0 for NaN. Joints beyond the end of the slice
    /// are excluded.
    #[must_use]
    pub fn from_weights(weights: &[f32]) -> Self {
        Self { weights: weights.iter().map(|&weight| clean_weight(weight)).collect(), morph_weight: 0.0 }
    }

    /// The same mask with this weight (0 to 1, clamped) for a joint and everything below it. If several joints have the
    /// name, all of them count.
    ///
    /// # Errors
    /// The skeleton has no such joint; similar names are listed.
    pub fn with_subtree(mut self, skeleton: &Skeleton, name: &str, weight: f32) -> Result<Self, UnknownJoint> {
        skeleton.require_joint(name)?;
        let mut is_inside = vec![false; skeleton.joints.len()];
        for (index, joint) in skeleton.joints.iter().enumerate() {
            // Parents come before their children.
            let parent = joint.parent.map(usize::from).filter(|&parent| parent < index);
            is_inside[index] = joint.name == name || parent.is_some_and(|parent| is_inside[parent]);
            if is_inside[index] {
                self.set(index, weight);
            }
        }
        Ok(self)
    }

    /// The same mask with this weight (0 to 1, clamped) for the joints with this name, and no others.
    ///
    /// # Errors
    /// The skeleton has no such joint; similar names are listed.
    pub fn with_joint(mut self, skeleton: &Skeleton, name: &str, weight: f32) -> Result<Self, UnknownJoint> {
        skeleton.require_joint(name)?;
        for (index, joint) in skeleton.joints.iter().enumerate() {
            if joint.name == name {
                self.set(index, weight);
            }
        }
        Ok(self)
    }

    /// The inverse mask: each weight becomes one minus itself.
    #[must_use]
    pub fn inverted(mut self) -> Self {
        for weight in &mut self.weights {
            *weight = 1.0 - *weight;
        }
        self.morph_weight = 1.0 - self.morph_weight;
        self
    }

    /// The same mask with this weight (0 to 1, clamped) for all morph targets: a face that talks while the body does something else.
    #[must_use]
    pub fn with_morphs(mut self, weight: f32) -> Self {
        self.morph_weight = clean_weight(weight);
        self
    }

    /// The weight of morph targets, from 0 to 1.
    #[must_use]
    pub fn morph_weight(&self) -> f32 {
        self.morph_weight
    }

    /// Sets the weight of one joint, by its index in the skeleton; clamped to 0 to 1, and 0 for NaN. An index beyond
    /// the mask is ignored.
    pub fn set(&mut self, joint: usize, weight: f32) {
        if let Some(entry) = self.weights.get_mut(joint) {
            *entry = clean_weight(weight);
        }
    }

    /// The weight of one joint, by its index in the skeleton; 0 beyond the mask.
    #[must_use]
    pub fn weight(&self, joint: usize) -> f32 {
        self.weights.get(joint).copied().unwrap_or(0.0)
    }

    /// All weights, in skeleton order; from 0 to 1.
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }
}
