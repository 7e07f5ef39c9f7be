use glam::{DMat3, DMat4, DQuat, DVec3};

use super::align::Posture;
use super::pairs::Pairs;
use super::report::Soles;
use super::rest::{Rest, model_matrices};
use super::transfer::ratio;
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::rig::{Rig, SolePoint};
use crate::sample::sample_pose;
use crate::skeleton::HumanoidJoint as J;
use crate::skeleton::{HumanoidMap, Side, Skeleton};

/// Joints that rest lower than this share of the body's height are feet: a humanoid's ankle is at a twentieth, its knee at
/// a quarter.
const FEET_BELOW: f64 = 0.12;
/// Keyframes between which feet are kept on the ground lie at most this many seconds apart.
const LONGEST_GAP: f32 = 1.0 / 120.0;
/// How far heels are behind the ankle and tips in front of the toe joint, as fractions of the distance between the two
/// joints.
const HEEL: f64 = 0.4;
const TIP: f64 = 0.6;
/// The least difference, as a share of the height, that is worth a correction.
const TOLERANCE: f64 = 1e-5;

/// What stands on the ground, of a source and of a target.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    source: Body,
    target: Body,
    /// Height of the target's hips over the ground in heights of the source's.
    pub proportion: f64,
    /// For each point of the soles, the size of the target's foot in sizes of the source's; none where soles are no guess from
    /// joints that both have.
    foot_proportions: Vec<f64>,
    pub kind: Soles,
    is_human: bool,
    /// Whether both have the same legs at the same place, which do the same without help.
    pub has_same_legs: bool,
    /// Whether the source's soles are guessed and the target's are not: its clips tell better where the ground is.
    is_source_guessed: bool,
}

/// A skeleton with its feet.
#[derive(Debug, Clone)]
struct Body {
    skeleton: Skeleton,
    parents: Vec<Option<usize>>,
    /// The joint below which all feet are.
    hips: usize,
    /// Height of the ground.
    level: f64,
    height: f64,
    /// Points of the soles.
    soles: Vec<SoleAt>,
}

impl Ground {
    /// `None` if there are no feet, or they are not below one joint that both have.
    pub fn new(rigs: [&Rig; 2], rests: [&Rest; 2], maps: Option<[&HumanoidMap; 2]>, pairs: &Pairs) -> Option<Self> {
        let of_humans = maps.and_then(|maps| Self::of_humans(rigs, rests, maps));
        of_humans.or_else(|| Self::of_low_joints(rigs.map(Rig::skeleton), rests, &pairs.targets))
    }

    /// The soles of two humans: points of their meshes, or what is guessed from their joints.
    fn of_humans(rigs: [&Rig; 2], rests: [&Rest; 2], maps: [&HumanoidMap; 2]) -> Option<Self> {
        let postures = [0, 1].map(|body| Posture { rest: rests[body], map: maps[body], facing: DQuat::IDENTITY });
        let is_standing = postures.iter().all(Posture::is_standing);
        let mut bodies = Vec::with_capacity(2);
        for (((rig, rest), map), posture) in rigs.into_iter().zip(rests).zip(maps).zip(&postures) {
            let outlines = rig.feet()?.legs.iter().flat_map(|leg| &leg.outline);
            let mut soles: Vec<SoleAt> = outlines.map(SoleAt::of).collect();
            if rig.soles().is_empty() && !posture.is_standing() {
                // Where the ground is below feet that do not stand is not to be guessed: joints stand for soles.
                let joints = Side::BOTH.into_iter().flat_map(|side| [map.get(J::Foot(side)), map.get(J::Toes(side))]);
                soles = joints.flatten().map(|joint| SoleAt::new(joint.into(), DVec3::ZERO)).collect();
            }
            let matrices = model_matrices(rest.parents(), rig.bind_pose());
            let lowest = soles.iter().map(|sole| sole.height(&matrices)).fold(f64::INFINITY, f64::min);
            if !lowest.is_finite() {
                return None;
            }
            // Characters mostly stand on 0, and files round.
            let level = if lowest.abs() < 0.05 * rest.height() { 0.0 } else { lowest };
            bodies.push(Body {
                skeleton: rig.skeleton().clone(),
                parents: rest.parents().to_vec(),
                hips: map.get(J::Hips)?.into(),
                level,
                height: rest.height(),
                soles,
            });
        }
        let target = bodies.pop()?;
        let source = bodies.pop()?;
        let proportion = if is_standing {
            let height = |rest: &Rest, body: &Body| rest.positions[body.hips].y - body.level;
            height(rests[1], &target) / height(rests[0], &source)
        } else {
            let leg = |rest: &Rest, map: &HumanoidMap, side| {
                let joints = leg_joints(side).map(|joint| map.get(joint));
                let [hip, knee, foot, _] = joints.map(|joint| joint.map(|joint| rest.positions[usize::from(joint)]));
                Some(hip?.distance(knee?) + knee?.distance(foot?))
            };
            let legs =
                |body: usize| Side::BOTH.iter().filter_map(|side| leg(rests[body], maps[body], *side)).sum::<f64>();
            ratio(legs(1), legs(0), 1.0)
        };
        let is_guessed = rigs.map(|rig| rig.soles().is_empty());
        // Guesses are the same points of both, in the same order.
        let mut foot_proportions = Vec::new();
        if is_guessed == [true; 2] && source.soles.len() == target.soles.len() {
            for (own, others) in rigs[0].feet()?.legs.iter().zip(rigs[1].feet()?.legs.iter()) {
                let size = ratio(others.sole_length.into(), own.sole_length.into(), proportion);
                foot_proportions.extend(std::iter::repeat_n(size, source.soles.len() / 2));
            }
        }
        let kind = if is_guessed == [false; 2] { Soles::OfMeshes } else { Soles::Guessed };
        let is_sound = proportion > 0.0 && proportion.is_finite();
        let has_same_legs = (proportion - 1.0).abs() < 1e-4
            && Side::BOTH.into_iter().flat_map(leg_joints).all(|joint| {
                let at = |body: usize| maps[body].get(joint).map(|joint| rests[body].positions[usize::from(joint)]);
                match (at(0), at(1)) {
                    (Some(own), Some(others)) => own.distance(others) < 1e-4 * source.height,
                    (own, others) => own.is_none() && others.is_none(),
                }
            });
        is_sound.then_some(Self {
            is_human: true,
            has_same_legs,
            source,
            target,
            proportion,
            foot_proportions,
            kind,
            is_source_guessed: is_guessed == [true, false],
        })
    }

