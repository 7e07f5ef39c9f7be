//! Who plays in these tests, and how fast their clips move.

use std::path::Path;

use glam::{DQuat, DVec3, Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationMixer, Channel, ClipMarkers, Interpolation, Joint, JointPose,
    Keyframe, LibraryOptions, Rig, Skeleton, load_skeleton_and_clips, sample_pose,
};

/// A frame of these tests.
pub const FRAME: f64 = 1.0 / 240.0;

/// A mixer for clips of a skeleton.
pub fn mixer_of(skeleton: &Skeleton, clips: &[AnimationClip]) -> AnimationMixer {
    AnimationMixer::new(AnimationClipLibrary::new(&Rig::new(skeleton), clips))
}

/// A mixer for clips with markers, of a skeleton.
pub fn mixer_with_markers(skeleton: &Skeleton, clips: &[AnimationClip], markers: ClipMarkers) -> AnimationMixer {
    let options = LibraryOptions { markers, ..LibraryOptions::default() };
    AnimationMixer::new(AnimationClipLibrary::with_options(&Rig::new(skeleton), clips, options))
}

/// A skeleton and its clips.
pub struct Cast {
    pub skeleton: Skeleton,
    pub clips: Vec<AnimationClip>,
    /// How much longer than half a turn the way between two rotations may become while they are blended: 1 where they never
    /// are half a turn apart. A way that began as the shorter one goes on to a whole turn, 2, at most.
    pub detour: f64,
}

impl Cast {
    /// Whether a clip loops without a seam.
    pub fn loops(&self, clip: usize) -> bool {
        !self.clips[clip].name.contains("jump") && !self.clips[clip].name.contains("root")
    }

    pub fn clip(&self, name: &str) -> &AnimationClip {
        self.clips.iter().find(|clip| clip.name == name).expect("a clip of this name")
    }

    pub fn mixer(&self) -> AnimationMixer {
        mixer_of(&self.skeleton, &self.clips)
    }
}

/// The shipped character: walks, runs, jumps, turns.
pub fn humanoid() -> Cast {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let (skeleton, clips) = load_skeleton_and_clips(&path).expect("the shipped file loads");
    Cast { skeleton, clips, detour: 1.0 }
}

/// The same with ten of its clips: what is drawn at random depends on how many there are, and in which order.
pub fn ten_moves() -> Cast {
    let mut cast = humanoid();
    let moves = ["stroll", "idle", "run", "jump", "wave", "turn_left"].into_iter();
    let ways = ["stroll_root_motion", "run_root_motion", "jump_root_motion", "turn_left_root_motion"];
    cast.clips = moves.chain(ways).map(|name| cast.clip(name).clone()).collect();
    cast
}

/// A joint that does not move in the clip `still`, and turns by more than half a turn from there in the others: the way
/// round that was the shorter one becomes the longer one while they are blended.
pub fn spinner() -> Cast {
    let joint = |index: u16| Joint {
        index,
        parent: index.checked_sub(1),
        inverse_bind_matrix: Mat4::IDENTITY,
        name: format!("joint {index}"),
        bind_translation: Vec3::Y,
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    };
    let skeleton = Skeleton { joints: (0..11).map(joint).collect() };
    // There and back, up to `most` degrees from the rest pose, about an axis of each joint's own.
    let clip = |name: &str, most: f32| {
        let channel = |joint_index: u16| {
            let axis = Vec3::new(1.0, f32::from(joint_index) - 5.0, 3.0).try_normalize().expect("it has a length");
            let key = |key: u8| {
                let phase = f32::from(key) / 60.0 * std::f32::consts::TAU;
                let degrees = most * (1.0 - phase.cos()) / 2.0;
                let value = Quat::from_axis_angle(axis, degrees.to_radians());
                // Files may hold either of the two quaternions.
                Keyframe {
                    time: f32::from(key) / 30.0,
                    value: if key % 7 == 3 { -value } else { value },
                    tangents: None,
                }
            };
            let keyframes = (0..=60).map(key).collect();
            Channel { joint_index, interpolation: Interpolation::Linear, keyframes }
        };
        AnimationClip {
            name: name.into(),
            duration: 2.0,
            rotation_channels: (0..11).map(channel).collect(),
            ..AnimationClip::default()
        }
    };
    let clips = vec![clip("still", 0.0), clip("half", 200.0), clip("far", 250.0)];
    Cast { skeleton, clips, detour: 2.0 }
}

