//! Small skeletons and clips, and a player that goes with them.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationPlayer, Channel, Interpolation, Joint, Keyframe, Rig, Skeleton,
    compute_world_matrices,
    player::{Advance, advance_and_sample},
};

/// A player with its rig and its clips, and the stages in order.
pub struct Puppet {
    pub rig: Arc<Rig>,
    pub clips: AnimationClipLibrary,
    pub player: AnimationPlayer,
    authored: Vec<AnimationClip>,
}

impl Puppet {
    /// In the first frame of its first clip.
    pub fn new(skeleton: Skeleton, authored: Vec<AnimationClip>) -> Self {
        let rig = Rig::new(skeleton);
        let clips = AnimationClipLibrary::new(&rig, &authored);
        let player = AnimationPlayer::new(0, clips.first().map_or(0.0, |clip| clip.duration()), rig.joint_count());
        let mut puppet = Self { rig, clips, player, authored };
        puppet.update(0.0);
        puppet
    }

    /// The same clips on another skeleton.
    pub fn set_skeleton(&mut self, skeleton: Skeleton) {
        self.rig = Rig::new(skeleton);
        self.clips = AnimationClipLibrary::new(&self.rig, &self.authored);
    }

    /// Other clips on the same skeleton.
    pub fn set_clips(&mut self, authored: Vec<AnimationClip>) {
        self.clips = AnimationClipLibrary::new(&self.rig, &authored);
        self.authored = authored;
    }

    pub fn update(&mut self, dt: f64) -> Advance {
        let advance = advance_and_sample(&mut self.player, &self.rig, &self.clips, dt);
        compute_world_matrices(&mut self.player, &self.rig);
        advance
    }

    pub fn palette(&self) -> &[Mat4] {
        &self.player.joint_matrices
    }
}

/// A chain of joints, each a metre above its parent, each turned by a little.
pub fn chain(joint_count: u16) -> Skeleton {
    let joint = |index: u16| Joint {
        index,
        parent: index.checked_sub(1),
        inverse_bind_matrix: Mat4::from_translation(Vec3::new(0.0, -f32::from(index), 0.0)),
        name: format!("Joint {index}"),
        bind_translation: Vec3::Y,
        bind_rotation: Quat::from_rotation_x(0.1),
        bind_scale: Vec3::ONE,
    };
    Skeleton { joints: (0..joint_count).map(joint).collect() }
}

/// A clip in which `joint` moves from 0 to `duration` metres along X, one metre a second.
pub fn slide(joint: u16, duration: f32) -> AnimationClip {
    AnimationClip {
        name: format!("slide {joint}"),
        duration,
        translation_channels: vec![Channel {
            joint_index: joint,
            interpolation: Interpolation::Linear,
            keyframes: vec![
                Keyframe { time: 0.0, value: Vec3::ZERO, tangents: None },
                Keyframe { time: duration, value: Vec3::new(duration, 0.0, 0.0), tangents: None },
            ],
        }],
        ..AnimationClip::default()
    }
}

/// A clip in which `joint` turns about Z by `radians` a key, by splines without tangents, and grows.
pub fn turn(joint: u16, keys: u16, radians: f32) -> AnimationClip {
    let time = |key: u16| f32::from(key) * 0.3;
    let rotation = |key: u16| Keyframe {
        time: time(key),
        value: Quat::from_rotation_z(f32::from(key) * radians),
        tangents: Some((Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), Quat::from_xyzw(0.1, 0.0, 0.3, 0.0))),
    };
    let scale = |key: u16| Keyframe { time: time(key), value: Vec3::splat(1.0 + f32::from(key)), tangents: None };
    AnimationClip {
        name: format!("turn {joint}"),
        duration: time(keys - 1),
        translation_channels: Vec::new(),
        rotation_channels: vec![Channel {
            joint_index: joint,
            interpolation: Interpolation::CubicSpline,
            keyframes: (0..keys).map(rotation).collect(),
        }],
        scale_channels: vec![Channel {
            joint_index: joint,
            interpolation: Interpolation::Step,
            keyframes: (0..keys).map(scale).collect(),
        }],
    }
}
