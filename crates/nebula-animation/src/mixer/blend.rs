//! Blends any number of clips, each with a time and a weight, into one pose.

use super::mean::{Mean, MeanOfArcs, Part};
use super::space::MOST_CLIPS;
use crate::compile::{AnimationClipLibrary, CompiledClip, LibraryClip};
use crate::math::isa::Isa;
use crate::math::lanes::{Kernel, Lanes, dispatch, load3, load4, store_all};
use crate::math::slerp::{Warp, dot};
use crate::rig::Rig;
use crate::rig::block::{Blocks, Component, LANES, PoseBlock};
use crate::skeleton::{JointMask, JointPose};

/// A clip of a library at a time, with a weight: what motions are made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Input {
    /// Index of the clip.
    pub clip: usize,
    /// Seconds from the clip's start; clamped to the clip.
    pub time: f32,
    /// Weight in the pose; at least 0. Only the ratio of the weights counts.
    pub weight: f32,
}

/// How an input contributes to a blend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BlendMode {
    /// Part of the pose itself (the default).
    #[default]
    Override,
    /// The clip holds differences, as made by [`additive_clip`](crate::sample::additive_clip), which are added to
    /// everything else.
    Additive,
}

/// A clip, a time and a weight, as input of a [blend](Blender::blend).
#[derive(Debug, Clone, Copy)]
pub struct BlendInput<'a> {
    /// The clip; one that was compiled for another rig is ignored.
    pub clip: &'a CompiledClip,
    /// Seconds from the clip's start; clamped to the clip.
    pub time: f32,
    /// Weight in the pose, at least 0; a number that is negative or not finite counts as 0. For overriding inputs only
    /// the ratio of the weights counts; an additive input is scaled by its weight, at most 1e9.
    pub weight: f32,
    /// A factor of the weight per joint; `None` means 1 for all.
    pub mask: Option<&'a JointMask>,
    /// Whether it overrides or adds to the pose.
    pub mode: BlendMode,
}

/// Blends any number of clips into one pose. It holds scratch memory only, no state.
///
/// For each joint, the weights of overriding inputs are normalized; without any, the joint is at rest. The result does
/// not depend on the order of the inputs, down to the bit. Rotations are added as quaternions and normalized, which for
/// two inputs follows the same arc as slerp. Nothing is allocated once buffers have grown to size.
///
/// ```
/// use nebula_animation::{AnimationClip, Rig, Skeleton, compile::CompiledClip, mixer::{BlendInput, Blender}};
///
/// let skeleton = Skeleton::default();
/// let rig = Rig::new(&skeleton);
/// let walk = CompiledClip::new(&rig, &AnimationClip::default());
/// let input = BlendInput { clip: &walk, time: 0.5, weight: 2.0, mask: None, mode: Default::default() };
/// Blender::new().blend(&rig, &[input], &mut skeleton.bind_pose());
/// ```
#[derive(Debug, Clone)]
pub struct Blender {
    isa: Isa,
    order: Vec<usize>,
    sample: Vec<PoseBlock>,
    /// The poses of the clips of a mean, one after the other.
    samples: Vec<PoseBlock>,
    sum: Vec<PoseBlock>,
    totals: Vec<Component>,
    mask: Vec<Component>,
}

impl Default for Blender {
    fn default() -> Self {
        Self::new()
    }
}

impl Blender {
    /// Creates a blender for the best instruction set of this machine.
    #[must_use]
    pub fn new() -> Self {
        Self::with_isa(Isa::best())
    }

    /// Creates a blender for a given instruction set, or the best one if the machine lacks it. The results are the
    /// same.
    #[must_use]
    pub fn with_isa(isa: Isa) -> Self {
        Self {
            isa,
            order: Vec::new(),
            sample: Vec::new(),
            samples: Vec::new(),
            sum: Vec::new(),
            totals: Vec::new(),
            mask: Vec::new(),
        }
    }

