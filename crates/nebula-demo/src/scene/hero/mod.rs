//! The character of the demo, set up as in a game; the library does the rest.

mod grip;
mod machine;

use std::sync::Arc;

use glam::{Mat4, Quat, Vec2, Vec3};
use nebula_animation::{
    AimLayer, AnimationClipLibrary, BoneAttachment, BreathingLayer, Character, Fade, FootPlacement, Frame, JointMask,
    LayerId, LibraryOptions, PlayError, Recorder, Surroundings, TargetId,
    character::AttachmentId,
    frame::ShownClip,
    mixer::{MachineDocument, ParameterId, ParameterValue},
    procedural::Faded,
    recorder::Input as Change,
};

use super::cast::Cast;
use super::terrain::Hills;
use super::walker::{Input, Walker};
use crate::show::shot::Body;
use machine::{ARM, ASLEEP, BODY, Controls, GAIT, IDLE, Speeds};

/// The character, somewhere on the hills.
///
/// It begins in its T-pose; [`wake`](Hero::wake) lets it stand at ease, and from then on it goes where the inputs say.
pub struct Hero {
    /// What plays and bends it. Its time scale and the weights of its layers are free to be changed.
    pub character: Recorder,
    /// Where it is, and how it gets on.
    pub walker: Walker,
    /// World-space position that it looks at, in metres.
    pub gaze: Vec3,
    /// How one gait takes over from another: the curve, and as seconds a factor of those that suit the gait. 0 switches at once.
    pub fade: Fade,
    cast: Arc<Cast>,
    sword: AttachmentId,
    /// What decides which clips it plays.
    documents: Vec<MachineDocument>,
    controls: Controls,
    /// The fades that the documents have.
    faded: Fade,
    speeds: Speeds,
    /// The layer of the mixer that moves the sword arm alone.
    arm: LayerId,
    /// Whether it does what [`Hero::play`] asked for, and not what the inputs say.
    is_performing: bool,
    /// World from bind, for each joint.
    palette: Vec<Mat4>,
    /// A frame of the past that is shown instead, and where the character stood.
    past: Option<(Frame, Mat4)>,
}

/// What a [`Hero`] has beside its character: where it is, and what it is about.
#[derive(Debug, Clone)]
pub struct Course {
    walker: Walker,
    gaze: Vec3,
    is_performing: bool,
}

impl Course {
    /// The same elsewhere, standing.
    #[must_use]
    pub fn moved_to(self, world_from_model: Mat4) -> Self {
        Self { walker: self.walker.moved_to(world_from_model), ..self }
    }
}

impl Hero {
    /// The character in its T-pose at a place, given as x and z, facing +Z.
    ///
    /// # Errors
    /// The character lacks a clip or a joint.
    pub fn new(cast: &Arc<Cast>, hills: Hills, place: Vec2) -> Result<Self, Box<dyn std::error::Error>> {
        let (rig, clips) = (cast.humanoid.asset.rig(), cast.humanoid.asset.clips());
        let options = LibraryOptions { root_motion: Some(Default::default()), ..LibraryOptions::default() };
        let library = AnimationClipLibrary::with_options(&rig, &clips, options);
        let clip = |name: &str| library.find(name).map(|clip| clip.index());
        let [walk, run] = [clip("stroll_root_motion")?, clip("run_root_motion")?];
        let speeds = [walk, run].map(|clip| library[clip].velocity().length());
        let fade = Fade::smooth(1.0);
        let documents = machine::documents(speeds, fade);
        let (character, sword, arm) = Self::make(library, &documents)?;
        let mut hero = Self {
            controls: Controls::of(&character.machines)?,
            character: recorder(character),
            walker: Walker::new(hills, place),
            gaze: hills.on(place) + Vec3::new(0.0, 1.6, 3.0),
            fade,
            cast: Arc::clone(cast),
            sword,
            documents,
            faded: fade,
            speeds,
            arm,
            is_performing: false,
            palette: Vec::new(),
            past: None,
        };
        hero.update(0.0, &Input::default());
        Ok(hero)
    }

    /// The character in its T-pose, driven by machines; its sword, and the layer of the arm.
    fn make(
        library: AnimationClipLibrary,
        documents: &[MachineDocument],
    ) -> Result<(Character, AttachmentId, LayerId), Box<dyn std::error::Error>> {
        let rig = Arc::clone(library.rig());
        let mut character = Character::of(library);
        let mask = JointMask::none(&rig).with_subtree(&rig, "RightShoulder", 1.0)?;
        let arm = character.mixer.add_masked_layer("sword arm", mask);
        character.machines = machine::players(documents, character.mixer.clips(), arm)?;
        let mut aim = rig.humanoid().aim(&rig, Vec3::Z)?.following(TargetId::default());
        (aim.limit, aim.follow_secs) = (75_f32.to_radians(), 0.7);
        character.add_layer(Faded::hidden(rig.humanoid().breathing()?));
        character.add_layer(rig.humanoid().lean()?);
        character.add_layer(Faded::hidden(aim));
        character.add_layer(grip::Grip(rig.require_joint("RightFingers")?, 1.75));
        // Last, because everything else moves the body.
        character.add_layer(rig.humanoid().foot_placement(&rig)?);
        // Under the palm, across the fingers, the point a little lower than straight ahead of an arm that hangs.
        let (offset, turn) = (Vec3::new(-0.078, -0.03, 0.004), Quat::from_rotation_y(-24_f32.to_radians()));
        let sword = character.attach(BoneAttachment::named("RightHand").at(offset, turn))?;
        Ok((character, sword, arm))
    }

