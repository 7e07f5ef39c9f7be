//! Morph weights of clips: targets of the same name do the same, whatever mesh they are of and whichever place they have in it.

use glam::Vec3;
use nebula_animation::clip::{MorphLayout, MorphMesh};
use nebula_animation::rig::RigOptions;
use nebula_animation::sample::sample_morph_weights;
use nebula_animation::{AnimationClip, Interpolation, Joint, Retarget, Rig, Skeleton};

fn face(meshes: &[(&str, &[&str])]) -> std::sync::Arc<Rig> {
    let mut first_slot = 0;
    let mut layout = MorphLayout::default();
    for (node, (name, targets)) in meshes.iter().enumerate() {
        let mesh = MorphMesh {
            node,
            name: (*name).into(),
            first_slot,
            target_names: targets.iter().map(|name| (*name).into()).collect(),
            weights: vec![0.25; targets.len()],
        };
        first_slot = mesh.slots().end.next_multiple_of(3);
        layout.meshes.push(mesh);
    }
    let head = Joint {
        index: 0,
        parent: None,
        inverse_bind_matrix: glam::Mat4::IDENTITY,
        name: "head".into(),
        bind_translation: Vec3::ZERO,
        bind_rotation: glam::Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    };
    Rig::with_options(Skeleton { joints: vec![head] }, RigOptions { morphs: layout, ..RigOptions::default() })
}

#[test]
fn weights_go_to_targets_of_the_same_name() {
    let source = face(&[("face", &["Smile", "Angry", "Blink", "Cheeks"]), ("teeth", &["Smile"])]);
    let target = face(&[("body", &["blink", "sneer", "cheeks", "other", "smile"]), ("teeth", &["smile"])]);
    let retarget = Retarget::new(&source, &target).expect("both have a head");
    assert_eq!(retarget.report().morphs, ["Smile", "Blink", "Cheeks"]);
    assert_eq!(retarget.report().missing_morphs, ["Angry"]);

    let mut clip = AnimationClip { name: "talk".into(), ..AnimationClip::default() };
    let faces = [0.0, 0.1, 0.2, 0.3, 1.0, 0.9, 0.8, 0.7];
    clip.set_morph_weights(0, Interpolation::Linear, &[0.0, 1.0], &faces, 4).expect("keys");
    clip.set_morph_weights(6, Interpolation::Step, &[0.0, 0.5], &[0.5, 0.75], 1).expect("keys");
    let made = retarget.clip(&clip);
    assert_eq!(made.duration, 1.0);
    let weights = |time: f32| {
        let mut weights = [0.0; 9];
        sample_morph_weights(&made, &target.morphs().defaults(), time, &mut weights);
        weights
    };
    // Blink, what the source lacks at its default, cheeks, the same, smile; and that of the teeth, from the mesh of that name.
    let near = |found: [f32; 9], expected: [f32; 7]| {
        let found = [0, 1, 2, 3, 4, 6, 7].map(|slot| found[slot]);
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {expected:?}");
    };
    near(weights(0.0), [0.2, 0.25, 0.3, 0.25, 0.0, 0.5, 0.0]);
    near(weights(0.75), [0.65, 0.25, 0.6, 0.25, 0.75, 0.75, 0.0]);
}

#[test]
fn keys_of_other_times_and_cubic_ones_are_carried_too() {
    let source = face(&[("a", &["one"]), ("b", &["two"])]);
    let target = face(&[("c", &["two", "one"])]);
    let retarget = Retarget::new(&source, &target).expect("both have a head");
    let mut clip = AnimationClip { name: "talk".into(), ..AnimationClip::default() };
    clip.set_morph_weights(0, Interpolation::CubicSpline, &[0.0, 1.0], &[0.0, 0.0, 1.0, 0.0, 1.0, 0.0], 1)
        .expect("keys");
    let compare = |clip: &AnimationClip| {
        let made = retarget.clip(clip);
        for step in 0..=60_u8 {
            let time = f32::from(step) / 60.0;
            let (mut own, mut others) = ([0.0; 6], [0.0; 3]);
            sample_morph_weights(clip, &source.morphs().defaults(), time, &mut own);
            sample_morph_weights(&made, &target.morphs().defaults(), time, &mut others);
            assert!(
                (own[0] - others[1]).abs() < 1e-5 && (own[3] - others[0]).abs() < 1e-5,
                "{time}: {own:?} {others:?}"
            );
        }
        made
    };
    let alone = compare(&clip);
    assert!(alone.morph_channels().all(|(_, channel)| channel.interpolation == Interpolation::CubicSpline));
    clip.set_morph_weights(3, Interpolation::Linear, &[0.0, 0.25], &[0.0, 1.0], 1).expect("keys");
    compare(&clip);
}
