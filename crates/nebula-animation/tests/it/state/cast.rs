//! A walking humanoid whose inputs change in every frame, and stacks of layers for it.

use std::path::Path;
use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};
use nebula_animation::{
    AimLayer, AnimationClip, AnimationClipLibrary, BodyLean, BreathingLayer, FootPlacement, GroundPoint, JointPose,
    LeanLayer, LookAtLayer, ModelPose, ProceduralAnimationStack, ProceduralContext, Rig, Surroundings, TargetId,
    frame::ShownClip,
    load_skeleton_and_clips,
    procedural::{
        Faded,
        ik::{ChainIk, TwoBoneIk},
        springs::{SpringChain, SpringCollider},
    },
    sample_pose,
};

/// Frames in which every number counts: their length and place are a function of the index.
pub struct Cast {
    pub rig: Arc<Rig>,
    clips: Vec<AnimationClip>,
    library: AnimationClipLibrary,
}

/// Which layers a stack has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layers {
    LookAt,
    Lean,
    Breathing,
    Aim,
    Faded,
    TwoBone,
    Chain,
    Springs,
    /// As the pose tells when they stand.
    Feet,
    /// As contact tracks tell.
    ToldFeet,
    All,
}

impl Layers {
    pub const EACH: [Self; 11] = [
        Self::LookAt,
        Self::Lean,
        Self::Breathing,
        Self::Aim,
        Self::Faded,
        Self::TwoBone,
        Self::Chain,
        Self::Springs,
        Self::Feet,
        Self::ToldFeet,
        Self::All,
    ];
}

fn hills(place: Vec3) -> Option<GroundPoint> {
    let slope = 0.15 * (3.0 * place.z).cos();
    Some(GroundPoint::new(0.05 * (3.0 * place.z).sin(), Vec3::new(0.0, 1.0, -slope)))
}

impl Cast {
    pub fn load() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
        let (skeleton, clips) = load_skeleton_and_clips(&path).expect("the humanoid loads");
        let rig = Rig::new(skeleton);
        Self { library: AnimationClipLibrary::new(&rig, &clips), rig, clips }
    }

    fn joint(&self, name: &str) -> u16 {
        self.rig.joint_by_name(name).expect("the humanoid has this joint")
    }

    /// A stack as it is made.
    pub fn stack(&self, layers: Layers) -> ProceduralAnimationStack {
        let mut stack = ProceduralAnimationStack::default();
        let humanoid = self.rig.humanoid();
        let has = |kind| layers == kind || layers == Layers::All;
        if has(Layers::Breathing) {
            stack.push(humanoid.breathing().expect("a chest"));
        }
        if has(Layers::Lean) {
            stack.push(humanoid.lean().expect("a spine"));
        }
        if has(Layers::LookAt) {
            stack.push(humanoid.look_at(Vec3::Y).expect("a head"));
        }
        if has(Layers::Faded) {
            stack.push(Faded::hidden(LeanLayer::new(self.joint("Spine2"))));
        }
        if has(Layers::Aim) {
            stack.push(humanoid.aim(&self.rig, Vec3::new(1.0, 1.5, 2.0)).expect("a spine and a head"));
        }
        if has(Layers::TwoBone) {
            let arm = ["LeftArm", "LeftForeArm", "LeftHand"].map(|name| self.joint(name));
            stack.push(TwoBoneIk::new(&self.rig, arm, Vec3::Y));
        }
        if has(Layers::Chain) {
            let spine = ["Hips", "Spine", "Spine1", "Spine2", "Neck"].map(|name| self.joint(name));
            stack.push(ChainIk::new(spine.to_vec(), Vec3::Y));
        }
        if has(Layers::Springs) {
            let arm = ["RightArm", "RightForeArm", "RightHand", "RightFingers"].map(|name| self.joint(name));
            let body = SpringCollider::sphere(self.joint("Spine1"), Vec3::ZERO, 0.2);
            stack.push(SpringChain::new(arm.to_vec()).with_colliders([body]));
        }
        if has(Layers::Feet) || layers == Layers::ToldFeet {
            stack.push(humanoid.foot_placement(&self.rig).expect("legs"));
        }
        stack
    }

    /// A frame: what a game would change in the layers, and then the pose. What the game changes is not said again in later
    /// frames.
    pub fn frame(&self, layers: Layers, stack: &mut ProceduralAnimationStack, frame: u16) -> Vec<JointPose> {
        let elapsed = (0..=frame).map(seconds).sum::<f32>();
        steer(stack, frame);
        let walk = &self.clips[0];
        let time = elapsed % walk.duration;
        let mut poses = self.rig.bind_pose();
        sample_pose(walk, &self.rig, time, &mut poses);
        let share = |clip, time, weight| ShownClip { weight, feet_weight: weight, ..ShownClip::alone(clip, time) };
        let mixed = if frame.is_multiple_of(2) { 0.2 } else { 0.0 };
        let shown = [share(0, time, 0.8), share(1, 0.3 * time, mixed)];
        // Not in all frames, so that the layer has to find out by itself now and then.
        let shown = if layers != Layers::Feet && frame % 50 < 40 { &shown[..] } else { &[] };
        let turn = Quat::from_rotation_y(0.6 * (0.7 * elapsed).sin());
        let place = Vec3::new((0.5 * elapsed).sin(), 0.0, 1.2 * elapsed);
        let context = ProceduralContext {
            dt: seconds(frame),
            elapsed,
            entity_position: place,
            entity_forward: turn * Vec3::NEG_Z,
            velocity: turn * Vec3::new(2.0 * (1.3 * elapsed).sin(), 0.0, 1.0),
        };
        let targets = |target: TargetId| Some(Vec3::new(target.0 as f32, 1.5, place.z + 1.0));
        let surroundings = Surroundings {
            world_from_model: Affine3A::from_rotation_translation(turn, place),
            ground: Some(&hills),
            targets: Some(&targets),
            ..Surroundings::default()
        };
        let pose = ModelPose::new(&self.rig, &mut poses, surroundings.world_from_model);
        stack.apply_in_model(&context, &mut pose.within(&surroundings).showing(shown, &self.library));
        poses
    }
}

