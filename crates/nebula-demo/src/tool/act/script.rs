//! Scripts: JSON documents with what a character does.

use std::path::PathBuf;

use nebula_animation::Fade;
use nebula_animation::mixer::FadeCurve;
use serde::Deserialize;

/// What a character is to do.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// A .glb or .gltf file, from the current folder or that of the script.
    pub character: PathBuf,
    /// Frames a second.
    #[serde(default = "sixty")]
    pub hz: f64,
    /// How long it acts.
    pub seconds: f64,
    /// Which clips are played, and from when on.
    pub play: Vec<Play>,
    /// How fast it goes; as fast as its clips walk by default.
    #[serde(default)]
    pub speed: Speed,
    /// How fast it turns to its left, in degrees per second.
    #[serde(default)]
    pub turn: f64,
    /// What it walks on.
    #[serde(default)]
    pub ground: Ground,
    /// Whether its feet are put on the ground.
    #[serde(default)]
    pub feet: bool,
    /// What it looks at.
    #[serde(default)]
    pub aim: Option<Aim>,
}

fn sixty() -> f64 {
    60.0
}

/// A clip from a moment on.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// Seconds from the beginning.
    #[serde(default)]
    pub at: f64,
    /// Name of the clip.
    pub clip: String,
    /// Seconds of the fade into it.
    #[serde(default)]
    fade: f32,
    /// The curve of the fade.
    #[serde(default)]
    curve: FadeCurve,
}

impl Play {
    /// How the clip takes over.
    pub fn fade(&self) -> Fade {
        Fade { seconds: self.fade, curve: self.curve }
    }
}

/// How fast someone goes.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(untagged, expecting = "a number of metres per second, or \"clip\"")]
pub enum Speed {
    /// Metres per second.
    Fixed(f64),
    /// As the clips say.
    Own(Own),
    /// The same.
    #[default]
    #[serde(skip)]
    Unsaid,
}

/// As the clips say.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Own {
    /// At the speed at which their feet walk.
    Clip,
}

/// What someone walks on. `s` is the way along which it faces at the beginning, in metres.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Ground {
    /// Level ground.
    #[default]
    Flat,
    /// As steep everywhere.
    Slope {
        /// Upwards along `s`.
        degrees: f32,
    },
    /// Steps, each `rise` metres above the one before.
    Stairs {
        /// Negative goes down.
        rise: f32,
        /// How long a step is, in metres.
        run: f32,
    },
    /// A floor that goes up.
    Lift {
        /// Metres per second.
        velocity: f32,
        /// Seconds from the beginning after which it stands.
        until: f64,
    },
    /// A floor that moves.
    Platform {
        /// Metres per second.
        velocity: [f32; 3],
        /// Seconds from the beginning after which it stands.
        until: f64,
    },
}

/// What someone looks at.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a point [x, y, z], or {\"circle\": {\"radius\", \"height\", \"degrees_per_second\"}}")]
pub enum Aim {
    /// A point of the world.
    At([f32; 3]),
    /// Something that goes round.
    Round {
        /// Its way.
        circle: Circle,
    },
}

/// The way round an entity, from its front to its left first.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Circle {
    /// In metres.
    pub radius: f32,
    /// Above the entity's origin, in metres.
    pub height: f32,
    /// Negative goes to its right first.
    pub degrees_per_second: f64,
}

impl Script {
    /// Says what cannot be acted.
    pub fn check(&self) -> Result<(), String> {
        let within = |name: &str, value: f64, from: f64, to: f64| {
            let is_within = (from..=to).contains(&value);
            if is_within { Ok(()) } else { Err(format!("{name} is {value}: expected a number from {from} to {to}")) }
        };
        within("hz", self.hz, 1.0, 1000.0)?;
        within("seconds", self.seconds, 0.0, 600.0)?;
        within("turn", self.turn, -3600.0, 3600.0)?;
        if let Speed::Fixed(speed) = self.speed {
            within("speed", speed, -1000.0, 1000.0)?;
        }
        match self.ground {
            Ground::Flat => {}
            Ground::Slope { degrees } => within("the slope's degrees", degrees.into(), -80.0, 80.0)?,
            Ground::Stairs { rise, run } => {
                within("the stairs' rise", rise.into(), -100.0, 100.0)?;
                within("the stairs' run", run.into(), 0.001, 1000.0)?;
            }
            Ground::Lift { velocity, until } => {
                within("the lift's velocity", velocity.into(), -1000.0, 1000.0)?;
                within("the lift's until", until, 0.0, 1e6)?;
            }
            Ground::Platform { velocity, until } => {
                for part in velocity {
                    within("the platform's velocity", part.into(), -1000.0, 1000.0)?;
                }
                within("the platform's until", until, 0.0, 1e6)?;
            }
        }
        if self.play.is_empty() {
            return Err("an entry of play has no clip".into());
        }
        if !self.play.is_sorted_by(|play, next| play.at <= next.at) {
            return Err("play is not in the order of its times".into());
        }
        for play in &self.play {
            within("at", play.at, 0.0, 1e6)?;
            within("fade", play.fade.into(), 0.0, 1e4)?;
        }
        Ok(())
    }
}