    /// Writes the blended local pose, in the skeleton's joint order. A shorter slice gets the first joints.
    pub fn blend(&mut self, rig: &Rig, inputs: &[BlendInput], pose: &mut [JointPose]) {
        self.fit(rig);
        let blocks = rig.rest.len();
        let usable = |input: &BlendInput| {
            let is_local = !input.clip.is_in_bind_space && input.clip.is_for(rig);
            input.weight > 0.0 && input.weight.is_finite() && is_local
        };
        self.order.clear();
        self.order.extend((0..inputs.len()).filter(|&index| usable(&inputs[index])));
        // By what the inputs are, so that it does not matter where they stand.
        let key = |index: &usize| {
            let input = &inputs[*index];
            (input.mode as u8, input.clip.name(), input.time.to_bits(), input.weight.to_bits())
        };
        self.order.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        let (isa, mask) = (self.isa, &mut self.mask[..blocks]);
        let (sample, sum) = (&mut self.sample[..blocks], &mut self.sum[..blocks]);
        let mut sums = Sums::new(isa, sum, &mut self.totals[..blocks]);
        let is_additive = |index: &&usize| inputs[**index].mode == BlendMode::Additive;
        // Weights near the end of `f32` have no room for a sum: their ratio is kept.
        let overriding = self.order.iter().filter(|index| !is_additive(index));
        let largest = overriding.map(|&index| inputs[index].weight).fold(0.0, f32::max);
        let factor = if largest > LARGEST_WEIGHT { LARGEST_WEIGHT / largest } else { 1.0 };
        for input in self.order.iter().filter(|index| !is_additive(index)).map(|&index| &inputs[index]) {
            input.clip.sample(isa, input.time, true, sample);
            let lanes = input.mask.map(|joints| mask_lanes(rig, joints, mask));
            sums.add(sample, input.weight * factor, lanes);
        }
        sums.finish(&rig.rest);
        for input in self.order.iter().filter(is_additive).map(|&index| &inputs[index]) {
            input.clip.sample(isa, input.time, true, sample);
            let mask = input.mask.map(|joints| mask_lanes(rig, joints, mask));
            dispatch(isa, AddOn { pose: sum, delta: sample, weight: input.weight.min(LARGEST_WEIGHT), mask });
        }
        rig.write_pose(sum, pose);
    }

    /// Blends clips of a library, which must belong to the rig, into at least these blocks of `pose`. The inputs are
    /// sorted. `false` if nothing contributes: the pose is then the rest pose.
    pub(crate) fn blend_clips(
        &mut self,
        library: &AnimationClipLibrary,
        inputs: &mut [Input],
        wanted: Blocks,
        pose: &mut [PoseBlock],
    ) -> bool {
        let (rig, clips) = (library.rig(), &**library);
        let is_usable =
            |input: &Input| input.weight > 0.0 && input.weight.is_finite() && clips.get(input.clip).is_some();
        let mut usable = inputs.iter().filter(|input| is_usable(input));
        match (usable.next(), usable.next()) {
            (None, _) => {
                pose.copy_from_slice(&rig.rest);
                return false;
            }
            // One input is its own pose, to the bit.
            (Some(input), None) => clips[input.clip].sample_some(self.isa, input.time, wanted, pose),
            _ => {
                inputs.sort_unstable_by_key(|input| (input.clip, input.time.to_bits(), input.weight.to_bits()));
                self.mean(rig, clips, inputs.iter().filter(|input| is_usable(input)), wanted, pose);
            }
        }
        true
    }

    /// The weighted mean of clips, at most as many as a blend space shows.
    fn mean<'a>(
        &mut self,
        rig: &Rig,
        clips: &[LibraryClip],
        inputs: impl Iterator<Item = &'a Input>,
        wanted: Blocks,
        pose: &mut [PoseBlock],
    ) {
        let blocks = rig.rest.len();
        if self.samples.len() < MOST_CLIPS * blocks {
            self.samples.resize(MOST_CLIPS * blocks, PoseBlock::IDENTITY);
        }
        let mut parts: [Part; MOST_CLIPS] = [(&clips[0], 0.0, 0.0); MOST_CLIPS];
        let mut count = 0;
        for (input, part) in inputs.zip(&mut parts) {
            *part = (&clips[input.clip], input.time, input.weight);
            count += 1;
        }
        let (parts, rest) = (&parts[..count], &rig.rest[..]);
        let samples = &mut self.samples[..MOST_CLIPS * blocks];
        if count > 1 && parts.iter().all(|(clip, ..)| clip.has_arcs()) {
            return dispatch(self.isa, MeanOfArcs { samples, parts, rest, wanted, pose });
        }
        for ((clip, time, _), sample) in parts.iter().zip(samples.chunks_exact_mut(blocks.max(1))) {
            clip.sample_some_moving(self.isa, *time, wanted, sample);
        }
        dispatch(self.isa, Mean { samples, parts, rest, wanted, pose });
    }

    /// Makes the scratch memory large enough for a rig.
    fn fit(&mut self, rig: &Rig) {
        let blocks = rig.rest.len();
        if self.sample.len() < blocks {
            self.sample.resize(blocks, PoseBlock::IDENTITY);
            self.sum.resize(blocks, PoseBlock::IDENTITY);
            self.totals.resize(blocks, [0.0; LANES]);
            self.mask.resize(blocks, [0.0; LANES]);
        }
    }
}

