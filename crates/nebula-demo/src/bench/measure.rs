//! Timing: all stages of a workload in turn, repeated many times.

use std::time::{Duration, Instant};

use super::workload::{Stage, Workload};

/// Which of the sorted times counts: low enough to leave out what other programs took, not the one lucky run.
const PERCENT: usize = 5;

/// How often a workload is repeated.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    time: Duration,
    fewest: usize,
}

impl Effort {
    /// As often as fits into this many seconds.
    pub fn of_seconds(seconds: f64) -> Self {
        Self { time: Duration::from_secs_f64(seconds), fewest: 5 }
    }

    /// As little as possible.
    pub fn quick() -> Self {
        Self { time: Duration::ZERO, fewest: 2 }
    }
}

/// What came out.
#[derive(Debug)]
pub struct Measured {
    /// Nanoseconds per joint of each stage.
    pub stages: Vec<(Stage, f64)>,
    /// How often each stage was run.
    pub repetitions: usize,
    /// The largest difference between the results of the two paths.
    pub difference: f32,
}

impl Measured {
    /// Nanoseconds per joint, if the stage was measured.
    pub fn get(&self, stage: Stage) -> Option<f64> {
        self.stages.iter().find(|(other, _)| *other == stage).map(|(_, nanoseconds)| *nanoseconds)
    }
}

/// Times each stage of a workload in turn, so that all of them meet the machine in the same state.
///
/// Fails where the two paths do not agree, before the first measurement or after the last: wrong results are never
/// reported as fast.
pub fn measure(workload: &mut dyn Workload, effort: Effort) -> Result<Measured, String> {
    let stages = workload.stages();
    let slices: Vec<_> =
        stages.iter().flat_map(|&stage| (0..stage.slices()).map(move |slice| (stage, slice))).collect();
    for &(stage, slice) in &slices {
        workload.run(stage, slice); // Warms caches and buffers.
    }
    let before = agreement(workload)?;
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); slices.len()];
    let start = Instant::now();
    let mut repetitions = 0;
    while repetitions < effort.fewest || start.elapsed() < effort.time {
        for (&(stage, slice), times) in slices.iter().zip(&mut times) {
            let start = Instant::now();
            workload.run(stage, slice);
            times.push(start.elapsed());
        }
        repetitions += 1;
    }
    let after = agreement(workload)?;
    let mut stages: Vec<_> = stages.iter().map(|&stage| (stage, 0.0)).collect();
    for ((stage, _), times) in slices.iter().zip(&mut times) {
        let joints = workload.poses(*stage) * workload.joints();
        let nanoseconds = percentile(times).as_secs_f64() * 1e9 / joints as f64;
        stages.iter_mut().filter(|(other, _)| other == stage).for_each(|(_, sum)| *sum += nanoseconds);
    }
    Ok(Measured { stages, repetitions, difference: before.max(after) })
}

/// The largest difference of the two paths; an error where it is too large, or not a number.
fn agreement(workload: &mut dyn Workload) -> Result<f32, String> {
    let (difference, largest) = (workload.difference(), workload.allowed_difference());
    if difference <= largest {
        Ok(difference)
    } else {
        Err(format!("the fast path is {difference:.1e} off the plain path, more than {largest:.0e}"))
    }
}

/// The 5th percentile by nearest rank: the smallest time that at least 5 % of the times do not exceed.
fn percentile(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    let rank = (times.len() * PERCENT).div_ceil(100);
    times.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::workload::ClipFacts;
    use super::*;

    struct Fixed(f32);

    impl Workload for Fixed {
        fn characters(&self) -> usize {
            1
        }
        fn joints(&self) -> usize {
            1
        }
        fn frames(&self) -> usize {
            1
        }
        fn stages(&self) -> &'static [Stage] {
            &[Stage::Plain, Stage::Fast]
        }
        fn run(&mut self, _: Stage, _: usize) {}
        fn difference(&mut self) -> f32 {
            self.0
        }
        fn clip(&self) -> ClipFacts {
            ClipFacts::default()
        }
    }

    #[test]
    fn wrong_results_are_refused() {
        for difference in [1.1e-4, f32::INFINITY, f32::NAN] {
            assert!(measure(&mut Fixed(difference), Effort::quick()).is_err(), "{difference}");
        }
        let measured = measure(&mut Fixed(0.9e-4), Effort::quick()).expect("close enough");
        assert_eq!(measured.repetitions, 2);
        assert!(measured.get(Stage::Fast).is_some() && measured.get(Stage::Sample).is_none());
    }

    #[test]
    fn the_percentile_is_the_nearest_rank() {
        let percentile_of = |count: u64| {
            let mut times: Vec<_> = (1..=count).rev().map(Duration::from_nanos).collect();
            percentile(&mut times).as_nanos()
        };
        assert_eq!([1, 2, 20, 21, 40, 100].map(percentile_of), [1, 1, 1, 2, 2, 5]);
        assert_eq!(percentile(&mut []), Duration::ZERO);
    }
}
