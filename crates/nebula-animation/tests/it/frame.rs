//! One character in one frame.

use glam::{Affine3A, Mat4, Quat, Vec3};
use nebula_animation::clip::{MorphLayout, MorphMesh};
use nebula_animation::mixer::update_mixer;
use nebula_animation::palette::{model_matrices, skinning_matrices};
use nebula_animation::rig::RigOptions;
use nebula_animation::{
    AnimationClipLibrary, AnimationMixer, BoneAttachment, Character, Frame, GroundPoint, JointPose, ModelPose,
    ProceduralContext, Rig, Skeleton, Surroundings,
};

use crate::characters::{Binds, Random, RestScales, RigRecipe, Shape};
use crate::player::rig::{chain, slide};
use crate::player::warnings;

fn skeleton(seed: u64) -> Skeleton {
    let (binds, rest_scales) = (Binds::Uneven, RestScales::Uneven);
    RigRecipe { joints: 29, shape: Shape::Limbs, binds, rest_scales, extent: 0.5, seed }.skeleton()
}

fn pose(skeleton: &Skeleton, random: &mut Random) -> Vec<JointPose> {
    let joints = skeleton.joints.iter();
    joints.map(|joint| (joint.bind_translation + random.vector(0.1), random.quat(), joint.bind_scale)).collect()
}

fn largest_difference(left: &[Mat4], right: &[Mat4]) -> f32 {
    let pairs = left.iter().zip(right).flat_map(|(left, right)| (*left - *right).to_cols_array());
    pairs.fold(0.0, |largest, difference| largest.max(difference.abs()))
}

/// Poses from elsewhere, a network or a ragdoll, come out as they went in, with the palette of the plain functions.
#[test]
fn a_pose_from_elsewhere_has_its_palette() {
    let mut random = Random::new(3);
    for seed in 0..10 {
        let skeleton = skeleton(seed);
        let mut frame = Frame::new(&Rig::new(&skeleton));
        let pose = pose(&skeleton, &mut random);
        frame.set_pose(&pose);
        frame.finish(&[]);
        let mut back = skeleton.bind_pose();
        frame.write_pose(&mut back);
        assert_eq!(back, pose);
        let mut expected = vec![Mat4::IDENTITY; pose.len()];
        model_matrices(&skeleton, &pose, &mut expected);
        let mut models = vec![Mat4::IDENTITY; pose.len()];
        frame.write_model_matrices(&mut models);
        assert!(largest_difference(&models, &expected) < 1e-4);
        for (joint, model) in models.iter().enumerate() {
            assert!(largest_difference(&[frame.model_matrix(joint as u16)], &[*model]) < 1e-4);
        }
        skinning_matrices(&skeleton, &mut expected);
        assert!(largest_difference(frame.palette(), &expected) < 1e-3, "seed {seed}");
    }
}

#[test]
fn a_frame_says_whether_it_is_another_one() {
    let skeleton = skeleton(1);
    let mut frame = Frame::new(&Rig::new(&skeleton));
    frame.finish(&[]);
    assert!(!frame.is_changed(), "nobody wrote a pose");
    frame.set_pose(&pose(&skeleton, &mut Random::new(5)));
    frame.finish(&[]);
    assert!(frame.is_changed());
    frame.finish(&[]);
    assert!(!frame.is_changed());
}

#[test]
fn attachments_are_where_their_joints_are() {
    let skeleton = skeleton(2);
    let rig = Rig::new(&skeleton);
    let mut frame = Frame::new(&rig);
    frame.set_pose(&pose(&skeleton, &mut Random::new(8)));
    let offset = Vec3::new(0.1, 0.2, 0.3);
    let name = &skeleton.joints[20].name;
    let sword = BoneAttachment::new(&skeleton, name).expect("there is one").at(offset, Quat::IDENTITY);
    frame.finish(&[sword]);
    let expected = frame.model_matrix(20) * Mat4::from_translation(offset);
    let found = frame.attachment(0).copied().expect("there is one");
    assert!(largest_difference(&[found], &[expected]) < 1e-5);
    assert!(frame.attachment(1).is_none());
}

