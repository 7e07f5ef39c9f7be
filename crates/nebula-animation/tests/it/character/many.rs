//! Many characters at once: the bits of one after the other.

use glam::{Quat, Vec3};
use nebula_animation::procedural::ik::{TwoBoneIk, TwoBoneLimits};
use nebula_animation::procedural::{AimJoint, AimLayer, Faded};
use nebula_animation::skeleton::Side;
use nebula_animation::{
    AnimationClipLibrary, Asset, Character, GroundPoint, HumanoidJoint, StateMachine, StateMachinePlayer, Surroundings,
    TargetId,
};

const MACHINE: &str = r#"{
    "parameters": { "speed": 0.0 },
    "start": "ground",
    "states": [
        { "name": "ground", "blend": { "x": "speed", "samples": [
            { "clip": "idle", "x": 0 }, { "clip": "walk", "x": 1 }, { "clip": "run", "x": 3 } ] } },
        { "name": "turn", "clip": "wave" }
    ],
    "transitions": [
        { "from": "ground", "to": "turn", "when": ["speed > 2.5"], "fade": 0.2 },
        { "from": "turn", "to": "ground", "when": ["speed < 2"], "fade": 0.3, "curve": "inertialised" }
    ]
}"#;

/// Characters with a machine, a masked layer, gaze and feet, each at something else.
fn cast(count: usize) -> Vec<Character> {
    let asset = Asset::load("test_assets/simple_humanoid.glb").expect("the shipped character");
    let rig = asset.rig();
    let library = AnimationClipLibrary::new(&rig, &asset.clips());
    let machine = StateMachine::from_json(MACHINE, &library, library.markers()).expect("a machine");
    let character = |index: usize| {
        let mut character = Character::of(library.clone());
        character.machines.push(StateMachinePlayer::new(machine.clone()));
        let arms = character.mixer.add_masked_layer("arms", rig.upper_body().expect("a human"));
        character.mixer.play_on(arms, "wave", 0.0).expect("a clip").seek(0.1 * index as f64);
        character.add_layer(rig.humanoid().aim(&rig, Vec3::Z).expect("a human").following(TargetId(index as u64)));
        character.add_layer(rig.humanoid().foot_placement(&rig).expect("a human"));
        character
    };
    (0..count).map(character).collect()
}

/// A frame of one of them.
fn step(frame: usize, index: usize, character: &mut Character) {
    let speed = ((frame + 7 * index) % 90) as f32 / 25.0;
    let parameter = character.machines[0].parameter("speed").expect("a parameter");
    character.machines[0].set_float(parameter, speed).expect("its own");
    let ground = |place: Vec3| Some(GroundPoint::new(0.2 * place.z + 0.1 * place.x, Vec3::new(-0.1, 1.0, -0.2)));
    let targets = |TargetId(id): TargetId| Some(Vec3::new(id as f32 - 20.0, 1.5, 3.0 - frame as f32 * 0.1));
    let surroundings = Surroundings { ground: Some(&ground), targets: Some(&targets), ..Surroundings::default() };
    character.update(1.0 / 60.0, &surroundings);
}

/// What characters show, and what they carry on to the next frame.
fn bits(characters: &[Character]) -> (Vec<u32>, Vec<Vec<u8>>) {
    let matrices = characters.iter().flat_map(|character| character.palette());
    let matrices = matrices.flat_map(|matrix| matrix.to_cols_array()).map(f32::to_bits).collect();
    (matrices, characters.iter().map(|character| character.state().to_bytes()).collect())
}

#[test]
fn each_is_what_it_is_alone() {
    let (mut alone, mut together) = (cast(40), cast(40));
    for frame in 0..120 {
        alone.iter_mut().enumerate().for_each(|(index, character)| step(frame, index, character));
        let mut visited = Vec::new();
        Character::for_each(&mut together, |index, character| {
            visited.push(index);
            step(frame, index, character);
        });
        assert!(visited.into_iter().eq(0..40));
        assert_eq!(bits(&alone), bits(&together), "frame {frame}");
    }
    assert_ne!(bits(&alone[..1]), bits(&alone[1..2]));
}

