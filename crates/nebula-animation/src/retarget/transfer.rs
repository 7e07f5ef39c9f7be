use glam::{DMat3, DQuat, DVec3, Quat, Vec3};

use super::align::alignments;
use super::bake::{Figure, Moved};
use super::faces::Faces;
use super::ground::Ground;
use super::hands::Hands;
use super::map_channel;
use super::mirror::carry_scale;
use super::options::RetargetOptions;
use super::pairs::Pairs;
use super::report::{RetargetError, RetargetReport};
use super::trunk::Trunk;
use super::twist::{Twist, tell, twists};
use super::two::{facing, human_maps, loose, widths};
use crate::clip::{AnimationClip, Channel, Interpolation, Keyframe};
use crate::rig::Rig;
use crate::skeleton::HumanoidJoint as J;

/// Converts clips that were made for one body for another one.
///
/// In humans, joints with the same role are paired, whatever their names ([`HumanoidMap`](crate::HumanoidMap)). Other
/// joints are paired by name, ignoring case, punctuation and prefixes such as `mixamorig:`. See [`report`](Self::report).
///
/// Rotations are transferred relative to the rest pose in model space, in the axes of the body, so that neither joint
/// axes nor facing matter. Arms and legs point where the source's do, whatever the rest poses. Translations are
/// relative to the rest pose: in proportion to the bone, and for the hips and everything above them to the legs, units
/// included. Scales are relative to the rest scale. Motion of joints that the target lacks is passed on to the joints
/// below them, root motion to the hips.
///
/// ```
/// # use std::path::Path;
/// use nebula_animation::{Retarget, Rig, load_skeleton_and_clips};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (source, clips) = load_skeleton_and_clips(Path::new("test_assets/simple_humanoid.glb"))?;
/// let mut giant = source.clone();
/// for joint in &mut giant.joints {
///     joint.bind_translation *= 2.0;
/// }
/// let retarget = Retarget::new(&Rig::new(source), &Rig::new(giant))?;
/// assert!(retarget.missing_in_target().is_empty());
/// assert!((retarget.proportion() - 2.0).abs() < 1e-6);
/// let walk_of_giants = retarget.clip(&clips[0]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Retarget {
    /// In the order of the target's joints.
    joints: Vec<JointTransfer>,
    source: Figure,
    target: Figure,
    /// Turns the source's front to the target's, in model space.
    facing: DQuat,
    turns: Vec<DQuat>,
    sources: Vec<Option<usize>>,
    missing_in_target: Vec<u16>,
    missing_in_source: Vec<u16>,
    /// The hips of both, of humans.
    hips: Option<[usize; 2]>,
    /// Joints of the target that are not attached to the bone to which they belong, and that bone.
    loose: Vec<(usize, usize)>,
    ground: Option<Ground>,
    hands: Option<Hands>,
    trunk: Option<Trunk>,
    twists: Vec<Twist>,
    faces: Faces,
    report: RetargetReport,
}

/// How values of one joint become values of its partner.
#[derive(Debug, Clone, Copy)]
struct JointTransfer {
    source: usize,
    target: usize,
    /// The nearest joint above the target that has a partner, and that partner.
    anchor: Option<(usize, usize)>,
    /// Whether translations and scales are taken over too.
    is_first: bool,
    /// `r' = before * r * after`.
    before: DQuat,
    after: DQuat,
    /// Converts a translation relative to rest.
    shift: DMat3,
    rest_translations: [DVec3; 2],
    /// The partner's axes in those of the joint.
    axes: DMat3,
    rest_scales: [DVec3; 2],
}

impl Retarget {
    /// Creates a converter from one body to another, with default options.
    ///
    /// # Errors
    /// No joint has a counterpart, or only one of the two is a human.
    pub fn new(source: &Rig, target: &Rig) -> Result<Self, RetargetError> {
        Self::with_options(source, target, RetargetOptions::default())
    }

