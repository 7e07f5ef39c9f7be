//! Clocks against somebody who walks: one small step after the other in whole numbers, turning and starting over as he
//! meets the ends. He knows nothing of divisions and remainders.

use nebula_animation::{Clock, Marker};

/// One step, in seconds of the clip: exact in `f64`, so that equality can be asked for.
const STEP: f64 = 1.0 / 4.0;

/// All numbers in steps.
#[derive(Debug, Clone, Copy)]
struct Walk {
    start: i64,
    length: i64,
    offset: i64,
    is_backwards: bool,
    repetitions: i32,
    reverse: bool,
    hold: i64,
}

#[derive(Debug, Clone, Copy)]
struct Walker {
    place: i64,
    /// Steps still to hold before the restart.
    holding: i64,
    is_forward: bool,
    pass: i64,
    is_finished: bool,
}

impl Walk {
    fn clock(&self, speed: f64) -> Clock {
        Clock {
            start: self.start as f64 * STEP,
            end: Some((self.start + self.length) as f64 * STEP),
            offset: self.offset as f64 * STEP,
            speed: if self.is_backwards { -speed } else { speed },
            repetitions: self.repetitions,
            reverse: self.reverse,
            hold: self.hold as f64 * STEP,
            restarts_at_end: false,
        }
    }

    fn set_out(&self) -> Walker {
        let is_forward = !self.is_backwards;
        let to_go = if is_forward { self.length - self.offset } else { self.offset };
        let is_finished = self.repetitions == 0 || (self.repetitions == 1 && to_go == 0);
        Walker { place: self.offset, holding: 0, is_forward, pass: 0, is_finished }
    }

    fn end_of(&self, is_forward: bool) -> i64 {
        if is_forward { self.length } else { 0 }
    }

    /// One step on. Standing at the end of a pass, the next one begins with this step.
    fn step(&self, walker: &mut Walker) {
        if walker.is_finished {
            return;
        }
        if walker.place == self.end_of(walker.is_forward) {
            if self.reverse {
                walker.is_forward = !walker.is_forward;
                walker.pass += 1;
            } else if walker.holding < self.hold {
                walker.holding += 1;
                if walker.holding == self.hold {
                    // The restart belongs to the next pass.
                    walker.place = self.end_of(!walker.is_forward);
                    walker.holding = 0;
                    walker.pass += 1;
                }
                return;
            } else {
                walker.place = self.end_of(!walker.is_forward);
                walker.pass += 1;
            }
        }
        walker.place += if walker.is_forward { 1 } else { -1 };
        let is_last = i64::from(self.repetitions) == walker.pass + 1;
        walker.is_finished = is_last && walker.place == self.end_of(walker.is_forward);
    }
}

fn walks() -> impl Iterator<Item = Walk> {
    let lengths = [1, 2, 5];
    lengths.into_iter().flat_map(|length| {
        (0..=length).flat_map(move |offset| {
            [-1, 0, 1, 2, 5].into_iter().flat_map(move |repetitions| {
                [(true, 0), (false, 0), (false, 1), (false, 3)].into_iter().flat_map(move |(reverse, hold)| {
                    [false, true].map(|is_backwards| Walk {
                        start: 3,
                        length,
                        offset,
                        is_backwards,
                        repetitions,
                        reverse,
                        hold,
                    })
                })
            })
        })
    })
}

#[test]
fn clocks_show_what_the_walker_finds() {
    for walk in walks() {
        for speed in [1.0, 0.5, 4.0] {
            let clock = walk.clock(speed);
            let mut walker = walk.set_out();
            for step in 0..60 {
                let total_time = f64::from(step) * STEP / speed;
                let state = clock.at(total_time);
                let context = format!("{walk:?} at {total_time} s: {state:?}, {walker:?}");
                assert_eq!(state.time, (walk.start + walker.place) as f64 * STEP, "{context}");
                assert_eq!(state.is_finished, walker.is_finished, "{context}");
                assert_eq!(state.pass, walker.pass, "{context}");
                if walk.repetitions != 0 {
                    assert_eq!(state.is_forward, walker.is_forward, "{context}");
                }
                walk.step(&mut walker);
            }
            let finishes_at = clock.finishes_at();
            assert_eq!(finishes_at.is_some(), walk.repetitions >= 0, "{walk:?}");
            if let Some(total_time) = finishes_at {
                assert!(clock.at(total_time).is_finished, "{walk:?}");
                assert!(total_time == 0.0 || !clock.at(total_time - STEP / 8.0).is_finished, "{walk:?}");
            }
        }
    }
}

#[test]
fn markers_and_passes_are_met_when_the_walker_comes_by() {
    for walk in walks() {
        let clock = walk.clock(1.0);
        // Between the walker's places, so that there is no question of which pass an end belongs to.
        let markers: Vec<Marker> = (0..walk.length)
            .map(|place| Marker { name: place.to_string(), time: (walk.start + place) as f64 * STEP + STEP / 2.0 })
            .collect();
        let mut walker = walk.set_out();
        for step in 0..60 {
            let before = walker;
            walk.step(&mut walker);
            let (from, to) = (f64::from(step) * STEP, f64::from(step + 1) * STEP);
            let met: Vec<_> = clock.markers_between(&markers, from, to).collect();
            let back: Vec<_> = clock.markers_between(&markers, to, from).collect();
            let context = format!("{walk:?} from {from} s: {met:?}, {before:?} -> {walker:?}");
            assert!(back.iter().rev().eq(met.iter()), "{context}: {back:?}");
            assert_eq!(clock.markers_between(&markers, from, to).total(), met.len() as u64, "{context}");

            let moved_on = (before.place - walker.place).abs() == 1 && before.pass == walker.pass;
            let started_over = before.pass != walker.pass && (walk.reverse || walk.hold == 0);
            if walk.repetitions == 0 || before.is_finished {
                assert!(met.is_empty(), "{context}");
            } else if moved_on || started_over {
                let from_place = if walker.is_forward { walker.place - 1 } else { walker.place };
                assert_eq!(met.len(), 1, "{context}");
                assert_eq!(met[0].marker.name, from_place.to_string(), "{context}");
                assert_eq!((met[0].pass, met[0].total_time), (walker.pass, from + STEP / 2.0), "{context}");
            } else {
                assert!(met.is_empty(), "{context}");
            }
        }
    }
}
