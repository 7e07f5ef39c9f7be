//! Compressed clips keep their bound, by a hierarchy in double precision that shares no code with the library.

mod company;
mod kinds;
mod parts;

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{Mat4, Quat, Vec3};
use nebula_animation::compile::{CompiledClip, Isa, TrackPath, Uncompressed};
use nebula_animation::palette::{Evaluator, PaletteRows};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, Asset, Channel, Compression, Interpolation, JointPose, Keyframe, Rig,
    Skeleton, load_skeleton_and_clips, sample_pose,
};

use crate::determinism::{corpus, gltf_files};

/// Rows of a matrix: rotation and scale, then the position.
type Placed = [[f64; 4]; 3];

fn placed(pose: &JointPose, above: Option<&Placed>) -> Placed {
    let [x, y, z, w] = pose.1.to_array().map(f64::from);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    let [x, y, z, w] = [x / length, y / length, z / length, w / length];
    let (t, s) = (pose.0.to_array().map(f64::from), pose.2.to_array().map(f64::from));
    let own = [
        [(1.0 - 2.0 * (y * y + z * z)) * s[0], 2.0 * (x * y - z * w) * s[1], 2.0 * (x * z + y * w) * s[2], t[0]],
        [2.0 * (x * y + z * w) * s[0], (1.0 - 2.0 * (x * x + z * z)) * s[1], 2.0 * (y * z - x * w) * s[2], t[1]],
        [2.0 * (x * z - y * w) * s[0], 2.0 * (y * z + x * w) * s[1], (1.0 - 2.0 * (x * x + y * y)) * s[2], t[2]],
    ];
    let Some(above) = above else { return own };
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let sum: f64 = (0..3).map(|inner| above[row][inner] * own[inner][column]).sum();
            sum + if column == 3 { above[row][3] } else { 0.0 }
        })
    })
}

/// The largest distance of points 3 cm from each joint in two poses.
fn apart(skeleton: &Skeleton, a: &[JointPose], b: &[JointPose]) -> f64 {
    let mut both: Vec<[Placed; 2]> = Vec::new();
    let mut worst = 0.0_f64;
    for (joint, (a, b)) in skeleton.joints.iter().zip(a.iter().zip(b)) {
        let above = joint.parent.map(|parent| both[usize::from(parent)]);
        let [a, b] =
            [placed(a, above.as_ref().map(|above| &above[0])), placed(b, above.as_ref().map(|above| &above[1]))];
        for axis in 0..3 {
            let length = (0..3).map(|row| a[row][axis] * a[row][axis]).sum::<f64>().sqrt();
            let reach = if length > 1e-9 { 0.03 / length } else { 0.0 };
            let off = |row: usize| a[row][3] - b[row][3] + reach * (a[row][axis] - b[row][axis]);
            worst = worst.max((0..3).map(|row| off(row) * off(row)).sum::<f64>().sqrt());
        }
        both.push([a, b]);
    }
    worst
}

fn key_times(clip: &AnimationClip) -> Vec<f32> {
    let mut times: Vec<f32> = Vec::new();
    times.extend(clip.rotation_channels.iter().flat_map(|channel| channel.keyframes.iter().map(|key| key.time)));
    times.extend(clip.translation_channels.iter().flat_map(|channel| channel.keyframes.iter().map(|key| key.time)));
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

/// The largest error of a compiled clip at the keys of the authored one.
fn worst(rig: &Rig, compiled: &CompiledClip, clip: &AnimationClip) -> f64 {
    worst_at(rig, compiled, clip, &key_times(clip))
}

/// The same between keys: half way, and elsewhere.
fn worst_between(rig: &Rig, compiled: &CompiledClip, clip: &AnimationClip) -> f64 {
    let keys = key_times(clip);
    let between = |pair: &[f32]| [0.21, 0.5, 0.83].map(|part| pair[0] + (pair[1] - pair[0]) * part);
    worst_at(rig, compiled, clip, &keys.windows(2).flat_map(between).collect::<Vec<f32>>())
}

fn worst_at(rig: &Rig, compiled: &CompiledClip, clip: &AnimationClip, times: &[f32]) -> f64 {
    let skeleton = rig.skeleton();
    let (mut plain, mut fast) = (skeleton.bind_pose(), skeleton.bind_pose());
    let mut evaluator = Evaluator::new();
    let errors = times.iter().map(|&time| {
        sample_pose(clip, skeleton, time, &mut plain);
        evaluator.pose(rig, compiled, time, &mut fast);
        apart(skeleton, &plain, &fast)
    });
    errors.fold(0.0, f64::max)
}

fn humanoid() -> (Skeleton, Vec<AnimationClip>) {
    load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref()).expect("the humanoid")
}