    /// The feet of a body that stands on joints that both have.
    fn of_low_joints(
        [source, target]: [&Skeleton; 2],
        [from, to]: [&Rest; 2],
        pairs: &[Option<usize>],
    ) -> Option<Self> {
        let level_of = |rest: &Rest| {
            let lowest = rest.positions.iter().map(|position| position.y).fold(f64::INFINITY, f64::min);
            // Characters mostly stand on 0, and their lowest joint is a little above their soles.
            if lowest.abs() < FEET_BELOW * rest.height() { 0.0_f64.min(lowest) } else { lowest }
        };
        let levels = [level_of(from), level_of(to)];
        let is_low =
            |rest: &Rest, joint: usize, level: f64| rest.positions[joint].y - level < FEET_BELOW * rest.height();
        let is_foot = |joint: usize, partner: usize| is_low(from, joint, levels[0]) && is_low(to, partner, levels[1]);
        let paired = pairs.iter().enumerate().filter_map(|(joint, partner)| Some((joint, (*partner)?)));
        let mut feet: Vec<(usize, usize)> = paired.filter(|(joint, partner)| is_foot(*joint, *partner)).collect();
        // What carries other joints far above the ground is no foot, but a root that lies on it.
        let is_root =
            |foot: usize| (0..pairs.len()).any(|joint| from.is_within(joint, foot) && !is_low(from, joint, levels[0]));
        feet.retain(|(joint, _)| !is_root(*joint));
        let (first, _) = *feet.first()?;
        let mut hips = from.parent(first);
        while let Some(at) = hips {
            let is_above_all = feet.iter().all(|(foot, _)| from.is_within(*foot, at));
            if is_above_all && pairs[at].is_some() && !is_low(from, at, levels[0]) {
                break;
            }
            hips = from.parent(at);
        }
        let hips = hips?;
        let partner = pairs[hips]?;
        if !feet.iter().all(|(_, foot)| to.is_within(*foot, partner)) {
            return None;
        }
        let proportion = (to.positions[partner].y - levels[1]) / (from.positions[hips].y - levels[0]);
        if !(proportion > 0.0 && proportion.is_finite()) {
            return None;
        }
        let mut foot_proportions = Vec::new();
        let mut soles = [Vec::new(), Vec::new()];
        for &(foot, partner) in &feet {
            let others = feet.iter().find_map(|&(toes, partner_toes)| {
                let is_toes = from.parent(toes) == Some(foot) && to.parent(partner_toes) == Some(partner);
                let is_ankle = from.parent(foot) == Some(toes) && to.parent(partner) == Some(partner_toes);
                (is_toes || is_ankle).then_some((toes, partner_toes, is_toes))
            });
            // Joints do not tell how long heels and toes are: shares of the way from the ankle to the toes that fit a shoe
            // do. Some rigs end in a joint at the very tip.
            let share = match others {
                Some((.., true)) => -HEEL,
                Some(_) if !is_tip(&source.joints[foot].name) => -TIP,
                _ => 0.0,
            };
            let bodies = [(from, foot, others.map(|it| it.0)), (to, partner, others.map(|it| it.1))];
            let mut sizes = [0.0; 2];
            for (side, (rest, joint, other)) in bodies.into_iter().enumerate() {
                let at = rest.positions[joint];
                let way = other.map_or(DVec3::ZERO, |other| rest.positions[other] - at);
                sizes[side] = if other.is_some() { way.length() } else { at.y - levels[side] };
                soles[side].push((joint, at));
                soles[side].push((joint, at + share * way));
            }
            let size = sizes[1] / sizes[0];
            let size = if size > 0.0 && size.is_finite() { size } else { proportion };
            foot_proportions.extend([size; 2]);
        }
        let [soles, partner_soles] = soles;
        Some(Self {
            source: Body::new(source, from, hips, levels[0], soles),
            target: Body::new(target, to, partner, levels[1], partner_soles),
            proportion,
            foot_proportions,
            kind: Soles::Guessed,
            is_human: false,
            has_same_legs: false,
            is_source_guessed: false,
        })
    }

