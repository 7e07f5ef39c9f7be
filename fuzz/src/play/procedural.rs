use std::sync::Arc;

use glam::{Affine3A, Vec3};
use nebula_animation::{
    AimLayer, BreathingLayer, ClipId, FootPlacement, GroundPoint, JointPose, LayerId, LeanLayer, LookAtLayer,
    ModelPose, ProceduralAnimationStack, ProceduralContext, ProceduralLayer, Rig, Surroundings, TargetId,
    frame::ShownClip,
    procedural::{
        AimJoint, Faded,
        ik::{ChainIk, TwoBoneIk},
        springs::{SpringChain, SpringCollider, SpringSettings},
    },
    rig::{FeetRig, LegJoints},
};

use super::draw::Draw;
use super::world::World;

/// A stack of layers on a pose that no character has.
pub struct Bender {
    rig: Arc<Rig>,
    stack: ProceduralAnimationStack,
}

/// Layers of a stack.
const MOST: usize = 6;

impl Bender {
    pub fn new(world: &World) -> Self {
        Self { rig: world.rigs[0].clone(), stack: ProceduralAnimationStack::default() }
    }

    pub fn call(&mut self, world: &World, draw: &mut Draw) {
        if draw.one_in(12) {
            self.rig = world.rig(draw).clone();
        }
        change(&mut self.stack, &self.rig, draw);
        let mut poses = self.rig.bind_pose();
        // Layers promise to leave a pose finite that was so.
        for pose in &mut poses {
            let (translation, rotation, scale) = *pose;
            if !(translation.is_finite() && rotation.is_finite() && scale.is_finite()) {
                *pose = super::AT_REST;
            }
        }
        if draw.one_in(8) {
            poses.truncate(draw.below(4));
        }
        let context = draw.context();
        if draw.one_in(4) {
            self.stack.apply(&context, &mut poses);
        } else {
            let place = match draw.below(4) {
                0 => Affine3A::from_translation(draw.wild_vector()),
                1 => Affine3A::from_scale_rotation_translation(draw.wild_vector(), draw.rotation(), draw.wild_vector()),
                _ => Affine3A::IDENTITY,
            };
            let height = draw.wild();
            let ground = move |place: Vec3| Some(GroundPoint::level(height + 0.1 * place.x));
            let shown = [shown(draw), shown(draw)];
            let mut pose = ModelPose::new(&self.rig, &mut poses, place);
            if draw.yes() {
                pose = pose.within(&Surroundings { ground: Some(&ground), ..Surroundings::at(place) });
            }
            if draw.yes() {
                // Of a library that may be another rig's.
                pose = pose.showing(&shown[..draw.below(3)], world.library(draw));
            }
            self.stack.apply_in_model(&context, &mut pose);
        }
        super::assert_finite(&poses, "of a stack");
    }
}

fn shown(draw: &mut Draw) -> ShownClip {
    ShownClip {
        layer: LayerId::new(draw.index()),
        clip: ClipId::new(draw.index()),
        time: draw.wild(),
        weight: draw.wild(),
        feet_weight: draw.wild(),
    }
}

/// Takes a layer away, or adds one.
pub fn change(stack: &mut ProceduralAnimationStack, rig: &Rig, draw: &mut Draw) {
    match draw.below(12) {
        2 => {
            let removed = draw.below(MOST);
            if removed < stack.layers.len() {
                stack.layers.remove(removed);
            }
        }
        3 => *stack = stack.clone(),
        4..=7 if stack.layers.len() < MOST => push(stack, rig, draw),
        8 => {
            if let Some(feet) = stack.layer_mut::<FootPlacement>() {
                (feet.weight, feet.settings.max_twist) = (draw.wild(), draw.wild());
                feet.reset();
            }
        }
        9 => {
            if let Some(aim) = stack.layer_mut::<AimLayer>() {
                (aim.weight, aim.target) = (draw.wild(), draw.wild_vector());
            }
        }
        _ => {}
    }
}

