// The same one by one, for OpenGL: its samplers of depths can do nothing but compare, and WebGL2 does not gather.

@group(2) @binding(1) var lit_heights: texture_2d<f32>;
@group(2) @binding(5) var texel_sampler: sampler;

// The texels around a corner, given as a part of the whole, in the order of `textureGather`.
fn four_heights(corner: vec2<f32>) -> vec4<f32> {
    let half = 0.5 / vec2<f32>(textureDimensions(lit_heights));
    return vec4<f32>(
        textureSampleLevel(lit_heights, texel_sampler, corner + vec2<f32>(-half.x, half.y), 0.0).x,
        textureSampleLevel(lit_heights, texel_sampler, corner + half, 0.0).x,
        textureSampleLevel(lit_heights, texel_sampler, corner + vec2<f32>(half.x, -half.y), 0.0).x,
        textureSampleLevel(lit_heights, texel_sampler, corner - half, 0.0).x,
    );
}
