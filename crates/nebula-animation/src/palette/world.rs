//! Skinning matrices in world space, in a renderer's buffer.

use std::cell::RefCell;

use glam::{Affine3A, Mat4};

use super::eight::{ComposeEight, EightMatrices, EightOut};
use super::evaluator::Evaluator;
use super::skins::{SkinLayout, SkinPlace};
use super::source::{EightPoses, PoseForm, Sampled, Source, sample_eight};
use crate::math::affine::PaletteRows;
use crate::math::isa::Isa;
use crate::math::lanes::{Kernel, Lanes, WholeTarget, dispatch};
use crate::rig::Rig;
use crate::rig::block::LANES;

/// The start of a skin that is not drawn.
pub const NOT_DRAWN: u32 = u32::MAX;

impl SkinLayout {
    /// Writes the full matrices `world_from_model * palette[joint]` for the joints that the skins need, for shaders
    /// that transform vertices straight to world space. `starts` says where the matrices of each skin begin;
    /// [`NOT_DRAWN`] skips a skin.
    ///
    /// Matrices beyond the end of `starts`, the palette or the buffer are skipped. Nothing is allocated.
    ///
    /// ```
    /// use glam::{Affine3A, Mat4, Vec3};
    /// use nebula_animation::palette::{PaletteRows, SkinLayout};
    ///
    /// let palette = [PaletteRows::IDENTITY, PaletteRows::from_matrix(&Mat4::from_translation(Vec3::X))];
    /// let mut matrices = [Mat4::IDENTITY; 8];
    /// let layout = SkinLayout::new([[Some(0), Some(1)]]);
    /// layout.write_in_world(&Affine3A::from_translation(Vec3::Y), &palette, &[5], &mut matrices);
    /// assert_eq!(matrices[6], Mat4::from_translation(Vec3::new(1.0, 1.0, 0.0)));
    /// ```
    pub fn write_in_world(
        &self,
        world_from_model: &Affine3A,
        palette: &[PaletteRows],
        starts: &[u32],
        matrices: &mut [Mat4],
    ) {
        let world = Mat4::from(*world_from_model);
        dispatch(Isa::best(), InWorld { layout: self, world: world.as_ref(), palette, starts, matrices });
    }
}

struct InWorld<'a> {
    layout: &'a SkinLayout,
    world: &'a [f32; 16],
    palette: &'a [PaletteRows],
    starts: &'a [u32],
    matrices: &'a mut [Mat4],
}

impl Kernel for InWorld<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (joint, rows) in self.layout.joints().zip(self.palette) {
            let places = self.layout.places_of(joint);
            if places.is_empty() {
                continue;
            }
            let matrix = L::product_with_rows(self.world, rows);
            for place in places {
                if let Some(out) = self.matrices.get_mut(index_of(self.starts, *place)) {
                    L::store_whole_matrix(matrix, out.as_mut());
                }
            }
        }
    }
}

/// Where in the buffer a matrix goes; beyond its end where the skin is not drawn.
#[inline(always)]
fn index_of(starts: &[u32], place: SkinPlace) -> usize {
    let start = starts.get(place.skin as usize).map_or(usize::MAX, |start| *start as usize);
    start.saturating_add(place.matrix as usize)
}

/// A character of a crowd where it is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Drawn<'a> {
    pub source: Source<'a>,
    pub world_from_model: &'a Affine3A,
    /// Where the matrices of each of its skins begin.
    pub starts: &'a [u32],
}

thread_local! {
    /// For each skin, where it begins for each of eight characters.
    static STARTS: RefCell<Vec<[u32; LANES]>> = const { RefCell::new(Vec::new()) };
}

