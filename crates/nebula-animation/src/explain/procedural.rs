use std::fmt;

use glam::Vec3;

use super::Change;
#[cfg(feature = "serde")]
use super::serial;

/// What a procedural layer did.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ProceduralPart {
    /// Its place in the stack.
    pub index: usize,
    /// The name of its type.
    pub layer: String,
    /// The weight by which what it did was blended, from 0 to 1.
    pub weight: f32,
    /// Whether it was applied.
    pub outcome: Outcome,
    /// How it changed the joint itself, relative to its parent.
    pub change: Change,
    /// How it moved the joint in model space, joints above it included, in units of the model.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::vector"))]
    pub moved: Vec3,
    /// How it turned the joint in model space, joints above it included, in degrees.
    pub turned: f32,
    /// What it wanted of the joint and of those above it, and what limited it.
    pub reasons: Vec<Reason>,
}

/// What became of a layer in an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Outcome {
    /// It was applied.
    Applied,
    /// It has no weight.
    NoWeight,
    /// It could not be applied, and has left no trace: its joint does not exist, or a number is not finite.
    Rejected,
}

/// What a layer wanted of a joint, and what kept it from that: what
/// [`ProceduralLayer::explain`](crate::ProceduralLayer::explain) tells.
///
/// ```
/// use nebula_animation::explain::{Limit, LimitKind, LimitUnit, Reason};
///
/// let reach = Limit::new(LimitKind::Reach, "length of the leg", 0.9, 1.1, LimitUnit::Metres);
/// let reason = Reason::new(4, "stand on the step").limited(reach);
/// assert_eq!(reason.limits[0].to_string(), "a reach of 0.900 m (length of the leg), 1.100 m were needed");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Reason {
    /// The joint.
    pub joint: u16,
    /// Its name; layers leave it empty, and the explanation fills it in.
    pub name: String,
    /// What the layer wanted of it, for people, after "wanted to".
    pub wanted: String,
    /// What kept it from that; empty where nothing did.
    pub limits: Vec<Limit>,
}

impl Reason {
    /// What a layer wanted, and got.
    #[must_use]
    pub fn new(joint: u16, wanted: impl Into<String>) -> Self {
        Self { joint, name: String::new(), wanted: wanted.into(), limits: Vec::new() }
    }

    /// The same with something that limited it.
    #[must_use]
    pub fn limited(mut self, limit: impl Into<Option<Limit>>) -> Self {
        self.limits.extend(limit.into());
        self
    }
}

/// What kept a layer from what it wanted.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Limit {
    /// The kind of limit.
    pub by: LimitKind,
    /// The setting, or what else it follows from.
    pub setting: String,
    /// How much there may be.
    pub allowed: f32,
    /// How much was asked for.
    pub wanted: f32,
    /// What both are counted in.
    pub unit: LimitUnit,
}

impl Limit {
    /// A limit.
    #[must_use]
    pub fn new(by: LimitKind, setting: impl Into<String>, allowed: f32, wanted: f32, unit: LimitUnit) -> Self {
        Self { by, setting: setting.into(), allowed, wanted, unit }
    }
}

/// Kinds of limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum LimitKind {
    /// A cone that a direction may not leave.
    Cone,
    /// The length of a limb.
    Reach,
    /// Time: it is on its way, as fast as it may. What is wanted is what is left to go.
    Speed,
    /// Something that is in the way.
    Collider,
    /// Any other setting that says how much there may be of something.
    Budget,
}

/// What the numbers of a [`Limit`] are counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum LimitUnit {
    /// Degrees.
    Degrees,
    /// Metres of the world.
    Metres,
}

impl fmt::Display for Limit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setting = &self.setting;
        let [allowed, wanted] = [self.allowed, self.wanted].map(|number| match self.unit {
            LimitUnit::Degrees => format!("{number:.1}°"),
            LimitUnit::Metres => format!("{number:.3} m"),
        });
        match self.by {
            LimitKind::Cone => write!(formatter, "a cone of {allowed} ({setting}), {wanted} were needed"),
            LimitKind::Reach => write!(formatter, "a reach of {allowed} ({setting}), {wanted} were needed"),
            LimitKind::Budget => write!(formatter, "a budget of {allowed} ({setting}), {wanted} were needed"),
            LimitKind::Speed => write!(formatter, "time ({setting}), {wanted} are left to go"),
            LimitKind::Collider => write!(formatter, "a collider ({setting}) of {allowed} around its middle"),
        }
    }
}
