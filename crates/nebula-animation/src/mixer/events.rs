use crate::clip::{ClipMarkers, Clock, Marker, MarkersBetween, Span};

/// A marker that an action came by in the last update: see [`AnimationMixer::events`](super::AnimationMixer::events).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MixerEvent<'a> {
    /// Index of the layer; 0 is the base layer.
    pub layer: usize,
    /// The [number of the action](super::AnimationAction::id): unique within its layer.
    pub action: u64,
    /// Index of the clip in the library.
    pub clip: usize,
    /// Index of the marker among those of the clip.
    pub index: usize,
    /// The marker.
    pub marker: &'a Marker,
    /// Share of the action in the pose at the end of the update, from 0 to 1: after its own weight, its fades, and its
    /// layer's weight.
    pub weight: f32,
    /// Number of the pass in which the marker was met, from 0.
    pub pass: i64,
    /// The action's [total time](super::AnimationAction::total_time) at which it was met, in seconds.
    pub total_time: f64,
    /// Whether the action was running against its clock: rewound or scrubbed back.
    pub is_rewinding: bool,
}

/// What an action went through in an update.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passed {
    pub layer: usize,
    pub action: u64,
    pub clip: usize,
    pub weight: f32,
    /// The mean of the weight during the update.
    pub mean_weight: f64,
    pub clock: Clock,
    pub spans: [Span; 2],
}

/// The iterator of [`AnimationMixer::events`](super::AnimationMixer::events).
#[derive(Debug, Clone)]
pub struct MixerEvents<'a> {
    markers: &'a ClipMarkers,
    /// The first is the one that is looked at.
    passed: &'a [Passed],
    span: usize,
    hits: Option<MarkersBetween<'a>>,
}

impl<'a> MixerEvents<'a> {
    pub(super) fn new(markers: &'a ClipMarkers, passed: &'a [Passed]) -> Self {
        Self { markers, passed, span: 0, hits: None }
    }
}

impl<'a> Iterator for MixerEvents<'a> {
    type Item = MixerEvent<'a>;

    fn next(&mut self) -> Option<MixerEvent<'a>> {
        loop {
            let (passed, rest) = self.passed.split_first()?;
            let markers = self.markers.of(passed.clip);
            let Some(&span) = passed.spans.get(self.span).filter(|_| !markers.is_empty()) else {
                (self.passed, self.span, self.hits) = (rest, 0, None);
                continue;
            };
            let hits = self.hits.get_or_insert_with(|| passed.clock.markers_between(markers, span.from, span.to));
            let Some(hit) = hits.next().filter(|_| span.from != span.to) else {
                (self.span, self.hits) = (self.span + 1, None);
                continue;
            };
            return Some(MixerEvent {
                layer: passed.layer,
                action: passed.action,
                clip: passed.clip,
                index: markers.iter().position(|marker| std::ptr::eq(marker, hit.marker)).unwrap_or_default(),
                marker: hit.marker,
                weight: passed.weight,
                pass: hit.pass,
                total_time: hit.total_time,
                is_rewinding: span.to < span.from,
            });
        }
    }
}
