use thiserror::Error;

use crate::shader::PalettePath;
use crate::skinning::GeometryError;

/// Why something did not get onto the GPU.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The device is gone: make a new one, and everything on it again.
    #[error("the device is lost: {reason}")]
    DeviceLost {
        /// What the driver says.
        reason: String,
    },
    /// There is not enough memory.
    #[error("the GPU is out of memory")]
    OutOfMemory,
    /// `wgpu` refused a call; a mistake in this crate, or a device that keeps less than it promises.
    #[error("wgpu: {0}")]
    Refused(String),
    /// More joints than one draw can see on this path.
    #[error("{joints} joints, but a {path} holds {limit} ({limit_name})")]
    TooManyJoints {
        /// Joints asked for.
        joints: usize,
        /// Joints that fit.
        limit: usize,
        /// Where they should have gone.
        path: PalettePath,
        /// The device's limit that is in the way.
        limit_name: &'static str,
    },
    /// More of something than the device allows.
    #[error("{what}: {needed}, but {limit_name} allows {limit}")]
    Limit {
        /// Of what.
        what: &'static str,
        /// How much is needed.
        needed: u64,
        /// How much is allowed.
        limit: u64,
        /// The device's limit that is in the way.
        limit_name: &'static str,
    },
    /// The device has no such thing.
    #[error("this device has no {what} ({limit_name} is too small)")]
    Unavailable {
        /// What is missing.
        what: String,
        /// The device's limit that says so.
        limit_name: &'static str,
    },
    /// Joints that were not uploaded.
    #[error("joints {start} to {end} are asked for, but {uploaded} were uploaded")]
    NotUploaded {
        /// The first joint.
        start: usize,
        /// One past the last joint.
        end: usize,
        /// Joints of the last upload.
        uploaded: usize,
    },
    /// A number of morph weights that does not fit the mesh.
    #[error("{found} morph weights, expected a multiple of {targets}, at least once")]
    MorphWeights {
        /// Given.
        found: usize,
        /// Morph targets of the mesh.
        targets: usize,
    },
    /// A mesh, palette or target that was made for another layout.
    #[error("{0}")]
    Mismatch(&'static str),
    /// Something is wrong with the vertices.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
}
