use std::hint::black_box;
use std::sync::Arc;

use nebula_animation::palette::ClipAt;
use nebula_animation::{JointPose, Rig, compile::CompiledClip, palette::Evaluator};

use crate::scene::{Expected, FRAME_SECS, Playing, Runtime, Scene, positions_apart, rotations_apart};

/// Local poses only, to set beside a runtime that stops there.
pub struct LocalPoses {
    scene: Scene,
    rig: Arc<Rig>,
    walk: CompiledClip,
    jog: CompiledClip,
    evaluator: Evaluator,
    playing: Vec<Playing>,
    poses: Vec<JointPose>,
}

impl LocalPoses {
    pub const SCOPE: &str = "sampling only, by Evaluator::pose and blended_pose, to local poses";

    pub fn new(scene: Scene) -> Self {
        let rig = Rig::new(&scene.skeleton);
        Self {
            walk: CompiledClip::new(&rig, &scene.walk),
            jog: CompiledClip::new(&rig, &scene.jog),
            rig,
            evaluator: Evaluator::new(),
            playing: scene.starts.clone(),
            poses: scene.skeleton.bind_pose().repeat(scene.starts.len()),
            scene,
        }
    }
}

impl Runtime for LocalPoses {
    fn frame(&mut self) {
        let Self { scene, rig, walk, jog, evaluator, playing, poses } = self;
        for (playing, pose) in playing.iter_mut().zip(poses.chunks_mut(scene.joint_count())) {
            *playing = playing.after(scene, FRAME_SECS);
            let from = ClipAt { clip: &*walk, time: playing.walk as f32 };
            match playing.fade {
                Some(fade) => {
                    let to = ClipAt { clip: &*jog, time: fade.jog as f32 };
                    evaluator.blended_pose(rig, from, to, fade.weight, pose);
                }
                None => evaluator.pose(rig, from.clip, from.time, pose),
            }
        }
        black_box(poses);
    }

    fn shown(&self, character: usize) -> Playing {
        self.playing[character]
    }

    fn difference(&self, character: usize, expected: &Expected) -> f32 {
        let joints = self.scene.joint_count();
        let pairs = self.poses[character * joints..][..joints].iter().zip(&expected.pose);
        let apart = |(a, b): (&JointPose, &JointPose)| rotations_apart(a.1, b.1).max(positions_apart(a.0, b.0));
        pairs.map(apart).fold(0.0, f32::max)
    }
}
