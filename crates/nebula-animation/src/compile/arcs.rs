//! The rotations of all joints between two keys, some at a time: for whoever blends clips without writing down the pose of each.

use super::timeline::Place;
use super::tracks::{Reach, SharedTracks, load_quat};
use crate::clip::Interpolation;
use crate::math::lanes::Lanes;
use crate::math::slerp::{Near, Warp};
use crate::rig::block::LANES;

/// The rotations of all joints at a time, not worked out yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arcs<'a, L> {
    /// The records of the keys before and after.
    before: &'a [f32],
    after: &'a [f32],
    track_count: usize,
    between: Between<L>,
}

/// How far along the arcs, as [`Reach`] says.
#[derive(Debug, Clone, Copy)]
enum Between<L> {
    Near(Near<L, 4>),
    Middle(Near<L, 6>),
    Far(Warp<L>),
}

impl SharedTracks<4> {
    /// Whether all joints up to the last one turn along arcs.
    pub fn has_arcs(&self) -> bool {
        let is_whole = self.track_count().is_multiple_of(LANES) || self.is_tail_direct();
        self.interpolation() == Interpolation::Linear && self.is_aligned() && is_whole
    }

    /// The rotations at a place of the timeline, where there [are arcs](SharedTracks::has_arcs).
    #[inline(always)]
    pub fn arcs<L: Lanes>(&self, place: &Place) -> Arcs<'_, L> {
        let [before, after] = self.records(place);
        let between = match self.reach() {
            Reach::Near => Between::Near(Near::splat(place.fraction)),
            Reach::Middle => Between::Middle(Near::splat(place.fraction)),
            Reach::Far => Between::Far(Warp::splat(place.fraction)),
        };
        Arcs { before, after, track_count: self.track_count(), between }
    }
}

impl<L: Lanes> Arcs<'_, L> {
    /// The rotations of a block of joints, from a lane on; `None` beyond the last one.
    #[inline(always)]
    pub fn turns(&self, block: usize, lane: usize) -> Option<[L; 4]> {
        let first = block * LANES;
        let stride = self.track_count.checked_sub(first).filter(|left| *left > 0)?.min(LANES);
        let p = load_quat::<L>(&self.before[4 * first..], stride, lane);
        let q = load_quat::<L>(&self.after[4 * first..], stride, lane);
        Some(match &self.between {
            Between::Near(near) => near.slerp(p, q),
            Between::Middle(near) => near.slerp(p, q),
            Between::Far(warp) => warp.slerp(p, q),
        })
    }
}
