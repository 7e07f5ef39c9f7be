// Four texels of the map along the light in one read.

@group(2) @binding(1) var lit_heights: texture_depth_2d;
@group(2) @binding(5) var texel_sampler: sampler;

// The texels around a corner, given as a part of the whole.
fn four_heights(corner: vec2<f32>) -> vec4<f32> {
    return textureGather(lit_heights, texel_sampler, corner);
}