/// Copies a mask into blocks.
pub(crate) fn mask_lanes<'a>(rig: &Rig, joints: &JointMask, mask: &'a mut [Component]) -> &'a [Component] {
    for joint in 0..rig.joint_count() {
        mask[joint / LANES][joint % LANES] = joints.weight(joint);
    }
    for lane in rig.first_morph_lane()..rig.lane_count() {
        mask[lane / LANES][lane % LANES] = joints.morph_weight();
    }
    mask
}

/// Weights up to this can be added up and multiplied with any pose.
const LARGEST_WEIGHT: f32 = 1e9;

/// The total weight below which the rest pose fills up what is missing, so that a joint's last input leaves it without a
/// jump. A power of two, so that a rest pose alone stays what it is.
const FULL: f32 = 1.0 / 1024.0;

/// Weighted sums of poses.
struct Sums<'a> {
    isa: Isa,
    sum: &'a mut [PoseBlock],
    /// The weights so far, by joint.
    totals: &'a mut [Component],
}

impl<'a> Sums<'a> {
    fn new(isa: Isa, sum: &'a mut [PoseBlock], totals: &'a mut [Component]) -> Self {
        let zero = PoseBlock { translation: [[0.0; LANES]; 3], rotation: [[0.0; LANES]; 4], scale: [[0.0; LANES]; 3] };
        sum.fill(zero);
        totals.fill([0.0; LANES]);
        Self { isa, sum, totals }
    }

    fn add(&mut self, pose: &[PoseBlock], weight: f32, mask: Option<&[Component]>) {
        dispatch(self.isa, Add { sum: self.sum, totals: self.totals, pose, weight, mask });
    }

    /// Divides by the weights.
    fn finish(self, rest: &[PoseBlock]) {
        dispatch(self.isa, Finish { sum: self.sum, totals: self.totals, rest });
    }
}

/// Adds a pose to sums.
struct Add<'a> {
    sum: &'a mut [PoseBlock],
    totals: &'a mut [Component],
    pose: &'a [PoseBlock],
    weight: f32,
    mask: Option<&'a [Component]>,
}

impl Kernel for Add<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let weight = L::splat(self.weight);
        for (index, ((sum, total), pose)) in self.sum.iter_mut().zip(self.totals).zip(self.pose).enumerate() {
            for lane in (0..LANES).step_by(L::WIDTH) {
                let weight = match self.mask {
                    Some(mask) => weight.mul(L::load(&mask[index][lane..])),
                    None => weight,
                };
                L::load(&total[lane..]).add(weight).store(&mut total[lane..]);
                // The same half of all quaternions: that of the sum so far.
                let (so_far, turn) = (load4::<L>(&sum.rotation, lane), load4::<L>(&pose.rotation, lane));
                let cosine = dot(so_far, turn);
                for (index, component) in sum.rotation.iter_mut().enumerate() {
                    let part = turn[index].copy_sign_flip(cosine).mul(weight);
                    so_far[index].add(part).store(&mut component[lane..]);
                }
                add_weighted(&mut sum.translation, &pose.translation, lane, weight);
                add_weighted(&mut sum.scale, &pose.scale, lane, weight);
            }
        }
    }
}

#[inline(always)]
fn add_weighted<L: Lanes>(sum: &mut [Component; 3], values: &[Component; 3], lane: usize, weight: L) {
    for (sum, values) in sum.iter_mut().zip(values) {
        L::load(&sum[lane..]).add(L::load(&values[lane..]).mul(weight)).store(&mut sum[lane..]);
    }
}

