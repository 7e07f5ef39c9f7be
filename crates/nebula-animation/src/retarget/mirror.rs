use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

use super::map_channel;
use super::names::{mirrored_name, mirrored_names};
use super::rest::Rest;
use crate::clip::{AnimationClip, Marker, is_morph_joint};
use crate::skeleton::Skeleton;

/// Swaps left and right in clips: a left turn becomes a right turn, a wave of the right hand one of the left.
///
/// Joints are paired by name, as read by [`mirrored_name`]; a joint without a counterpart is mirrored in place. The
/// mirror plane is the one between the pairs in the rest pose. The axes of the joints do not matter. Mirroring a clip
/// twice restores it, and if the rest pose is symmetric, the mirrored motion is the exact mirror image.
///
/// ```
/// # use std::path::Path;
/// use nebula_animation::{load_skeleton_and_clips, retarget::Mirror};
///
/// # fn main() -> Result<(), nebula_animation::AnimationLoadError> {
/// let (skeleton, clips) = load_skeleton_and_clips(Path::new("test_assets/simple_humanoid.glb"))?;
/// let turn_left = clips.iter().find(|clip| clip.name == "turn_left").expect("it is there");
/// let turn_right = Mirror::new(&skeleton).clip(turn_left);
/// assert_eq!(turn_right.name, "turn_right");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Mirror {
    partners: Vec<u16>,
    unpaired: Vec<u16>,
    normal: DVec3,
    joints: Vec<JointMirror>,
}

/// How values of one joint become values of its partner.
#[derive(Debug, Clone, Copy)]
struct JointMirror {
    partner: u16,
    /// `r' = before * mirror(inner * r * outer) * after`, with the mirror in model space.
    inner: DQuat,
    outer: DQuat,
    before: DQuat,
    after: DQuat,
    /// Takes a translation away from rest over.
    shift: DMat3,
    rest_translations: [DVec3; 2],
    /// The partner's axes in those of the joint, mirrored.
    axes: DMat3,
    rest_scales: [DVec3; 2],
}

impl Mirror {
    /// Finds the pairs and the plane of a skeleton.
    #[must_use]
    pub fn new(skeleton: &Skeleton) -> Self {
        let mut partners: Vec<u16> = (0..skeleton.joints.len()).map(|index| index as u16).collect();
        let mut unpaired = Vec::new();
        for (index, joint) in skeleton.joints.iter().enumerate() {
            let names = mirrored_names(&joint.name);
            let found = names.iter().find_map(|name| skeleton.joint_by_name(name));
            match found {
                Some(partner) if usize::from(partner) < partners.len() => partners[index] = partner,
                _ if names.is_empty() || !has_side_word(&joint.name) => {}
                _ => unpaired.push(index as u16),
            }
        }
        // Only pairs that agree count: with names that occur twice, one joint may think of another as its partner alone.
        for index in 0..partners.len() {
            let partner = usize::from(partners[index]);
            if usize::from(partners[partner]) != index {
                partners[index] = index as u16;
                unpaired.push(index as u16);
            }
        }
        unpaired.sort_unstable();
        unpaired.dedup();
        Self::with_partners(skeleton, partners, unpaired)
    }

    /// The same, with your own pairs instead of those found by name. Indices beyond the skeleton are ignored.
    ///
    /// ```
    /// # use nebula_animation::{Skeleton, retarget::Mirror};
    /// # let skeleton = Skeleton::default();
    /// let mirror = Mirror::from_pairs(&skeleton, &[(1, 4), (2, 5), (3, 6)]);
    /// ```
    #[must_use]
    pub fn from_pairs(skeleton: &Skeleton, pairs: &[(u16, u16)]) -> Self {
        let mut partners: Vec<u16> = (0..skeleton.joints.len()).map(|index| index as u16).collect();
        for &(a, b) in pairs.iter().filter(|(a, b)| usize::from(*a.max(b)) < skeleton.joints.len()) {
            // Whoever had one of them as partner before is alone now.
            for old in [partners[usize::from(a)], partners[usize::from(b)]] {
                partners[usize::from(old)] = old;
            }
            (partners[usize::from(a)], partners[usize::from(b)]) = (b, a);
        }
        Self::with_partners(skeleton, partners, Vec::new())
    }

    fn with_partners(skeleton: &Skeleton, partners: Vec<u16>, unpaired: Vec<u16>) -> Self {
        let rest = Rest::of(skeleton);
        let normal = normal(&rest, &partners);
        let reflection = reflection(normal);
        let joints = (0..partners.len()).map(|joint| {
            let partner = usize::from(partners[joint]);
            let (from, to) = (&skeleton.joints[joint], &skeleton.joints[partner]);
            let (outer_from, outer_to) = (rest.parent_rotation(joint), rest.parent_rotation(partner));
            let into_parent = DMat3::from_quat(outer_to.inverse());
            JointMirror {
                partner: partners[joint],
                inner: outer_from,
                outer: rest.rotations[joint].inverse(),
                before: outer_to.inverse(),
                after: rest.rotations[partner],
                shift: into_parent
                    * reflection
                    * DMat3::from_quat(outer_from)
                    * (rest.parent_scale(joint) / rest.parent_scale(partner)),
                rest_translations: [from.bind_translation.as_dvec3(), to.bind_translation.as_dvec3()],
                axes: DMat3::from_quat(rest.rotations[joint].inverse())
                    * reflection
                    * DMat3::from_quat(rest.rotations[partner]),
                rest_scales: [from.bind_scale.as_dvec3(), to.bind_scale.as_dvec3()],
            }
        });
        Self { joints: joints.collect(), partners, unpaired, normal }
    }

