//! Frames: what is written into them is what is read, and the rest is made of it.

use glam::{Affine3A, Mat4, Quat, Vec3};
use nebula_animation::clip::{MorphLayout, MorphMesh};
use nebula_animation::mixer::update_mixer;
use nebula_animation::palette::{joint_model_matrix, model_matrices, skinning_matrices};
use nebula_animation::rig::RigOptions;
use nebula_animation::{
    AnimationClipLibrary, AnimationMixer, BoneAttachment, Character, Frame, GroundPoint, JointPose, Rig, Surroundings,
    sample_pose,
};

use crate::determinism::generated;
use crate::player::rig::{chain, slide};
use crate::player::warnings;

#[test]
fn poses_palettes_and_places_are_those_of_the_plain_path() {
    for (number, (skeleton, clips)) in generated().into_iter().enumerate() {
        let rig = Rig::new(&skeleton);
        let mut frame = Frame::new(&rig);
        let count = rig.joint_count();
        let (mut pose, mut read) = (rig.bind_pose(), rig.bind_pose());
        let held = BoneAttachment::new(&rig, &rig.joints[count - 1].name).expect("its own joint");
        let held = held.at(Vec3::new(0.1, 0.2, 0.3), Quat::from_rotation_x(0.5));
        for step in 0..5_u8 {
            sample_pose(&clips[0], &rig, f32::from(step) * 0.11, &mut pose);
            frame.set_pose(&pose);
            frame.finish(std::slice::from_ref(&held));
            frame.write_pose(&mut read);
            assert_eq!(read, pose, "rig {number}");
            let mut models = vec![Mat4::IDENTITY; count];
            model_matrices(&rig, &pose, &mut models);
            let largest = |matrices: &[Mat4]| {
                let numbers = matrices.iter().flat_map(|matrix| matrix.to_cols_array());
                numbers.fold(1.0, |size: f32, number| size.max(number.abs()))
            };
            let (size, mut all) = (largest(&models), vec![Mat4::IDENTITY; count]);
            frame.write_model_matrices(&mut all);
            for (joint, model) in (0_u16..).zip(&models) {
                assert_eq!(frame.local(joint), pose[usize::from(joint)]);
                assert!(frame.model_matrix(joint).abs_diff_eq(*model, 1e-5 * size), "rig {number}, joint {joint}");
                assert!(all[usize::from(joint)].abs_diff_eq(*model, 1e-5 * size), "rig {number}, joint {joint}");
            }
            let place = held.on_joint(&joint_model_matrix(&rig, &pose, count as u16 - 1));
            assert!(frame.attachment(0).is_some_and(|found| found.abs_diff_eq(place, 1e-5 * size)));
            assert!(frame.attachment(1).is_none());
            skinning_matrices(&rig, &mut models);
            let size = largest(&models);
            for (palette, plain) in frame.palette().iter().zip(&models) {
                assert!(palette.abs_diff_eq(*plain, 1e-5 * size), "rig {number}: {palette} instead of {plain}");
            }
        }
    }
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
fn a_frame_has_changed_when_its_pose_has() {
    let rig = Rig::new(chain(3));
    let mut frame = Frame::new(&rig);
    frame.finish(&[]);
    assert!(!frame.is_changed());
    frame.set_pose(&[(Vec3::X, Quat::IDENTITY, Vec3::ONE)]);
    frame.finish(&[]);
    assert!(frame.is_changed());
    frame.finish(&[]);
    assert!(!frame.is_changed(), "nobody has written since");
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
        let context = nebula_animation::ProceduralContext {
            dt: 1.0 / 60.0,
            elapsed: character.elapsed() as f32,
            entity_position: place,
            entity_forward: Vec3::Z,
            velocity: Vec3::Z * 0.6,
        };
        let model = nebula_animation::ModelPose::new(&rig, &mut pose, around.world_from_model).within(&around);
        stack.apply_in_model(&context, &mut model.showing(frame.shown(), &library));
        frame.set_pose(&pose);
        frame.finish(&[]);
        assert_eq!(frame.palette(), character.palette(), "frame {number}");
    }
}

#[test]
fn local_poses_are_read_in_any_order_and_palettes_are_made_where_wanted() {
    for (skeleton, clips) in generated() {
        let library = AnimationClipLibrary::new(&Rig::new(&skeleton), &clips);
        let (mut all, mut bare) = (Character::of(library.clone()), Character::of(library));
        bare.want_palette(false);
        for character in [&mut all, &mut bare] {
            character.mixer.play(0, 0.0).expect("a clip");
            (0..5).for_each(|_| character.update(0.05, &Surroundings::default()));
        }
        let count = all.rig().joint_count() as u16;
        let locals = bare.frame().locals();
        locals.prefetch();
        for joint in (0..count).rev() {
            assert_eq!(locals.get(joint), Some(all.frame().local(joint)));
        }
        assert_eq!((locals.get(count), locals.get(u16::MAX)), (None, None));
        assert_eq!((bare.palette().len(), all.palette().len()), (0, usize::from(count)));
        // Whoever changes its mind has it with the next frame, though nothing moves.
        bare.want_palette(true);
        bare.update(0.0, &Surroundings::default());
        assert_eq!(bare.palette(), all.palette());
    }
}
