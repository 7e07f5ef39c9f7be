use glam::DVec3;

use crate::skeleton::Skeleton;

/// Longer chains are no limbs, and nobody's joints have more children that matter.
pub(super) const LONGEST: usize = 64;
pub(super) const MOST_CHILDREN: usize = 64;

/// The shape of a skeleton in its rest pose.
pub(super) struct Body {
    pub parents: Vec<Option<u16>>,
    /// In model space.
    pub positions: Vec<DVec3>,
    pub children: Vec<Vec<u16>>,
    /// How long the longest way is down from each joint.
    reaches: Vec<f64>,
    /// The highest place of each joint and those below it.
    tops: Vec<f64>,
}

impl Body {
    pub fn of(skeleton: &Skeleton) -> Self {
        let joints = &skeleton.joints[..skeleton.joints.len().min(usize::from(u16::MAX))];
        let parents: Vec<Option<u16>> =
            (0..=u16::MAX).zip(joints).map(|(index, joint)| joint.parent.filter(|&up| up < index)).collect();
        let mut matrices: Vec<glam::DAffine3> = Vec::with_capacity(joints.len());
        let mut children = vec![Vec::new(); joints.len()];
        for ((index, joint), parent) in (0..=u16::MAX).zip(joints).zip(&parents) {
            let (translation, rotation, scale) = joint.bind_pose();
            let local = glam::DAffine3::from_scale_rotation_translation(
                scale.as_dvec3(),
                rotation.as_dquat(),
                translation.as_dvec3(),
            );
            matrices.push(parent.map_or(local, |parent| matrices[usize::from(parent)] * local));
            if let Some(parent) = parent {
                children[usize::from(*parent)].push(index);
            }
        }
        let place = |matrix: &glam::DAffine3| {
            if matrix.translation.is_finite() { matrix.translation } else { DVec3::ZERO }
        };
        let positions: Vec<DVec3> = matrices.iter().map(place).collect();
        let mut reaches = vec![0.0_f64; joints.len()];
        let mut tops: Vec<f64> = positions.iter().map(|position| position.y).collect();
        for index in (0..joints.len()).rev() {
            if let Some(parent) = parents[index].map(usize::from) {
                reaches[parent] = reaches[parent].max(reaches[index] + positions[index].distance(positions[parent]));
                tops[parent] = tops[parent].max(tops[index]);
            }
        }
        Self { parents, positions, children, reaches, tops }
    }

    pub fn at(&self, joint: u16) -> DVec3 {
        self.positions.get(usize::from(joint)).copied().unwrap_or(DVec3::ZERO)
    }

    pub fn children(&self, joint: u16) -> &[u16] {
        &self.children[usize::from(joint)]
    }

    pub fn top(&self, joint: u16) -> f64 {
        self.tops[usize::from(joint)]
    }

    /// How far the joints are apart from the lowest to the highest, and where the lowest is.
    pub fn height(&self) -> (f64, f64) {
        let heights = || self.positions.iter().map(|position| position.y);
        let (low, high) = (heights().fold(f64::INFINITY, f64::min), heights().fold(f64::NEG_INFINITY, f64::max));
        if high > low { (high - low, low) } else { (0.0, 0.0) }
    }

    /// A joint and what follows it on the longest way down.
    pub fn chain(&self, joint: u16) -> Vec<u16> {
        let longest = |joint: u16| {
            let reach = |child: &u16| self.at(*child).distance(self.at(joint)) + self.reaches[usize::from(*child)];
            self.children(joint)
                .iter()
                .copied()
                .take(MOST_CHILDREN)
                .max_by(|a, b| reach(a).total_cmp(&reach(b)).then(b.cmp(a)))
        };
        std::iter::successors(Some(joint), |joint| longest(*joint)).take(LONGEST).collect()
    }

    /// How long a chain of joints is.
    pub fn length(&self, chain: &[u16]) -> f64 {
        chain.windows(2).map(|pair| self.at(pair[0]).distance(self.at(pair[1]))).sum()
    }
}
