//! `bench`: how long a pose takes, against the plain path in the same run.
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
#[derive(Debug, Clone)]
pub struct Options {
    /// Print JSON instead of a table.
    pub is_json: bool,
    /// Seconds for each workload.
    pub seconds: f64,
    /// A few repetitions only: shows that everything runs, not how fast.
    pub is_quick: bool,
    /// Names of workloads; all of them where there is none.
    pub workloads: Vec<&'static str>,
}

/// The workload that is called so; the error lists all names.
pub(crate) fn workload_name(name: &str) -> Result<&'static str, String> {
    let names: Vec<_> = workload::plans().iter().map(|plan| plan.name).collect();
    let found = names.iter().find(|known| **known == name);
    found.copied().ok_or_else(|| format!("expected one of {}", names.join(", ")))
}

/// Measures all workloads and prints the result.
pub(crate) fn run(options: &Options) -> Result<ExitCode, String> {
    let effort = if options.is_quick { Effort::quick() } else { Effort::of_seconds(options.seconds) };
    let isa = Isa::best();
    if !options.is_json {
        print(&table::head(isa))?;
    }
    let mut workloads = Vec::new();
    let is_wanted = |name| options.workloads.is_empty() || options.workloads.contains(&name);
    for plan in workload::plans().into_iter().filter(|plan| is_wanted(plan.name)) {
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