/// Turns sums into a pose.
struct Finish<'a> {
    sum: &'a mut [PoseBlock],
    totals: &'a [Component],
    rest: &'a [PoseBlock],
}

impl Kernel for Finish<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (zero, one, full) = (L::splat(0.0), L::splat(1.0), L::splat(FULL));
        for ((sum, total), rest) in self.sum.iter_mut().zip(self.totals).zip(self.rest) {
            for lane in (0..LANES).step_by(L::WIDTH) {
                let total = L::load(&total[lane..]);
                let missing = full.select_above(total, full.sub(total), zero);
                let part = one.div(total.add(missing));
                add_weighted(&mut sum.translation, &rest.translation, lane, missing);
                add_weighted(&mut sum.scale, &rest.scale, lane, missing);
                scale_all(&mut sum.translation, lane, part);
                scale_all(&mut sum.scale, lane, part);
                let (so_far, turn) = (load4::<L>(&sum.rotation, lane), load4::<L>(&rest.rotation, lane));
                let cosine = dot(so_far, turn);
                let mut filled = so_far;
                for (filled, turn) in filled.iter_mut().zip(turn) {
                    *filled = filled.add(turn.copy_sign_flip(cosine).mul(missing)).mul(part);
                }
                let squared = dot(filled, filled);
                let scale = one.div(squared.sqrt());
                for (component, (filled, turn)) in sum.rotation.iter_mut().zip(filled.into_iter().zip(turn)) {
                    // Quaternions that cancel out leave no direction.
                    let unit = squared.select_above(L::splat(SHORTEST), filled.mul(scale), turn);
                    unit.store(&mut component[lane..]);
                }
            }
        }
    }
}

/// The square of a quaternion's length below which its direction is noise.
pub(super) const SHORTEST: f32 = 1e-12;

#[inline(always)]
fn scale_all<L: Lanes>(values: &mut [Component; 3], lane: usize, factor: L) {
    for values in values {
        L::load(&values[lane..]).mul(factor).store(&mut values[lane..]);
    }
}

/// Adds differences to a pose: rotations rotate it in the parent's space, translations are added, scales multiplied.
pub(super) struct AddOn<'a> {
    pub pose: &'a mut [PoseBlock],
    pub delta: &'a [PoseBlock],
    /// At least 0; above 1 exaggerates translations and scales, and rotates no further than the difference itself.
    pub weight: f32,
    pub mask: Option<&'a [Component]>,
}

impl Kernel for AddOn<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let shared = Warp::<L>::splat(self.weight.min(1.0));
        for (index, (pose, delta)) in self.pose.iter_mut().zip(self.delta).enumerate() {
            for lane in (0..LANES).step_by(L::WIDTH) {
                let mut weight = L::splat(self.weight);
                let mut warp = shared;
                if let Some(mask) = self.mask {
                    weight = weight.mul(L::load(&mask[index][lane..]));
                    warp = Warp::new(weight.select_above(one, one, weight));
                }
                let turn = warp.slerp_shorter([zero, zero, zero, one], load4(&delta.rotation, lane));
                let turned = product(turn, load4(&pose.rotation, lane));
                store_all(turned, &mut pose.rotation, lane);
                add_weighted(&mut pose.translation, &delta.translation, lane, weight);
                let scales = load3::<L>(&delta.scale, lane);
                for (component, scale) in pose.scale.iter_mut().zip(scales) {
                    let factor = one.add(scale.sub(one).mul(weight));
                    L::load(&component[lane..]).mul(factor).store(&mut component[lane..]);
                }
            }
        }
    }
}

/// The product of two quaternions, in each lane: `left` after `right`.
#[inline(always)]
pub(super) fn product<L: Lanes>([a, b, c, d]: [L; 4], [x, y, z, w]: [L; 4]) -> [L; 4] {
    [
        d.mul(x).add(a.mul(w)).add(b.mul(z)).sub(c.mul(y)),
        d.mul(y).sub(a.mul(z)).add(b.mul(w)).add(c.mul(x)),
        d.mul(z).add(a.mul(y)).sub(b.mul(x)).add(c.mul(w)),
        d.mul(w).sub(a.mul(x)).sub(b.mul(y)).sub(c.mul(z)),
    ]
}