    /// Creates a converter from one body to another.
    ///
    /// # Errors
    /// No joint has a counterpart, or only one of the two is a human.
    pub fn with_options(source: &Rig, target: &Rig, options: RetargetOptions) -> Result<Self, RetargetError> {
        let maps = human_maps(source, target)?;
        let (source_figure, target_figure) = (Figure::of(source.skeleton()), Figure::of(target.skeleton()));
        let (from, to) = (&source_figure.rest, &target_figure.rest);
        let pairs = Pairs::find(source, target, to, maps);
        let facing = facing([source, target], [from, to], maps);
        let ground = Ground::new([source, target], [from, to], maps, &pairs);
        let proportion =
            ground.as_ref().map_or_else(|| ratio(to.height(), from.height(), 1.0), |ground| ground.proportion);
        let faces = Faces::new(source.morphs(), target.morphs());
        let mut report = RetargetReport {
            pairs: pairs.list,
            morphs: faces.paired.clone(),
            missing_morphs: faces.missing.clone(),
            is_humanoid: maps.is_some(),
            fronts: [source.front(), target.front()],
            proportion: proportion as f32,
            soles: ground.as_ref().filter(|_| options.keeps_ground_contact).map(|ground| ground.kind),
            missing_in_target: pairs.missing_in_target,
            missing_in_source: pairs.missing_in_source,
        };
        if report.pairs.is_empty() {
            return Err(RetargetError::NoPairs(Box::new(report)));
        }
        let turns = alignments([from, to], facing, maps, &pairs.sources, f64::from(options.align_beyond));
        let hips = maps.and_then(|[source, target]| Some([source.get(J::Hips)?.into(), target.get(J::Hips)?.into()]));
        let carries = |joint: usize| match (&ground, hips) {
            (Some(ground), _) => from.is_within(ground.source_hips(), joint),
            (None, Some([hips, _])) => from.is_within(hips, joint),
            (None, None) => from.parent(joint).is_none(),
        };
        let widths = maps.map_or_else(Vec::new, |maps| widths(maps, [from, to]));
        let transfer = |(target_joint, joint): (usize, usize)| {
            let (own, other) = (&source.joints[joint], &target.joints[target_joint]);
            let outer = to.parent(target_joint).map_or(DQuat::IDENTITY, |parent| turns[parent] * to.rotations[parent]);
            let before = outer.inverse() * facing * from.parent_rotation(joint);
            let after =
                from.rotations[joint].inverse() * facing.inverse() * turns[target_joint] * to.rotations[target_joint];
            let length = from.offset(joint).length();
            let width = widths.iter().find(|(limb, _)| *limb == joint);
            let factor = if let Some((_, width)) = width {
                *width
            } else if carries(joint) || !(length > 1e-6 * from.height()) {
                proportion
            } else {
                ratio(to.offset(target_joint).length(), length, proportion)
            };
            let mut above = to.parent(target_joint);
            while let Some(joint) = above.filter(|joint| pairs.sources[*joint].is_none()) {
                above = to.parent(joint);
            }
            JointTransfer {
                source: joint,
                target: target_joint,
                anchor: above.and_then(|above| Some((above, pairs.sources[above]?))),
                is_first: pairs.targets[joint] == Some(target_joint),
                before,
                after,
                shift: DMat3::from_quat(before) * (factor * from.parent_scale(joint) / to.parent_scale(target_joint)),
                rest_translations: [own.bind_translation.as_dvec3(), other.bind_translation.as_dvec3()],
                axes: DMat3::from_quat(after),
                rest_scales: [own.bind_scale.as_dvec3(), other.bind_scale.as_dvec3()],
            }
        };
        let sources = pairs.sources.iter().enumerate();
        let joints: Vec<_> = sources.filter_map(|(target, joint)| Some((target, (*joint)?))).map(transfer).collect();
        let indices = |list: &[super::Unpaired]| list.iter().map(|unpaired| unpaired.joint).collect();
        let loose = maps.map_or_else(Vec::new, |maps| loose(maps, [from, to]));
        let hands = maps.and_then(|maps| Hands::new(maps, [from, to], proportion, options.hands));
        let trunk = maps.filter(|_| options.align_beyond.is_finite());
        let trunk = trunk.and_then(|maps| Trunk::new(maps, to, &pairs.sources));
        let twists = maps.map_or_else(Vec::new, |maps| twists(target, maps[1], to, &pairs.sources));
        tell(&twists, &mut report.missing_in_source);
        Ok(Self {
            joints,
            missing_in_target: indices(&report.missing_in_target),
            missing_in_source: indices(&report.missing_in_source),
            facing,
            turns,
            sources: pairs.sources,
            hips,
            loose,
            ground: ground.filter(|ground| options.keeps_ground_contact && !ground.has_same_legs),
            hands,
            trunk,
            twists,
            faces,
            report,
            source: source_figure,
            target: target_figure,
        })
    }

    /// Which joints are paired, which are not and why, and what else was found out about the two bodies.
    #[must_use]
    pub fn report(&self) -> &RetargetReport {
        &self.report
    }

    /// Joints of the source that the target lacks. Their rotations are passed on to the nearest joints below them that
    /// it has; their translations and scales are lost, except above the hips.
    #[must_use]
    pub fn missing_in_target(&self) -> &[u16] {
        &self.missing_in_target
    }