    /// For each joint, its counterpart on the other side, or the joint itself.
    #[must_use]
    pub fn partners(&self) -> &[u16] {
        &self.partners
    }

    /// Joints whose name tells a side but that have no counterpart: they are mirrored in place.
    #[must_use]
    pub fn unpaired(&self) -> &[u16] {
        &self.unpaired
    }

    /// The normal of the mirror plane in model space, of unit length; +X if no joint has a counterpart.
    #[must_use]
    pub fn normal(&self) -> Vec3 {
        self.normal.as_vec3()
    }

    /// The clip with left and right swapped. If its name tells a side, it is mirrored too. Channels for joints that the
    /// skeleton lacks are dropped, except for morph weights, which stay as they are.
    #[must_use]
    pub fn clip(&self, clip: &AnimationClip) -> AnimationClip {
        let reflection = reflection(self.normal);
        let joint = |index: u16| self.joints.get(usize::from(index));
        AnimationClip {
            name: mirrored_name(&clip.name).unwrap_or_else(|| clip.name.clone()),
            duration: clip.duration,
            translation_channels: clip
                .translation_channels
                .iter()
                .filter_map(|channel| {
                    if is_morph_joint(channel.joint_index, self.joints.len()) {
                        return Some(channel.clone());
                    }
                    let joint = joint(channel.joint_index)?;
                    let linear = |value: &Vec3| (joint.shift * value.as_dvec3()).as_vec3();
                    let [from, to] = joint.rest_translations;
                    let value = |value: &Vec3| (to + joint.shift * (value.as_dvec3() - from)).as_vec3();
                    Some(map_channel(channel, joint.partner, value, linear))
                })
                .collect(),
            rotation_channels: clip
                .rotation_channels
                .iter()
                .filter_map(|channel| {
                    let joint = joint(channel.joint_index)?;
                    let map = |value: &Quat| joint.rotation(reflection, value);
                    Some(map_channel(channel, joint.partner, map, map))
                })
                .collect(),
            scale_channels: clip
                .scale_channels
                .iter()
                .filter_map(|channel| {
                    let joint = joint(channel.joint_index)?;
                    let map = |value: &Vec3| carry_scale(joint.axes, joint.rest_scales, value);
                    Some(map_channel(channel, joint.partner, map, map))
                })
                .collect(),
        }
    }

    /// The markers of a mirrored clip: at the same times, with mirrored names.
    ///
    /// ```
    /// use nebula_animation::{Marker, retarget::Mirror};
    ///
    /// let steps = [Marker { name: "left_down".into(), time: 0.2 }];
    /// assert_eq!(Mirror::markers(&steps)[0].name, "right_down");
    /// ```
    #[must_use]
    pub fn markers(markers: &[Marker]) -> Vec<Marker> {
        let mirrored = |marker: &Marker| Marker {
            name: mirrored_name(&marker.name).unwrap_or_else(|| marker.name.clone()),
            time: marker.time,
        };
        markers.iter().map(mirrored).collect()
    }
}

impl JointMirror {
    fn rotation(&self, reflection: DMat3, value: &Quat) -> Quat {
        // The product of quaternions is linear, so that tangents, which are no rotations, go the same way.
        let model = self.inner * value.as_dquat() * self.outer;
        let axis = reflection * DVec3::new(model.x, model.y, model.z);
        let mirrored = DQuat::from_xyzw(-axis.x, -axis.y, -axis.z, model.w);
        (self.before * mirrored * self.after).as_quat()
    }
}

/// Whether a name says its side as a word or a separate letter, beyond doubt.
fn has_side_word(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.contains("left")
        || lower.contains("right")
        || lower.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == "l" || word == "r")
}

/// The direction in which partners lie apart, weighted by how far.
fn normal(rest: &Rest, partners: &[u16]) -> DVec3 {
    let mut sum = DVec3::ZERO;
    for (joint, &partner) in partners.iter().enumerate().filter(|(joint, partner)| usize::from(**partner) > *joint) {
        let apart = rest.positions[joint] - rest.positions[usize::from(partner)];
        sum += if sum.dot(apart) < 0.0 { -apart } else { apart };
    }
    // Characters stand along an axis; files round.
    let Some(normal) = sum.try_normalize() else { return DVec3::X };
    let snapped = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().find(|axis| axis.dot(normal).abs() > 1.0 - 1e-6);
    snapped.unwrap_or(normal)
}

fn reflection(normal: DVec3) -> DMat3 {
    let column = |axis: DVec3| axis - 2.0 * axis.dot(normal) * normal;
    DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z))
}

/// A scale over to other axes: how far it is from rest, along each of them.
pub(super) fn carry_scale(axes: DMat3, [from, to]: [DVec3; 2], value: &Vec3) -> Vec3 {
    let ratio = |axis: usize| if from[axis] == 0.0 { 1.0 } else { f64::from(value[axis]) / from[axis] };
    let ratios = DVec3::new(ratio(0), ratio(1), ratio(2));
    let carried = |axis: usize| {
        let direction = axes.col(axis);
        to[axis] * (direction * direction).dot(ratios)
    };
    DVec3::new(carried(0), carried(1), carried(2)).as_vec3()
}
