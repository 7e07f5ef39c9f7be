use thiserror::Error;

use crate::shader::PalettePath;
use crate::skinning::GeometryError;

/// Why a GPU operation failed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The device is lost: create a new one, and everything on it again.
    #[error("the device is lost: {reason}")]
    DeviceLost {
        /// What the driver says.
        reason: String,
    },
    /// There is not enough memory.
    #[error("the GPU is out of memory")]
    OutOfMemory,
    /// `wgpu` refused a call: a bug in this crate, or a device that does not support what it claims.
    #[error("wgpu: {0}")]
    Refused(String),
    /// More joints than one draw call can access on this path.
    #[error("{joints} joints, but a {path} holds {limit} ({limit_name})")]
    TooManyJoints {
        /// Joints asked for.
        joints: usize,
        /// Joints that fit.
        limit: usize,
        /// Where they should have gone.
        path: PalettePath,
        /// The device limit that is exceeded.
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
        /// The device limit that is exceeded.
        limit_name: &'static str,
    },
    /// The device does not support this.
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
    /// The number of morph weights does not match the mesh.
    #[error("{found} morph weights, expected a multiple of {targets}, at least once")]
    MorphWeights {
        /// Given.
        found: usize,
        /// Morph targets of the mesh.
        targets: usize,
    },
    /// A mesh, palette or target that was created for another layout.
    #[error("{0}")]
    Mismatch(&'static str),
    /// The vertices are invalid.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
}
