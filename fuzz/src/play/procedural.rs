use glam::{Affine3A, Quat, Vec3};
use nebula_animation::procedural::feet::LegJoints;
use nebula_animation::{
    AimLayer, BreathingLayer, FootPlacement, GroundPoint, JointPose, LeanLayer, LookAtLayer, ModelPose,
    ProceduralAnimationStack, ProceduralContext, ProceduralLayer, RestPose, Skeleton,
    compile::ContactTrack,
    frame::ShownClip,
    procedural::{
        AimJoint, Faded,
        ik::{ChainIk, TwoBoneIk},
        springs::{SpringChain, SpringCollider, SpringSettings},
    },
    rig::FeetRig,
};

use super::draw::Draw;
use super::world::World;

/// A stack of layers on a pose.
pub struct Bender<'w> {
    skeleton: &'w Skeleton,
    rest: RestPose,
    stack: ProceduralAnimationStack,
}

/// Layers of a stack.
const MOST: usize = 6;

impl<'w> Bender<'w> {
    pub fn new(world: &'w World) -> Self {
        let skeleton = &world.skeletons[0];
        Self { skeleton, rest: RestPose::of(skeleton), stack: ProceduralAnimationStack::default() }
    }

    pub fn call(&mut self, world: &'w World, draw: &mut Draw) {
        match draw.below(12) {
            0 => {
                self.skeleton = world.skeleton(draw);
                self.rest = RestPose::of(self.skeleton);
            }
            1 => self.rest = self.rest.clone().with_front(draw.wild_vector()).with_up(draw.wild_vector()),
            2 => {
                let removed = draw.below(MOST);
                if removed < self.stack.layers.len() {
                    self.stack.layers.remove(removed);
                }
            }
            3 => {
                let clips = [
                    ShownClip { clip: draw.index(), time: draw.wild(), weight: draw.wild() },
                    ShownClip { clip: draw.index(), time: draw.wild(), weight: draw.wild() },
                ];
                self.stack.show_clips(&clips[..draw.below(3)]);
            }
            4..=7 if self.stack.layers.len() < MOST => self.push(world, draw),
            _ => {}
        }
        let mut poses = self.skeleton.bind_pose();
        // Layers promise to leave a pose finite that was so.
        for pose in &mut poses {
            let (translation, rotation, scale) = *pose;
            if !(translation.is_finite() && rotation.is_finite() && scale.is_finite()) {
                *pose = (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE);
            }
        }
        if draw.one_in(8) {
            poses.truncate(draw.below(4));
        }
        let context = draw.context();
        if draw.one_in(4) {
            self.stack.apply(&context, &mut poses);
        } else {
            let world = match draw.below(4) {
                0 => Affine3A::from_translation(draw.wild_vector()),
                1 => Affine3A::from_scale_rotation_translation(draw.wild_vector(), draw.rotation(), draw.wild_vector()),
                _ => Affine3A::IDENTITY,
            };
            self.stack.apply_in_model(&context, &mut ModelPose::new(&self.rest, &mut poses, world));
        }
        super::assert_finite(&poses, "of a stack");
    }

    fn push(&mut self, world: &World, draw: &mut Draw) {
        let (joint, target, weight) = (draw.joint(), draw.wild_vector(), if draw.yes() { 1.0 } else { draw.wild() });
        let stack = &mut self.stack;
        match draw.below(10) {
            0 => stack.push(LookAtLayer { joint_index: joint, target, max_angle: draw.wild(), weight }),
            1 => {
                let lean = LeanLayer { weight, ..LeanLayer::new(joint) };
                stack.push(lean);
            }
            2 => stack.push(BreathingLayer {
                joint_index: joint,
                frequency: draw.wild(),
                amplitude: draw.wild(),
                weight,
            }),
            3 => {
                let chain: Vec<AimJoint> = (0..draw.below(4)).map(|_| aim_joint(draw)).collect();
                let mut aim = AimLayer::new(chain, target).with_eyeballs((0..draw.below(2)).map(|_| aim_joint(draw)));
                (aim.follow_secs, aim.limit, aim.hysteresis) = (draw.wild(), draw.wild(), draw.wild());
                (aim.eye, aim.weight) = (draw.wild_vector(), weight);
                stack.push(aim);
            }
            4 => {
                let joints = [draw.joint(), draw.joint(), draw.joint()];
                let mut limb = TwoBoneIk::new(&self.rest, joints, target);
                limb.weight = weight;
                stack.push(limb);
            }
            5 => {
                let joints = (0..draw.below(5)).map(|_| draw.joint()).collect();
                let mut chain = ChainIk::new(joints, target);
                chain.weight = weight;
                stack.push(chain);
            }
            6 | 7 => {
                let settings =
                    SpringSettings { stiffness: draw.wild(), damping: draw.wild(), ..SpringSettings::default() };
                let joints = (0..draw.below(5)).map(|_| draw.joint()).collect();
                let collider =
                    SpringCollider::capsule(draw.joint(), [draw.wild_vector(), draw.wild_vector()], draw.wild());
                let mut springs = SpringChain::new(joints).with_settings(settings).with_colliders([collider]);
                (springs.weight, springs.tip) = (weight, draw.yes().then(|| draw.wild_vector()));
                stack.push(springs);
            }
            8 => stack.push(feet(&self.rest, self.skeleton, world, draw)),
            _ => {
                let mut faded =
                    Faded::hidden(Nonsense { joint, change: (target, draw.rotation(), draw.wild_vector()) });
                faded.fade.fade_to(draw.wild(), draw.wild());
                stack.push(faded);
            }
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

fn feet(rest: &RestPose, skeleton: &Skeleton, world: &World, draw: &mut Draw) -> FootPlacement {
    let leg = |draw: &mut Draw| LegJoints {
        thigh: draw.joint(),
        shin: draw.joint(),
        foot: draw.joint(),
        toes: draw.yes().then(|| draw.joint()),
    };
    let legs = [leg(draw), leg(draw)];
    let rig = FeetRig::new(rest, draw.joint(), &legs[..draw.below(3)]);
    let tracks: Vec<ContactTrack> = match draw.below(3) {
        0 => world.library(draw).iter().take(2).map(|clip| ContactTrack::from_clip(clip, skeleton, &rig)).collect(),
        1 => vec![ContactTrack::from_markers(draw.wild(), world.markers.of(0), &[["a", "b"], ["c", "d"]])],
        _ => Vec::new(),
    };
    let (height, normal, has_ground) = (draw.wild(), draw.wild_vector(), !draw.one_in(4));
    let ground = move |place: Vec3| has_ground.then_some(GroundPoint { height: height + 0.1 * place.x, normal });
    FootPlacement::new(rig, ground).with_tracks(tracks)
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
