//! A walking humanoid whose inputs change in every frame, and stacks of layers for it.

use std::path::Path;

use glam::{Affine3A, Quat, Vec3};
use nebula_animation::{
    AimLayer, AnimationClip, BreathingLayer, FootPlacement, GroundPoint, HumanoidMap, JointPose, LeanLayer,
    LookAtLayer, ModelPose, ProceduralAnimationStack, ProceduralContext, RestPose, Skeleton,
    compile::ContactTrack,
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
    pub skeleton: Skeleton,
    clips: Vec<AnimationClip>,
    rest: RestPose,
    humanoid: HumanoidMap,
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
    Some(GroundPoint { height: 0.05 * (3.0 * place.z).sin(), normal: Vec3::new(0.0, 1.0, -slope) })
}

impl Cast {
    pub fn load() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
        let (skeleton, clips) = load_skeleton_and_clips(&path).expect("the humanoid loads");
        let humanoid = HumanoidMap::find(&skeleton).expect("it is a humanoid");
        Self { rest: RestPose::of(&skeleton), skeleton, clips, humanoid }
    }

    fn joint(&self, name: &str) -> u16 {
        self.skeleton.joint_by_name(name).expect("the humanoid has this joint")
    }

    /// A stack as it is made.
    pub fn stack(&self, layers: Layers) -> ProceduralAnimationStack {
        let mut stack = ProceduralAnimationStack::default();
        let has = |kind| layers == kind || layers == Layers::All;
        if has(Layers::Breathing) {
            stack.push(self.humanoid.breathing().expect("a chest"));
        }
        if has(Layers::Lean) {
            stack.push(self.humanoid.lean().expect("a spine"));
        }
        if has(Layers::LookAt) {
            stack.push(self.humanoid.look_at(Vec3::Y).expect("a head"));
        }
        if has(Layers::Faded) {
            stack.push(Faded::hidden(LeanLayer::new(self.joint("Spine2"))));
        }
        if has(Layers::Aim) {
            stack.push(self.humanoid.aim(&self.rest, Vec3::new(1.0, 1.5, 2.0)).expect("a spine and a head"));
        }
        if has(Layers::TwoBone) {
            let arm = ["LeftArm", "LeftForeArm", "LeftHand"].map(|name| self.joint(name));
            stack.push(TwoBoneIk::new(&self.rest, arm, Vec3::Y));
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
            let mut feet = self.humanoid.foot_placement(&self.rest, hills).expect("legs");
            if layers != Layers::Feet {
                let rig = self.humanoid.feet(&self.rest).expect("legs");
                let tracks = self.clips.iter().map(|clip| ContactTrack::from_clip(clip, &self.skeleton, &rig));
                feet = feet.with_tracks(tracks.collect::<Vec<_>>());
            }
            stack.push(feet);
        }
        stack
    }

    /// A frame: what a game would change in the layers, and then the pose. What the game changes is not said again in later
    /// frames.
    pub fn frame(&self, stack: &mut ProceduralAnimationStack, frame: u16) -> Vec<JointPose> {
        let elapsed = (0..=frame).map(seconds).sum::<f32>();
        steer(stack, frame);
        let walk = &self.clips[0];
        let time = elapsed % walk.duration;
        let mut poses = self.skeleton.bind_pose();
        sample_pose(walk, &self.skeleton, time, &mut poses);
        if frame.is_multiple_of(3) {
            stack.show_clips(&[
                ShownClip { clip: 0, time, weight: 0.8 },
                ShownClip { clip: 1, time: 0.3 * time, weight: if frame.is_multiple_of(2) { 0.2 } else { 0.0 } },
            ]);
        }
        let turn = Quat::from_rotation_y(0.6 * (0.7 * elapsed).sin());
        let place = Vec3::new((0.5 * elapsed).sin(), 0.0, 1.2 * elapsed);
        let context = ProceduralContext {
            dt: seconds(frame),
            elapsed,
            entity_position: place,
            entity_forward: turn * Vec3::NEG_Z,
            velocity: turn * Vec3::new(2.0 * (1.3 * elapsed).sin(), 0.0, 1.0),
        };
        let world = Affine3A::from_rotation_translation(turn, place);
        stack.apply_in_model(&context, &mut ModelPose::new(&self.rest, &mut poses, world));
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
    if let Some(layer) = stack.layer_mut::<LeanLayer>() {
        (layer.responsiveness, layer.weight) = (2.0 + turn, weight);
    }
    if let Some(layer) = stack.layer_mut::<BreathingLayer>() {
        (layer.frequency, layer.weight) = (0.3 + 0.1 * turn, weight);
    }
    if let Some(layer) = stack.layer_mut::<Faded<LeanLayer>>() {
        layer.fade.fade_to(1.0 - weight, 1.0);
    }
    if let Some(layer) = stack.layer_mut::<AimLayer>() {
        (layer.target, layer.weight, layer.follow_secs) = (target, weight.max(0.3), 0.3 + 0.2 * turn);
    }
    if let Some(layer) = stack.layer_mut::<TwoBoneIk>() {
        (layer.target, layer.weight, layer.pole) = (target - Vec3::Z, weight, (frame > 50).then_some(Vec3::Y));
        layer.end_rotation = Some(Quat::from_rotation_x(turn));
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
