use std::hint::black_box;

use glam::Mat4;
use nebula_animation::{
    JointPose,
    palette::{Evaluator, PaletteRows},
};

use super::{ClipFacts, Scene, Stage, Workload, difference};
use crate::bench::plain::{Plain, PlainLayer};

/// Frames of one repetition: long beside the clock's grain, and too many random times for branch prediction to learn.
const FRAMES: usize = 1_024;

/// In which order a clip's times are visited.
#[derive(Debug, Clone, Copy)]
pub enum Order {
    /// 60 frames a second, in a loop.
    Sequential,
    /// At random.
    Seek,
}

/// One character, frame after frame.
pub struct SingleWorkload {
    scene: Scene,
    /// The time of each frame.
    times: Vec<f32>,
    plain: Plain,
    matrices: Vec<Mat4>,
    evaluator: Evaluator,
    pose: Vec<JointPose>,
    rows: Vec<PaletteRows>,
}

impl SingleWorkload {
    pub fn new(scene: Scene, order: Order) -> Self {
        Self {
            times: times(order, scene.walk.authored.duration),
            plain: Plain::new(&scene.skeleton),
            matrices: vec![Mat4::IDENTITY; scene.joint_count()],
            evaluator: Evaluator::new(),
            pose: scene.skeleton.bind_pose(),
            rows: vec![PaletteRows::IDENTITY; scene.joint_count()],
            scene,
        }
    }

    fn frame(&mut self, stage: Stage, time: f32) {
        let Self { scene, plain, matrices, evaluator, pose, rows, .. } = self;
        match stage {
            Stage::Plain => {
                plain.sample(&scene.skeleton, PlainLayer { clip: &scene.walk.authored, time });
                plain.palette(&scene.skeleton, matrices);
                black_box(matrices);
            }
            Stage::PlainSample => {
                plain.sample(&scene.skeleton, PlainLayer { clip: &scene.walk.authored, time });
                black_box(&mut plain.pose);
            }
            Stage::Fast => {
                evaluator.palette_rows(&scene.rig, scene.bound(&scene.walk), time, rows);
                black_box(rows);
            }
            Stage::Sample => {
                evaluator.pose(&scene.rig, scene.local(&scene.walk), time, pose);
                black_box(pose);
            }
            Stage::Palette => {
                evaluator.palette_rows_of_pose(&scene.rig, black_box(pose), rows);
                black_box(rows);
            }
            Stage::Mixer => {}
        }
    }
}

impl Workload for SingleWorkload {
    fn characters(&self) -> usize {
        1
    }

    fn joints(&self) -> usize {
        self.scene.joint_count()
    }

    fn frames(&self) -> usize {
        FRAMES
    }

    fn stages(&self) -> &'static [Stage] {
        &[Stage::Plain, Stage::Fast, Stage::PlainSample, Stage::Sample, Stage::Palette]
    }

    fn run(&mut self, stage: Stage, slice: usize) {
        for frame in stage.range(slice, FRAMES) {
            let time = self.times[frame];
            self.frame(stage, black_box(time));
        }
    }

    fn difference(&mut self) -> f32 {
        // Only the last frame of a run is left to look at: evaluate each once more.
        let mut worst = 0.0_f32;
        for frame in 0..FRAMES {
            let time = self.times[frame];
            self.frame(Stage::Plain, time);
            self.frame(Stage::Fast, time);
            worst = worst.max(difference(&self.matrices, &self.rows));
        }
        worst
    }

    fn allowed_difference(&self) -> f32 {
        self.scene.allowed_difference()
    }

    fn clip(&self) -> ClipFacts {
        self.scene.facts(&[&self.scene.walk])
    }
}

fn times(order: Order, duration: f32) -> Vec<f32> {
    // Knuth's 64-bit linear congruential generator; the upper bits are the good ones.
    let mut state = 1_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32
    };
    (0..FRAMES)
        .map(|frame| match order {
            Order::Sequential => (frame as f32 / 60.0) % duration,
            Order::Seek => random() * duration,
        })
        .collect()
}