    /// The joint of the source that carries its feet.
    pub fn source_hips(&self) -> usize {
        self.source.hips
    }

    /// Moves the target's hips up or down so that its lowest sole is as high as the source's, in proportion.
    pub fn keep_contact(&self, clip: &AnimationClip, made: &mut AnimationClip) {
        let hips = self.target.hips as u16;
        let times = self.times(made);
        let mut poses = [self.source.skeleton.bind_pose(), self.target.skeleton.bind_pose()];
        let mut keyframes = Vec::with_capacity(times.len());
        let mut largest = 0.0_f64;
        let level = self.level_of(clip, &times);
        for &time in &times {
            sample_pose(clip, &self.source.skeleton, time, &mut poses[0]);
            sample_pose(made, &self.target.skeleton, time, &mut poses[1]);
            let source = model_matrices(&self.source.parents, poses[0].iter().copied());
            let target = model_matrices(&self.target.parents, poses[1].iter().copied());
            let rise = self.rise(&source, &target, level);
            let outer = self.target.parents[self.target.hips].map_or(DMat4::IDENTITY, |parent| target[parent]);
            let shift = DMat3::from_mat4(outer).inverse() * DVec3::new(0.0, rise, 0.0);
            if !shift.is_finite() {
                return;
            }
            largest = largest.max(rise.abs());
            let value = poses[1][self.target.hips].0 + shift.as_vec3();
            keyframes.push(Keyframe { time, value, tangents: None });
        }
        if largest <= TOLERANCE * self.target.height {
            return;
        }
        made.translation_channels.retain(|channel| channel.joint_index != hips);
        made.translation_channels.push(Channel { joint_index: hips, interpolation: Interpolation::Linear, keyframes });
    }

    /// How far the target has to be moved up for its lowest point to be as high as the source's, in proportion.
    ///
    /// What is below the ground in the source is on it in the target: a small body that sinks by a finger would make a large one sink
    /// by a hand. Where points of soles are guessed from joints that both have, the guess is wrong by as much for the target, in
    /// proportion to the foot.
    fn rise(&self, source: &[DMat4], target: &[DMat4], level: f64) -> f64 {
        let heights = || self.source.heights(source).map(|height| height - level);
        let lowest = heights().fold(f64::INFINITY, f64::min).max(0.0);
        let own_lowest = if self.foot_proportions.is_empty() {
            self.target.heights(target).fold(f64::INFINITY, f64::min)
        } else {
            let own = heights().zip(&self.foot_proportions).zip(self.target.heights(target));
            own.map(|((height, size), own)| own - size * height.min(0.0)).fold(f64::INFINITY, f64::min)
        };
        self.proportion * lowest - own_lowest
    }

