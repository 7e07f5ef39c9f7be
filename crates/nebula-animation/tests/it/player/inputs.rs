//! Steps, speeds and seeks that are no sane numbers.

use nebula_animation::{AnimationClip, AnimationPlayer, advance_time};

use super::warnings;

const NUMBERS: [f32; 12] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    -0.0,
    0.0,
    1e-40,
    -1e-40,
    f32::MIN_POSITIVE,
    1e30,
    -1e30,
    f32::MAX,
    1.0,
];

fn clips() -> [AnimationClip; 1] {
    [AnimationClip { duration: 1.5, ..AnimationClip::default() }]
}

#[test]
fn every_step_and_speed_leaves_a_time_inside_the_clip_and_the_next_step_goes_on() {
    for looping in [true, false] {
        for dt in NUMBERS {
            for speed in NUMBERS {
                let clips = clips();
                let mut player = AnimationPlayer::new(0, 1.5, 0);
                (player.looping, player.speed, player.time) = (looping, speed, 0.5);
                let warned = warnings::count(|| {
                    for _ in 0..100 {
                        advance_time(&mut player, &clips, dt);
                        assert!((0.0..=1.5).contains(&player.time), "dt {dt}, speed {speed}: {}", player.time);
                    }
                });
                let is_finite = (f64::from(dt) * f64::from(speed)).is_finite();
                assert_eq!(warned, usize::from(!is_finite), "dt {dt}, speed {speed}");
                assert!(is_finite || player.time == 0.5, "dt {dt}, speed {speed}: ignored steps move nothing");

                player.speed = 1.0;
                player.time = 0.25;
                player.playing = true;
                advance_time(&mut player, &clips, 0.5);
                assert_eq!(player.time, 0.75, "after dt {dt}, speed {speed}");
            }
        }
    }
}

#[test]
fn a_looping_player_goes_on_after_a_step_of_1e30_seconds() {
    let clips = clips();
    let mut player = AnimationPlayer::new(0, 1.5, 0);
    advance_time(&mut player, &clips, 1e30_f32);
    let before = player.seconds();
    advance_time(&mut player, &clips, 0.25);
    assert!(((player.seconds() - before).rem_euclid(1.5) - 0.25).abs() < 1e-12);
}

#[test]
fn seeking_to_no_number_is_ignored_with_one_warning() {
    let clips = clips();
    let mut player = AnimationPlayer::new(0, 1.5, 0);
    player.time = 0.5;
    let warned = warnings::count(|| {
        for time in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            advance_time(&mut player, &clips, 0.0);
            player.time = time;
            advance_time(&mut player, &clips, 0.0);
            assert_eq!(player.time, 0.5);
        }
        player.seek(f64::NAN);
    });
    assert_eq!((player.time, warned), (0.5, 1));
}

#[test]
fn durations_that_are_no_lengths_count_as_none() {
    for duration in [f32::NAN, f32::INFINITY, -1.0, 0.0, -0.0] {
        for looping in [true, false] {
            let clips = [AnimationClip { duration, ..AnimationClip::default() }];
            let mut player = AnimationPlayer::new(0, duration, 0);
            player.looping = looping;
            let warned = warnings::count(|| {
                for dt in NUMBERS {
                    advance_time(&mut player, &clips, dt);
                    assert_eq!(player.time, 0.0, "duration {duration}");
                }
            });
            // One for the clip, and one for the steps that are not finite while it still plays.
            assert_eq!(warned, 2, "duration {duration}, looping {looping}");
            assert_eq!(player.playing, looping, "duration {duration}");
        }
    }
}

#[test]
fn the_shortest_clips_play() {
    for duration in [1e-40, f32::MIN_POSITIVE, 1e-20] {
        let clips = [AnimationClip { duration, ..AnimationClip::default() }];
        let mut player = AnimationPlayer::new(0, duration, 0);
        for dt in [1.0 / 60.0, 1e9, 1e30] {
            advance_time(&mut player, &clips, dt);
            assert!((0.0..=duration).contains(&player.time), "duration {duration}, dt {dt}: {}", player.time);
        }
    }
}
