//! The feet of our own humanoid and of characters that nobody here made, on grounds of every kind: soles are mesh vertices, and every figure is
//! one against what the clip does by itself on level ground.
//!
//! `cargo test -p nebula-animation --test it feet::table -- --nocapture --ignored` prints all of it, at 30, 60 and 144 frames a second.

mod judge;
mod open;
mod run;
mod stage;

use judge::{Figures, figures, stances};
use run::{Ground, Run};
use stage::{Stage, everybody};

use crate::determinism::corpus;

/// The last two of stairs are kerbs, 3 m apart.
const GROUNDS: [(&str, Ground); 13] = [
    ("level", Ground::Slope(0.0)),
    ("10 up", Ground::Slope(10.0)),
    ("20 up", Ground::Slope(20.0)),
    ("30 up", Ground::Slope(30.0)),
    ("10 down", Ground::Slope(-10.0)),
    ("20 down", Ground::Slope(-20.0)),
    ("30 down", Ground::Slope(-30.0)),
    ("stairs up", Ground::Stairs(0.15, 0.3)),
    ("stairs down", Ground::Stairs(-0.15, 0.3)),
    ("kerbs up", Ground::Stairs(0.15, 3.0)),
    ("kerbs down", Ground::Stairs(-0.15, 3.0)),
    ("lift, 0.5 m/s", Ground::Lift(0.5)),
    ("lift, 3 m/s", Ground::Lift(3.0)),
];

/// How long everybody walks.
const SECONDS: f64 = 9.0;

/// In the order of [`Figures::NAMES`]: millimetres, and multiples of the clip's own. On a lift nothing floats more than it sinks.
fn limits(ground: Ground) -> [f32; 6] {
    let float = if matches!(ground, Ground::Lift(_)) { 10.0 } else { 15.0 };
    [2.0, 10.0, 10.0, float, 1.5, 3.0]
}

/// Which figures are beyond their limits, each with its value.
fn faults(figures: &Figures, ground: Ground) -> Vec<(&'static str, f32)> {
    let each = Figures::NAMES.into_iter().zip(figures.all()).zip(limits(ground));
    each.filter(|((_, value), limit)| value > limit).map(|(named, _)| named).collect()
}

/// The worst figures of a character on each ground.
fn measure(stage: &Stage, rates: &[u16], seconds: f64) -> Vec<(&'static str, Ground, Figures)> {
    let owns: Vec<Run> = rates.iter().map(|&rate| Run::of(stage, rate, seconds, Ground::Slope(0.0), false)).collect();
    let on = |(name, ground): (&'static str, Ground)| {
        let each = owns
            .iter()
            .zip(rates)
            .map(|(own, &rate)| figures(own, &stances(own), &Run::of(stage, rate, seconds, ground, true)));
        (name, ground, each.fold(Figures::default(), |worst, figures| worst.worse(&figures)))
    };
    GROUNDS.into_iter().map(on).collect()
}

/// What holds goes on holding: a figure that is no longer in its limit is a fault, unless it is one that never was.
#[test]
fn feet_do_on_every_ground_what_they_did() {
    let folder = corpus("feet::table::feet_do_on_every_ground_what_they_did");
    let mut faulty = Vec::new();
    for stage in everybody(folder.as_deref()) {
        for (name, ground, figures) in measure(&stage, &[60], SECONDS) {
            let is_here =
                |open: &&(&str, &str, &str, &str)| (open.0, open.1, open.2) == (&*stage.name, &*stage.clip, name);
            let known = open::OPEN.iter().find(is_here).map_or("", |open| open.3);
            for (figure, value) in faults(&figures, ground) {
                if !known.contains(&figure[..1]) {
                    faulty.push(format!("{}, {}, {name}: {figure} {value:.1}", stage.name, stage.clip));
                }
            }
        }
    }
    assert!(faulty.is_empty(), "{}", faulty.join("\n"));
}

/// For people: all figures, those beyond their limits marked.
#[test]
#[ignore = "prints a table and takes minutes"]
fn the_whole_table() {
    let folder = corpus("feet::table::the_whole_table");
    let mut count = 0;
    for stage in everybody(folder.as_deref()) {
        println!("{}, {}", stage.name, stage.clip);
        for (name, ground, figures) in measure(&stage, &[30, 60, 144], SECONDS) {
            let faulty = faults(&figures, ground);
            count += faulty.len();
            let said: Vec<String> = faulty.iter().map(|(figure, value)| format!("{figure} {value:.1}")).collect();
            println!("    {name:14} {:8.2?} {}", figures.all(), said.join(", "));
        }
    }
    println!("{count} figures are beyond their limits");
}
