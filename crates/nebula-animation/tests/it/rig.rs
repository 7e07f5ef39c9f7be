//! What is worked out once of a skeleton.

use std::path::Path;

use glam::{Mat4, Vec3};
use nebula_animation::asset::Asset;
use nebula_animation::rig::{RigOptions, SolePoint};
use nebula_animation::{HumanoidJoint, Rig, Skeleton};

use crate::characters::{Binds, RestScales, RigRecipe, Shape};

fn humanoid() -> Asset {
    Asset::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb")).expect("it loads")
}

fn any(seed: u64) -> Skeleton {
    let (binds, rest_scales) = (Binds::OfRest, RestScales::Uneven);
    RigRecipe { joints: 40, shape: Shape::Tree, binds, rest_scales, extent: 0.5, seed }.skeleton()
}

/// Equal skeletons are other rigs; a rig that is shared is the same one.
#[test]
fn every_rig_has_a_number_of_its_own() {
    let skeleton = any(1);
    let (first, second) = (Rig::new(&skeleton), Rig::new(&skeleton));
    assert_ne!(first.id(), second.id());
    assert_eq!(first.id(), first.clone().id());
    assert_eq!(first.skeleton(), &skeleton);
}

#[test]
fn the_hierarchy_and_the_rest_pose_are_those_of_the_skeleton() {
    for seed in 0..20 {
        let skeleton = any(seed);
        let rig = Rig::new(&skeleton);
        let mut models: Vec<Mat4> = Vec::new();
        for (index, joint) in skeleton.joints.iter().enumerate() {
            let local =
                Mat4::from_scale_rotation_translation(joint.bind_scale, joint.bind_rotation, joint.bind_translation);
            let model = joint.parent.map_or(local, |parent| models[usize::from(parent)] * local);
            models.push(model);
            let here = index as u16;
            assert_eq!(rig.parent(here), joint.parent);
            assert!(rig.position(here).abs_diff_eq(model.w_axis.truncate(), 1e-4), "seed {seed}, joint {index}");
            // Below another one: by the way up.
            let mut above = Vec::new();
            let mut next = joint.parent;
            while let Some(parent) = next {
                above.push(parent);
                next = skeleton.joints[usize::from(parent)].parent;
            }
            for other in 0..skeleton.joints.len() as u16 {
                assert_eq!(rig.is_below(here, other), above.contains(&other), "{here} below {other}");
            }
        }
    }
}

#[test]
fn a_humanoid_faces_the_way_its_toes_point_and_knows_its_parts() {
    let asset = humanoid();
    let rig = asset.rig();
    assert!(rig.front().is_some_and(|front| front.abs_diff_eq(Vec3::Z, 1e-3)));
    let head = rig.humanoid().require(HumanoidJoint::Head).expect("it has a head");
    let upper_body = rig.upper_body().expect("it has a chest");
    let hips = rig.humanoid().require(HumanoidJoint::Hips).expect("it has hips");
    assert_eq!((upper_body.weight(usize::from(head)), upper_body.weight(usize::from(hips))), (1.0, 0.0));
    assert!((0..rig.joint_count()).all(|joint| rig.face().weight(joint) == 0.0));
}

#[test]
fn what_its_author_says_counts_more_than_what_is_found() {
    let asset = humanoid();
    let options = RigOptions { front: Some(Vec3::X * 3.0), ..RigOptions::default() };
    let front = Rig::with_options(asset.skeleton.clone(), options).front().expect("it was said");
    assert!(front.abs_diff_eq(Vec3::X, 1e-6), "{front}");
    let foot = asset.rig().feet().expect("it has feet").legs()[0].foot;
    let soles = vec![SolePoint { joint: foot, point: Vec3::NEG_Y }];
    let rig = Rig::with_options(asset.skeleton.clone(), RigOptions { soles: soles.clone(), ..RigOptions::default() });
    assert_eq!(rig.soles(), soles);
}

/// The points lie on the floor, under both feet, from heel to tip.
#[test]
fn soles_are_found_in_the_mesh() {
    let rig = humanoid().rig();
    for leg in rig.feet().expect("it has feet").legs() {
        let own = rig.soles().iter().filter(|sole| sole.joint == leg.foot || rig.is_below(sole.joint, leg.foot));
        let points: Vec<Vec3> = own.map(|sole| rig.model_from_joint(sole.joint).transform_point3(sole.point)).collect();
        assert!((8..=16).contains(&points.len()), "{}", points.len());
        let reach = |value: fn(&Vec3) -> f32| {
            let all = points.iter().map(value);
            all.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
        };
        let ((low, _), (back, front)) = (reach(|point| point.y), reach(|point| point.z));
        assert!(low.abs() < 0.003, "the lowest is at {low}");
        assert!(front - back > 0.2, "a shoe from {back} to {front}");
    }
    assert!(Rig::new(humanoid().skeleton).soles().is_empty(), "nobody showed it a mesh");
}
