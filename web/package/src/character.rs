//! One character: its frame and its surroundings.

use std::cell::Cell;

use glam::{Affine3A, Mat4, Vec3};
use nebula_animation::character::AttachmentId;
use nebula_animation::mixer::{Motion, ParameterId};
use nebula_animation::{Character, Frame, Surroundings};
use wasm_bindgen::prelude::*;

use crate::address;
use crate::asset::RawAsset;
use crate::events::Events;
use crate::ground::{Asked, Ground};

/// A character of a file.
#[wasm_bindgen(js_name = RawCharacter)]
pub struct RawCharacter {
    pub(crate) character: Character,
    pub(crate) spaces: Vec<Motion>,
    /// The parameters of each state machine, in its own order.
    pub(crate) parameters: Vec<Vec<ParameterId>>,
    pub(crate) attachments: Vec<AttachmentId>,
    /// Attachments that were removed: the next ones take their places.
    pub(crate) free_attachments: Vec<usize>,
    pub(crate) events: Events,
    ground: Option<Ground>,
    /// Whether the function of the ground has thrown something that nobody has been told of.
    has_thrown: Cell<bool>,
    /// Why the last call that returns a number failed.
    pub(crate) error: Option<String>,
    /// Sixteen floats that take points to the world, then the velocity: JavaScript writes them in place.
    place: Box<[f32; 19]>,
    /// What JavaScript and this code hand each other without making anything for it; written from outside while the ground is asked.
    pub(crate) scratch: Box<[Cell<f64>; 16]>,
    is_grounded: bool,
}

#[wasm_bindgen(js_class = RawCharacter)]
impl RawCharacter {
    /// A character in its rest pose.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(asset: &RawAsset) -> Self {
        let mut place = Box::new([0.0; 19]);
        place[..16].copy_from_slice(&Mat4::IDENTITY.to_cols_array());
        Self {
            character: Character::of(asset.library.clone()),
            spaces: Vec::new(),
            parameters: Vec::new(),
            attachments: Vec::new(),
            free_attachments: Vec::new(),
            events: Events::default(),
            ground: None,
            has_thrown: Cell::new(false),
            error: None,
            place,
            scratch: Box::default(),
            is_grounded: true,
        }
    }

    /// Lets the time that the scratch tells pass, and brings everything up to date. Whether the function of the ground threw something.
    pub fn update(&mut self) -> bool {
        self.begin();
        self.bend(Some(self.scratch[0].get()));
        self.end()
    }

    /// Whether the function of the ground threw something since somebody was told, once.
    #[wasm_bindgen(js_name = takeThrown)]
    pub fn take_thrown(&mut self) -> bool {
        self.has_thrown.take()
    }

    /// Why the last call failed that says so by a number, once.
    #[wasm_bindgen(js_name = takeError)]
    pub fn take_error(&mut self) -> String {
        self.error.take().unwrap_or_default()
    }

    /// Where the skinning matrices are: sixteen floats for each joint.
    #[wasm_bindgen(js_name = paletteAddress)]
    #[must_use]
    pub fn palette_address(&self) -> usize {
        address(self.character.palette())
    }

    /// Where the morph weights are.
    #[wasm_bindgen(js_name = morphAddress)]
    #[must_use]
    pub fn morph_address(&self) -> usize {
        address(self.frame().morph_weights())
    }

    /// How many morph weights there are.
    #[wasm_bindgen(js_name = morphCount)]
    #[must_use]
    pub fn morph_count(&self) -> usize {
        self.frame().morph_weights().len()
    }

    /// Where JavaScript writes the place of the character and its velocity.
    #[wasm_bindgen(js_name = placeAddress)]
    #[must_use]
    pub fn place_address(&self) -> usize {
        address(&*self.place)
    }

    /// Where the sixteen doubles are that are handed over in memory.
    #[wasm_bindgen(js_name = scratchAddress)]
    #[must_use]
    pub fn scratch_address(&self) -> usize {
        address(&*self.scratch)
    }

    /// How many events there were in the last update.
    #[wasm_bindgen(js_name = eventCount)]
    #[must_use]
    pub fn event_count(&self) -> usize {
        self.events.told().len()
    }

    /// Where they are told: see [`Told`](crate::events::Told).
    #[wasm_bindgen(js_name = eventsAddress)]
    #[must_use]
    pub fn events_address(&self) -> usize {
        address(self.events.told())
    }

    /// Whether the character is on the ground.
    #[wasm_bindgen(js_name = setGrounded)]
    pub fn set_grounded(&mut self, is_grounded: bool) {
        self.is_grounded = is_grounded;
    }

    /// What is asked where the ground is.
    #[wasm_bindgen(js_name = setGround)]
    pub fn set_ground(&mut self, ground: Option<Ground>) {
        self.ground = ground;
    }

    /// Writes what takes points from a joint's space to model space to the scratch.
    #[wasm_bindgen(js_name = jointMatrix)]
    pub fn joint_matrix(&self, joint: u16) {
        let matrix = self.frame().model_matrix(joint).to_cols_array();
        for (place, entry) in self.scratch.iter().zip(matrix) {
            place.set(entry.into());
        }
    }

    /// Writes the root's step in the last update to the scratch: x, y, z, and the turn about y.
    #[wasm_bindgen(js_name = rootStep)]
    pub fn root_step(&self) {
        let step = self.frame().root_step();
        let [x, y, z] = step.translation.to_array();
        for (place, number) in self.scratch.iter().zip([x, y, z, step.yaw]) {
            place.set(number);
        }
    }
}