/// Characters of which neighbours have layers alike, or nearly: a gaze and limbs, of which some have a pole, some are soft, some are told how
/// to lie, some fade, some look or reach where they cannot, and some have no layers at all.
fn company(count: usize) -> Vec<Character> {
    let asset = Asset::load("test_assets/simple_humanoid.glb").expect("the shipped character");
    let rig = asset.rig();
    let library = AnimationClipLibrary::new(&rig, &asset.clips());
    let legs = rig.feet().expect("a human").legs();
    let character = |index: usize| {
        let mut character = Character::of(library.clone());
        character.mixer.play(index / 3 % library.len(), 0.0).expect("a clip").seek(0.13 * index as f64);
        if index % 19 == 18 || index == 3 {
            return character;
        }
        let mut aim = rig.humanoid().aim(&rig, Vec3::Z).expect("a human").following(TargetId(index as u64));
        aim.weight = if index % 13 == 12 { 0.5 } else { 1.0 };
        if index % 17 == 16 {
            aim.chain_mut()[0].limit = 0.05;
        }
        character.add_layer(aim);
        for (number, leg) in legs.iter().enumerate() {
            let mut limb = TwoBoneIk::new(&rig, [leg.thigh, leg.shin, leg.foot], Vec3::ZERO);
            limb.follows = Some(TargetId(1000 * (number as u64 + 1) + index as u64));
            limb.pole = (index / 8 % 2 == 1).then_some(Vec3::new(0.0, 0.5, 3.0));
            limb.end_rotation = (index % 11 == 10).then_some(Quat::IDENTITY);
            limb.limits = match index % 5 {
                3 => TwoBoneLimits { min_bend: 0.2, max_bend: 1.5, softness: 0.1 },
                _ => TwoBoneLimits::default(),
            };
            if index == 30 {
                character.add_layer(Faded::shown(limb));
            } else {
                character.add_layer(limb);
            }
        }
        if index % 7 == 6 {
            character.add_layer(rig.humanoid().breathing().expect("a human"));
        }
        character
    };
    (0..count).map(character).collect()
}

/// What goes round a character, and what its feet reach for: near, far away, at the hip, and now and then nothing.
fn targets(frame: usize) -> impl Fn(TargetId) -> Option<Vec3> {
    move |TargetId(id)| {
        let (limb, index) = (id / 1000, id % 1000);
        let (sine, cosine) = (0.07 * frame as f32 + index as f32).sin_cos();
        match (limb, index % 9) {
            (_, 8) if frame % 40 > 30 => None,
            (_, 7) if frame % 40 == 39 => Some(Vec3::NAN),
            (0, _) => Some(Vec3::new(3.0 * sine, 1.5, 3.0 * cosine)),
            (_, 5) => Some(Vec3::new(0.0, -4.0, sine)),
            (_, 6) => Some(Vec3::new(0.1, 0.9 + 0.1 * sine, 0.0)),
            _ => Some(Vec3::new(0.1 - 0.2 * (limb as f32 - 1.0), 0.15 + 0.1 * sine, 0.2 * cosine)),
        }
    }
}

/// Whoever stands beside a character makes no difference to it: eight are worked out side by side.
#[test]
fn company_does_not_change_a_bit() {
    for count in [5, 8, 44] {
        let (mut alone, mut together) = (company(count), company(count));
        let mut backwards = company(count);
        backwards.reverse();
        let mut scattered: Vec<(usize, Character)> = company(count).into_iter().enumerate().collect();
        for frame in 0..100 {
            let targets = targets(frame);
            let surroundings = Surroundings { targets: Some(&targets), ..Surroundings::default() };
            for character in &mut alone {
                character.update(1.0 / 60.0, &surroundings);
            }
            let mut asked = Vec::new();
            Character::update_all(&mut together, 1.0 / 60.0, |index, _| {
                asked.push(index);
                surroundings
            });
            assert!(asked.into_iter().eq(0..count));
            Character::update_all(&mut backwards, 1.0 / 60.0, |_, _| surroundings);
            assert_eq!(bits(&alone), bits(&together), "frame {frame} of {count}");
            let mut parts: Vec<&mut Character> = scattered.iter_mut().map(|(_, character)| character).collect();
            Character::update_all_of(&mut parts, 1.0 / 60.0, |_, _| surroundings);
            let gathered: Vec<Character> = parts.into_iter().map(|character| character.clone()).collect();
            assert_eq!(bits(&alone), bits(&gathered), "frame {frame} of {count}, scattered");
            let turned: Vec<Character> = backwards.iter().rev().cloned().collect();
            assert_eq!(bits(&alone), bits(&turned), "frame {frame} of {count}, backwards");
        }
    }
}