fn push(stack: &mut ProceduralAnimationStack, rig: &Rig, draw: &mut Draw) {
    let (joint, target, weight) = (draw.joint(), draw.wild_vector(), if draw.yes() { 1.0 } else { draw.wild() });
    match draw.below(10) {
        0 => stack.push(LookAtLayer { joint_index: joint, target, max_angle: draw.wild(), weight }),
        1 => {
            let lean = LeanLayer { weight, ..LeanLayer::new(joint) };
            stack.push(lean);
        }
        2 => stack.push(BreathingLayer { joint_index: joint, frequency: draw.wild(), amplitude: draw.wild(), weight }),
        3 => {
            let chain: Vec<AimJoint> = (0..draw.below(4)).map(|_| aim_joint(draw)).collect();
            let mut aim = AimLayer::new(chain, target).with_eyeballs((0..draw.below(2)).map(|_| aim_joint(draw)));
            (aim.follow_secs, aim.limit, aim.hysteresis) = (draw.wild(), draw.wild(), draw.wild());
            (aim.eye, aim.weight) = (draw.wild_vector(), weight);
            aim.follows = draw.yes().then(|| TargetId(draw.below(3) as u64));
            stack.push(aim);
        }
        4 => {
            let joints = [draw.joint(), draw.joint(), draw.joint()];
            let mut limb = TwoBoneIk::new(rig, joints, target);
            limb.weight = weight;
            limb.follows = draw.yes().then(|| TargetId(draw.below(3) as u64));
            stack.push(limb);
        }
        5 => {
            let joints = (0..draw.below(5)).map(|_| draw.joint()).collect();
            let mut chain = ChainIk::new(joints, target);
            chain.weight = weight;
            stack.push(chain);
        }
        6 | 7 => {
            let settings = SpringSettings { stiffness: draw.wild(), damping: draw.wild(), ..SpringSettings::default() };
            let joints = (0..draw.below(5)).map(|_| draw.joint()).collect();
            let collider = SpringCollider::capsule(draw.joint(), [draw.wild_vector(), draw.wild_vector()], draw.wild());
            let mut springs = SpringChain::new(joints).with_settings(settings).with_colliders([collider]);
            (springs.weight, springs.tip) = (weight, draw.yes().then(|| draw.wild_vector()));
            stack.push(springs);
        }
        8 => stack.push(feet(rig, draw)),
        _ => {
            let mut faded = Faded::hidden(Nonsense { joint, change: (target, draw.rotation(), draw.wild_vector()) });
            faded.fade.fade_to(draw.wild(), draw.wild());
            stack.push(faded);
        }
    }
}

fn aim_joint(draw: &mut Draw) -> AimJoint {
    AimJoint {
        joint: draw.joint(),
        share: draw.wild(),
        limit: draw.wild(),
        axis: draw.yes().then(|| draw.wild_vector()),
    }
}

fn feet(rig: &Rig, draw: &mut Draw) -> FootPlacement {
    if let (Ok(feet), true) = (rig.humanoid().foot_placement(rig), draw.yes()) {
        return feet;
    }
    let leg = |draw: &mut Draw| LegJoints {
        thigh: draw.joint(),
        shin: draw.joint(),
        foot: draw.joint(),
        toes: draw.yes().then(|| draw.joint()),
    };
    let legs = [leg(draw), leg(draw)];
    FootPlacement::new(FeetRig::new(rig, draw.joint(), &legs[..draw.below(3)]))
}

/// A layer of a user's own that answers with anything.
#[derive(Clone)]
struct Nonsense {
    joint: u16,
    change: JointPose,
}

impl ProceduralLayer for Nonsense {
    fn evaluate(&self, _: &ProceduralContext) -> JointPose {
        self.change
    }

    fn target_joint(&self) -> u16 {
        self.joint
    }

    fn weight(&self) -> f32 {
        1.0
    }

    fn modify(&mut self, _: &ProceduralContext, pose: &mut ModelPose<'_>) {
        let (place, turn, size) = self.change;
        pose.translate_in_model(self.joint, place);
        pose.rotate_in_model(self.joint.wrapping_add(1), turn);
        pose.point(self.joint, place, size);
        pose.set_local(self.joint, self.change);
        pose.set_position(self.joint / 2, size);
    }
}
