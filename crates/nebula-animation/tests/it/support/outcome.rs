//! What loading may come to, and what must hold whatever it comes to.

use glam::Mat4;
use nebula_animation::{
    AnimationLoadError, Asset,
    palette::{model_matrices, skinning_matrices},
};

/// The variants of [`AnimationLoadError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Io,
    Gltf,
    NoSkin,
    MissingInverseBindMatrices,
    CyclicHierarchy,
    DegenerateMatrix,
    Malformed,
    Extension,
    Version,
    Limit,
    Resource,
}

impl Kind {
    pub fn of(error: &AnimationLoadError) -> Self {
        match error {
            AnimationLoadError::Io(_) => Self::Io,
            AnimationLoadError::Gltf(_) => Self::Gltf,
            AnimationLoadError::NoSkin => Self::NoSkin,
            AnimationLoadError::MissingInverseBindMatrices => Self::MissingInverseBindMatrices,
            AnimationLoadError::CyclicHierarchy => Self::CyclicHierarchy,
            AnimationLoadError::DegenerateMatrix(..) => Self::DegenerateMatrix,
            AnimationLoadError::Malformed { .. } => Self::Malformed,
            AnimationLoadError::UnsupportedExtension { .. } => Self::Extension,
            AnimationLoadError::UnsupportedVersion { .. } => Self::Version,
            AnimationLoadError::LimitExceeded { .. } => Self::Limit,
            AnimationLoadError::Resource { .. } => Self::Resource,
            other => panic!("a variant that the tests do not know: {other}"),
        }
    }
}

/// The first pose of a loaded file that is not finite, by its name.
pub fn finite_problem(asset: &Asset) -> Option<String> {
    let mut pose = asset.skeleton.bind_pose();
    let mut palette = vec![Mat4::IDENTITY; pose.len()];
    let is_finite = |pose: &[_], palette: &mut [Mat4]| {
        model_matrices(&asset.skeleton, pose, palette);
        skinning_matrices(&asset.skeleton, palette);
        palette.iter().all(|matrix| matrix.is_finite())
    };
    if !is_finite(&pose, &mut palette) {
        return Some("the bind pose".into());
    }
    for animation in &asset.animations {
        for step in 0..16 {
            let time = animation.duration * step as f32 / 15.0;
            animation.sample_pose(&asset.skeleton, time, &mut pose);
            let mut is_good = is_finite(&pose, &mut palette);
            for track in &animation.morph_tracks {
                let mut weights = vec![0.0; track.target_count];
                track.sample(time, &mut weights);
                is_good &= weights.iter().all(|weight| weight.is_finite());
            }
            if !is_good {
                return Some(format!("animation {:?} at {time} s", animation.name));
            }
        }
    }
    None
}
