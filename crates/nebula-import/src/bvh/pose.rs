//! Joint transforms of a file: at rest, and frame by frame.

use glam::{DQuat, DVec3, Mat4};
use nebula_animation::{Joint, Skeleton};

use super::UpAxis;
use super::parse::{File, FileChannel};

/// A place and a rotation, in the space of the joint above or in that of the file.
pub(super) type Place = (DVec3, DQuat);

/// A file with the axes that it is read in, and the channels of each joint.
pub(super) struct Body<'a> {
    pub file: &'a File,
    pub up: UpAxis,
    /// For each joint, where in a frame its channels are.
    pub channels: Vec<Vec<(usize, FileChannel)>>,
}

impl<'a> Body<'a> {
    pub fn new(file: &'a File, up: UpAxis) -> Self {
        let mut channels = vec![Vec::new(); file.joints.len()];
        for (at, (joint, channel)) in file.channels.iter().enumerate() {
            channels[*joint].push((at, *channel));
        }
        Self { file, up, channels }
    }

    /// A vector of the file with Y up.
    pub fn upright(&self, vector: DVec3) -> DVec3 {
        match self.up {
            UpAxis::Y => vector,
            UpAxis::Z => DVec3::new(vector.x, vector.z, -vector.y),
        }
    }

    /// Where a joint is against the one above it: its offset, or what stands in place of it.
    pub fn place(&self, joint: usize, frame: &[f64]) -> DVec3 {
        let mut place = self.file.joints[joint].offset;
        for (at, channel) in &self.channels[joint] {
            if let FileChannel::Position(axis) = channel {
                place[*axis] = frame[*at];
            }
        }
        self.upright(place)
    }

    /// How a joint is turned: about each axis in the order of the channels.
    pub fn turn(&self, joint: usize, frame: &[f64]) -> DQuat {
        let mut turn = DQuat::IDENTITY;
        for (at, channel) in &self.channels[joint] {
            let angle = frame[*at].to_radians();
            turn *= match channel {
                FileChannel::Rotation(0) => DQuat::from_rotation_x(angle),
                FileChannel::Rotation(1) => DQuat::from_rotation_y(angle),
                FileChannel::Rotation(_) => DQuat::from_rotation_z(angle),
                FileChannel::Position(_) => DQuat::IDENTITY,
            };
        }
        let axis = self.upright(turn.xyz());
        DQuat::from_xyzw(axis.x, axis.y, axis.z, turn.w)
    }

    /// All joints in a frame, or as the format has them at rest: offsets, and no rotations.
    pub fn locals(&self, frame: Option<&[f64]>) -> Vec<Place> {
        let joint = |joint: usize| match frame {
            Some(frame) => (self.place(joint, frame), self.turn(joint, frame)),
            None => (self.upright(self.file.joints[joint].offset), DQuat::IDENTITY),
        };
        (0..self.file.joints.len()).map(joint).collect()
    }

    /// Those of the whole file.
    pub fn globals(&self, locals: &[Place]) -> Vec<Place> {
        let mut all: Vec<Place> = Vec::with_capacity(locals.len());
        for (joint, (place, turn)) in self.file.joints.iter().zip(locals) {
            all.push(match joint.parent {
                Some(parent) => (all[parent].0 + all[parent].1 * *place, all[parent].1 * *turn),
                None => (*place, *turn),
            });
        }
        all
    }

    /// A skeleton that rests and is bound like this.
    pub fn skeleton(&self, locals: &[Place], unit: f64) -> Skeleton {
        let globals = self.globals(locals);
        let joints = self.file.joints.iter().enumerate().map(|(index, joint)| {
            let ((place, turn), (global, whole)) = (locals[index], globals[index]);
            let back = whole.conjugate();
            Joint {
                index: index as u16,
                name: joint.name.clone(),
                parent: joint.parent.map(|parent| parent as u16),
                inverse_bind_matrix: Mat4::from_rotation_translation(
                    back.as_quat(),
                    (back * (-global * unit)).as_vec3(),
                ),
                bind_translation: (place * unit).as_vec3(),
                bind_rotation: turn.as_quat(),
                bind_scale: glam::Vec3::ONE,
            }
        });
        Skeleton { joints: joints.collect() }
    }
}
