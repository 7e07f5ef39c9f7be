use std::any::Any;

use glam::Vec3;

use super::ModelPose;
use crate::explain::Reason;
use crate::skeleton::JointPose;
use crate::state::{StateError, StateProblem, StateReader, StateWriter};

/// A procedural animation layer that modifies a pose after clip sampling.
///
/// The first three methods describe a change of one joint, in that joint's own space. A layer that needs to know the
/// rig, because it rotates several joints or works in model or world space, also overrides
/// [`modify`](ProceduralLayer::modify), and lets `evaluate` return no change:
/// `(Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)`.
///
/// A layer is `Clone`, so that a character can be cloned, and writes its memory into the character's state.
///
/// ```
/// use glam::{Quat, Vec3};
/// use nebula_animation::{JointPose, ProceduralContext, ProceduralLayer};
///
/// /// Shakes a joint's head.
/// #[derive(Clone)]
/// struct No {
///     joint: u16,
/// }
///
/// impl ProceduralLayer for No {
///     fn evaluate(&self, context: &ProceduralContext) -> JointPose {
///         (Vec3::ZERO, Quat::from_rotation_y(0.3 * (6.0 * context.elapsed).sin()), Vec3::ONE)
///     }
///     fn target_joint(&self) -> u16 {
///         self.joint
///     }
///     fn weight(&self) -> f32 {
///         1.0
///     }
/// }
/// ```
pub trait ProceduralLayer: CloneLayer + Any + Send + Sync {
    /// Compute the additive modification to the target joint's pose.
    ///
    /// Returns the change in the joint's own space: offset of the translation, rotation applied before the joint's own,
    /// factor of the scale.
    fn evaluate(&self, context: &ProceduralContext) -> JointPose;

    /// The index of the joint that this layer modifies; the first or main one if there are several.
    fn target_joint(&self) -> u16;

    /// Blend weight in `[0.0, 1.0]`. 0.0 = no effect (the layer is not even evaluated), 1.0 = full effect. More counts as 1,
    /// less as 0.
    fn weight(&self) -> f32;

    /// Advances a layer with state by the time of one frame, [`ProceduralContext::dt`]. Called once per frame before
    /// the layer is applied, even while its weight is zero, when it should do next to nothing.
    fn update(&mut self, context: &ProceduralContext) {
        let _ = context;
    }

    /// Changes a whole pose, knowing the rig. The stack calls this if there is a skeleton.
    ///
    /// Make all changes at full weight. The stack blends every changed joint with its previous pose, by
    /// [`weight`](ProceduralLayer::weight), and undoes everything if a number is not finite.
    ///
    /// The default adds what [`evaluate`](ProceduralLayer::evaluate) returns to the target joint, in its own space.
    fn modify(&mut self, context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        pose.add(self.target_joint(), self.evaluate(context));
    }

    /// Explains what the layer wanted of each joint that it has just changed, and what limited it. Called after
    /// [`modify`](ProceduralLayer::modify), with a copy of the resulting pose, only for characters that are
    /// [traced](crate::Character::set_traced). The default adds nothing, so that only the change itself is explained.
    /// The world is not queried again: [targets](crate::Surroundings::targets) have the positions that `modify` got,
    /// and there is no ground.
    ///
    /// ```
    /// # use nebula_animation::{ModelPose, ProceduralContext};
    /// use nebula_animation::explain::{Limit, LimitKind, LimitUnit, Reason};
    ///
    /// // As a method of a layer that bends joint 7 by up to 30 degrees, and was asked for 40.
    /// fn explain(_context: &ProceduralContext, _pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
    ///     let limit = Limit::new(LimitKind::Budget, "max_bend", 30.0, 40.0, LimitUnit::Degrees);
    ///     reasons.push(Reason::new(7, "bend by 40 degrees").limited(limit));
    /// }
    /// ```
    fn explain(&self, context: &ProceduralContext, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        let _ = (context, pose, reasons);
    }

