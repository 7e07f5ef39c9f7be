//! Rigs: what is worked out of a skeleton once, against the skeleton itself.

use std::path::Path;
use std::sync::Arc;

use glam::{Mat4, Vec3};
use nebula_animation::asset::Asset;
use nebula_animation::clip::{MorphLayout, MorphMesh};
use nebula_animation::palette::model_matrices;
use nebula_animation::rig::RigOptions;
use nebula_animation::skeleton::Side;
use nebula_animation::{HumanoidJoint, HumanoidMap, Rig, Skeleton};

use crate::determinism::generated;
use crate::player::rig::chain;
use crate::support::humanoid::humanoid;

#[test]
fn every_rig_has_a_number_of_its_own_and_clones_share_it() {
    let skeleton = chain(3);
    let rigs: Vec<_> = (0..100).map(|_| Rig::new(&skeleton)).collect();
    let mut ids: Vec<_> = rigs.iter().map(|rig| rig.id()).collect();
    assert!(rigs.iter().all(|rig| Arc::clone(rig).id() == rig.id() && rig.skeleton() == &skeleton));
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 100);
}

#[test]
fn hierarchy_and_rest_pose_are_those_of_the_skeleton() {
    for (number, (skeleton, _)) in generated().into_iter().enumerate() {
        let rig = Rig::new(&skeleton);
        let mut models = vec![Mat4::IDENTITY; skeleton.joints.len()];
        model_matrices(&skeleton, &skeleton.bind_pose(), &mut models);
        assert_eq!((rig.joint_count(), rig.joints.len()), (skeleton.joints.len(), skeleton.joints.len()));
        for (joint, model) in skeleton.joints.iter().zip(&models) {
            let index = joint.index;
            assert_eq!(rig.parent(index), joint.parent, "rig {number}, joint {index}");
            let children = skeleton.joints.iter().filter(|other| other.parent == Some(index)).map(|other| other.index);
            assert_eq!(rig.children(index), children.collect::<Vec<_>>(), "rig {number}, joint {index}");
            let mut above = joint.parent;
            while let Some(ancestor) = above {
                assert!(rig.is_below(index, ancestor) && !rig.is_below(ancestor, index));
                above = skeleton.joints[usize::from(ancestor)].parent;
            }
            assert!(!rig.is_below(index, index));
            let size = model.to_cols_array().into_iter().fold(1.0, |size: f32, number| size.max(number.abs()));
            let found = Mat4::from(rig.model_from_joint(index));
            assert!(found.abs_diff_eq(*model, 1e-5 * size), "rig {number}, joint {index}: {found}, not {model}");
            assert!(rig.position(index).abs_diff_eq(model.w_axis.truncate(), 1e-5 * size));
        }
    }
}

#[test]
fn what_the_author_says_counts_more_than_what_names_tell() {
    let (skeleton, _) = humanoid();
    let found = Rig::new(&skeleton);
    assert_eq!(found.front(), Some(Vec3::Z));
    assert!(found.up().abs_diff_eq(Vec3::Y, 1e-6));
    assert_eq!(found.feet().map(|feet| feet.legs().len()), Some(2));
    let options = RigOptions {
        front: Some(Vec3::X * 7.0),
        up: Some(Vec3::Z),
        humanoid: Some(HumanoidMap::default()),
        ..RigOptions::default()
    };
    let said = Rig::with_options(&skeleton, options);
    assert_eq!((said.front(), said.up()), (Some(Vec3::X), Vec3::Z));
    assert!(said.feet().is_none() && said.humanoid().get(HumanoidJoint::Head).is_none());
}

#[test]
fn masks_of_a_humanoid_are_its_upper_body_and_its_face() {
    let (skeleton, _) = humanoid();
    let rig = Rig::new(&skeleton);
    let upper = rig.upper_body().expect("it has a back");
    for part in [HumanoidJoint::Head, HumanoidJoint::Hand(Side::Left), HumanoidJoint::Hand(Side::Right)] {
        assert_eq!(upper.weight(rig.humanoid().require(part).expect("a part").into()), 1.0, "{part}");
    }
    for part in [HumanoidJoint::Hips, HumanoidJoint::Foot(Side::Left), HumanoidJoint::Foot(Side::Right)] {
        assert_eq!(upper.weight(rig.humanoid().require(part).expect("a part").into()), 0.0, "{part}");
    }
    assert_eq!(upper.morph_weight(), 0.0);
    let face = rig.face();
    assert_eq!((face.morph_weight(), face.weights().iter().sum::<f32>()), (1.0, 0.0));
    let error = Rig::new(chain(3)).upper_body().expect_err("nobody's back");
    assert!(error.to_string().contains("chest"), "{error}");
}

#[test]
fn morph_targets_rest_where_the_layout_says() {
    let mesh =
        |first_slot, weights: &[f32]| MorphMesh { first_slot, weights: weights.to_vec(), ..MorphMesh::default() };
    let morphs = MorphLayout { meshes: vec![mesh(0, &[0.25; 4]), mesh(6, &[0.5])] };
    let rig = Rig::with_options(chain(9), RigOptions { morphs: morphs.clone(), ..RigOptions::default() });
    assert_eq!((rig.morphs(), rig.joint_count()), (&morphs, 9));
    let frame = nebula_animation::Frame::new(&rig);
    assert_eq!(frame.morph_weights(), [0.25, 0.25, 0.25, 0.25, 0.0, 0.0, 0.5, 0.0, 0.0]);
    assert_eq!(frame.palette().len(), 9, "weights are no joints");
}

#[test]
fn a_rig_without_joints_has_nothing_and_is_fine() {
    let rig = Rig::new(Skeleton::default());
    assert_eq!((rig.joint_count(), rig.front(), rig.up()), (0, None, Vec3::Y));
    assert!(rig.feet().is_none() && rig.children(0).is_empty() && rig.parent(0).is_none() && !rig.is_below(0, 0));
    assert_eq!(rig.position(7), Vec3::ZERO);
}

/// The points lie on the floor, under both feet, from heel to tip.
#[test]
fn soles_are_found_in_the_mesh() {
    let rig = shipped().rig();
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
    assert!(Rig::new(shipped().skeleton).soles().is_empty(), "nobody showed it a mesh");
}

fn shipped() -> Asset {
    Asset::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb")).expect("it loads")
}