/// How far two poses of a joint are apart: radians, and the length of the translation.
pub fn distance(a: &JointPose, b: &JointPose) -> [f64; 2] {
    let turn: DQuat = a.1.as_dquat().conjugate() * b.1.as_dquat();
    [2.0 * turn.xyz().length().atan2(turn.w.abs()), a.0.as_dvec3().distance(b.0.as_dvec3())]
}

/// What the clips do by themselves, joint by joint.
pub struct Pace {
    /// The furthest that any clip moves in a frame: radians, length.
    pub fastest: Vec<[f64; 2]>,
    /// The largest change of the velocity (per second) from one frame to the next.
    pub jolt: Vec<[f64; 2]>,
    /// The largest distance of any two poses.
    pub reach: Vec<[f64; 2]>,
}

impl Pace {
    /// Looks at all clips, at up to `speed` times their own.
    pub fn of(cast: &Cast, speed: f64) -> Self {
        let joints = cast.skeleton.joints.len();
        let mut pace =
            Self { fastest: vec![[0.0; 2]; joints], jolt: vec![[0.0; 2]; joints], reach: vec![[0.0; 2]; joints] };
        let mut poses = vec![cast.skeleton.bind_pose()];
        for (index, clip) in cast.clips.iter().enumerate() {
            let is_looping = cast.loops(index);
            let mut last = [cast.skeleton.bind_pose(), cast.skeleton.bind_pose()];
            let mut pose = cast.skeleton.bind_pose();
            // Finer than a frame, so that keys are hit from all sides.
            let parts = 4;
            let frames = (f64::from(clip.duration) / FRAME / speed * f64::from(parts)).ceil() as u32;
            for frame in 0..=frames {
                let start = f64::from(frame) / f64::from(parts) * FRAME * speed;
                for (step, out) in last.iter_mut().chain([&mut pose]).enumerate() {
                    let time = start + step as f64 * FRAME * speed;
                    let duration = f64::from(clip.duration);
                    let time = if is_looping { time % duration } else { time.min(duration) };
                    sample_pose(clip, &cast.skeleton, time as f32, out);
                }
                for joint in 0..joints {
                    let (before, after) = (distance(&last[0][joint], &last[1][joint]), rates(&last, &pose, joint));
                    for part in 0..2 {
                        pace.fastest[joint][part] = pace.fastest[joint][part].max(before[part]);
                        pace.jolt[joint][part] = pace.jolt[joint][part].max(after[part]);
                    }
                }
                if frame % (frames / 40).max(1) == 0 {
                    poses.push(pose.clone());
                }
            }
        }
        for (index, a) in poses.iter().enumerate() {
            for b in &poses[index..] {
                for (reach, (a, b)) in pace.reach.iter_mut().zip(a.iter().zip(b)) {
                    let distance = distance(a, b);
                    *reach = [reach[0].max(distance[0] * cast.detour), reach[1].max(distance[1])];
                }
            }
        }
        pace
    }
}

/// The changes of angular velocity and velocity over three frames, per second.
fn rates(last: &[Vec<JointPose>; 2], pose: &[JointPose], joint: usize) -> [f64; 2] {
    velocity_change(&last[0][joint], &last[1][joint], &pose[joint])
}

/// The change of angular velocity and of velocity (per second) between two steps of a frame each.
pub fn velocity_change(a: &JointPose, b: &JointPose, c: &JointPose) -> [f64; 2] {
    let turn = |from: &JointPose, to: &JointPose| {
        let turn = to.1.as_dquat() * from.1.as_dquat().conjugate();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        turn.to_scaled_axis() / FRAME
    };
    let step = |from: &JointPose, to: &JointPose| -> DVec3 { (to.0.as_dvec3() - from.0.as_dvec3()) / FRAME };
    [turn(a, b).distance(turn(b, c)), step(a, b).distance(step(b, c))]
}
