//! What bends the hero's pose: the stack of procedural layers, and what it is told in each frame.

use glam::Vec3;
use nebula_animation::{
    AimLayer, AnimationClipLibrary, BreathingLayer, FootPlacement, HumanoidMap, LeanLayer, ModelPose,
    ProceduralAnimationStack, ProceduralContext, RestPose, Skeleton, compile::ContactTrack, frame::ShownClip,
    mixer::Motion, rig::FeetRig,
};

use super::Hero;
use super::grip::Grip;
use crate::scene::terrain::Hills;

pub(super) struct Layers {
    pub stack: ProceduralAnimationStack,
    pub feet: FeetRig,
}

/// Breath, lean, gaze, grip and feet, in this order: the feet come last, because everything else moves the body.
pub(super) fn layers(
    skeleton: &Skeleton,
    rest: &RestPose,
    clips: &AnimationClipLibrary,
    hills: Hills,
) -> Result<Layers, String> {
    let problem = |error: nebula_animation::skeleton::MissingJoints| error.to_string();
    let humanoid = HumanoidMap::find(skeleton).map_err(problem)?;
    let feet = humanoid.feet(rest).map_err(problem)?;
    let tracks: Vec<ContactTrack> = clips.iter().map(|clip| ContactTrack::from_clip(clip, skeleton, &feet)).collect();
    let mut aim = humanoid.aim(rest, Vec3::Z).map_err(problem)?;
    (aim.limit, aim.follow_secs) = (75_f32.to_radians(), 0.7);
    let fingers = skeleton.require_joint("RightFingers").map_err(|error| error.to_string())?;
    let mut stack = ProceduralAnimationStack::default();
    stack.push(humanoid.breathing().map_err(problem)?);
    stack.push(humanoid.lean().map_err(problem)?);
    stack.push(aim);
    stack.push(Grip { joint: fingers, bend: 1.75 });
    let ground = move |place: Vec3| hills.ground(place);
    stack.push(FootPlacement::new(feet.clone(), ground).with_tracks(tracks));
    Ok(Layers { stack, feet })
}

/// What a lean layer tilts for each metre per second to the side, and what a body in a turn tilts for each metre per second
/// squared: its sideways speed is chosen so that both agree.
const SIDEWAYS: f32 = 1.0 / (9.81 * 0.1);

impl Hero {
    /// Bends the mixer's pose.
    pub(super) fn bend(&mut self, dt: f32) {
        let (knobs, life) = (self.knobs, self.life.value());
        let set = |weight: &mut f32, knob: f32| *weight = if knob > 0.0 { knob.min(1.0) } else { 0.0 };
        if let Some(layer) = self.stack.layer_mut::<BreathingLayer>() {
            set(&mut layer.weight, knobs.breathing * life * self.breath.value());
        }
        if let Some(layer) = self.stack.layer_mut::<LeanLayer>() {
            set(&mut layer.weight, knobs.lean);
        }
        if let Some(layer) = self.stack.layer_mut::<AimLayer>() {
            layer.target = self.gaze;
            set(&mut layer.weight, knobs.aim * life);
        }
        if let Some(layer) = self.stack.layer_mut::<FootPlacement>() {
            set(&mut layer.weight, knobs.feet);
        }
        let forward = self.forward();
        // A turn to the left is one towards +X of a hero that faces +Z.
        let left = Vec3::Y.cross(forward);
        let sideways = self.speed * self.turn_rate as f32 * SIDEWAYS;
        let context = ProceduralContext {
            dt,
            elapsed: self.elapsed as f32,
            entity_position: self.place(),
            entity_forward: forward,
            velocity: forward * self.speed + left * sideways,
        };
        let shown: Vec<ShownClip> = self.shown_clips();
        self.stack.show_clips(&shown);
        let mut pose = ModelPose::new(&self.rest, &mut self.player.local_poses, self.world_from_model);
        self.stack.apply_in_model(&context, &mut pose);
    }

    /// The clips of the base layer, those of the gait's blend space included.
    fn shown_clips(&self) -> Vec<ShownClip> {
        let mut shown = Vec::new();
        let weights = self.space.weights_on_line(self.pace);
        for (action, share) in self.mixer.actions() {
            match action.motion() {
                Motion::Clip(clip) => shown.push(ShownClip { clip, time: action.time, weight: share }),
                _ => {
                    for &(index, weight) in weights.iter() {
                        let Some(sample) = self.space.samples().get(index) else { continue };
                        let Some(clip) = self.mixer.clips().get(sample.clip) else { continue };
                        let seconds = self.space.seconds(&weights, index, f64::from(action.time));
                        let time = seconds.rem_euclid(f64::from(clip.duration)) as f32;
                        shown.push(ShownClip { clip: sample.clip, time, weight: share * weight });
                    }
                }
            }
        }
        shown
    }
}
