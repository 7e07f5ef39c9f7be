use super::AnimationMixer;
use crate::clip::{ClipMarkers, Clock, Marker, MarkersBetween, Span};
use crate::compile::ClipId;
use crate::frame::LayerId;

/// A marker that an action passed in the last update. See [`AnimationMixer::events`](super::AnimationMixer::events).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MixerEvent<'a> {
    /// The layer.
    pub layer: LayerId,
    /// The [id of the action](super::AnimationAction::id): unique within its layer.
    pub action: u64,
    /// The clip of the library.
    pub clip: ClipId,
    /// Index of the marker among the clip's markers.
    pub index: usize,
    /// The marker.
    pub marker: &'a Marker,
    /// Weight of the action in the pose at the end of the update, from 0 to 1: after its own weight, its fades and its
    /// layer's weight. In a blend space, the total weight of all clips that have a marker with this name.
    pub weight: f32,
    /// Number of the pass in which the marker was passed, from 0.
    pub pass: i64,
    /// The action's [total time](super::AnimationAction::total_time) at the marker, in seconds.
    pub total_time: f64,
    /// `true` if the action was moving against its clock: rewound or scrubbed back.
    pub is_rewinding: bool,
}

/// What an action went through in an update.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passed {
    pub layer: LayerId,
    pub action: u64,
    pub clip: usize,
    /// How many before this one, and how many in all, blend in step with it.
    pub mates: (u8, u8),
    pub weight: f32,
    /// The mean of the weight during the update.
    pub mean_weight: f64,
    pub clock: Clock,
    pub spans: [Span; 2],
}

impl AnimationMixer {
    /// What the last update went through.
    pub(crate) fn told(&self) -> Vec<Passed> {
        self.passed.clone()
    }

    /// Takes back what the last update went through.
    pub(crate) fn tell_again(&mut self, told: Vec<Passed>) {
        self.passed = told;
    }
}

/// The iterator returned by [`AnimationMixer::events`](super::AnimationMixer::events).
#[derive(Debug, Clone)]
pub struct MixerEvents<'a> {
    markers: &'a ClipMarkers,
    passed: &'a [Passed],
    /// The one that is looked at.
    index: usize,
    span: usize,
    hits: Option<MarkersBetween<'a>>,
}

impl<'a> MixerEvents<'a> {
    pub(super) fn new(markers: &'a ClipMarkers, passed: &'a [Passed]) -> Self {
        Self { markers, passed, index: 0, span: 0, hits: None }
    }

    /// The weight of all clips that blend in step with one and have a marker of this name; `None` where a heavier one
    /// reports it, or an earlier one of the same weight.
    fn shared_weight(&self, passed: &Passed, name: &str) -> Option<f32> {
        let (before, count) = (usize::from(passed.mates.0), usize::from(passed.mates.1));
        let Some(mates) = self.index.checked_sub(before).and_then(|first| self.passed.get(first..first + count)) else {
            return Some(passed.weight);
        };
        let mut weight = 0.0;
        for (place, mate) in mates.iter().enumerate() {
            if self.markers.of(mate.clip).iter().any(|marker| marker.name == name) {
                weight += mate.weight;
                if mate.weight > passed.weight || (mate.weight == passed.weight && place < before) {
                    return None;
                }
            }
        }
        Some(weight)
    }
}

impl<'a> Iterator for MixerEvents<'a> {
    type Item = MixerEvent<'a>;

    fn next(&mut self) -> Option<MixerEvent<'a>> {
        loop {
            let passed = self.passed.get(self.index)?;
            let markers = self.markers.of(passed.clip);
            let Some(&span) = passed.spans.get(self.span).filter(|_| !markers.is_empty()) else {
                (self.index, self.span, self.hits) = (self.index + 1, 0, None);
                continue;
            };
            let hits = self.hits.get_or_insert_with(|| passed.clock.markers_between(markers, span.from, span.to));
            let Some(hit) = hits.next().filter(|_| span.from != span.to) else {
                (self.span, self.hits) = (self.span + 1, None);
                continue;
            };
            let Some(weight) = self.shared_weight(passed, &hit.marker.name) else { continue };
            return Some(MixerEvent {
                layer: passed.layer,
                action: passed.action,
                clip: ClipId::new(passed.clip),
                index: hit.index,
                marker: hit.marker,
                weight,
                pass: hit.pass,
                total_time: hit.total_time,
                is_rewinding: span.to < span.from,
            });
        }
    }
}
