use std::any::Any;

use glam::Vec3;

use super::abreast::{Member, apply_abreast};
use super::scratch::is_finite;
use super::warnings::{Trouble, warn};
use super::{LEAST_WEIGHT, ModelPose, ProceduralContext, ProceduralLayer};
use crate::math::lanes::Scalar;
use crate::math::slerp::Warp;
use crate::math::{Fingerprint, clean_weight};
use crate::palette::turn_toward;
use crate::skeleton::JointPose;
use crate::state::{StateError, StateProblem, StateReader, StateWriter, Stateful};

/// Layers that are applied to the clip's pose in order; each one works on the result of those before it.
///
/// A layer that cannot be applied, because its joint does not exist or a number is not finite, is skipped. One line is
/// logged, once for all stacks with the same problem. The layer has no effect on the pose, and the other layers are
/// applied as usual.
///
/// ```
/// use glam::{Quat, Vec3};
/// use nebula_animation::{BreathingLayer, ProceduralAnimationStack, ProceduralContext};
///
/// let breathing = BreathingLayer { joint_index: 0, frequency: 0.25, amplitude: 0.02, weight: 1.0 };
/// let stack = ProceduralAnimationStack { layers: vec![Box::new(breathing)] };
/// let context = ProceduralContext {
///     dt: 1.0 / 60.0,
///     elapsed: 1.0,
///     entity_position: Vec3::ZERO,
///     entity_forward: Vec3::NEG_Z,
///     velocity: Vec3::ZERO,
/// };
/// let mut local_poses = [(Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)];
/// stack.apply(&context, &mut local_poses);
/// assert!(local_poses[0].2.x > 1.0);
/// ```
#[derive(Default, Clone)]
pub struct ProceduralAnimationStack {
    /// The layers, in the order in which they are applied.
    pub layers: Vec<Box<dyn ProceduralLayer>>,
}

impl ProceduralAnimationStack {
    /// Apply all procedural layers additively on top of the base clip pose, each in its joint's own frame.
    ///
    /// This works without the skeleton: layers rotate about the joint's own axes, and layers that need the rig do
    /// nothing. If there is a skeleton, use [`apply_in_model`](ProceduralAnimationStack::apply_in_model).
    pub fn apply(&self, context: &ProceduralContext, local_poses: &mut [JointPose]) {
        for (index, layer) in self.layers.iter().enumerate() {
            let Some(weight) = usable_weight(&**layer, index) else { continue };
            let joint = layer.target_joint();
            let joint_count = local_poses.len();
            let Some(pose) = local_poses.get_mut(usize::from(joint)) else {
                warn(&**layer, index, Trouble::Joint { joint_count });
                continue;
            };
            let (delta_t, delta_r, delta_s) = layer.evaluate(context);
            let &mut (base_t, base_r, base_s) = pose;
            let turned = base_r * delta_r;
            let changed = (
                base_t + delta_t * weight,
                turn_toward(&Warp::<Scalar>::splat(weight), base_r, turned * turned.length_recip()),
                base_s * Vec3::ONE.lerp(delta_s, weight),
            );
            if is_finite(&changed) {
                *pose = changed;
            } else {
                warn(&**layer, index, Trouble::Pose);
            }
        }
    }

    /// Advances all layers by the frame's time, then applies them to a pose in model space, whatever the rig's bone
    /// axes.
    ///
    /// A layer with a weight of zero is not evaluated.
    pub fn apply_in_model(&mut self, context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        self.update(context);
        self.apply_updated(context, pose);
    }

    /// As [`apply_in_model`](ProceduralAnimationStack::apply_in_model), after [`update`](ProceduralAnimationStack::update).
    pub(crate) fn apply_updated(&mut self, context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        apply_abreast(&mut [Member { stack: self, context, pose }]);
    }

    /// Advances all layers by the frame's time. Call it before [`apply`](ProceduralAnimationStack::apply);
    /// [`apply_in_model`](ProceduralAnimationStack::apply_in_model) does so itself.
    pub fn update(&mut self, context: &ProceduralContext) {
        for layer in &mut self.layers {
            layer.update(context);
        }
    }

