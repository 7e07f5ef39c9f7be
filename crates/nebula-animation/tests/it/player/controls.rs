//! Pausing, seeking, switching, finishing.

use nebula_animation::{AnimationClip, AnimationPlayer, Clock, advance_time};

fn clips() -> [AnimationClip; 3] {
    [1.0, 10.0, 0.25].map(|duration| AnimationClip { duration, ..AnimationClip::default() })
}

fn player(looping: bool, speed: f32, time: f32) -> AnimationPlayer {
    let mut player = AnimationPlayer::new(0, 1.0, 0);
    (player.looping, player.speed, player.time) = (looping, speed, time);
    player
}

/// The first frame of many engines has no length: a player that stands at the end it comes from goes on playing.
#[test]
fn a_player_stops_only_at_the_end_that_it_moves_towards() {
    // Speed, time, step, whether it plays on, time after it.
    for (speed, time, dt, is_playing, after) in [
        (1.0, 0.0, 0.0, true, 0.0),
        (1.0, 0.0, 0.25, true, 0.25),
        (1.0, 0.75, 0.25, false, 1.0),
        (1.0, 0.75, 9.0, false, 1.0),
        (1.0, 1.0, 0.0, false, 1.0),
        (-1.0, 1.0, 0.0, true, 1.0),
        (-1.0, 1.0, 0.25, true, 0.75),
        (-1.0, 0.25, 0.25, false, 0.0),
        (-1.0, 0.25, 9.0, false, 0.0),
        (-1.0, 0.0, 0.0, false, 0.0),
        (0.0, 0.0, 1.0, true, 0.0),
        (0.0, 1.0, 1.0, true, 1.0),
        (1.0, 0.5, -9.0, false, 0.0),
    ] {
        let mut player = player(false, speed, time);
        let advance = advance_time(&mut player, &clips(), dt);
        assert_eq!((player.playing, player.time), (is_playing, after), "speed {speed} from {time} by {dt}");
        assert_eq!(advance.is_finished, !is_playing);
        // Turned back by a negative step, it could still go on forwards.
        assert_eq!(player.is_finished(), !is_playing && dt >= 0.0);
    }
}

#[test]
fn looping_players_wrap_in_both_directions() {
    // Speed, time, step, time after it, passes.
    for (speed, time, dt, after, passes) in [
        (1.0, 0.75, 0.5, 0.25, 1),
        (1.0, 0.75, 0.25, 0.0, 1),
        (1.0, 0.0, 7.5, 0.5, 7),
        (-1.0, 0.25, 0.5, 0.75, 1),
        (-1.0, 0.25, 0.25, 0.0, 0),
        (-2.0, 0.0, 0.125, 0.75, 1),
        (1.0, 0.5, 0.0, 0.5, 0),
        (1.0, 0.0, -0.25, 0.75, 1),
    ] {
        let mut player = player(true, speed, time);
        let advance = advance_time(&mut player, &clips(), dt);
        assert_eq!((player.time, advance.passes), (after, passes), "speed {speed} from {time} by {dt}");
        assert!(player.playing && !advance.is_finished);
    }
}

#[test]
fn a_paused_player_stands_and_can_be_sought() {
    let mut player = player(true, 1.0, 0.5);
    player.playing = false;
    advance_time(&mut player, &clips(), 0.25);
    assert_eq!(player.time, 0.5);
    player.time = 0.125;
    advance_time(&mut player, &clips(), 0.25);
    assert_eq!(player.time, 0.125);
    player.playing = true;
    advance_time(&mut player, &clips(), 0.25);
    assert_eq!(player.time, 0.375);
}

#[test]
fn seeking_beyond_the_clip_wraps_in_a_loop_and_stops_at_an_end_otherwise() {
    for (looping, time, shown) in [
        (true, 1.5, 0.5),
        (true, -0.25, 0.75),
        (true, 1.0, 1.0),
        (false, 1.5, 1.0),
        (false, -0.25, 0.0),
        (false, 0.5, 0.5),
    ] {
        let mut player = player(looping, 1.0, time);
        player.playing = false;
        advance_time(&mut player, &clips(), 0.0);
        assert_eq!(player.time, shown, "looping {looping}, seeking {time}");
    }
}