    /// Writes what the layer remembers from frame to frame, and what a game may change in between, such as its weight
    /// and target. A layer that was built in the same way and reads it continues with the same bits.
    ///
    /// The default is for a layer that never changes. It writes joint, weight, and the result of
    /// [`evaluate`](ProceduralLayer::evaluate) for a made-up entity. Reading refuses a record whose numbers differ from
    /// the layer's current ones, instead of continuing with the wrong ones. It cannot detect a setting that only
    /// [`modify`](ProceduralLayer::modify) uses.
    fn write_state(&self, writer: &mut StateWriter) {
        likeness(self).iter().for_each(|number| writer.word(number.to_bits()));
    }

    /// Reads what [`write_state`](ProceduralLayer::write_state) wrote, completely. The stack reads into copies of its
    /// layers, so after an error it does not matter how much was read.
    ///
    /// # Errors
    /// The record is too short, or contains what the layer cannot have written.
    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        // With room for the roundings of other machines: layers of others may use the system's sines.
        let is_near = |a: f32, b: f32| a.to_bits() == b.to_bits() || (a - b).abs() <= 1e-4 * (1.0 + a.abs());
        let mut is_same = true;
        for now in likeness(self) {
            is_same &= is_near(f32::from_bits(reader.word()?), now);
        }
        if is_same { Ok(()) } else { Err(StateProblem::Unwritten.into()) }
    }
}

/// Identifies a layer that has no state of its own: joint, weight, and its effect on a made-up entity.
fn likeness(layer: &(impl ProceduralLayer + ?Sized)) -> [f32; 12] {
    let context = ProceduralContext {
        dt: 1.0 / 60.0,
        elapsed: 1.375,
        entity_position: Vec3::new(0.25, 0.5, -0.75),
        entity_forward: Vec3::new(0.6, 0.0, -0.8),
        velocity: Vec3::new(1.5, 0.125, -0.5),
    };
    let (translation, rotation, scale) = layer.evaluate(&context);
    let [a, b, c] = translation.to_array();
    let [d, e, f, g] = rotation.to_array();
    let [h, i, j] = scale.to_array();
    [layer.target_joint().into(), layer.weight(), a, b, c, d, e, f, g, h, i, j]
}

/// Makes boxed layers cloneable: implemented for every [`ProceduralLayer`] that is `Clone`.
pub trait CloneLayer {
    /// A boxed copy.
    fn clone_layer(&self) -> Box<dyn ProceduralLayer>;

    /// The name of the layer's type without its modules, for messages. It may change with the compiler.
    fn layer_name(&self) -> String;
}

impl<L: ProceduralLayer + Clone> CloneLayer for L {
    fn clone_layer(&self) -> Box<dyn ProceduralLayer> {
        Box::new(self.clone())
    }

    fn layer_name(&self) -> String {
        let path = std::any::type_name::<L>();
        // Each word with what separates it from the next one; words that a colon follows are modules.
        let words = path.split_inclusive(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        words.filter(|word| !word.ends_with(':')).collect()
    }
}

impl Clone for Box<dyn ProceduralLayer> {
    fn clone(&self) -> Self {
        (**self).clone_layer()
    }
}

/// Context provided to procedural layers each frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProceduralContext {
    /// Delta time for this frame, in seconds.
    pub dt: f32,
    /// Total elapsed time in seconds (for periodic effects like breathing).
    pub elapsed: f32,
    /// Entity's world-space position, in metres.
    pub entity_position: Vec3,
    /// Entity's forward direction in world space; unit length.
    pub entity_forward: Vec3,
    /// Entity's current velocity in world space, in metres per second (for lean calculations).
    pub velocity: Vec3,
}

/// `true` if a layer with state was skipped for a while: more time has passed since it was last applied than the frame
/// takes, or time was set back.
pub(super) fn has_gap(elapsed_before: f32, elapsed: f32, dt: f32) -> bool {
    let passed = elapsed - elapsed_before;
    // Total times of days are good to hundredths of a second.
    passed > 2.0 * dt.max(0.0) + 0.1 || passed < -0.1
}
