//! What lies between two total times, however they are cut.

use nebula_animation::{Clock, Marker};

fn markers(times: &[f64]) -> Vec<Marker> {
    times.iter().map(|&time| Marker { name: format!("at {time}"), time }).collect()
}

fn clocks() -> Vec<Clock> {
    let base = Clock { start: 0.1, end: Some(1.4), offset: 0.3, ..Clock::default() };
    vec![
        Clock::looping(0.7),
        Clock::once(1.1),
        base,
        Clock { reverse: true, ..base },
        Clock { speed: -0.3, ..base },
        Clock { speed: -1.7, reverse: true, repetitions: 5, ..base },
        Clock { hold: 0.9, repetitions: 7, ..base },
        Clock { end: None, ..base },
        Clock { end: None, speed: -0.01, ..base },
        Clock { speed: 0.0, ..base },
        Clock { repetitions: 0, ..base },
    ]
}

#[test]
fn every_cut_meets_the_same_markers() {
    let markers = markers(&[0.0, 0.1, 0.3, 0.35, 0.7, 1.1, 1.4, 9.0]);
    for clock in clocks() {
        let whole: Vec<_> = clock.markers_between(&markers, -0.5, 20.0).map(|hit| hit.total_time).collect();
        assert!(whole.is_sorted(), "{clock:?}: {whole:?}");
        assert_eq!(clock.markers_between(&markers, -0.5, 20.0).total(), whole.len() as u64, "{clock:?}");
        for step in [0.013, 1.0 / 60.0, 0.1, 0.7, 1.3, 3.3] {
            let (mut cut, mut passes, mut from) = (Vec::new(), 0, -0.5);
            while from < 20.0 {
                let to = f64::min(from + step, 20.0);
                cut.extend(clock.markers_between(&markers, from, to).map(|hit| hit.total_time));
                passes += clock.passes_between(to, from);
                from = to;
            }
            assert_eq!(cut, whole, "{clock:?} in steps of {step} s");
            assert_eq!(passes, clock.passes_between(-0.5, 20.0), "{clock:?} in steps of {step} s");
        }
    }
}

#[test]
fn a_marker_at_a_turning_point_is_met_once_a_turn() {
    let clock = Clock { end: Some(1.0), reverse: true, repetitions: 4, ..Clock::default() };
    let markers = markers(&[0.0, 1.0]);
    let met: Vec<_> = clock.markers_between(&markers, -f64::MIN_POSITIVE, 9.0).map(|hit| hit.total_time).collect();
    assert_eq!(met, [0.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(clock.markers_between(&markers, -f64::MIN_POSITIVE, 9.0).total(), 5);
    assert_eq!(clock.passes_between(0.0, 9.0), 3);
}

#[test]
fn a_span_of_a_lifetime_costs_no_more_than_a_frame() {
    let markers = markers(&[0.1, 0.2, 7.0]);
    let clock = Clock::looping(0.5);
    let mut lifetime = clock.markers_between(&markers, 0.0, 1e9);
    assert_eq!(lifetime.total(), 4_000_000_000);
    assert_eq!(lifetime.next().map(|hit| hit.total_time), Some(0.1));
    assert_eq!(clock.passes_between(0.0, 1e9), 2_000_000_000);
    assert_eq!(clock.markers_between(&markers, 1e9, 0.0).next().map(|hit| hit.pass), Some(1_999_999_999));
    // Nothing to be met in billions of passes is found out at once, too.
    assert_eq!(clock.markers_between(&markers[2..], 0.0, 1e300).next(), None);
}

#[test]
fn endless_clocks_meet_markers_backwards_too() {
    let steps = markers(&[0.2, 0.7]);
    let met: Vec<_> = Clock::looping(1.0).markers_between(&steps, 0.0, -1.5).map(|hit| hit.marker.time).collect();
    assert_eq!(met, [0.7, 0.2, 0.7]);
}
