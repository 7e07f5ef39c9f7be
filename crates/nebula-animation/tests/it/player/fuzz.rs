//! Random sequences of everything that can be done to a player. The run in `cargo test` is small;
//! `NEBULA_SEQUENCES=1000000 cargo test -p nebula-animation --test it player::fuzz` is the large one.

use std::sync::Arc;

use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationPlayer, Clock, Rig, Skeleton, advance_time, compute_world_matrices,
    player::advance_and_sample, sample_clip,
};

use super::rig::{chain, slide, turn};

/// Small, quick, and the same on every machine (xorshift64*).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 33) as usize % limit
    }

    /// Mostly a sane number, sometimes a hard one.
    fn number(&mut self) -> f32 {
        const HARD: [f32; 12] =
            [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0, 0.0, 1e-40, 1e30, -1e30, f32::MAX, 1e9, 1.0, -1.0];
        match self.below(4) {
            0 => HARD[self.below(HARD.len())],
            1 => (self.below(2001) as f32 - 1000.0) / 64.0,
            _ => self.below(1000) as f32 / 997.0 * 0.05,
        }
    }

    fn clock(&mut self) -> Clock {
        Clock {
            start: f64::from(self.number()),
            end: (self.below(4) > 0).then(|| f64::from(self.number())),
            offset: f64::from(self.number()),
            speed: f64::from(self.number()),
            repetitions: self.below(5) as i32 - 1,
            reverse: self.below(2) == 0,
            hold: f64::from(self.number()),
            restarts_at_end: self.below(2) == 0,
        }
    }
}

fn all_clips() -> [Vec<AnimationClip>; 4] {
    let short = |duration| AnimationClip { duration, ..slide(0, 1.0) };
    [
        vec![slide(0, 1.0), turn(1, 9, 0.4), turn(2, 5, 3.1), short(0.0), short(1e-40), short(1e6)],
        vec![turn(3, 12, -2.0), slide(70, 2.0)],
        vec![short(f32::NAN), AnimationClip::default()],
        Vec::new(),
    ]
}

/// Every skeleton with its libraries.
struct Cast {
    rigs: Vec<Arc<Rig>>,
    /// For each rig, one of each list of clips.
    libraries: Vec<Vec<AnimationClipLibrary>>,
}

impl Cast {
    fn new() -> Self {
        let rigs = [chain(4), chain(1), chain(7), Skeleton::default()].map(Rig::new);
        let of_rig = |rig| all_clips().iter().map(|clips| AnimationClipLibrary::new(rig, clips)).collect();
        Self { libraries: rigs.iter().map(of_rig).collect(), rigs: rigs.into() }
    }
}

fn check(player: &AnimationPlayer, skeleton: &Skeleton, clips: &AnimationClipLibrary) {
    if let Some(clip) = clips.get(player.clip_index) {
        let duration = clip.duration();
        assert!((0.0..=duration.max(0.0)).contains(&player.time), "time {} in {duration}", player.time);
    }
    assert!(player.time.is_finite(), "{}", player.time);
    assert!(player.seconds().is_finite(), "{}", player.seconds());
    assert!(player.total_time().is_finite(), "{} by {:?}", player.total_time(), player.clock());
    assert_eq!(player.local_poses.len(), skeleton.joints.len());
    for (translation, rotation, scale) in &player.local_poses {
        assert!(translation.is_finite() && scale.is_finite());
        assert!((rotation.length() - 1.0).abs() < 1e-4, "{rotation}");
    }
    assert!(player.joint_matrices.iter().all(|matrix| matrix.is_finite()));
}

/// Twelve things done to a player, each followed by a frame.
fn run_sequence(seed: u64, cast: &Cast) {
    let random = &mut Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (mut rig, mut list) = (0, 0);
    let (mut skeleton, mut clips) = (&*cast.rigs[rig], &cast.libraries[rig][list]);
    let mut player = AnimationPlayer::new(random.below(3), 1.0, skeleton.joints.len());
    for _ in 0..12 {
        let done = random.below(14);
        match done {
            0 => player.time = random.number(),
            1 => player.speed = random.number(),
            2 => player.looping = !player.looping,
            3 => player.playing = !player.playing,
            4 => player.clip_index = random.below(8),
            5 => player.play(random.below(7)),
            6 => player.play_by(random.below(7), random.clock()),
            7 => player.restart(),
            8 => player.seek(f64::from(random.number())),
            9 => player.seek_total(f64::from(random.number())),
            10 => list = random.below(cast.libraries[rig].len()),
            11 => rig = random.below(cast.rigs.len()),
            // Clips that were compiled for another rig.
            12 => clips = &cast.libraries[random.below(cast.rigs.len())][list],
            _ => {}
        }
        if matches!(done, 10 | 11) {
            (skeleton, clips) = (&cast.rigs[rig], &cast.libraries[rig][list]);
        }
        if random.below(2) == 0 {
            advance_and_sample(&mut player, skeleton, clips, random.number());
        } else {
            advance_time(&mut player, clips, f64::from(random.number()));
            sample_clip(&mut player, skeleton, clips);
        }
        compute_world_matrices(&mut player, skeleton);
        check(&player, skeleton, clips);
    }
}

#[test]
fn every_sequence_leaves_a_sound_player() {
    let sequences = std::env::var("NEBULA_SEQUENCES").ok().and_then(|count| count.parse().ok()).unwrap_or(100_000_u64);
    let cast = Cast::new();
    for seed in 0..sequences {
        let result = std::panic::catch_unwind(|| run_sequence(seed, &cast));
        assert!(result.is_ok(), "sequence {seed}");
    }
    println!("{sequences} sequences");
}
