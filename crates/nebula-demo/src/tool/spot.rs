//! Converts travelling clips to in-place clips.

use glam::{Mat4, Vec3};
use nebula_animation::clip::{Channel, Keyframe};
use nebula_animation::palette::model_matrices;
use nebula_animation::{AnimationClip, HumanoidJoint, Interpolation, JointPose, Rig, sample_pose};

/// The first and the last pose of a clip.
pub struct Ends {
    pub local: [Vec<JointPose>; 2],
    pub models: [Vec<Mat4>; 2],
}

/// What does not travel: less than this, in lengths of a leg.
const NEAREST: f32 = 0.1;
/// How far apart the ways of a foot and of the hips may be, as a part of the latter.
const ALONG: f32 = 0.3;

impl Ends {
    pub fn of(rig: &Rig, clip: &AnimationClip) -> Self {
        let local = [0.0, clip.duration].map(|time| {
            let mut pose = rig.skeleton().bind_pose();
            sample_pose(clip, rig.skeleton(), time, &mut pose);
            pose
        });
        let models = [&local[0], &local[1]].map(|pose| {
            let mut models = vec![Mat4::IDENTITY; pose.len()];
            model_matrices(rig.skeleton(), pose, &mut models);
            models
        });
        Self { local, models }
    }

    /// How far the body goes over the ground from the first pose to the last, feet and all; zero where that is nothing to speak of. Whoever
    /// sits down or falls moves the hips, and goes nowhere.
    pub fn way(&self, rig: &Rig) -> Vec3 {
        let moved = |joint: u16| {
            let [before, after] = [&self.models[0], &self.models[1]]
                .map(|models| models.get(usize::from(joint)).map_or(Vec3::ZERO, |model| model.w_axis.truncate()));
            (after - before).with_y(0.0)
        };
        let way = moved(hips(rig));
        let legs = rig.feet().map_or(&[][..], |feet| feet.legs());
        let go_along = legs.iter().all(|leg| moved(leg.foot).distance(way) < ALONG * way.length());
        let is_far = way.is_finite() && way.length() > NEAREST * leg_length(rig);
        if is_far && go_along { way } else { Vec3::ZERO }
    }
}

/// What carries the body.
pub fn hips(rig: &Rig) -> u16 {
    rig.humanoid().get(HumanoidJoint::Hips).or_else(|| Some(rig.feet()?.pelvis())).unwrap_or(0)
}

/// How long a leg is in the rest pose, in metres; 1 where there are none.
pub fn leg_length(rig: &Rig) -> f32 {
    let leg = rig.feet().and_then(|feet| feet.legs().first());
    leg.map_or(1.0, |leg| {
        let [thigh, shin, foot] = [leg.thigh, leg.shin, leg.foot].map(|joint| rig.position(joint));
        thigh.distance(shin) + shin.distance(foot)
    })
}

/// Keys a second of what is made: the error of a straight line between them is far below a millimetre.
const KEYS: f32 = 240.0;

/// The same clip with its [way](Ends::way), at its mean velocity, taken out of all joints that hang on no other: the body still speeds up and slows down within a
/// step, which the way of a single joint would not leave.
pub fn on_the_spot(rig: &Rig, clip: &AnimationClip, way: Vec3) -> AnimationClip {
    if way == Vec3::ZERO || !(clip.duration > 0.0) {
        return clip.clone();
    }
    let (skeleton, velocity) = (rig.skeleton(), way / clip.duration);
    let joints = skeleton.joints.iter().enumerate().filter(|(_, joint)| joint.parent.is_none());
    let roots: Vec<u16> = joints.filter_map(|(index, _)| index.try_into().ok()).collect();
    let count = ((clip.duration * KEYS).ceil() as usize).clamp(1, 1 << 15);
    let mut pose = skeleton.bind_pose();
    let mut channels: Vec<Channel<Vec3>> = roots.iter().map(|root| channel(*root, count)).collect();
    for key in 0..=count {
        let time = clip.duration * key as f32 / count as f32;
        sample_pose(clip, skeleton, time, &mut pose);
        for channel in &mut channels {
            let place = pose.get(usize::from(channel.joint_index)).map_or(Vec3::ZERO, |pose| pose.0);
            channel.keyframes.push(Keyframe { time, value: place - velocity * time, tangents: None });
        }
    }
    let mut made = clip.clone();
    made.translation_channels.retain(|channel| !roots.contains(&channel.joint_index));
    made.translation_channels.extend(channels);
    made
}

fn channel(joint_index: u16, keys: usize) -> Channel<Vec3> {
    Channel { joint_index, interpolation: Interpolation::Linear, keyframes: Vec::with_capacity(keys + 1) }
}