#[test]
fn clips_of_the_humanoid_keep_their_bound_and_are_small() {
    let (skeleton, clips) = humanoid();
    let rig = Rig::new(skeleton);
    for error in [1e-4, 1e-3] {
        let compression = Compression { error, ..Compression::default() };
        let (mut small, mut large) = (0, 0);
        for clip in &clips {
            for compiled in [
                CompiledClip::compressed(&rig, clip, &compression),
                CompiledClip::compressed_for_palettes(&rig, clip, &compression),
            ] {
                let worst = worst(&rig, &compiled, clip);
                assert!(worst <= f64::from(error), "{}: {worst} of {error}", clip.name);
                let between = worst_between(&rig, &compiled, clip);
                assert!(between <= 1.05 * f64::from(error), "{}: {between} of {error} between keys", clip.name);
                small += compiled.report().bytes;
            }
            large += 2 * CompiledClip::new(&rig, clip).report().bytes;
        }
        assert!(small * 2 < large, "{small} bytes of {large}");
    }
}

#[test]
fn clips_of_others_keep_their_bound() {
    let Some(folder) = corpus("clips_of_others_keep_their_bound") else { return };
    let mut files = gltf_files(&folder.join("characters"));
    files.extend(gltf_files(&folder.join("conformance/assets")));
    let (next, packed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, std::num::NonZero::get) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    packed.fetch_add(keeps_its_bounds(file), Ordering::Relaxed);
                }
            });
        }
    });
    let packed = packed.into_inner();
    assert!(packed > 150, "only {packed} clips are packed");
}

/// Checks all clips of a file, and counts those that are packed.
fn keeps_its_bounds(file: &std::path::Path) -> usize {
    let Ok(asset) = Asset::load(file) else { return 0 };
    let rig = asset.rig();
    let mut packed = 0;
    for clip in &asset.clips() {
        let compiled = CompiledClip::compressed(&rig, clip, &Compression::default());
        packed += usize::from(compiled.is_compressed());
        // What is kept as it is differs by the rounding of its numbers, which may be large.
        let as_it_is = CompiledClip::new(&rig, clip);
        let plain = worst(&rig, &as_it_is, clip);
        let off = worst(&rig, &compiled, clip);
        assert!(off <= 1e-4_f64.max(plain), "{}, {}: {off}, {plain} as it is", file.display(), clip.name);
        let plain = worst_between(&rig, &as_it_is, clip);
        let off = worst_between(&rig, &compiled, clip);
        let limit = 1.1e-4_f64.max(2.0 * plain);
        assert!(off <= limit, "{}, {}: {off}, {plain} as it is, between keys", file.display(), clip.name);
    }
    packed
}

#[test]
fn every_instruction_set_decodes_the_same_bits_in_any_order_of_times() {
    let (skeleton, clips) = humanoid();
    let rig = Rig::new(skeleton);
    let clip = CompiledClip::compressed_for_palettes(&rig, &clips[0], &Compression::default());
    assert!(clip.is_compressed());
    let times: Vec<f32> = (0..97).map(|step| (step as f32 * 0.618_034).fract() * clip.duration()).collect();
    let bits = |isa: Isa, times: &[f32]| -> Vec<Vec<u32>> {
        let mut evaluator = Evaluator::with_isa(isa);
        let mut rows = vec![PaletteRows::IDENTITY; rig.joint_count()];
        let of_time = |time: &f32| {
            evaluator.palette_rows(&rig, &clip, *time, &mut rows);
            rows.iter().flat_map(|rows| rows.0.as_flattened()).map(|number| number.to_bits()).collect()
        };
        times.iter().map(of_time).collect()
    };
    let best = bits(Isa::best(), &times);
    for isa in [Isa::Scalar, Isa::Sse2, Isa::Avx2, Isa::Avx512, Isa::Neon, Isa::Simd128] {
        assert_eq!(bits(isa, &times), best, "{isa}");
    }
    let backwards: Vec<f32> = times.iter().rev().copied().collect();
    let mut found = bits(Isa::best(), &backwards);
    found.reverse();
    assert_eq!(found, best, "no time depends on the one before");
    let again = CompiledClip::compressed_for_palettes(&rig, &clips[0], &Compression::default());
    assert_eq!(again, clip, "compressing twice gives the same");
}

/// A joint at the end of three that turn by a path of their own.
fn wave(interpolation: Interpolation) -> (Skeleton, AnimationClip) {
    let joint = |index: u16| nebula_animation::Joint {
        index,
        parent: index.checked_sub(1),
        inverse_bind_matrix: Mat4::from_translation(Vec3::NEG_Y * 0.3 * f32::from(index)),
        name: format!("joint {index}"),
        bind_translation: if index == 0 { Vec3::ZERO } else { Vec3::Y * 0.3 },
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    };
    let channel = |joint_index: u16| Channel {
        joint_index,
        interpolation,
        keyframes: (0..61)
            .map(|key| {
                let time = key as f32 / 30.0;
                let value = Quat::from_rotation_z((time * 3.0 + f32::from(joint_index)).sin() * 0.8)
                    * Quat::from_rotation_x(time * 2.0);
                let none = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
                Keyframe {
                    time,
                    value,
                    tangents: (interpolation == Interpolation::CubicSpline).then_some((none, none)),
                }
            })
            .collect(),
    };
    let clip = AnimationClip {
        name: "wave".into(),
        duration: 2.0,
        rotation_channels: (0..3).map(channel).collect(),
        ..AnimationClip::default()
    };
    (Skeleton { joints: (0..3).map(joint).collect() }, clip)
}

