//! A player that steps shows what its clock says of the total time. All numbers are short in binary, so that sums are
//! exact and equality can be asked for.

use nebula_animation::{AnimationClip, AnimationPlayer, Clock, Marker, advance_time};

use super::fuzz::Random;

fn eighths(random: &mut Random, limit: usize) -> f64 {
    random.below(limit) as f64 / 8.0
}

/// A valid clock, endless or not, in every direction.
fn clock(random: &mut Random) -> Clock {
    let start = eighths(random, 20);
    let length = eighths(random, 30);
    Clock {
        start,
        end: (random.below(6) > 0).then_some(start + length),
        offset: eighths(random, 30).min(length),
        speed: [1.0, -1.0, 0.5, -0.25, 2.0, -4.0, 0.0][random.below(7)],
        repetitions: random.below(6) as i32 - 1,
        reverse: random.below(2) == 0,
        hold: if random.below(2) == 0 { 0.0 } else { eighths(random, 9) },
        restarts_at_end: random.below(2) == 0,
    }
}

#[test]
fn stepping_is_the_clock_at_the_total_time() {
    let clips = [AnimationClip { duration: 1e9, ..AnimationClip::default() }];
    for seed in 0..20_000_u64 {
        let random = &mut Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let clock = clock(random);
        let mut player = AnimationPlayer::new(0, 1e9, 0);
        player.play_by(0, clock);
        let is_endless = player.looping;
        let (mut total, mut passes) = (0.0, 0_u64);
        for _ in 0..30 {
            let mut step = random.below(64) as f64 / 16.0;
            // Turning back, too; now and then far on.
            match random.below(8) {
                0 => step = -step,
                1 => step *= 4096.0,
                _ => {}
            }
            player.playing = true;
            let advance = advance_time(&mut player, &clips, step);
            let from = total;
            total += step;
            if !is_endless {
                total = total.clamp(0.0, clock.finishes_at().unwrap_or(f64::MAX));
            }
            passes += u64::from(advance.passes);
            let state = clock.at(total);
            let context = format!("seed {seed}, from {from} s to {total} s by {clock:?}");
            assert_eq!(player.seconds(), state.time, "{context}");
            assert_eq!(player.pass(), state.pass, "{context}");
            if step > 0.0 && !is_endless {
                assert_eq!(advance.is_finished, state.is_finished, "{context}");
            }
            if clock.speed != 0.0 && clock.repetitions != 0 && player.clock().end != Some(clock.start) {
                assert_eq!(player.total_time(), total, "{context}");
            }
        }
        assert!(passes < 10_000_000, "counted, {passes}");
    }
}

#[test]
fn a_player_comes_by_every_marker_once() {
    let clips = [AnimationClip { duration: 0.7, ..AnimationClip::default() }];
    let markers = [0.0, 0.1, 0.35, 0.6].map(|time| Marker { name: String::new(), time });
    for (speed, dt) in [(1.0, 1.0 / 60.0), (-1.3, 1.0 / 144.0), (7.9, 0.05), (1.0, 0.7), (100.0, 0.3)] {
        let mut player = AnimationPlayer::new(0, 0.7, 0);
        player.speed = speed;
        let mut met = 0;
        let mut before = player.total_time();
        for _ in 0..5_000 {
            advance_time(&mut player, &clips, dt);
            let after = player.total_time();
            met += player.clock().markers_between(&markers, before, after).count() as u64;
            before = after;
        }
        assert_eq!(met, player.clock().markers_between(&markers, 0.0, before).total(), "speed {speed}, dt {dt}");
        let passes = (before.abs() / f64::from(0.7_f32)).floor() as u64;
        assert!(met.abs_diff(passes * 4) <= 4, "{met} markers in {passes} passes");
    }
}
