//! Everything that moves one character, in one call.

use std::path::Path;

use glam::{Affine3A, Mat4, Quat, Vec3};
use nebula_animation::asset::Asset;
use nebula_animation::mixer::update_mixer;
use nebula_animation::{
    AnimationClipLibrary, AnimationMixer, BoneAttachment, Character, Fade, Frame, GroundPoint, LibraryOptions,
    Surroundings,
};

fn library() -> AnimationClipLibrary {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let asset = Asset::load(file).expect("it loads");
    let options = LibraryOptions { step_marker: Some("step".into()), ..LibraryOptions::default() };
    AnimationClipLibrary::with_options(&asset.rig(), &asset.clips(), options)
}

const DT: f32 = 1.0 / 60.0;

fn hero() -> Character {
    let mut hero = Character::of(library());
    let rig = hero.rig().clone();
    hero.add_layer(rig.humanoid().aim(&rig, Vec3::new(2.0, 1.5, 4.0)).expect("it has a head"));
    hero.add_layer(rig.humanoid().foot_placement(&rig).expect("it has feet"));
    hero.attach(BoneAttachment::named("RightHand").at(Vec3::Y * 0.1, Quat::IDENTITY)).expect("it has a hand");
    hero.mixer.play("stroll", 0.0).expect("it walks");
    hero
}

fn hill(place: Vec3) -> Option<GroundPoint> {
    Some(GroundPoint::new(0.1 * place.z, Vec3::new(0.0, 1.0, -0.1)))
}

fn at(z: f32) -> Surroundings<'static> {
    let world_from_model = Affine3A::from_translation(Vec3::new(0.0, 0.1 * z, z));
    Surroundings { world_from_model, ground: Some(&hill), ..Surroundings::default() }
}

/// Without layers, the frame is what the mixer writes, to the bit.
#[test]
fn a_character_without_layers_is_its_mixer() {
    let mut character = Character::of(library());
    let mut mixer = AnimationMixer::new(character.mixer.clips().clone());
    let mut frame = Frame::new(mixer.rig());
    for number in 0..200 {
        if number % 40 == 0 {
            let clip = ["idle", "walk", "run"][number / 40 % 3];
            character.mixer.play(clip, 0.3).expect("it is there");
            mixer.play(clip, 0.3).expect("it is there");
        }
        character.update(DT, &Surroundings::default());
        update_mixer(&mut mixer, &mut frame, DT);
        frame.finish(&[]);
        assert_eq!(character.palette(), frame.palette(), "frame {number}");
        assert_eq!(character.frame().shown(), frame.shown());
    }
}

/// The two halves are the whole, and a copy goes on as the original does.
#[test]
fn halves_and_copies_have_the_same_bits() {
    let mut whole = hero();
    let mut halves = hero();
    let mut copy = None;
    for number in 0..300 {
        let surroundings = at(0.6 * DT * number as f32);
        if number == 90 {
            for hero in [&mut whole, &mut halves] {
                hero.mixer.play("run", Fade::inertialised(0.3)).expect("it runs");
            }
        }
        if number == 100 {
            copy = Some(whole.clone());
        }
        whole.update(DT, &surroundings);
        halves.advance(DT);
        halves.finish(&surroundings);
        assert_eq!(whole.palette(), halves.palette(), "frame {number}");
        if let Some(copy) = &mut copy {
            copy.update(DT, &surroundings);
            assert_eq!(whole.palette(), copy.palette(), "frame {number}");
        }
    }
}

#[test]
fn feet_gaze_sword_and_steps_come_together() {
    let mut hero = hero();
    let feet = hero.rig().feet().expect("it has feet").legs().to_vec();
    let (mut steps, mut planted) = (0, 0);
    for number in 0..600 {
        let z = 0.6 * DT * number as f32;
        hero.update(DT, &at(z));
        steps += hero.events().filter(|event| event.marker.name == "step").count();
        planted +=
            usize::from(hero.layers.layer().is_some_and(|layer: &nebula_animation::FootPlacement| {
                (0..feet.len()).any(|leg| layer.is_planted(leg))
            }));
    }
    assert!((8..=12).contains(&steps), "{steps} steps in ten seconds of a two second cycle");
    assert!(planted > 500, "{planted}");
    assert!((hero.elapsed() - 10.0).abs() < 1e-6);
    let hand = hero.rig().joint_by_name("RightHand").expect("it has a hand");
    let expected = hero.frame().model_matrix(hand) * Mat4::from_translation(Vec3::Y * 0.1);
    let sword = *hero.frame().attachment(0).expect("it was attached");
    assert!(sword.abs_diff_eq(expected, 1e-5), "{sword} {expected}");
}

/// A character that stands still in time is not another one in each frame.
#[test]
fn a_paused_character_does_not_change() {
    let mut hero = hero();
    (0..60).for_each(|_| hero.update(DT, &at(0.0)));
    assert!(hero.frame().is_changed());
    hero.mixer.time_scale = 0.0;
    hero.update(DT, &at(0.0));
    let palette = hero.palette().to_vec();
    for _ in 0..30 {
        hero.update(DT, &at(0.0));
        assert!(!hero.frame().is_changed());
        assert_eq!(hero.palette(), palette);
    }
}

/// What one clip alone has at rest is written once. Here it is written by somebody else in between, by every way there is: a character that is new in each frame,
/// and so writes everything, tells what is right.
#[test]
fn what_is_at_rest_in_a_clip_is_that_of_the_clip_that_plays() {
    let asset = Asset::load("test_assets/simple_humanoid.glb").expect("the shipped character");
    let library = AnimationClipLibrary::new(&asset.rig(), &asset.clips());
    let around = Surroundings::default();
    let mut hero = Character::of(library.clone());
    let mut other = Character::of(library.clone());
    let names = ["walk", "jump", "idle", "run", "wave"];
    for frame in 0..200_usize {
        let name = names[(frame / 7) % names.len()];
        let time = 0.013 * frame as f64;
        hero.mixer.play(name, 0.0).expect("a clip").seek(time);
        match frame % 7 {
            // The mixer is brought up to date by itself, and its frame is not told.
            2 => hero.mixer.update(0.0),
            // Its pose is bent, or not finished at all.
            3 => hero.add_layer(asset.rig().humanoid().breathing().expect("a human")),
            4 => hero.layers.layers.clear(),
            5 => {
                hero.advance(0.0);
            }
            6 if frame % 2 == 0 => {
                // Somebody else's mixer, which plays another clip.
                other.mixer.play(names[(frame / 7 + 1) % names.len()], 0.0).expect("a clip");
                other.update(0.0, &around);
                hero.mixer = other.mixer.clone();
                hero.mixer.play(name, 0.0).expect("a clip").seek(time);
            }
            6 => hero.restore(&hero.state()).expect("its own"),
            _ => {}
        }
        hero.update(0.0, &around);
        if !hero.layers.layers.is_empty() {
            continue;
        }
        let mut fresh = Character::of(library.clone());
        fresh.mixer.play(name, 0.0).expect("a clip").seek(time);
        fresh.update(0.0, &around);
        assert_eq!(hero.palette(), fresh.palette(), "frame {frame}, {name}");
        let (locals, expected) = (hero.frame().locals(), fresh.frame().locals());
        for joint in 0..hero.rig().joint_count() as u16 {
            assert_eq!(locals.get(joint), expected.get(joint), "frame {frame}, {name}, joint {joint}");
        }
    }
}