    /// Stands at ease and listens to the inputs, where it was in its T-pose or [playing](Hero::play) something.
    pub fn wake(&mut self) {
        if self.is_performing {
            self.go_to(IDLE);
        }
        if self.is_performing || !self.is_awake() {
            self.is_performing = false;
            self.live(1.0, 1.0);
        }
        self.give(BODY, self.controls.awake, ParameterValue::Bool(true));
    }

    /// Back to the T-pose.
    pub fn rest(&mut self) {
        if std::mem::take(&mut self.is_performing) {
            self.go_to(ASLEEP);
        }
        self.live(0.0, 0.0);
        self.give(BODY, self.controls.awake, ParameterValue::Bool(false));
    }

    /// Jumps from where it stands or goes.
    pub fn jump(&mut self) {
        // Whoever cannot jump at once does not jump later.
        let change = Change::Trigger { machine: BODY, parameter: self.controls.jump, seconds: 0.3 };
        // It is a trigger of the machine.
        let _ = self.character.give(change);
    }

    /// Waves with the sword arm, or lets it hang.
    pub fn wave(&mut self, is_waving: bool) {
        self.give(ARM, self.controls.wave, ParameterValue::Bool(is_waving));
    }

    /// Sets a parameter, where it has another value.
    fn give(&mut self, machine: usize, parameter: ParameterId, value: ParameterValue) {
        let player = self.character.machines.get(machine);
        if player.is_some_and(|player| player.value(parameter) != Some(value)) {
            // It is a parameter of the machine, of this kind.
            let _ = self.character.give(Change::Parameter { machine, parameter, value });
        }
    }

    /// Goes to a state, whatever plays.
    fn go_to(&mut self, state: &str) {
        let Self { character, fade, .. } = self;
        let fade = Fade { seconds: 0.6 * fade.seconds, ..*fade };
        let Character { mixer, machines, .. } = &mut **character;
        if let Some(player) = machines.get_mut(BODY)
            && let Ok(state) = player.state_named(state)
        {
            // The state is the machine's own.
            let _ = player.go_to(mixer, state, fade);
        }
    }

    /// Whether it listens to the inputs.
    fn is_awake(&self) -> bool {
        let is_set = |player: &nebula_animation::StateMachinePlayer| {
            player.value(self.controls.awake) == Some(ParameterValue::Bool(true))
        };
        !self.is_performing && self.character.machines.get(BODY).is_some_and(is_set)
    }

    /// Plays a clip of the character, whatever the inputs say, until it is [woken](Hero::wake).
    ///
    /// # Errors
    /// There is no such clip.
    pub fn play(&mut self, clip: &str, fade: Fade) -> Result<(), PlayError> {
        self.character.mixer.play(clip, fade)?;
        self.is_performing = true;
        self.live(1.0, 1.0);
        Ok(())
    }

    /// Lets the sword arm play a clip on top of what the rest of the body does; none lets it go back.
    ///
    /// # Errors
    /// There is no such clip.
    pub fn gesture(&mut self, clip: Option<&str>, fade: Fade) -> Result<(), PlayError> {
        match (clip, self.character.mixer.layer_mut(self.arm)) {
            (Some(clip), Some(arm)) => _ = arm.play(clip, fade)?,
            (_, arm) => arm.into_iter().for_each(|arm| arm.stop(fade)),
        }
        Ok(())
    }

    /// How much it breathes and looks around from now on, from 0 in a T-pose to 1.
    fn live(&mut self, breath: f32, gaze: f32) {
        let layers = &mut self.character.layers;
        layers.layer_mut::<Faded<BreathingLayer>>().into_iter().for_each(|layer| layer.fade.fade_to(breath, 0.7));
        layers.layer_mut::<Faded<AimLayer>>().into_iter().for_each(|layer| layer.fade.fade_to(gaze, 0.7));
    }

    /// Lets `dt` seconds pass. A step that is not positive and finite lets none pass; the pose is brought up to date anyway.
    pub fn update(&mut self, dt: f32, input: &Input) {
        let given = self.character.mixer.time_scale;
        let scale = if given > 0.0 { given.min(10.0) } else { 0.0 };
        // Only where it has to be: whatever is touched is recorded.
        if scale != given {
            self.character.mixer.time_scale = scale;
        }
        let dt = if dt > 0.0 && dt.is_finite() { dt.min(0.25) } else { 0.0 };
        let passed = f64::from(dt) * f64::from(scale);
        self.follow_fade();
        self.decide(input, passed);
        let step = self.character.advance(dt);
        self.walker.go(step, passed);
        let world_from_model = self.walker.world_from_model();
        self.character.finish(&Surroundings {
            world_from_model,
            velocity: self.walker.velocity(),
            ground: Some(&self.walker.hills),
            targets: Some(&|_: TargetId| Some(self.gaze)),
            ..Surroundings::default()
        });
        self.take();
    }

