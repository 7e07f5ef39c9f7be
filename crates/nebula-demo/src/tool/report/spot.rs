//! Clips that travel, made to walk on the spot.

use glam::Vec3;
use nebula_animation::clip::{Channel, Keyframe};
use nebula_animation::{AnimationClip, Interpolation, Rig, sample_pose};

/// Keys a second of what is made: the error of a straight line between them is far below a millimetre.
const KEYS: f32 = 240.0;

/// The same clip with its mean velocity taken out of all joints that hang on no other: the body still speeds up and slows down within a
/// step, which the way of a single joint would not leave.
pub fn on_the_spot(rig: &Rig, clip: &AnimationClip, velocity: Vec3) -> AnimationClip {
    let skeleton = rig.skeleton();
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
