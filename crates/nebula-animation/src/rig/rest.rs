use glam::{Affine3A, Mat3A, Quat, Vec3, Vec3A};

use super::{Rig, facing};
use crate::skeleton::{HumanoidMap, Skeleton};

/// The hierarchy and the rest pose in model space.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rest {
    joints: Vec<RestJoint>,
    /// What is looked up most, apart from the rest: one for each joint.
    links: Vec<Link>,
    /// The children of all joints, those of one joint side by side.
    children: Vec<u16>,
    up: Vec3,
    front: Option<Vec3>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct RestJoint {
    model_from_joint: Affine3A,
    /// Directions only; zero where a scale is.
    joint_from_model: Mat3A,
    /// Where its children are in `Rest::children`.
    children: (u32, u32),
    /// The front of the character in the joint's own space, and in its parent's. Unit length, or zero where a scale is.
    fronts: [Vec3A; 2],
    /// How its axes lie in model space, where the scale is positive and even.
    turn: Option<Quat>,
}

/// Where a joint is among the others. Places are those of an order in which everything below a joint follows it at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    /// The parent; [`Link::NONE`] for roots.
    pub parent: u16,
    /// The parent's place; for roots the one after the last, which represents model space.
    pub above: u16,
    pub place: u16,
    /// The place after the last one of the joints below.
    pub end: u16,
}

impl Link {
    /// No joint: there are fewer than that.
    pub const NONE: u16 = u16::MAX;
}

impl Rest {
    /// Looks at the rest pose of a skeleton of at most 65,535 joints. A joint whose parent does not come before it counts as a root.
    pub fn of(skeleton: &Skeleton, humanoid: &HumanoidMap, front: Option<Vec3>, up: Option<Vec3>) -> Self {
        let joints = &skeleton.joints;
        let parent_of = |index: usize| joints[index].parent.filter(|&parent| usize::from(parent) < index);
        // No more than `u16::MAX` in all, so places are of the same type as joints.
        let mut sizes = vec![1_u16; joints.len()];
        let mut child_counts = vec![0_u32; joints.len()];
        for index in (0..joints.len()).rev() {
            if let Some(parent) = parent_of(index) {
                sizes[usize::from(parent)] += sizes[index];
                child_counts[usize::from(parent)] += 1;
            }
        }
        let mut rest = Self {
            joints: Vec::with_capacity(joints.len()),
            links: Vec::with_capacity(joints.len()),
            children: Vec::new(),
            up: Vec3::Y,
            front: None,
        };
        let (mut next_root, mut next_children) = (0, 0);
        // Where the next child of each joint goes.
        let mut next_subtree: Vec<u16> = Vec::with_capacity(joints.len());
        for (index, joint) in joints.iter().enumerate() {
            let parent = parent_of(index);
            let (translation, rotation, scale) = joint.bind_pose();
            let mut model_from_joint = Affine3A::from_scale_rotation_translation(scale, rotation, translation);
            let place = match parent {
                Some(parent) => {
                    model_from_joint = rest.joints[usize::from(parent)].model_from_joint * model_from_joint;
                    &mut next_subtree[usize::from(parent)]
                }
                None => &mut next_root,
            };
            let start = *place;
            *place += sizes[index];
            let above = parent.map_or(joints.len() as u16, |parent| rest.links[usize::from(parent)].place);
            let end = start + sizes[index];
            rest.links.push(Link { parent: parent.unwrap_or(Link::NONE), above, place: start, end });
            next_subtree.push(start + 1);
            let children = (next_children, next_children);
            next_children += child_counts[index];
            let inverse = model_from_joint.matrix3.inverse();
            let joint_from_model = if inverse.is_finite() { inverse } else { Mat3A::ZERO };
            let turn = turn_of(&model_from_joint.matrix3);
            rest.joints.push(RestJoint {
                model_from_joint,
                joint_from_model,
                children,
                fronts: [Vec3A::ZERO; 2],
                turn,
            });
        }
        rest.children = vec![0; next_children as usize];
        for index in 0..joints.len() {
            if let Some(parent) = parent_of(index) {
                let end = &mut rest.joints[usize::from(parent)].children.1;
                rest.children[*end as usize] = index as u16;
                *end += 1;
            }
        }
        let position = |joint: u16| {
            let joint = rest.joints.get(usize::from(joint));
            joint.map_or(Vec3::ZERO, |joint| joint.model_from_joint.translation.into())
        };
        let found = facing::find(humanoid, position);
        rest.up = up.and_then(Vec3::try_normalize).unwrap_or(found.0);
        rest.front = front.and_then(Vec3::try_normalize).or(found.1);
        rest.find_fronts();
        rest
    }