    /// Joints of the target that the source lacks: they stay at rest, except twist joints, which share the twist of
    /// their limb.
    #[must_use]
    pub fn missing_in_source(&self) -> &[u16] {
        &self.missing_in_source
    }

    /// Leg length of the target as a multiple of the source's: the factor for steps, hips and root motion. For bodies
    /// that do not stand, the ratio of their heights.
    #[must_use]
    pub fn proportion(&self) -> f32 {
        self.report.proportion
    }

    /// Converts a clip for the target. If the two hierarchies match, times, name and interpolation stay as they are.
    /// Other joints get new keyframes, as does the height of the hips to keep the feet on the ground. Arm and leg
    /// joints that the clip leaves at rest are held in the source's rest pose. Backs that bend elsewhere get new
    /// keyframes if the trunk would otherwise lean differently by more than 4 degrees. Morph weights are transferred to
    /// targets with the same name.
    #[must_use]
    pub fn clip(&self, clip: &AnimationClip) -> AnimationClip {
        let moved = Moved::of(clip, self.source.skeleton.joints.len());
        let (alike, other): (Vec<&JointTransfer>, _) =
            self.joints.iter().partition(|joint| self.is_alike(joint, &moved));
        let mut by_source: Vec<Vec<&JointTransfer>> = vec![Vec::new(); self.source.skeleton.joints.len()];
        for joint in &alike {
            by_source[joint.source].push(joint);
        }
        let partners = |index: u16| by_source.get(usize::from(index)).map_or(&[][..], Vec::as_slice);
        let firsts = |index: u16| partners(index).iter().filter(|joint| joint.is_first);
        let mut made = AnimationClip { name: clip.name.clone(), duration: clip.duration, ..AnimationClip::default() };
        for channel in &clip.translation_channels {
            for joint in firsts(channel.joint_index) {
                let [from, to] = joint.rest_translations;
                let linear = |value: &Vec3| (joint.shift * value.as_dvec3()).as_vec3();
                let value = |value: &Vec3| (to + joint.shift * (value.as_dvec3() - from)).as_vec3();
                made.translation_channels.push(map_channel(channel, joint.target as u16, value, linear));
            }
        }
        for channel in &clip.rotation_channels {
            for joint in partners(channel.joint_index) {
                let map = |value: &Quat| joint.rotation(value);
                made.rotation_channels.push(map_channel(channel, joint.target as u16, map, map));
            }
        }
        for channel in &clip.scale_channels {
            for joint in firsts(channel.joint_index) {
                let map = |value: &Vec3| carry_scale(joint.axes, joint.rest_scales, value);
                made.scale_channels.push(map_channel(channel, joint.target as u16, map, map));
            }
        }
        if self.joints.iter().any(|joint| moved.rotated[joint.source]) {
            self.hold(&alike, &moved, &mut made);
        }
        self.bake_turns(clip, &moved, &other, &mut made);
        self.bake_hips(clip, &moved, &mut made);
        if let Some(trunk) = &self.trunk {
            trunk.straighten(clip, &mut made, [&self.source, &self.target], self.facing);
        }
        self.target.fasten(&self.loose, &mut made);
        if let Some(ground) = &self.ground {
            ground.keep_contact(clip, &mut made);
            self.target.fasten(&self.loose, &mut made);
        }
        if let Some(hands) = &self.hands {
            hands.place(clip, &mut made, [&self.source, &self.target], self.facing);
        }
        self.twists.iter().for_each(|twist| twist.spread(&self.target, &mut made));
        self.faces.carry(clip, &mut made);
        made
    }

    /// Whether the parent of a joint is the counterpart of its counterpart's parent, considering only joints that the
    /// clip moves.
    fn is_alike(&self, joint: &JointTransfer, moved: &Moved) -> bool {
        let end = joint.anchor.map(|(_, source)| source);
        let mut above = self.source.rest.parent(joint.source);
        while above != end {
            let Some(between) = above.filter(|between| !moved.rotated[*between]) else { return false };
            above = self.source.rest.parent(between);
        }
        true
    }

    /// Joints that the clip does not move, but that rest otherwise than the source's.
    fn hold(&self, alike: &[&JointTransfer], moved: &Moved, made: &mut AnimationClip) {
        for joint in alike.iter().filter(|joint| !moved.rotated[joint.source]) {
            let value = joint.rotation(&self.source.skeleton.joints[joint.source].bind_rotation);
            let own = self.target.skeleton.joints[joint.target].bind_rotation;
            if value.dot(own).abs() < 1.0 - 1e-6 {
                made.rotation_channels.push(Channel {
                    joint_index: joint.target as u16,
                    interpolation: Interpolation::Step,
                    keyframes: vec![Keyframe { time: 0.0, value, tangents: None }],
                });
            }
        }
    }

