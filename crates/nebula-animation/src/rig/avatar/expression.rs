use glam::Vec3;
use thiserror::Error;

use super::Avatar;
use crate::clip::{AnimationClip, Channel, Interpolation, MorphLayout};
use crate::sample::sample_channel;
use crate::skeleton::{listed, near_names};

/// A named facial expression: morph targets with weights.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Expression {
    /// The name of a VRM 1.0 preset (`happy`, `aa`, `blinkLeft`, ...), or one chosen by the author.
    pub name: String,
    /// Whether the name is one of the presets.
    pub is_preset: bool,
    /// Whether it is either off or on, without steps in between: above one half is on.
    pub is_binary: bool,
    /// Morph slots, and their weights at full strength.
    pub morphs: Vec<(usize, f32)>,
    /// How it affects expressions that blink.
    pub blink: Override,
    /// How it affects expressions that direct the eyes.
    pub look_at: Override,
    /// How it affects expressions that move the mouth.
    pub mouth: Override,
}

/// How an expression affects others that move the same part of the face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Override {
    /// Not at all.
    #[default]
    None,
    /// Any strength above 0 suppresses the others.
    Block,
    /// The others are weakened by its strength.
    Blend,
}

impl Override {
    fn amount(self, strength: f32) -> f32 {
        match self {
            Self::None => 0.0,
            Self::Block => f32::from(u8::from(strength > 0.0)),
            Self::Blend => strength,
        }
    }
}

impl Expression {
    /// Whether it weakens others.
    fn overrides(&self) -> bool {
        [self.blink, self.look_at, self.mouth].iter().any(|rule| *rule != Override::None)
    }
}

/// The parts of a face that expressions override.
const BLINKS: [&str; 3] = ["blink", "blinkLeft", "blinkRight"];
const LOOKS: [&str; 4] = ["lookUp", "lookDown", "lookLeft", "lookRight"];
const MOUTHS: [&str; 5] = ["aa", "ih", "ou", "ee", "oh"];

/// There is no expression with that name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no expression \"{}\" among {count}{}", name.escape_debug(), listed(near))]
pub struct UnknownExpression {
    /// The requested name.
    pub name: String,
    /// Similar names, best first; at most five.
    pub near: Vec<String>,
    /// How many expressions the avatar has.
    pub count: usize,
}

impl Avatar {
    /// The index of an expression by name, ignoring case.
    ///
    /// # Errors
    /// There is no such expression; similar names are listed.
    pub fn expression(&self, name: &str) -> Result<usize, UnknownExpression> {
        let found = self.expressions.iter().position(|expression| expression.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownExpression {
            name: name.to_owned(),
            near: near_names(name, self.expressions.iter().map(|expression| expression.name.as_str())),
            count: self.expressions.len(),
        })
    }

    /// The effective strengths of all expressions, after overrides: one each, from 0 to 1. `strengths` are the
    /// requested ones, in the order of [`Avatar::expressions`]; missing ones count as 0.
    ///
    /// ```
    /// use nebula_animation::rig::avatar::{Avatar, Expression, Override};
    ///
    /// let face = |name: &str, blink| Expression { name: name.into(), is_preset: true, blink, ..Expression::default() };
    /// let avatar = Avatar {
    ///     expressions: vec![face("happy", Override::Blend), face("blink", Override::None)],
    ///     ..Avatar::default()
    /// };
    /// assert_eq!(avatar.expression_strengths(&[0.75, 1.0]), [0.75, 0.25], "eyes that laugh are half closed already");
    /// ```
    #[must_use]
    pub fn expression_strengths(&self, strengths: &[f32]) -> Vec<f32> {
        let asked = |(index, expression): (usize, &Expression)| {
            let strength = strengths.get(index).copied().filter(|strength| *strength > 0.0).unwrap_or(0.0).min(1.0);
            if expression.is_binary { f32::from(u8::from(strength > 0.5)) } else { strength }
        };
        let mut strengths: Vec<f32> = self.expressions.iter().enumerate().map(asked).collect();
        let mut left = [1.0_f32; 3];
        for (expression, strength) in self.expressions.iter().zip(&strengths) {
            for (left, rule) in left.iter_mut().zip([expression.blink, expression.look_at, expression.mouth]) {
                *left = (*left - rule.amount(*strength)).max(0.0);
            }
        }
        for (expression, strength) in self.expressions.iter().zip(&mut strengths) {
            let is_of = |names: &[&str]| expression.is_preset && names.contains(&expression.name.as_str());
            let parts = [is_of(&BLINKS), is_of(&LOOKS), is_of(&MOUTHS)];
            if let Some((left, _)) = left.iter().zip(parts).find(|(_, is_part)| *is_part) {
                *strength *= if expression.is_binary && *left < 1.0 { 0.0 } else { *left };
            }
        }
        strengths
    }

