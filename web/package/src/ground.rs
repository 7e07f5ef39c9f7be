//! The ground as a JavaScript function.

use std::cell::Cell;

use glam::Vec3;
use nebula_animation::{GroundPoint, GroundQuery};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The package's own object around the function.
    pub type Ground;

    /// Whether there is ground at the place that the scratch tells: 0 for none, 1 where the answer is in the scratch, 2 where the function
    /// threw something, which the object keeps. Nothing but whole numbers goes from one language to the other: any other number, and an
    /// exception that is caught on this side, would be an object of JavaScript's.
    #[wasm_bindgen(method)]
    fn ask(this: &Ground) -> u32;
}

/// Asks the function for the layers, and notes that it threw something: the update throws it on.
pub struct Asked<'a> {
    pub ground: &'a Ground,
    pub has_thrown: &'a Cell<bool>,
    /// The place, then height, normal, velocity and spin.
    pub scratch: &'a [Cell<f64>; 16],
}

impl GroundQuery for Asked<'_> {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        for (number, entry) in self.scratch.iter().zip(place.to_array()) {
            number.set(entry.into());
        }
        match self.ground.ask() {
            0 => None,
            1 => {
                let [_, _, _, height, i, j, k, x, y, z, spin, ..] =
                    self.scratch.each_ref().map(|number| number.get() as f32);
                let mut point = GroundPoint::new(height, Vec3::new(i, j, k));
                point.velocity = Vec3::new(x, y, z);
                point.spin = spin;
                Some(point)
            }
            _ => {
                self.has_thrown.set(true);
                None
            }
        }
    }
}
