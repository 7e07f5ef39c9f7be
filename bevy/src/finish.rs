//! The frame of every character: first clocks, then layers.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

use bevy::ecs::change_detection::{ContiguousMut, Tick};
use bevy::ecs::system::{ReadOnlySystemParam, StaticSystemParam, SystemParam};
use bevy::prelude::*;
use bevy::utils::Parallel;
use nebula_animation::{Character, GroundQuery, Surroundings, TargetId};

use crate::character::Animator;
use crate::ground::{GroundCaster, GroundSource};
use crate::messages::{Reports, has_news};
use crate::pieces::{for_each_piece, piece_of};

/// Marks a character that jumps or falls: its feet are released.
#[derive(Component, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, Clone, Default, PartialEq)]
pub struct Airborne;

/// What is hidden now. Bevy works it out after transforms were propagated, which is too late for poses.
#[derive(SystemParam)]
pub(crate) struct Hidden<'w, 's> {
    shown: Query<'w, 's, (&'static Visibility, Option<&'static ChildOf>)>,
}

impl Hidden<'_, '_> {
    /// Whether an entity is hidden that is seen like this, and has this parent.
    fn hides(&self, mut visibility: Visibility, parent: Option<&ChildOf>) -> bool {
        let mut parent = parent.map(ChildOf::parent);
        loop {
            match (visibility, parent.map(|parent| self.shown.get(parent))) {
                (Visibility::Hidden, _) => return true,
                (Visibility::Inherited, Some(Ok((above, next)))) => {
                    (visibility, parent) = (*above, next.map(ChildOf::parent));
                }
                _ => return false,
            }
        }
    }
}

/// Characters in one piece of work for a thread.
const PIECE: usize = 128;

/// What is asked for of a character.
type Actor = (Entity, &'static mut Animator, Option<&'static Visibility>, Option<&'static ChildOf>, Has<Airborne>);

/// Characters that lie side by side in the world.
struct Actors<'a> {
    entities: &'a [Entity],
    animators: &'a mut [Animator],
    /// When each was changed last, and what counts as now.
    changed: &'a mut [Tick],
    now: Tick,
    visibilities: Option<&'a [Visibility]>,
    parents: Option<&'a [ChildOf]>,
    are_airborne: bool,
}

/// Hands out characters, some at a time, to whoever works through them.
fn in_pieces(actors: &mut Query<Actor>, work_through: impl for<'a> FnOnce(&mut dyn Iterator<Item = Actors<'a>>)) {
    let Ok(tables) = actors.contiguous_iter_mut() else { return };
    let piece = piece_of(PIECE);
    let mut tables: Vec<_> = tables
        .map(|(entities, animators, visibilities, parents, are_airborne)| {
            let (animators, ticks) = ContiguousMut::bypass_change_detection_split(animators);
            (entities, animators, ticks, visibilities, parents, are_airborne)
        })
        .collect();
    let mut pieces = tables.iter_mut().flat_map(|(entities, animators, ticks, visibilities, parents, are_airborne)| {
        let (now, are_airborne) = (ticks.this_run(), *are_airborne);
        let changed = ticks.changed_mut().chunks_mut(piece);
        let pieces = entities.chunks(piece).zip(animators.chunks_mut(piece)).zip(changed).enumerate();
        pieces.map(move |(number, ((entities, animators), changed))| {
            let first = number * piece;
            let visibilities = visibilities.and_then(|all| all.get(first..first + entities.len()));
            let parents = parents.and_then(|all| all.get(first..first + entities.len()));
            Actors { entities, animators, changed, now, visibilities, parents, are_airborne }
        })
    });
    work_through(&mut pieces);
}

impl Actors<'_> {
    /// Calls `work` with the index and the animator of each, and with what there is beside the animators.
    fn for_each(mut self, mut work: impl FnMut(usize, &mut Animator, &mut Self)) {
        let animators = std::mem::take(&mut self.animators);
        Character::for_each_in(
            animators,
            |animator| &animator.character,
            |index, animator| work(index, animator, &mut self),
        );
    }

    /// Whether one of them is hidden.
    fn is_hidden(&self, index: usize, hidden: &Hidden) -> bool {
        let visibility = self.visibilities.and_then(|all| all.get(index)).copied().unwrap_or_default();
        hidden.hides(visibility, self.parents.and_then(|all| all.get(index)))
    }

    /// Notes that one of them has its pose, or is not to get any.
    fn note(&mut self, index: usize, animator: &mut Animator, is_posed: bool) {
        if is_posed {
            animator.is_changed = std::mem::take(&mut animator.is_fresh) || animator.character.frame().is_changed();
        } else {
            // Whatever is shown next is not the pose that the joints have.
            (animator.is_fresh, animator.is_changed) = (true, false);
        }
        if animator.is_changed {
            self.changed[index] = self.now;
        }
    }
}

