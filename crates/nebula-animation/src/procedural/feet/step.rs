//! The inputs of foot placement for one frame.

use glam::{Affine3A, Quat, Vec3A};

use super::damped::Paces;
use super::settings::FootSettings;
use crate::frame::GroundQuery;
use crate::procedural::turn::rotated;
use crate::rig::Sole;

/// The transform of the character in this frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stand {
    pub world_from_model: Affine3A,
    /// The rotation of that transform.
    pub rotation: Quat,
    /// The character's own direction upwards, in the world; unit length.
    pub up: Vec3A,
    /// Metres of the world for a unit of model space.
    pub scale: f32,
    /// Height of the clip's ground in model space.
    pub floor: f32,
}

impl Stand {
    #[inline]
    pub fn point(&self, place: Vec3A) -> Vec3A {
        self.world_from_model.transform_point3a(place)
    }
}

/// What the clip does with one foot in this frame, in model space.
#[derive(Debug, Clone, Default)]
pub(super) struct Step {
    pub hip: Vec3A,
    pub ankle: Vec3A,
    /// How the ankle's axes lie.
    pub rotation: Quat,
    pub sole: Sole,
    /// Thigh and shin together, as long as they are in the pose.
    pub length: f32,
    /// Whether the clip has the foot on the ground.
    pub is_down: bool,
    /// Seconds of the clips until it lands, where they tell; infinite where they do not.
    pub until: f32,
    /// Seconds of the clips since it landed.
    pub since: f32,
    /// Points of the sole from the ankle, in the ankle's axes. Lengths are those of model space.
    pub points: Box<[Vec3A]>,
    /// Which of them is the lowest.
    pub lowest: u8,
}

impl Step {
    /// A point of the sole in model space; the ankle if there is none.
    pub fn point(&self, at: usize) -> Vec3A {
        self.ankle + self.points.get(at).map_or(Vec3A::ZERO, |point| rotated(self.rotation, *point))
    }

    /// How high the lowest point of the sole is above a floor in model space.
    pub fn height(&self, floor: f32) -> f32 {
        self.point(self.lowest.into()).y - floor
    }

    pub fn is_finite(&self) -> bool {
        // Sums keep what is not finite.
        let places = self.sole.heel + self.sole.ball + self.hip + self.ankle;
        (places.x + places.y + places.z + self.length).is_finite() && self.rotation.is_finite()
    }
}

/// Where a foot shall be, in the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    pub ankle: Vec3A,
    pub rotation: Quat,
    /// How much that counts, from 0 to 1.
    pub hold: f32,
}

/// What all feet share in a frame.
pub(super) struct Surroundings<'a> {
    pub stand: &'a Stand,
    pub ground: &'a dyn GroundQuery,
    pub settings: &'a FootSettings,
    /// The least y of a normal to stand on, and the least cosine of a foot's twist: the limits of the settings.
    pub steepest: f32,
    pub most_twisted: f32,
    pub paces: &'a Paces,
    pub dt: f32,
    /// How the entity moves, in metres per second of the world.
    pub velocity: Vec3A,
    /// Frames a second; 0 where no time passes.
    pub rate: f32,
    /// How far a fade gets in this frame.
    pub fading: f32,
    /// The state is of no use: the first frame, a teleport, a pause of the layer.
    pub is_fresh: bool,
}