    /// Where it is and what it is about, beside what its character has.
    #[must_use]
    pub fn course(&self) -> Course {
        Course { walker: self.walker.clone(), gaze: self.gaze, is_performing: self.is_performing }
    }

    /// Is somewhere else from now on, as when its character is taken back to a frame of the past.
    pub fn set_course(&mut self, course: Course) {
        (self.walker, self.gaze, self.is_performing) = (course.walker, course.gaze, course.is_performing);
        self.take();
    }

    /// Shows a frame of the past, and where it was, or the present again.
    pub fn show(&mut self, past: Option<(Frame, Mat4)>) {
        self.past = past;
        self.take();
    }

    /// The frame that is shown, and where.
    fn shown(&self) -> (&Frame, Mat4) {
        let now = || (self.character.frame(), Mat4::from(self.walker.world_from_model()));
        self.past.as_ref().map_or_else(now, |(frame, place)| (frame, *place))
    }

    fn take(&mut self) {
        let mut palette = std::mem::take(&mut self.palette);
        let (frame, place) = self.shown();
        palette.clear();
        palette.extend(frame.palette().iter().map(|matrix| place * *matrix));
        self.palette = palette;
    }

    /// Begins to walk, stops, turns, goes faster or slower, as the input says.
    fn decide(&mut self, input: &Input, dt: f64) {
        if self.is_performing {
            return self.walker.turn(None, dt);
        }
        let [walk, run] = self.speeds;
        let (is_awake, is_wanted) = (self.is_awake(), input.direction.length() >= 0.1);
        let Some(player) = self.character.machines.get(BODY) else { return };
        let (is_moving, is_gait) = (ParameterValue::Bool(is_awake && is_wanted), player.state_name() == GAIT);
        let mut pace = match player.value(self.controls.pace) {
            // It begins to go as slowly as it can.
            Some(ParameterValue::Float(pace)) if is_gait || !is_wanted => pace,
            _ => walk,
        };
        if is_awake && player.value(self.controls.moving) != Some(is_moving) {
            self.live(if is_wanted { 0.3 } else { 1.0 }, 1.0);
        }
        self.give(BODY, self.controls.moving, is_moving);
        let (wanted, change) = (if input.is_running { run } else { walk }, 2.4 * dt as f32);
        pace += (wanted - pace).clamp(-change, change);
        self.give(BODY, self.controls.pace, ParameterValue::Float(pace));
        self.walker.turn((is_awake && is_wanted).then_some(input.direction), dt);
    }

    /// The hero and its sword, whose origin is the middle of the grip.
    #[must_use]
    pub fn bodies(&self) -> [Body<'_>; 2] {
        let body = |model, palette, place| Body { model, palette, place, morph_weights: &[] };
        let (frame, place) = self.shown();
        // It holds nothing else.
        let held = frame.attachment(0).copied().unwrap_or_else(|| self.character.attachment(self.sword));
        [body(&self.cast.humanoid, &self.palette[..], place), body(&self.cast.sword, &[], place * held)]
    }

    /// World from joint; as the hero itself for a joint that does not exist.
    #[must_use]
    pub fn joint(&self, joint: u16) -> Mat4 {
        let (frame, place) = self.shown();
        place * frame.model_matrix(joint)
    }

    /// Name and place in the world of each joint.
    pub fn joints(&self) -> impl Iterator<Item = (&str, Vec3)> {
        let joints = self.character.rig().joints.iter();
        joints.map(|joint| (joint.name.as_str(), self.joint(joint.index).w_axis.truncate()))
    }

    /// For the left foot and the right one: whether it is locked to its print, and where it is in the world.
    #[must_use]
    pub fn feet(&self) -> [(bool, Vec3); 2] {
        let (rig, layer) = (self.character.rig().feet(), self.character.layers.layer::<FootPlacement>());
        [0, 1].map(|leg| {
            let foot = rig.and_then(|feet| feet.legs().get(leg)).map_or(0, |leg| leg.foot);
            (layer.is_some_and(|layer| layer.is_planted(leg)), self.joint(foot).w_axis.truncate())
        })
    }

    /// The clips that are shown, with their names.
    pub fn playing(&self) -> impl Iterator<Item = (&str, &ShownClip)> {
        let clips = self.character.mixer.clips();
        self.character.frame().shown().iter().filter_map(|shown| Some((clips.get(shown.clip.index())?.name(), shown)))
    }
}

/// Seconds that are recorded, once somebody asks for it.
const RECORDED: f64 = 20.0;

/// A character that is recorded once somebody asks for it.
fn recorder(character: Character) -> Recorder {
    let mut recorder = Recorder::new(character, RECORDED);
    recorder.set_recording(false);
    recorder
}
