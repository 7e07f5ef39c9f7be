//! A loaded, animated file.

use glam::{Mat4, Vec3};
use nebula_animation::procedural::avatar::EyeGazeLayer;
use nebula_animation::skinning::Bounds;
use nebula_animation::{
    AimLayer, AnimationAction, Character, Fade, FootPlacement, Frame, GroundQuery, HumanoidJoint, Recorder,
    Surroundings, recorder::Input,
};

use super::ground::Slope;
use crate::show::bounds::ModelBounds;
use crate::show::course::Course;
use crate::show::model::Model;
use crate::show::played::Played;
use crate::show::shot::Body;
use crate::show::surfaces::Surfaces;
use crate::window::inspect::SECONDS;

/// A file and the state of its movement.
pub struct Puppet {
    /// The file.
    pub model: Model,
    /// What plays, and what comes of it; recorded while somebody looks into it.
    pub character: Recorder,
    /// The frame that is shown instead of the character's: one of the past.
    pub past: Option<Frame>,
    /// Weights of the morph targets that are shown, slot by slot as the rig numbers them.
    pub morph_weights: Vec<f32>,
    /// Those that were set by hand.
    pub set_weights: Vec<Option<f32>>,
    /// Joints of the pose, in model space.
    pub joints: Vec<Mat4>,
    /// Why it cannot look at things; none if it can.
    pub no_aim: Option<String>,
    /// Why its feet cannot be put on the ground; none if they can.
    pub no_feet: Option<String>,
    boxes: ModelBounds,
    vertex_count: usize,
}

/// Boxes of models with more vertices are estimated.
const MOST_VERTICES: usize = 200_000;

/// What bends the pose.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bending {
    /// A place to look at.
    pub aim: Option<Vec3>,
    /// The ground, for feet to stand on.
    pub ground: Option<Slope>,
}

impl Puppet {
    /// A file in its bind pose.
    pub fn new(model: Model) -> Self {
        let Played { character, no_aim, no_feet } = Played::of(&model.asset);
        let mut puppet = Self {
            boxes: ModelBounds::new(&model),
            vertex_count: model.parts.iter().map(|part| model.primitive(part).positions.len()).sum(),
            morph_weights: Vec::new(),
            set_weights: vec![None; character.rig().morphs().slot_count()],
            joints: Vec::new(),
            no_aim,
            no_feet,
            character: recorder(character),
            past: None,
            model,
        };
        // Without an update: what is played first is shown at once.
        puppet.take();
        puppet
    }

    /// Names of the clips.
    pub fn clips(&self) -> impl Iterator<Item = &str> {
        self.model.asset.animations.iter().map(|animation| animation.name.as_str())
    }

    /// Fades to a clip.
    pub fn play(&mut self, clip: usize, fade: Fade) -> Option<&mut AnimationAction> {
        self.character.mixer.play(clip, fade).ok()
    }

    /// What plays at present.
    pub fn action(&self) -> Option<&AnimationAction> {
        self.character.mixer.current_action.as_ref()
    }

    /// The same, for changes: a recorder takes it for one.
    pub fn action_mut(&mut self) -> Option<&mut AnimationAction> {
        self.character.mixer.current_action.as_mut()
    }

    /// Lets time pass and takes the pose.
    pub fn update(&mut self, dt: f32, bending: &Bending) {
        self.bend(dt, bending);
        let ground = bending.ground.as_ref().map(|slope| slope as &dyn GroundQuery);
        self.character.update(dt, &Surroundings { ground, ..Surroundings::default() });
        self.take();
    }

    /// Sets layers as they are to bend. What stays as it is is not touched: a recorder takes whatever is for a change.
    fn bend(&mut self, dt: f32, bending: &Bending) {
        let wanted = f32::from(u8::from(bending.ground.is_some()));
        let feet = self.character.layers.layer::<FootPlacement>();
        if feet.is_some_and(|feet| feet.weight != wanted)
            && let Some(feet) = self.character.layer_mut::<FootPlacement>()
        {
            feet.weight = wanted;
        }
        // Eyes look where the head does.
        let gaze = self.character.layers.layer::<EyeGazeLayer>();
        if gaze.is_some_and(|gaze| gaze.target != bending.aim)
            && let Some(gaze) = self.character.layer_mut::<EyeGazeLayer>()
        {
            gaze.target = bending.aim;
        }
        let Some(AimLayer { weight, target, .. }) = self.character.layers.layer::<AimLayer>() else { return };
        // Let go as gently as it follows.
        let towards = f32::from(u8::from(bending.aim.is_some()));
        let (before, target) = (*weight, bending.aim.filter(|wanted| wanted != target));
        let after = before + (towards - before).clamp(-dt * 4.0, dt * 4.0);
        if after != before
            && let Some(aim) = self.character.layer_mut::<AimLayer>()
        {
            aim.weight = after;
        }
        if let Some(target) = target {
            // There is an aim.
            let _ = self.character.give(Input::Aim(target));
        }
    }