#[test]
fn a_finished_player_stays_until_it_is_sent_on() {
    let mut player = player(false, 1.0, 0.0);
    advance_time(&mut player, &clips(), 2.0);
    for _ in 0..3 {
        assert!(!advance_time(&mut player, &clips(), 0.5).is_finished, "reported once");
        assert_eq!((player.time, player.playing), (1.0, false));
    }
    player.restart();
    advance_time(&mut player, &clips(), 0.5);
    assert_eq!((player.time, player.playing), (0.5, true));
    // Back again.
    advance_time(&mut player, &clips(), 2.0);
    (player.speed, player.playing) = (-1.0, true);
    advance_time(&mut player, &clips(), 0.25);
    assert_eq!((player.time, player.playing), (0.75, true));
    player.restart();
    advance_time(&mut player, &clips(), 0.125);
    assert_eq!(player.time, 0.875, "backwards, the beginning is the end");
}

#[test]
fn switching_clips_by_the_field_keeps_the_time_and_play_starts_over() {
    let mut player = player(true, 1.0, 0.75);
    player.clip_index = 1;
    advance_time(&mut player, &clips(), 0.5);
    assert_eq!(player.time, 1.25);
    player.clip_index = 2;
    advance_time(&mut player, &clips(), 0.0625);
    assert_eq!(player.time, 0.0625, "1.25 s is the sixth beginning of a clip of 0.25 s");
    player.play(1);
    player.seek(5.0);
    advance_time(&mut player, &clips(), 0.5);
    assert_eq!(player.time, 5.5, "sought in the new clip, although its duration was not known yet");
    player.speed = -1.0;
    player.play(2);
    assert_eq!(player.pass(), 0);
    advance_time(&mut player, &clips(), 0.0625);
    assert_eq!(player.time, 0.1875);
    (player.clip_index, player.time, player.speed) = (1, 3.0, 1.0);
    advance_time(&mut player, &clips(), 0.5);
    assert_eq!(player.time, 3.5, "clip and time written together");
}

#[test]
fn a_player_that_ceases_to_loop_finishes_its_pass() {
    for speed in [1.0_f32, -1.0] {
        let mut player = player(true, speed, 0.0);
        advance_time(&mut player, &clips(), 5.25);
        player.looping = false;
        advance_time(&mut player, &clips(), 0.25);
        assert_eq!((player.time, player.playing), (0.5, true), "speed {speed}");
        advance_time(&mut player, &clips(), 9.0);
        assert_eq!((player.time, player.playing), (if speed > 0.0 { 1.0 } else { 0.0 }, false), "speed {speed}");
    }
}

#[test]
fn rolling_back_is_asking_for_another_total_time() {
    let mut player = player(true, 1.0, 0.0);
    advance_time(&mut player, &clips(), 7.25);
    assert_eq!(player.total_time(), 7.25);
    let then = player.total_time();
    for _ in 0..10 {
        advance_time(&mut player, &clips(), 0.3);
    }
    player.seek_total(then);
    assert_eq!((player.seconds(), player.pass()), (0.25, 7));
    advance_time(&mut player, &clips(), -7.0);
    assert_eq!((player.seconds(), player.pass()), (0.25, 0));
}

#[test]
fn a_clock_of_its_own_is_played_turned_back_and_scaled() {
    let clock = Clock { start: 2.0, end: Some(4.0), offset: 1.0, repetitions: 3, reverse: true, ..Clock::default() };
    let mut player = AnimationPlayer::new(0, 1.0, 0);
    player.play_by(1, clock);
    assert!(!player.looping);
    let mut turns = 0;
    for step in 1..=80 {
        turns += advance_time(&mut player, &clips(), 0.0625).passes;
        let total = f64::from(step) * 0.0625;
        assert_eq!(player.seconds(), clock.at(total).time, "{total}");
        assert_eq!(player.is_finished(), clock.at(total).is_finished, "{total}");
    }
    assert_eq!((player.playing, turns), (false, 2));
    // Turned back, it stops where it began.
    (player.speed, player.playing) = (-2.0, true);
    advance_time(&mut player, &clips(), 1.0);
    assert_eq!(player.seconds(), clock.at(3.0).time);
    advance_time(&mut player, &clips(), 9.0);
    assert_eq!((player.seconds(), player.total_time(), player.playing), (3.0, 0.0, false));
    // A plain clip again.
    player.speed = 1.0;
    player.play(0);
    advance_time(&mut player, &clips(), 0.5);
    assert_eq!(player.time, 0.5);
}

#[test]
fn a_clock_without_an_end_shows_the_end_of_the_clip() {
    let mut player = AnimationPlayer::new(0, 1.0, 0);
    player.play_by(0, Clock { start: 0.5, ..Clock::default() });
    advance_time(&mut player, &clips(), 0.25);
    assert_eq!(player.time, 0.75);
    for dt in [9.0, 1e30, f64::MAX, f64::MAX] {
        advance_time(&mut player, &clips(), dt);
        assert_eq!((player.time, player.playing), (1.0, true));
    }
}