    /// How far the ground of a clip is above that of the source's rest pose. Some bodies rest about their hips, and their clips put
    /// them on 0; and where soles are a guess, they are as wrong as the clip is above or below the ground.
    fn level_of(&self, clip: &AnimationClip, times: &[f32]) -> f64 {
        let other = -self.source.level;
        if !self.is_human || (other == 0.0 && !self.is_source_guessed) {
            return 0.0;
        }
        let mut pose = self.source.skeleton.bind_pose();
        let lowest = times.iter().map(|&time| {
            sample_pose(clip, &self.source.skeleton, time, &mut pose);
            let models = model_matrices(&self.source.parents, pose.iter().copied());
            self.source.heights(&models).fold(f64::INFINITY, f64::min)
        });
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        let level = if (lowest - other).abs() < lowest.abs() { other } else { 0.0 };
        let is_near = (lowest - level).abs() < 0.03 * self.source.height;
        if self.is_source_guessed && is_near { lowest } else { level }
    }

    /// When the height is looked at: at the keyframes of the hips, or else of a foot or leg, and between them.
    fn times(&self, made: &AnimationClip) -> Vec<f32> {
        fn key_times<T: Clone>(channels: &[Channel<T>], is_wanted: impl Fn(u16) -> bool) -> Vec<f32> {
            let wanted = channels.iter().filter(|channel| is_wanted(channel.joint_index));
            let longest = wanted.max_by_key(|channel| channel.keyframes.len());
            longest.map_or_else(Vec::new, |channel| channel.keyframes.iter().map(|key| key.time).collect())
        }
        let hips = self.target.hips;
        let mut keys = key_times(&made.translation_channels, |joint| usize::from(joint) == hips);
        if keys.is_empty() {
            keys = key_times(&made.rotation_channels, |joint| self.target.is_below_hips(joint.into()));
        }
        let mut times = vec![0.0];
        for end in keys.into_iter().chain([made.duration]).filter(|time| time.is_finite()) {
            let start = times[times.len() - 1];
            if end > start {
                // A gap of hours gets no more keyframes than memory can bear.
                let parts = ((end - start) / LONGEST_GAP - 1e-3).ceil().clamp(1.0, 65_536.0) as u32;
                times.extend((1..parts).map(|part| start + (end - start) * (part as f32 / parts as f32)));
                times.push(end);
            }
        }
        times
    }
}

/// From the hip down.
fn leg_joints(side: Side) -> [J; 4] {
    [J::UpperLeg(side), J::LowerLeg(side), J::Foot(side), J::Toes(side)]
}

/// Whether a joint is named as the very end of toes.
fn is_tip(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["end", "tip", "nub"].iter().any(|tip| name.ends_with(tip))
}

/// A point of a sole: joints, the point in the space of each, and its part in it.
#[derive(Debug, Clone)]
struct SoleAt([(usize, DVec3, f64); 2]);

impl SoleAt {
    /// Of one joint alone.
    fn new(joint: usize, point: DVec3) -> Self {
        Self([(joint, point, 1.0), (joint, point, 0.0)])
    }

    fn of(sole: &SolePoint) -> Self {
        let (joint, point) = (usize::from(sole.joint), sole.point.as_dvec3());
        let Some(blend) = sole.blend else { return Self::new(joint, point) };
        let share = f64::from(blend.share);
        Self([(joint, point, 1.0 - share), (blend.joint.into(), blend.point.as_dvec3(), share)])
    }

    fn height(&self, model_from_joint: &[DMat4]) -> f64 {
        let part = |(joint, point, share): &(usize, DVec3, f64)| match *share {
            0.0 => 0.0,
            share => share * model_from_joint[*joint].transform_point3(*point).y,
        };
        self.0.iter().map(part).sum()
    }
}

impl Body {
    fn new(skeleton: &Skeleton, rest: &Rest, hips: usize, level: f64, soles: Vec<(usize, DVec3)>) -> Self {
        let matrices = model_matrices(rest.parents(), skeleton.bind_pose());
        let sole = |(joint, point): (usize, DVec3)| {
            let point = matrices[joint].inverse().transform_point3(point.with_y(level));
            SoleAt::new(joint, if point.is_finite() { point } else { DVec3::ZERO })
        };
        Self {
            skeleton: skeleton.clone(),
            parents: rest.parents().to_vec(),
            hips,
            level,
            height: rest.height(),
            soles: soles.into_iter().map(sole).collect(),
        }
    }

    /// How far the points of the soles are above the ground.
    fn heights<'a>(&'a self, model_from_joint: &'a [DMat4]) -> impl Iterator<Item = f64> {
        self.soles.iter().map(|sole| sole.height(model_from_joint) - self.level)
    }

    fn is_below_hips(&self, joint: usize) -> bool {
        let mut at = Some(joint);
        while let Some(current) = at {
            if current == self.hips {
                return true;
            }
            at = self.parents.get(current).copied().flatten();
        }
        false
    }
}
