//! One character: its frame, and what is around it.

use std::cell::RefCell;

use glam::{Affine3A, Mat4, Quat, Vec3};
use nebula_animation::character::AttachmentId;
use nebula_animation::mixer::Motion;
use nebula_animation::{BoneAttachment, Character, Frame, Surroundings};
use wasm_bindgen::prelude::*;

use crate::asset::RawAsset;
use crate::ground::{Asked, Ground};
use crate::{address, exception};

/// A character of a file.
#[wasm_bindgen(js_name = RawCharacter)]
pub struct RawCharacter {
    pub(crate) character: Character,
    pub(crate) spaces: Vec<Motion>,
    attachments: Vec<AttachmentId>,
    pub(crate) events: Vec<Happened>,
    ground: Option<Ground>,
    thrown: RefCell<Option<JsValue>>,
    /// Sixteen floats that take points to the world, then the velocity: JavaScript writes them in place.
    place: Box<[f32; 19]>,
    is_grounded: bool,
}

/// An event of the last update.
#[derive(Clone, Copy)]
pub(crate) struct Happened {
    pub layer: u32,
    pub clip: u32,
    pub marker: u32,
    pub pass: f64,
    pub weight: f32,
    pub total_time: f64,
    pub is_rewinding: bool,
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
            attachments: Vec::new(),
            events: Vec::new(),
            ground: None,
            thrown: RefCell::new(None),
            place,
            is_grounded: true,
        }
    }

    /// Lets time pass and brings everything up to date.
    ///
    /// # Errors
    /// What the function of the ground threw.
    pub fn update(&mut self, dt: f64) -> Result<(), JsValue> {
        let [place @ .., x, y, z] = &*self.place;
        let asked = self.ground.as_ref().map(|ground| Asked { ground, thrown: &self.thrown });
        let surroundings = Surroundings {
            world_from_model: Affine3A::from_mat4(Mat4::from_cols_array(place)),
            velocity: Vec3::new(*x, *y, *z),
            ground: asked.as_ref().map(|asked| asked as _),
            is_grounded: self.is_grounded,
            ..Surroundings::default()
        };
        self.character.update(dt, &surroundings);
        self.events.clear();
        self.events.extend(self.character.events().map(|event| Happened {
            layer: event.layer.index() as u32,
            clip: event.clip.index() as u32,
            marker: event.index as u32,
            pass: event.pass as f64,
            weight: event.weight,
            total_time: event.total_time,
            is_rewinding: event.is_rewinding,
        }));
        self.thrown.take().map_or(Ok(()), Err)
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

    /// Writes what takes points from a joint's space to model space.
    #[wasm_bindgen(js_name = jointMatrix)]
    pub fn joint_matrix(&self, joint: u16, out: &mut [f32]) {
        if let Some(out) = out.first_chunk_mut() {
            *out = self.frame().model_matrix(joint).to_cols_array();
        }
    }

    /// A part of the root's step in the last update: x, y, z, or the turn about y.
    #[wasm_bindgen(js_name = rootStep)]
    #[must_use]
    pub fn root_step(&self, part: usize) -> f64 {
        let step = self.frame().root_step();
        match part {
            0 => step.translation.x,
            1 => step.translation.y,
            2 => step.translation.z,
            _ => step.yaw,
        }
    }

    /// Lets a joint hold something; its number.
    ///
    /// # Errors
    /// There is no such joint.
    pub fn attach(&mut self, joint: &str) -> Result<usize, JsError> {
        let id = self.character.attach(BoneAttachment::named(joint)).map_err(exception)?;
        self.attachments.push(id);
        Ok(self.attachments.len() - 1)
    }

    /// Sets how what is held lies in the joint's space: translation, rotation, scale.
    #[wasm_bindgen(js_name = setOffset)]
    pub fn set_offset(&mut self, attachment: usize, offset: &[f32]) {
        let Some(&id) = self.attachments.get(attachment) else { return };
        let &[x, y, z, i, j, k, w, width, height, depth] = offset else { return };
        if let Some(attachment) = self.character.attachment_mut(id) {
            let rotation = Quat::from_xyzw(i, j, k, w).normalize();
            attachment.offset = (Vec3::new(x, y, z), rotation, Vec3::new(width, height, depth));
        }
    }

    /// Where the matrix of what is held is; 0 before the first update.
    #[wasm_bindgen(js_name = attachmentAddress)]
    #[must_use]
    pub fn attachment_address(&self, attachment: usize) -> usize {
        self.frame().attachment(attachment).map_or(0, |matrix| address(std::slice::from_ref(matrix)))
    }
}

impl RawCharacter {
    fn frame(&self) -> &Frame {
        self.character.frame()
    }
}
