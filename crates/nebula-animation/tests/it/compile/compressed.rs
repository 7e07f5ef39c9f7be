//! Compressed clips keep their bound, by a hierarchy in double precision that shares no code with the library.

use glam::{Affine3A, Mat4, Quat, Vec3};
use nebula_animation::compile::{CompiledClip, Isa, TrackPath};
use nebula_animation::crowd::SecondClip;
use nebula_animation::palette::{Evaluator, PaletteRows};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, Asset, Channel, Character, Compression, Crowd, GroundPoint, GroundQuery,
    Interpolation, JointPose, Keyframe, Rig, Skeleton, Surroundings, load_skeleton_and_clips, sample_pose,
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
    let skeleton = rig.skeleton();
    let (mut plain, mut fast) = (skeleton.bind_pose(), skeleton.bind_pose());
    let mut evaluator = Evaluator::new();
    let errors = key_times(clip).into_iter().map(|time| {
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
    let mut packed = 0;
    for file in gltf_files(&folder.join("characters")).into_iter().chain(gltf_files(&folder.join("conformance/assets")))
    {
        let Ok(asset) = Asset::load(&file) else { continue };
        let rig = asset.rig();
        for clip in asset.clips().iter().take(12) {
            let compression = Compression::default();
            let compiled = CompiledClip::compressed(&rig, clip, &compression);
            packed += usize::from(compiled.is_compressed());
            // What is kept as it is differs by the rounding of its numbers, which may be large.
            let plain = worst(&rig, &CompiledClip::new(&rig, clip), clip);
            let worst = worst(&rig, &compiled, clip);
            assert!(worst <= 1e-4_f64.max(plain), "{}, {}: {worst}, {plain} as it is", file.display(), clip.name);
        }
    }
    assert!(packed > 50, "only {packed} clips are packed");
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
    for isa in [Isa::Scalar, Isa::Sse2, Isa::Avx2, Isa::Avx512, Isa::Neon] {
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
            assert_eq!(compiled, CompiledClip::new(&rig, &clip));
        }
    }
}

#[test]
fn a_bound_that_no_clip_can_keep_leaves_clips_as_they_are() {
    let (skeleton, clip) = wave(Interpolation::Linear);
    let rig = Rig::new(skeleton);
    for error in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let compression = Compression { error, ..Compression::default() };
        assert!(!CompiledClip::compressed(&rig, &clip, &compression).is_compressed(), "{error}");
    }
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

/// A hillside that goes up ahead.
struct Hill;

impl GroundQuery for Hill {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        Some(GroundPoint::new(0.1 * place.z, Vec3::new(0.0, 1.0, -0.1)))
    }
}

/// Whoever plays a compressed library with everything that a game has (a fade, a masked layer, a face, a gaze, feet on a hill) looks as with the plain
/// one, and so does a crowd.
#[test]
fn whatever_plays_clips_plays_compressed_ones() {
    let humanoid = std::path::PathBuf::from("test_assets/simple_humanoid.glb");
    let strangers = corpus("whatever_plays_clips_plays_compressed_ones").map_or_else(Vec::new, |folder| {
        ["robot-expressive.glb", "kaykit-knight.glb"].map(|file| folder.join("characters").join(file)).to_vec()
    });
    for file in [humanoid].into_iter().chain(strangers) {
        let asset = Asset::load(&file).expect("a character");
        let rig = asset.rig();
        let mut clips: Vec<AnimationClip> = asset.clips().to_vec();
        clips.truncate(14);
        clips.push(AnimationClip::of_morph_weight("frown", 0, &[(0.0, 0.0), (0.2, 1.0)]));
        let compression = Compression::default();
        let libraries =
            [AnimationClipLibrary::new(&rig, &clips), AnimationClipLibrary::compressed(&rig, &clips, &compression)];
        assert!(libraries[1].iter().any(|clip| clip.is_compressed()));
        let height = rig.joints.iter().map(|joint| rig.position(joint.index).y).fold(0.0, f32::max);
        let mut both = libraries.each_ref().map(|library| {
            let mut hero = Character::of(library.clone());
            hero.mixer.play(2, 0.0).expect("a clip");
            let arms = hero.mixer.add_masked_layer("arms", rig.upper_body().expect("a chest"));
            hero.mixer.play_on(arms, 1, 0.1).expect("a clip");
            let face = hero.mixer.add_masked_layer("face", rig.face());
            hero.mixer.play_on(face, "frown", 0.1).expect("a face").looping = false;
            hero.add_layer(rig.humanoid().aim(&rig, Vec3::new(1.0, 1.0, 9.0) * height).expect("a head"));
            hero.add_layer(rig.humanoid().foot_placement(&rig).expect("two legs"));
            hero
        });
        let mut sum = 0.0;
        for frame in 0_u16..180 {
            let z = 0.004 * height * f32::from(frame);
            let world_from_model = Affine3A::from_translation(Vec3::new(0.0, 0.1 * z, z));
            let around = Surroundings { world_from_model, ground: Some(&Hill), ..Default::default() };
            let frames = both.each_mut().map(|hero| {
                if frame == 60 {
                    hero.mixer.play(3, 0.3).expect("a clip");
                }
                hero.update(1.0 / 60.0, &around);
                hero.frame().clone()
            });
            let off = |joint: u16| {
                let [a, b] = frames.each_ref().map(|frame| frame.model_matrix(joint).w_axis.truncate());
                a.distance(b) / height
            };
            let worst = (0..rig.joint_count() as u16).map(off).fold(0.0, f32::max);
            // Between keys both go other ways, and a foot may land a frame apart.
            assert!(worst < 0.03, "{}, frame {frame}: {worst} of its height", file.display());
            sum += worst;
            let [plain, small] = frames.each_ref().map(|frame| frame.morph_weights());
            assert!(plain.iter().zip(small).all(|(a, b)| (a - b).abs() < 1e-3), "{plain:?}, {small:?}");
        }
        assert!(sum / 180.0 < 0.003, "{}: {} of its height on average", file.display(), sum / 180.0);
        let [plain, small] = libraries.each_ref().map(|library| {
            let mut crowd = Crowd::new();
            let clips =
                [1, 2].map(|clip| crowd.add_clip(library, library.ids().nth(clip).expect("a clip")).expect("a clip"));
            for index in 0..20_u8 {
                crowd.spawn(clips[0]).expect("one more");
                let member = crowd.characters_mut().last_mut().expect("the new one");
                member.time = 0.07 * f64::from(index);
                member.second = (index % 2 == 1).then_some(SecondClip { clip: clips[1], time: 0.1, weight: 0.5 });
            }
            crowd.update(0.3);
            crowd.palettes().to_vec()
        });
        // Where joints come to lie, by what their palettes do to their bind places.
        let far = |(index, (a, b)): (usize, (&PaletteRows, &PaletteRows))| {
            let place = rig.joints[index % rig.joint_count()].inverse_bind_matrix.inverse().w_axis.truncate();
            let [a, b] = [a, b].map(|rows| rows.to_matrix().transform_point3(place));
            a.distance(b) / height
        };
        let worst = plain.iter().zip(&small).enumerate().map(far).fold(0.0, f32::max);
        assert!(worst < 0.03, "{}: {worst} of its height in a crowd", file.display());
    }
}
