//! How a mixer arrived at the pose of a joint, recomputed step by step from its current state. It only reads, so it
//! costs nothing unless you call it.

use glam::Quat;

use super::AnimationMixer;
use super::action::AnimationAction;
use super::blend::{BlendMode, Blender, Input};
use super::evaluate::{Moment, View};
use super::fade::{FadeCurve, FadeIn};
use super::inertia::Apply;
use super::layer::MixerLayer;
use super::motion::{Motion, MotionContext};
use crate::compile::Isa;
use crate::explain::{
    ActionPart, Change, ClipPart, FadePart, InertiaPart, LayerPart, LevelPart, LevelSource, MixerPart,
};
use crate::math::clean_weight;
use crate::math::lanes::{Lanes, Scalar, dispatch};
use crate::math::slerp::Warp;
use crate::palette::{joint_toward, turn_toward};
use crate::rig::block::{Blocks, LANES, PoseBlock};
use crate::skeleton::JointPose;

/// What is smaller comes of roundings.
const ROUNDING: f32 = 4e-6;

impl AnimationMixer {
    /// What made the pose of a joint that exists in the last update.
    pub(crate) fn explain(&self, joint: u16) -> MixerPart {
        let (block, lane) = (usize::from(joint) / LANES, usize::from(joint) % LANES);
        let context = MotionContext { library: &self.clips, spaces: &self.spaces };
        let moment = Moment { isa: Isa::best(), context, ahead: 0.0, view: View::Old };
        let rest = self.rig().rest[block].get(lane);
        let mut teller = Teller {
            moment,
            joint: usize::from(joint),
            rest,
            blender: Blender::new(),
            blocks: vec![PoseBlock::IDENTITY; self.pose.len()],
        };
        let mut pose = rest;
        let mut layers = Vec::new();
        for (index, layer) in self.layers().enumerate() {
            let part = teller.layer(index, layer, &pose);
            pose = part.pose;
            layers.push(part);
        }
        let inertia = self.explain_inertia(block, lane, &pose);
        if let Some(inertia) = &inertia {
            pose = inertia.change.of(&pose);
        }
        let shown = self.pose[block].get(lane);
        let since = Some(Change::between(&pose, &shown)).filter(|since| self.has_pose && !since.is_within(ROUNDING));
        let pose = if self.has_pose { shown } else { rest };
        MixerPart { rest, layers, inertia, since, pose }
    }

    fn explain_inertia(&self, block: usize, lane: usize, pose: &JointPose) -> Option<InertiaPart> {
        let difference = self.differences.get().get(block..=block)?;
        let mut blocks = [PoseBlock::IDENTITY];
        blocks[0].set(lane, *pose);
        dispatch(Isa::best(), Apply { pose: &mut blocks, differences: difference, ahead: 0.0 });
        let mut numbers = difference[0].components().map(|component| component[lane]).skip(18);
        let (progress, rate) = (numbers.next()?, numbers.next()?);
        let seconds_left = if rate > 0.0 { (1.0 - progress) / rate } else { 0.0 };
        let change = Change::between(pose, &blocks[0].get(lane));
        (progress < 1.0).then_some(InertiaPart { change, progress, seconds_left })
    }
}

/// Tells of one joint.
struct Teller<'a> {
    moment: Moment<'a>,
    joint: usize,
    rest: JointPose,
    blender: Blender,
    /// Memory for poses.
    blocks: Vec<PoseBlock>,
}

