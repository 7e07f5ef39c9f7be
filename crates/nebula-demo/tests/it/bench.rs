//! `bench`: that everything is measured and agrees with the plain path. Times decide nothing here.

use serde_json::Value;

use crate::corpus::run;

/// The workloads of every build, in order.
const NAMES: [&str; 19] = [
    "sequential",
    "seek",
    "crowd-1000",
    "crowd-10000",
    "crowd-10000-read",
    "cross-fade-1000",
    "ecs-1000",
    "dense-sequential",
    "dense-crowd-1000",
    "irregular-sequential",
    "irregular-crowd-1000",
    "compressed-sequential",
    "compressed-seek",
    "compressed-crowd-1000",
    "mixed-1000",
    "morph-100",
    "full-32",
    "full-1000",
    "feet-1000",
];

fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn number(object: &Value, field: &str) -> f64 {
    let number = object[field].as_f64().unwrap_or_else(|| panic!("{field} of {object}"));
    assert!(number.is_finite() && number >= 0.0, "{field} of {object}");
    number
}

#[test]
fn json_has_every_workload_and_results_agree() {
    let report: Value = serde_json::from_str(&stdout(&["bench", "--json", "--quick"])).expect("JSON");
    assert!(!report["processor"].as_str().expect("a name").is_empty());
    assert!(
        ["scalar", "sse2", "avx2", "avx512", "neon", "simd128"].contains(&report["simd"].as_str().expect("a name"))
    );
    let workloads = report["workloads"].as_array().expect("workloads");
    let names: Vec<_> = workloads.iter().map(|workload| workload["name"].as_str().expect("a name")).collect();
    assert!(NAMES.iter().all(|name| names.contains(name)), "{names:?}");
    for threaded in ["crowd-10000-threads", "full-1000-threads"] {
        assert_eq!(names.contains(&threaded), cfg!(feature = "parallel"), "{threaded}");
    }

    for workload in workloads {
        let name = workload["name"].as_str().expect("a name");
        let characters = name.split('-').find_map(|part| part.parse().ok()).unwrap_or(1);
        assert_eq!(workload["characters"], characters, "{name}");
        assert_eq!(workload["joints"], 67, "{name}");
        for field in ["ns_per_joint", "reference_ns_per_joint", "ratio"] {
            assert!(number(workload, field) > 0.0, "{field} of {name}");
        }
        for field in ["stages", "reference_stages"] {
            assert!(number(&workload[field], "total") > 0.0, "{field} of {name}");
            for part in ["sample", "mixer", "layers", "palette"] {
                assert!(workload[field][part].is_null() || number(&workload[field], part) >= 0.0, "{name}");
            }
        }
        let exact = if name.starts_with("compressed") { 1e-2 } else { 1e-5 };
        assert!(number(workload, "max_difference") <= exact, "{name}");
        assert!(number(workload, "worst_error") <= exact, "{name}");
        assert!(number(workload, "clip_bytes") <= number(workload, "authored_bytes"), "{name}");
    }
}

#[test]
fn the_table_has_a_line_for_every_workload() {
    let table = stdout(&["bench", "--quick"]);
    for name in NAMES {
        assert_eq!(table.lines().filter(|line| line.split(' ').next() == Some(name)).count(), 1, "{name}: {table}");
    }
}

/// Of whole characters, the report says where the time goes; and one workload can be had alone.
#[test]
fn one_workload_can_be_had_alone() {
    let report: Value =
        serde_json::from_str(&stdout(&["bench", "--json", "--quick", "--workload", "full-32"])).expect("JSON");
    let workloads = report["workloads"].as_array().expect("workloads");
    assert_eq!(workloads.len(), 1);
    for part in ["mixer", "layers", "palette"] {
        number(&workloads[0]["stages"], part);
    }
    let refused = run(&["bench", "--quick", "--workload", "fool-32"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("full-32"), "names are listed");
}

#[test]
fn impossible_durations_are_refused() {
    for seconds in ["0", "-1", "NaN", "inf", "1e9", "soon"] {
        assert_eq!(run(&["bench", &format!("--seconds={seconds}")]).status.code(), Some(2), "{seconds}");
    }
    assert_eq!(run(&["bench", "--quick", "--seconds=1"]).status.code(), Some(2));
}
