//! `bench`: how long a pose takes, beside the plain path in the same run.
//!
//! A workload does the same work in two ways and is timed and compared by `measure`; a new one implements
//! `workload::Workload` and gets its line in `workload::plans`. `docs/benchmarks.md` says what the figures mean.

mod measure;
/// The reference: the algorithm as one would write it down.
pub mod plain;
mod processor;
mod report;
/// The character of the benchmarks.
pub mod rig;
mod table;
mod workload;

use std::process::ExitCode;

use nebula_animation::compile::Isa;

use crate::tool::print;
use measure::Effort;
use report::{Report, WorkloadReport};

/// How `bench` is run.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Print JSON instead of a table.
    pub is_json: bool,
    /// Seconds for each workload.
    pub seconds: f64,
    /// A few repetitions only: shows that everything runs, not how fast.
    pub is_quick: bool,
}

/// Measures all workloads and prints the result.
pub(crate) fn run(options: Options) -> Result<ExitCode, String> {
    let effort = if options.is_quick { Effort::quick() } else { Effort::of_seconds(options.seconds) };
    let isa = Isa::best();
    if !options.is_json {
        print(&table::head(isa))?;
    }
    let mut workloads = Vec::new();
    for plan in workload::plans() {
        let mut workload = plan.build().map_err(|error| format!("{}: {error}", plan.name))?;
        let measured = measure::measure(&mut *workload, effort).map_err(|fault| format!("{}: {fault}", plan.name))?;
        let report = WorkloadReport::new(&plan, &*workload, &measured);
        if !options.is_json {
            print(&table::line(&report))?;
        }
        workloads.push(report);
    }
    if options.is_json {
        let report = Report::new(isa, workloads);
        let json = serde_json::to_string_pretty(&report).map_err(|error| format!("cannot write JSON: {error}"))?;
        print(&format!("{json}\n"))
    } else {
        print(&table::foot(&workloads))
    }
}
