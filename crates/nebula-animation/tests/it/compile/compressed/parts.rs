//! What belongs to clips, and what is said of them, is compressed with them: bases, distances, ways of roots.

use nebula_animation::compile::CompiledClip;
use nebula_animation::palette::Evaluator;
use nebula_animation::{AnimationClipLibrary, Compression, JointPose, Keyframe, LibraryOptions, Rig, sample_pose};

use super::{apart, humanoid, key_times, worst};

/// A clip that is a difference is bounded where it is shown: on top of its base.
#[test]
fn additive_clips_keep_their_bound_on_their_base() {
    let (skeleton, clips) = humanoid();
    let rig = Rig::new(&skeleton);
    let mut base = skeleton.bind_pose();
    sample_pose(&clips[2], &skeleton, 0.4, &mut base);
    // The differences of a clip to the rest pose: translations are added, rotations come before those of the base.
    let rest = skeleton.bind_pose();
    let mut clip = clips[0].clone();
    for channel in &mut clip.rotation_channels {
        let from = rest[usize::from(channel.joint_index)].1.inverse();
        channel.keyframes.iter_mut().for_each(|key| key.value = unit(key.value * from));
    }
    for channel in &mut clip.translation_channels {
        let from = rest[usize::from(channel.joint_index)].0;
        channel.keyframes.iter_mut().for_each(|key| key.value -= from);
    }
    let on_base = |pose: &[JointPose]| -> Vec<JointPose> {
        pose.iter().zip(&base).map(|(own, base)| (base.0 + own.0, own.1 * base.1, base.2 * own.2)).collect()
    };
    let compression = Compression { base: Some(base.clone()), ..Compression::default() };
    let compiled = CompiledClip::compressed(&rig, &clip, &compression);
    assert!(compiled.is_compressed());
    let (mut plain, mut fast) = (skeleton.bind_pose(), skeleton.bind_pose());
    let mut evaluator = Evaluator::new();
    for time in key_times(&clip) {
        sample_pose(&clip, &skeleton, time, &mut plain);
        evaluator.pose(&rig, &compiled, time, &mut fast);
        let off = apart(&skeleton, &on_base(&plain), &on_base(&fast));
        assert!(off <= 1e-4, "{off} at {time}");
    }
}

/// A library of plain clips and additive ones bounds each on its own base.
#[test]
fn libraries_have_bases_clip_by_clip() {
    let (skeleton, clips) = humanoid();
    let rig = Rig::new(&skeleton);
    let mut far = skeleton.bind_pose();
    // Stretched arms, on which the same rotations carry points ten times as far.
    far.iter_mut().for_each(|joint| joint.0 *= 10.0);
    let compression = Compression::default();
    let own = Compression { base: Some(far.clone()), ..compression.clone() };
    let alone = [&compression, &own].map(|compression| CompiledClip::compressed(&rig, &clips[2], compression));
    assert_ne!(alone[0].report().bytes, alone[1].report().bytes);
    let options =
        LibraryOptions { compression: Some(compression), additive_bases: vec![(1, far)], ..LibraryOptions::default() };
    let library = AnimationClipLibrary::with_options(&rig, &[clips[2].clone(), clips[2].clone()], options);
    for (clip, alone) in library.iter().zip(&alone) {
        assert_eq!(**clip, *alone);
    }
}

#[test]
fn distances_of_single_joints_are_kept() {
    let (skeleton, clips) = humanoid();
    let rig = Rig::new(&skeleton);
    let far: Vec<f32> = skeleton.joints.iter().map(|joint| if joint.index % 2 == 0 { 0.5 } else { 0.03 }).collect();
    let compression = Compression { distances: far, ..Compression::default() };
    let far = CompiledClip::compressed(&rig, &clips[0], &compression);
    let near = CompiledClip::compressed(&rig, &clips[0], &Compression::default());
    assert!(far.errors(&rig, &clips[0], &compression).largest <= 1e-4);
    assert!(near.errors(&rig, &clips[0], &compression).largest > 1e-4, "half a metre away it is not promised");
    assert!(far.report().bytes > near.report().bytes);
}

