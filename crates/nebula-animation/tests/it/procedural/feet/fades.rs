//! Idle, walk and run taking over from each other at random, on flat ground: no sole goes through the floor.
//!
//! The angles of two strides, mixed, make legs that are longer than either's, and fades that take the speed over swing beyond both. Without
//! the layer, soles come to 100 to 258 mm below the floor here.

use std::path::{Path, PathBuf};

use glam::{Affine3A, Vec3};
use nebula_animation::asset::{Asset, LoadOptions, MeshSelection};
use nebula_animation::{AnimationClipLibrary, Character, ClipId, Fade, GroundPoint, Surroundings};

use crate::characters::Random;
use crate::determinism::corpus;

/// How deep a sole may be, in metres.
const DEEPEST: f32 = 0.010;
/// Open: a centimetre held for the knight, too, who sinks deeper in some fades now.
const DEEPEST_OF_STRANGERS: f32 = 0.040;

const FRAMES: usize = 10_000;

/// A character's file, and what its clips are called.
struct Cast {
    file: PathBuf,
    gaits: [&'static str; 3],
}

fn humanoid() -> Cast {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    Cast { file, gaits: ["idle", "walk", "run"] }
}

fn strangers(test: &str) -> Vec<Cast> {
    let Some(shared) = corpus(test) else { return Vec::new() };
    let cast = |file: &str, gaits| Cast { file: shared.join("characters").join(file), gaits };
    vec![
        cast("kaykit-knight.glb", ["Idle", "Walking_A", "Running_A"]),
        cast("robot-expressive.glb", ["Idle", "Walking", "Running"]),
    ]
}

/// A vertex of a foot: where its joints have it.
struct Vertex {
    place: Vec3,
    joints: Vec<(u16, f32)>,
    /// Whether the place is in the joint's own space rather than that of the skin.
    is_rigid: bool,
}

/// Plays something else now and then, and moves on as fast as what is shown walks.
struct Director {
    gaits: [ClipId; 3],
    random: Random,
    seconds_left: f32,
    way: f32,
    speed: f32,
}

impl Director {
    fn direct(&mut self, character: &mut Character, dt: f32) {
        self.seconds_left -= dt;
        if self.seconds_left <= 0.0 {
            let random = &mut self.random;
            self.seconds_left = random.between(0.1, 1.6);
            let seconds = random.between(0.1, 0.5);
            let fades = [Fade::linear(seconds), Fade::smooth(seconds), Fade::inertialised(seconds)];
            let (gait, fade) = (self.gaits[random.below(3)], fades[random.below(3)]);
            character.mixer.play(gait, fade).expect("a clip of its own");
        }
        let (shown, clips) = (character.frame().shown(), character.mixer.clips());
        let wanted: f32 = shown.iter().map(|shown| shown.weight * clips[shown.clip].velocity().z).sum();
        self.speed += (wanted - self.speed) * 0.3;
        self.way += self.speed * dt;
    }

    fn place(&self) -> Vec3 {
        Vec3::Z * self.way
    }

    fn velocity(&self) -> Vec3 {
        Vec3::Z * self.speed
    }
}

struct Performance {
    character: Character,
    soles: Vec<Vertex>,
    director: Director,
}

impl Performance {
    fn new(cast: &Cast, seed: u64) -> Self {
        let options = LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() };
        let asset = Asset::load_with(&cast.file, &options).expect("the character loads");
        let rig = asset.rig();
        let library = AnimationClipLibrary::new(&rig, &asset.clips());
        let gaits = cast.gaits.map(|name| library.find(name).expect("the character has this clip"));
        let mut character = Character::of(library);
        character.add_layer(rig.humanoid().foot_placement(&rig).expect("the character has feet"));
        character.mixer.play(gaits[0], 0.0).expect("a clip of its own");
        let soles = soles(&asset, &character);
        assert!(soles.len() > 50, "{}: the feet have vertices", cast.file.display());
        let director = Director { gaits, random: Random::new(seed), seconds_left: 0.0, way: 0.0, speed: 0.0 };
        Self { character, soles, director }
    }

    fn play(&mut self, dt: f32) -> f32 {
        let Self { character, soles, director } = self;
        director.direct(character, dt);
        let ground = |_: Vec3| Some(GroundPoint::level(0.0));
        let surroundings = Surroundings {
            world_from_model: Affine3A::from_translation(director.place()),
            velocity: director.velocity(),
            ground: Some(&ground),
            ..Surroundings::default()
        };
        character.update(dt, &surroundings);
        lowest(soles, character)
    }
}

