//! Textures of models on the GPU.

use nebula_animation::asset::{TextureFilter, TextureSampler, TextureWrap};

use super::device::Device;
use crate::picture::Texture;

/// Uploads a texture with its smaller copies, from the first one on that the device has room for.
pub(super) fn upload(device: &Device, texture: &Texture) -> wgpu::TextureView {
    let largest = device.gpu.limits().max_texture_dimension_2d;
    let levels: Vec<_> =
        texture.levels().skip_while(|(width, height, _)| *width > largest || *height > largest).collect();
    match levels.first() {
        Some(&(width, height, _)) => upload_levels(device, [width, height], &levels, texture.is_data()),
        None => white(device),
    }
}

/// A white pixel, for surfaces without a texture.
pub(super) fn white(device: &Device) -> wgpu::TextureView {
    upload_levels(device, [1; 2], &[(1, 1, &[[255; 4]])], false)
}

fn upload_levels(
    device: &Device,
    [width, height]: [u32; 2],
    levels: &[(u32, u32, &[[u8; 4]])],
    is_data: bool,
) -> wgpu::TextureView {
    let texture = device.gpu.device().create_texture(&wgpu::TextureDescriptor {
        label: Some("image"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: levels.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: if is_data { wgpu::TextureFormat::Rgba8Unorm } else { wgpu::TextureFormat::Rgba8UnormSrgb },
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (mip_level, (width, height, pixels)) in levels.iter().enumerate() {
        device.gpu.queue().write_texture(
            wgpu::TexelCopyTextureInfo { mip_level: mip_level as u32, ..texture.as_image_copy() },
            pixels.as_flattened(),
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 4), rows_per_image: Some(*height) },
            wgpu::Extent3d { width: *width, height: *height, depth_or_array_layers: 1 },
        );
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// How a texture is read.
pub(super) fn sampler(device: &Device, sampler: &TextureSampler) -> wgpu::Sampler {
    let mode = |wrap| match wrap {
        TextureWrap::Repeat => wgpu::AddressMode::Repeat,
        TextureWrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        TextureWrap::Clamp => wgpu::AddressMode::ClampToEdge,
    };
    let filter = |filter| match filter {
        TextureFilter::Linear => wgpu::FilterMode::Linear,
        TextureFilter::Nearest => wgpu::FilterMode::Nearest,
    };
    // Below half a level no other copy is the nearest one; a limit of zero would make everything count as magnified.
    let (mipmap_filter, lod_max_clamp) = match sampler.mipmaps {
        Some(TextureFilter::Linear) => (wgpu::MipmapFilterMode::Linear, 32.0),
        Some(TextureFilter::Nearest) => (wgpu::MipmapFilterMode::Nearest, 32.0),
        None => (wgpu::MipmapFilterMode::Nearest, 0.25),
    };
    device.gpu.device().create_sampler(&wgpu::SamplerDescriptor {
        label: Some("image"),
        address_mode_u: mode(sampler.wrap[0]),
        address_mode_v: mode(sampler.wrap[1]),
        mag_filter: filter(sampler.magnified),
        min_filter: filter(sampler.minified),
        mipmap_filter,
        lod_max_clamp,
        ..wgpu::SamplerDescriptor::default()
    })
}