    /// Works out what depends on the front.
    fn find_fronts(&mut self) {
        let front = Vec3A::from(self.front.unwrap_or(Vec3::Z));
        for joint in 0..self.joints.len() {
            let above = self.parent(joint as u16).map(|parent| self.joints[usize::from(parent)].fronts[0]);
            let joint = &mut self.joints[joint];
            joint.fronts = [(joint.joint_from_model * front).normalize_or_zero(), above.unwrap_or(front)];
        }
    }

    fn parent(&self, joint: u16) -> Option<u16> {
        self.links.get(usize::from(joint)).map(|link| link.parent).filter(|&parent| parent != Link::NONE)
    }
}

/// The rotation of a matrix without shear, whose scale is positive and the same for all directions.
fn turn_of(linear: &Mat3A) -> Option<Quat> {
    let scale = linear.x_axis.length();
    let unit = *linear * scale.recip();
    let is_turn =
        unit.is_finite() && unit.determinant() > 0.0 && (unit.transpose() * unit).abs_diff_eq(Mat3A::IDENTITY, 1e-5);
    is_turn.then(|| {
        let turn = Quat::from_mat3a(&unit);
        turn / turn.length()
    })
}

impl Rig {
    /// The direction in model space that the character faces, if it was detected or given; unit length.
    #[must_use]
    #[inline]
    pub fn front(&self) -> Option<Vec3> {
        self.rest_in_model.front
    }

    /// The up direction of the character in model space, in its rest pose; unit length.
    #[must_use]
    #[inline]
    pub fn up(&self) -> Vec3 {
        self.rest_in_model.up
    }

    /// A direction of the rest pose, in a joint's own space: fixed to the joint, it points there while nothing is
    /// animated. Not of unit length if there are scales; zero if a scale is zero.
    #[must_use]
    #[inline]
    pub fn in_joint(&self, joint: u16, direction: Vec3) -> Vec3 {
        self.rest_in_model.joints.get(usize::from(joint)).map_or(direction, |joint| joint.joint_from_model * direction)
    }

    /// How the axes of a joint lie in model space in the rest pose; `None` where a scale differs by axis or mirrors.
    #[inline]
    pub(crate) fn turn_at_rest(&self, joint: u16) -> Option<Quat> {
        self.rest_in_model.joints.get(usize::from(joint)).and_then(|joint| joint.turn)
    }

    /// The front of the character in a joint's own space and in its parent's, if the character has one; unit length, or zero
    /// where a scale is.
    #[inline]
    pub(crate) fn fronts(&self, joint: u16) -> Option<[Vec3A; 2]> {
        self.rest_in_model
            .front
            .and_then(|_| self.rest_in_model.joints.get(usize::from(joint)))
            .map(|joint| joint.fronts)
    }

    /// The parent of a joint; `None` for roots, and for joints that do not exist.
    #[must_use]
    #[inline]
    pub fn parent(&self, joint: u16) -> Option<u16> {
        self.rest_in_model.parent(joint)
    }

    /// `true` if a joint is a descendant of another one.
    #[must_use]
    pub fn is_below(&self, joint: u16, ancestor: u16) -> bool {
        let mut above = self.parent(joint);
        while let Some(parent) = above.filter(|parent| *parent > ancestor) {
            above = self.parent(parent);
        }
        above == Some(ancestor)
    }

    /// The direct children of a joint, in order.
    #[must_use]
    #[inline]
    pub fn children(&self, joint: u16) -> &[u16] {
        let Some(joint) = self.rest_in_model.joints.get(usize::from(joint)) else { return &[] };
        &self.rest_in_model.children[joint.children.0 as usize..joint.children.1 as usize]
    }

    /// The matrix from joint space to model space in the rest pose; the identity if the joint does not exist.
    #[must_use]
    #[inline]
    pub fn model_from_joint(&self, joint: u16) -> Affine3A {
        self.rest_in_model.joints.get(usize::from(joint)).map_or(Affine3A::IDENTITY, |joint| joint.model_from_joint)
    }

    /// The position of the joint in model space in the rest pose.
    #[must_use]
    pub fn position(&self, joint: u16) -> Vec3 {
        self.model_from_joint(joint).translation.into()
    }

    /// Where each joint is among the others.
    #[inline]
    pub(crate) fn links(&self) -> &[Link] {
        &self.rest_in_model.links
    }
}
