//! Feet as components: the systems tell the layer which clips are shown, and ask the world's ground.

use bevy_ecs::prelude::*;
use glam::{DVec3, Vec3};
use nebula_animation::{
    AnimationPlayer, Character, GroundPoint, GroundQuery, JointPose, ProceduralAnimationStack,
    ecs::{Time, Transform, add_animation_systems_on},
};

use super::walker::{Humanoid, Terrain, ground};

const SLOPE: Terrain = |_, z| 0.363_970 * z;

#[derive(Resource)]
struct Hill;

impl GroundQuery for Hill {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        ground(SLOPE)(place)
    }
}

/// Walks an entity up the slope, and looks at its right sole while that is flat; `look` tells the time of the walk and the pose.
fn walk(humanoid: &Humanoid, walker: impl Bundle, look: impl Fn(&World, Entity) -> (f32, Vec<JointPose>)) {
    let mut world = World::new();
    let mut schedule = Schedule::default();
    add_animation_systems_on::<Hill>(&mut schedule);
    world.insert_resource(Hill);
    let entity = world.spawn((walker, Transform::default())).id();

    let mut landed: Option<Vec<DVec3>> = None;
    let mut measured = 0;
    for frame in 1..=300 {
        let z = 0.6 * frame as f32 / 60.0;
        let place = Vec3::new(0.0, SLOPE(0.0, f64::from(z)) as f32, z);
        world.get_mut::<Transform>(entity).expect("a transform").translation = place;
        world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
        schedule.run(&mut world);
        let (time, pose) = look(&world, entity);
        // While the right sole is flat.
        if !(0.55..1.0).contains(&time) {
            landed = None;
            continue;
        }
        let [_, sole] = humanoid.soles(&pose);
        let sole: Vec<DVec3> = sole.into_iter().map(|vertex| vertex + place.as_dvec3()).collect();
        let lowest = sole.iter().map(|p| p.y - SLOPE(p.x, p.z)).fold(f64::INFINITY, f64::min);
        assert!(lowest.abs() < 0.005, "frame {frame}: {lowest}");
        let landed = landed.get_or_insert_with(|| sole.clone());
        let slid = landed.iter().zip(&sole).map(|(from, to)| from.distance(*to)).fold(0.0, f64::max);
        assert!(slid < 0.005, "frame {frame}: {slid}");
        measured += 1;
    }
    assert!(measured > 60);
}

#[test]
fn a_player_walks_up_a_slope_in_a_world() {
    let humanoid = Humanoid::load();
    let mut stack = ProceduralAnimationStack::default();
    stack.push(humanoid.rig.humanoid().foot_placement(&humanoid.rig).expect("legs"));
    let player = AnimationPlayer::new(humanoid.clip("stroll"), 2.0, humanoid.skeleton.joints.len());
    walk(&humanoid, (player, humanoid.library.clone(), stack), |world, entity| {
        let player = world.get::<AnimationPlayer>(entity).expect("a player");
        (player.time, player.local_poses.clone())
    });
}

#[test]
fn a_character_walks_up_a_slope_in_a_world() {
    let humanoid = Humanoid::load();
    let mut character = Character::of(humanoid.library.clone());
    character.add_layer(humanoid.rig.humanoid().foot_placement(&humanoid.rig).expect("legs"));
    character.mixer.play("stroll", 0.0).expect("a clip");
    walk(&humanoid, character, |world, entity| {
        let character = world.get::<Character>(entity).expect("it is one");
        let mut pose = humanoid.skeleton.bind_pose();
        character.frame().write_pose(&mut pose);
        (character.mixer.current_action.as_ref().expect("it walks").time, pose)
    });
}
