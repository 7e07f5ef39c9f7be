//! Clips of every kind: loops, faces, differences, and channels that step or are splines beside packed ones.

use glam::Quat;
use nebula_animation::clip::MorphLayout;
use nebula_animation::compile::CompiledClip;
use nebula_animation::mixer::BlendMode;
use nebula_animation::palette::Evaluator;
use nebula_animation::rig::RigOptions;
use nebula_animation::sample::{additive_clip, sample_morph_weights};
use nebula_animation::{
    AnimationClipLibrary, Channel, Character, Compression, Interpolation, Keyframe, LibraryOptions, Rig, Surroundings,
};

use super::{apart, humanoid, wave, worst_at};

/// A loop that repeats jerks by as much as its end is beside its beginning: not by twice the bound, which two poses might be off by.
#[test]
fn loops_stay_seamless() {
    let (skeleton, clips) = humanoid();
    let rig = Rig::new(&skeleton);
    let mut evaluator = Evaluator::new();
    let mut ends = |clip: &CompiledClip| {
        let [first, last] = [0.0, clip.duration()].map(|time| {
            let mut pose = skeleton.bind_pose();
            evaluator.pose(&rig, clip, time, &mut pose);
            pose
        });
        apart(&skeleton, &first, &last)
    };
    let mut loops = 0;
    for error in [1e-4_f32, 1e-3, 1e-2] {
        for clip in &clips {
            if ends(&CompiledClip::new(&rig, clip)) > 1e-6 {
                continue;
            }
            let compression = Compression { error, ..Compression::default() };
            for compiled in [
                CompiledClip::compressed(&rig, clip, &compression),
                CompiledClip::compressed_for_palettes(&rig, clip, &compression),
            ] {
                loops += usize::from(compiled.is_compressed());
                let seam = ends(&compiled);
                println!("{}: {seam} of {error}", clip.name);
                assert!(seam <= f64::from(error), "{}: {seam} of {error}", clip.name);
            }
        }
    }
    assert!(loops > 20, "only {loops} loops");
}

/// Faces are off by the bound of their own, at their keys and between them, in both forms.
#[test]
fn morph_weights_keep_a_bound_of_their_own() {
    let (skeleton, mut clips) = humanoid();
    let mut clip = clips.swap_remove(0);
    let longest = clip.rotation_channels.iter().max_by_key(|channel| channel.keyframes.len()).expect("a channel");
    let times: Vec<f32> = longest.keyframes.iter().map(|key| key.time).collect();
    let weights = |time: &f32| [3.0, 4.0, 5.0, 6.0, 7.0].map(|speed| 0.5 + 0.5 * (time * speed).sin());
    let values: Vec<f32> = times.iter().flat_map(weights).collect();
    clip.set_morph_weights(0, Interpolation::Linear, &times, &values, 5).expect("as many as there are to be");
    let options = RigOptions { morphs: MorphLayout::of_clips(std::slice::from_ref(&clip)), ..RigOptions::default() };
    let rig = Rig::with_options(&skeleton, options);
    let mut sizes = Vec::new();
    for weight_error in [0.0005, 0.01] {
        let compression = Compression { weight_error, ..Compression::default() };
        for compiled in [
            CompiledClip::compressed(&rig, &clip, &compression),
            CompiledClip::compressed_for_palettes(&rig, &clip, &compression),
        ] {
            assert!(compiled.is_compressed());
            let rest = vec![0.0; rig.morphs().slot_count()];
            let (mut is, mut should) = (rest.clone(), rest.clone());
            let mut worst = 0.0_f32;
            for step in 0..=600_u16 {
                let time = f32::from(step) / 600.0 * clip.duration;
                compiled.morph_weights(&rig, time, &mut is);
                sample_morph_weights(&clip, &rest, time, &mut should);
                let off = is.iter().zip(&should).map(|(a, b)| (a - b).abs());
                worst = off.fold(worst, f32::max);
            }
            assert!(worst <= weight_error, "{worst} of {weight_error}");
            assert!(worst > 0.3 * weight_error, "{worst} of {weight_error}, as if nothing had been rounded");
            sizes.push(compiled.report().bytes);
        }
    }
    assert!(sizes[2] < sizes[0] && sizes[3] < sizes[1], "{sizes:?}: coarser faces take less");
}

