//! Records what each layer of a stack does to a pose, for characters that are traced.

use std::cell::{Cell, RefCell};

use glam::{Affine3A, Vec3};

use super::abreast::{Member, apply_watched};
use super::stack::usable_weight;
use super::{ModelPose, ProceduralAnimationStack, ProceduralContext};
use crate::explain::{Change, Outcome, ProceduralPart, Reason};
use crate::frame::{GroundPoint, GroundQuery, Surroundings, TargetId, TargetQuery};
use crate::rig::Rig;
use crate::skeleton::JointPose;

/// What the layers of a stack did in an update.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trace {
    /// The pose before all of them, joint by joint.
    start: Vec<JointPose>,
    layers: Vec<LayerTrace>,
}

#[derive(Debug, Clone)]
struct LayerTrace {
    name: String,
    weight: f32,
    outcome: Outcome,
    /// The joints that it changed, and what they became.
    changed: Vec<(u16, JointPose)>,
    reasons: Vec<Reason>,
}

/// What layers asked the world, so that explaining them asks nothing: a recording has the answers of a character that is not traced, and one
/// that is must not need others.
pub(crate) struct Asked<'a> {
    ground: Option<&'a dyn GroundQuery>,
    targets: Option<&'a dyn TargetQuery>,
    /// Where targets are, in the order in which they were asked for.
    known: RefCell<Vec<(TargetId, Option<Vec3>)>>,
    /// Whether everything known has been reported.
    is_over: Cell<bool>,
}

impl<'a> Asked<'a> {
    pub fn new(surroundings: &Surroundings<'a>) -> Self {
        let Surroundings { ground, targets, .. } = *surroundings;
        Self { ground, targets, known: RefCell::default(), is_over: Cell::new(false) }
    }

    /// The same surroundings, with answers that are remembered.
    pub fn around<'s>(&'s self, surroundings: &Surroundings<'s>) -> Surroundings<'s> {
        Surroundings {
            ground: self.ground.map(|_| self as &dyn GroundQuery),
            targets: self.targets.map(|_| self as &dyn TargetQuery),
            ..*surroundings
        }
    }
}

impl GroundQuery for Asked<'_> {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        self.ground.filter(|_| !self.is_over.get()).and_then(|ground| ground.ground(place))
    }
}

impl TargetQuery for Asked<'_> {
    fn position(&self, target: TargetId) -> Option<Vec3> {
        if self.is_over.get() {
            return self.known.borrow().iter().rev().find(|(known, _)| *known == target).and_then(|(_, place)| *place);
        }
        let place = self.targets.and_then(|targets| targets.position(target));
        self.known.borrow_mut().push((target, place));
        place
    }
}

impl ProceduralAnimationStack {
    /// As [`apply_in_model`](ProceduralAnimationStack::apply_in_model), and with the same bits; what happens is written down. The pose is in
    /// surroundings whose answers are remembered.
    pub(crate) fn apply_traced(
        &mut self,
        context: &ProceduralContext,
        pose: &mut ModelPose<'_>,
        trace: &mut Trace,
        asked: &Asked<'_>,
    ) {
        self.update(context);
        let joints = pose.joint_count() as u16;
        trace.start = (0..joints).map(|joint| pose.local(joint)).collect();
        trace.layers.clear();
        let (mut before, mut copy) = (trace.start.clone(), Vec::new());
        apply_watched(Member { stack: self, context, pose }, |index, member, is_applied| {
            let Member { stack, context, pose } = member;
            let layer = &*stack.layers[index];
            let weight = usable_weight(layer, index);
            let outcome = match (weight, is_applied) {
                (None, _) => Outcome::NoWeight,
                (Some(_), false) => Outcome::Rejected,
                (Some(_), true) => Outcome::Applied,
            };
            let (mut changed, mut reasons) = (Vec::new(), Vec::new());
            if outcome == Outcome::Applied {
                for (joint, before) in (0..joints).zip(&mut before) {
                    let after = pose.local(joint);
                    if after != *before {
                        *before = after;
                        changed.push((joint, after));
                    }
                }
                // In a copy: where joints are known to be decides about last bits.
                copy.clone_from(&before);
                asked.is_over.set(true);
                layer.explain(context, &mut pose.copied(&mut copy), &mut reasons);
                asked.is_over.set(false);
            }
            let (name, weight) = (layer.layer_name(), weight.unwrap_or(0.0));
            trace.layers.push(LayerTrace { name, weight, outcome, changed, reasons });
        });
    }
}

impl Trace {
    /// Whether nothing has been written down.
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// What the layers did to a joint that exists.
    pub fn explain(&self, rig: &Rig, joint: u16) -> Vec<ProceduralPart> {
        let mut poses = self.start.clone();
        let mut placed = model(rig, &poses, joint);
        let mut parts = Vec::with_capacity(self.layers.len());
        for (index, layer) in self.layers.iter().enumerate() {
            let Some(&before) = poses.get(usize::from(joint)) else { continue };
            for &(changed, after) in &layer.changed {
                poses[usize::from(changed)] = after;
            }
            let after = model(rig, &poses, joint);
            let named = |reason: &Reason| {
                let found = rig.joints.get(usize::from(reason.joint));
                Reason { name: found.map_or_else(String::new, |joint| joint.name.clone()), ..reason.clone() }
            };
            let is_about = |reason: &&Reason| reason.joint == joint || rig.is_below(joint, reason.joint);
            parts.push(ProceduralPart {
                index,
                layer: layer.name.clone(),
                weight: layer.weight,
                outcome: layer.outcome,
                change: Change::between(&before, &poses[usize::from(joint)]),
                moved: Vec3::from(after.translation - placed.translation),
                turned: turned(&placed, &after),
                reasons: layer.reasons.iter().filter(is_about).map(named).collect(),
            });
            placed = after;
        }
        parts
    }
}

/// Where a joint is in model space.
fn model(rig: &Rig, poses: &[JointPose], joint: u16) -> Affine3A {
    let mut placed = Affine3A::IDENTITY;
    let mut next = Some(joint);
    while let Some(joint) = next {
        if let Some(&(translation, rotation, scale)) = poses.get(usize::from(joint)) {
            placed = Affine3A::from_scale_rotation_translation(scale, rotation, translation) * placed;
        }
        next = rig.parent(joint);
    }
    placed
}

fn turned(before: &Affine3A, after: &Affine3A) -> f32 {
    let pose = |placed: &Affine3A| {
        let (scale, rotation, translation) = placed.to_scale_rotation_translation();
        (translation, rotation, scale)
    };
    Change::between(&pose(before), &pose(after)).degrees()
}
