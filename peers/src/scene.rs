//! What every runtime plays, and what has to come out.

use glam::{Mat4, Quat, Vec3, Vec4};
use nebula_animation::{AnimationClip, JointPose, Skeleton, palette::{model_matrices, skinning_matrices}, sample_pose};
use nebula_demo::bench::rig::{self, Keys};

/// Seconds between two frames.
pub const FRAME_SECS: f64 = 1.0 / 60.0;

/// A runtime with its characters.
pub trait Runtime {
    /// Moves all characters on by [`FRAME_SECS`] and evaluates them. This is what is timed.
    fn frame(&mut self);

    /// The times of the clips that the last frame shows, by the runtime's own clock.
    fn shown(&self, character: usize) -> Playing;

    /// How far the last frame is from what it should show, as the largest difference in any component.
    fn difference(&self, character: usize, expected: &Expected) -> f32;
}

/// The character, its clips, and when each one of the crowd starts.
pub struct Scene {
    pub skeleton: Skeleton,
    pub walk: AnimationClip,
    pub jog: AnimationClip,
    pub starts: Vec<Playing>,
}

/// Where a character is in its clips.
#[derive(Debug, Clone, Copy)]
pub struct Playing {
    /// Seconds into the walk.
    pub walk: f64,
    pub fade: Option<Fade>,
}

/// A character on its way from the walk to the jog.
#[derive(Debug, Clone, Copy)]
pub struct Fade {
    /// Seconds into the jog.
    pub jog: f64,
    /// 0 is all walk, 1 all jog.
    pub weight: f32,
}

impl Scene {
    /// A crowd, or one character, on the rig of `nebula-demo bench`.
    pub fn new(characters: usize, is_fading: bool) -> Self {
        let skeleton = rig::skeleton();
        let walk = rig::walk(&skeleton, Keys::Sparse);
        let jog = rig::jog(&skeleton, Keys::Sparse);
        let starts = (0..characters).map(|index| Playing {
            walk: scattered(index, walk.duration),
            fade: is_fading.then(|| Fade {
                jog: scattered(index + 1, jog.duration),
                weight: 0.1 + 0.8 * scattered(index, 1.0) as f32,
            }),
        });
        Self { starts: starts.collect(), skeleton, walk, jog }
    }

    pub fn joint_count(&self) -> usize {
        self.skeleton.joints.len()
    }

    pub fn is_fading(&self) -> bool {
        self.starts.iter().any(|start| start.fade.is_some())
    }
}

impl Playing {
    /// The same `seconds` later, in a loop.
    pub fn after(self, scene: &Scene, seconds: f64) -> Self {
        let wrapped = |time: f64, clip: &AnimationClip| (time + seconds).rem_euclid(f64::from(clip.duration));
        let fade = |fade: Fade| Fade { jog: wrapped(fade.jog, &scene.jog), ..fade };
        Self { walk: wrapped(self.walk, &scene.walk), fade: self.fade.map(fade) }
    }
}

/// A character by the plain path: `sample_pose`, `model_matrices` and `skinning_matrices` over the authored clips.
pub struct Expected {
    /// Relative to parents, with rotations blended by slerp.
    pub pose: Vec<JointPose>,
    /// The same with rotations blended by nlerp.
    pub nlerp_rotations: Vec<Quat>,
    /// `model_from_joint`.
    pub model: Vec<Mat4>,
    /// `model_from_joint * inverse_bind`.
    pub palette: Vec<Mat4>,
}

impl Expected {
    pub fn new(scene: &Scene, playing: Playing) -> Self {
        let mut pose = scene.skeleton.bind_pose();
        sample_pose(&scene.walk, &scene.skeleton, playing.walk as f32, &mut pose);
        let mut nlerp_rotations: Vec<Quat> = pose.iter().map(|joint| joint.1).collect();
        if let Some(Fade { jog, weight }) = playing.fade {
            let mut other = scene.skeleton.bind_pose();
            sample_pose(&scene.jog, &scene.skeleton, jog as f32, &mut other);
            for ((joint, nlerp), other) in pose.iter_mut().zip(&mut nlerp_rotations).zip(&other) {
                let near = if joint.1.dot(other.1) < 0.0 { -other.1 } else { other.1 };
                *nlerp = Quat::from_vec4(Vec4::from(joint.1).lerp(Vec4::from(near), weight).normalize_or_zero());
                *joint = (joint.0.lerp(other.0, weight), joint.1.slerp(other.1, weight), joint.2.lerp(other.2, weight));
            }
        }
        let mut model = vec![Mat4::IDENTITY; pose.len()];
        model_matrices(&scene.skeleton, &pose, &mut model);
        let mut palette = model.clone();
        skinning_matrices(&scene.skeleton, &mut palette);
        Self { pose, nlerp_rotations, model, palette }
    }
}

/// The largest difference of two sets of numbers; infinite where one is not a number, or the lengths differ.
pub fn apart(a: &[f32], b: &[f32]) -> f32 {
    if a.len() != b.len() {
        return f32::INFINITY;
    }
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, |worst, difference| if difference.is_nan() { f32::INFINITY } else { worst.max(difference) })
}

/// As [`apart`]; a quaternion and its negative are the same rotation.
pub fn rotations_apart(a: Quat, b: Quat) -> f32 {
    apart(&a.to_array(), &b.to_array()).min(apart(&(-a).to_array(), &b.to_array()))
}

/// As [`apart`], of two positions.
pub fn positions_apart(a: Vec3, b: Vec3) -> f32 {
    apart(&a.to_array(), &b.to_array())
}

/// As [`apart`], of matrices.
pub fn matrices_apart(a: impl ExactSizeIterator<Item = Mat4>, b: &[Mat4]) -> f32 {
    if a.len() != b.len() {
        return f32::INFINITY;
    }
    a.zip(b).map(|(a, b)| apart(&a.to_cols_array(), &b.to_cols_array())).fold(0.0, f32::max)
}

/// A time for each character, with neighbours far apart: multiples of the golden ratio, as in `nebula-demo bench`.
fn scattered(index: usize, duration: f32) -> f64 {
    (index as f64 * 0.618_033_988_749_894_9).fract() * f64::from(duration)
}
