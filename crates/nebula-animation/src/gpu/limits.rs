//! Device limits by name.

use super::GpuError;
use crate::shader::{PalettePath, TEXTURE_STEP};

pub(super) const STORAGE_SIZE: &str = "max_storage_buffer_binding_size";
pub(super) const STORAGE_COUNT: &str = "max_storage_buffers_per_shader_stage";
pub(super) const UNIFORM_SIZE: &str = "max_uniform_buffer_binding_size";
pub(super) const BUFFER_SIZE: &str = "max_buffer_size";
pub(super) const TEXTURE_SIZE: &str = "max_texture_dimension_2d";
pub(super) const WORKGROUPS: &str = "max_compute_workgroups_per_dimension";

/// Refuses what is more than a limit allows.
pub(super) fn within(what: &'static str, needed: u64, limit: u64, limit_name: &'static str) -> Result<(), GpuError> {
    if needed <= limit { Ok(()) } else { Err(GpuError::Limit { what, needed, limit, limit_name }) }
}

/// The widest texture that is wanted: a multiple of 3 and of [`TEXTURE_STEP`], which every device has room for.
pub(super) const WIDEST: u32 = 170 * TEXTURE_STEP;

/// The widest multiple of `step` that is wanted and allowed.
pub(super) fn texture_width(limits: &wgpu::Limits, step: u32) -> u32 {
    WIDEST.min(limits.max_texture_dimension_2d) / step * step
}

/// Whether palettes can go this way.
pub(super) fn check_path(limits: &wgpu::Limits, path: PalettePath) -> Result<(), GpuError> {
    let lacks = |limit_name| Err(GpuError::Unavailable { what: format!("{path} for palettes"), limit_name });
    match path {
        PalettePath::Storage if limits.max_storage_buffers_per_shader_stage < 2 => lacks(STORAGE_COUNT),
        PalettePath::Storage if u64::from(limits.max_storage_buffer_binding_size) < 64 => lacks(STORAGE_SIZE),
        PalettePath::Uniform if limits.max_uniform_buffer_binding_size < 64 => lacks(UNIFORM_SIZE),
        PalettePath::Texture if limits.max_texture_dimension_2d < TEXTURE_STEP => lacks(TEXTURE_SIZE),
        _ => Ok(()),
    }
}

/// The best path of a device.
pub(super) fn best_path(limits: &wgpu::Limits) -> PalettePath {
    let all = [PalettePath::Storage, PalettePath::Texture, PalettePath::Uniform];
    all.into_iter().find(|&path| check_path(limits, path).is_ok()).unwrap_or_default()
}
