//! Where limbs point, measured by an outsider: joints by tables of names instead of the humanoid map, clips sampled in f64 by glTF's
//! formulas written down here once more, in the axes of the file and in those of the trunk of the same moment.

use glam::{DMat3, DMat4, DQuat, DVec3};
use nebula_animation::{AnimationClip, Channel, Interpolation, Skeleton};

/// Names of joints: upper arm, lower arm, hand, upper leg, lower leg, foot; `#` is the side, in the words of `sides`.
#[derive(Debug, Clone, Copy)]
pub struct Names {
    pub sides: [&'static str; 2],
    pub limbs: [&'static str; 6],
}

impl Names {
    pub const KAYKIT: Self = Self {
        sides: ["l", "r"],
        limbs: ["upperarm.#", "lowerarm.#", "wrist.#", "upperleg.#", "lowerleg.#", "foot.#"],
    };
    pub const UNREAL: Self =
        Self { sides: ["l", "r"], limbs: ["upperarm_#", "lowerarm_#", "hand_#", "thigh_#", "calf_#", "foot_#"] };
    pub const VRM: Self = Self {
        sides: ["L", "R"],
        limbs: ["upper_arm.#", "lower_arm.#", "hand.#", "upper_leg.#", "lower_leg.#", "foot.#"],
    };
    pub const VRMA: Self = Self {
        sides: ["Left", "Right"],
        limbs: ["#UpperArm", "#LowerArm", "#Hand", "#UpperLeg", "#LowerLeg", "#Foot"],
    };
    pub const ROBOT: Self = Self {
        sides: ["L", "R"],
        limbs: ["UpperArm.#", "LowerArm.#", "Palm2.#", "UpperLeg.#", "LowerLeg.#", "Foot.#"],
    };
    pub const MIXAMO: Self =
        Self { sides: ["Left", "Right"], limbs: ["#Arm", "#ForeArm", "#Hand", "#UpLeg", "#Leg", "#Foot"] };
}

/// A body by the joints of its limbs, left and right, and which way it faces.
#[derive(Clone)]
pub struct Seen {
    skeleton: Skeleton,
    limbs: [[usize; 2]; 6],
    front: DVec3,
}

impl Seen {
    pub fn new(skeleton: &Skeleton, names: Names, front: DVec3) -> Self {
        let find = |limb: &str, side: &str| {
            let name = limb.replace('#', side);
            let found = skeleton.joints.iter().position(|joint| joint.name == name);
            found.unwrap_or_else(|| panic!("no joint {name:?}"))
        };
        let limbs = names.limbs.map(|limb| names.sides.map(|side| find(limb, side)));
        Self { skeleton: skeleton.clone(), limbs, front }
    }

    fn places(&self, clip: &AnimationClip, time: f64) -> Vec<DVec3> {
        let mut local: Vec<(DVec3, DQuat, DVec3)> = self
            .skeleton
            .joints
            .iter()
            .map(|it| (it.bind_translation.as_dvec3(), it.bind_rotation.as_dquat(), it.bind_scale.as_dvec3()))
            .collect();
        for channel in &clip.translation_channels {
            if let Some(local) = local.get_mut(usize::from(channel.joint_index)) {
                local.0 = cubic_or_between(channel, time, |value| value.as_dvec3(), DVec3::lerp);
            }
        }
        for channel in &clip.rotation_channels {
            if let Some(local) = local.get_mut(usize::from(channel.joint_index)) {
                let parts = |value: &glam::Quat| value.as_dquat();
                local.1 =
                    cubic_or_between(channel, time, parts, |a, b, share| a.normalize().slerp(b.normalize(), share));
            }
        }
        for channel in &clip.scale_channels {
            if let Some(local) = local.get_mut(usize::from(channel.joint_index)) {
                local.2 = cubic_or_between(channel, time, |value| value.as_dvec3(), DVec3::lerp);
            }
        }
        let mut models: Vec<DMat4> = Vec::new();
        for (joint, (t, r, s)) in self.skeleton.joints.iter().zip(local) {
            let local = DMat4::from_scale_rotation_translation(s, r.normalize(), t);
            models.push(joint.parent.map_or(local, |parent| models[usize::from(parent)] * local));
        }
        models.iter().map(|model| model.w_axis.truncate()).collect()
    }

    /// Unit vectors of the four bones on both sides, in each kind of axes: those of the file; hips, and up to the shoulders;
    /// shoulders, and up from the hips; for arms those of the shoulders and for legs those of the hips.
    fn bones(&self, clip: &AnimationClip, time: f64) -> Vec<[DVec3; KINDS]> {
        let at = self.places(clip, time);
        let pair = |limb: usize| self.limbs[limb].map(|joint| at[joint]);
        let [arms, legs] = [pair(0), pair(3)];
        let up = (arms[0] + arms[1] - legs[0] - legs[1]).normalize();
        let across = |[left, right]: [DVec3; 2]| {
            let left = (left - right).reject_from(up).normalize();
            DMat3::from_cols(left, up, left.cross(up))
        };
        let file = DMat3::from_cols(DVec3::Y.cross(self.front), DVec3::Y, self.front);
        let (hips, shoulders) = (across(legs), across(arms));
        let mut bones = Vec::new();
        for limb in [0, 1, 3, 4] {
            for side in [0, 1] {
                let bone = (at[self.limbs[limb + 1][side]] - at[self.limbs[limb][side]]).normalize();
                let own = if limb < 3 { shoulders } else { hips };
                bones.push([file, hips, shoulders, own].map(|axes| axes.transpose() * bone));
            }
        }
        bones
    }
}

/// How many kinds of axes there are.
pub const KINDS: usize = 4;

fn cubic_or_between<T: Clone, V>(
    channel: &Channel<T>,
    time: f64,
    wide: impl Fn(&T) -> V,
    between: impl Fn(V, V, f64) -> V,
) -> V
where
    V: Copy + std::ops::Mul<f64, Output = V> + std::ops::Add<Output = V>,
{
    let keys = &channel.keyframes;
    let next = keys.iter().position(|key| f64::from(key.time) > time);
    let (before, after) = match next {
        Some(0) => return wide(&keys[0].value),
        Some(next) => (&keys[next - 1], &keys[next]),
        None => return wide(&keys[keys.len() - 1].value),
    };
    let length = f64::from(after.time) - f64::from(before.time);
    let share = (time - f64::from(before.time)) / length;
    let [a, b] = [before, after].map(|key| wide(&key.value));
    match (channel.interpolation, &before.tangents, &after.tangents) {
        (Interpolation::Step, ..) => a,
        (Interpolation::CubicSpline, Some((_, out)), Some((into, _))) => {
            let (s, s2, s3) = (share, share * share, share * share * share);
            a * (2.0 * s3 - 3.0 * s2 + 1.0)
                + wide(out) * (length * (s3 - 2.0 * s2 + s))
                + b * (3.0 * s2 - 2.0 * s3)
                + wide(into) * (length * (s3 - s2))
        }
        _ => between(a, b, share),
    }
}

/// Mean and largest angle in degrees between the limbs of two bodies over a clip, for each kind of axes.
pub fn apart(bodies: [&Seen; 2], [clip, made]: [&AnimationClip; 2], steps: u8) -> [[f64; 2]; KINDS] {
    let mut angles: [Vec<f64>; KINDS] = Default::default();
    for step in 0..=steps {
        let time = f64::from(clip.duration) * f64::from(step) / f64::from(steps);
        for (own, others) in bodies[0].bones(clip, time).into_iter().zip(bodies[1].bones(made, time)) {
            for kind in 0..KINDS {
                angles[kind].push(own[kind].dot(others[kind]).clamp(-1.0, 1.0).acos().to_degrees());
            }
        }
    }
    angles.map(|angles| [angles.iter().sum::<f64>() / angles.len() as f64, angles.iter().copied().fold(0.0, f64::max)])
}
