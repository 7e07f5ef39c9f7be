//! The six tables of the `KHR_animation_clip` document.

use nebula_animation::{AnimationClip, AnimationPlayer, Clock, advance_time, clip::ClipEntry};

/// An example: the entry, and the time stamps at the total times 0 to 20 s.
pub fn examples() -> [(ClipEntry, [u8; 21]); 6] {
    let entry = |name: &str| ClipEntry { name: name.into(), animations: vec![0], ..ClipEntry::default() };
    [
        (
            ClipEntry { end: Some(4.0), ..entry("Example 1") },
            [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0],
        ),
        (
            ClipEntry { start: 2.0, ..entry("Example 2") },
            [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22],
        ),
        (
            ClipEntry { start: 3.0, end: Some(8.0), ..entry("Example 3") },
            [3, 4, 5, 6, 7, 8, 3, 4, 5, 6, 7, 8, 3, 4, 5, 6, 7, 8, 3, 4, 5],
        ),
        (
            ClipEntry { end: Some(4.0), repetitions: 1, ..entry("Example 4") },
            [0, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4],
        ),
        (
            ClipEntry { start: 1.0, end: Some(5.0), offset: 2.0, repetitions: 4, reverse: true, ..entry("Example 5") },
            [3, 4, 5, 4, 3, 2, 1, 2, 3, 4, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1],
        ),
        (
            ClipEntry { end: Some(4.0), offset: 4.0, speed: -0.5, repetitions: 2, reverse: true, ..entry("Example 6") },
            [4, 4, 3, 3, 2, 2, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 4],
        ),
    ]
}

/// The tables show whole keyframes: example 6 is rounded against the direction of travel.
fn keyframe(time: f64, is_forward: bool) -> f64 {
    if is_forward { time.floor() } else { time.ceil() }
}

#[test]
fn the_six_tables_come_out_exactly() {
    for (entry, table) in examples() {
        let clock = Clock::from(&entry).with_hold(1.0);
        for (second, expected) in (0_u8..).zip(table) {
            let state = clock.at(f64::from(second));
            let shown = keyframe(state.time, state.is_forward);
            assert_eq!(shown, f64::from(expected), "{} at {second} s", entry.name);
            if entry.speed == 1.0 {
                assert_eq!(state.time, f64::from(expected), "{} at {second} s", entry.name);
            }
        }
    }
}

#[test]
fn example_6_lies_half_way_between_keyframes() {
    let (entry, _) = &examples()[5];
    let clock = Clock::from(entry).with_hold(1.0);
    let times: Vec<f64> = (0..=18).map(|second| clock.at(f64::from(second)).time).collect();
    let expected = [4.0, 3.5, 3.0, 2.5, 2.0, 1.5, 1.0, 0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.0, 4.0];
    assert_eq!(times, expected);
}

#[test]
fn players_that_step_by_a_64th_of_a_second_show_the_tables_too() {
    let clips = [AnimationClip { duration: 30.0, ..AnimationClip::default() }];
    for (entry, table) in examples() {
        let clock = Clock::from(&entry).with_hold(1.0);
        let mut player = AnimationPlayer::new(0, 30.0, 0);
        player.play_by(0, clock);
        for (second, expected) in (0_u8..).zip(table) {
            let state = clock.at(f64::from(second));
            assert_eq!(keyframe(player.seconds(), state.is_forward), f64::from(expected), "{} {second}", entry.name);
            for step in 0..64 {
                let total = f64::from(second) + f64::from(step) / 64.0;
                assert_eq!(player.seconds(), clock.at(total).time, "{} at {total} s", entry.name);
                advance_time(&mut player, &clips, 1.0_f32 / 64.0);
            }
        }
        assert_eq!(player.playing, entry.repetitions == -1, "{}", entry.name);
    }
}

#[test]
fn without_a_hold_loops_have_no_seam() {
    let (entry, _) = &examples()[0];
    let clock = Clock::from(entry);
    let times: Vec<f64> = (0..=9).map(|second| clock.at(f64::from(second)).time).collect();
    assert_eq!(times, [0.0, 1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0, 1.0]);
}
