//! A hundred thousand characters: what they take grows with their number, and with nothing else.

use glam::{Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, Channel, Crowd, Interpolation, Joint, Keyframe, LibraryOptions, Rig, Skeleton,
};

const JOINTS: u16 = 64;

/// Bytes that a character takes: its palette of 64 matrices of 48 bytes, what it plays, where its palette is, and the room that a
/// vector grows by.
const BYTES_EACH: f64 = 64.0 * 48.0 + 2.0 * (64.0 + 8.0);

fn crowd(count: usize) -> Crowd {
    let joint = |index: u16| Joint {
        index,
        parent: index.checked_sub(1).map(|before| before / 2),
        inverse_bind_matrix: Mat4::IDENTITY,
        name: String::new(),
        bind_translation: Vec3::Y,
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    };
    let skeleton = Skeleton { joints: (0..JOINTS).map(joint).collect() };
    let channel = |joint_index| Channel {
        joint_index,
        interpolation: Interpolation::Linear,
        keyframes: (0..10_u8)
            .map(|key| Keyframe {
                time: f32::from(key) * 0.1,
                value: Quat::from_rotation_x(f32::from(key) * 0.1),
                tangents: None,
            })
            .collect(),
    };
    let clip = AnimationClip {
        duration: 0.9,
        rotation_channels: (0..JOINTS).map(channel).collect(),
        ..AnimationClip::default()
    };
    let options = LibraryOptions { for_palettes: true, ..LibraryOptions::default() };
    let library = AnimationClipLibrary::with_options(&Rig::new(skeleton), &[clip], options);
    let mut crowd = Crowd::new();
    let clip = crowd.add_clip(&library, library.ids().next().expect("a clip")).expect("its own library");
    for index in 0..count {
        crowd.spawn(clip).unwrap_or_else(|error| panic!("character {index}: {error}"));
        crowd.characters_mut()[index].time = index as f64 * 0.001;
    }
    crowd
}

#[test]
fn a_hundred_thousand_characters_take_memory_by_their_number() {
    for count in [1_000, 10_000, 100_000] {
        let before = super::counting::held();
        let mut crowd = crowd(count);
        crowd.update(1.0 / 60.0);
        let after = super::counting::held();
        crowd.update(1.0 / 60.0);
        assert_eq!(super::counting::held(), after, "a frame takes nothing");
        let each = (after - before) as f64 / count as f64;
        assert!(each < BYTES_EACH * 1.05 + 50_000.0 / count as f64, "{each} bytes for each of {count}");
        assert_eq!(crowd.palettes().len(), count * usize::from(JOINTS));
        assert!(crowd.palettes().iter().all(|rows| rows.0.as_flattened().iter().all(|number| number.is_finite())));
        drop(crowd);
        assert!(super::counting::held() - before < 65_536, "all of it is given back");
    }
}
