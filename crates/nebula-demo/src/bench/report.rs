//! The result as JSON.

use nebula_animation::compile::Isa;
use serde::Serialize;

use super::measure::Measured;
use super::processor::processor;
use super::workload::{Plan, Stage, Workload};

/// All of it.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The name of the processor.
    pub processor: String,
    /// The instruction set in use.
    pub simd: String,
    /// `release` or `debug`; the figures of the latter say nothing.
    pub build: &'static str,
    pub workloads: Vec<WorkloadReport>,
}

/// One workload. Times are nanoseconds per joint and frame, the 5th percentile of all repetitions.
#[derive(Debug, Serialize)]
pub struct WorkloadReport {
    pub name: &'static str,
    pub characters: usize,
    /// Of each character.
    pub joints: usize,
    pub ns_per_joint: f64,
    /// The plain path in the same run.
    pub reference_ns_per_joint: f64,
    /// How many times as fast as the plain path.
    pub ratio: f64,
    /// The ratio to reach.
    pub target_ratio: f64,
    pub stages: Stages,
    pub reference_stages: Stages,
    pub repetitions: usize,
    /// The largest difference to the plain path in any component of any matrix.
    pub max_difference: f32,
    /// The clips as compiled for palettes.
    pub clip_bytes: usize,
    /// The clips' keys as flat floats.
    pub authored_bytes: usize,
    /// The largest error of a local pose, relative.
    pub worst_error: f32,
}

/// Parts of a path that were timed by themselves. They need not add up: the fast path goes to palettes without the local
/// poses that `sample` writes and `palette` reads.
#[derive(Debug, Serialize)]
pub struct Stages {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<f64>,
    /// Of whole characters: what plays, from time to the pose in lanes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mixer: Option<f64>,
    /// Of whole characters: what bends the pose, which is the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub palette: Option<f64>,
    pub total: f64,
}

impl Report {
    pub fn new(isa: Isa, workloads: Vec<WorkloadReport>) -> Self {
        Self { processor: processor(), simd: isa.to_string(), build: build(), workloads }
    }
}

/// How this program was built.
pub fn build() -> &'static str {
    if cfg!(debug_assertions) { "debug" } else { "release" }
}

impl WorkloadReport {
    pub fn new(plan: &Plan, workload: &dyn Workload, measured: &Measured) -> Self {
        let get = |stage| measured.get(stage).map(thousandths);
        let (fast, plain) = (measured.get(Stage::Fast).unwrap_or(0.0), measured.get(Stage::Plain).unwrap_or(0.0));
        let plain_sample = measured.get(Stage::PlainSample);
        let rest = measured.get(Stage::Mixer).zip(measured.get(Stage::Palette));
        let rest = rest.map(|(mixer, palette)| (fast - mixer - palette).max(0.0));
        let clip = workload.clip();
        Self {
            name: plan.name,
            characters: workload.characters(),
            joints: workload.joints(),
            ns_per_joint: thousandths(fast),
            reference_ns_per_joint: thousandths(plain),
            // A clock too coarse to see the work gives no ratio; JSON has no infinity.
            ratio: if fast > 0.0 { thousandths(plain / fast) } else { 0.0 },
            target_ratio: plan.target,
            stages: Stages {
                sample: get(Stage::Sample),
                mixer: get(Stage::Mixer),
                layers: rest.map(thousandths),
                palette: get(Stage::Palette),
                total: thousandths(fast),
            },
            reference_stages: Stages {
                sample: plain_sample.map(thousandths),
                mixer: None,
                layers: None,
                palette: plain_sample.map(|sample| thousandths((plain - sample).max(0.0))),
                total: thousandths(plain),
            },
            repetitions: measured.repetitions,
            max_difference: measured.difference,
            clip_bytes: clip.bytes,
            authored_bytes: clip.authored_bytes,
            worst_error: clip.worst_error,
        }
    }

    pub fn is_reached(&self) -> bool {
        self.ratio >= self.target_ratio
    }
}

/// More digits than a clock can tell are noise.
fn thousandths(number: f64) -> f64 {
    (number * 1e3).round() / 1e3
}
