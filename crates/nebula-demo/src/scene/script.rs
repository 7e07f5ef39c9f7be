//! The hero's script: its inputs and its path when nobody steers it.

use std::f32::consts::{PI, TAU};

use glam::Vec2;
use nebula_animation::{Fade, PlayError};

use super::hero::Hero;
use super::terrain::Hills;
use super::walker::Input;
use super::{Scene, many};

/// A fixed sequence of cues that repeats, and the way that the hero takes.
#[derive(Debug, Clone)]
pub struct Script {
    /// Seconds after which it begins anew.
    pub seconds: f32,
    /// Seconds that pass before the film begins.
    pub lead: f32,
    /// The hills for it.
    pub hills: Hills,
    cues: &'static [(f32, Cue)],
    /// How far the way swings to the side, in metres, within a period of the hills.
    swing: f32,
    /// How many cues were given.
    given: usize,
    gait: Gait,
}

/// What the hero is told.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cue {
    Wake,
    Rest,
    Go(Gait),
    /// A clip, seconds, and the kind of fade.
    Play(&'static str, Fade),
    Gesture(Option<&'static str>, Fade),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gait {
    Stand,
    Walk,
    Run,
}

/// How far the hero gets in the whole demo, in metres, and so the period of its hills: the last frame goes on as the first.
/// A test measures it.
pub const DEMO_WAY: f32 = 8.672;

/// The whole demo: T-pose, at ease, walk, run, and back.
const DEMO: &[(f32, Cue)] = &[
    (0.9, Cue::Wake),
    (2.4, Cue::Go(Gait::Walk)),
    (6.0, Cue::Go(Gait::Run)),
    (8.8, Cue::Go(Gait::Walk)),
    // The swinging foot comes down beside the standing one.
    (9.48, Cue::Go(Gait::Stand)),
    (11.0, Cue::Rest),
];

const TPOSE: &[(f32, Cue)] = &[];

const WALK: &[(f32, Cue)] = &[(0.0, Cue::Wake), (0.0, Cue::Go(Gait::Walk))];

/// Clips that take over from each other, later ones before the earlier ones are done.
const CROSSFADE: &[(f32, Cue)] = &[
    (0.0, Cue::Play("idle", Fade::smooth(0.4))),
    (0.8, Cue::Play("stroll_root_motion", Fade::smooth(0.5))),
    (2.0, Cue::Play("run_root_motion", Fade::linear(0.4))),
    (2.2, Cue::Play("stroll_root_motion", Fade::inertialised(0.35))),
    (2.5, Cue::Play("run_root_motion", Fade::inertialised(0.35))),
    (3.6, Cue::Play("jump_root_motion", Fade::inertialised(0.25))),
    (5.2, Cue::Play("idle", Fade::inertialised(0.4))),
    (5.4, Cue::Play("stroll_root_motion", Fade::inertialised(0.4))),
    (5.6, Cue::Play("idle", Fade::inertialised(0.5))),
    (6.6, Cue::Play("turn_left_root_motion", Fade::smooth(0.3))),
    (8.0, Cue::Play("idle", Fade::smooth(0.5))),
];

/// A salute with the sword.
const ATTACH: &[(f32, Cue)] = &[
    (0.0, Cue::Wake),
    (0.8, Cue::Gesture(Some("wave"), Fade::smooth(0.7))),
    (4.6, Cue::Gesture(None, Fade::smooth(0.9))),
];

impl Script {
    /// The script of a scene; of the whole demo without one.
    #[must_use]
    pub fn of(scene: Option<Scene>) -> Self {
        let (seconds, lead, hills, cues, swing) = match scene {
            // After the lead everything is as it is one pass later: the feet stand where the pass before has left them.
            None => (12.0, 12.0, Hills::rolling(DEMO_WAY), DEMO, 0.6),
            Some(Scene::Tpose) => (4.0, 0.0, Hills::rolling(DEMO_WAY), TPOSE, 0.0),
            Some(Scene::Crowd) => (many::SECONDS, 0.0, Hills::wide(), TPOSE, 0.0),
            Some(Scene::Walk) => (2.0, 8.0, Hills::valley(1.2), WALK, 0.0),
            Some(Scene::Slope) => (10.0, 10.0, Hills::steep(6.0), WALK, 0.0),
            Some(Scene::Crossfade) => (8.8, 0.0, Hills::rolling(DEMO_WAY), CROSSFADE, 0.0),
            Some(Scene::Attach) => (6.0, 6.0, Hills::rolling(DEMO_WAY), ATTACH, 0.0),
        };
        Self { seconds, lead, hills, cues, swing, given: 0, gait: Gait::Stand }
    }

    /// Gives the cues that are due at a time, in seconds since the script began, lead included. What to ask of the hero then.
    ///
    /// # Errors
    /// The character lacks a clip.
    pub fn direct(&mut self, time: f32, hero: &mut Hero) -> Result<Input, PlayError> {
        // The lead belongs to the first pass; a script of one gait does not begin anew.
        let count = self.cues.len().max(1);
        let is_steady = self.cues == WALK;
        while let Some((at, cue)) = self.cues.get(self.given % count) {
            let pass = self.given / count;
            if pass as f32 * self.seconds + at > time + 1e-4 || (pass > 0 && is_steady) {
                break;
            }
            self.given += 1;
            match *cue {
                Cue::Wake => hero.wake(),
                Cue::Rest => hero.rest(),
                Cue::Go(gait) => self.gait = gait,
                Cue::Play(clip, fade) => hero.play(clip, fade)?,
                Cue::Gesture(clip, fade) => hero.gesture(clip, fade)?,
            }
        }
        let direction = if self.gait == Gait::Stand { Vec2::ZERO } else { self.ahead(hero) };
        Ok(Input { direction, is_running: self.gait == Gait::Run })
    }

    /// From the hero to a place on its way a little further on.
    fn ahead(&self, hero: &Hero) -> Vec2 {
        let place = hero.walker.place();
        let further = Vec2::new(self.way(place.z + LOOK_AHEAD), place.z + LOOK_AHEAD);
        further - Vec2::new(place.x, place.z)
    }

    /// World x of the way at a z: a curve to either side between two straight stretches.
    fn way(&self, z: f32) -> f32 {
        let part = (z / self.hills.period()).rem_euclid(1.0);
        let part = ((part - CURVED[0]) / (CURVED[1] - CURVED[0])).clamp(0.0, 1.0);
        self.swing * (TAU * part).sin() * (PI * part).sin().powi(2)
    }
}

/// Metres.
const LOOK_AHEAD: f32 = 0.9;

/// Where the way is curved, in parts of it. Before and after it is straight, so that the hero ends as it faced at the
/// beginning.
const CURVED: [f32; 2] = [0.12, 0.8];
