use crate::compile::{ClipId, ContactTrack};
use crate::procedural::ModelPose;

/// What the contacts of the clips that are shown say.
#[derive(Debug, Clone)]
pub(super) struct Told {
    /// The floor of the clips, if their tracks tell.
    pub floor: Option<f32>,
    pub feet: Box<[Contact]>,
}

/// What they say of one foot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contact {
    pub is_down: bool,
    /// Whether some of the clips have the foot on the ground and others do not.
    pub is_disputed: bool,
    /// Seconds of the clips until the foot lands; infinite where they do not tell.
    pub until: f32,
    /// Seconds of the clips since it landed.
    pub since: f32,
}

impl Told {
    /// For this many feet, before anything is known.
    pub fn of(feet: usize) -> Self {
        let untold = Contact { is_down: false, is_disputed: false, until: f32::INFINITY, since: 0.0 };
        Self { floor: None, feet: vec![untold; feet].into() }
    }

    pub fn read(&mut self, pose: &ModelPose<'_>) {
        let contacts = |clip: ClipId| pose.library().and_then(|library| library.get(clip.index())?.contacts());
        let told = || {
            let shown = pose.shown().iter().filter(|shown| shown.feet_weight > 0.0);
            shown.filter_map(|shown| Some((shown, contacts(shown.clip)?)))
        };
        let (mut total, mut floor) = (0.0, 0.0);
        for (shown, track) in told() {
            total += shown.feet_weight;
            floor += shown.feet_weight * track.floor();
        }
        self.floor = (total > 0.0).then(|| floor / total);
        for (leg, contact) in self.feet.iter_mut().enumerate() {
            let (mut standing, mut swinging, mut secs, mut since) = (0.0, 0.0, 0.0, 0.0);
            for (shown, track) in told() {
                if track.is_planted(leg, shown.time) {
                    standing += shown.feet_weight;
                    since += shown.feet_weight * since_landing(track, leg, shown.time);
                } else {
                    swinging += shown.feet_weight;
                    secs += shown.feet_weight * until_landing(track, leg, shown.time);
                }
            }
            let until = if swinging > 0.0 { secs / swinging } else { 0.0 };
            *contact = Contact {
                is_down: standing >= 0.5 * total,
                is_disputed: standing > 0.0 && standing < total,
                until: if total > 0.0 { until } else { f32::INFINITY },
                since: if standing > 0.0 { since / standing } else { 0.0 },
            };
        }
    }
}

/// Seconds until a leg that swings at a time of a clip lands; infinite if it never does.
fn until_landing(track: &ContactTrack, leg: usize, time: f32) -> f32 {
    let until = |&[start, _]: &[f32; 2]| if start >= time { start - time } else { start + track.duration() - time };
    track.spans(leg).iter().map(until).fold(f32::INFINITY, f32::min).max(0.0)
}

/// Seconds since a leg that stands at a time of a clip landed.
fn since_landing(track: &ContactTrack, leg: usize, time: f32) -> f32 {
    let since = |&[start, _]: &[f32; 2]| if start <= time { time - start } else { time + track.duration() - start };
    track.spans(leg).iter().map(since).fold(f32::INFINITY, f32::min).clamp(0.0, track.duration().max(0.0))
}
