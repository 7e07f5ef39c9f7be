//! Who is worked out in a frame, and for how long the result has to last.

use super::Troupe;
use super::clocks::{HandClock, Shelf};
use super::options::{Budget, Sight};
use super::straight::SPANS;
use super::{Member, TroupeOptions};

/// The keys between which a member's palette is interpolated, as seconds of the troupe.
#[derive(Debug, Clone, Copy)]
pub(super) struct Show {
    pub from: f64,
    pub to: f64,
    /// Up to when layers have been stepped.
    pub layers: f64,
    /// The last frame in which it was in view.
    pub seen: u64,
    /// Frames from key to key.
    pub frames: u8,
    /// The largest deviation that is expected, in model units.
    pub error: f32,
    /// Where its palette is among those in view, in this frame and in the one before.
    pub place: [u32; 2],
}

impl Show {
    pub const NEVER: Self = Self {
        from: 0.0,
        to: f64::NEG_INFINITY,
        layers: f64::NEG_INFINITY,
        seen: 0,
        frames: 0,
        error: 0.0,
        place: [u32::MAX; 2],
    };
}

/// A key to be worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Due {
    /// First keys of those who come into view come before all others.
    pub has_shown: bool,
    pub index: u32,
    /// Frames until the key; 0 for a first one.
    pub frames: u8,
}

/// What is kept from frame to frame to decide.
#[derive(Debug)]
pub(super) struct Plan {
    /// Those in view, by index, and the pixels that a metre takes there.
    pub seen: Vec<(u32, f32)>,
    pub due: Vec<Due>,
    /// What is allowed now, in pixels.
    pub tolerance: f32,
    /// Keys per frame, smoothed.
    load: f32,
    /// Milliseconds of a key, and of a frame without its keys, smoothed.
    pub costs: [f32; 2],
}

impl Plan {
    pub fn new(options: &TroupeOptions) -> Self {
        Self { seen: Vec::new(), due: Vec::new(), tolerance: options.clean_tolerance(), load: 0.0, costs: [0.003, 0.0] }
    }

    /// Learns from what a frame took, in milliseconds: its keys, and all else.
    pub fn learn(&mut self, keys: f32, others: f32) {
        let [key, rest] = &mut self.costs;
        if !self.due.is_empty() {
            *key += 0.05 * (keys / self.due.len() as f32 - *key);
        }
        *rest += 0.05 * (others - *rest);
    }

    /// How many keys per frame are within the budget.
    fn keys_allowed(&self, options: &TroupeOptions, joints_each: f32) -> f32 {
        match options.budget {
            Budget::Joints(joints) => (joints as f32 / joints_each.max(1.0)).max(1.0),
            Budget::Milliseconds(limit) if limit.is_finite() => {
                ((limit - self.costs[1]) / self.costs[0].max(1e-6)).max(1.0)
            }
            _ => f32::INFINITY,
        }
    }

    /// Lets the tolerance follow the load: it rises and falls by a few per cent a frame, and not at all close to the budget.
    fn balance(&mut self, options: &TroupeOptions, joints_each: f32, keys: usize) {
        self.load += 0.1 * (keys as f32 - self.load);
        let ratio = self.load / self.keys_allowed(options, joints_each);
        if ratio > 1.0 {
            self.tolerance *= 1.0 + 0.1 * (ratio - 1.0).min(1.0);
        } else if ratio < 0.9 {
            self.tolerance *= 1.0 - 0.05 * (0.9 - ratio);
        }
        self.tolerance = self.tolerance.clamp(options.clean_tolerance(), 1e3);
    }
}

impl Troupe {
    /// Finds out who is in view, and whose interval is over.
    pub(super) fn plan(&mut self, sight: &Sight) {
        let Self { plan, members, clocks, shows, places, shelf, options, now, dt, frame, .. } = self;
        plan.seen.clear();
        plan.due.clear();
        for (index, (place, clock)) in (0..).zip(places.iter().zip(&*clocks)) {
            match sight.pixels(place.middle, place.radius) {
                Some(pixels) => plan.seen.push((index, pixels)),
                None if clock.is_exact => plan.due.push(Due { has_shown: false, index, frames: 0 }),
                None => {}
            }
        }
        let (mut keys, mut joints) = (0, 0);
        for &(index, pixels) in &plan.seen {
            let at = index as usize;
            let (show, clock, member) = (&mut shows[at], &mut clocks[at], &members[at]);
            let is_new = show.seen + 1 != *frame || show.to == f64::NEG_INFINITY;
            show.seen = *frame;
            if is_new {
                show.place[0] = u32::MAX;
            }
            if !(is_new || clock.is_changed || show.to < *now - 0.01 * *dt || show.frames <= 1) {
                continue;
            }
            // An interval begins where the last one has ended: a frame ago.
            let start = if is_new { 0.0 } else { -*dt };
            let error = |frames: u8| estimate(shelf, clock, member, start, f32::from(frames) * (*dt * 60.0) as f32);
            let allowed = plan.tolerance / pixels;
            let lasting = SPANS.iter().take_while(|frames| error(**frames) <= allowed).last();
            let longest = if clock.is_exact { 1 } else { options.longest.max(1) };
            let mut frames = lasting.copied().unwrap_or(1).min(longest);
            if is_new && frames > 1 {
                // Those who come into view together are not due together.
                frames = 1 + (index.wrapping_mul(0x9E37_79B1) >> 16) as u8 % frames;
            }
            show.error = error(frames);
            if is_new {
                plan.due.push(Due { has_shown: false, index, frames: 0 });
            }
            plan.due.push(Due { has_shown: true, index, frames });
            (keys, joints) = (keys + 1, joints + member.character.rig().joint_count());
        }
        plan.due.sort_unstable();
        plan.balance(options, joints as f32 / (keys as f32).max(1.0), keys);
    }
}

/// How far interpolation leaves joints from where they belong, in an interval of so many sixtieths of a second that begins `start` seconds
/// from now; in model units.
fn estimate(shelf: &Shelf, clock: &HandClock, member: &Member, start: f64, sixtieths: f32) -> f32 {
    if let Some((facts, way, rate)) = clock.alone(start) {
        return shelf.get(facts).map_or(0.0, |facts| facts.straightness.error(way, sixtieths * rate.abs() as f32));
    }
    let (mut worst, mut speed) = (0.0_f32, 0.0_f32);
    let mixer = &member.character.mixer;
    for (layer, (action, _)) in mixer.layers().flat_map(|layer| layer.actions().map(move |action| (layer, action))) {
        let Some(facts) = action.clip().and_then(|clip| shelf.get(member.clips as usize + clip)) else {
            // A blend space: its clips are not known here.
            return if sixtieths > 1.0 { f32::INFINITY } else { 0.0 };
        };
        let way = f64::from(action.time) + start * f64::from(action.speed);
        worst = worst.max(facts.straightness.error(way, sixtieths * action.speed.abs()));
        if layer.is_fading() {
            speed = speed.max(facts.straightness.speed / layer.fade_duration.max(0.05));
        }
    }
    // What a fade adds: the weight changes while the poses move.
    let seconds = sixtieths / 60.0;
    worst + 0.25 * speed * seconds * seconds
}
