//! The result for programs and for people.

use serde::Serialize;

use crate::CONTENDERS;
use crate::measure::Measured;

#[derive(Debug, Serialize)]
pub struct Report {
    pub simd: String,
    /// `release` or `debug`; the figures of the latter say nothing.
    pub build: &'static str,
    pub workloads: Vec<WorkloadReport>,
}

#[derive(Debug, Serialize)]
pub struct WorkloadReport {
    pub name: &'static str,
    pub characters: usize,
    pub joints: usize,
    pub runtimes: Vec<RuntimeReport>,
}

/// Times are nanoseconds per joint and frame, the 5th percentile of all repetitions.
#[derive(Debug, Serialize)]
pub struct RuntimeReport {
    pub name: &'static str,
    pub scope: &'static str,
    pub ns_per_joint: f64,
    pub cpu_ns_per_joint: f64,
    pub repetitions: usize,
    pub max_difference: f32,
}

impl RuntimeReport {
    pub fn new(name: &'static str, measured: Measured) -> Self {
        let Measured { wall, cpu, repetitions, difference } = measured;
        let scope = CONTENDERS.iter().find(|contender| contender.name == name).map_or("", |contender| contender.scope);
        // More digits than a clock can tell are noise.
        let [ns_per_joint, cpu_ns_per_joint] = [wall, cpu].map(|time| (time * 1e3).round() / 1e3);
        Self { name, scope, ns_per_joint, cpu_ns_per_joint, repetitions, max_difference: difference }
    }
}

/// The result for people.
pub fn table(report: &Report) -> String {
    let Report { simd, build, workloads } = report;
    let mut text =
        format!("nebula evaluates with {simd}, {build} build; one thread; ns per joint and frame, 5th percentile");
    text += ": wall clock (time on a core)\n\n";
    text += &format!("{:<23}", "runtime");
    workloads.iter().for_each(|workload| text += &format!("{:>21}", workload.name));
    text += "  off by\n";
    for contender in &CONTENDERS {
        text += &format!("{:<23}", contender.name);
        let mut worst = 0.0_f32;
        for workload in workloads {
            let found = workload.runtimes.iter().find(|runtime| runtime.name == contender.name);
            worst = found.map_or(worst, |runtime| worst.max(runtime.max_difference));
            let times = |it: &RuntimeReport| format!("{:.2} ({:.2})", it.ns_per_joint, it.cpu_ns_per_joint);
            text += &format!("{:>21}", found.map_or("-".to_owned(), times));
        }
        text += &format!("  {worst:.0e}\n");
    }
    text += "\nwhat the figures stand for\n";
    CONTENDERS.iter().for_each(|contender| text += &format!("  {:<23}{}\n", contender.name, contender.scope));
    let repetitions: Vec<_> = workloads.iter().filter_map(|workload| workload.runtimes.first()).collect();
    let repetitions: Vec<_> = repetitions.iter().map(|runtime| runtime.repetitions.to_string()).collect();
    text + &format!("repetitions of each: {}", repetitions.join(", "))
}
