//! Players against an exact reference in whole numbers, over days of frames.

use nebula_animation::{AnimationClip, AnimationPlayer, advance_time};

const HOUR: u64 = 3600 * 60;
const LENGTHS: [f32; 10] = [0.016_666_668, 0.1, 0.733_333_3, 1.0, 2.999, 10.0 / 3.0, 59.94, 3600.1, 86_399.0, 1e6];
const SPEEDS: [f32; 8] = [0.001, 0.1, 1.0, 1.7, 60.0, 1000.0, -1.0, -0.333];

/// A number as a whole count of `2^-bits`; it must be one.
fn units(number: f64, bits: i32) -> i128 {
    let scaled = number * 2.0_f64.powi(bits);
    assert_eq!(scaled.fract(), 0.0, "{number} is no multiple of 2^-{bits}");
    scaled as i128
}

/// The largest distance in seconds, on the circle of the loop, between the player and the reference, looked at once an
/// hour. A frame is `frame_nanos` long, and a step of the player is `dt`, which is the same time.
fn drift(length: f32, speed: f32, hours: u64, frame_nanos: u64) -> f64 {
    let clips = [AnimationClip { duration: length, ..AnimationClip::default() }];
    let mut player = AnimationPlayer::new(0, length, 0);
    player.speed = speed;
    let dt = frame_nanos as f64 * 1e-9;

    // In units of 2^-40 ns, every f32 from 1e-3 to 1e6 is a whole number, and 30 days at speed 1000 fit into 100 bits.
    const BITS: i32 = 40;
    let length_units = units(f64::from(length), BITS) * 1_000_000_000;
    let speed_units = units(f64::from(speed), BITS);
    let mut worst = 0.0_f64;
    for hour in 1..=hours {
        for _ in 0..HOUR {
            advance_time(&mut player, &clips, dt);
        }
        let nanos = i128::from(hour * HOUR * frame_nanos);
        let expected = (nanos * speed_units).rem_euclid(length_units) as f64 / (2.0_f64.powi(BITS) * 1e9);
        let distance = (player.seconds() - expected).abs();
        worst = worst.max(distance.min(f64::from(length) - distance));
        let mirrored = (f64::from(player.time) - player.seconds()).abs();
        assert!(mirrored <= f64::from(length) * f64::from(f32::EPSILON), "time is {mirrored} s away");
    }
    worst
}

/// The largest drift of some lengths and speeds, one thread for each pair of a length and its speeds.
fn worst_drift(pairs: &[(f32, &[f32])], hours: u64) -> f64 {
    let worst_of = |length: f32, speeds: &[f32]| {
        let mut worst = 0.0_f64;
        for &speed in speeds {
            let drift = drift(length, speed, hours, 16_666_667);
            assert!(drift < 1e-3, "length {length} s, speed {speed}: {drift} s");
            worst = worst.max(drift);
        }
        worst
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            pairs.iter().map(|&(length, speeds)| scope.spawn(move || worst_of(length, speeds))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no pair drifts")).fold(0.0, f64::max)
    })
}

#[test]
fn a_day_of_frames_stays_within_a_millisecond() {
    let worst = worst_drift(&LENGTHS.map(|length| (length, &SPEEDS[..])), 24);
    println!("largest drift after 24 h: {worst:e} s");
    assert!(worst < 1e-3);
}

#[test]
fn thirty_days_stay_within_a_millisecond() {
    let pairs: [(f32, &[f32]); 4] = [(0.733_333_3, &[1.0]), (1.0, &[1000.0]), (86_399.0, &[1.7]), (1e6, &[0.001, 1.0])];
    let worst = worst_drift(&pairs, 24 * 30);
    println!("largest drift after 30 days: {worst:e} s");
    assert!(worst < 1e-3);
}

/// An `f32` step counts at its exact value: the reference multiplies it as the whole number that it is.
#[test]
fn steps_of_f32_are_exact() {
    let dt = 1.0_f32 / 60.0;
    for (length, speed) in [(1.0_f32, 1.0_f32), (0.733_333_3, 1000.0), (2.999, 0.001)] {
        let clips = [AnimationClip { duration: length, ..AnimationClip::default() }];
        let mut player = AnimationPlayer::new(0, length, 0);
        player.speed = speed;
        for _ in 0..24 * HOUR {
            advance_time(&mut player, &clips, dt);
        }
        let way = i128::from(24 * HOUR) * units(f64::from(dt), 32) * units(f64::from(speed), 34);
        let length_units = units(f64::from(length), 66);
        let expected = way.rem_euclid(length_units) as f64 / 2.0_f64.powi(66);
        let distance = (player.seconds() - expected).abs();
        assert!(distance.min(f64::from(length) - distance) < 1e-9, "length {length}, speed {speed}: {distance} s");
    }
}

/// Whatever the frame rate, the same total time is the same time of the clip.
#[test]
fn no_frame_rate_changes_the_result() {
    let clips = [AnimationClip { duration: 0.7, ..AnimationClip::default() }];
    let play = |frames: u32| {
        let mut player = AnimationPlayer::new(0, 0.7, 0);
        player.speed = 1.3;
        for _ in 0..frames {
            advance_time(&mut player, &clips, 4096.0 / f64::from(frames));
        }
        player.seconds()
    };
    let expected = play(1);
    for frames in [2, 64, 4096, 1 << 20] {
        assert_eq!(play(frames), expected, "{frames} frames");
    }
}

/// One step of 1e9 s is one division: as quick as a frame, and the next frame goes on from there.
#[test]
fn a_step_of_a_lifetime_is_a_step() {
    let clips = [AnimationClip { duration: 0.7, ..AnimationClip::default() }];
    let mut player = AnimationPlayer::new(0, 0.7, 0);
    let time_of = |player: &mut AnimationPlayer, dt: f64| {
        let start = std::time::Instant::now();
        for _ in 0..100_000 {
            advance_time(player, &clips, dt);
        }
        start.elapsed().as_secs_f64()
    };
    let (frame, lifetime) = (time_of(&mut player, 1.0 / 60.0), time_of(&mut player, 1e9));
    println!("100,000 steps of 1/60 s: {frame:.4} s, of 1e9 s: {lifetime:.4} s");
    // Generous, because other tests run beside this one: 1e9 s in a loop of passes would take days.
    assert!(lifetime < frame * 20.0 + 0.5, "{frame} s, {lifetime} s");
    let before = player.seconds();
    advance_time(&mut player, &clips, 0.01);
    assert!(((player.seconds() - before).rem_euclid(f64::from(0.7_f32)) - 0.01).abs() < 1e-12);
}