/// The vertices that feet carry for the most part.
fn soles(asset: &Asset, character: &Character) -> Vec<Vertex> {
    let rig = character.rig();
    let legs = rig.feet().expect("the character has feet").legs();
    let is_of_foot = |joint: u16| legs.iter().any(|leg| joint == leg.foot || rig.is_below(joint, leg.foot));
    let mut soles = Vec::new();
    for mesh in &asset.meshes {
        for part in mesh.primitives.iter() {
            for (vertex, place) in part.positions.iter().enumerate() {
                let joints: Vec<(u16, f32)> = match mesh.joint {
                    Some(joint) => vec![(joint, 1.0)],
                    None => part.joints[vertex].into_iter().zip(part.weights[vertex]).collect(),
                };
                let of_foot: f32 = joints.iter().filter(|joint| is_of_foot(joint.0)).map(|joint| joint.1).sum();
                if of_foot > 0.9 {
                    soles.push(Vertex { place: Vec3::from(*place), joints, is_rigid: mesh.joint.is_some() });
                }
            }
        }
    }
    soles
}

/// The height of the lowest vertex above the floor.
fn lowest(soles: &[Vertex], character: &Character) -> f32 {
    let frame = character.frame();
    let height = |vertex: &Vertex| -> f32 {
        let part = |&(joint, weight): &(u16, f32)| {
            let matrix = if vertex.is_rigid { frame.model_matrix(joint) } else { frame.palette()[usize::from(joint)] };
            matrix.transform_point3(vertex.place).y * weight
        };
        vertex.joints.iter().filter(|joint| joint.1 > 0.0).map(part).sum()
    };
    soles.iter().map(height).fold(f32::INFINITY, f32::min)
}

fn check(cast: &Cast, hz: f32) {
    let mut performance = Performance::new(cast, 12_345);
    for frame in 0..FRAMES {
        let lowest = performance.play(1.0 / hz);
        let shown = performance.character.frame().shown();
        assert!(
            lowest > -if cast.file.ends_with("simple_humanoid.glb") { DEEPEST } else { DEEPEST_OF_STRANGERS },
            "{}: {:.1} mm deep in frame {frame} at {hz} Hz: {shown:?}",
            cast.file.display(),
            -1000.0 * lowest
        );
    }
}

#[test]
fn soles_stay_above_the_floor_while_the_humanoid_changes_its_gait() {
    for hz in [30.0, 60.0, 144.0] {
        check(&humanoid(), hz);
    }
}

#[test]
fn soles_stay_above_the_floor_while_strangers_change_their_gait() {
    for cast in strangers("soles_stay_above_the_floor_while_strangers_change_their_gait") {
        for hz in [30.0, 60.0, 144.0] {
            check(&cast, hz);
        }
    }
}

#[test]
fn soles_would_be_in_the_floor_without_the_layer() {
    let mut performance = Performance::new(&humanoid(), 12_345);
    performance.character.layers.layers.clear();
    let lowest = (0..FRAMES).map(|_| performance.play(1.0 / 60.0)).fold(0.0, f32::min);
    assert!(lowest < -4.0 * DEEPEST, "the test cannot fail: {lowest}");
}

#[cfg(feature = "ecs")]
mod ecs {
    use bevy_ecs::prelude::*;
    use nebula_animation::ecs::{Time, Transform, Velocity, add_animation_systems_on};
    use nebula_animation::{Character, GroundPoint, GroundQuery};

    use super::{Cast, DEEPEST, DEEPEST_OF_STRANGERS, FRAMES, Performance, Vec3, humanoid, lowest, strangers};

    #[derive(Resource)]
    struct Floor;

    impl GroundQuery for Floor {
        fn ground(&self, _place: Vec3) -> Option<GroundPoint> {
            Some(GroundPoint::level(0.0))
        }
    }

    /// As a component among others, driven by systems; the same bits as without them.
    fn check(cast: &Cast) {
        let dt = 1.0 / 60.0;
        let Performance { character, soles, mut director } = Performance::new(cast, 777);
        let mut plain = Performance::new(cast, 777);
        let mut world = World::new();
        world.insert_resource(Floor);
        let mut schedule = Schedule::default();
        add_animation_systems_on::<Floor>(&mut schedule);
        let entity = world.spawn(character).id();
        for frame in 0..FRAMES {
            let mut character = world.get_mut::<Character>(entity).expect("it was spawned");
            director.direct(&mut character, dt);
            let velocity = Velocity { linear: director.velocity() };
            world.entity_mut(entity).insert((Transform::from_translation(director.place()), velocity));
            world.get_resource_or_init::<Time>().advance(dt);
            schedule.run(&mut world);
            let character = world.get::<Character>(entity).expect("it was spawned");
            let depth = -lowest(&soles, character);
            let deepest = if cast.file.ends_with("simple_humanoid.glb") { DEEPEST } else { DEEPEST_OF_STRANGERS };
            assert!(depth < deepest, "{}: {:.1} mm deep in frame {frame}", cast.file.display(), 1000.0 * depth);
            plain.play(dt);
            assert_eq!(character.palette(), plain.character.palette(), "frame {frame}");
        }
    }

    #[test]
    fn soles_stay_above_the_floor_in_the_ecs() {
        check(&humanoid());
    }

    #[test]
    fn soles_of_strangers_stay_above_the_floor_in_the_ecs() {
        for cast in strangers("soles_of_strangers_stay_above_the_floor_in_the_ecs") {
            check(&cast);
        }
    }
}
