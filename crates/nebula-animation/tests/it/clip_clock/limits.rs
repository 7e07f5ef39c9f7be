//! Clocks with fields and total times at the edge of reason.

use nebula_animation::{Clock, clip::ClipEntry};

const NUMBERS: [f64; 16] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MAX,
    f64::MIN,
    -1.0,
    -0.0,
    0.0,
    f64::MIN_POSITIVE,
    5e-324,
    1e-40,
    0.5,
    1.0,
    3.25,
    1e9,
    1e30,
];

#[test]
fn every_combination_is_defined_and_finite() {
    let markers = [nebula_animation::Marker { name: String::new(), time: 0.5 }];
    for start in NUMBERS {
        for end in NUMBERS.map(Some).into_iter().chain([None]) {
            for offset in [f64::NAN, 0.0, 0.25, 1e30] {
                for speed in [f64::NAN, f64::NEG_INFINITY, -1e30, -1.0, 0.0, 1e-40, 1.0] {
                    for (repetitions, reverse, hold) in [(-1, false, 0.0), (3, false, 1e30), (0, true, f64::NAN)] {
                        let clock =
                            Clock { start, end, offset, speed, repetitions, reverse, hold, restarts_at_end: false };
                        for total_time in NUMBERS {
                            let state = clock.at(total_time);
                            assert!(state.time.is_finite() && state.time >= 0.0, "{clock:?} at {total_time}");
                            if let Some(end) = end.filter(|end| start >= 0.0 && *end >= start && end.is_finite()) {
                                assert!((start..=end).contains(&state.time), "{clock:?} at {total_time}: {state:?}");
                            }
                            let _ = clock.passes_between(0.0, total_time);
                            let _ = clock.markers_between(&markers, 0.0, total_time).total();
                            let _ = clock.markers_between(&markers, total_time, 1.0).next();
                        }
                        assert!(clock.finishes_at().is_none_or(f64::is_finite), "{clock:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn no_length_means_one_pose() {
    let clock = Clock { start: 2.0, end: Some(2.0), repetitions: 3, ..Clock::default() };
    assert_eq!(clock.at(1.0).time, 2.0);
    assert!(clock.at(0.0).is_finished);
    assert!(!Clock::looping(0.0).at(1e9).is_finished);
}

#[test]
fn no_end_goes_on_forwards_and_stops_at_the_start_backwards() {
    let entry = ClipEntry { animations: vec![0], start: 2.0, offset: 3.0, ..ClipEntry::default() };
    assert_eq!(Clock::from(&entry).at(1e6).time, 1e6 + 5.0);
    assert_eq!(Clock::from(&entry).finishes_at(), None);
    let backwards = Clock::from(&ClipEntry { speed: -0.5, ..entry });
    assert_eq!(backwards.at(2.0).time, 4.0);
    assert_eq!(backwards.at(1e6).time, 2.0);
    assert_eq!(backwards.finishes_at(), Some(6.0));
}

#[test]
fn standing_clocks_show_their_offset() {
    let entry = ClipEntry { animations: vec![0], start: 2.0, end: Some(9.0), offset: 3.0, ..ClipEntry::default() };
    let stopped = Clock::from(&ClipEntry { speed: 0.0, ..entry.clone() });
    assert_eq!((stopped.at(7.0).time, stopped.at(7.0).is_finished), (5.0, false));
    let unplayed = Clock::from(&ClipEntry { repetitions: 0, ..entry });
    assert_eq!((unplayed.at(7.0).time, unplayed.at(7.0).is_finished), (5.0, true));
}
