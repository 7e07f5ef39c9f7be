//! Many characters recorded side by side: the same bits, and the same tapes, as one after the other.

use glam::{Affine3A, Vec3};
use nebula_animation::{
    AimLayer, Character, GroundPoint, Recorder, Surroundings, TargetId, frame::TargetQuery, procedural::ik::TwoBoneIk,
};

use super::seen;
use crate::state::troupe::{Troupe, options};

const FRAME: f64 = 1.0 / 60.0;
/// Two eights, and some that are left over.
const COUNT: usize = 19;

fn one(troupe: &Troupe, index: usize) -> Character {
    let mut character = troupe.usual().0;
    let rig = character.rig().clone();
    if let Some(aim) = character.layer_mut::<AimLayer>() {
        aim.follows = Some(TargetId(1));
    }
    let leg = rig.feet().expect("legs").legs()[0];
    let mut limb = TwoBoneIk::new(&rig, [leg.thigh, leg.shin, leg.foot], Vec3::ZERO);
    limb.follows = Some(TargetId(2));
    character.add_layer(limb);
    // Not all of them are alike.
    if index == 17 {
        character.add_layer(rig.humanoid().foot_placement(&rig).expect("legs"));
    }
    character.mixer.play(troupe.gaits[index % 3], 0.0).expect("a clip");
    character
}

/// Where a character is in a frame.
fn place(index: usize, frame: u32) -> Vec3 {
    let time = frame as f32 / 60.0;
    Vec3::new((time + index as f32).sin(), 0.0, 0.4 * time + index as f32)
}

fn around<'s>(place: Vec3, targets: &'s dyn TargetQuery) -> Surroundings<'s> {
    Surroundings {
        velocity: Vec3::Z,
        targets: Some(targets),
        ground: Some(&|place: Vec3| Some(GroundPoint::level(0.05 * place.z.sin()))),
        ..Surroundings::at(Affine3A::from_translation(place))
    }
}

#[test]
fn side_by_side_is_as_one_after_the_other() {
    let troupe = Troupe::humanoid(options(false));
    let recorder = |index: usize| Recorder::new(one(&troupe, index), 1e9).with_states_every(25);
    let mut together: Vec<Recorder> = (0..COUNT).map(recorder).collect();
    let mut plain: Vec<Character> = (0..COUNT).map(|index| one(&troupe, index)).collect();
    // One of an eight is not recorded.
    together[3].set_recording(false);
    let mut apart = together.clone();
    let mut sights = Vec::new();
    for frame in 0..60 {
        let targets: Vec<_> = (0..COUNT)
            .map(|index| {
                let place = place(index, frame);
                move |id: TargetId| (frame % 9 != 8).then_some(place + Vec3::new(0.1 * id.0 as f32, 0.3, 0.5))
            })
            .collect();
        if frame == 20 {
            together[5].mixer.time_scale = 0.5;
            apart[5].mixer.time_scale = 0.5;
            plain[5].mixer.time_scale = 0.5;
        }
        Recorder::update_all(&mut together, FRAME, |index, _| around(place(index, frame), &targets[index]));
        Character::update_all(&mut plain, FRAME, |index, _| around(place(index, frame), &targets[index]));
        for (index, recorder) in apart.iter_mut().enumerate() {
            recorder.update(FRAME, &around(place(index, frame), &targets[index]));
        }
        for (index, character) in plain.iter().enumerate() {
            assert_eq!(seen(&together[index]), seen(character), "frame {frame}, character {index}, without recorders");
            assert_eq!(seen(&together[index]), seen(&apart[index]), "frame {frame}, character {index}, by itself");
        }
        sights.push(together.iter().map(|recorder| seen(recorder)).collect::<Vec<_>>());
    }
    for (index, (together, apart)) in together.iter().zip(&apart).enumerate() {
        assert_eq!(together.tape(), apart.tape(), "character {index}");
        if index == 3 {
            assert!(together.tape().frames().is_empty());
            continue;
        }
        let mut past = together.clone_character();
        for frame in [59, 0, 24, 25, 26, 41] {
            together.tape().restore(frame, &mut past).expect("a frame of the tape");
            assert_eq!(seen(&past), sights[frame as usize][index], "character {index}, frame {frame}");
        }
    }
}
