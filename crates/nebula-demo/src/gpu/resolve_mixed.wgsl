// The picture out of samples that the device has mixed, as they are stored: OpenGL lets no shader read them one by one.

@group(0) @binding(0) var samples: texture_2d<f32>;

@vertex
fn everywhere(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn resolve(@builtin(position) place: vec4<f32>) -> @location(0) vec4<f32> {
    let srgb = textureLoad(samples, vec2<i32>(place.xy), 0).xyz;
    let high = pow((srgb + 0.055) / 1.055, vec3<f32>(2.4));
    return vec4<f32>(select(high, srgb / 12.92, srgb <= vec3<f32>(0.04045)), 1.0);
}
