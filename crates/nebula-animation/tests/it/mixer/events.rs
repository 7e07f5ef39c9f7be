//! Markers are reported exactly once, however time is cut into steps.

use nebula_animation::{AnimationClip, AnimationMixer, ClipMarkers, Clock, Marker, Skeleton};

use super::cast::mixer_with_markers;
use crate::characters::Random;

/// Parts of a second in which all times of these tests are whole numbers, so that floats are exact.
const TICKS: f64 = 1024.0;

fn seconds(ticks: i64) -> f64 {
    ticks as f64 / TICKS
}

/// A way of playing a clip, in ticks.
#[derive(Debug, Clone)]
struct Score {
    start: i64,
    length: i64,
    offset: i64,
    hold: i64,
    /// Ticks of the clip per half tick of time: 1, 2 or 4; negative plays backwards.
    clock_speed: i64,
    repetitions: Option<i64>,
    turns: bool,
    markers: Vec<i64>,
}

impl Score {
    fn random(random: &mut Random) -> Self {
        let length = 1 + random.below(600) as i64;
        let start = random.below(100) as i64;
        let turns = random.chance(0.4);
        let mut markers: Vec<i64> =
            (0..random.below(5)).map(|_| random.below((length + start + 20) as usize) as i64).collect();
        // Ends and turning points are where reports get lost or doubled.
        markers.extend([start, start + length].into_iter().filter(|_| random.chance(0.5)));
        markers.sort_unstable();
        Self {
            start,
            length,
            offset: if random.chance(0.5) { 0 } else { random.below(length as usize + 1) as i64 },
            hold: if turns || random.chance(0.6) { 0 } else { random.below(300) as i64 },
            clock_speed: [1, 2, 4, -1, -2, -4][random.below(6)],
            repetitions: random.chance(0.5).then(|| 1 + random.below(5) as i64),
            turns,
            markers,
        }
    }

    fn clock(&self) -> Clock {
        Clock {
            start: seconds(self.start),
            end: Some(seconds(self.start + self.length)),
            offset: seconds(self.offset),
            speed: self.clock_speed as f64 / 2.0,
            repetitions: self.repetitions.map_or(-1, |count| count as i32),
            reverse: self.turns,
            hold: seconds(self.hold),
            restarts_at_end: false,
        }
    }
}

/// What is met, worked out on the unrolled way of the clip, in half steps of a quarter tick: odd numbers lie between
/// moments.
struct Reference {
    score: Score,
    /// The place on the way, in eighths of ticks.
    place: i64,
    is_fresh: bool,
}

const UNIT: i64 = 8;

impl Reference {
    fn new(score: &Score) -> Self {
        let origin = if score.clock_speed > 0 { score.offset } else { score.length - score.offset };
        Self { score: score.clone(), place: origin * UNIT, is_fresh: true }
    }

    fn origin(&self) -> i64 {
        let score = &self.score;
        if score.clock_speed > 0 { score.offset * UNIT } else { (score.length - score.offset) * UNIT }
    }

    /// Every place at which a marker is met, of passes near the way between two places: (place, marker).
    fn meetings(&self, low: i64, high: i64) -> Vec<(i64, usize)> {
        let score = &self.score;
        let period = (score.length + score.hold) * UNIT;
        let mut meetings = Vec::new();
        for pass in low.div_euclid(period) - 2..=high.div_euclid(period) + 2 {
            if score.repetitions.is_some_and(|count| pass < 0 || pass >= count) {
                continue;
            }
            let is_forward = (score.clock_speed > 0) != (score.turns && pass.rem_euclid(2) == 1);
            let mut of_pass: Vec<(i64, usize)> = Vec::new();
            for (index, &marker) in score.markers.iter().enumerate() {
                if marker < score.start || marker > score.start + score.length {
                    continue;
                }
                let within = if is_forward { marker - score.start } else { score.start + score.length - marker };
                // A turning point belongs to the pass that it ends.
                let begins_here = score.turns && within == 0 && !(score.repetitions.is_some() && pass == 0);
                if !begins_here {
                    of_pass.push((pass * period + within * UNIT, index));
                }
            }
            if !is_forward {
                of_pass.reverse();
            }
            meetings.extend(of_pass);
        }
        meetings
    }

