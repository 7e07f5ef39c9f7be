//! Blend spaces: clips placed on a line or a plane, blended in step according to a position.

mod slot;
mod sync;
mod triangles;
mod weights;

use glam::Vec2;
use thiserror::Error;

use crate::clip::ClipMarkers;
use crate::compile::{AnimationClipLibrary, ClipId, Clips};
use crate::math::Fingerprint;
use sync::{Means, SyncTrack};
use weights::Layout;

pub(super) use slot::SpaceSlot;
pub(super) use sync::Place;
pub(super) use weights::MOST_CLIPS;

pub use weights::BlendWeights;

/// A clip and its position in a [`BlendSpace`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlendSample {
    /// Index of the clip in its library.
    pub clip: usize,
    /// The position at which the blend is this clip alone, in your own units: metres per second, radians. On a line
    /// only `x` counts.
    pub position: Vec2,
}

/// Clips placed on a line (idle, walk, run by speed) or on a plane (by speed and turn rate), blended according to a
/// position between them.
///
/// On a line the two neighbours are blended; on a plane, the corners of a triangle (of the Delaunay triangulation, with
/// each axis scaled by its extent). Outside, the nearest point on the edge is used. A plane whose samples all lie on
/// one line, or a single sample, works too. The weights are continuous everywhere, and at a sample's position that
/// sample has all the weight.
///
/// All clips run in step: at the same phase of their cycle, whose duration is blended too. The phase is the fraction of
/// the duration, or with [`synchronised`](BlendSpace::synchronised) the progress from marker to marker.
///
/// ```
/// use nebula_animation::{AnimationClip, BlendSpace};
///
/// let clip = |name: &str, duration| AnimationClip { name: name.into(), duration, ..Default::default() };
/// let clips = [clip("walk", 2.0), clip("run", 1.0)];
/// let gait = BlendSpace::line(&clips, &[(1.0, 0), (3.0, 1)])?;
/// let trot = gait.weights_on_line(2.0);
/// assert_eq!(*trot, [(0, 0.5), (1, 0.5)]);
/// assert_eq!(gait.duration(&trot), 1.5);
/// # Ok::<(), nebula_animation::mixer::BlendSpaceError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BlendSpace {
    samples: Vec<BlendSample>,
    layout: Layout,
    /// For each sample.
    tracks: Vec<SyncTrack>,
}

/// Why a [`BlendSpace`] could not be created.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BlendSpaceError {
    /// There are no samples.
    #[error("a blend space needs at least one sample")]
    Empty,
    /// The position of a sample is not finite.
    #[error("sample {sample}: position {position} is not finite")]
    Position {
        /// Index of the sample.
        sample: usize,
        /// Its position.
        position: Vec2,
    },
    /// Two samples have the same position.
    #[error("samples {first} and {second} are both at {position}")]
    SamePlace {
        /// Index of the first sample.
        first: usize,
        /// Index of the other one.
        second: usize,
        /// Their position.
        position: Vec2,
    },
    /// There is no such clip.
    #[error("sample {sample}: there is no clip {clip}, there are {count}")]
    Clip {
        /// Index of the sample.
        sample: usize,
        /// Index of the clip.
        clip: usize,
        /// Number of clips.
        count: usize,
    },
    /// A clip has some of the synchronisation markers, but not each of them exactly once.
    #[error("clip \"{clip}\" has marker \"{marker}\" {count} times, expected once")]
    Marker {
        /// Name of the clip.
        clip: String,
        /// Name of the marker.
        marker: String,
        /// How often the clip has it.
        count: usize,
    },
    /// A clip has the synchronisation markers in a different order.
    #[error("clip \"{clip}\": marker \"{marker}\" does not come after \"{before}\"")]
    Order {
        /// Name of the clip.
        clip: String,
        /// Name of the marker.
        marker: String,
        /// Name of the marker that should come before it.
        before: String,
    },
}

impl BlendSpace {
    /// Places clips on a line: positions and indices into `clips`, in any order.
    ///
    /// # Errors
    /// There are no samples, two have the same position, a position is not finite, or a clip does not exist.
    pub fn line(clips: &(impl Clips + ?Sized), samples: &[(f32, usize)]) -> Result<Self, BlendSpaceError> {
        let samples = samples.iter().map(|&(x, clip)| BlendSample { clip, position: Vec2::new(x, 0.0) }).collect();
        Self::new(clips, samples)
    }

