//! Animation samplers: appendix C of glTF 2.0.

use serde_json::Value;

use super::{Reference, index};

impl Reference {
    /// The value of a sampler at a time. `width` is how many numbers a key holds.
    pub(super) fn sample(&self, sampler: &Value, time: f64, width: usize, is_rotation: bool) -> Vec<f64> {
        let times: Vec<f64> = self.elements(index(&sampler["input"])).iter().map(|element| element[0]).collect();
        let numbers: Vec<f64> = self.elements(index(&sampler["output"])).concat();
        let interpolation = sampler["interpolation"].as_str().unwrap_or("LINEAR");
        let is_cubic = interpolation == "CUBICSPLINE";
        // Cubic keys are in-tangents, values and out-tangents, in this order.
        let part = |key: usize, part: usize| {
            let start = if is_cubic { (key * 3 + part) * width } else { key * width };
            numbers[start..start + width].to_vec()
        };
        // The standard asks for unit quaternions; quantised ones come close.
        let value = |key: usize| if is_rotation { unit(part(key, 1)) } else { part(key, 1) };

        let last = times.len() - 1;
        if time <= times[0] {
            return value(0);
        }
        if time >= times[last] {
            return value(last);
        }
        let key = (0..last).rev().find(|&key| times[key] <= time).expect("a key before the time");
        let seconds = times[key + 1] - times[key];
        let t = (time - times[key]) / seconds;
        match interpolation {
            "STEP" => value(key),
            "LINEAR" if is_rotation => slerp(&value(key), &value(key + 1), t),
            "LINEAR" => combine(&[(1.0 - t, value(key)), (t, value(key + 1))]),
            "CUBICSPLINE" => {
                let (t2, t3) = (t.powi(2), t.powi(3));
                let spline = combine(&[
                    (2.0 * t3 - 3.0 * t2 + 1.0, value(key)),
                    (seconds * (t3 - 2.0 * t2 + t), part(key, 2)),
                    (-2.0 * t3 + 3.0 * t2, value(key + 1)),
                    (seconds * (t3 - t2), part(key + 1, 0)),
                ]);
                if is_rotation { unit(spline) } else { spline }
            }
            other => panic!("interpolation {other}"),
        }
    }
}

/// The sum of scaled vectors.
fn combine(terms: &[(f64, Vec<f64>)]) -> Vec<f64> {
    (0..terms[0].1.len()).map(|at| terms.iter().map(|(factor, vector)| factor * vector[at]).sum()).collect()
}

/// The vector of length 1 in the same direction.
pub fn unit(vector: Vec<f64>) -> Vec<f64> {
    let length = vector.iter().map(|component| component * component).sum::<f64>().sqrt();
    assert!(length > 0.0, "a quaternion without direction");
    vector.into_iter().map(|component| component / length).collect()
}

fn slerp(from: &[f64], to: &[f64], t: f64) -> Vec<f64> {
    let dot: f64 = from.iter().zip(to).map(|(a, b)| a * b).sum();
    // The shorter of the two arcs.
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let angle = dot.abs().min(1.0).acos();
    if angle < 1e-6 {
        return unit(combine(&[(1.0 - t, from.to_vec()), (sign * t, to.to_vec())]));
    }
    let share = |part: f64| (angle * part).sin() / angle.sin();
    unit(combine(&[(share(1.0 - t), from.to_vec()), (sign * share(t), to.to_vec())]))
}
