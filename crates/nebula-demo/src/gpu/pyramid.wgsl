// Softer and softer copies of a map of heights. It follows frame.wgsl.

@group(0) @binding(0) var<uniform> map: Map;
@group(0) @binding(1) var heights: texture_2d<f32>;
@group(0) @binding(2) var sharper: texture_2d<f32>;
// Of hills below the figures; zero where there are none.
@group(0) @binding(3) var ground: texture_2d<f32>;
@group(0) @binding(4) var smooth_sampler: sampler;
// OpenGL reads depths as zero without a sampler that takes single texels.
@group(0) @binding(5) var texel_sampler: sampler;

@vertex
fn everywhere(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

// Along the light: whether a texel is covered, and the same times the height. From above: how much it darkens the floor.
@fragment
fn base(@builtin(position) place: vec4<f32>) -> @location(0) vec2<f32> {
    let at = place.xy / vec2<f32>(textureDimensions(heights));
    let depth = textureSampleLevel(heights, texel_sampler, at, 0.0).x;
    let height = (depth - DEPTH_START) / DEPTH_SCALE * map.highest;
    if map.fall > 0.0 {
        let stored = textureSampleLevel(ground, texel_sampler, at, 0.0).x;
        let ground_height = select(0.0, (stored - 0.5) * GROUND_RANGE * map.highest, stored > 0.0);
        return vec2<f32>(select(exp(-max(height - ground_height, 0.0) * map.fall), 0.0, depth >= 1.0), 0.0);
    }
    return select(vec2<f32>(1.0, max(height, 0.0)), vec2<f32>(0.0), depth <= EMPTY_DEPTH);
}

// The four by four texels around, with weights of 1, 3, 3 and 1: a filter makes two of them one. Texels outside are zero, as is the rim
// of a map.
@fragment
fn halved(@builtin(position) place: vec4<f32>) -> @location(0) vec2<f32> {
    let size = vec2<f32>(textureDimensions(sharper));
    let near = (place.xy * 2.0 - 0.75) / size;
    let far = (place.xy * 2.0 + 0.75) / size;
    return 0.25 * (textureSampleLevel(sharper, smooth_sampler, near, 0.0).xy
        + textureSampleLevel(sharper, smooth_sampler, vec2<f32>(far.x, near.y), 0.0).xy
        + textureSampleLevel(sharper, smooth_sampler, vec2<f32>(near.x, far.y), 0.0).xy
        + textureSampleLevel(sharper, smooth_sampler, far, 0.0).xy);
}
