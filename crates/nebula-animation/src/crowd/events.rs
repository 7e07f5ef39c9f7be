//! Events and root motion of a crowd's characters, computed on demand.

use super::{Crowd, CrowdCharacterId, CrowdClipId, CrowdProgress};
use crate::clip::{Clock, Marker, MarkersBetween, Span};
use crate::compile::{LibraryClip, RootDelta, RootTrack};
use crate::math::clean_weight;

/// A marker that a character of a crowd passed in the last advance. See [`Crowd::events`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrowdEvent<'a> {
    /// The character.
    pub character: CrowdCharacterId,
    /// The clip.
    pub clip: CrowdClipId,
    /// The marker.
    pub marker: &'a Marker,
    /// Weight of the clip in the pose, from 0 to 1; if both clips have a marker with this name, the sum of both.
    pub weight: f32,
    /// Number of the pass in which the marker was passed, from 0.
    pub pass: i64,
    /// The clip's total time at the marker, in seconds: for the first clip, within the span of
    /// [`CrowdCharacter::total_time`](super::CrowdCharacter::total_time).
    pub total_time: f64,
    /// Whether the clip was running backwards.
    pub is_rewinding: bool,
}

/// One of the clips that a character shows, and what the last advance went through in it.
#[derive(Debug, Clone, Copy)]
struct Shown<'a> {
    id: CrowdClipId,
    clip: &'a LibraryClip,
    weight: f32,
    /// Where the clock stands now, in seconds of the clip.
    time: f64,
    span: Span,
    looping: bool,
}

impl Shown<'_> {
    fn duration(&self) -> f64 {
        f64::from(self.clip.duration())
    }

    fn clock(&self) -> Clock {
        if self.looping { Clock::looping(self.duration()) } else { Clock::once(self.duration()) }
    }

    fn has_marker(&self, name: &str) -> bool {
        self.clip.markers().iter().any(|marker| marker.name == name)
    }

    /// Whether a marker may have been met: a quick look that is never wrong in saying no.
    fn may_meet(&self) -> bool {
        let (from, to) = (self.span.from, self.span.to);
        if from == to || self.clip.markers().is_empty() {
            return false;
        }
        // Within the pass that is running, and more than rounding makes of a total time.
        let before = self.time - (to - from);
        let slack = 1e-14 * (from.abs() + to.abs());
        let (first, last) = (before.min(self.time) - slack, before.max(self.time) + slack);
        let is_within = first > 0.0 && last < self.duration();
        !is_within || self.clip.markers().iter().any(|marker| (first..=last).contains(&marker.time))
    }

    fn root_motion(&self) -> RootDelta {
        let motion = |track: &RootTrack| track.motion(&self.clock(), self.span.from, self.span.to);
        self.clip.root().map_or(RootDelta::ZERO, motion)
    }
}

