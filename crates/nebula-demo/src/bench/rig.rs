//! A human skeleton of 67 joints, 15 deep, with a walk and a jog at 30 keys a second.

use glam::{Mat4, Quat, Vec3};
use nebula_animation::{AnimationClip, Channel, Interpolation, Joint, Keyframe, Skeleton, clip::MorphKeysError};

/// How the keys of a clip lie, and what they move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keys {
    /// Rotations on every joint, translations on four, all on one grid.
    Sparse,
    /// Translations, rotations and scales on every joint, all on one grid.
    Dense,
    /// As `Sparse`, but every channel has times of its own at uneven distances.
    Irregular,
}

/// Joints as (name, parent). Fifteen deep, from the root through the spine and an arm to a finger tip.
fn joints() -> Vec<(String, Option<u16>)> {
    let mut joints: Vec<(String, Option<u16>)> = Vec::new();
    let mut add = |name: &str, parent: Option<u16>| {
        joints.push((name.to_owned(), parent));
        (joints.len() - 1) as u16
    };
    let root = add("root", None);
    let hips = add("hips", Some(root));
    let mut spine = hips;
    for index in 1..=5 {
        spine = add(&format!("spine {index}"), Some(spine));
    }
    let neck = add("neck", Some(spine));
    let head = add("head", Some(neck));
    for part in ["jaw", "left eye", "right eye"] {
        add(part, Some(head));
    }
    for side in ["left", "right"] {
        let clavicle = add(&format!("{side} clavicle"), Some(spine));
        let upper = add(&format!("{side} upper arm"), Some(clavicle));
        let lower = add(&format!("{side} lower arm"), Some(upper));
        let wrist = add(&format!("{side} wrist"), Some(lower));
        let hand = add(&format!("{side} hand"), Some(wrist));
        for finger in ["thumb", "index", "middle", "ring", "little"] {
            let mut parent = hand;
            for part in 1..=3 {
                parent = add(&format!("{side} {finger} {part}"), Some(parent));
            }
        }
    }
    for side in ["left", "right"] {
        let thigh = add(&format!("{side} thigh"), Some(hips));
        add(&format!("{side} thigh twist"), Some(thigh));
        let shin = add(&format!("{side} shin"), Some(thigh));
        add(&format!("{side} shin twist"), Some(shin));
        let foot = add(&format!("{side} foot"), Some(shin));
        let ball = add(&format!("{side} ball"), Some(foot));
        add(&format!("{side} toes"), Some(ball));
    }
    add("weapon", Some(root));
    joints
}

/// The skeleton, with bones of 10 cm to 40 cm and inverse bind matrices that fit.
pub fn skeleton() -> Skeleton {
    let mut model_from_joint: Vec<Mat4> = Vec::new();
    let joints = joints().into_iter().enumerate().map(|(index, (name, parent))| {
        let turn = index as f32;
        // Thighs and all below them hang.
        let up = if is_of_leg(&name) { -1.0 } else { 1.0 };
        let bind_translation = Vec3::new(0.05 * turn.sin(), up * (0.1 + 0.05 * turn.cos()), 0.03 * (2.0 * turn).sin());
        let bind_rotation = Quat::from_scaled_axis(Vec3::new(turn.sin(), turn.cos(), (3.0 * turn).sin()) * 0.4);
        let local = Mat4::from_rotation_translation(bind_rotation, bind_translation);
        let model = parent.map_or(local, |parent| model_from_joint[usize::from(parent)] * local);
        model_from_joint.push(model);
        Joint {
            index: index as u16,
            parent,
            inverse_bind_matrix: model.inverse(),
            name,
            bind_translation,
            bind_rotation,
            bind_scale: Vec3::ONE,
        }
    });
    Skeleton { joints: joints.collect() }
}

fn is_of_leg(name: &str) -> bool {
    ["thigh", "shin", "foot", "ball", "toes"].iter().any(|part| name.contains(part))
}

/// A walk of 1.4 seconds.
pub fn walk(skeleton: &Skeleton, keys: Keys) -> AnimationClip {
    gait(skeleton, "walk", 1.4, 0.35, keys)
}

