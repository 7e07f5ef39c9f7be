//! Rigs, clips and layers made of an input, and everything that can be done with them, in any order and with any numbers: nothing
//! panics or hangs, and every pose is finite.

mod character;
mod crowd;
mod draw;
mod machine;
mod mixer;
mod player;
mod procedural;
mod tools;
mod world;

use glam::{Quat, Vec3};
use nebula_animation::JointPose;

use character::Actor;
use crowd::Crowds;
use draw::Draw;
use player::Player;
use procedural::Bender;
use world::World;

/// The pose of a joint that stays where its parent is.
const AT_REST: JointPose = (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE);
/// Calls that are made at most.
const MOST_CALLS: usize = 48;

/// The body of the target `play`.
pub fn play(input: &[u8]) {
    let mut draw = Draw::new(input);
    draw.is_tame = !draw.one_in(3);
    let draw = &mut draw;
    let world = World::new(draw);
    let mut player = Player::new(&world, draw);
    let mut actor = Actor::new(&world, draw);
    let mut crowds = Crowds::default();
    let mut bender = Bender::new(&world);
    // An input is mostly about one of them.
    let theme = draw.below(9);
    for _ in 0..MOST_CALLS {
        if draw.is_over() {
            break;
        }
        match if draw.one_in(4) { draw.below(9) } else { theme } {
            0 => player.call(&world, draw),
            theme @ (1 | 2 | 3 | 5) => actor.call(&world, theme, draw),
            4 => crowds.call(&world, draw),
            6 => bender.call(&world, draw),
            7 => tools::call(&world, draw),
            _ => actor.call(&world, draw.below(6), draw),
        }
    }
}

/// Panics unless every number of a pose is finite.
fn assert_finite(poses: &[JointPose], what: &str) {
    for (joint, (translation, rotation, scale)) in poses.iter().enumerate() {
        assert!(
            translation.is_finite() && rotation.is_finite() && scale.is_finite(),
            "joint {joint} {what}: {translation} {rotation} {scale}"
        );
    }
}
