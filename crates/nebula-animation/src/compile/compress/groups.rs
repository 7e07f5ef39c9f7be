//! Chooses which joints, or curves of vectors, are packed side by side: those that need about as many bits, segment by
//! segment.

use super::curve::Curve;
use crate::compile::packed::{Axis, GroupContents, Kind, LEVELS, Member};
use crate::rig::block::LANES;

/// The curves of a joint, or one of a vector, and where they go.
pub(super) struct Placed {
    pub kind: Kind,
    pub target: u16,
    /// What does not change.
    pub shorts: Vec<i16>,
    pub floats: Vec<f32>,
    /// Steps in units, and what was rounded to them.
    pub curves: Vec<(i16, Curve)>,
}

/// How many numbers a level has.
const COUNTS: [usize; LEVELS] = [1, 2, 4];
/// How much larger clips may be by which rotations are read straight into the lanes of joints.
const STRAIGHT: f64 = 1.03;

/// For each curve, the bits of each level in each segment, and of the knots.
#[derive(Clone)]
struct Widths(Vec<(Vec<[u8; LEVELS]>, u8)>);

impl Widths {
    fn of(placed: &Placed) -> Self {
        Self(placed.curves.iter().map(|(_, curve)| (curve.widths(), curve.knot_width())).collect())
    }

    fn sum(&self) -> usize {
        let levels = self.0.iter().flat_map(|(segments, _)| segments).flat_map(|widths| widths.iter().zip(COUNTS));
        levels.map(|(width, count)| usize::from(*width) * count).sum()
    }

    /// Bits that are wasted where another member joins `members` that have these widths together.
    fn waste(&self, other: &Self, members: usize) -> usize {
        let of = |mine: u8, theirs: u8| {
            if theirs > mine { usize::from(theirs - mine) * members } else { usize::from(mine - theirs) }
        };
        let mut waste = 0;
        for ((mine, my_knot), (theirs, their_knot)) in self.0.iter().zip(&other.0) {
            for (mine, theirs) in mine.iter().zip(theirs) {
                for level in 0..LEVELS {
                    waste += of(mine[level], theirs[level]) * COUNTS[level];
                }
            }
            waste += of(*my_knot, *their_knot) * (mine.len() + 1);
        }
        waste
    }

    fn join(&mut self, other: &Self) {
        for ((mine, my_knot), (theirs, their_knot)) in self.0.iter_mut().zip(&other.0) {
            let pairs = mine.as_flattened_mut().iter_mut().zip(theirs.as_flattened());
            pairs.for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
            *my_knot = (*my_knot).max(*their_knot);
        }
    }

    /// Bytes of a group of so many members.
    fn bytes(&self, members: usize) -> usize {
        let bytes = |width: u8| (members * usize::from(width)).div_ceil(8);
        let mut sum = 0;
        for (segments, knot) in &self.0 {
            for widths in segments {
                sum += 2 + widths.iter().zip(COUNTS).map(|(width, count)| count * bytes(*width)).sum::<usize>();
            }
            sum += (segments.len() + 1) * bytes(*knot);
        }
        sum
    }
}

/// Members of a group, by their index.
type Members = Vec<usize>;

/// Puts curves into groups of eight.
pub(super) fn group(placed: Vec<Placed>) -> Vec<GroupContents> {
    let mut kinds: Vec<Kind> = placed.iter().map(|placed| placed.kind).collect();
    kinds.sort();
    kinds.dedup();
    let widths: Vec<Widths> = placed.iter().map(Widths::of).collect();
    let mut groups: Vec<(Kind, Members)> = Vec::new();
    for kind in kinds {
        let own: Members = (0..placed.len()).filter(|index| placed[*index].kind == kind).collect();
        let alike = alike(&own, &widths);
        let straight = straight(&own, &placed);
        let is_straight =
            kind != Kind::Vectors && bytes(&straight, &widths) as f64 <= STRAIGHT * bytes(&alike, &widths) as f64;
        groups.extend(if is_straight { straight } else { alike }.into_iter().map(|members| (kind, members)));
    }
    let mut placed: Vec<Option<Placed>> = placed.into_iter().map(Some).collect();
    let mut take = |index: usize| placed[index].take().map(member);
    groups
        .into_iter()
        .map(|(kind, members)| GroupContents { kind, members: members.into_iter().filter_map(&mut take).collect() })
        .collect()
}

fn member(placed: Placed) -> Member {
    let axis = |(step, curve): (i16, Curve)| Axis { step, knots: curve.knots, numbers: curve.numbers };
    Member {
        target: placed.target,
        shorts: placed.shorts,
        floats: placed.floats,
        axes: placed.curves.into_iter().map(axis).collect(),
    }
}

/// The one that needs the most bits of those that are left, and seven that waste the fewest beside it.
fn alike(own: &[usize], widths: &[Widths]) -> Vec<Members> {
    let mut left = own.to_vec();
    // Stable, so that the order is the same everywhere.
    left.sort_by_key(|index| std::cmp::Reverse(widths[*index].sum()));
    left.reverse();
    let mut groups = Vec::new();
    while let Some(first) = left.pop() {
        let mut joined = widths[first].clone();
        let mut members = vec![first];
        while members.len() < LANES {
            let waste = |place: &usize| joined.waste(&widths[left[*place]], members.len());
            let Some(best) = (0..left.len()).rev().min_by_key(waste) else { break };
            let index = left.remove(best);
            joined.join(&widths[index]);
            members.push(index);
        }
        // In the order of the pose, which is then written from its start to its end.
        members.sort_unstable();
        groups.push(members);
    }
    groups
}

/// Those that are side by side in the pose.
fn straight(own: &[usize], placed: &[Placed]) -> Vec<Members> {
    let block = |index: &usize| usize::from(placed[*index].target) / LANES;
    own.chunk_by(|a, b| block(a) == block(b)).map(<[usize]>::to_vec).collect()
}

fn bytes(groups: &[Members], widths: &[Widths]) -> usize {
    let of = |members: &Members| {
        let mut joined = widths[members[0]].clone();
        members.iter().for_each(|member| joined.join(&widths[*member]));
        joined.bytes(members.len())
    };
    groups.iter().map(of).sum()
}
