//! What limits the layers of avatars, as data.

use glam::{Affine3A, Vec3};
use nebula_animation::{
    AnimationClipLibrary, Character, Surroundings,
    explain::{Limit, LimitKind},
    procedural::{avatar::EyeGazeLayer, springs::SpringJoints},
    rig::avatar::{JointCollider, JointColliderShape, SpringJointChain},
};

use crate::asset::vrm;

const FRAME: f64 = 1.0 / 60.0;

fn limits(hero: &Character, joint: u16) -> Vec<Limit> {
    let why = hero.explain_joint(joint).expect("a joint");
    let own = why.changes.iter().flat_map(|part| &part.reasons).filter(|reason| reason.joint == joint);
    own.flat_map(|reason| reason.limits.clone()).collect()
}

#[test]
fn an_eye_at_the_end_of_its_range_is_told() {
    let (asset, avatar) = vrm::avatar(&vrm::one());
    let rig = asset.rig();
    let gaze = avatar.gaze.expect("a gaze");
    let eye = rig.model_from_joint(gaze.head).transform_point3(gaze.offset);
    let [left, right] = gaze.eyes.map(|eye| eye.expect("a joint"));
    // Degrees to the left and below; the file's ranges end at 60 (outer), 90 (inner), 45 (down) and 30 (up).
    let told = |to_left: f32, down: f32, joint: u16| {
        let [yaw, pitch] = [to_left, down].map(f32::to_radians);
        let way = Vec3::new(yaw.sin() * pitch.cos(), -pitch.sin(), yaw.cos() * pitch.cos());
        let mut hero = Character::of(AnimationClipLibrary::new(&rig, &asset.clips()));
        let mut layer = EyeGazeLayer::new(gaze);
        layer.target = Some(eye + 3.0 * way);
        hero.add_layer(layer);
        hero.set_traced(true);
        hero.update(0.0, &Surroundings::default());
        let all = limits(&hero, joint);
        assert!(all.iter().all(|limit| limit.by == LimitKind::Cone && limit.wanted > limit.allowed), "{all:?}");
        all.into_iter().map(|limit| (limit.setting, limit.allowed, limit.wanted.round())).collect::<Vec<_>>()
    };
    let range = |name: &str, allowed: f32, wanted: f32| (format!("{name} range"), allowed, wanted);
    assert_eq!(told(30.0, 20.0, left), []);
    assert_eq!(told(75.0, 0.0, left), [range("outer", 60.0, 75.0)]);
    assert_eq!(told(75.0, 0.0, right), [], "the other eye looks inwards, and may go further");
    assert_eq!(told(-75.0, 50.0, right), [range("outer", 60.0, 75.0), range("down", 45.0, 50.0)]);
    assert_eq!(told(0.0, -40.0, left), [range("up", 30.0, 40.0)]);
}

#[test]
fn what_pushes_the_springs_of_an_avatar_is_named() {
    let (asset, avatar) = vrm::avatar(&vrm::one());
    let rig = asset.rig();
    let chain = SpringJointChain { colliders: Vec::new(), ..avatar.springs[0].clone() };
    let bone = chain.bones[0];
    let above = rig.parent(bone.joint).expect("something that it hangs from");
    // Everything is below a plane that goes through the middle of the first bone, across it.
    let world_of = |joint: u16| rig.model_from_joint(joint);
    let (head, tail) = (rig.position(bone.joint), world_of(bone.joint).transform_point3(bone.tail));
    let inverse = world_of(above).inverse();
    let plane = JointColliderShape::Plane {
        point: inverse.transform_point3((head + tail) * 0.5),
        normal: inverse.transform_vector3(head - tail).normalize_or_zero(),
    };
    let told = |colliders: Vec<JointCollider>| {
        let mut hero = Character::of(AnimationClipLibrary::new(&rig, &[]));
        hero.add_layer(SpringJoints::new(SpringJointChain { colliders, ..chain.clone() }));
        hero.set_traced(true);
        (0..60).for_each(|_| hero.update(FRAME, &Surroundings::at(Affine3A::IDENTITY)));
        limits(&hero, bone.joint)
    };
    assert_eq!(told(Vec::new()), []);
    let name = &rig.joints[usize::from(above)].name;
    let [limit] = &told(vec![JointCollider { joint: above, shape: plane }])[..] else { panic!("one is in the way") };
    assert_eq!((limit.by, limit.setting.as_str()), (LimitKind::Collider, format!("a plane at {name}").as_str()));
    let far = JointColliderShape::Plane {
        point: inverse.transform_point3(tail - (head - tail) * 10.0),
        normal: inverse.transform_vector3(head - tail).normalize_or_zero(),
    };
    assert_eq!(told(vec![JointCollider { joint: above, shape: far }]), [], "it is elsewhere");
}
