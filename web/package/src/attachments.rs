//! Attachments of a character.

use glam::{Quat, Vec3};
use nebula_animation::BoneAttachment;
use wasm_bindgen::prelude::*;

use crate::character::RawCharacter;
use crate::{address, exception};

#[wasm_bindgen(js_class = RawCharacter)]
impl RawCharacter {
    /// Lets a joint hold something; its number. No time passes: only its matrix is worked out.
    ///
    /// # Errors
    /// There is no such joint.
    pub fn attach(&mut self, joint: &str) -> Result<usize, JsError> {
        let rig = self.character.rig().clone();
        let attachment = BoneAttachment::new(&rig, joint).map_err(exception)?;
        let number = match self.free_attachments.pop() {
            Some(number) => {
                if let Some(place) = self.attachments.get(number).and_then(|&id| self.character.attachment_mut(id)) {
                    *place = attachment;
                }
                number
            }
            None => {
                self.attachments.push(self.character.attach(attachment).map_err(exception)?);
                self.attachments.len() - 1
            }
        };
        self.bend(None);
        Ok(number)
    }

    /// Lets go of something: its number may be given to another.
    pub fn detach(&mut self, attachment: usize) {
        if attachment < self.attachments.len() && !self.free_attachments.contains(&attachment) {
            self.free_attachments.push(attachment);
        }
    }

    /// Takes how what is held lies in the joint's space from the scratch: translation, rotation, scale.
    #[wasm_bindgen(js_name = setOffset)]
    pub fn set_offset(&mut self, attachment: usize) {
        let Some(&id) = self.attachments.get(attachment) else { return };
        let [x, y, z, i, j, k, w, width, height, depth, ..] = self.scratch.each_ref().map(|number| number.get() as f32);
        if let Some(attachment) = self.character.attachment_mut(id) {
            let rotation = Quat::from_xyzw(i, j, k, w);
            let length = rotation.length();
            let rotation = if length > 0.0 { rotation * (1.0 / length) } else { Quat::IDENTITY };
            attachment.offset = (Vec3::new(x, y, z), rotation, Vec3::new(width, height, depth));
        }
    }

    /// Where the matrix of what is held is.
    #[wasm_bindgen(js_name = attachmentAddress)]
    #[must_use]
    pub fn attachment_address(&self, attachment: usize) -> usize {
        self.frame().attachment(attachment).map_or(0, |matrix| address(std::slice::from_ref(matrix)))
    }
}