impl Teller<'_> {
    fn layer(&mut self, index: usize, layer: &MixerLayer, below: &JointPose) -> LayerPart {
        let weight = layer.clean_weight();
        let mask = layer.mask().map(|mask| mask.weight(self.joint));
        let is_empty = layer.current_action.is_none() && layer.fading.is_none();
        let is_additive = !layer.is_base && layer.mode == BlendMode::Additive;
        let is_shown = layer.is_base || (weight > 0.0 && !is_empty);
        let (levels, own, opacity) = if is_shown { self.levels(layer) } else { (Vec::new(), self.rest, 0.0) };
        let alpha = weight * opacity;
        let fraction = alpha * mask.unwrap_or(1.0);
        let pose = match (layer.is_base, is_additive) {
            (true, _) if alpha >= 1.0 && mask.is_none() => own,
            (true, _) => joint_toward(&Warp::splat(fraction), fraction, &self.rest, &own),
            _ if !(alpha > 0.0) => *below,
            (false, false) => joint_toward(&Warp::splat(fraction), fraction, below, &own),
            (false, true) => added(below, &own, fraction),
        };
        LayerPart {
            layer: index,
            name: layer.name.clone(),
            is_additive,
            weight,
            mask,
            opacity,
            fraction,
            levels,
            own,
            change: Change::between(below, &pose),
            pose,
        }
    }

    /// The levels of a layer, what they come to, and how opaque that is.
    fn levels(&mut self, layer: &MixerLayer) -> (Vec<LevelPart>, JointPose, f32) {
        let older = layer.older.iter().map(|level| (level.action.as_ref(), level.fade));
        let fading = layer.fading.map(|fade| (layer.fading_action.as_ref(), fade));
        let current = (layer.current_action.as_ref(), layer.current_fade());
        let mut all: Vec<(Option<&AnimationAction>, FadeIn)> = older.chain(fading).collect();
        // A fade whose difference is not measured yet shows nothing of what it leads to.
        if !layer.awaits_capture() {
            all.push(current);
        }
        let mut parts: Vec<LevelPart> = Vec::new();
        let (mut pose, mut alpha) = (self.rest, 0.0);
        if layer.memory.has_snapshot && layer.memory.snapshot.get().len() == self.blocks.len() {
            pose = layer.memory.snapshot.get()[self.joint / LANES].get(self.joint % LANES);
            alpha = layer.memory.snapshot_alpha;
            parts.push(LevelPart { source: LevelSource::Standing, fade: None, fraction: 1.0, share: alpha, pose });
        }
        let is_alone = parts.is_empty() && all.len() == 1;
        for (action, fade) in all {
            let is_lowest = parts.is_empty();
            let weight = if is_lowest { 1.0 } else { fade.weight(0.0) };
            if !(weight > 0.0) {
                continue;
            }
            let opacity = action.map_or(f32::from(layer.is_base), AnimationAction::clean_weight);
            let total = if is_lowest { opacity } else { (1.0 - weight) * alpha + weight * opacity };
            let (source, mut own) = self.source(action);
            let track = fade.track.filter(|_| !is_alone).map(|track| layer.memory.turns(track));
            let near = track
                .and_then(|turns| turns.get(self.joint / LANES))
                .map(|turns| Quat::from_array(turns.0.map(|component| component[self.joint % LANES])));
            let near = near.or_else(|| (!is_lowest).then_some(pose.1));
            if near.is_some_and(|near| own.1.dot(near) < 0.0) {
                own.1 = -own.1;
            }
            let fraction = match is_lowest {
                true => 1.0,
                false if opacity > 0.0 => weight * opacity / total,
                false => 0.0,
            };
            parts.iter_mut().for_each(|part| part.share *= 1.0 - weight);
            let fade = (!is_lowest).then(|| fade_part(&fade));
            parts.push(LevelPart { source, fade, fraction, share: weight * opacity, pose: own });
            pose = if is_lowest { own } else { crossed(&pose, &own, fraction) };
            alpha = total;
        }
        (parts, pose, alpha)
    }

    fn source(&mut self, action: Option<&AnimationAction>) -> (LevelSource, JointPose) {
        let Some(action) = action else { return (LevelSource::Rest, self.rest) };
        let mut inputs = Vec::new();
        self.moment.sample(action, &mut self.blender, &mut inputs, Blocks::ALL, &mut self.blocks);
        let pose = self.shown();
        let space = match action.motion() {
            Motion::Space(index) => self.moment.context.spaces.get(index).map(|slot| (index, slot.position())),
            Motion::Clip(_) => None,
        };
        let clips = self.clips(action);
        let part = ActionPart {
            id: action.id(),
            weight: action.clean_weight(),
            total_time: action.total_time(),
            time: action.time,
            pass: action.pass(),
            speed: action.speed,
            is_playing: action.playing,
            space,
            clips,
        };
        (LevelSource::Action(Box::new(part)), pose)
    }

    /// The clips of an action, each with its own pose, in the order in which they are added up.
    fn clips(&mut self, action: &AnimationAction) -> Vec<ClipPart> {
        let library = self.moment.context.library;
        let mut inputs: Vec<Input> = Vec::new();
        match action.motion() {
            Motion::Clip(clip) if clip < library.len() => {
                inputs.push(Input { clip, time: action.seconds_after(0.0), weight: 1.0 });
            }
            motion => motion.expand(&self.moment.context, action.time_after(0.0), &mut inputs),
        }
        inputs.retain(|input| input.weight > 0.0 && input.weight.is_finite() && input.clip < library.len());
        inputs.sort_unstable_by_key(|input| (input.clip, input.time.to_bits(), input.weight.to_bits()));
        let mut sum = [0.0_f32; 4];
        let mut parts = Vec::with_capacity(inputs.len());
        for Input { clip, time, weight } in inputs {
            library[clip].sample(self.moment.isa, time, true, &mut self.blocks);
            let mut pose = self.shown();
            // The half of the quaternions in which they are added up.
            let turn = pose.1.to_array();
            if (0..4).map(|part| sum[part] * turn[part]).sum::<f32>() < 0.0 {
                pose.1 = -pose.1;
            }
            sum = std::array::from_fn(|part| sum[part] + weight * pose.1.to_array()[part]);
            parts.push(ClipPart { clip, name: library[clip].name().to_owned(), time, weight, pose });
        }
        parts
    }

    /// The joint in the pose that was sampled last.
    fn shown(&self) -> JointPose {
        self.blocks[self.joint / LANES].get(self.joint % LANES)
    }
}

fn fade_part(fade: &FadeIn) -> FadePart {
    FadePart { curve: fade.curve.name().into(), seconds: fade.seconds, progress: clean_weight(fade.progress) }
}

/// Interpolates towards another pose by a fraction, along the arc to that very quaternion.
fn crossed(from: &JointPose, to: &JointPose, fraction: f32) -> JointPose {
    let lanes = |turn: Quat| turn.to_array().map(Scalar::splat);
    let turn = Warp::<Scalar>::splat(fraction).slerp_either_way(lanes(from.1), lanes(to.1));
    let mix = |a: glam::Vec3, b: glam::Vec3| a * (1.0 - fraction) + b * fraction;
    (mix(from.0, to.0), Quat::from_array(turn.map(Scalar::get)), mix(from.2, to.2))
}

/// A difference on top of a pose.
fn added(below: &JointPose, delta: &JointPose, weight: f32) -> JointPose {
    let turn = turn_toward(&Warp::splat(weight.min(1.0)), Quat::IDENTITY, delta.1);
    (below.0 + delta.0 * weight, turn * below.1, below.2 * (1.0 + (delta.2 - 1.0) * weight))
}

impl FadeCurve {
    /// Its name, as documents write it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Smooth => "smooth",
            Self::Inertialised => "inertialised",
        }
    }
}
