//! The result as a table.

use nebula_animation::compile::Isa;

use super::processor::processor;
use super::report::{WorkloadReport, build};

/// What comes before the first workload.
pub fn head(isa: Isa) -> String {
    let mut head =
        format!("{}\nevaluating with {isa}, {} build; ns per joint and frame, 5th percentile\n", processor(), build());
    if cfg!(debug_assertions) {
        head += "NOTE: a debug build says nothing about speed: use cargo run --release\n";
    }
    // A set that the machine lacks is replaced; whoever asked for it should know.
    if let Ok(wanted) = std::env::var("NEBULA_SIMD")
        && !wanted.is_empty()
        && !wanted.eq_ignore_ascii_case(&isa.to_string())
    {
        head += &format!("NOTE: NEBULA_SIMD={} is not available here\n", wanted.escape_debug());
    }
    head += "\nworkload              characters   plain    fast   ratio  target  sample  layers  palette  clip bytes  off by\n";
    head
}

/// One workload.
pub fn line(report: &WorkloadReport) -> String {
    let stage = |time: Option<f64>| time.map_or_else(|| "-".to_owned(), |time| format!("{time:.2}"));
    format!(
        "{:<21} {:>10} {:>7.2} {:>7.2} {:>6.1}x {:>6}x {:>7} {:>7} {:>8} {:>11}  {:.0e}{}\n",
        report.name,
        report.characters,
        report.reference_ns_per_joint,
        report.ns_per_joint,
        report.ratio,
        report.target_ratio,
        stage(report.stages.sample.or(report.stages.mixer)),
        stage(report.stages.layers),
        stage(report.stages.palette),
        report.clip_bytes,
        report.max_difference,
        if report.is_reached() { "" } else { "  MISSED" }
    )
}

/// What comes after the last workload.
pub fn foot(workloads: &[WorkloadReport]) -> String {
    let reached = workloads.iter().filter(|workload| workload.is_reached()).count();
    format!("\n{reached} of {} targets reached\n", workloads.len())
}