impl Crowd {
    /// The markers that characters passed in the last [`update`](Crowd::update) or [`advance`](Crowd::advance),
    /// character by character, in the order in which they were passed.
    ///
    /// Each is reported exactly once, however long the step, and also backwards. If a character blends two clips that
    /// both have a marker with the same name, the clip with the larger weight reports it. A clip without weight reports
    /// nothing. The iterator is lazy and does not allocate; use it before you change what characters play.
    ///
    /// ```
    /// use nebula_animation::{AnimationClip, AnimationClipLibrary, ClipMarkers, Crowd, LibraryOptions, Marker, Rig, Skeleton};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let walk = AnimationClip { name: "walk".into(), duration: 1.0, ..Default::default() };
    /// let mut markers = ClipMarkers::new();
    /// markers.add(0, Marker { name: "step".into(), time: 0.5 });
    /// let options = LibraryOptions { markers, ..LibraryOptions::default() };
    /// let library = AnimationClipLibrary::with_options(&Rig::new(Skeleton::default()), &[walk], options);
    ///
    /// let mut crowd = Crowd::new();
    /// let walk = crowd.add_clip(&library, library.find("walk")?)?;
    /// let walker = crowd.spawn(walk)?;
    /// crowd.update(0.75);
    /// let steps: Vec<_> = crowd.events().map(|event| (event.character, event.total_time)).collect();
    /// assert_eq!(steps, [(walker, 0.5)]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn events(&self) -> CrowdEvents<'_> {
        let index = if self.tells { 0 } else { self.characters.len() };
        CrowdEvents { crowd: self, index, part: 0, shown: [None; 2], hits: None }
    }

    /// The root motion of a character in the last [`update`](Crowd::update) or [`advance`](Crowd::advance), for
    /// libraries with [root motion](crate::LibraryOptions::root_motion): the mean of both clips, weighted by their
    /// share of the pose. `None` if the character has been removed.
    ///
    /// Move the character by [`RootDelta::applied_to`].
    #[must_use]
    pub fn root_step(&self, character: CrowdCharacterId) -> Option<RootDelta> {
        let index = self.index_of(character)?;
        let motions = self.shown(index).map(|shown| shown.map(|shown| (shown.weight, shown.root_motion())));
        Some(match motions {
            [Some((_, motion)), None] => motion,
            motions => RootDelta::mean(motions.into_iter().flatten().map(|(weight, motion)| (weight.into(), motion))),
        })
    }

    /// The clips that a character shows: the first, and the second.
    fn shown(&self, index: usize) -> [Option<Shown<'_>>; 2] {
        let character = &self.characters[index];
        let rank = self.ranks.number_at(index);
        let show = |id: CrowdClipId, weight: f32, time: f64, progress: CrowdProgress| {
            let clip = self.clips.get(id.index()).filter(|clip| clip.rank == rank)?.get();
            let looping = character.looping;
            Some(Shown { id, clip, weight, time, span: progress.travelled(looping), looping })
        };
        let Some(mut first) = show(character.clip, 1.0, character.time, character.progress) else { return [None; 2] };
        let second = character.second.zip(self.seconds.get(index)).filter(|(second, _)| second.weight > 0.0);
        let second = second
            .and_then(|(second, told)| show(second.clip, clean_weight(second.weight), second.time, told.progress));
        first.weight -= second.map_or(0.0, |second| second.weight);
        [Some(first).filter(|first| first.weight > 0.0), second]
    }
}

/// The iterator returned by [`Crowd::events`].
#[derive(Debug, Clone)]
pub struct CrowdEvents<'a> {
    crowd: &'a Crowd,
    /// The character that is looked at, and which of its clips.
    index: usize,
    part: usize,
    shown: [Option<Shown<'a>>; 2],
    hits: Option<MarkersBetween<'a>>,
}

impl CrowdEvents<'_> {
    /// The weight of the clips that have a marker of this name; `None` where the other clip reports it.
    fn shared_weight(&self, own: &Shown, name: &str) -> Option<f32> {
        let Some(other) = self.shown[1 - self.part].filter(|other| other.has_marker(name)) else {
            return Some(own.weight);
        };
        let is_heavier = own.weight > other.weight || (own.weight == other.weight && self.part == 0);
        is_heavier.then_some(own.weight + other.weight)
    }
}

impl<'a> Iterator for CrowdEvents<'a> {
    type Item = CrowdEvent<'a>;

    fn next(&mut self) -> Option<CrowdEvent<'a>> {
        loop {
            if let Some(hits) = &mut self.hits
                && let Some(own) = self.shown[self.part]
            {
                let Some(hit) = hits.next() else {
                    (self.hits, self.part) = (None, self.part + 1);
                    continue;
                };
                let Some(weight) = self.shared_weight(&own, &hit.marker.name) else { continue };
                return Some(CrowdEvent {
                    character: self.crowd.id_at(self.index)?,
                    clip: own.id,
                    marker: hit.marker,
                    weight,
                    pass: hit.pass,
                    total_time: hit.total_time,
                    is_rewinding: own.span.to < own.span.from,
                });
            }
            if self.part == 0 {
                if self.index >= self.crowd.characters.len() {
                    return None;
                }
                self.shown = self.crowd.shown(self.index);
            }
            let Some(shown) = self.shown.get(self.part) else {
                (self.index, self.part) = (self.index + 1, 0);
                continue;
            };
            match shown.filter(Shown::may_meet) {
                Some(own) => {
                    let markers = own.clip.markers();
                    self.hits = Some(own.clock().markers_between(markers, own.span.from, own.span.to));
                }
                None => self.part += 1,
            }
        }
    }
}
