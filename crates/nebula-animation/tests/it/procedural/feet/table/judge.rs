//! The figures of a run against the clip's own.

use glam::Vec3;

use super::run::{Foot, Run};

/// A foot whose sole or joint is within this of its lowest, in metres, and that is slower than the greater of these, in metres a second and in parts of
/// the clip's own speed, stands.
const NEAR: f32 = 0.01;
const SLOW: [f32; 2] = [0.5, 0.15];
/// Shorter contacts, in seconds, are no stances.
const SHORTEST: f32 = 0.08;
/// Seconds until whatever begins has begun.
const SETTLED: f32 = 1.0;

/// A foot that stands, from one frame to another.
#[derive(Debug, Clone, Copy)]
pub struct Stance {
    pub leg: usize,
    pub from: usize,
    pub to: usize,
}

/// Millimetres, and multiples of the clip's own.
#[derive(Debug, Clone, Copy, Default)]
pub struct Figures {
    pub usual_slide: f32,
    pub slide: f32,
    pub sink: f32,
    pub float: f32,
    pub knee: f32,
    pub pelvis: f32,
}

impl Figures {
    pub const NAMES: [&'static str; 6] = ["usual slide", "slide", "depth", "float", "knee", "pelvis"];

    pub fn all(&self) -> [f32; 6] {
        [self.usual_slide, self.slide, self.sink, self.float, self.knee, self.pelvis]
    }

    /// The worse of each.
    pub fn worse(&self, other: &Self) -> Self {
        Self {
            usual_slide: self.usual_slide.max(other.usual_slide),
            slide: self.slide.max(other.slide),
            sink: self.sink.max(other.sink),
            float: self.float.max(other.float),
            knee: self.knee.max(other.knee),
            pelvis: self.pelvis.max(other.pelvis),
        }
    }
}

fn settled(run: &Run) -> usize {
    (SETTLED * run.rate) as usize
}

/// When the feet of a clip without feet on level ground stand.
pub fn stances(own: &Run) -> Vec<Stance> {
    let mut stances = Vec::new();
    let first = settled(own);
    for leg in 0..own.frames.first().map_or(0, |frame| frame.feet.len()) {
        let lowest =
            |of: fn(&Foot) -> f32| own.frames.iter().map(|frame| of(&frame.feet[leg])).fold(f32::INFINITY, f32::min);
        let (low, joint) = (lowest(|foot| foot.low), lowest(|foot| foot.joint));
        let slow = SLOW[0].max(SLOW[1] * own.speed);
        let stands = |at: usize| {
            let foot = &own.frames[at].feet[leg];
            let near = foot.low < low + NEAR || foot.joint < joint + NEAR;
            // The way from this frame to the next one and that from the one before.
            let speed = |at: usize| own.frames[at].feet[leg].step.length() * own.rate;
            near && speed(at) < slow && own.frames.get(at + 1).is_none_or(|_| speed(at + 1) < slow)
        };
        let mut at = first;
        while at < own.frames.len() {
            let from = at;
            while at < own.frames.len() && stands(at) {
                at += 1;
            }
            let is_whole = from > first && at < own.frames.len();
            if is_whole && (at - from) as f32 / own.rate >= SHORTEST {
                stances.push(Stance { leg, from, to: at - 1 });
            }
            at = at.max(from + 1);
        }
    }
    stances
}

pub fn figures(own: &Run, stances: &[Stance], run: &Run) -> Figures {
    let mut figures = Figures::default();
    let mut slides = Vec::new();
    for stance in stances {
        let (mut way, mut farthest) = (Vec3::ZERO, 0.0_f32);
        for at in stance.from..=stance.to {
            let (own, foot) = (own.frames[at].feet[stance.leg], run.frames[at].feet[stance.leg]);
            figures.sink = figures.sink.max(1e3 * (own.low.min(0.0) - foot.low));
            figures.float = figures.float.max(1e3 * (foot.low - own.low.max(0.0)));
            if at > stance.from {
                way += foot.step;
                farthest = farthest.max(1e3 * way.with_y(0.0).length());
            }
        }
        slides.push(farthest);
    }
    slides.sort_by(f32::total_cmp);
    figures.usual_slide = slides.get(slides.len() / 2).copied().unwrap_or(0.0);
    figures.slide = slides.last().copied().unwrap_or(0.0);
    figures.knee = knee_speed(run) / knee_speed(own).max(1e-3);
    figures.pelvis = acceleration(run) / acceleration(own).max(1e-3);
    figures
}

pub fn knee_speed(run: &Run) -> f32 {
    let pairs = run.frames.windows(2).skip(settled(run));
    let speeds = pairs.flat_map(|pair| pair[0].feet.iter().zip(&pair[1].feet).map(|(a, b)| (b.knee - a.knee).abs()));
    speeds.fold(0.0, f32::max) * run.rate
}

pub fn acceleration(run: &Run) -> f32 {
    let threes = run.frames.windows(3).skip(settled(run));
    let each = threes.map(|three| (three[2].pelvis - 2.0 * three[1].pelvis + three[0].pelvis).length());
    each.fold(0.0, f32::max) * run.rate * run.rate
}