    /// Adds the face of a VRM animation to a clip for this avatar: the strengths of its expressions, as morph weights
    /// of this avatar.
    ///
    /// `source` is the avatar of the file with the animation, `played` its clip, and `morphs` the layout of this
    /// avatar's file. Expressions that this avatar lacks are ignored; returns the number that it has. If its eyes are
    /// directed by expressions, the animation's gaze is included.
    pub fn add_expression_tracks(
        &self,
        source: &Self,
        played: &AnimationClip,
        morphs: &MorphLayout,
        clip: &mut AnimationClip,
    ) -> usize {
        let channel = |joint: u16| played.translation_channels.iter().rfind(|channel| channel.joint_index == joint);
        let looks = self.look_channels(source, played);
        let pairs: Vec<(usize, &Channel<Vec3>)> = source
            .expression_joints
            .iter()
            .filter_map(|(name, joint)| Some((self.expression(name).ok()?, channel(*joint)?)))
            .filter(|(_, channel)| !channel.keyframes.is_empty())
            .chain(looks.iter().map(|(expression, channel)| (*expression, channel)))
            .collect();
        let times = self.face_times(&pairs, clip.duration);
        let defaults = morphs.defaults();
        let mut faces: Vec<f32> = Vec::with_capacity(times.len() * defaults.len());
        for time in &times {
            let mut weights = defaults.clone();
            self.add_expressions(&self.asked(&pairs, *time), &mut weights);
            faces.extend(weights);
        }
        for mesh in &morphs.meshes {
            let is_moved = pairs.iter().any(|(expression, _)| {
                self.expressions[*expression].morphs.iter().any(|(slot, _)| mesh.slots().contains(slot))
            });
            if is_moved {
                let rows = faces.chunks_exact(defaults.len().max(1));
                let values: Vec<f32> = rows.flat_map(|face| face[mesh.slots()].iter().copied()).collect();
                // Times and numbers are what they have to be.
                let _ =
                    clip.set_morph_weights(mesh.first_slot, Interpolation::Linear, &times, &values, mesh.weights.len());
            }
        }
        pairs.len()
    }

    /// The strengths that channels ask for at a time.
    fn asked(&self, pairs: &[(usize, &Channel<Vec3>)], time: f32) -> Vec<f32> {
        let mut strengths = vec![0.0; self.expressions.len()];
        for (expression, channel) in pairs {
            strengths[*expression] = sample_channel(channel, time).x;
        }
        strengths
    }

    /// The times between which the weights of a face are linear: those of all keys; the last moment before a step; a
    /// fixed rate where a channel is curved, or expressions weaken each other; and both sides of a moment at which one
    /// is switched on or off.
    fn face_times(&self, pairs: &[(usize, &Channel<Vec3>)], duration: f32) -> Vec<f32> {
        const RATE: f32 = 60.0;
        let mut times: Vec<f32> = Vec::new();
        for (_, channel) in pairs {
            times.extend(channel.keyframes.iter().map(|key| key.time));
            if channel.interpolation == Interpolation::Step {
                times.extend(channel.keyframes.iter().skip(1).map(|key| key.time.next_down()));
            }
        }
        let of = |pair: &(usize, &Channel<Vec3>)| &self.expressions[pair.0];
        let is_curved =
            |pair: &(usize, &Channel<Vec3>)| of(pair).overrides() || pair.1.interpolation == Interpolation::CubicSpline;
        if pairs.iter().any(is_curved) {
            let last = times.iter().copied().fold(duration, f32::max);
            times.extend((0..(last * RATE).clamp(0.0, 1e5) as u32).map(|sample| sample as f32 / RATE));
        }
        times.retain(|time| time.is_finite() && *time >= 0.0);
        times.sort_by(f32::total_cmp);
        times.dedup();
        // What is on at a time: expressions that know nothing between, and those that keep others away.
        let switches = |time: f32| -> Vec<bool> {
            let asked = self.asked(pairs, time).into_iter().zip(&self.expressions);
            let each = |(strength, face): (f32, &Expression)| {
                [face.is_binary && strength > 0.5, face.overrides() && strength > 0.0]
            };
            asked.flat_map(each).collect()
        };
        if pairs.iter().any(|pair| of(pair).is_binary || of(pair).overrides()) {
            let mut switched = Vec::new();
            for pair in times.windows(2) {
                let [mut from, mut to] = [pair[0], pair[1]];
                let start = switches(from);
                if start == switches(to) {
                    continue;
                }
                // Halves what is left until both sides are neighbours.
                while from.next_up() < to {
                    let middle = f32::midpoint(from, to).clamp(from.next_up(), to.next_down());
                    if switches(middle) == start { from = middle } else { to = middle }
                }
                switched.extend([from, to]);
            }
            times.append(&mut switched);
            times.sort_by(f32::total_cmp);
            times.dedup();
        }
        times
    }

    /// Adds expressions of these strengths to morph weights, slot by slot.
    ///
    /// Pass a frame's [`morph_weights`](crate::Frame::morph_weights), so that the face of the clip shows through.
    pub fn add_expressions(&self, strengths: &[f32], weights: &mut [f32]) {
        for (expression, strength) in self.expressions.iter().zip(self.expression_strengths(strengths)) {
            if strength > 0.0 {
                for (slot, weight) in &expression.morphs {
                    if let Some(sum) = weights.get_mut(*slot) {
                        *sum += weight * strength;
                    }
                }
            }
        }
    }
}
