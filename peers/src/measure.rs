//! Timing and checking: all runtimes of a workload in turn, many times over.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use crate::scene::{Expected, FRAME_SECS, Fade, Playing, Runtime, Scene};

/// How far a runtime may be from the plain path, in any component of a rotation, position or matrix. Lengths are metres.
const LARGEST_DIFFERENCE: f32 = 1e-3;

/// Which of the sorted times counts, as in `nebula-demo bench`.
const PERCENT: usize = 5;

/// Fewest repetitions, whatever time they take.
const FEWEST: usize = 5;

/// How often a runtime is checked before it is timed.
const CHECKS: usize = 5;

/// Frames from one such check to the next, at most: together a pass of the walk.
const CHECK_FRAMES: usize = 17;

/// Characters that are checked; a prime step, so that they are spread over the crowd.
const CHECK_STEP: usize = 37;

/// What came out for one runtime.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    /// Nanoseconds per joint and frame.
    pub wall: f64,
    /// The same by the clock of this thread, which stands while others have the core.
    pub cpu: f64,
    pub repetitions: usize,
    /// The largest difference to the plain path.
    pub difference: f32,
}

/// A runtime under test and what became of it so far.
struct Turn<'a> {
    runtime: &'a mut dyn Runtime,
    frames: usize,
    wall: Vec<Duration>,
    cpu: Vec<Duration>,
    difference: f32,
}

/// Times repetitions of `frames` frames of each runtime in turn, for about `seconds` in all.
///
/// Fails where a runtime does not show what it should: at several times before the first measurement, or after the last.
pub fn measure(
    scene: &Scene,
    runtimes: &mut [(&'static str, Box<dyn Runtime>)],
    frames: usize,
    seconds: f64,
) -> Result<Vec<Measured>, String> {
    let mut turns = Vec::new();
    for (name, runtime) in runtimes {
        let mut turn = Turn { runtime: &mut **runtime, frames: 0, wall: Vec::new(), cpu: Vec::new(), difference: 0.0 };
        for _ in 0..CHECKS {
            // A crowd has all times of a pass in each frame.
            turn.run(frames.clamp(3, CHECK_FRAMES));
            turn.check(scene).map_err(|fault| format!("{name}: {fault}"))?;
        }
        turns.push((*name, turn));
    }
    let start = Instant::now();
    let mut repetitions = 0;
    while repetitions < FEWEST || start.elapsed().as_secs_f64() < seconds {
        for (_, turn) in &mut turns {
            // The one before has filled the caches with its own.
            turn.run(1);
            let (wall, cpu) = (Instant::now(), ThreadTime::now());
            turn.run(frames);
            turn.cpu.push(cpu.elapsed());
            turn.wall.push(wall.elapsed());
        }
        repetitions += 1;
    }
    let joints = (frames * scene.starts.len() * scene.joint_count()) as f64;
    let mut measured = Vec::new();
    for (name, mut turn) in turns {
        turn.check(scene).map_err(|fault| format!("{name}: {fault}"))?;
        measured.push(Measured {
            wall: percentile(&mut turn.wall).as_secs_f64() * 1e9 / joints,
            cpu: percentile(&mut turn.cpu).as_secs_f64() * 1e9 / joints,
            repetitions,
            difference: turn.difference,
        });
    }
    Ok(measured)
}

impl Turn<'_> {
    fn run(&mut self, frames: usize) {
        for _ in 0..frames {
            self.runtime.frame();
        }
        self.frames += frames;
    }

    /// Compares clock and result of some characters: nothing idle or wrong is reported as fast.
    fn check(&mut self, scene: &Scene) -> Result<(), String> {
        for (character, start) in scene.starts.iter().enumerate().step_by(CHECK_STEP) {
            let shown = self.runtime.shown(character);
            let due = start.after(scene, self.frames as f64 * FRAME_SECS);
            // One frame early or late is a matter of taste; clocks of 32 bits lose some of each frame.
            let late = 1.5 * FRAME_SECS + self.frames as f64 * 1e-7;
            if !(clocks_apart(scene, shown, due) <= late) {
                return Err(format!("character {character} is at {shown:?} instead of {due:?}"));
            }
            let difference = self.runtime.difference(character, &Expected::new(scene, shown));
            self.difference = self.difference.max(difference);
            if !(difference <= LARGEST_DIFFERENCE) {
                return Err(format!("character {character} is {difference:.1e} off the plain path"));
            }
        }
        Ok(())
    }
}

/// Seconds between two states; infinite where one fades and the other does not, or the weights differ.
fn clocks_apart(scene: &Scene, a: Playing, b: Playing) -> f64 {
    let circular = |a: f64, b: f64, duration: f32| {
        let ahead = (a - b).rem_euclid(f64::from(duration));
        ahead.min(f64::from(duration) - ahead)
    };
    let walk = circular(a.walk, b.walk, scene.walk.duration);
    match (a.fade, b.fade) {
        (None, None) => walk,
        (Some(Fade { jog: a, weight }), Some(b)) if (weight - b.weight).abs() < 1e-6 => {
            walk.max(circular(a, b.jog, scene.jog.duration))
        }
        _ => f64::INFINITY,
    }
}

/// The 5th percentile by nearest rank: the smallest time that at least 5 % of the times do not exceed.
fn percentile(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    let rank = (times.len() * PERCENT).div_ceil(100);
    times.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}