    /// Takes joints and morph weights of the frame, the latter under those that were set by hand.
    fn take(&mut self) {
        self.joints = joints(self.frame());
        let shown = self.frame().morph_weights().iter().zip(&self.set_weights);
        self.morph_weights = shown.map(|(shown, set)| set.unwrap_or(*shown)).collect();
    }

    /// The frame that is shown.
    fn frame(&self) -> &Frame {
        self.past.as_ref().unwrap_or(self.character.frame())
    }

    /// Shows a frame of the past, or the present again.
    pub fn show(&mut self, past: Option<&Frame>) {
        self.past = past.cloned();
        self.take();
    }

    /// The body, at the origin of the world.
    pub fn body(&self) -> Body<'_> {
        self.body_in(self.frame(), &self.morph_weights)
    }

    fn body_in<'a>(&'a self, frame: &'a Frame, morph_weights: &'a [f32]) -> Body<'a> {
        Body { model: &self.model, palette: frame.palette(), place: Mat4::IDENTITY, morph_weights }
    }

    /// The box around the pose; around the joints where there are no surfaces.
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        self.bounds_of(&self.body(), &self.joints)
    }

    /// The box around some moments of a clip, or the bind pose: what a camera has to show. A clip that travels is looked at where it
    /// begins, by a camera that goes along.
    pub fn reach(&self, clip: Option<usize>) -> [Vec3; 2] {
        if let Some(course) = clip.and_then(|clip| self.course(clip)) {
            return course.room(0.0);
        }
        let all = self.boxes(clip).into_iter().reduce(|[min, max], [low, high]| [min.min(low), max.max(high)]);
        all.unwrap_or([Vec3::NEG_ONE, Vec3::ONE])
    }

    /// The way of a clip that travels.
    pub fn course(&self, clip: usize) -> Option<Course> {
        Course::through(&self.boxes(Some(clip)), self.model.asset.animations.get(clip)?.duration)
    }

    /// The boxes around even moments of a clip, from its first to its last, or around the bind pose.
    fn boxes(&self, clip: Option<usize>) -> Vec<[Vec3; 2]> {
        const MOMENTS: usize = 12;
        let mut probe = Character::of(self.character.mixer.clips().clone());
        let mut boxes = Vec::new();
        for moment in 0..=if clip.is_some() { MOMENTS } else { 0 } {
            if let Some(action) = clip.and_then(|clip| probe.mixer.play(clip, 0.0).ok()) {
                // The end of a clip that loops is its beginning.
                action.looping = false;
                action.seek(f64::from(action.duration()) * moment as f64 / MOMENTS as f64);
            }
            probe.update(0.0, &Surroundings::default());
            let frame = probe.frame();
            let body = self.body_in(frame, frame.morph_weights());
            boxes.extend(self.bounds_of(&body, &joints(frame)));
        }
        boxes
    }

    fn bounds_of(&self, body: &Body<'_>, joints: &[Mat4]) -> Option<[Vec3; 2]> {
        let points = || Bounds::around(joints.iter().map(|joint| joint.w_axis.truncate()));
        // Vertices say it exactly, unless they are too many to be looked at.
        let bounds = if self.vertex_count <= MOST_VERTICES {
            let mut surfaces = Surfaces::default();
            surfaces.deform(body);
            Bounds::around(surfaces.parts().iter().flat_map(|part| part.positions.iter().copied()))
        } else {
            self.boxes.of(body)
        };
        bounds.or_else(points).map(|bounds| [bounds.min, bounds.max])
    }

    /// Where the eyes are, about, in the pose at hand.
    pub fn eyes(&self) -> Option<Vec3> {
        let head = self.character.rig().humanoid().get(HumanoidJoint::Head)?;
        Some(self.frame().model_matrix(head).w_axis.truncate())
    }
}

/// A character that is recorded once somebody asks for it.
fn recorder(character: Character) -> Recorder {
    let mut recorder = Recorder::new(character, SECONDS);
    recorder.set_recording(false);
    recorder
}

/// The joints of a frame, in model space.
fn joints(frame: &Frame) -> Vec<Mat4> {
    let mut joints = vec![Mat4::IDENTITY; frame.rig().joint_count()];
    frame.write_model_matrices(&mut joints);
    joints
}
