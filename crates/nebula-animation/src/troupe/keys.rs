//! Works out the keys that are due, and the palettes in between.

use super::clocks::HandClock;
use super::plan::{Due, Show};
use super::{Member, Troupe, TroupeId};
use crate::character::Character;
use crate::frame::Surroundings;
use crate::palette::{PaletteRows, rows_of_blocks};
use crate::rig::block::{LANES, PoseBlock};

/// The time of a frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    pub now: f64,
    pub dt: f64,
}

/// The longest time that layers are stepped by at once, in seconds.
const LONGEST_STEP: f64 = 2.0;

impl Troupe {
    /// Works out all keys that are due; those of one rig side by side.
    pub(super) fn work_out<'s>(&mut self, surroundings: &impl Fn(TroupeId, f32) -> Surroundings<'s>) {
        let Self { plan, members, clocks, shows, roster, scratch, now, dt, .. } = self;
        let moment = Moment { now: *now, dt: *dt };
        let mut left = &plan.due[..];
        while let Some(first) = left.first() {
            let rig = members[first.index as usize].character.rig().id();
            let is_alike = |due: &&Due| {
                due.has_shown == first.has_shown && members[due.index as usize].character.rig().id() == rig
            };
            let count = left.iter().take(LANES).take_while(is_alike).count();
            let (some, others) = left.split_at(count);
            let mut around = [Surroundings::default(); LANES];
            for (around, due) in around.iter_mut().zip(some) {
                let at = due.index as usize;
                let ahead = prepare(*due, moment, &mut members[at], &mut clocks[at], &mut shows[at]);
                if let Some(id) = roster.id_at(at) {
                    *around = surroundings(TroupeId(id), ahead as f32);
                }
            }
            let indices: [usize; LANES] =
                std::array::from_fn(|lane| some.get(lane).map_or(usize::MAX, |due| due.index as usize));
            match members.get_disjoint_mut(indices) {
                Ok(mut eight) => {
                    Character::finish_ahead(&mut eight.each_mut().map(|member| &mut member.character), &around);
                    let [first, ..] = &eight;
                    let joints = first.character.rig().joint_count();
                    scratch.resize(scratch.len().max(LANES * joints), PaletteRows::IDENTITY);
                    let rows = &mut scratch[..LANES * joints];
                    rows_of_blocks(
                        first.character.rig(),
                        &eight.each_ref().map(|member| member.character.lanes()),
                        rows,
                    );
                    for (member, rows) in eight.iter_mut().zip(rows.chunks_exact(joints.max(1))) {
                        member.to.copy_from_slice(rows);
                    }
                }
                Err(_) => {
                    for (due, around) in some.iter().zip(&around) {
                        let Member { character, to, .. } = &mut members[due.index as usize];
                        Character::finish_ahead(&mut [&mut *character], std::slice::from_ref(around));
                        rows_of_blocks(character.rig(), &[character.lanes()], to);
                    }
                }
            }
            left = others;
        }
    }

    /// Writes the palettes of all in view.
    pub(super) fn interpolate(&mut self) {
        let Self { plan, members, shows, palettes, starts, now, dt, .. } = self;
        let [palettes, _] = palettes;
        for (&(index, _), start) in plan.seen.iter().zip(&*starts) {
            let (show, member) = (&shows[index as usize], &members[index as usize]);
            let out = &mut palettes[*start..][..member.to.len()];
            let (span, passed) = (show.to - show.from, *now - show.from);
            let (is_at_end, is_at_start) = (*now > show.to - 0.01 * *dt, passed < 0.01 * *dt);
            match (is_at_end, is_at_start) {
                (true, _) => out.copy_from_slice(&member.to),
                (false, true) => out.copy_from_slice(&member.from),
                (false, false) => lerp(&member.from, &member.to, (passed / span) as f32, out),
            }
        }
    }
}

/// Gets a character ready for a key. How many seconds from now that is.
fn prepare(due: Due, moment: Moment, member: &mut Member, clock: &mut HandClock, show: &mut Show) -> f64 {
    let Moment { now, dt } = moment;
    clock.settle(member);
    let joints = member.character.rig().joint_count();
    member.to.resize(joints, PaletteRows::IDENTITY);
    member.from.resize(joints, PaletteRows::IDENTITY);
    let is_just_shown = show.from == now && show.to == now;
    let mut ahead = f64::from(due.frames.saturating_sub(1)) * dt;
    if due.has_shown {
        if is_just_shown {
            ahead += dt;
        }
        if clock.is_changed {
            // Layers do not go back.
            ahead = ahead.max(show.to - now);
        }
        go_on_from_what_is_shown(moment, member, show);
        clock.is_changed = false;
    } else {
        show.from = now;
    }
    (show.to, show.frames) = (now + ahead, due.frames.max(1));
    let step = (show.to - show.layers).clamp(0.0, LONGEST_STEP);
    show.layers = show.layers.max(show.to);
    member.character.look_ahead(ahead, step);
    ahead
}

/// Makes what is shown the beginning of the next interval.
fn go_on_from_what_is_shown(Moment { now, dt }: Moment, member: &mut Member, show: &mut Show) {
    let Member { from, to, .. } = member;
    let last = now - dt;
    let is_now = show.to == now;
    if is_now || (show.to - last).abs() < 0.01 * dt || !(show.to > show.from) {
        std::mem::swap(from, to);
    } else {
        let fraction = ((last - show.from) / (show.to - show.from)) as f32;
        for (from, to) in from.iter_mut().zip(&*to) {
            for (from, to) in from.0.as_flattened_mut().iter_mut().zip(to.0.as_flattened()) {
                *from += (*to - *from) * fraction;
            }
        }
    }
    show.from = if is_now { now } else { last };
}

/// A part of the way from one palette to another.
fn lerp(from: &[PaletteRows], to: &[PaletteRows], fraction: f32, out: &mut [PaletteRows]) {
    for ((out, from), to) in out.iter_mut().zip(from).zip(to) {
        let values = from.0.as_flattened().iter().zip(to.0.as_flattened());
        for (out, (from, to)) in out.0.as_flattened_mut().iter_mut().zip(values) {
            *out = from + (to - from) * fraction;
        }
    }
}

impl Character {
    /// The pose of the frame, in lanes.
    fn lanes(&self) -> &[PoseBlock] {
        &self.frame().local
    }
}