/// The length of a frame; they differ.
fn seconds(frame: u16) -> f32 {
    [1.0 / 60.0, 1.0 / 45.0, 0.011, 1.0 / 30.0][usize::from(frame % 4)]
}

/// What the game changes, and when.
fn steer(stack: &mut ProceduralAnimationStack, frame: u16) {
    let turn = f32::from(frame / 40);
    let target = Vec3::new((2.0 * turn).sin(), 1.2 + 0.3 * turn.cos(), 2.0 + f32::from(frame) / 60.0);
    let weight = [1.0, 0.4, 0.8, 0.0, 0.6][usize::from(frame / 40 % 5)];
    if frame % 40 != 13 {
        return;
    }
    if let Some(layer) = stack.layer_mut::<LookAtLayer>() {
        (layer.target, layer.max_angle, layer.weight) = (target, 0.5 + 0.1 * turn, weight);
    }
    if let Some(layer) = stack.layer_mut::<BodyLean>() {
        (layer.settle_secs, layer.weight) = (0.5 / (1.0 + turn), weight);
    }
    if let Some(layer) = stack.layer_mut::<BreathingLayer>() {
        (layer.frequency, layer.weight) = (0.3 + 0.1 * turn, weight);
    }
    if let Some(layer) = stack.layer_mut::<Faded<LeanLayer>>() {
        layer.fade.fade_to(1.0 - weight, 1.0);
    }
    if let Some(layer) = stack.layer_mut::<AimLayer>() {
        (layer.target, layer.weight, layer.follow_secs) = (target, weight.max(0.3), 0.3 + 0.2 * turn);
        layer.follows = (frame > 90).then_some(TargetId(2));
    }
    if let Some(layer) = stack.layer_mut::<TwoBoneIk>() {
        (layer.target, layer.weight, layer.pole) = (target - Vec3::Z, weight, (frame > 50).then_some(Vec3::Y));
        layer.end_rotation = Some(Quat::from_rotation_x(turn));
        layer.follows = (frame > 90).then_some(TargetId(1));
    }
    if let Some(layer) = stack.layer_mut::<ChainIk>() {
        (layer.target, layer.weight, layer.settings.max_bend) = (target, 0.3 * weight, 0.5);
    }
    if let Some(layer) = stack.layer_mut::<SpringChain>() {
        (layer.settings.stiffness, layer.weight) = (50.0 + 10.0 * turn, weight.max(0.2));
    }
    if let Some(layer) = stack.layer_mut::<FootPlacement>() {
        (layer.settings.max_slide, layer.weight) = (0.3 + 0.02 * turn, weight.max(0.5));
    }
}

/// The bits of a pose: what is equal has the same zeros too.
pub fn bits(poses: &[JointPose]) -> Vec<u32> {
    let numbers = poses.iter().flat_map(|(translation, rotation, scale)| {
        translation.to_array().into_iter().chain(rotation.to_array()).chain(scale.to_array())
    });
    numbers.map(f32::to_bits).collect()
}

pub fn is_finite(poses: &[JointPose]) -> bool {
    poses
        .iter()
        .all(|(translation, rotation, scale)| translation.is_finite() && rotation.is_finite() && scale.is_finite())
}
