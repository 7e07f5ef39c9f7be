use crate::mixer::fade::FadeIn;
use crate::mixer::layer::{MixerLayer, OLDER};

/// Most levels of a layer.
const LEVELS: usize = OLDER + 3;
/// Places and weights of Gauss's rule on -1 to 1, which is exact for polynomials up to the ninth degree: a smooth fade is of
/// the third, and three of them may overlap.
const GAUSS: [(f64, f64); 5] = [
    (0.0, 0.568_888_888_888_888_9),
    (0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (-0.538_469_310_105_683_1, 0.478_628_670_499_366_47),
    (0.906_179_845_938_664, 0.236_926_885_056_189_08),
    (-0.906_179_845_938_664, 0.236_926_885_056_189_08),
];

impl MixerLayer {
    /// Sets every action's mean share during the next step: its contribution to root motion. Exact even for steps in
    /// which a fade ends, so that the result does not depend on the steps.
    pub(in crate::mixer) fn note_mean_shares(&mut self, dt: f64) {
        let fades = self.fades();
        // Between the ends of fades, shares are polynomials of time.
        let mut ends = [dt; LEVELS + 2];
        // A fade may begin within the step.
        let wait = f64::from(-self.fade_progress) * f64::from(self.fade_duration);
        ends[LEVELS] = if wait > 0.0 { wait.min(dt) } else { dt };
        for (end, fade) in ends.iter_mut().zip(fades.iter().flatten()) {
            let left = f64::from(1.0 - fade.progress) * f64::from(fade.seconds);
            *end = if left > 0.0 { left.min(dt) } else { dt };
        }
        ends.sort_by(f64::total_cmp);
        let mut means = [0.0; LEVELS];
        let mut start = 0.0;
        for end in ends {
            let half = 0.5 * (end - start);
            if half > 0.0 {
                for (place, weight) in GAUSS {
                    let shares = shares(&fades, start + half * (1.0 + place), self.memory.has_snapshot);
                    let part = weight * half / dt;
                    means.iter_mut().zip(shares).for_each(|(mean, share)| *mean += part * share);
                }
            }
            start = end;
        }
        if !(dt > 0.0) {
            means = shares(&fades, 0.0, self.memory.has_snapshot);
        }
        let older = self.older.iter_mut().map(|level| &mut level.action);
        let has_fading = self.fading.is_some();
        let fading = std::iter::once(&mut self.fading_action).filter(|_| has_fading);
        for (action, mean) in older.chain(fading).chain([&mut self.current_action]).zip(means) {
            if let Some(action) = action {
                action.mean_share = mean * f64::from(action.clean_weight());
            }
        }
    }

    /// The fades into all levels, the oldest first.
    fn fades(&self) -> [Option<FadeIn>; LEVELS] {
        let mut fades = [None; LEVELS];
        let all = self.older.iter().map(|level| level.fade).chain(self.fading).chain([self.current_fade()]);
        fades.iter_mut().zip(all).for_each(|(slot, fade)| *slot = Some(fade));
        fades
    }
}

/// The share of each level, this many seconds from now.
fn shares(fades: &[Option<FadeIn>; LEVELS], ahead: f64, has_snapshot: bool) -> [f64; LEVELS] {
    let mut shares = [0.0; LEVELS];
    let mut left = 1.0;
    for (index, fade) in fades.iter().enumerate().rev() {
        let Some(fade) = fade else { continue };
        // The lowest level has nothing to take over from.
        let weight = if index == 0 && !has_snapshot { 1.0 } else { f64::from(fade.weight(ahead)) };
        shares[index] = left * weight;
        left *= 1.0 - weight;
    }
    shares
}