    /// Places clips on a line by their own [speed](crate::compile::LibraryClip::velocity), in metres per second: idle,
    /// walk and run.
    ///
    /// ```
    /// use nebula_animation::{AnimationClipLibrary, BlendSpace, Rig, load_skeleton_and_clips};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
    /// let library = AnimationClipLibrary::new(&Rig::new(skeleton), &clips);
    /// let gait = BlendSpace::by_speed(&library, &["idle", "walk", "run"].map(|name| library.find(name)).map(Result::unwrap))?;
    /// assert!(gait.samples()[2].position.x > gait.samples()[1].position.x);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Like [`BlendSpace::line`]; also if two clips have the same speed.
    pub fn by_speed(library: &AnimationClipLibrary, clips: &[ClipId]) -> Result<Self, BlendSpaceError> {
        let speed = |clip: &ClipId| library.get(clip.index()).map_or(0.0, |clip| clip.velocity().length());
        Self::line(library, &clips.iter().map(|clip| (speed(clip), clip.index())).collect::<Vec<_>>())
    }

    /// Places clips on a plane: positions and indices into `clips`, in any order.
    ///
    /// # Errors
    /// Like [`BlendSpace::line`].
    pub fn plane(clips: &(impl Clips + ?Sized), samples: &[(Vec2, usize)]) -> Result<Self, BlendSpaceError> {
        let samples = samples.iter().map(|&(position, clip)| BlendSample { clip, position }).collect();
        Self::new(clips, samples)
    }

    fn new(clips: &(impl Clips + ?Sized), samples: Vec<BlendSample>) -> Result<Self, BlendSpaceError> {
        if samples.is_empty() {
            return Err(BlendSpaceError::Empty);
        }
        for (sample, &BlendSample { clip, position }) in samples.iter().enumerate() {
            if clip >= clips.clip_count() {
                return Err(BlendSpaceError::Clip { sample, clip, count: clips.clip_count() });
            }
            if !position.is_finite() {
                return Err(BlendSpaceError::Position { sample, position });
            }
            if let Some(first) = samples[..sample].iter().position(|other| other.position == position) {
                return Err(BlendSpaceError::SamePlace { first, second: sample, position });
            }
        }
        let positions: Vec<Vec2> = samples.iter().map(|sample| sample.position).collect();
        let tracks = samples
            .iter()
            .map(|sample| SyncTrack::even(clips.clip_duration(sample.clip).unwrap_or_default(), 1))
            .collect();
        Ok(Self { layout: Layout::new(&positions), tracks, samples })
    }

    /// The same space, synchronised by markers: all clips pass a marker with the same name at the same moment.
    ///
    /// `names` are the markers of one cycle in order, for instance `["left_down", "right_down"]`. A clip has each of
    /// them once and may start anywhere in the cycle. A clip with none of them (standing idle) runs at an even pace.
    ///
    /// ```
    /// use nebula_animation::{AnimationClip, BlendSpace, ClipMarkers, Marker};
    ///
    /// let clips = [2.0, 1.0].map(|duration| AnimationClip { duration, ..Default::default() });
    /// let mut markers = ClipMarkers::new();
    /// for (clip, name, time) in [(0, "left", 0.2), (0, "right", 1.2), (1, "left", 0.5), (1, "right", 0.0)] {
    ///     markers.add(clip, Marker { name: name.into(), time });
    /// }
    /// let gait = BlendSpace::line(&clips, &[(1.0, 0), (3.0, 1)])?.synchronised(&clips, &markers, &["left", "right"])?;
    /// # Ok::<(), nebula_animation::mixer::BlendSpaceError>(())
    /// ```
    ///
    /// # Errors
    /// A clip has some of the markers, but not each of them once and in this order.
    pub fn synchronised(
        mut self,
        clips: &(impl Clips + ?Sized),
        markers: &ClipMarkers,
        names: &[impl AsRef<str>],
    ) -> Result<Self, BlendSpaceError> {
        if names.is_empty() {
            return Ok(self);
        }
        let mut tracks = Vec::with_capacity(self.samples.len());
        for (sample, &BlendSample { clip, .. }) in self.samples.iter().enumerate() {
            let missing = || BlendSpaceError::Clip { sample, clip, count: clips.clip_count() };
            let duration = clips.clip_duration(clip).ok_or_else(missing)?;
            let name = clips.clip_name(clip).unwrap_or_default();
            tracks.push(SyncTrack::by_markers((name, duration), markers.of(clip), names)?);
        }
        sync::align(&mut tracks);
        self.tracks = tracks;
        Ok(self)
    }

