use glam::{Vec2, Vec3};
use thiserror::Error;

use super::error::RecordingProblem;
use super::op;
use crate::character::Character;
use crate::compile::ClipId;
use crate::frame::LayerId;
use crate::mixer::{AnimationMixer, Fade, FadeCurve, Motion, ParameterError, ParameterId, ParameterValue, PlayError};
use crate::procedural::AimLayer;

/// A change of a character that takes only a few bytes on a [`Tape`](super::Tape), and that can be left out on
/// playback. Make all other changes through the [`Recorder`](super::Recorder) itself; they are recorded as a full
/// state.
///
/// ```
/// use nebula_animation::{Character, ClipId, load_skeleton_and_clips, recorder::Input};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
/// let mut hero = Character::new(skeleton, &clips);
/// let walk = hero.mixer.clips().find("walk")?;
/// Input::play(walk, 0.3).apply(&mut hero)?;
/// assert_eq!(hero.mixer.current_action.as_ref().and_then(|action| action.clip()), Some(walk.index()));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Input {
    /// Sets a parameter of a state machine, by its index in [`Character::machines`].
    Parameter {
        /// The machine.
        machine: usize,
        /// Its parameter.
        parameter: ParameterId,
        /// The value, of the parameter's own kind.
        value: ParameterValue,
    },
    /// Sets a trigger that expires: see [`StateMachinePlayer::trigger_for`](crate::StateMachinePlayer::trigger_for).
    Trigger {
        /// The machine.
        machine: usize,
        /// Its parameter.
        parameter: ParameterId,
        /// For how many seconds.
        seconds: f64,
    },
    /// Sets the position of a blend space.
    BlendPosition {
        /// The blend space.
        space: Motion,
        /// The place.
        position: Vec2,
    },
    /// Plays a motion on a layer.
    Play {
        /// The layer.
        layer: LayerId,
        /// What to play.
        motion: Motion,
        /// How it takes over.
        fade: Fade,
    },
    /// Fades out a layer.
    Stop {
        /// The layer.
        layer: LayerId,
        /// How it ends.
        fade: Fade,
    },
    /// Sets the weight of a mixer layer.
    LayerWeight {
        /// The layer.
        layer: LayerId,
        /// From 0 to 1.
        weight: f32,
    },
    /// Sets the speed of a layer's current action.
    Speed {
        /// The layer.
        layer: LayerId,
        /// Seconds of the clip per second.
        speed: f32,
    },
    /// Sets the time scale of the mixer.
    TimeScale(f32),
    /// Sets the target of the first [`AimLayer`], in world space.
    Aim(Vec3),
}

/// Why a change could not be made; the character is unchanged.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum InputError {
    /// There is no such motion, layer or blend space.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// There is no such parameter, or it is of another kind.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// The character has no such state machine.
    #[error("there is no state machine {machine}: the character has {count}")]
    NoSuchMachine {
        /// Index of the machine.
        machine: usize,
        /// How many there are.
        count: usize,
    },
    /// The character has no [`AimLayer`].
    #[error("the character has no AimLayer")]
    NoAim,
    /// Nothing plays in the layer.
    #[error("nothing plays in layer {}", .0.index())]
    NothingPlays(LayerId),
}

/// What comes after the head of an input, by its kind.
const PARAMETER: u32 = 1 << 8;
const TRIGGER: u32 = 2 << 8;
const BLEND_POSITION: u32 = 3 << 8;
const PLAY: u32 = 4 << 8;
const STOP: u32 = 5 << 8;
const LAYER_WEIGHT: u32 = 6 << 8;
const SPEED: u32 = 7 << 8;
const TIME_SCALE: u32 = 8 << 8;
const AIM: u32 = 9 << 8;

impl Input {
    /// Plays a clip on the base layer.
    #[must_use]
    pub fn play(clip: ClipId, fade: impl Into<Fade>) -> Self {
        Self::Play { layer: LayerId::BASE, motion: Motion::Clip(clip.index()), fade: fade.into() }
    }

    /// Makes the change.
    ///
    /// # Errors
    /// The change cannot be made.
    pub fn apply(&self, character: &mut Character) -> Result<(), InputError> {
        let count = character.machines.len();
        let no_machine = |machine| InputError::NoSuchMachine { machine, count };
        match *self {
            Self::Parameter { machine, parameter, value } => {
                let player = character.machines.get_mut(machine).ok_or_else(|| no_machine(machine))?;
                player.set(parameter, value)?;
            }
            Self::Trigger { machine, parameter, seconds } => {
                let player = character.machines.get_mut(machine).ok_or_else(|| no_machine(machine))?;
                player.trigger_for(parameter, seconds)?;
            }
            Self::BlendPosition { space, position } => character.mixer.set_blend_position(space, position)?,
            Self::Play { layer, motion, fade } => {
                character.mixer.play_on(layer, motion, fade)?;
            }
            Self::Stop { layer, fade } => layer_of(&mut character.mixer, layer)?.stop(fade),
            Self::LayerWeight { layer, weight } => layer_of(&mut character.mixer, layer)?.weight = weight,
            Self::Speed { layer, speed } => {
                let action = layer_of(&mut character.mixer, layer)?.current_action.as_mut();
                action.ok_or(InputError::NothingPlays(layer))?.speed = speed;
            }
            Self::TimeScale(scale) => character.mixer.time_scale = scale,
            Self::Aim(target) => character.layer_mut::<AimLayer>().ok_or(InputError::NoAim)?.target = target,
        }
        Ok(())
    }

