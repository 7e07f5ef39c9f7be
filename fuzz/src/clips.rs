//! Bytes to clips: any bytes are either read as clips of the rig or refused, and every pose of what is read is finite.

use std::sync::{Arc, OnceLock};

use glam::{Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, Channel, Character, Compression, Interpolation, Joint, Keyframe,
    LibraryOptions, Marker, Rig, Skeleton, Surroundings,
    compile::{ClipFileError, RootMotionOptions},
    palette::{Evaluator, PaletteRows},
};

/// The rig that the clips are for: eleven joints in a row.
pub fn rig() -> &'static Arc<Rig> {
    static RIG: OnceLock<Arc<Rig>> = OnceLock::new();
    RIG.get_or_init(|| {
        let joint = |index: u16| Joint {
            index,
            parent: index.checked_sub(1),
            inverse_bind_matrix: Mat4::from_translation(Vec3::NEG_Y * 0.2 * f32::from(index)),
            name: format!("joint {index}"),
            bind_translation: if index == 0 { Vec3::ZERO } else { Vec3::Y * 0.2 },
            bind_rotation: Quat::IDENTITY,
            bind_scale: Vec3::ONE,
        };
        Rig::new(Skeleton { joints: (0..11).map(joint).collect() })
    })
}

/// A file with every kind of track: near and far turns, still ones, ways, and channels that are kept as they are.
pub fn file() -> Vec<u8> {
    let keys = |count: u16| (0..count).map(|key| f32::from(key) / 30.0);
    let turn = |joint_index: u16, speed: f32| Channel {
        joint_index,
        interpolation: Interpolation::Linear,
        keyframes: keys(20)
            .map(|time| {
                let value = Quat::from_rotation_x(speed * time) * Quat::from_rotation_z(0.2 * (9.0 * time).sin());
                Keyframe { time, value, tangents: None }
            })
            .collect(),
    };
    let held = |joint_index: u16, interpolation| Channel {
        joint_index,
        interpolation,
        keyframes: [0.0, 0.11, 0.4]
            .map(|time| {
                let value = Quat::from_rotation_y(time);
                Keyframe { time, value, tangents: Some((Quat::from_array([0.0; 4]), Quat::from_array([0.1; 4]))) }
            })
            .to_vec(),
    };
    let mut rotation_channels: Vec<_> = (0..8).map(|joint| turn(joint, if joint == 3 { 12.0 } else { 0.4 })).collect();
    rotation_channels.push(held(8, Interpolation::Step));
    rotation_channels.push(held(9, Interpolation::CubicSpline));
    let still = Keyframe { time: 0.0, value: Quat::from_rotation_y(0.3), tangents: None };
    rotation_channels.push(Channel { joint_index: 10, interpolation: Interpolation::Linear, keyframes: vec![still] });
    let way = keys(20).map(|time| Keyframe { time, value: Vec3::new(time, 0.1 * time, 2.0 * time), tangents: None });
    let clip = AnimationClip {
        name: "every kind".into(),
        duration: 19.0 / 30.0,
        rotation_channels,
        translation_channels: vec![Channel {
            joint_index: 0,
            interpolation: Interpolation::Linear,
            keyframes: way.collect(),
        }],
        scale_channels: Vec::new(),
    };
    let mut options = LibraryOptions {
        compression: Some(Compression::default()),
        root_motion: Some(RootMotionOptions::default()),
        for_palettes: true,
        ..LibraryOptions::default()
    };
    options.markers.add(0, Marker { name: "step".into(), time: 0.2 });
    AnimationClipLibrary::to_bytes(rig(), &[clip.clone(), AnimationClip { name: "still".into(), ..clip }], options)
}

/// The body of the target `clips`. Whatever was changed, the checksum is made to fit, or nothing but that would be seen.
pub fn clips(input: &[u8]) {
    refused_or_sound(input);
    if input.len() > 16 {
        refused_or_sound(&mended(input.to_vec()));
    }
}

/// The file with the checksum that fits its bytes, of which there are more than 16.
pub fn mended(mut file: Vec<u8>) -> Vec<u8> {
    let sum = checksum(&file[16..]);
    file[8..16].copy_from_slice(&sum.to_le_bytes());
    file
}

fn refused_or_sound(bytes: &[u8]) {
    let library = match AnimationClipLibrary::from_bytes(rig(), bytes.to_vec()) {
        Ok(library) => library,
        Err(error) => {
            assert!(error.to_string().len() < 600 + bytes.len(), "a long message: {error}");
            assert!(bytes.len() >= 4 || error == ClipFileError::NotClips, "{error}");
            return;
        }
    };
    let mut evaluator = Evaluator::new();
    let mut rows = vec![PaletteRows::IDENTITY; rig().joint_count()];
    let mut pose = rig().bind_pose();
    for clip in library.iter().take(16) {
        for step in -1..=9 {
            let time = clip.duration() * step as f32 / 8.0;
            evaluator.palette_rows(rig(), clip.for_palettes(), time, &mut rows);
            evaluator.pose(rig(), clip, time, &mut pose);
        }
        for _ in clip.contacts().into_iter().flat_map(|contacts| contacts.landings()).take(100) {}
        let _ = clip.root().map(|root| root.place(0.3));
    }
    let mut hero = Character::of(library.clone());
    for clip in 0..library.len().min(4) {
        let _ = hero.mixer.play(clip, 0.1);
        for _ in 0..3 {
            hero.update(0.03, &Surroundings::default());
            let is_finite = hero.frame().palette().iter().all(|matrix| matrix.is_finite());
            assert!(is_finite, "a matrix of {:?} is not finite", library[clip].name());
        }
    }
}

/// The sum that files have, written down once more.
fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = bytes.len() as u64;
    let mut add = |word: [u8; 8]| {
        sum = (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    };
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        add(std::array::from_fn(|index| chunk[index]));
    }
    let rest = chunks.remainder();
    add(std::array::from_fn(|index| rest.get(index).copied().unwrap_or(0)));
    sum
}
