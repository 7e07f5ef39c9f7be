//! Bodies made from the humanoid: other proportions, other axes of the joints.

use std::path::Path;
use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClip, Channel, Keyframe, Retarget, Rig, Skeleton, load_skeleton_and_clips, palette::model_matrices,
    sample_pose,
};

use crate::characters::Random;

#[derive(Clone)]
pub struct Body {
    pub skeleton: Skeleton,
    pub clips: Vec<AnimationClip>,
}

pub fn humanoid() -> Body {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let (skeleton, clips) = load_skeleton_and_clips(&path).expect("the shipped humanoid loads");
    Body { skeleton, clips }
}

impl Body {
    pub fn rig(&self) -> Arc<Rig> {
        Rig::new(&self.skeleton)
    }

    pub fn retarget(&self, target: &Self) -> Retarget {
        Retarget::new(&self.rig(), &target.rig()).expect("they have joints in common")
    }

    pub fn clip(&self, name: &str) -> &AnimationClip {
        self.clips.iter().find(|clip| clip.name == name).unwrap_or_else(|| panic!("no clip {name}"))
    }

    pub fn joint(&self, name: &str) -> usize {
        usize::from(self.skeleton.joint_by_name(name).unwrap_or_else(|| panic!("no joint {name}")))
    }

    /// The same body and motion, described in other axes for every joint.
    pub fn with_other_axes(mut self, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let turns: Vec<Quat> = self.skeleton.joints.iter().map(|_| random.quat()).collect();
        let parents: Vec<Option<u16>> = self.skeleton.joints.iter().map(|joint| joint.parent).collect();
        let outer =
            |joint: u16| parents[usize::from(joint)].map_or(Quat::IDENTITY, |parent| turns[usize::from(parent)]);
        let turn = |joint: u16, rotation: Quat| outer(joint).inverse() * rotation * turns[usize::from(joint)];
        for joint in &mut self.skeleton.joints {
            joint.bind_translation = outer(joint.index).inverse() * joint.bind_translation;
            joint.bind_rotation = turn(joint.index, joint.bind_rotation);
            joint.inverse_bind_matrix =
                Mat4::from_quat(turns[usize::from(joint.index)].inverse()) * joint.inverse_bind_matrix;
        }
        for clip in &mut self.clips {
            each_key(&mut clip.translation_channels, |joint, value| outer(joint).inverse() * value);
            each_key(&mut clip.rotation_channels, turn);
        }
        self
    }

    /// The same body and motion in another size.
    pub fn enlarged(mut self, factor: f32) -> Self {
        for joint in &mut self.skeleton.joints {
            joint.bind_translation *= factor;
            joint.inverse_bind_matrix.w_axis *= Vec3::splat(factor).extend(1.0);
        }
        for clip in &mut self.clips {
            each_key(&mut clip.translation_channels, |_, value| value * factor);
        }
        self
    }

    /// A body of other proportions on the same axes, without clips: thighs and shins, feet, arms.
    pub fn reshaped(mut self, legs: f32, feet: f32, arms: f32) -> Self {
        self.clips.clear();
        let mut rise = 0.0;
        for joint in &mut self.skeleton.joints {
            let factor = match joint.name.trim_start_matches("Left").trim_start_matches("Right") {
                "Leg" | "Foot" => legs,
                "ToeBase" => feet,
                "ForeArm" | "Hand" | "Fingers" => arms,
                _ => 1.0,
            };
            let before = joint.bind_translation;
            joint.bind_translation *= factor;
            if joint.name == "LeftLeg" || joint.name == "LeftFoot" {
                rise += before.y - joint.bind_translation.y;
            }
        }
        let foot = self.joint("LeftToeBase");
        // The ankle over the ground is a part of the foot: the toes' way down, and their own height.
        let toes = self.skeleton.joints[foot].bind_translation;
        rise += (0.025 - toes.y) - 0.085;
        let hips = self.joint("Hips");
        self.skeleton.joints[hips].bind_translation.y += rise;
        let mut models = vec![Mat4::IDENTITY; self.skeleton.joints.len()];
        model_matrices(&self.skeleton, &self.skeleton.bind_pose(), &mut models);
        for (joint, model) in self.skeleton.joints.iter_mut().zip(models) {
            joint.inverse_bind_matrix = model.inverse();
        }
        self
    }

    /// `model_from_joint` of every joint in a clip at a time.
    pub fn models(&self, clip: &AnimationClip, time: f32) -> Vec<Mat4> {
        let mut pose = self.skeleton.bind_pose();
        sample_pose(clip, &self.skeleton, time, &mut pose);
        let mut models = vec![Mat4::IDENTITY; pose.len()];
        model_matrices(&self.skeleton, &pose, &mut models);
        models
    }

    /// How the body moves away from its rest pose in model space.
    pub fn deltas(&self, clip: &AnimationClip, time: f32) -> Vec<Mat4> {
        let models = self.models(clip, time);
        models.into_iter().zip(&self.skeleton.joints).map(|(model, joint)| model * joint.inverse_bind_matrix).collect()
    }

    /// The lowest point of both soles: of the heel, the ball and the tip of the toes, where the humanoid's shoes have them.
    /// `size` is that of the feet.
    pub fn lowest_sole(&self, clip: &AnimationClip, time: f32, size: f32) -> f32 {
        let deltas = self.deltas(clip, time);
        let mut lowest = f32::INFINITY;
        for side in ["Left", "Right"] {
            let (foot, toes) = (self.joint(&format!("{side}Foot")), self.joint(&format!("{side}ToeBase")));
            let at = |joint: usize| self.skeleton.joints[joint].inverse_bind_matrix.inverse().w_axis.truncate();
            let below = |joint: usize, forwards: f32| {
                let at = at(joint);
                Vec3::new(at.x, 0.0, at.z + size * forwards)
            };
            for (joint, point) in [
                (foot, below(foot, -0.055)),
                (foot, below(toes, 0.0)),
                (toes, below(toes, 0.0)),
                (toes, below(toes, 0.075)),
            ] {
                lowest = lowest.min(deltas[joint].transform_point3(point).y);
            }
        }
        lowest
    }
}

fn each_key<T: Clone>(channels: &mut [Channel<T>], map: impl Fn(u16, T) -> T) {
    for channel in channels {
        let joint = channel.joint_index;
        for Keyframe { value, tangents, .. } in &mut channel.keyframes {
            *value = map(joint, value.clone());
            *tangents = tangents.clone().map(|(into, out)| (map(joint, into), map(joint, out)));
        }
    }
}
