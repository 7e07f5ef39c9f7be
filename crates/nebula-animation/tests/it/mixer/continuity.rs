//! No pose jumps, whatever takes over from whatever, at whatever moment.

use std::collections::VecDeque;

use nebula_animation::{AnimationMixer, Fade, JointPose, mixer::FadeCurve, sample_pose};

use super::cast::{Cast, FRAME, Pace, distance, humanoid, spinner, ten_moves};
use crate::characters::Random;

/// A mixer, or something that claims to be one.
trait Mixes {
    fn play(&mut self, clip: usize, fade: Fade, is_looping: bool);
    fn frame(&mut self, cast: &Cast, pose: &mut [JointPose]);
}

impl Mixes for AnimationMixer {
    fn play(&mut self, clip: usize, fade: Fade, is_looping: bool) {
        self.restart(clip, fade).expect("the clip is there").looping = is_looping;
    }
    fn frame(&mut self, _: &Cast, pose: &mut [JointPose]) {
        self.update(FRAME);
        self.write_pose(pose);
    }
}

/// A mixer with two actions only, as many have it: the third `play` in a row forgets what was fading.
#[derive(Default)]
struct Popping {
    current: Option<(usize, f64, bool)>,
    fading: Option<(usize, f64, bool)>,
    fade: f64,
    progress: f64,
}

impl Mixes for Popping {
    fn play(&mut self, clip: usize, fade: Fade, is_looping: bool) {
        self.fading = self.current.take();
        self.current = Some((clip, 0.0, is_looping));
        (self.fade, self.progress) = (f64::from(fade.seconds), 0.0);
    }
    fn frame(&mut self, cast: &Cast, pose: &mut [JointPose]) {
        let mut poses = [pose.to_vec(), pose.to_vec()];
        for (action, pose) in [&mut self.fading, &mut self.current].into_iter().zip(&mut poses) {
            let Some((clip, time, is_looping)) = action else { continue };
            let clip = &cast.clips[*clip];
            *time += FRAME;
            let duration = f64::from(clip.duration);
            let shown = if *is_looping { *time % duration } else { time.min(duration) };
            sample_pose(clip, &cast.skeleton, shown as f32, pose);
        }
        self.progress = (self.progress + FRAME / self.fade).min(1.0);
        let t = if self.fading.is_some() { self.progress } else { 1.0 };
        nebula_animation::mixer::blend_poses(&poses[0], &poses[1], t as f32, pose);
    }
}

/// How a run is played.
#[derive(Clone, Copy)]
struct Plan {
    plays: usize,
    /// The longest pause between two calls of `play`, in frames; 0 plays every frame.
    longest_pause: usize,
    curves: &'static [FadeCurve],
    seed: u64,
}

/// The speed of a fade at its fastest, as a multiple of the distance and of one over its length.
fn steepness(curve: FadeCurve) -> f64 {
    match curve {
        FadeCurve::Linear => 1.0,
        FadeCurve::Smooth => 1.5,
        // 1.92 for the difference itself, in terms of tan(angle / 4), which for half a turn is 4 / pi steeper than the
        // angle; and the velocity that is carried on.
        FadeCurve::Inertialised => 2.5,
    }
}

/// The fades that may be seen, the latest last.
#[derive(Default)]
struct Live(VecDeque<(FadeCurve, f64, f64)>);

impl Live {
    fn begin(&mut self, fade: Fade) {
        self.0.push_back((fade.curve, f64::from(fade.seconds), f64::from(fade.seconds)));
        // A mixer shows no more than these; older ones stand still.
        if self.0.len() > 5 {
            self.0.pop_front();
        }
    }

    /// Lets a frame pass; how far the fades alone may move a joint in it, in terms of its reach.
    fn frame(&mut self) -> f64 {
        let speed = self.0.iter().map(|(curve, seconds, _)| steepness(*curve) / seconds).sum::<f64>();
        self.0.iter_mut().for_each(|(_, _, left)| *left -= FRAME);
        self.0.retain(|(_, _, left)| *left > -FRAME);
        speed * FRAME
    }
}