/// A jog of a second, with larger swings.
pub fn jog(skeleton: &Skeleton, keys: Keys) -> AnimationClip {
    gait(skeleton, "jog", 1.0, 0.6, keys)
}

/// A gait of `duration` seconds: every joint swings about its rest pose, faster for a jog.
pub fn gait(skeleton: &Skeleton, name: &str, duration: f32, swing: f32, keys: Keys) -> AnimationClip {
    let mut clip = AnimationClip { name: name.to_owned(), duration, ..AnimationClip::default() };
    for joint in &skeleton.joints {
        let phase = f32::from(joint.index);
        let axis = Vec3::new(phase.sin(), (1.7 * phase).cos(), (0.6 * phase).sin()).normalize_or(Vec3::Y);
        let cycle = |time: f32, harmonic: f32| (std::f32::consts::TAU * harmonic * time / duration + phase).sin();
        let rotation = |time: f32| {
            joint.bind_rotation * Quat::from_axis_angle(axis, swing * (cycle(time, 1.0) + 0.3 * cycle(time, 2.0)))
        };
        let times = times(duration, keys, joint.index, 0);
        clip.rotation_channels.push(channel(joint.index, times, rotation));
        if keys == Keys::Dense || joint.index < 4 {
            let times = self::times(duration, keys, joint.index, 1);
            let offset = |time: f32| joint.bind_translation + axis * (0.02 * cycle(time, 2.0));
            clip.translation_channels.push(channel(joint.index, times, offset));
        }
        if keys == Keys::Dense {
            let times = self::times(duration, keys, joint.index, 2);
            let scale = |time: f32| Vec3::splat(1.0) + Vec3::new(0.02, 0.01, 0.03) * cycle(time, 1.0);
            clip.scale_channels.push(channel(joint.index, times, scale));
        }
    }
    clip
}

/// Lets a clip move so many morph targets, each in its own way.
pub fn add_face(clip: &mut AnimationClip, targets: usize) -> Result<(), MorphKeysError> {
    let count = (clip.duration * 30.0).round() as usize;
    let times: Vec<f32> = (0..=count).map(|key| key as f32 / count as f32 * clip.duration).collect();
    let weight = |time: f32, target: usize| 0.5 + 0.5 * (std::f32::consts::TAU * time / 1.4 + target as f32).sin();
    let weights: Vec<f32> =
        times.iter().flat_map(|&time| (0..targets).map(move |target| weight(time, target))).collect();
    clip.set_morph_weights(0, Interpolation::Linear, &times, &weights, targets)
}

fn times(duration: f32, keys: Keys, joint: u16, property: u16) -> Vec<f32> {
    let count = (duration * 30.0).round() as usize;
    (0..=count)
        .map(|key| {
            let even = key as f32 / count as f32;
            if keys == Keys::Irregular && key > 0 && key < count {
                // Multiples of irrational numbers: no two channels have the same times.
                let number =
                    f64::from(joint) * 0.754_877_67 + f64::from(property) * 0.569_840_29 + key as f64 * 0.618_034;
                let noise = number.fract() as f32 - 0.5;
                (even + 0.8 * noise / count as f32) * duration
            } else {
                even * duration
            }
        })
        .collect()
}

fn channel<T: Clone>(joint: u16, times: Vec<f32>, value: impl Fn(f32) -> T) -> Channel<T> {
    let key = |time| Keyframe { time, value: value(time), tangents: None };
    Channel {
        joint_index: joint,
        interpolation: Interpolation::Linear,
        keyframes: times.into_iter().map(key).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_skeleton_is_the_one_of_the_figures() {
        let skeleton = skeleton();
        assert_eq!(skeleton.joints.len(), 67);
        let mut depths: Vec<usize> = Vec::new();
        for joint in &skeleton.joints {
            depths.push(joint.parent.map_or(1, |parent| depths[usize::from(parent)] + 1));
        }
        assert_eq!(depths.iter().max(), Some(&15));
    }
}