    /// Moves on, by so many eighths of ticks of the clip; what is met.
    fn travel(&mut self, step: i64) -> Vec<usize> {
        let mut to = self.place + step;
        // Just before the first moment counts as the first moment.
        let here = if self.place == self.origin() - 1 { self.origin() } else { self.place };
        to += here - self.place;
        if let Some(count) = self.score.repetitions {
            let end = ((count - 1) * (self.score.length + self.score.hold) + self.score.length) * UNIT;
            to = to.min(end);
            if to <= self.origin() && step < 0 {
                to = self.origin() - 1;
            }
        }
        let mut from = self.place;
        if self.is_fresh && to > from {
            from -= 1;
        }
        self.is_fresh &= to == self.place;
        self.place = to;
        let (low, high) = (from.min(to), from.max(to));
        let mut met: Vec<usize> = Vec::new();
        for (place, marker) in self.meetings(low, high) {
            if place > low && place <= high {
                met.push(marker);
            }
        }
        if to < from {
            met.reverse();
        }
        met
    }
}

fn mixer_for(score: &Score) -> AnimationMixer {
    let mut markers = ClipMarkers::new();
    for (index, &marker) in score.markers.iter().enumerate() {
        markers.add(0, Marker { name: index.to_string(), time: seconds(marker) });
    }
    let clip = AnimationClip { name: "clip".into(), duration: 10.0, ..AnimationClip::default() };
    let mut mixer = mixer_with_markers(&Skeleton::default(), &[clip], markers);
    mixer.play("clip", 0.0).expect("the clip is there").play_by(score.clock());
    mixer
}

fn indices(mixer: &AnimationMixer) -> Vec<usize> {
    mixer.events().map(|event| event.index).collect()
}

/// The step of a frame: its ticks, and twice the action's speed.
fn random_step(random: &mut Random) -> (i64, i64) {
    let ticks = match random.below(4) {
        0 => random.below(4) as i64,
        1 => random.below(40) as i64,
        2 => random.below(700) as i64,
        _ => random.below(5_000) as i64,
    };
    let ticks = if random.chance(0.15) { -ticks } else { ticks };
    (ticks, [2, 2, 2, 1, 4, -2, -1][random.below(7)])
}

#[test]
fn ten_thousand_clocks_meet_what_they_should() {
    let mut random = Random::new(11);
    let mut total = 0;
    for case in 0..10_000 {
        let score = Score::random(&mut random);
        let mut mixer = mixer_for(&score);
        let mut reference = Reference::new(&score);
        for _ in 0..2 + random.below(10) {
            let (ticks, double_speed) = random_step(&mut random);
            let action = mixer.current_action.as_mut().expect("it plays");
            // One that has come to its end is sent on.
            action.playing = true;
            action.speed = double_speed as f32 / 2.0;
            mixer.update(seconds(ticks));
            let expected = if ticks == 0 {
                vec![]
            } else {
                // Ticks, times half of the double speed, times half of the clock's.
                reference.travel(ticks * double_speed * score.clock_speed.abs() * UNIT / 4)
            };
            total += expected.len();
            assert_eq!(indices(&mixer), expected, "case {case}: {score:?}, {ticks} ticks at {double_speed}/2");
        }
    }
    println!("{total} markers met");
    assert!(total > 100_000);
}

/// However a way is cut into steps, the same markers are met in the same order.
#[test]
fn steps_do_not_matter() {
    let mut random = Random::new(12);
    for _ in 0..500 {
        let score = Score::random(&mut random);
        let (mut whole, mut parts) = (mixer_for(&score), mixer_for(&score));
        let ticks = random.below(10_000) as i64;
        whole.update(seconds(ticks));
        let (mut met, mut left) = (Vec::new(), ticks);
        while left > 0 {
            let step = (1 + random.below(300) as i64).min(left);
            parts.update(seconds(step));
            met.extend(indices(&parts));
            left -= step;
        }
        assert_eq!(indices(&whole), met, "{score:?}, {ticks} ticks");
    }
}

