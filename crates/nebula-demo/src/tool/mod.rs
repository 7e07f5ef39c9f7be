//! Commands that look at files and print text.

pub mod act;
pub mod clock;
pub mod compress;
pub mod convert;
pub mod explain;
pub mod inspect;
pub mod pose;
pub mod report;
pub mod retarget;
mod spot;
pub mod validate;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use glam::Mat4;
use nebula_animation::asset::LoadOptions;
use nebula_animation::palette::{model_matrices, skinning_matrices};
use nebula_animation::{Asset, JointPose};
use nebula_import::{OpenOptions, Opened};

/// Writes to standard output. A reader that has seen enough and closed the pipe is no error.
pub(crate) fn print(text: &str) -> Result<ExitCode, String> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("cannot write the output: {error}")),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// Opens a file of any format, with what is compressed decoded.
pub(crate) fn open(file: &Path, load: LoadOptions) -> Result<Opened, String> {
    let options = OpenOptions { load, ..OpenOptions::default() };
    nebula_import::open_with(file, &options).map_err(|error| error.in_file(file))
}

/// A pose of a whole asset, with the memory to evaluate the next one.
pub(crate) struct PosedAsset<'a> {
    asset: &'a Asset,
    /// Relative to each joint's parent.
    pub(crate) local: Vec<JointPose>,
    /// Joint space to model space.
    pub(crate) models: Vec<Mat4>,
    /// Bind pose to model space.
    pub(crate) palette: Vec<Mat4>,
}

impl<'a> PosedAsset<'a> {
    pub(crate) fn new(asset: &'a Asset) -> Self {
        let matrices = vec![Mat4::IDENTITY; asset.skeleton.joints.len()];
        let mut posed = Self { asset, local: asset.skeleton.bind_pose(), models: matrices.clone(), palette: matrices };
        posed.compose();
        posed
    }

    /// Takes the pose of an animation.
    fn sample(&mut self, animation: usize, time: f32) {
        self.sample_local(animation, time);
        self.compose();
    }

    /// Takes the pose of an animation without its matrices, for a caller that changes it before they are made.
    pub(crate) fn sample_local(&mut self, animation: usize, time: f32) {
        self.asset.animations[animation].sample_pose(&self.asset.skeleton, time, &mut self.local);
    }

    /// Makes the matrices of the pose.
    pub(crate) fn compose(&mut self) {
        model_matrices(&self.asset.skeleton, &self.local, &mut self.models);
        self.palette.copy_from_slice(&self.models);
        skinning_matrices(&self.asset.skeleton, &mut self.palette);
    }
}
