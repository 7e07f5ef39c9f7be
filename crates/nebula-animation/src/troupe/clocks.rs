//! Time passes for everybody: a position that goes on, or all that a character does between two poses.

use super::Member;
use super::straight::Straightness;
use crate::clip::Position;
use crate::compile::{AnimationClipLibrary, RootDelta};
use crate::math::ExactSum;
use crate::mixer::{MixerLayer, Steady};

/// A clip of a library that somebody plays, and what is known of it.
#[derive(Debug)]
pub(super) struct Facts {
    library: AnimationClipLibrary,
    clip: usize,
    pub straightness: Straightness,
    /// Whether its root moves.
    moves: bool,
}

/// The clips of all libraries that a troupe has met.
#[derive(Debug, Default)]
pub(super) struct Shelf {
    clips: Vec<Facts>,
    /// The id of each library, and where its clips begin.
    libraries: Vec<(u64, usize)>,
}

impl Shelf {
    /// Where the clips of a library begin, which are looked at if they are new.
    pub fn add(&mut self, library: &AnimationClipLibrary) -> u32 {
        let known = self.libraries.iter().find(|(id, _)| *id == library.id());
        let first = known.map_or(self.clips.len(), |(_, first)| *first);
        if known.is_none() {
            self.libraries.push((library.id(), first));
            let facts = (0..library.len()).map(|clip| Facts {
                library: library.clone(),
                clip,
                straightness: Straightness::of(library.rig(), library[clip].for_palettes()),
                moves: library[clip].root().is_some_and(|track| !track.is_still()),
            });
            self.clips.extend(facts);
        }
        first as u32
    }

    pub fn get(&self, index: usize) -> Option<&Facts> {
        self.clips.get(index)
    }
}

impl Facts {
    /// Up to where in the clip nothing is to be reported, from this time on.
    fn quiet_until(&self, way: f64) -> f64 {
        let clip = &self.library[self.clip];
        let marker = clip.markers().iter().map(|marker| f64::from(marker.time)).find(|time| *time > way);
        marker.unwrap_or(f64::INFINITY).min(f64::from(clip.duration()))
    }

    fn place(&self, way: f64) -> RootDelta {
        let track = self.library[self.clip].root().filter(|_| self.moves);
        track.map_or(RootDelta::ZERO, |track| track.place(way))
    }
}

/// The clock of a member. While it plays one looping clip, frames in which nothing is to be reported move a position, and nothing else
/// is touched.
#[derive(Debug, Clone, Copy)]
pub(super) struct HandClock {
    position: Position,
    length: f64,
    rate: f64,
    /// Up to where in the clip nothing is to be reported; less than any position if the character has its own clocks.
    quiet_until: f64,
    /// Seconds that the character has not been told of.
    owed: ExactSum,
    /// Where the root is, in a clip whose root moves.
    root: RootDelta,
    /// The step of the last frame.
    pub step: RootDelta,
    /// Which of the shelf.
    facts: u32,
    moves: bool,
    /// Whether the pose is wanted in every frame, seen or not.
    pub is_exact: bool,
    /// Whether the last frame has events.
    pub has_events: bool,
    /// Whether something else plays since the last key.
    pub is_changed: bool,
    /// Tells apart what plays.
    signature: u64,
}

impl HandClock {
    pub const NEW: Self = Self {
        position: Position::START,
        length: 0.0,
        rate: 0.0,
        quiet_until: f64::NEG_INFINITY,
        owed: ExactSum::ZERO,
        root: RootDelta::ZERO,
        step: RootDelta::ZERO,
        facts: 0,
        moves: false,
        is_exact: false,
        has_events: false,
        is_changed: true,
        signature: 0,
    };

    pub fn is_running(&self) -> bool {
        self.quiet_until > f64::NEG_INFINITY
    }

    /// The clip that plays alone and its time `ahead` seconds from now, and clip seconds per second; `None` if there is more.
    pub fn alone(&self, ahead: f64) -> Option<(usize, f64, f64)> {
        self.is_running().then(|| (self.facts as usize, self.position.way() + ahead * self.rate, self.rate))
    }

    /// Lets time pass in which nothing is to be reported; false if there may be something.
    #[inline]
    pub fn go_on(&mut self, shelf: &Shelf, dt: f64) -> bool {
        let step = dt * self.rate;
        if !(self.position.way() + step < self.quiet_until && step >= 0.0) {
            return false;
        }
        self.position.go_round(self.length, step);
        self.owed.add(dt);
        if self.moves
            && let Some(facts) = shelf.get(self.facts as usize)
        {
            let place = facts.place(self.position.way());
            self.step = self.root.inverse().then(place);
            self.root = place;
        }
        true
    }

    /// Tells the character where it has come to.
    pub fn settle(&mut self, member: &mut Member) {
        if self.is_running() {
            member.character.resume(self.position, self.owed);
            self.quiet_until = f64::NEG_INFINITY;
        }
    }

    /// Starts, if the character plays one clip and nothing else.
    fn start(&mut self, shelf: &Shelf, member: &mut Member) {
        let Some(Steady { position, length, rate, clip }) = member.character.steady() else { return };
        let facts = member.clips as usize + clip;
        let Some(clip) = shelf.get(facts) else { return };
        let way = position.way();
        *self = Self {
            position,
            length,
            rate,
            quiet_until: clip.quiet_until(way),
            owed: ExactSum::ZERO,
            root: clip.place(way),
            step: RootDelta::ZERO,
            facts: facts as u32,
            moves: clip.moves,
            has_events: false,
            ..*self
        };
    }

    /// Lets `dt` seconds pass.
    pub fn pass(&mut self, shelf: &Shelf, member: &mut Member, dt: f64) {
        if !self.is_running() {
            self.start(shelf, member);
        }
        if self.is_running() && self.go_on(shelf, dt) {
            return;
        }
        self.settle(member);
        let character = &mut member.character;
        self.step = character.pass(dt);
        self.has_events = character.events().next().is_some();
        self.is_exact = character.has_attachments();
        let id = |layer: &MixerLayer| layer.current_action.as_ref().map_or(0, |action| action.id());
        let signature =
            character.mixer.layers().fold(1, |all: u64, layer| all.wrapping_mul(31).wrapping_add(id(layer)));
        self.is_changed |= signature != self.signature;
        self.signature = signature;
    }
}