/// What steps, and what is a spline, keeps every bit beside joints that are packed, with keys wherever they are; and the bound holds at any
/// time.
#[test]
fn steps_and_splines_beside_packed_joints_stay_exact() {
    for interpolation in [Interpolation::Step, Interpolation::CubicSpline] {
        let (skeleton, mut clip) = wave(Interpolation::Linear);
        let rig = Rig::new(skeleton);
        let tangent = Quat::from_xyzw(0.3, 0.1, -0.2, 0.05);
        let key = |index: u16| Keyframe {
            time: (f32::from(index) / 17.0).powf(1.3) * 2.0,
            value: Quat::from_rotation_y(f32::from(index * index)) * Quat::from_rotation_x(0.4),
            tangents: (interpolation == Interpolation::CubicSpline).then_some((tangent, -tangent)),
        };
        let keyframes: Vec<_> = (0..18).map(key).collect();
        clip.rotation_channels[1] = Channel { joint_index: 1, interpolation, keyframes };
        let compiled = CompiledClip::compressed(&rig, &clip, &Compression::default());
        assert!(compiled.is_compressed() && compiled.report().uncompressed.is_none(), "{interpolation:?}");
        let plain = CompiledClip::new(&rig, &clip);
        let times: Vec<f32> = (0..=2000_u16).map(|step| f32::from(step) / 1000.0).collect();
        let mut evaluator = Evaluator::new();
        let mut poses = [rig.skeleton().bind_pose(), rig.skeleton().bind_pose()];
        for &time in &times {
            for (form, pose) in [&plain, &compiled].into_iter().zip(&mut poses) {
                evaluator.pose(&rig, form, time, pose);
            }
            assert_eq!(poses[0][1], poses[1][1], "{interpolation:?} at {time}");
            assert_ne!(poses[0][0].1, poses[1][0].1, "the joint above is packed");
        }
        let off = worst_at(&rig, &compiled, &clip, &times);
        assert!(off <= 1.05e-4, "{interpolation:?}: {off}");
    }
}

/// A difference on an additive layer, as everyone makes and plays it: bounded where it is shown if its base is told, and only then.
#[test]
fn additive_layers_of_compressed_libraries_keep_the_bound() {
    let (skeleton, clips) = humanoid();
    let rig = Rig::new(&skeleton);
    let base = skeleton.bind_pose();
    let clip = additive_clip(&clips[2], &skeleton, &base);
    let compression = Some(Compression { error: 1e-3, ..Compression::default() });
    let told =
        LibraryOptions { compression: compression.clone(), additive_bases: vec![(0, base)], ..Default::default() };
    let untold = LibraryOptions { compression, ..LibraryOptions::default() };
    let worst = |options: LibraryOptions| {
        let plain = AnimationClipLibrary::new(&rig, std::slice::from_ref(&clip));
        let small = AnimationClipLibrary::with_options(&rig, std::slice::from_ref(&clip), options);
        assert!(small[0].is_compressed());
        let mut both = [plain, small].map(shown);
        let mut worst = 0.0_f64;
        for _ in 0..(30.0 * clip.duration) as u32 {
            let poses = both.each_mut().map(|hero| {
                hero.update(1.0 / 30.0, &Surroundings::default());
                (0..rig.joint_count() as u16).map(|joint| hero.frame().local(joint)).collect::<Vec<_>>()
            });
            worst = worst.max(apart(&skeleton, &poses[0], &poses[1]));
        }
        worst
    };
    let bounded = worst(told);
    assert!(bounded <= 1e-3 && bounded > 1e-4, "{bounded}");
    let lost = worst(untold);
    assert!(lost > 1e-3, "{lost}: on no base it would be bounded as well, and this test shows nothing");
}

/// A character that plays a clip on an additive layer, on top of the rest pose.
fn shown(library: AnimationClipLibrary) -> Character {
    let mut hero = Character::of(library);
    let layer = hero.mixer.add_layer("on top");
    hero.mixer.layer_mut(layer).expect("just added").mode = BlendMode::Additive;
    hero.mixer.play_on(layer, 0, 0.0).expect("a clip").looping = false;
    hero
}
