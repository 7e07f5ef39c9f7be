//! What can be seen of the hero: bodies for a shot, and numbers for a panel.

use glam::{Mat4, Vec3};
use nebula_animation::{FootPlacement, mixer::Motion};

use super::Hero;
use crate::picture::Line;
use crate::show::figure::skeleton_lines;
use crate::show::shot::Body;

/// A foot, and what it stands on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Name of the foot's joint.
    pub joint: &'static str,
    /// The ground below it, in world space.
    pub ground: Vec3,
    /// The ground's normal there; unit length.
    pub normal: Vec3,
    /// Whether the foot is locked to its print.
    pub is_planted: bool,
}

/// Something that the mixer shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Playing {
    /// Name of the clip, or `walk and run` for the blend of gaits.
    pub name: String,
    /// Index of the mixer's layer; 0 is the whole body.
    pub layer: usize,
    /// Time of the clip in seconds; of a blend, the part of its cycle.
    pub time: f32,
    /// Share of the layer, from 0 to 1.
    pub weight: f32,
}

impl Hero {
    /// The hero and what it carries.
    #[must_use]
    pub fn bodies(&self) -> [Body<'_>; 2] {
        let humanoid = Body {
            model: &self.cast.humanoid,
            palette: &self.palette,
            place: Mat4::from(self.world_from_model),
            morph_weights: &[],
        };
        let sword = Body { model: &self.cast.sword, palette: &[], place: self.sword_place, morph_weights: &[] };
        [humanoid, sword]
    }

    /// World from bind, for each joint.
    #[must_use]
    pub fn palette(&self) -> &[Mat4] {
        &self.palette
    }

    /// Where the sword is: world from its own space, whose origin is the middle of the grip.
    #[must_use]
    pub fn sword(&self) -> Mat4 {
        self.sword_place
    }

    /// World from joint; the identity for a joint that does not exist.
    #[must_use]
    pub fn joint(&self, joint: usize) -> Mat4 {
        let world_from_bind = self.palette.get(joint).copied().unwrap_or(Mat4::IDENTITY);
        world_from_bind * self.cast.humanoid.bind_matrix(joint)
    }

    /// Name and place in the world of each joint.
    pub fn joints(&self) -> impl Iterator<Item = (&str, Vec3)> {
        let joints = self.skeleton.joints.iter().enumerate();
        joints.map(|(index, joint)| (joint.name.as_str(), self.joint(index).w_axis.truncate()))
    }

    /// The place of a joint in the world, by its name.
    #[must_use]
    pub fn joint_named(&self, name: &str) -> Option<Vec3> {
        self.joints().find(|(other, _)| *other == name).map(|(_, place)| place)
    }

    /// The skeleton as an overlay, for a picture of this height in pixels.
    #[must_use]
    pub fn skeleton_lines(&self, height: u32) -> Vec<Line> {
        let joints = &self.skeleton.joints;
        let place = |joint: usize| self.joint(joint).w_axis.truncate();
        skeleton_lines(height, place, || joints.iter().map(|joint| joint.parent.map(usize::from)))
    }

    /// The left foot and the right one on the ground.
    #[must_use]
    pub fn contacts(&self) -> [Contact; 2] {
        let layer = self.stack.layer::<FootPlacement>();
        [("LeftFoot", 0), ("RightFoot", 1)].map(|(name, leg)| {
            let joint = self.feet.legs().get(leg).map_or(0, |leg| usize::from(leg.foot));
            let foot = self.joint(joint).w_axis.truncate();
            let place = glam::Vec2::new(foot.x, foot.z);
            Contact {
                joint: name,
                ground: self.hills.on(place),
                normal: self.hills.normal(place),
                is_planted: layer.is_some_and(|layer| layer.is_planted(leg)),
            }
        })
    }

    /// What is shown, layer by layer, the oldest first.
    #[must_use]
    pub fn playing(&self) -> Vec<Playing> {
        let mut all = Vec::new();
        for (layer, actions) in self.mixer.layers().enumerate() {
            for (action, weight) in actions.actions() {
                let name = match action.motion() {
                    Motion::Clip(clip) => self.mixer.clips().get(clip).map(|clip| clip.name.clone()),
                    _ => Some("walk and run".into()),
                };
                all.push(Playing { name: name.unwrap_or_default(), layer, time: action.time, weight });
            }
        }
        all
    }

    /// Metres per second over the ground.
    #[must_use]
    pub fn speed(&self) -> f32 {
        self.speed
    }
}