/// Lends memory of the thread with where skins begin, skin by skin.
fn with_starts(drawn: &[Drawn], skins: usize, work: impl FnOnce(&[[u32; LANES]])) {
    STARTS.with_borrow_mut(|starts| {
        starts.clear();
        starts.resize(skins, [NOT_DRAWN; LANES]);
        for (lane, drawn) in drawn.iter().enumerate() {
            for (starts, start) in starts.iter_mut().zip(drawn.starts) {
                starts[lane] = *start;
            }
        }
        work(starts);
    });
}

impl Evaluator {
    /// Writes the skinning matrices of at most eight characters of one rig, whose sources are all in bind space or all not: straight in the world,
    /// which is what the first joints hang on, and straight to where the skins want them.
    pub(crate) fn write_eight(&mut self, rig: &Rig, drawn: &[Drawn], layout: &SkinLayout, matrices: &mut [Mat4]) {
        self.fit_eight(rig);
        let (isa, blocks) = (self.isa, rig.rest.len());
        let drawn = &drawn[..drawn.len().min(LANES)];
        let Some(first) = drawn.first() else { return };
        let mut sources = [first.source; LANES];
        for (lane, drawn) in drawn.iter().enumerate() {
            sources[lane] = drawn.source;
            self.slots[0].set(lane, drawn.world_from_model);
        }
        let sources = &sources[..drawn.len()];
        let is_in_bind_space = first.source.is_in_bind_space();
        let is_unscaled = is_in_bind_space || sources.iter().all(Source::is_unscaled);
        let (moves, poses) = (&mut self.moves[..blocks], &mut self.poses[..LANES * blocks]);
        let (turned, other) = (&mut self.turned[..], &mut self.other_pose[..blocks]);
        let (form, out) = (PoseForm { is_unscaled, is_in_bind_space }, EightPoses { poses, turned, other });
        let Sampled { knows_moves, is_turned } = sample_eight(isa, rig, (sources, false), form, moves, out);
        let moves = knows_moves.then_some(&*moves);
        let space = rig.bind_space.as_ref().filter(|_| is_in_bind_space);
        let (poses, slots, turned) = (&self.poses[..], &mut self.slots[..], &mut self.turned[..]);
        with_starts(drawn, layout.skins(), |starts| {
            let out = EightSkins { layout, starts, matrices, nowhere: Mat4::IDENTITY };
            dispatch(
                isa,
                ComposeEight { rig, is_unscaled, space, moves, still: 0, poses, slots, turned, is_turned, out },
            );
        });
        self.slots[0] = EightMatrices::IDENTITY;
    }
}

/// Whole matrices, where the skins of eight characters want them.
struct EightSkins<'a> {
    layout: &'a SkinLayout,
    /// For each skin, where it begins.
    starts: &'a [[u32; LANES]],
    matrices: &'a mut [Mat4],
    /// For what is not drawn.
    nowhere: Mat4,
}

impl EightOut for EightSkins<'_> {
    fn has_room(&self, _: usize) -> bool {
        true
    }
    #[inline(always)]
    fn put<L: Lanes>(&mut self, rows: [[L; 4]; 3], joint: usize, lane: usize) {
        let Self { layout, starts, matrices, nowhere } = self;
        for place in layout.places_of(joint) {
            if let Some(starts) = starts.get(place.skin as usize) {
                let (starts, matrix) = (&starts[lane..], place.matrix);
                L::store_turned_wholes(rows, &mut OneJoint { matrices, nowhere, starts, matrix });
            }
        }
    }
}

/// The matrices of one joint in one skin.
struct OneJoint<'a> {
    matrices: &'a mut [Mat4],
    nowhere: &'a mut Mat4,
    starts: &'a [u32],
    matrix: u32,
}

impl WholeTarget for OneJoint<'_> {
    #[inline(always)]
    fn of_lane(&mut self, lane: usize) -> &mut [f32; 16] {
        // Beyond the end where the skin is not drawn.
        let index = self.starts[lane].saturating_add(self.matrix);
        self.matrices.get_mut(index as usize).unwrap_or(self.nowhere).as_mut()
    }
}