    /// The samples, in the order in which they were given.
    #[must_use]
    pub fn samples(&self) -> &[BlendSample] {
        &self.samples
    }

    /// `true` if both coordinates of a position matter, which is so unless all samples lie on one line.
    #[must_use]
    pub fn is_plane(&self) -> bool {
        matches!(self.layout, Layout::Plane(_))
    }

    /// The weights of the samples at a position. A NaN coordinate counts as 0.
    #[must_use]
    pub fn weights(&self, position: Vec2) -> BlendWeights {
        self.layout.weights(position)
    }

    /// The weights at a position on a line.
    #[must_use]
    pub fn weights_on_line(&self, x: f32) -> BlendWeights {
        self.weights(Vec2::new(x, 0.0))
    }

    /// Duration of a cycle in seconds: the weighted mean of the clips' durations.
    #[must_use]
    pub fn duration(&self, weights: &BlendWeights) -> f64 {
        sync::duration(&self.tracks, weights)
    }

    /// The seconds that sample `index` has played when the cycle is at `phase`: 0 at the start of the first pass, 1 at
    /// its end, and so on. They increase continuously, across passes too; the time in the clip is the remainder after
    /// whole durations.
    ///
    /// At a sample's own position they are the phase times the duration. A phase that is not finite counts as 0, one
    /// beyond 1e15 as 1e15; a sample that does not exist has played for 0 s.
    ///
    /// ```
    /// # use nebula_animation::{AnimationClip, BlendSpace};
    /// # let clips = [2.0, 1.0].map(|duration| AnimationClip { duration, ..Default::default() });
    /// let gait = BlendSpace::line(&clips, &[(1.0, 0), (3.0, 1)])?;
    /// let weights = gait.weights_on_line(2.0);
    /// assert_eq!((gait.seconds(&weights, 0, 1.25), gait.seconds(&weights, 1, 1.25)), (2.5, 1.25));
    /// # Ok::<(), nebula_animation::mixer::BlendSpaceError>(())
    /// ```
    #[must_use]
    pub fn seconds(&self, weights: &BlendWeights, index: usize, phase: f64) -> f64 {
        let Some(track) = self.tracks.get(index) else { return 0.0 };
        track.seconds(self.locate(weights, &self.means(weights), phase))
    }

    /// Where in the cycle a phase is.
    fn locate(&self, weights: &BlendWeights, means: &Means, phase: f64) -> Place {
        sync::locate(&self.tracks, weights, means, phase)
    }

    fn means(&self, weights: &BlendWeights) -> Means {
        Means::of(&self.tracks, weights)
    }

    /// A fingerprint of the space: its samples, and how they are synchronised.
    fn fingerprint(&self) -> u32 {
        let mut hash = Fingerprint::new();
        for (sample, track) in self.samples.iter().zip(&self.tracks) {
            hash.word(sample.clip as u32);
            hash.numbers(sample.position.to_array());
            hash.numbers(track.cuts().iter().map(|cut| *cut as f32));
        }
        hash.short()
    }

    /// The number of segments into which markers divide the cycle.
    fn pieces(&self) -> usize {
        self.tracks.first().map_or(1, SyncTrack::pieces)
    }

    /// The seconds that a sample has played at a place, and its duration.
    pub(super) fn seconds_at(&self, index: usize, place: Place) -> (f64, f64) {
        self.tracks.get(index).map_or((0.0, 0.0), |track| (track.seconds(place), track.duration()))
    }

    /// Calls `visit` with each clip that has a weight, its time at a place of the cycle and its weight.
    fn visit(&self, weights: &BlendWeights, place: Place, mut visit: impl FnMut(usize, f64, f32)) {
        for &(index, weight) in weights.iter() {
            if let (Some(sample), Some(track)) = (self.samples.get(index), self.tracks.get(index)) {
                visit(sample.clip, track.time(place), weight);
            }
        }
    }
}