/// Joints of two branches, where each should be below the one before it, were worked out with what other characters had left behind.
#[test]
fn gazes_of_joints_in_two_branches_do_not_depend_on_company() {
    let asset = Asset::load("test_assets/simple_humanoid.glb").expect("the shipped character");
    let rig = asset.rig();
    let library = AnimationClipLibrary::new(&rig, &asset.clips());
    let human = rig.humanoid();
    let joint = |meaning| human.get(meaning).expect("a joint of a human");
    let odd = |index: usize| {
        let mut character = Character::of(library.clone());
        character.mixer.play("walk", 0.0).expect("a clip").seek(0.1 * index as f64);
        let mut chain = [joint(HumanoidJoint::UpperArm(Side::Left)), joint(HumanoidJoint::Head)];
        chain.sort_unstable();
        let mut aim = AimLayer::new(chain.map(AimJoint::new), Vec3::Z);
        aim.follows = Some(TargetId(index as u64));
        character.add_layer(aim);
        character
    };
    let mut alone: Vec<Character> = (0..8).map(odd).collect();
    let mut together: Vec<Character> = (0..8).map(odd).collect();
    let mut others = company(8);
    for frame in 0..30 {
        let targets = targets(frame);
        let surroundings = Surroundings { targets: Some(&targets), ..Surroundings::default() };
        for (character, other) in alone.iter_mut().zip(&mut others) {
            // Somebody else leaves numbers behind.
            other.update(1.0 / 60.0, &surroundings);
            character.update(1.0 / 60.0, &surroundings);
        }
        Character::update_all(&mut together, 1.0 / 60.0, |_, _| surroundings);
        assert_eq!(bits(&alone), bits(&together), "frame {frame}");
    }
}

#[test]
#[cfg(feature = "parallel")]
fn threads_do_not_change_a_bit_of_a_company() {
    let (mut alone, mut threads) = (company(44), company(44));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads start");
    for frame in 0..60 {
        let targets = targets(frame);
        let surroundings = Surroundings { targets: Some(&targets), ..Surroundings::default() };
        alone.iter_mut().for_each(|character| character.update(1.0 / 60.0, &surroundings));
        pool.install(|| {
            Character::update_all_on_threads(&mut threads, 1.0 / 60.0, |_, _| Surroundings {
                targets: Some(&targets),
                ..Surroundings::default()
            });
        });
        assert_eq!(bits(&alone), bits(&threads), "frame {frame}");
    }
}

#[test]
#[cfg(feature = "parallel")]
fn threads_do_not_change_a_bit() {
    // Fewer than threads, a piece of work, and a few.
    for count in [0, 3, 16, 50] {
        let mut alone = cast(count);
        let mut expected = Vec::new();
        for frame in 0..60 {
            alone.iter_mut().enumerate().for_each(|(index, character)| step(frame, index, character));
            expected.push(bits(&alone));
        }
        for threads in [1, 2, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
            let mut characters = cast(count);
            for (frame, expected) in expected.iter().enumerate() {
                let work = |index: usize, character: &mut Character| step(frame, index, character);
                pool.install(|| Character::for_each_on_threads(&mut characters, work));
                assert_eq!(&bits(&characters), expected, "frame {frame} of {count} on {threads} threads");
            }
        }
    }
}

#[test]
fn characters_inside_of_something_else_have_the_same_bits() {
    let mut one_by_one = cast(60);
    let mut inside: Vec<_> = cast(60).into_iter().map(|character| ("somebody", character)).collect();
    for frame in 0..5 {
        one_by_one.iter_mut().enumerate().for_each(|(index, character)| step(frame, index, character));
        Character::for_each_in(
            &mut inside,
            |(_, character)| character,
            |index, (_, character)| {
                step(frame, index, character);
            },
        );
    }
    for (expected, (_, found)) in one_by_one.iter().zip(&inside) {
        assert_eq!(expected.palette(), found.palette());
    }
}
