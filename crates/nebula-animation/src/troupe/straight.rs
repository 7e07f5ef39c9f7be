//! How far the joints of a clip are from the straight lines between two of its poses.

use glam::Vec3;

use crate::compile::CompiledClip;
use crate::palette::{Evaluator, PaletteRows};
use crate::rig::Rig;

/// The intervals that are measured, in sixtieths of a second of the clip.
pub(super) const SPANS: [u8; 8] = [1, 2, 3, 4, 6, 8, 12, 16];

/// Parts of a clip that are told apart.
const PARTS: usize = 32;

/// Samples in a sixtieth of a second.
const FINE: usize = 2;

/// The most samples of a clip.
const MOST: usize = 4096;

/// For the parts of a clip, how far any joint is from the straight line between its places at the ends of an interval that begins
/// there: what is left out where poses in between are interpolated. Skinning matrices that are interpolated move each
/// vertex along such a line.
#[derive(Debug)]
pub(super) struct Straightness {
    /// In model units, for each of [`SPANS`].
    errors: Box<[[f32; SPANS.len()]; PARTS]>,
    length: f64,
    /// Of the fastest joint, in units per second.
    pub speed: f32,
}

impl Straightness {
    pub fn of(rig: &Rig, clip: &CompiledClip) -> Self {
        let length = f64::from(clip.duration()).max(0.0);
        let mut measured = Self { errors: Box::new([[0.0; SPANS.len()]; PARTS]), length, speed: 0.0 };
        let rate = 60.0 * FINE as f64;
        let count = ((length * rate).round() as usize).clamp(1, MOST);
        let (mut evaluator, joints) = (Evaluator::new(), rig.joint_count());
        let mut rows = vec![PaletteRows::IDENTITY; joints];
        let binds: Vec<Vec3> =
            rig.skeleton().joints.iter().map(|joint| joint.inverse_bind_matrix.inverse().w_axis.truncate()).collect();
        let mut places = Vec::with_capacity(count * joints);
        for sample in 0..count {
            let time = (sample as f64 / rate).min(length) as f32;
            evaluator.palette_rows(rig, clip, time, &mut rows);
            places.extend(rows.iter().zip(&binds).map(|(rows, bind)| applied(rows, *bind)));
        }
        // Clips that end elsewhere than they begin jump there, as the full evaluation does.
        let at = |sample: usize| &places[sample % count * joints..][..joints];
        for start in 0..count {
            let errors = &mut measured.errors[start * PARTS / count];
            let step = at(start).iter().zip(at((start + FINE).min(count - 1)));
            let fastest = step.map(|(from, to)| from.distance(*to)).fold(0.0, f32::max);
            measured.speed = measured.speed.max(fastest * 60.0);
            for (error, span) in errors.iter_mut().zip(SPANS) {
                let samples = usize::from(span) * FINE;
                let ends = at(start).iter().zip(at(start + samples));
                for (joint, (from, to)) in ends.enumerate() {
                    for sample in (FINE..samples).step_by(FINE) {
                        let line = from.lerp(*to, sample as f32 / samples as f32);
                        *error = error.max(line.distance(at(start + sample)[joint]));
                    }
                }
            }
        }
        measured
    }

    /// How far joints are from the lines of an interval of so many sixtieths of a second of the clip, which begins at `way` seconds; in
    /// model units.
    pub fn error(&self, way: f64, sixtieths: f32) -> f32 {
        let part = if self.length > 0.0 { (way / self.length).rem_euclid(1.0) * PARTS as f64 } else { 0.0 };
        let errors = &self.errors[(part as usize).min(PARTS - 1)];
        match SPANS.iter().position(|span| f32::from(*span) >= sixtieths) {
            // Between poses a sixtieth apart there is nothing to be seen.
            Some(0) => 0.0,
            Some(longer) => errors[longer],
            None => errors[SPANS.len() - 1] * (sixtieths / f32::from(SPANS[SPANS.len() - 1])).powi(2),
        }
    }
}

fn applied(rows: &PaletteRows, point: Vec3) -> Vec3 {
    let row = |[x, y, z, w]: [f32; 4]| x * point.x + y * point.y + z * point.z + w;
    Vec3::from_array(rows.0.map(row))
}
