use std::fmt;

use glam::Vec3;

use super::Change;
#[cfg(feature = "serde")]
use super::serial;

/// What a procedural layer did.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ProceduralPart {
    /// Its index in the stack.
    pub index: usize,
    /// The name of its type.
    pub layer: String,
    /// The weight with which its changes were blended, from 0 to 1.
    pub weight: f32,
    /// Whether it was applied.
    pub outcome: Outcome,
    /// How it changed the joint itself, relative to its parent.
    pub change: Change,
    /// How it moved the joint in model space, including motion of its ancestors, in model units.
    #[cfg_attr(feature = "serde", serde(serialize_with = "serial::vector"))]
    pub moved: Vec3,
    /// How it rotated the joint in model space, including rotation of its ancestors, in degrees.
    pub turned: f32,
    /// What it wanted of the joint and its ancestors, and what limited it.
    pub reasons: Vec<Reason>,
}

/// The outcome of a layer in an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum Outcome {
    /// It was applied.
    Applied,
    /// It has no weight.
    NoWeight,
    /// It could not be applied and had no effect: its joint does not exist, or a number is not finite.
    Rejected,
}

/// What a layer wanted of a joint, and what limited it, as returned by
/// [`ProceduralLayer::explain`](crate::ProceduralLayer::explain).
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
    /// What the layer wanted of it: text for people, after "wanted to".
    pub wanted: String,
    /// What limited it; empty if nothing did.
    pub limits: Vec<Limit>,
}

impl Reason {
    /// What a layer wanted and achieved.
    #[must_use]
    pub fn new(joint: u16, wanted: impl Into<String>) -> Self {
        Self { joint, name: String::new(), wanted: wanted.into(), limits: Vec::new() }
    }

    /// Adds a limit.
    #[must_use]
    pub fn limited(mut self, limit: impl Into<Option<Limit>>) -> Self {
        self.limits.extend(limit.into());
        self
    }
}

/// What limited a layer.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Limit {
    /// The kind of limit.
    pub by: LimitKind,
    /// The setting, or other cause, of the limit.
    pub setting: String,
    /// The allowed value.
    pub allowed: f32,
    /// The requested value.
    pub wanted: f32,
    /// The unit of both.
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
    /// A cone that a direction must not leave.
    Cone,
    /// The length of a limb.
    Reach,
    /// Time: the movement is in progress, as fast as allowed. The requested value is the remaining distance.
    Speed,
    /// An obstacle.
    Collider,
    /// Any other setting that limits an amount.
    Budget,
}

/// The unit of the numbers of a [`Limit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub enum LimitUnit {
    /// Degrees.
    Degrees,
    /// Metres in world space.
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
