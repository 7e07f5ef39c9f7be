use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::system::Query;

use super::systems::for_each;
use crate::mixer::{AnimationMixer, StateMachinePlayer};

/// Lets every state machine decide what its mixer plays: before the mixers advance.
///
/// [`add_animation_systems`](super::add_animation_systems) adds it. Set parameters before it runs; a mixer counts as changed
/// when its machine takes a transition.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use nebula_animation::{AnimationSet, StateMachinePlayer, Velocity, add_animation_systems};
///
/// /// Walks as fast as it moves.
/// fn steer(mut machines: Query<(&mut StateMachinePlayer, &Velocity)>) {
///     for (mut machine, velocity) in &mut machines {
///         if let Ok(speed) = machine.parameter("speed") {
///             let _ = machine.set_float(speed, velocity.linear.length());
///         }
///     }
/// }
///
/// let mut schedule = Schedule::default();
/// add_animation_systems(&mut schedule);
/// schedule.add_systems(steer.before(AnimationSet::AdvanceAndSample));
/// ```
pub fn state_machine_system(mut machines: Query<(&'static mut StateMachinePlayer, &'static mut AnimationMixer)>) {
    for_each(&mut machines, |(mut machine, mut mixer)| {
        let machine = machine.bypass_change_detection();
        let before = (machine.state(), machine.transitions_taken());
        machine.update(mixer.bypass_change_detection());
        if before != (machine.state(), machine.transitions_taken()) {
            mixer.set_changed();
        }
    });
}
