use super::markers::Marker;

/// The markers of the clips of a library, clip by clip.
///
/// Stored next to the clips, and shared by everything that plays them: events are reported from it, and blended clips
/// are synchronised by it.
///
/// ```
/// use nebula_animation::{ClipMarkers, Marker};
///
/// let mut markers = ClipMarkers::new();
/// markers.add(0, Marker { name: "right foot".into(), time: 0.7 });
/// markers.add(0, Marker { name: "left foot".into(), time: 0.2 });
/// assert_eq!(markers.of(0)[0].name, "left foot");
/// assert!(markers.of(7).is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClipMarkers {
    /// By clip; each sorted by time.
    by_clip: Vec<Vec<Marker>>,
}

impl ClipMarkers {
    /// No markers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a marker to a clip, by the clip's index in its library. Markers at the same time keep the order in which
    /// they were added. A marker whose time is not finite is ignored, with a warning in the log.
    pub fn add(&mut self, clip: usize, marker: Marker) {
        if !marker.time.is_finite() {
            log::warn!("marker \"{}\" at {} s: not a finite time, left out", marker.name.escape_debug(), marker.time);
            return;
        }
        // An index from a stranger must not take the memory.
        if clip >= usize::from(u16::MAX) {
            log::warn!("marker \"{}\" of clip {clip}: no library has that many clips", marker.name.escape_debug());
            return;
        }
        if self.by_clip.len() <= clip {
            self.by_clip.resize_with(clip + 1, Vec::new);
        }
        let markers = &mut self.by_clip[clip];
        let place = markers.partition_point(|other| other.time <= marker.time);
        markers.insert(place, marker);
    }

    /// `true` if no clip has markers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_clip.is_empty()
    }

    /// The markers of a clip, by time.
    #[must_use]
    pub fn of(&self, clip: usize) -> &[Marker] {
        self.by_clip.get(clip).map_or(&[], Vec::as_slice)
    }
}