#[test]
fn poses_from_elsewhere_leave_what_they_lack_at_rest() {
    let mesh = MorphMesh { weights: vec![0.25, 0.5], ..MorphMesh::default() };
    let morphs = MorphLayout { meshes: vec![mesh] };
    let rig = Rig::with_options(chain(11), RigOptions { morphs, ..RigOptions::default() });
    let mut frame = Frame::new(&rig);
    assert_eq!((frame.morph_weights(), frame.shown().len()), ([0.25, 0.5, 0.0].as_slice(), 0));
    let moved: JointPose = (Vec3::X, Quat::from_rotation_z(1.0), Vec3::splat(2.0));
    let broken: JointPose = (Vec3::new(f32::NAN, 0.0, 0.0), Quat::IDENTITY, Vec3::ONE);
    frame.set_pose(&[moved, broken, moved]);
    frame.finish(&[]);
    let rest = rig.bind_pose();
    assert_eq!([frame.local(0), frame.local(1), frame.local(2)], [moved, rest[1], moved]);
    assert!((3..11).all(|joint| frame.local(joint) == rest[usize::from(joint)]));
    assert_eq!(frame.morph_weights(), [0.25, 0.5, 0.0]);
    frame.set_pose(&vec![moved; 40]);
    frame.finish(&[]);
    assert!(frame.palette().iter().all(|matrix| matrix.is_finite()) && frame.palette().len() == 11);
    // Nobody has joint 11, and nobody the slots from 3 on.
    assert_eq!(frame.local(11), (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE));
    assert_eq!(frame.model_matrix(u16::MAX), Mat4::IDENTITY);
    assert_eq!(frame.morph_weights_of(0, 2), [0.25, 0.5]);
    assert!(frame.morph_weights_of(1, 3).is_empty() && frame.morph_weights_of(usize::MAX, usize::MAX).is_empty());
}

#[test]
fn a_mixer_that_stands_still_changes_no_frame() {
    let rig = Rig::new(chain(3));
    let mut frame = Frame::new(&rig);
    let mut mixer = AnimationMixer::new(AnimationClipLibrary::new(&rig, &[slide(0, 1.0)]));
    mixer.play(0, 0.0).expect("a clip");
    for (dt, is_changed) in [(0.25, true), (0.0, false), (0.25, true), (1.0, false)] {
        update_mixer(&mut mixer, &mut frame, dt);
        frame.finish(&[]);
        assert_eq!(frame.is_changed(), is_changed, "after {dt} s");
    }
}

#[test]
fn a_frame_of_another_rig_stays_as_it_is() {
    let mut mixer = AnimationMixer::new(AnimationClipLibrary::new(&Rig::new(chain(3)), &[slide(0, 1.0)]));
    mixer.play(0, 0.0).expect("a clip");
    let mut frame = Frame::new(&Rig::new(chain(3)));
    let before = frame.palette().to_vec();
    let told = warnings::count_errors(|| update_mixer(&mut mixer, &mut frame, 0.5));
    frame.finish(&[]);
    assert_eq!((told, frame.palette()), (1, before.as_slice()));
}

/// The parts by hand come to the same as a character.
#[test]
fn the_stages_by_hand_are_a_character() {
    let (skeleton, clips) = crate::support::humanoid::humanoid();
    let rig = Rig::new(skeleton);
    let library = AnimationClipLibrary::new(&rig, &clips);
    let mut character = Character::of(library.clone());
    character.mixer.play("walk", 0.0).expect("a clip");
    character.add_layer(rig.humanoid().foot_placement(&rig).expect("feet"));
    let mut mixer = character.mixer.clone();
    let mut stack = character.layers.clone();
    let mut frame = Frame::new(&rig);
    let mut pose = rig.bind_pose();
    let ground = |place: Vec3| Some(GroundPoint::new(0.1 * place.z, Vec3::new(0.0, 1.0, -0.1)));
    for number in 1..120_u8 {
        let seconds = f64::from(number) / 60.0;
        let place = Vec3::new(0.0, 0.1, 1.0) * (0.6 * seconds as f32);
        let around = Surroundings {
            ground: Some(&ground),
            velocity: Vec3::Z * 0.6,
            ..Surroundings::at(Affine3A::from_translation(place))
        };
        character.update(1.0 / 60.0, &around);
        update_mixer(&mut mixer, &mut frame, 1.0 / 60.0);
        frame.write_pose(&mut pose);
        let context = ProceduralContext {
            dt: 1.0 / 60.0,
            elapsed: character.elapsed() as f32,
            entity_position: place,
            entity_forward: Vec3::Z,
            velocity: Vec3::Z * 0.6,
        };
        let model = ModelPose::new(&rig, &mut pose, around.world_from_model).within(&around);
        stack.apply_in_model(&context, &mut model.showing(frame.shown(), &library));
        frame.set_pose(&pose);
        frame.finish(&[]);
        assert_eq!(frame.palette(), character.palette(), "frame {number}");
    }
}
