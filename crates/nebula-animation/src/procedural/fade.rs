use super::{ModelPose, ProceduralContext, ProceduralLayer};
use crate::explain::Reason;
use crate::math::{clean_seconds, clean_weight};
use crate::skeleton::JointPose;
use crate::state::{StateError, StateReader, StateWriter, stateful};

/// A weight that moves smoothly to a target: without a jump in value or speed, even when redirected, and on time at any
/// frame rate. It never leaves `[0, 1]`: where its curve would, it is clamped.
///
/// ```
/// use nebula_animation::procedural::WeightFade;
///
/// let mut weight = WeightFade::new(0.0);
/// weight.fade_to(1.0, 0.5);
/// weight.advance(0.25);
/// assert!((weight.value() - 0.5).abs() < 1e-6);
/// weight.advance(0.25);
/// assert_eq!(weight.value(), 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightFade {
    /// Value and speed (per second) where the fade began.
    start: [f32; 2],
    target: f32,
    /// Seconds since then, and in all.
    elapsed: f32,
    duration: f32,
}

impl WeightFade {
    /// A constant weight in `[0, 1]`.
    #[must_use]
    pub fn new(value: f32) -> Self {
        let target = clean_weight(value);
        Self { start: [target, 0.0], target, elapsed: 0.0, duration: 0.0 }
    }

    /// Starts moving to a weight in `[0, 1]`, to arrive in this many seconds; at once if that is not above 0.
    pub fn fade_to(&mut self, target: f32, fade_secs: f32) {
        self.start = [self.value(), self.speed()];
        self.target = clean_weight(target);
        self.elapsed = 0.0;
        self.duration = clean_seconds(fade_secs) as f32;
    }

    /// Advances time by `dt` seconds. A step that is not positive and finite is ignored.
    pub fn advance(&mut self, dt: f32) {
        if dt > 0.0 && dt.is_finite() && self.elapsed < self.duration {
            self.elapsed = (self.elapsed + dt).min(self.duration);
        }
    }

    /// The current weight, in `[0, 1]`.
    #[must_use]
    pub fn value(&self) -> f32 {
        if !self.is_fading() {
            return self.target;
        }
        let t = self.elapsed / self.duration;
        let rest = 1.0 - t;
        let [value, speed] = self.start;
        // A Hermite curve that ends at rest.
        let from = rest * rest * (1.0 + 2.0 * t);
        clean_weight(value * from + speed * self.duration * t * rest * rest + self.target * (1.0 - from))
    }

    /// The target weight, in `[0, 1]`.
    #[must_use]
    pub fn target(&self) -> f32 {
        self.target
    }

    /// `true` while it moves.
    #[must_use]
    pub fn is_fading(&self) -> bool {
        self.elapsed < self.duration
    }

    /// Brings what was read into its range.
    fn clean(&mut self) {
        let [value, speed] = self.start;
        self.start = [clean_weight(value), if (speed * self.duration).is_finite() { speed } else { 0.0 }];
        self.target = clean_weight(self.target);
        self.elapsed = self.elapsed.max(0.0);
    }

    /// How fast the value changes, per second.
    fn speed(&self) -> f32 {
        if !self.is_fading() {
            return 0.0;
        }
        let t = self.elapsed / self.duration;
        let rest = 1.0 - t;
        let [value, speed] = self.start;
        (self.target - value) * 6.0 * t * rest / self.duration + speed * rest * (1.0 - 3.0 * t)
    }
}

stateful!(WeightFade { start, target, elapsed, duration } then clean);

/// Gives any layer a weight that fades: its own, multiplied by that of a [`WeightFade`], which advances with the
/// stack's time.
///
/// ```
/// use nebula_animation::{BreathingLayer, ProceduralAnimationStack, procedural::Faded};
///
/// let mut stack = ProceduralAnimationStack::default();
/// stack.push(Faded::hidden(BreathingLayer::new(4)));
/// if let Some(breathing) = stack.layer_mut::<Faded<BreathingLayer>>() {
///     breathing.fade.fade_to(1.0, 0.5);
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Faded<L> {
    /// The layer itself.
    pub layer: L,
    /// The factor of its weight.
    pub fade: WeightFade,
}

impl<L> Faded<L> {
    /// A layer that is visible from the start.
    #[must_use]
    pub fn shown(layer: L) -> Self {
        Self { layer, fade: WeightFade::new(1.0) }
    }

    /// A hidden layer, to be faded in.
    #[must_use]
    pub fn hidden(layer: L) -> Self {
        Self { layer, fade: WeightFade::new(0.0) }
    }
}

impl<L: ProceduralLayer + Clone> ProceduralLayer for Faded<L> {
    fn evaluate(&self, context: &ProceduralContext) -> JointPose {
        self.layer.evaluate(context)
    }

    fn target_joint(&self) -> u16 {
        self.layer.target_joint()
    }

    fn weight(&self) -> f32 {
        let fade = self.fade.value();
        // Without asking the layer: it counts as absent, whatever its own weight is.
        if fade == 0.0 {
            return 0.0;
        }
        let weight = self.layer.weight();
        // What is not a number stays so: the stack tells.
        if weight.is_nan() { weight } else { clean_weight(weight) * fade }
    }

    fn update(&mut self, context: &ProceduralContext) {
        self.fade.advance(context.dt);
        if self.fade.value() > 0.0 {
            self.layer.update(context);
        }
    }

    fn modify(&mut self, context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        self.layer.modify(context, pose);
    }

    fn explain(&self, context: &ProceduralContext, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        self.layer.explain(context, pose, reasons);
    }

    fn write_state(&self, writer: &mut StateWriter) {
        writer.write(&self.fade);
        self.layer.write_state(writer);
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        reader.read(&mut self.fade).map_err(|error| error.within("fade"))?;
        self.layer.read_state(reader)
    }
}
