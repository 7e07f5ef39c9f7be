//! The ground, as a function of JavaScript.

use std::cell::RefCell;

use glam::Vec3;
use nebula_animation::{GroundPoint, GroundQuery};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// The package's own object around the function: it is asked, and then holds the answer, so that nothing is made for it.
    pub type Ground;

    /// Whether there is ground at a place of the world.
    #[wasm_bindgen(method, catch)]
    fn ask(this: &Ground, x: f64, y: f64, z: f64) -> Result<bool, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn height(this: &Ground) -> f64;
    #[wasm_bindgen(method, getter, js_name = normalX)]
    fn normal_x(this: &Ground) -> f64;
    #[wasm_bindgen(method, getter, js_name = normalY)]
    fn normal_y(this: &Ground) -> f64;
    #[wasm_bindgen(method, getter, js_name = normalZ)]
    fn normal_z(this: &Ground) -> f64;
    #[wasm_bindgen(method, getter, js_name = velocityX)]
    fn velocity_x(this: &Ground) -> f64;
    #[wasm_bindgen(method, getter, js_name = velocityY)]
    fn velocity_y(this: &Ground) -> f64;
    #[wasm_bindgen(method, getter, js_name = velocityZ)]
    fn velocity_z(this: &Ground) -> f64;
    #[wasm_bindgen(method, getter)]
    fn spin(this: &Ground) -> f64;
}

/// Asks the function for the layers, and keeps the first exception that it throws: the update throws it on.
pub struct Asked<'a> {
    pub ground: &'a Ground,
    pub thrown: &'a RefCell<Option<JsValue>>,
}

impl GroundQuery for Asked<'_> {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        let ground = self.ground;
        match ground.ask(place.x.into(), place.y.into(), place.z.into()) {
            Ok(false) => None,
            Ok(true) => {
                let vector = |x: f64, y: f64, z: f64| Vec3::new(x as f32, y as f32, z as f32);
                let normal = vector(ground.normal_x(), ground.normal_y(), ground.normal_z());
                let mut point = GroundPoint::new(ground.height() as f32, normal);
                point.velocity = vector(ground.velocity_x(), ground.velocity_y(), ground.velocity_z());
                point.spin = ground.spin() as f32;
                Some(point)
            }
            Err(exception) => {
                self.thrown.borrow_mut().get_or_insert(exception);
                None
            }
        }
    }
}