/// What the first half of a frame leaves to the others.
#[derive(Resource, Debug, Default)]
pub(crate) struct Left {
    /// Whether a character minds the world.
    bends: AtomicBool,
}

/// State machines decide and mixers play, on all threads, and who does not mind the world gets its pose; what they have to tell is told in the
/// order of their entities.
pub(crate) fn advance_characters(
    time: Res<Time>,
    mut actors: Query<Actor>,
    hidden: Hidden,
    left: Res<Left>,
    mut tellers: Local<Parallel<Vec<Entity>>>,
    mut told: Local<Vec<Entity>>,
    mut reports: Reports,
) {
    let dt = time.delta_secs_f64();
    left.bends.store(false, Ordering::Relaxed);
    let queue = &*tellers;
    let advance = |actors: Actors| {
        actors.for_each(|index, animator, others| {
            let character = &mut animator.character;
            character.advance(dt);
            if has_news(character) {
                queue.borrow_local_mut().push(others.entities[index]);
            }
            if !character.layers.layers.is_empty() {
                left.bends.store(true, Ordering::Relaxed);
                return;
            }
            let is_posed = !others.is_hidden(index, &hidden);
            if is_posed {
                character.finish(&Surroundings::default());
            }
            others.note(index, animator, is_posed);
        });
    };
    in_pieces(&mut actors, |pieces| for_each_piece(pieces, advance));
    told.clear();
    tellers.drain_into(&mut told);
    told.sort_unstable();
    for entity in &*told {
        if let Ok((entity, animator, ..)) = actors.get(*entity) {
            reports.write(entity, &animator.character);
        }
    }
}

/// What there is to know of the world when layers bend poses to it.
#[derive(SystemParam)]
pub(crate) struct Around<'w, 's> {
    hidden: Hidden<'w, 's>,
    left: Res<'w, Left>,
    time: Res<'w, Time>,
    helper: TransformHelper<'w, 's>,
}

/// Layers bend poses to the world, on all threads.
pub(crate) fn finish_characters<P>(mut actors: Query<Actor>, world: Around, ground: StaticSystemParam<P>)
where
    P: ReadOnlySystemParam + 'static,
    for<'w, 's> P::Item<'w, 's>: GroundSource + Sync,
{
    if world.left.bends.load(Ordering::Relaxed) {
        let ground = &*ground;
        in_pieces(&mut actors, |pieces| {
            for_each_piece(pieces, |piece| piece.bend(&world, || ground.query()));
        });
    }
}

/// Layers bend poses to the world, in turn: who casts rays does so one at a time.
pub(crate) fn finish_in_turn<P>(mut actors: Query<Actor>, world: Around, ground: StaticSystemParam<P>)
where
    P: SystemParam + 'static,
    for<'w, 's> P::Item<'w, 's>: GroundCaster,
{
    if world.left.bends.load(Ordering::Relaxed) {
        let caster = RefCell::new(ground.into_inner());
        let ground = |place: Vec3| caster.borrow_mut().cast(place);
        in_pieces(&mut actors, |pieces| pieces.for_each(|piece| piece.bend(&world, || Some(&ground))));
    }
}

impl Actors<'_> {
    /// Has the layers of characters bend their poses.
    fn bend<'g>(self, world: &Around, ground: impl Fn() -> Option<&'g dyn GroundQuery>) {
        self.for_each(|index, animator, others| {
            if animator.character.layers.layers.is_empty() {
                return;
            }
            let is_posed = !others.is_hidden(index, &world.hidden);
            if is_posed {
                bend(animator, world, others.are_airborne, ground());
            }
            others.note(index, animator, is_posed);
        });
    }
}

/// A frame of a character that minds the world: where it is now, and not where it was drawn last.
fn bend(animator: &mut Animator, world: &Around, is_airborne: bool, ground: Option<&dyn GroundQuery>) {
    let (helper, dt) = (&world.helper, world.time.delta_secs());
    let place = helper.compute_global_transform(animator.model).unwrap_or_default();
    let before = animator.last_place.replace(place.translation());
    let velocity = before.filter(|_| dt > 0.0).map_or(Vec3::ZERO, |before| (place.translation() - before) / dt);
    let targets = |target: TargetId| {
        let entity = Entity::try_from_bits(target.0)?;
        helper.compute_global_transform(entity).ok().map(|place| place.translation())
    };
    animator.character.finish(&Surroundings {
        world_from_model: place.affine(),
        velocity,
        ground,
        is_grounded: !is_airborne,
        targets: Some(&targets),
    });
}
