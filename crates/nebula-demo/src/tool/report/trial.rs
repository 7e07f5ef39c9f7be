//! Tries walks and runs with foot placement on several grounds.

use std::sync::Arc;

use nebula_animation::{AnimationClipLibrary, Asset};
use serde_json::{Value, json};

use super::facts::Trial;
use super::run::{HZ, Run, Scene, Stance};
use super::soles::Soles;

/// A second until whatever begins has begun.
pub const SETTLED: usize = HZ as usize;

/// The grounds, each with its name.
fn grounds() -> [(&'static str, Value); 11] {
    let slope = |degrees: i32| json!({"kind": "slope", "degrees": degrees});
    [
        ("level", slope(0)),
        ("10 degrees up", slope(10)),
        ("20 degrees up", slope(20)),
        ("30 degrees up", slope(30)),
        ("10 degrees down", slope(-10)),
        ("20 degrees down", slope(-20)),
        ("30 degrees down", slope(-30)),
        ("stairs up", json!({"kind": "stairs", "rise": 0.15, "run": 0.3})),
        ("stairs down", json!({"kind": "stairs", "rise": -0.15, "run": 0.3})),
        ("lift at 0.5 m/s", json!({"kind": "lift", "velocity": 0.5, "until": 3})),
        ("lift at 3 m/s", json!({"kind": "lift", "velocity": 3, "until": 3})),
    ]
}

/// What the clip does by itself on level ground.
pub struct Own {
    pub run: Run,
    pub stances: Vec<Stance>,
    pub seconds: f32,
}

impl Own {
    pub fn of(asset: &Arc<Asset>, library: &AnimationClipLibrary, soles: &Soles, seconds: f32) -> Result<Self, String> {
        let scene = Scene { seconds, ground: json!({"kind": "flat"}), has_feet: false };
        let run = Run::of(asset, library, soles, &scene)?;
        let stances = run.stances(SETTLED, false);
        Ok(Self { run, stances, seconds })
    }

    /// The same clip with feet on all grounds.
    pub fn trials(
        &self,
        asset: &Arc<Asset>,
        library: &AnimationClipLibrary,
        soles: &Soles,
    ) -> Result<Vec<Trial>, String> {
        grounds().into_iter().map(|(name, ground)| self.trial(asset, library, soles, name, ground)).collect()
    }

    fn trial(
        &self,
        asset: &Arc<Asset>,
        library: &AnimationClipLibrary,
        soles: &Soles,
        name: &'static str,
        ground: Value,
    ) -> Result<Trial, String> {
        let scene = Scene { seconds: self.seconds, ground: ground.clone(), has_feet: true };
        let run = Run::of(asset, library, soles, &scene)?;
        let (mut sink, mut float) = (0.0_f32, 0.0_f32);
        for (index, (own, with_feet)) in self.run.frames.iter().zip(&run.frames).enumerate().skip(SETTLED) {
            for (leg, (own, foot)) in own.feet.iter().zip(&with_feet.feet).enumerate() {
                if self.run.stands(leg, index) {
                    sink = sink.max(own.low.min(0.0) - foot.low);
                    float = float.max(foot.low - own.low.max(0.0));
                }
            }
        }
        let ratio = |own: f32, with_feet: f32| if own > 1e-6 { with_feet / own } else { 1.0 };
        Ok(Trial {
            name,
            ground,
            slide_mm: run.slide(&self.stances),
            sink_mm: 1e3 * sink,
            float_mm: 1e3 * float,
            knee: ratio(self.run.knee_speed(SETTLED), run.knee_speed(SETTLED)),
            pelvis: ratio(self.run.pelvis_acceleration(SETTLED), run.pelvis_acceleration(SETTLED)),
        })
    }
}
