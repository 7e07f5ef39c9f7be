//! Many full characters whose poses are worked out as often as is seen, and whose time passes in every frame.

mod clocks;
mod keys;
mod options;
mod plan;
mod straight;

use std::time::Instant;

use glam::Vec3;

use crate::character::Character;
use crate::compile::RootDelta;
use crate::crowd::{CrowdCharacterId, Roster};
use crate::frame::Surroundings;
use crate::mixer::MixerEvents;
use crate::palette::PaletteRows;
use clocks::{HandClock, Shelf};
use plan::{Plan, Show};

pub use options::{Budget, TroupeOptions, View};

/// Many characters of any rigs, and the palettes of those in view.
///
/// Time passes for every member in every frame: clocks, state machines, events and root motion are those of
/// [`Character::update`]. The pose of a member in view is worked out as often as is seen. Those who are near are worked
/// out in every frame. For the others, the pose some frames ahead is worked out, as far ahead as the straight lines up
/// to it deviate by no more than the [tolerance](TroupeOptions::tolerance) on the screen, and the palettes in between
/// are interpolated. How far clips deviate is measured when a library is first used. What is out of view has no pose,
/// unless something is [attached](Character::attach) to it: such members are worked out in every frame, seen or not.
///
/// Layers are stepped from key to key, in the surroundings that you expect there. What they add to the deviation is not
/// part of the estimate.
///
/// ```
/// use glam::{Affine3A, Vec3};
/// use nebula_animation::{AnimationClipLibrary, Character, Surroundings};
/// use nebula_animation::troupe::{Troupe, TroupeOptions, View};
///
/// let mut troupe = Troupe::new(TroupeOptions::default());
/// let member = troupe.add(Character::of(AnimationClipLibrary::default()));
/// let view = View::look_at(Vec3::new(0.0, 2.0, 8.0), Vec3::Y, 60_f32.to_radians(), [1920.0, 1080.0]);
/// troupe.advance(1.0 / 60.0);
/// troupe.set_place(member, Vec3::ZERO); // Where your game moves it.
/// troupe.finish(&view, |_, _ahead| Surroundings::at(Affine3A::IDENTITY));
/// assert_eq!(troupe.report().in_view, 1);
/// ```
#[derive(Debug)]
pub struct Troupe {
    options: TroupeOptions,
    roster: Roster,
    members: Vec<Member>,
    /// The part of each member that changes in every frame.
    clocks: Vec<HandClock>,
    shows: Vec<Show>,
    places: Vec<Place>,
    shelf: Shelf,
    plan: Plan,
    /// Of this frame, and of the one before.
    palettes: [Vec<PaletteRows>; 2],
    /// Where the palette of each of those in view begins.
    starts: Vec<usize>,
    scratch: Vec<PaletteRows>,
    /// Seconds that have passed, and those of the last frame.
    now: f64,
    dt: f64,
    /// Milliseconds that the last advance took, if a budget asks for them.
    passing: f32,
    frame: u64,
}

/// A handle to a member of a [`Troupe`]. It stays valid while others are added and removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TroupeId(CrowdCharacterId);

/// What a frame of a troupe came to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct TroupeReport {
    /// How many members there are in view.
    pub in_view: usize,
    /// How many poses were worked out in the last frame.
    pub evaluated: usize,
    /// The deviation that is allowed now, in pixels: the tolerance of the options, or more under load.
    pub tolerance: f32,
    /// The largest expected deviation of the clips of anybody in view, in pixels.
    pub largest_error: f32,
}

#[derive(Debug)]
struct Member {
    character: Character,
    /// Where the clips of its library begin on the shelf.
    clips: u32,
    /// The keys between which its palette is. Empty until it is first seen.
    from: Vec<PaletteRows>,
    to: Vec<PaletteRows>,
}

/// A sphere around a member, in world space.
#[derive(Debug, Clone, Copy)]
struct Place {
    middle: Vec3,
    radius: f32,
}

