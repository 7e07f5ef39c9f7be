// Mixes the samples of each pixel, in linear light.

@group(0) @binding(0) var samples: texture_multisampled_2d<f32>;

@vertex
fn everywhere(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

fn linear_from_srgb(srgb: vec3<f32>) -> vec3<f32> {
    let high = pow((srgb + 0.055) / 1.055, vec3<f32>(2.4));
    return select(high, srgb / 12.92, srgb <= vec3<f32>(0.04045));
}

@fragment
fn resolve(@builtin(position) place: vec4<f32>) -> @location(0) vec4<f32> {
    let at = vec2<i32>(place.xy);
    let a = textureLoad(samples, at, 0).xyz;
    let b = textureLoad(samples, at, 1).xyz;
    let c = textureLoad(samples, at, 2).xyz;
    let d = textureLoad(samples, at, 3).xyz;
    var color = linear_from_srgb(a);
    // Most pixels show one surface.
    if any(a != b) || any(a != c) || any(a != d) {
        color = (color + linear_from_srgb(b) + linear_from_srgb(c) + linear_from_srgb(d)) * 0.25;
    }
    return vec4<f32>(color, 1.0);
}
