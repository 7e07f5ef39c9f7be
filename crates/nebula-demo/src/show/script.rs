//! What the humanoid does in the demo, frame by frame.

use glam::Vec3;

use super::figure::{Figure, Frame};
use super::film::FRAMES_PER_SECOND;
use super::gait::{Gait, distances, ground_step};
use super::model::Model;

/// What the humanoid does for a while.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Act {
    /// Stands as it was modelled, arms to the sides.
    TPose,
    /// A clip on the spot, or one that moves over the ground.
    Play(Gait),
}

/// One frame of the demo: a mix of two poses, and where the figure is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    /// The pose that is faded out.
    pub from: Frame,
    /// The pose that is faded in.
    pub to: Frame,
    /// How much of it is seen, from 0 to 1.
    pub amount: f32,
    /// Where the figure has got to.
    pub offset: Vec3,
}

/// Acts one after the other.
#[derive(Debug, Clone)]
pub struct Script {
    /// Each act with the second at which it begins; the first one at zero.
    acts: Vec<(f32, Act)>,
    /// Seconds that a fade from one act to the next takes.
    fade: f32,
}

/// Length of a fade in seconds.
const FADE: f32 = 0.5;

/// Where in its cycle the first step begins: the left foot is on the ground and the right one swings past it.
const FIRST_STEP: f32 = 0.86;

/// Steps in each frame while the feet tell how far the figure moves.
const STEPS: usize = 4;

impl Script {
    /// One act.
    pub fn of(act: Act) -> Self {
        Self { acts: vec![(0.0, act)], fade: FADE }
    }

    /// The whole demo: T-pose, idle, walk, run.
    ///
    /// # Errors
    /// The humanoid lacks a clip.
    pub fn all(humanoid: &Humanoid, seconds: f32) -> Result<Self, String> {
        let twelfth = seconds / 12.0;
        let acts = vec![
            (0.0, Act::TPose),
            (twelfth, Act::Play(humanoid.gait("idle")?)),
            (twelfth * 3.0, Act::Play(humanoid.gait("walk")?)),
            (twelfth * 8.0, Act::Play(humanoid.gait("run")?)),
        ];
        Ok(Self { acts, fade: FADE.min(twelfth) })
    }

    /// Every frame of the script.
    pub fn moments(&self, model: &Model, count: usize) -> Vec<Moment> {
        let mut walker = Walker::new(model);
        let mut moments = Vec::with_capacity(count);
        for frame in 0..count {
            let time = frame as f32 / FRAMES_PER_SECOND;
            if frame > 0 {
                let before = (frame - 1) as f32 / FRAMES_PER_SECOND;
                for step in 0..STEPS {
                    let at = |step: usize| before + (time - before) * (step as f32 / STEPS as f32);
                    walker.advance(self, at(step), at(step + 1));
                }
            }
            moments.push(walker.moment(self, time));
        }
        moments
    }

    /// The act before, the act at hand and how far it is faded in.
    fn at(&self, time: f32) -> (Act, Act, f32) {
        let index = self.acts.iter().rposition(|&(start, _)| start <= time).unwrap_or(0);
        let (start, act) = self.acts[index];
        match index.checked_sub(1) {
            Some(before) if time < start + self.fade => {
                let fraction = (time - start) / self.fade;
                (self.acts[before].1, act, fraction * fraction * (3.0 - 2.0 * fraction))
            }
            _ => (act, act, 1.0),
        }
    }
}

/// The shipped humanoid.
#[derive(Debug)]
pub struct Humanoid {
    /// Its model.
    pub model: Model,
    distances: Vec<f32>,
}

impl Humanoid {
    /// The humanoid in the program: it works wherever the program is.
    ///
    /// # Errors
    /// The loader's message.
    pub fn new() -> Result<Self, String> {
        let bytes = include_bytes!("../../../nebula-animation/test_assets/simple_humanoid.glb");
        Ok(Self { model: Model::from_bytes("simple_humanoid.glb", bytes)?, distances: distances(bytes)? })
    }

    /// A clip of the humanoid.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn gait(&self, name: &str) -> Result<Gait, String> {
        let clip = self.model.clip(name)?;
        let metres = self.distances.get(clip).copied().unwrap_or(0.0);
        Ok(Gait { clip, seconds: self.model.asset.animations[clip].duration, metres })
    }
}

/// What changes from frame to frame.
struct Walker<'a> {
    figure: Figure<'a>,
    /// Passes of the clip that walks or runs. Both begin at the same place of the stride, and so are blended in step.
    cycle: f32,
    offset: Vec3,
}

impl<'a> Walker<'a> {
    fn new(model: &'a Model) -> Self {
        Self { figure: Figure::new(model), cycle: FIRST_STEP, offset: Vec3::ZERO }
    }

    fn moment(&self, script: &Script, time: f32) -> Moment {
        let (from, to, amount) = script.at(time);
        Moment { from: self.frame(from, time), to: self.frame(to, time), amount, offset: self.offset }
    }

    fn frame(&self, act: Act, time: f32) -> Frame {
        match act {
            Act::TPose => None,
            Act::Play(Gait { clip, seconds, metres: 0.0 }) => Some((clip, time.rem_euclid(seconds))),
            Act::Play(Gait { clip, seconds, .. }) => Some((clip, self.cycle.rem_euclid(1.0) * seconds)),
        }
    }

    /// Moves on: by the distance that a clip states; in a fade, which no clip knows about, by the feet on the ground.
    fn advance(&mut self, script: &Script, from: f32, to: f32) {
        let (before, act, amount) = script.at(from);
        let (old, new) = (stride(before), stride(act));
        let start = self.moment(script, from);
        let rate = |gait: Gait| 1.0 / gait.seconds;
        let rate = match (old, new) {
            (Some(old), Some(new)) => rate(old) + (rate(new) - rate(old)) * amount,
            (old, new) => new.or(old).map_or(0.0, rate),
        };
        self.cycle += rate * (to - from);
        let metres = |gait: Option<Gait>| gait.map_or(0.0, |gait| gait.metres);
        let by_clip = Vec3::Z * ((metres(old) * (1.0 - amount) + metres(new) * amount) * rate * (to - from));
        let end = self.moment(script, to);
        let by_feet = if amount < 1.0 { self.by_feet(&start, &end) } else { None };
        self.offset += by_feet.unwrap_or(by_clip);
    }

    fn by_feet(&mut self, start: &Moment, end: &Moment) -> Option<Vec3> {
        let mut take = |moment: &Moment, amount: f32| {
            self.figure.take_mix(moment.from, moment.to, amount, Vec3::ZERO);
            self.figure.surfaces().to_vec()
        };
        let (before, ahead) = (take(start, start.amount), take(start, 1.0));
        ground_step(&before, &take(end, end.amount), &ahead).map(|step| -step)
    }
}

/// The clip of an act, if it moves over the ground.
fn stride(act: Act) -> Option<Gait> {
    match act {
        Act::Play(gait) if gait.metres != 0.0 => Some(gait),
        _ => None,
    }
}
