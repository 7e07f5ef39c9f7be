use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::{IntoScheduleConfigs, Schedule, SystemSet};

use super::around::NoGround;
use super::attachments::attachment_system;
use super::character::{advance_character_system, finish_character_system};
use super::check::check_system;
use super::procedural::procedural_animation_system_on;
use super::root_motion::root_motion_system;
use super::systems::{advance_and_sample_system, palette_system};
use crate::frame::GroundQuery;

/// The stages of a frame, in order. Order your own systems relative to them: systems that modify poses belong in
/// `Procedural`, systems that read palettes after `Palette`.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use nebula_animation::{AnimationPlayer, add_animation_systems, ecs::AnimationSet};
///
/// fn stand_on_tiptoe(mut players: Query<&mut AnimationPlayer>) {
///     for mut player in &mut players {
///         if let Some(root) = player.local_poses.first_mut() {
///             root.0.y += 0.1;
///             player.mark_pose_stale(); // The next frame begins with the clip's pose again.
///         }
///     }
/// }
///
/// let mut schedule = Schedule::default();
/// add_animation_systems(&mut schedule);
/// schedule.add_systems(stand_on_tiptoe.in_set(AnimationSet::Procedural));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, SystemSet)]
pub enum AnimationSet {
    /// State machines decide, players and characters advance and sample their clips, root motion moves entities.
    AdvanceAndSample,
    /// Layers modify poses: look-at, lean, IK. The frames of characters are finished.
    Procedural,
    /// Palettes are computed.
    Palette,
    /// Attached objects follow their joints.
    Attachments,
}

/// Adds the systems of this crate to a schedule, in the sets of [`AnimationSet`], for a world without ground.
///
/// Advance the [`Time`](super::Time) resource before the schedule runs.
pub fn add_animation_systems(schedule: &mut Schedule) {
    add_animation_systems_on::<NoGround>(schedule);
}

/// Adds the systems of this crate to a schedule, for a world whose ground is your own resource.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use glam::Vec3;
/// use nebula_animation::{GroundPoint, GroundQuery, ecs::add_animation_systems_on};
///
/// #[derive(Resource)]
/// struct Hill;
///
/// impl GroundQuery for Hill {
///     fn ground(&self, place: Vec3) -> Option<GroundPoint> {
///         Some(GroundPoint::new(0.2 * place.x, Vec3::new(-0.2, 1.0, 0.0)))
///     }
/// }
///
/// let mut schedule = Schedule::default();
/// add_animation_systems_on::<Hill>(&mut schedule);
/// ```
pub fn add_animation_systems_on<G: Resource + GroundQuery>(schedule: &mut Schedule) {
    schedule.configure_sets(
        (AnimationSet::AdvanceAndSample, AnimationSet::Procedural, AnimationSet::Palette, AnimationSet::Attachments)
            .chain(),
    );
    schedule.add_systems((
        (check_system::<G>, advance_and_sample_system, advance_character_system, root_motion_system)
            .chain()
            .in_set(AnimationSet::AdvanceAndSample),
        (procedural_animation_system_on::<G>, finish_character_system::<G>).chain().in_set(AnimationSet::Procedural),
        palette_system.in_set(AnimationSet::Palette),
        attachment_system.in_set(AnimationSet::Attachments),
    ));
}