/// The way of a root is off by no more than the bound, and has fewer keys.
#[test]
fn ways_of_roots_keep_the_bound() {
    let (skeleton, clips) = humanoid();
    let rig = Rig::new(skeleton);
    let root_motion = Some(nebula_animation::compile::RootMotionOptions::default());
    let plain = LibraryOptions { root_motion, ..LibraryOptions::default() };
    let small = LibraryOptions { compression: Some(Compression::default()), ..plain.clone() };
    let [plain, small] = [plain, small].map(|options| AnimationClipLibrary::with_options(&rig, &clips, options));
    for (plain, small) in plain.iter().zip(small.iter()) {
        let (Some(long), Some(short)) = (plain.root(), small.root()) else { panic!("{}", plain.name()) };
        for step in 0..=200 {
            let time = f64::from(plain.duration()) * f64::from(step) / 200.0;
            let (a, b) = (long.place(time), short.place(time));
            let off = a.translation.distance(b.translation);
            assert!(off <= 1e-4 && (a.yaw - b.yaw).abs() <= 1e-4, "{} at {time}: {off}", plain.name());
        }
    }
}

fn unit(rotation: glam::Quat) -> glam::Quat {
    rotation * rotation.length_recip()
}

/// Tools write times with few digits. The error counts at the times that were written, not where an even grid would have them.
#[test]
fn keys_a_little_off_the_grid_keep_the_bound_where_they_are() {
    let (skeleton, clips) = humanoid();
    let rig = Rig::new(&skeleton);
    for digits in [1e3, 1e4, 1e5] {
        for clip in &clips {
            let mut clip = clip.clone();
            let rounded = |time: f32| ((f64::from(time) * digits).round() / digits) as f32;
            // Ten times as fast, so that a little time is a long way.
            let quick = |key: usize| rounded(key as f32 / 240.0);
            for channel in &mut clip.rotation_channels {
                channel.keyframes.iter_mut().enumerate().for_each(|(index, key)| key.time = quick(index));
            }
            for channel in &mut clip.translation_channels {
                channel.keyframes.iter_mut().enumerate().for_each(|(index, key)| key.time = quick(index));
            }
            let compression = Compression::default();
            let compiled = CompiledClip::compressed(&rig, &clip, &compression);
            let off = worst(&rig, &compiled, &clip);
            assert!(off <= 1e-4, "{}: {off} m, times rounded to {}", clip.name, 1.0 / digits);
            let told = compiled.errors(&rig, &clip, &compression);
            // What is kept as it is is off by its last bits only.
            assert!(told.largest >= 0.9 * off || off < 1e-6, "{}: {off} m is told as {told:?}", clip.name);
        }
    }
}

/// Between two keys there is one half way, and it counts.
#[test]
fn clips_of_two_keys_are_looked_at_half_way() {
    let (skeleton, clips) = humanoid();
    let rig = Rig::new(&skeleton);
    let mut clip = clips[0].clone();
    clip.scale_channels.clear();
    for channel in &mut clip.rotation_channels {
        let (first, middle) = (channel.keyframes[0].clone(), channel.keyframes[channel.keyframes.len() / 2].clone());
        channel.keyframes = vec![Keyframe { time: 0.0, ..first }, Keyframe { time: 1.0, ..middle }];
    }
    for channel in &mut clip.translation_channels {
        let (first, middle) = (channel.keyframes[0].clone(), channel.keyframes[channel.keyframes.len() / 2].clone());
        channel.keyframes = vec![Keyframe { time: 0.0, ..first }, Keyframe { time: 1.0, ..middle }];
    }
    let compression = Compression::default();
    let compiled = CompiledClip::compressed(&rig, &clip, &compression);
    let [_, between] = compiled.all_errors(&rig, &clip, &compression);
    assert_eq!(between.len(), skeleton.joints.len());
    assert!(between.iter().all(|error| *error <= 1e-4), "{between:?}");
}
