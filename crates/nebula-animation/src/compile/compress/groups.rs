//! Which curves are packed side by side: those that need about as many bits, segment by segment.

use super::curve::Curve;
use crate::compile::packed::{GroupContents, WAVES, bits_of};
use crate::rig::block::{LANES, Part};

/// A curve, where it goes, and its step.
pub(super) struct Placed {
    pub part: Part,
    pub target: u16,
    /// How many units the step has.
    pub step: i16,
    pub unit: f32,
    pub origin: f32,
    pub curve: Curve,
}

/// The bits of each wave in each segment, and of the knots in all.
struct Widths {
    waves: Vec<[u8; WAVES]>,
    knots: u8,
}

impl Widths {
    fn of(curve: &Curve) -> Self {
        let widths = |numbers: &[i32; WAVES]| std::array::from_fn(|wave| bits_of(numbers[wave]) as u8);
        let knots = curve.knots.iter().map(|knot| bits_of(*knot)).max().unwrap_or(0) as u8;
        Self { waves: curve.waves.iter().map(widths).collect(), knots }
    }

    fn sum(&self) -> usize {
        self.waves.iter().flatten().map(|width| usize::from(*width)).sum()
    }

    /// Bits that are wasted where another curve joins `members` that have these widths together.
    fn waste(&self, other: &Self, members: usize) -> usize {
        let of = |mine: u8, theirs: u8| {
            if theirs > mine { usize::from(theirs - mine) * members } else { usize::from(mine - theirs) }
        };
        let pairs = self.waves.as_flattened().iter().zip(other.waves.as_flattened());
        let waves: usize = pairs.map(|(mine, theirs)| of(*mine, *theirs)).sum();
        waves + of(self.knots, other.knots) * (self.waves.len() + 1)
    }

    fn join(&mut self, other: &Self) {
        let pairs = self.waves.as_flattened_mut().iter_mut().zip(other.waves.as_flattened());
        pairs.for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
        self.knots = self.knots.max(other.knots);
    }
}

/// Puts curves into groups of eight: the one that needs the most bits of those that are left, and seven that waste the fewest
/// beside it.
pub(super) fn group(curves: Vec<Placed>, scales: &[u8]) -> Vec<GroupContents> {
    let mut groups = Vec::new();
    let (rotations, vectors): (Vec<_>, Vec<_>) = curves.into_iter().partition(|curve| curve.part == Part::Rotation);
    for curves in [rotations, vectors] {
        let mut left: Vec<(Widths, Placed)> =
            curves.into_iter().map(|curve| (Widths::of(&curve.curve), curve)).collect();
        // Stable, so that the order is the same everywhere.
        left.sort_by_key(|(widths, _)| std::cmp::Reverse(widths.sum()));
        left.reverse();
        while let Some((mut widths, first)) = left.pop() {
            let mut members = vec![first];
            while members.len() < LANES {
                let waste = |(theirs, _): &(Widths, Placed)| widths.waste(theirs, members.len());
                let Some(best) = (0..left.len()).rev().min_by_key(|&index| waste(&left[index])) else { break };
                let (theirs, curve) = left.remove(best);
                widths.join(&theirs);
                members.push(curve);
            }
            groups.push(contents(members, scales));
        }
    }
    groups
}

fn contents(members: Vec<Placed>, scales: &[u8]) -> GroupContents {
    let mut group = GroupContents {
        part: members[0].part,
        targets: Vec::new(),
        steps: Vec::new(),
        origins: Vec::new(),
        knots: Vec::new(),
        waves: Vec::new(),
        scales: scales.to_vec(),
    };
    for curve in members {
        group.targets.push(curve.target);
        group.steps.push(curve.step);
        group.origins.push(curve.origin);
        group.knots.push(curve.curve.knots);
        group.waves.push(curve.curve.waves);
    }
    group
}
