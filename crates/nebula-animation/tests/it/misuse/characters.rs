//! Characters, their frames, and what is around them.

use glam::{Affine3A, Mat4, Vec3};
use nebula_animation::{
    AnimationClipLibrary, BoneAttachment, BreathingLayer, Character, CharacterState, Frame, GroundPoint, GroundQuery,
    LookAtLayer, Rig, Surroundings,
    frame::ShownClip,
    palette::{PaletteRows, SkinLayout},
};

use super::Table;
use super::fixtures::{
    INDICES, JOINTS, NAMES, chain, clips, is_finite, library, library_of, numbers, poses, skeletons, times, vectors,
};

/// A character that plays, with a layer and something in its hand.
fn character() -> Character {
    let mut character = Character::of(library());
    character.mixer.play(1, 0.0).expect("there is one");
    character.add_layer(BreathingLayer::new(1));
    character.attach(BoneAttachment::named("Joint 2")).expect("there is one");
    character
}

fn is_sound(character: &Character) -> bool {
    let mut pose = character.rig().bind_pose();
    character.frame().write_pose(&mut pose);
    is_finite(&pose) && character.palette().iter().all(|matrix| matrix.is_finite())
}

/// Surroundings in which one thing makes no sense, handed on one by one.
fn surrounded(mut act: impl FnMut(&Surroundings<'_>)) {
    for vector in vectors() {
        let point = |_: Vec3| Some(GroundPoint { height: vector.y, normal: vector, velocity: vector, spin: vector.x });
        for surroundings in [
            Surroundings::at(Affine3A::from_translation(vector)),
            Surroundings::at(Affine3A::from_scale(vector)),
            Surroundings { velocity: vector, is_grounded: false, ..Surroundings::default() },
            Surroundings { ground: Some(&point), ..Surroundings::default() },
        ] {
            act(&surroundings);
        }
    }
}

pub fn rows(table: &mut Table) {
    characters(table);
    attachments(table);
    frames(table);
    ground(table);
}

fn characters(table: &mut Table) {
    table.row("Character::new", || {
        for skeleton in skeletons() {
            let character = Character::new(skeleton.clone(), &clips());
            assert_eq!(character.palette().len(), skeleton.joints.len());
            let bare = Character::new(skeleton.clone(), &[]);
            let mut pose = skeleton.bind_pose();
            bare.frame().write_pose(&mut pose);
            assert!(is_finite(&pose));
        }
    });
    table.row("Character::of", || {
        for skeleton in skeletons() {
            let mut character = Character::of(library_of(&skeleton, &clips()));
            character.update(0.1, &Surroundings::default());
            assert_eq!(character.palette().len(), skeleton.joints.len());
        }
        assert!(Character::of(AnimationClipLibrary::default()).palette().is_empty());
    });
    table.row("Character::restore", || {
        // Records of other characters, and of nobody.
        let others = [Character::of(AnimationClipLibrary::default()).state(), CharacterState::record(7, |_| {})];
        for state in others {
            let mut character = character();
            assert!(character.restore(&state).is_err());
            character.update(0.1, &Surroundings::default());
            assert!(is_sound(&character));
        }
        // Every cut of its own.
        let mut character = character();
        let bytes = character.state().to_bytes();
        for end in 0..bytes.len() {
            assert!(CharacterState::from_bytes(&bytes[..end]).and_then(|state| character.restore(&state)).is_err());
        }
        assert!(is_sound(&character));
    });
    table.row("Character::for_each", || {
        Character::for_each(&mut [], |_, _| unreachable!("there is nobody"));
        let mut characters = vec![Character::of(AnimationClipLibrary::default()); 3];
        let mut visits = 0;
        Character::for_each(&mut characters, |_, character| {
            character.update(f64::NAN, &Surroundings::default());
            visits += 1;
        });
        assert_eq!(visits, 3);
    });
    table.row("Character::for_each_in", || {
        Character::for_each_in(&mut [], |character: &Character| character, |_, _| unreachable!("there is nobody"));
        let mut people: Vec<(usize, Character)> = (0..60).map(|index| (index, character())).collect();
        let mut visits = 0;
        Character::for_each_in(
            &mut people,
            |(_, character)| character,
            |index, (number, character)| {
                assert_eq!(index, *number);
                character.update(f64::NAN, &Surroundings::default());
                visits += 1;
            },
        );
        assert_eq!(visits, 60);
        assert!(people.iter().all(|(_, character)| is_sound(character)));
    });
    table.row("Character::want_palette", || {
        let mut character = character();
        for is_wanted in [false, false, true, true, false, true] {
            character.want_palette(is_wanted);
            character.update(0.1, &Surroundings::default());
            assert_eq!(character.palette().len(), if is_wanted { character.rig().joint_count() } else { 0 });
            assert!(is_sound(&character));
        }
    });
    #[cfg(feature = "parallel")]
    table.row("Character::for_each_on_threads", || {
        Character::for_each_on_threads(&mut [], |_, _| unreachable!("there is nobody"));
        let mut characters = vec![Character::of(AnimationClipLibrary::default()); 3];
        Character::for_each_on_threads(&mut characters, |_, character| {
            character.update(f64::NAN, &Surroundings::default());
        });
    });
    table.row("Character::update_all", || {
        Character::update_all(&mut [], 0.1, |_, _| unreachable!("there is nobody"));
        for count in [3, 8, 20] {
            let mut characters = vec![character(); count];
            let mut asked = 0;
            Character::update_all(&mut characters, f64::NAN, |index, _| {
                assert_eq!(std::mem::replace(&mut asked, index + 1), index);
                Surroundings::at(Affine3A::from_scale(Vec3::splat(f32::NAN)))
            });
            assert_eq!(asked, count);
            assert!(characters.iter().all(is_sound));
        }
    });
    table.row("Character::update_all_of", || {
        Character::update_all_of(&mut [], 0.1, |_, _| unreachable!("there is nobody"));
        let mut characters = vec![character(); 11];
        let mut parts: Vec<&mut Character> = characters.iter_mut().collect();
        Character::update_all_of(&mut parts, f64::NAN, |_, _| Surroundings::at(Affine3A::from_scale(Vec3::INFINITY)));
        assert!(characters.iter().all(is_sound));
    });
    #[cfg(feature = "parallel")]
    table.row("Character::update_all_on_threads", || {
        Character::update_all_on_threads(&mut [], 0.1, |_, _| unreachable!("there is nobody"));
        let mut characters = vec![character(); 20];
        Character::update_all_on_threads(&mut characters, f64::INFINITY, |_, _| Surroundings::default());
        assert!(characters.iter().all(is_sound));
    });
    table.row("Character::update", || {
        for step in times() {
            let mut character = character();
            assert!(character.mixer.play(2, 0.2).is_ok());
            character.update(step, &Surroundings::default());
            character.update(0.1, &Surroundings::default());
            assert!(is_sound(&character), "after {step}");
        }
    });
    table.row("Character::advance", || {
        for step in times() {
            let mut character = character();
            assert!(character.advance(step).translation.is_finite(), "after {step}");
            assert!(character.elapsed().is_finite(), "after {step}");
        }
    });
    table.row("Character::finish", || {
        surrounded(|surroundings| {
            let mut character = character();
            // Without an advance, and more than once.
            character.finish(surroundings);
            character.finish(surroundings);
            character.update(0.1, surroundings);
            assert!(is_sound(&character), "{surroundings:?}");
        });
    });
    table.row("Character::add_layer", || {
        for joint in JOINTS {
            let mut character = character();
            character.add_layer(LookAtLayer {
                joint_index: joint,
                target: Vec3::NAN,
                max_angle: 1.0,
                weight: f32::NAN,
            });
            character.add_layer(BreathingLayer::new(joint));
            character.update(0.1, &Surroundings::default());
            assert!(is_sound(&character));
        }
    });
}

fn attachments(table: &mut Table) {
    table.row("Character::attach", || {
        for name in NAMES {
            let error = character().attach(BoneAttachment::named(name)).expect_err("nobody is called that");
            assert_eq!(error.name, name);
        }
    });
    // Of a character that holds more.
    let foreign = || {
        let mut richer = character();
        (0..3).map(|_| richer.attach(BoneAttachment::named("Joint 0")).expect("there is one")).last().expect("three")
    };
    table.row("Character::attachment", || assert_eq!(character().attachment(foreign()), Mat4::IDENTITY));
    table.row("Character::attachment_mut", || assert!(character().attachment_mut(foreign()).is_none()));
}

fn frames(table: &mut Table) {
    let frame = || Frame::new(&Rig::new(chain(3)));
    table.row("Frame::new", || {
        for skeleton in skeletons() {
            assert_eq!(Frame::new(&Rig::new(&skeleton)).palette().len(), skeleton.joints.len());
        }
    });
    table.row("Frame::local", || {
        JOINTS.into_iter().for_each(|joint| assert_eq!(frame().local(joint).0, Vec3::ZERO, "as if it were not there"));
    });
    table.row("LocalPoses::get", || {
        JOINTS.into_iter().for_each(|joint| assert_eq!(frame().locals().get(joint), None));
        assert_eq!(frame().locals().get(2).map(|pose| pose.0), Some(frame().local(2).0));
    });
    table.row("Frame::want_palette", || {
        let mut frame = frame();
        for is_wanted in [false, false, true, true] {
            frame.want_palette(is_wanted);
            frame.finish(&[]);
            assert_eq!(frame.palette().len(), if is_wanted { 3 } else { 0 });
        }
        assert!(frame.palette().iter().all(Mat4::is_finite));
    });
    table.row("Frame::model_matrix", || {
        JOINTS.into_iter().for_each(|joint| assert_eq!(frame().model_matrix(joint), Mat4::IDENTITY));
    });
    table.row("Frame::write_model_matrices", || {
        for count in [0, 1, 3, 40] {
            let mut matrices = vec![Mat4::ZERO; count];
            frame().write_model_matrices(&mut matrices);
            assert!(matrices.iter().skip(3).all(|matrix| *matrix == Mat4::ZERO), "what the rig lacks is left alone");
            assert!(matrices.iter().take(3).all(|matrix| matrix.is_finite() && *matrix != Mat4::ZERO));
        }
    });
    table.row("SkinLayout::write_in_world", || {
        let palette = [PaletteRows::IDENTITY; 2];
        for vector in vectors() {
            let mut matrices = [Mat4::ZERO; 5];
            let world = Affine3A::from_translation(vector);
            let lacking = SkinLayout::new([JOINTS.map(Some)]);
            lacking.write_in_world(&world, &palette, &[0], &mut matrices);
            assert_eq!(matrices, [Mat4::ZERO; 5], "joints that the palette lacks");
            let layout = SkinLayout::new([[Some(1), Some(0), Some(7)]]);
            for starts in [&[][..], &[5], &[u32::MAX], &[u32::MAX - 1, 0]] {
                layout.write_in_world(&world, &palette, starts, &mut matrices);
                assert_eq!(matrices, [Mat4::ZERO; 5], "no room");
            }
            layout.write_in_world(&world, &palette, &[0, 3], &mut matrices);
            assert_eq!(matrices[2..], [Mat4::ZERO; 3]);
            layout.write_in_world(&world, &[], &[0], &mut matrices);
            layout.write_in_world(&world, &palette, &[0], &mut []);
        }
    });
    table.row("SkinLayout::new", || {
        assert_eq!(SkinLayout::new(Vec::<Vec<Option<u16>>>::new()), SkinLayout::default());
        let layout = SkinLayout::new([vec![], vec![None, Some(u16::MAX)]]);
        assert_eq!((layout.skins(), layout.written()), (2, 1));
    });
    table.row("Frame::write_pose", || {
        for mut pose in poses() {
            let beyond = pose.split_off(pose.len().min(3));
            frame().write_pose(&mut pose);
            let mut all = [pose, beyond.clone()].concat();
            frame().write_pose(&mut all);
            assert!(is_finite(&all[..all.len().min(3)]));
            assert!(all.len() <= 3 || all[3..] == beyond[..], "what the rig lacks is left alone");
        }
    });
    table.row("Frame::set_pose", || {
        for pose in poses() {
            let mut frame = frame();
            frame.set_pose(&pose);
            let mut back = chain(3).bind_pose();
            frame.write_pose(&mut back);
            assert!(is_finite(&back), "{pose:?}");
        }
    });
    table.row("Frame::finish", || {
        let mut frame = frame();
        // Attachments that were never looked up, and fewer and more of them.
        for count in [3, 0, 40] {
            frame.finish(&vec![BoneAttachment::named("nobody"); count]);
            assert_eq!(frame.attachment(0).copied(), (count > 0).then_some(Mat4::IDENTITY));
        }
    });
    table.row("Frame::attachment", || {
        INDICES.into_iter().for_each(|index| assert!(frame().attachment(index).is_none()));
    });
    table.row("Frame::morph_weights_of", || {
        for first in INDICES {
            INDICES.into_iter().for_each(|count| assert!(frame().morph_weights_of(first, count).is_empty()));
        }
    });
    table.row("ShownClip::alone", || {
        for (clip, time) in INDICES.into_iter().zip(numbers()) {
            // Handles end at 2^32 - 1, which no library has.
            assert_eq!(ShownClip::alone(clip, time).clip, clip.min(u32::MAX as usize));
        }
    });
}

fn ground(table: &mut Table) {
    // Feet on such ground are in the rows of `FootPlacement`.
    table.row("GroundPoint::new", || {
        vectors().for_each(|normal| drop(format!("{:?}", GroundPoint::new(normal.y, normal))));
    });
    table.row("GroundPoint::level", || {
        for height in numbers() {
            let ground = |_: Vec3| Some(GroundPoint::level(height));
            assert!(ground.ground(Vec3::NAN).is_some_and(|point| point.normal == Vec3::Y));
        }
    });
    table.row("GroundPoint::turning", || {
        for vector in vectors() {
            let point = GroundPoint::level(0.0).turning(vector.x, vector, vector);
            assert_eq!(point.velocity.y, 0.0);
        }
    });
    table.row("GroundPoint::moving", || {
        vectors().for_each(|velocity| assert_eq!(GroundPoint::level(0.0).moving(velocity).normal, Vec3::Y));
    });
}