/// The largest movement of a frame in terms of what is allowed, over a whole run.
fn worst(cast: &Cast, pace: &Pace, mixer: &mut impl Mixes, plan: Plan) -> f64 {
    let mut random = Random::new(plan.seed);
    let mut pose = cast.skeleton.bind_pose();
    let mut live = Live::default();
    let mut worst = 0.0_f64;
    let mut before: Option<Vec<JointPose>> = None;
    for _ in 0..plan.plays {
        let clip = random.below(cast.clips.len());
        let curve = plan.curves[random.below(plan.curves.len())];
        let fade = Fade { seconds: random.between(0.05, 0.5), curve };
        mixer.play(clip, fade, cast.loops(clip));
        live.begin(fade);
        for _ in 0..=random.below(plan.longest_pause + 1) {
            mixer.frame(cast, &mut pose);
            let by_fades = live.frame();
            let Some(before) = &mut before else {
                before = Some(pose.clone());
                continue;
            };
            for (joint, (before, after)) in before.iter().zip(&pose).enumerate() {
                assert!(after.0.is_finite() && after.1.is_finite() && after.2.is_finite());
                let moved = distance(before, after);
                for (part, moved) in moved.into_iter().enumerate() {
                    // What single precision adds.
                    let rounding = 2e-5 * (1.0 + pace.reach[joint][part]);
                    let allowed = pace.fastest[joint][part] + by_fades * pace.reach[joint][part] + rounding;
                    worst = worst.max(moved / allowed);
                }
            }
            before.copy_from_slice(&pose);
        }
    }
    worst
}

const ALL: &[FadeCurve] = &[FadeCurve::Linear, FadeCurve::Smooth, FadeCurve::Inertialised];

/// Plays that are called at random moments, and every frame; by each kind of fade alone, and by all of them.
fn plans(plays: usize) -> Vec<Plan> {
    let kinds: [&[FadeCurve]; 4] = [&ALL[..1], &ALL[1..2], &ALL[2..], ALL];
    let mut plans = Vec::new();
    for (index, curves) in kinds.into_iter().enumerate() {
        for longest_pause in [0, 20, 200] {
            // Long pauses take long.
            let plays = if longest_pause == 200 { plays / 10 } else { plays };
            plans.push(Plan { plays, longest_pause, curves, seed: 1 + index as u64 });
        }
    }
    plans
}

fn assert_continuous(cast: &Cast, plays: usize) {
    let pace = Pace::of(cast, 1.0);
    let mut total = 0;
    for plan in plans(plays) {
        let worst = worst(cast, &pace, &mut cast.mixer(), plan);
        println!(
            "{} plays, pauses to {}, {:?}: {worst:.3} of what is allowed",
            plan.plays, plan.longest_pause, plan.curves
        );
        assert!(worst <= 1.0, "pauses up to {} frames, {:?}: {worst}", plan.longest_pause, plan.curves);
        total += plan.plays;
    }
    println!("{total} plays");
}

/// Of 100,000 plays, half are the humanoid's, half those of joints that turn by more than half a turn.
#[test]
fn a_humanoid_never_jumps_in_50_000_plays() {
    assert_continuous(&ten_moves(), 6_000);
}

#[test]
fn half_turns_never_jump_in_50_000_plays() {
    assert_continuous(&spinner(), 6_000);
}

/// The check can fail: a mixer that drops the fading action jumps.
#[test]
fn a_popping_mixer_is_caught() {
    let cast = humanoid();
    let pace = Pace::of(&cast, 1.0);
    let plan = Plan { plays: 200, longest_pause: 20, curves: &ALL[..1], seed: 1 };
    let worst = worst(&cast, &pace, &mut Popping::default(), plan);
    assert!(worst > 2.0, "{worst}");
}