fn walk() -> AnimationMixer {
    let mut markers = ClipMarkers::new();
    for (name, time) in [("left", 0.25), ("right", 0.75)] {
        markers.add(0, Marker { name: name.into(), time });
        markers.add(1, Marker { name: format!("run {name}"), time });
    }
    let clip = |name: &str| AnimationClip { name: name.into(), duration: 1.0, ..AnimationClip::default() };
    mixer_with_markers(&Skeleton::default(), &[clip("walk"), clip("run")], markers)
}

fn names(mixer: &AnimationMixer) -> Vec<&str> {
    mixer.events().map(|event| event.marker.name.as_str()).collect()
}

#[test]
fn scrubbing_reports_and_seeking_does_not() {
    let mut mixer = walk();
    mixer.play("walk", 0.0).expect("it is there");
    mixer.update(0.125);
    mixer.pause();
    let scrub = |mixer: &mut AnimationMixer, time: f32| {
        mixer.current_action.as_mut().expect("it plays").time = time;
        mixer.update(0.1);
    };
    scrub(&mut mixer, 0.875);
    assert_eq!(names(&mixer), ["left", "right"]);
    scrub(&mut mixer, 0.5);
    assert_eq!(names(&mixer), ["right"]);
    assert!(mixer.events().all(|event| event.is_rewinding));
    mixer.update(0.1);
    assert_eq!(names(&mixer), [""; 0]);
    mixer.current_action.as_mut().expect("it plays").seek(0.125);
    mixer.update(0.1);
    assert_eq!(names(&mixer), [""; 0]);
    // Scrubbing back and playing on in one frame reports both ways.
    mixer.resume();
    scrub(&mut mixer, 0.5);
    assert_eq!(names(&mixer), ["left"]);
    mixer.current_action.as_mut().expect("it plays").time = 0.2;
    mixer.update(0.1);
    assert_eq!(names(&mixer), ["left", "left"]);
}

#[test]
fn fading_actions_report_with_their_weight() {
    let mut mixer = walk();
    mixer.play("walk", 0.0).expect("it is there");
    mixer.update(0.125);
    mixer.play("run", 0.5).expect("it is there");
    // Both come by `left` while the fade is half over and three quarters over.
    mixer.update(0.25);
    let weights: Vec<(String, f32)> = mixer.events().map(|event| (event.marker.name.clone(), event.weight)).collect();
    assert_eq!(weights, [("left".into(), 0.5), ("run left".into(), 0.5)]);
    // The frame in which the fade ends still belongs to the old action.
    mixer.update(0.5);
    let weights: Vec<(String, f32)> = mixer.events().map(|event| (event.marker.name.clone(), event.weight)).collect();
    assert_eq!(weights, [("right".into(), 0.0), ("run right".into(), 1.0)]);
    mixer.update(0.5);
    assert_eq!(names(&mixer), ["run left"]);
}

#[test]
fn a_step_over_a_billion_loops_is_counted_lazily() {
    let mut mixer = walk();
    mixer.play("walk", 0.0).expect("it is there");
    mixer.update(1e9);
    assert_eq!(mixer.events().take(3).map(|event| event.pass).collect::<Vec<_>>(), [0, 0, 1]);
}

#[test]
fn the_end_of_a_clip_is_met_once() {
    let mut markers = ClipMarkers::new();
    markers.add(0, Marker { name: "start".into(), time: 0.0 });
    markers.add(0, Marker { name: "end".into(), time: 1.0 });
    let clip = AnimationClip { name: "hit".into(), duration: 1.0, ..AnimationClip::default() };
    for speed in [1.0, -1.0] {
        let mut mixer = mixer_with_markers(&Skeleton::default(), std::slice::from_ref(&clip), markers.clone());
        let action = mixer.play("hit", 0.0).expect("it is there");
        (action.looping, action.speed) = (false, speed);
        let mut met = Vec::new();
        for _ in 0..20 {
            mixer.update(0.1);
            met.extend(mixer.events().map(|event| event.marker.name.clone()));
        }
        assert_eq!(met, if speed > 0.0 { ["start", "end"] } else { ["end", "start"] });
    }
}
