//! Many characters at once: the bits of one after the other.

use glam::Vec3;
use nebula_animation::{
    AnimationClipLibrary, Asset, Character, GroundPoint, StateMachine, StateMachinePlayer, Surroundings, TargetId,
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

fn bits(characters: &[Character]) -> Vec<u32> {
    let matrices = characters.iter().flat_map(|character| character.palette());
    matrices.flat_map(|matrix| matrix.to_cols_array()).map(f32::to_bits).collect()
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