impl Troupe {
    /// Creates an empty troupe.
    #[must_use]
    pub fn new(options: TroupeOptions) -> Self {
        Self {
            plan: Plan::new(&options),
            options,
            roster: Roster::default(),
            members: Vec::new(),
            clocks: Vec::new(),
            shows: Vec::new(),
            places: Vec::new(),
            shelf: Shelf::default(),
            palettes: [Vec::new(), Vec::new()],
            starts: Vec::new(),
            scratch: Vec::new(),
            now: 0.0,
            dt: 1.0 / 60.0,
            passing: 0.0,
            frame: 1,
        }
    }

    /// Adds a character, out of view until it is given a [place](Troupe::set_place). Looks at the clips of a library
    /// that is new to the troupe, which takes milliseconds each. Its own palette is switched off.
    pub fn add(&mut self, mut character: Character) -> TroupeId {
        character.want_palette(false);
        let clips = self.shelf.add(character.mixer.clips());
        self.members.push(Member { character, clips, from: Vec::new(), to: Vec::new() });
        self.clocks.push(HandClock::NEW);
        self.shows.push(Show::NEVER);
        self.places.push(Place { middle: Vec3::splat(f32::NAN), radius: 0.0 });
        TroupeId(self.roster.push())
    }

    /// Removes a member and returns its character; `None` if it was already removed.
    pub fn remove(&mut self, member: TroupeId) -> Option<Character> {
        let index = self.index_of(member)?;
        self.clocks[index].settle(&mut self.members[index]);
        self.roster.swap(index, self.members.len() - 1);
        self.roster.pop();
        self.clocks.swap_remove(index);
        self.shows.swap_remove(index);
        self.places.swap_remove(index);
        Some(self.members.swap_remove(index).character)
    }

    /// A member's character, to change what it plays. Its next key is worked out anew. `None` if it was removed.
    pub fn get_mut(&mut self, member: TroupeId) -> Option<&mut Character> {
        let index = self.index_of(member)?;
        self.clocks[index].settle(&mut self.members[index]);
        self.clocks[index].is_changed = true;
        Some(&mut self.members[index].character)
    }

    /// Tells where a member is: the middle of what is seen of it, in world space. Call it in every frame in which it
    /// moves. A position that is not finite is out of view.
    pub fn set_place(&mut self, member: TroupeId, middle: Vec3) {
        if let Some(index) = self.index_of(member) {
            self.places[index] = Place { middle, radius: self.options.clean_radius() };
        }
    }

    /// Lets `dt` seconds pass for all: clocks, state machines, events and root steps. A step that is negative or not
    /// finite counts as 0.
    pub fn advance(&mut self, dt: impl Into<f64>) {
        let dt = dt.into();
        let dt = if dt.is_finite() { dt.max(0.0) } else { 0.0 };
        (self.now, self.frame) = (self.now + dt, self.frame + 1);
        if dt > 0.0 {
            self.dt = dt;
        }
        let start = matches!(self.options.budget, Budget::Milliseconds(_)).then(Instant::now);
        let Self { shelf, members, clocks, .. } = self;
        for (clock, member) in clocks.iter_mut().zip(members) {
            clock.has_events = false;
            if !(clock.is_running() && clock.go_on(shelf, dt)) {
                clock.pass(shelf, member, dt);
            }
        }
        self.passing = start.map_or(0.0, |start| start.elapsed().as_secs_f32() * 1e3);
    }

