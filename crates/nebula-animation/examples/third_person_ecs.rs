//! The third-person character as an entity: a `Character`, the game's own ground, messages, and a sword attached to a
//! joint.
//!
//! `cargo run -p nebula-animation --example third_person_ecs -- my.glb`, or without a file for the included character.
use bevy_ecs::{message::Messages, prelude::*};
use glam::{Vec2, Vec3};
use nebula_animation::ecs::{Airborne, AnimationEvent, Time, Transform, WorldMatrix, add_animation_systems_on};
use nebula_animation::{AnimationClip, Asset, prelude::*};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");

/// The ground of the game, a resource that foot placement queries directly: a hill that ends at a lift.
#[derive(Resource)]
struct Level {
    edge: f32,
    lift: f32,
    lift_speed: f32,
}

impl GroundQuery for Level {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        let lift = GroundPoint::level(0.15 * self.edge + self.lift).moving(Vec3::Y * self.lift_speed);
        Some(if place.z > self.edge { lift } else { GroundPoint::new(0.15 * place.z, Vec3::new(0.0, 1.0, -0.15)) })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asset = Asset::load(std::env::args().nth(1).as_deref().unwrap_or(FILE))?;
    let (rig, mut clips) = (asset.rig(), asset.clips());
    clips.push(AnimationClip::of_morph_weight("frown", 0, &[(0.0, 0.0), (0.2, 1.0)]));
    let steps = LibraryOptions { step_marker: Some("step".into()), ..Default::default() };
    let library = AnimationClipLibrary::with_options(&rig, &clips, steps);
    let clip = |names: &[&str]| library.find_any(names);
    let gaits = [clip(&["idle", "Idle"])?, clip(&["walk", "Walking"])?, clip(&["run", "Running"])?];
    let walk = library[gaits[1]].velocity().length();
    let (mut world, mut schedule) = (World::new(), Schedule::default());
    add_animation_systems_on::<Level>(&mut schedule);
    world.insert_resource(Level { edge: 4.0 * walk, lift: 0.0, lift_speed: 0.0 });
    let mut hero = Character::of(library.clone());
    let gait = hero.mixer.add_blend_space(BlendSpace::by_speed(&library, &gaits)?);
    hero.mixer.play(gait, 0.0)?;
    let [arms, face] = [rig.upper_body()?, rig.face()].map(|mask| hero.mixer.add_masked_layer("part", mask));
    let friend = world.spawn(Transform::from_translation(Vec3::new(2.0, 2.0, 9.0) * walk)).id();
    hero.add_layer(rig.humanoid().aim(&rig, Vec3::ZERO)?.following(TargetId(friend.to_bits())));
    hero.add_layer(rig.humanoid().foot_placement(&rig)?);
    let hero = world.spawn(hero).id();
    let hand = if rig.joint_by_name("RightHand").is_some() { "RightHand" } else { "Palm2.R" };
    let sword = world.spawn((BoneAttachment::named(hand), ChildOf(hero))).id();
    let (mut z, mut steps, mut frowned) = (0.0, 0, 0.0_f32);
    for frame in 0..720 {
        let speed = if z < 4.5 * walk { walk * (frame as f32 / 60.0).min(1.0) } else { 0.0 };
        let mut level = world.resource_mut::<Level>();
        level.lift_speed = if (420..480).contains(&frame) { 0.1 * walk } else { 0.0 };
        (z, level.lift) = (z + speed / 60.0, level.lift + level.lift_speed / 60.0);
        let place = level.ground(Vec3::Z * z).map_or(Vec3::ZERO, |ground| Vec3::new(0.0, ground.height, z));
        let mut entity = world.entity_mut(hero);
        entity.insert(Transform::from_translation(place));
        let mut character = entity.get_mut::<Character>().ok_or("spawned")?;
        match frame {
            60 => character.mixer.play_once_on(arms, clip(&["wave", "Wave"])?, 0.2, 0.2)?.speed = 1.0,
            90 => character.mixer.play_on(face, "frown", 0.1)?.looping = false,
            560 => character.mixer.play(clip(&["jump", "Jump"])?, 0.1)?.looping = false,
            561 => drop(entity.insert(Airborne)),
            620 => drop(entity.remove::<Airborne>()),
            640 => character.mixer.play(gait, Fade::inertialised(0.2))?.looping = true,
            _ => character.mixer.set_blend_position(gait, Vec2::X * speed)?,
        }
        world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
        schedule.run(&mut world);
        let mut events = world.resource_mut::<Messages<AnimationEvent>>();
        steps += events.drain().filter(|event| event.name() == "step").count();
        let face = world.get::<Character>(hero).and_then(|hero| hero.frame().morph_weights().first());
        frowned = face.map_or(1.0, |weight| frowned.max(*weight));
    }
    let hilt = world.get::<WorldMatrix>(sword).ok_or("attached")?.0.w_axis.truncate();
    println!("{steps} steps, the sword is at {hilt:.2}");
    assert!(steps >= 4 && frowned > 0.99 && hilt.z > 4.0 * walk && hilt.y > 0.6 * walk);
    Ok(())
}