impl RawCharacter {
    pub(crate) fn frame(&self) -> &Frame {
        self.character.frame()
    }

    /// Before time passes.
    pub(crate) fn begin(&mut self) {
        self.events.begin(&self.character);
    }

    /// After it has passed. Whether the function of the ground threw something.
    pub(crate) fn end(&mut self) -> bool {
        self.events.end(&self.character);
        self.has_thrown.take()
    }

    /// Lets time pass, or only brings the frame up to date: with the surroundings as JavaScript has told them.
    pub(crate) fn bend(&mut self, dt: Option<f64>) {
        let (character, around) = self.split();
        match dt {
            Some(dt) => character.update(dt, &around.surroundings()),
            None => character.finish(&around.surroundings()),
        }
    }

    /// The character, and what is around it.
    pub(crate) fn split(&mut self) -> (&mut Character, Around<'_>) {
        let Self { character, ground, has_thrown, scratch, place, is_grounded, .. } = self;
        let asked = ground.as_ref().map(|ground| Asked { ground, has_thrown, scratch });
        (character, Around { place, asked, is_grounded: *is_grounded })
    }

    /// A number that JavaScript hands over.
    pub(crate) fn number(&self) -> f64 {
        self.scratch[0].get()
    }

    /// Hands a number over to JavaScript.
    pub(crate) fn hand_over(&self, number: f64) {
        self.scratch[0].set(number);
    }

    /// Remembers why a call failed, which returns this number.
    pub(crate) fn failed(&mut self, error: impl std::fmt::Display) -> f64 {
        self.error = Some(error.to_string());
        -1.0
    }
}

/// What is around a character, as JavaScript has told it.
pub struct Around<'a> {
    place: &'a [f32; 19],
    asked: Option<Asked<'a>>,
    is_grounded: bool,
}

impl Around<'_> {
    /// The same for the library.
    pub fn surroundings(&self) -> Surroundings<'_> {
        let [place @ .., x, y, z] = self.place;
        Surroundings {
            world_from_model: Affine3A::from_mat4(Mat4::from_cols_array(place)),
            velocity: Vec3::new(*x, *y, *z),
            ground: self.asked.as_ref().map(|asked| asked as _),
            is_grounded: self.is_grounded,
            ..Surroundings::default()
        }
    }
}