    /// Appends it to a tape.
    pub(super) fn write(&self, words: &mut Vec<u32>) {
        let at = words.len();
        words.extend([0, 0]);
        let kind = match *self {
            Self::Parameter { machine, parameter, value } => {
                let (kind, value) = match value {
                    ParameterValue::Bool(value) => (0, value.into()),
                    ParameterValue::Float(value) => (1, value.to_bits()),
                    ParameterValue::Trigger(is_set) => (2, is_set.into()),
                };
                words.extend([index(machine), index(parameter.index()), kind, value]);
                PARAMETER
            }
            Self::Trigger { machine, parameter, seconds } => {
                let [low, high] = op::of_double(seconds);
                words.extend([index(machine), index(parameter.index()), low, high]);
                TRIGGER
            }
            Self::BlendPosition { space, position } => {
                words.extend(of_motion(space));
                words.extend(position.to_array().map(f32::to_bits));
                BLEND_POSITION
            }
            Self::Play { layer, motion, fade } => {
                words.push(index(layer.index()));
                words.extend(of_motion(motion));
                words.extend(of_fade(fade));
                PLAY
            }
            Self::Stop { layer, fade } => {
                words.push(index(layer.index()));
                words.extend(of_fade(fade));
                STOP
            }
            Self::LayerWeight { layer, weight } => {
                words.extend([index(layer.index()), weight.to_bits()]);
                LAYER_WEIGHT
            }
            Self::Speed { layer, speed } => {
                words.extend([index(layer.index()), speed.to_bits()]);
                SPEED
            }
            Self::TimeScale(scale) => {
                words.push(scale.to_bits());
                TIME_SCALE
            }
            Self::Aim(target) => {
                words.extend(target.to_array().map(f32::to_bits));
                AIM
            }
        };
        words[at] = op::INPUT | kind;
        words[at + 1] = (words.len() - at - 2) as u32;
    }

    /// Reads what [`write`](Input::write) wrote.
    pub(super) fn read(flags: u32, words: &[u32]) -> Result<Self, RecordingProblem> {
        let number = f32::from_bits;
        let layer = |word: u32| LayerId::new(word as usize);
        Ok(match (flags, words) {
            (PARAMETER, &[machine, parameter, kind, value]) => {
                let value = match (kind, value) {
                    (0, 0 | 1) => ParameterValue::Bool(value == 1),
                    (1, _) => ParameterValue::Float(number(value)),
                    (2, 0 | 1) => ParameterValue::Trigger(value == 1),
                    _ => return Err(UNKNOWN),
                };
                Self::Parameter { machine: machine as usize, parameter: ParameterId::new(parameter as usize), value }
            }
            (TRIGGER, &[machine, parameter, low, high]) => Self::Trigger {
                machine: machine as usize,
                parameter: ParameterId::new(parameter as usize),
                seconds: f64::from_bits(u64::from(high) << 32 | u64::from(low)),
            },
            (BLEND_POSITION, &[kind, index, x, y]) => {
                Self::BlendPosition { space: motion(kind, index)?, position: Vec2::new(number(x), number(y)) }
            }
            (PLAY, &[at, kind, index, seconds, curve]) => {
                Self::Play { layer: layer(at), motion: motion(kind, index)?, fade: fade(seconds, curve)? }
            }
            (STOP, &[at, seconds, curve]) => Self::Stop { layer: layer(at), fade: fade(seconds, curve)? },
            (LAYER_WEIGHT, &[at, weight]) => Self::LayerWeight { layer: layer(at), weight: number(weight) },
            (SPEED, &[at, speed]) => Self::Speed { layer: layer(at), speed: number(speed) },
            (TIME_SCALE, &[scale]) => Self::TimeScale(number(scale)),
            (AIM, &[x, y, z]) => Self::Aim(Vec3::new(number(x), number(y), number(z))),
            _ => return Err(UNKNOWN),
        })
    }
}

const UNKNOWN: RecordingProblem = RecordingProblem::Damaged("there is a change on the tape that no recorder writes");

fn layer_of(mixer: &mut AnimationMixer, layer: LayerId) -> Result<&mut crate::mixer::MixerLayer, PlayError> {
    let count = mixer.layers().count();
    mixer.layer_mut(layer).ok_or(PlayError::NoSuchLayer { layer, count })
}

/// Nothing has as many machines, layers or clips.
fn index(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

fn of_motion(motion: Motion) -> [u32; 2] {
    match motion {
        Motion::Clip(clip) => [0, index(clip)],
        Motion::Space(space) => [1, index(space)],
    }
}

fn motion(kind: u32, index: u32) -> Result<Motion, RecordingProblem> {
    match kind {
        0 => Ok(Motion::Clip(index as usize)),
        1 => Ok(Motion::Space(index as usize)),
        _ => Err(UNKNOWN),
    }
}

fn of_fade(fade: Fade) -> [u32; 2] {
    let curve = match fade.curve {
        FadeCurve::Linear => 0,
        FadeCurve::Smooth => 1,
        FadeCurve::Inertialised => 2,
    };
    [fade.seconds.to_bits(), curve]
}

fn fade(seconds: u32, curve: u32) -> Result<Fade, RecordingProblem> {
    let curve = match curve {
        0 => FadeCurve::Linear,
        1 => FadeCurve::Smooth,
        2 => FadeCurve::Inertialised,
        _ => return Err(UNKNOWN),
    };
    Ok(Fade { seconds: f32::from_bits(seconds), curve })
}
