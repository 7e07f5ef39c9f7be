//! Feet as a component: the systems tell the layer which clip is shown.

use bevy_ecs::prelude::*;
use glam::{DVec3, Vec3};
use nebula_animation::{
    AnimationClipLibrary, AnimationPlayer, HumanoidMap, ProceduralAnimationStack, SharedSkeleton,
    add_animation_systems,
    ecs::{Time, Transform},
};

use super::walker::{Humanoid, Terrain, ground};

#[test]
fn a_character_walks_up_a_slope_in_a_world() {
    let slope: Terrain = |_, z| 0.363_970 * z;
    let humanoid = Humanoid::load();
    let map = HumanoidMap::find(&humanoid.skeleton).expect("a humanoid");
    let layer = map.foot_placement(&humanoid.rest, ground(slope)).expect("legs").with_tracks(humanoid.tracks.clone());
    let mut stack = ProceduralAnimationStack::default();
    stack.push(layer);

    let mut world = World::new();
    let mut schedule = Schedule::default();
    add_animation_systems(&mut schedule);
    let clips = AnimationClipLibrary::from(humanoid.clips.clone());
    let skeleton = SharedSkeleton::from(humanoid.skeleton.clone());
    let joints = humanoid.skeleton.joints.len();
    let player = AnimationPlayer::new(humanoid.clip("walk"), 2.0, joints);
    let entity = world.spawn((player, skeleton, clips, stack, Transform::default())).id();

    let mut landed: Option<Vec<DVec3>> = None;
    let mut measured = 0;
    for frame in 1..=300 {
        let z = 0.6 * frame as f32 / 60.0;
        let place = Vec3::new(0.0, slope(0.0, f64::from(z)) as f32, z);
        world.get_mut::<Transform>(entity).expect("a transform").translation = place;
        world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
        schedule.run(&mut world);
        let player = world.get::<AnimationPlayer>(entity).expect("a player");
        // While the right sole is flat.
        if !(0.55..1.0).contains(&player.time) {
            landed = None;
            continue;
        }
        let [_, sole] = humanoid.soles(&player.local_poses);
        let sole: Vec<DVec3> = sole.into_iter().map(|vertex| vertex + place.as_dvec3()).collect();
        let lowest = sole.iter().map(|p| p.y - slope(p.x, p.z)).fold(f64::INFINITY, f64::min);
        assert!(lowest.abs() < 0.005, "frame {frame}: {lowest}");
        let landed = landed.get_or_insert_with(|| sole.clone());
        let slid = landed.iter().zip(&sole).map(|(from, to)| from.distance(*to)).fold(0.0, f64::max);
        assert!(slid < 0.005, "frame {frame}: {slid}");
        measured += 1;
    }
    assert!(measured > 60);
}