    /// Joints with another place in the hierarchy than their counterparts: their rotations are computed in model space.
    fn bake_turns(&self, clip: &AnimationClip, moved: &Moved, joints: &[&JointTransfer], made: &mut AnimationClip) {
        let rest = &self.source.rest;
        let mut matters = vec![false; moved.rotated.len()];
        for start in joints.iter().flat_map(|joint| [Some(joint.source), joint.anchor.map(|it| it.1)]).flatten() {
            let above = std::iter::successors(Some(start), |joint| rest.parent(*joint));
            above.for_each(|joint| matters[joint] = true);
        }
        let channels = clip
            .rotation_channels
            .iter()
            .filter(|channel| matters.get(usize::from(channel.joint_index)) == Some(&true));
        let mut times = super::bake::key_times(channels.flat_map(|channel| &channel.keyframes).map(|key| key.time));
        if times.is_empty() {
            times.push(0.0);
        }
        let mut keys: Vec<Vec<Keyframe<Quat>>> = vec![Vec::with_capacity(times.len()); joints.len()];
        let mut pose = self.source.skeleton.bind_pose();
        for &time in &times {
            let turned = self.source.turns_at(clip, time, &mut pose);
            // Where a joint of the target points in model space.
            let wanted = |target: usize, source: usize| {
                self.facing
                    * turned[source]
                    * self.facing.inverse()
                    * self.turns[target]
                    * self.target.rest.rotations[target]
            };
            for (joint, keys) in joints.iter().zip(&mut keys) {
                let rest = &self.target.rest;
                let outer = joint.anchor.map_or_else(
                    || rest.parent_rotation(joint.target),
                    |(anchor, source)| {
                        wanted(anchor, source) * rest.rotations[anchor].inverse() * rest.parent_rotation(joint.target)
                    },
                );
                let mut value = (outer.inverse() * wanted(joint.target, joint.source)).as_quat();
                if keys.last().is_some_and(|last| last.value.dot(value) < 0.0) {
                    value = -value;
                }
                keys.push(Keyframe { time, value, tangents: None });
            }
        }
        for (joint, keyframes) in joints.iter().zip(keys) {
            let (joint_index, interpolation) = (joint.target as u16, Interpolation::Linear);
            made.rotation_channels.push(Channel { joint_index, interpolation, keyframes });
        }
    }

    /// Gives the hips the motion of all joints above the source's that have no counterpart above the target's.
    fn bake_hips(&self, clip: &AnimationClip, moved: &Moved, made: &mut AnimationClip) {
        let Some([hips, target]) = self.hips else { return };
        if self.sources[target] != Some(hips) {
            return;
        }
        let above = std::iter::successors(Some(hips), |joint| self.source.rest.parent(*joint));
        let is_told = |joint: &usize| {
            let transfer = self.joints.iter().find(|transfer| transfer.source == *joint && transfer.is_first);
            transfer.is_some_and(|it| self.is_alike(it, moved) && self.target.rest.is_within(target, it.target))
        };
        if above
            .clone()
            .all(|joint| !(moved.shifted[joint] || moved.rotated[joint] && joint != hips) || is_told(&joint))
        {
            return;
        }
        let on_the_way: Vec<usize> = above.collect();
        let times = moved.times(clip, |joint| on_the_way.contains(&joint));
        let proportion = f64::from(self.report.proportion);
        let mut pose = self.source.skeleton.bind_pose();
        let places = times.iter().map(|&time| {
            let at = self.source.models_at(clip, time, &mut pose)[hips].w_axis.truncate();
            let way = self.facing * (at - self.source.rest.positions[hips]);
            (time, self.target.rest.positions[target] + proportion * way)
        });
        let places: Vec<(f32, DVec3)> = places.collect();
        self.target.put(target, &places, made);
    }
}

impl JointTransfer {
    /// Linear in the quaternion, so that tangents go the same way.
    fn rotation(&self, value: &Quat) -> Quat {
        (self.before * value.as_dquat() * self.after).as_quat()
    }
}

pub(super) fn ratio(target: f64, source: f64, otherwise: f64) -> f64 {
    let ratio = target / source;
    if ratio > 0.0 && ratio.is_finite() { ratio } else { otherwise }
}