    /// `true` if no layer currently has any weight.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.layers.iter().all(|layer| layer.weight() < LEAST_WEIGHT)
    }

    /// The first layer of type `L`, to change its target or weight.
    ///
    /// ```
    /// use nebula_animation::{BreathingLayer, ProceduralAnimationStack};
    ///
    /// let breathing = BreathingLayer { joint_index: 0, frequency: 0.25, amplitude: 0.02, weight: 1.0 };
    /// let mut stack = ProceduralAnimationStack { layers: vec![Box::new(breathing)] };
    /// if let Some(breathing) = stack.layer_mut::<BreathingLayer>() {
    ///     breathing.frequency = 0.5; // After a run.
    /// }
    /// ```
    pub fn layer_mut<L: ProceduralLayer>(&mut self) -> Option<&mut L> {
        self.layers.iter_mut().find_map(|layer| (&mut **layer as &mut dyn Any).downcast_mut())
    }

    /// The first layer of type `L`.
    #[must_use]
    pub fn layer<L: ProceduralLayer>(&self) -> Option<&L> {
        self.layers.iter().find_map(|layer| (&**layer as &dyn Any).downcast_ref())
    }

    /// Adds a layer after the others.
    pub fn push(&mut self, layer: impl ProceduralLayer) {
        self.layers.push(Box::new(layer));
    }
}

impl std::fmt::Debug for ProceduralAnimationStack {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let layers = self.layers.iter().map(|layer| (layer.target_joint(), layer.weight()));
        formatter.debug_list().entries(layers).finish()
    }
}

/// What the layers write, in order. A record of other layers is refused, and changes nothing.
///
/// ```
/// use nebula_animation::{BreathingLayer, ProceduralAnimationStack, state::{StateReader, StateWriter}};
///
/// let mut stack = ProceduralAnimationStack::default();
/// stack.push(BreathingLayer::new(4));
/// let mut writer = StateWriter::default();
/// writer.write(&stack);
///
/// let mut other = stack.clone();
/// assert!(StateReader::new(writer.words()).read(&mut other).is_ok());
/// other.push(BreathingLayer::new(5));
/// let error = StateReader::new(writer.words()).read(&mut other).unwrap_err();
/// assert_eq!(error.to_string(), "layers: the record has 1, the character 2");
/// ```
impl Stateful for ProceduralAnimationStack {
    fn write_state(&self, writer: &mut StateWriter) {
        writer.count(self.layers.len());
        for layer in &self.layers {
            writer.part(|writer| {
                writer.word(name_word(&**layer));
                layer.write_state(writer);
            });
        }
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        reader.expect_count(self.layers.len(), "layers")?;
        let mut layers = self.layers.clone();
        for (index, layer) in layers.iter_mut().enumerate() {
            let read = reader.part().and_then(|mut part| {
                if part.word()? != name_word(&**layer) {
                    return Err(StateProblem::Another("layer").into());
                }
                layer.read_state(&mut part)?;
                part.finish()
            });
            read.map_err(|error| error.within(&layer.layer_name()).within(&format!("layer {index}")))?;
        }
        self.layers = layers;
        Ok(())
    }
}

/// Applies the layer with this index. Whether it was applied.
pub(super) fn apply_layer(
    layer: &mut dyn ProceduralLayer,
    index: usize,
    context: &ProceduralContext,
    pose: &mut ModelPose<'_>,
) -> bool {
    let Some(weight) = usable_weight(layer, index) else { return false };
    if usize::from(layer.target_joint()) >= pose.joint_count() {
        warn(layer, index, Trouble::Joint { joint_count: pose.joint_count() });
        return false;
    }
    pose.begin_layer(weight);
    layer.modify(context, pose);
    let is_applied = pose.end_layer();
    if !is_applied {
        warn(layer, index, Trouble::Pose);
    }
    is_applied
}

/// A word that identifies the type of a layer.
fn name_word(layer: &dyn ProceduralLayer) -> u32 {
    let mut hash = Fingerprint::new();
    hash.text(&layer.layer_name());
    hash.short()
}

/// The weight of a layer in `(0, 1]`, or none if there is nothing to be done.
pub(super) fn usable_weight(layer: &dyn ProceduralLayer, index: usize) -> Option<f32> {
    let weight = layer.weight();
    if weight.is_nan() {
        warn(layer, index, Trouble::Weight);
    }
    Some(clean_weight(weight)).filter(|weight| *weight >= LEAST_WEIGHT)
}
