//! Crowds play the clips of libraries as they are, and tell rigs apart by their numbers.

use nebula_animation::crowd::{CrowdError, SecondClip};
use nebula_animation::palette::PaletteRows;
use nebula_animation::{AnimationClip, AnimationClipLibrary, Crowd, LibraryOptions, Rig};

use super::{add_all, bits, clips, library, skeletons};

/// The largest difference of two palettes, relative to how far joints are from the origin.
fn difference(a: &[PaletteRows], b: &[PaletteRows]) -> f32 {
    assert_eq!(a.len(), b.len());
    let numbers =
        |rows: &[PaletteRows]| rows.iter().flat_map(|rows| rows.0.as_flattened().to_vec()).collect::<Vec<_>>();
    let (a, b) = (numbers(a), numbers(b));
    let extent = a.iter().fold(1.0_f32, |extent, number| extent.max(number.abs()));
    a.iter().zip(&b).fold(0.0_f32, |most, (a, b)| most.max((a - b).abs())) / extent
}

/// The form for palettes and the ordinary one come to the same but for rounding.
#[test]
fn either_form_has_the_same_palettes_to_rounding() {
    for (index, skeleton) in skeletons().into_iter().enumerate() {
        let [fast, plain] = [true, false].map(|for_palettes| {
            let library = library(skeleton.clone(), for_palettes);
            let mut crowd = Crowd::new();
            let clips = add_all(&mut crowd, &library);
            for number in 0..40_usize {
                let id = crowd.spawn(clips[number % clips.len()]).expect("its own clip");
                let character = crowd.character_mut(id).expect("it is there");
                character.time = 0.07 * number as f64;
                let second = SecondClip { clip: clips[number / 7 % clips.len()], time: 0.3, weight: 0.4 };
                character.second = (number % 3 == 0).then_some(second);
            }
            crowd.update(1.0 / 60.0);
            crowd.palettes().to_vec()
        });
        assert_eq!(bits(&fast).eq(bits(&plain)), index == 2, "skeleton {index}: only rigid ones take another path");
        let off = difference(&fast, &plain);
        assert!(off < 1e-5, "skeleton {index}: {off}");
    }
}

#[test]
fn a_clip_that_the_library_lacks_is_refused_by_name() {
    let (many, few) = (library(skeletons().remove(3), false), AnimationClipLibrary::default());
    let mut crowd = Crowd::new();
    for (index, clip) in many.ids().enumerate() {
        let refused = crowd.add_clip(&few, clip);
        assert_eq!(refused, Err(CrowdError::NoSuchClip { index, count: 0 }));
    }
    let text = crowd.add_clip(&few, many.ids().last().expect("four clips")).map_err(|error| error.to_string());
    assert_eq!(text.expect_err("refused"), "there is no clip 3 in a library of 0 clips");
}

/// Clips of several libraries of one rig are blended.
#[test]
fn libraries_of_one_rig_go_together() {
    let skeleton = skeletons().remove(0);
    let (rig, clips) = (Rig::new(&skeleton), clips(skeleton.joints.len()));
    let together = AnimationClipLibrary::new(&rig, &clips);
    let apart = [&clips[..1], &clips[1..]].map(|clips| AnimationClipLibrary::new(&rig, &clips.to_vec()));
    let mut palettes = Vec::new();
    for libraries in [&[together][..], &apart] {
        let mut crowd = Crowd::new();
        let clips: Vec<_> = libraries.iter().flat_map(|library| add_all(&mut crowd, library)).collect();
        for _ in 0..9 {
            let id = crowd.spawn(clips[0]).expect("its own clip");
            let second = SecondClip { clip: clips[1], time: 0.25, weight: 0.5 };
            crowd.character_mut(id).expect("it is there").second = Some(second);
        }
        crowd.update(0.25);
        palettes.push(crowd.palettes().to_vec());
    }
    assert!(bits(&palettes[0]).eq(bits(&palettes[1])));
}

/// Two rigs of the same numbers are two rigs: the clips of one are foreign to the other, as those of any other rig are.
#[test]
fn rigs_are_told_apart_by_their_numbers() {
    let skeleton = skeletons().remove(3);
    let [own, foreign] = [0, 1].map(|_| library(skeleton.clone(), false));
    let mut crowd = Crowd::new();
    let (own_clips, foreign_clips) = (add_all(&mut crowd, &own), add_all(&mut crowd, &foreign));
    let [resting, playing] = [own_clips[0], foreign_clips[0]].map(|clip| crowd.spawn(clip).expect("its own clip"));
    crowd.character_mut(resting).expect("it is there").clip = foreign_clips[0];
    crowd.update(0.5);
    let palette = |id| &crowd.palettes()[crowd.palette_start(id).expect("it is there")..][..skeleton.joints.len()];
    let mut rest = vec![PaletteRows::IDENTITY; skeleton.joints.len()];
    nebula_animation::palette::Evaluator::new().palette_rows_of_pose(own.rig(), &[], &mut rest);
    assert!(bits(palette(resting)).eq(bits(&rest)));
    assert!(!bits(palette(playing)).eq(bits(&rest)));
}

/// A rig without joints has no palette, and does not trouble the others.
#[test]
fn rigs_without_joints_are_fine() {
    let none = AnimationClipLibrary::with_options(
        &Rig::new(nebula_animation::Skeleton::default()),
        &[AnimationClip { duration: 1.0, ..AnimationClip::default() }],
        LibraryOptions { for_palettes: true, ..LibraryOptions::default() },
    );
    let some = library(skeletons().remove(3), true);
    let mut crowd = Crowd::new();
    let clips = [add_all(&mut crowd, &none)[0], add_all(&mut crowd, &some)[0]];
    let ids: Vec<_> = (0..40).map(|index| crowd.spawn(clips[index % 2]).expect("its own clip")).collect();
    crowd.update(0.5);
    assert_eq!(crowd.palettes().len(), 20 * some.rig().joint_count());
    assert!(ids.iter().rev().all(|id| crowd.remove(*id).is_some()));
}