#[test]
fn turns_of_any_size_are_packed_and_steps_and_splines_are_kept() {
    for interpolation in [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline] {
        let (skeleton, clip) = wave(interpolation);
        let rig = Rig::new(skeleton);
        let compiled = CompiledClip::compressed(&rig, &clip, &Compression::default());
        let is_packed = compiled.report().groups.iter().any(|group| group.path == TrackPath::Compressed);
        assert_eq!(is_packed, interpolation == Interpolation::Linear, "{interpolation:?}");
        assert!(worst(&rig, &compiled, &clip) <= 1e-4, "{interpolation:?}");
        if !is_packed {
            assert_eq!(compiled.report().uncompressed, Some(Uncompressed::Uneven), "{interpolation:?}");
            assert_eq!(compiled.report().bytes, CompiledClip::new(&rig, &clip).report().bytes);
        }
    }
}

#[test]
fn a_bound_that_no_clip_can_keep_leaves_clips_as_they_are() {
    let (skeleton, clip) = wave(Interpolation::Linear);
    let rig = Rig::new(skeleton);
    for error in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let compression = Compression { error, ..Compression::default() };
        let compiled = CompiledClip::compressed(&rig, &clip, &compression);
        assert_eq!(
            (compiled.is_compressed(), compiled.report().uncompressed),
            (false, Some(Uncompressed::Bound)),
            "{error}"
        );
    }
}

/// Whoever counted on the memory is told why a clip keeps it; what stands still has nothing to gain.
#[test]
fn clips_that_are_not_compressed_say_why() {
    let (skeleton, moving) = wave(Interpolation::Linear);
    let rig = Rig::new(skeleton);
    let why =
        |clip: &AnimationClip| CompiledClip::compressed(&rig, clip, &Compression::default()).report().uncompressed;
    assert_eq!(why(&moving), None);
    let mut still = moving.clone();
    for channel in &mut still.rotation_channels {
        let first = channel.keyframes[0].value;
        channel.keyframes.iter_mut().for_each(|key| key.value = first);
    }
    assert_eq!(why(&still), Some(Uncompressed::NoGain));
    // Every key at a time of its own.
    let mut uneven = moving.clone();
    for channel in &mut uneven.rotation_channels {
        channel.keyframes.iter_mut().for_each(|key| key.time = key.time.powf(1.37));
    }
    assert_eq!(why(&uneven), Some(Uncompressed::Uneven));
    // Keys a second apart but for the first two: a grid of four samples a key.
    let mut long = moving;
    long.rotation_channels.truncate(1);
    let key = |number: u32| {
        let time = if number == 1 { 0.25 } else { number as f32 };
        Keyframe { time, value: Quat::from_rotation_x(time * 0.1), tangents: None }
    };
    long.rotation_channels[0].keyframes = (0..850_000).map(key).collect();
    assert_eq!(why(&long), Some(Uncompressed::TooLong));
}

#[test]
fn errors_are_those_of_the_reference() {
    let (skeleton, clips) = humanoid();
    let rig = Rig::new(skeleton);
    let compression = Compression::default();
    for clip in &clips[..3] {
        let compiled = CompiledClip::compressed(&rig, clip, &compression);
        let told = compiled.errors(&rig, clip, &compression);
        let found = worst(&rig, &compiled, clip);
        assert!((told.largest - found).abs() < 2e-6, "{}: told {}, found {found}", clip.name, told.largest);
        assert!(told.percentile_99 <= told.largest && told.samples > 1);
    }
}

#[test]
fn libraries_hold_compressed_clips_with_all_that_belongs_to_them() {
    let (skeleton, clips) = humanoid();
    let rig = Rig::new(skeleton);
    let plain = AnimationClipLibrary::new(&rig, &clips);
    let small = AnimationClipLibrary::compressed(&rig, &clips, &Compression::default());
    assert!(small.bytes() * 2 < plain.bytes());
    assert_eq!(small.len(), plain.len());
    for (index, clip) in clips.iter().enumerate() {
        assert!(worst(&rig, &small[index], clip) <= 1e-4, "{}", clip.name);
        assert_eq!(small[index].contacts().is_some(), plain[index].contacts().is_some(), "{}", clip.name);
        let (a, b) = (small[index].velocity(), plain[index].velocity());
        assert!((a - b).length() < 0.02, "{}: {a} instead of {b}", clip.name);
    }
}
