//! Components for procedural layers of a character: look-at, feet.

use std::any::Any;

use bevy::prelude::*;
use nebula_animation::procedural::avatar::{EyeGazeLayer, JointConstraints};
use nebula_animation::procedural::springs::SpringJoints;
use nebula_animation::procedural::{Faded, ProceduralLayer};
use nebula_animation::{AimLayer, FootPlacement, TargetId};

use crate::character::Animator;
use crate::ground::{Ground, OtherGround};
use crate::trouble::{NebulaError, Troubles};

/// The character looks at an entity: eyes, head and chest share the rotation. It stops when the component or the entity
/// is removed.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Clone, PartialEq)]
pub struct GazeAt(#[entities] pub Entity);

/// The feet of the character stand on the [`Ground`](crate::Ground), whatever its clips: on slopes, stairs, lifts.
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Clone, Default, PartialEq)]
pub struct FeetOnGround;

/// Seconds in which a gaze, or the hold of feet, comes and goes.
const FADE_SECS: f32 = 0.3;

type NewGaze = Or<(Added<Animator>, Changed<GazeAt>)>;
type NewFeet = (With<FeetOnGround>, Or<(Added<Animator>, Added<FeetOnGround>)>);

/// Adds a layer before what goes by itself: hair hangs from a head that has turned already.
fn add_layer(animator: &mut Animator, layer: impl ProceduralLayer) {
    let goes_by_itself =
        |layer: &dyn Any| layer.is::<EyeGazeLayer>() || layer.is::<JointConstraints>() || layer.is::<SpringJoints>();
    let layers = &mut animator.character.layers.layers;
    let place = layers.iter().position(|layer| goes_by_itself(&**layer as &dyn Any)).unwrap_or(layers.len());
    layers.insert(place, Box::new(layer));
}

/// Makes layers of new gazes, turns known ones to new targets, and lets old ones go.
pub(crate) fn update_gazes(
    mut gazes: Query<(Entity, &GazeAt, &mut Animator), NewGaze>,
    mut removed: RemovedComponents<GazeAt>,
    mut animators: Query<&mut Animator, Without<GazeAt>>,
    mut troubles: Troubles,
) {
    for entity in removed.read() {
        let Ok(mut animator) = animators.get_mut(entity) else { continue };
        if let Some(gaze) = animator.bypass_change_detection().layer_mut::<Faded<AimLayer>>() {
            gaze.fade.fade_to(0.0, FADE_SECS);
        }
    }
    for (entity, GazeAt(target), mut animator) in &mut gazes {
        let (animator, target) = (animator.bypass_change_detection(), TargetId(target.to_bits()));
        if animator.layer_mut::<Faded<AimLayer>>().is_none() {
            let rig = animator.rig();
            match rig.humanoid().aim(rig, Vec3::ZERO) {
                Ok(aim) => add_layer(animator, Faded::hidden(aim)),
                Err(error) => troubles.say(entity, NebulaError::Body { component: "GazeAt", error: error.into() }),
            }
        }
        if let Some(gaze) = animator.layer_mut::<Faded<AimLayer>>() {
            gaze.layer.follows = Some(target);
            gaze.fade.fade_to(1.0, FADE_SECS);
        }
    }
}

/// Makes layers of new feet, and lets old ones go.
pub(crate) fn update_feet(
    mut feet: Query<(Entity, &mut Animator), NewFeet>,
    mut removed: RemovedComponents<FeetOnGround>,
    mut animators: Query<&mut Animator, Without<FeetOnGround>>,
    ground: Option<Res<Ground>>,
    other: Option<Res<OtherGround>>,
    mut troubles: Troubles,
) {
    for entity in removed.read() {
        let Ok(mut animator) = animators.get_mut(entity) else { continue };
        if let Some(feet) = animator.bypass_change_detection().layer_mut::<Faded<FootPlacement>>() {
            feet.fade.fade_to(0.0, FADE_SECS);
        }
    }
    for (entity, mut animator) in &mut feet {
        if ground.is_none() && other.is_none() {
            troubles.say(entity, NebulaError::NoGround);
        }
        let animator = animator.bypass_change_detection();
        if let Some(feet) = animator.layer_mut::<Faded<FootPlacement>>() {
            feet.fade.fade_to(1.0, FADE_SECS);
            continue;
        }
        let rig = animator.rig();
        // Animals have feet too, without being human.
        match rig.feet().cloned().map(FootPlacement::new).map_or_else(|| rig.humanoid().foot_placement(rig), Ok) {
            Ok(placement) => add_layer(animator, Faded::shown(placement)),
            Err(error) => troubles.say(entity, NebulaError::Body { component: "FeetOnGround", error }),
        }
    }
}