    /// Works out the poses that are due and the palettes of all in view, after [`advance`](Troupe::advance).
    /// `surroundings` is called for those who are worked out, with the seconds from now for which they are: where will
    /// the member be then?
    pub fn finish<'s>(&mut self, view: &View, surroundings: impl Fn(TroupeId, f32) -> Surroundings<'s>) {
        // Nobody looks at a clock whose reading would change nothing: results are then the same everywhere.
        let start = matches!(self.options.budget, Budget::Milliseconds(_)).then(Instant::now);
        self.plan(&view.sight());
        let planned = start.map(|_| Instant::now());
        self.work_out(&surroundings);
        let worked_out = start.map(|_| Instant::now());
        self.lay_out();
        self.interpolate();
        if let (Some(start), Some(planned), Some(worked_out)) = (start, planned, worked_out) {
            let millis = |from: Instant, to: Instant| to.duration_since(from).as_secs_f32() * 1e3;
            let others = self.passing + millis(start, planned) + millis(worked_out, Instant::now());
            self.plan.learn(millis(planned, worked_out), others);
        }
    }

    /// Gives those in view their parts of the buffer.
    fn lay_out(&mut self) {
        let Self { plan, members, shows, palettes, starts, .. } = self;
        palettes.swap(0, 1);
        starts.clear();
        let mut end = 0;
        for &(index, _) in &plan.seen {
            let (show, member) = (&mut shows[index as usize], &members[index as usize]);
            show.place = [end as u32, show.place[0]];
            starts.push(end);
            end += member.character.rig().joint_count();
        }
        palettes[0].resize(end, PaletteRows::IDENTITY);
    }

    /// The root motion step of a member in the last frame; zero if it was removed.
    #[must_use]
    pub fn root_step(&self, member: TroupeId) -> RootDelta {
        self.index_of(member).map_or(RootDelta::ZERO, |index| self.clocks[index].step)
    }

    /// The members for whom markers were passed in the last frame, with their events.
    pub fn events(&self) -> impl Iterator<Item = (TroupeId, MixerEvents<'_>)> {
        let with_events = self.clocks.iter().enumerate().filter(|(_, clock)| clock.has_events);
        with_events.filter_map(|(index, _)| Some((self.id_at(index)?, self.members[index].character.events())))
    }

    /// The palettes of all in view, concatenated, in model space.
    #[must_use]
    pub fn palettes(&self) -> &[PaletteRows] {
        &self.palettes[0]
    }

    /// The palettes of the frame before.
    #[must_use]
    pub fn previous_palettes(&self) -> &[PaletteRows] {
        &self.palettes[1]
    }

    /// Where a member's palette begins in [`palettes`](Troupe::palettes); `None` if it is not in view.
    #[must_use]
    pub fn palette_start(&self, member: TroupeId) -> Option<usize> {
        let show = self.shows.get(self.index_of(member)?)?;
        (show.seen == self.frame).then_some(show.place[0] as usize)
    }

    /// Where a member's palette begins in [`previous_palettes`](Troupe::previous_palettes); `None` if it was not in
    /// view then, or is not now.
    #[must_use]
    pub fn previous_palette_start(&self, member: TroupeId) -> Option<usize> {
        let show = self.shows.get(self.index_of(member)?)?;
        (show.seen == self.frame && show.place[1] != u32::MAX).then_some(show.place[1] as usize)
    }

    /// The largest deviation that is expected of a member's clips, in model units; `None` if it is not in view.
    #[must_use]
    pub fn error_of(&self, member: TroupeId) -> Option<f32> {
        let show = self.shows.get(self.index_of(member)?)?;
        (show.seen == self.frame).then_some(show.error)
    }

    /// What the last frame came to.
    #[must_use]
    pub fn report(&self) -> TroupeReport {
        let errors = self.plan.seen.iter().map(|(index, pixels)| self.shows[*index as usize].error * pixels);
        TroupeReport {
            in_view: self.plan.seen.len(),
            evaluated: self.plan.due.len(),
            tolerance: self.plan.tolerance,
            largest_error: errors.fold(0.0, f32::max),
        }
    }

    fn index_of(&self, member: TroupeId) -> Option<usize> {
        self.roster.index_of(member.0)
    }

    fn id_at(&self, index: usize) -> Option<TroupeId> {
        self.roster.id_at(index).map(TroupeId)
    }
}
