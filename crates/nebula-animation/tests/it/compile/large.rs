//! The largest skeleton that indices can name, through every stage.

use glam::{Affine3A, Vec3};
use nebula_animation::{
    AnimationClipLibrary, AnimationMixer, AnimationPlayer, BreathingLayer, Character, Crowd, ModelPose,
    ProceduralAnimationStack, ProceduralContext, Rig, Skeleton, Surroundings,
    compile::CompiledClip,
    compute_world_matrices,
    palette::{Evaluator, PaletteRows},
    player::advance_and_sample,
};

use crate::player::rig::{chain, slide};

const MOST: u16 = u16::MAX;

/// All joints in one chain, and all below one root.
fn shapes() -> [Skeleton; 2] {
    let mut flat = chain(MOST);
    flat.joints.iter_mut().skip(1).for_each(|joint| joint.parent = Some(0));
    [chain(MOST), flat]
}

#[test]
fn sixty_five_thousand_joints_go_through_every_stage() {
    for skeleton in shapes() {
        let last = MOST - 1;
        let clip = slide(last, 1.0);
        let rig = Rig::new(&skeleton);
        assert_eq!(rig.joint_count(), usize::from(MOST));
        let compiled = CompiledClip::for_palettes(&rig, &clip);
        let mut rows = vec![PaletteRows::IDENTITY; usize::from(MOST)];
        Evaluator::new().palette_rows(&rig, &compiled, 0.5, &mut rows);
        assert!(rows.iter().all(|rows| rows.to_matrix().is_finite()));

        let library = AnimationClipLibrary::new(&rig, std::slice::from_ref(&clip));
        let mut player = AnimationPlayer::new(0, 1.0, 0);
        advance_and_sample(&mut player, &rig, &library, 0.25);
        compute_world_matrices(&mut player, &rig);
        assert_eq!(player.local_poses[usize::from(last)].0, Vec3::new(0.25, 0.0, 0.0));
        assert!(player.joint_matrices.iter().all(|matrix| matrix.is_finite()));

        let mut character = Character::of(library.clone());
        assert!(character.mixer.play(0, 0.1).is_ok());
        character.update(0.25, &Surroundings::default());
        assert_eq!(character.frame().local(last).0, Vec3::new(0.25, 0.0, 0.0));
        assert!(character.palette().iter().all(|matrix| matrix.is_finite()));

        let mut mixer = AnimationMixer::new(library);
        assert!(mixer.play(0, 0.1).is_ok());
        mixer.update(0.25);
        let mut pose = skeleton.bind_pose();
        mixer.write_pose(&mut pose);
        assert_eq!(pose[usize::from(last)].0, Vec3::new(0.25, 0.0, 0.0));

        let mut stack = ProceduralAnimationStack::default();
        stack.push(BreathingLayer::new(0));
        stack.push(BreathingLayer::new(last));
        let context = ProceduralContext {
            dt: 0.1,
            elapsed: 1.0,
            entity_position: Vec3::ZERO,
            entity_forward: Vec3::NEG_Z,
            velocity: Vec3::ZERO,
        };
        stack.apply_in_model(&context, &mut ModelPose::new(&rig, &mut pose, Affine3A::IDENTITY));
        assert!(pose.iter().all(|pose| pose.0.is_finite() && pose.1.is_finite() && pose.2.is_finite()));

        let mut crowd = Crowd::new();
        let library = AnimationClipLibrary::new(&rig, std::slice::from_ref(&clip));
        let clip = crowd.add_clip(&library, library.ids().next().expect("a clip")).expect("its own library");
        for _ in 0..9 {
            crowd.spawn(clip).expect("its own clip");
        }
        crowd.update(0.25);
        assert_eq!(crowd.palettes().len(), 9 * usize::from(MOST));
        assert!(crowd.palettes().iter().all(|rows| rows.to_matrix().is_finite()));
    }
}

/// What no index can name is left out, and the rest goes on.
#[test]
fn joints_beyond_the_last_index_are_left_out() {
    let mut skeleton = chain(MOST);
    skeleton.joints.extend(chain(9).joints);
    let rig = Rig::new(&skeleton);
    assert_eq!(rig.joint_count(), usize::from(MOST));
    let compiled = CompiledClip::new(&rig, &slide(MOST, 1.0));
    let mut pose = skeleton.bind_pose();
    Evaluator::new().pose(&rig, &compiled, 0.5, &mut pose);
    let mut player = AnimationPlayer::new(0, 1.0, 0);
    advance_and_sample(&mut player, &skeleton, &[slide(0, 1.0)], 0.5);
    compute_world_matrices(&mut player, &skeleton);
    assert_eq!(player.joint_matrices.len(), skeleton.joints.len());
    let mut character = Character::new(skeleton, &[slide(0, 1.0)]);
    character.update(0.5, &Surroundings::default());
    assert_eq!(character.palette().len(), usize::from(MOST));
}
