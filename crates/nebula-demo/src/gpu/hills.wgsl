// Hills under the same light, matt, fading into the sky.

// Two kinds, as with the floor: those that shadows may reach, and all others.
@fragment
fn shaded_hill(hill: Hill) -> @location(0) vec4<f32> {
    return hill_color(hill, reach_on_terrain(hill.world));
}

@fragment
fn open_hill(hill: Hill) -> @location(0) vec4<f32> {
    return hill_color(hill, vec2<f32>(1.0));
}

fn hill_color(hill: Hill, reach: vec2<f32>) -> vec4<f32> {
    let from_eye = hill.world - frame.eye.xyz;
    let to_eye = normalize(-from_eye);
    let normal = normalize(hill.normal);
    let key = frame.key.xyz * (max(dot(normal, frame.light.xyz), 0.0) * reach.x);
    let fill = frame.key.xyz * (FILL * max(dot(normal, to_eye), 0.0));
    let light = ambient_light(normal) * reach.y + key + fill;
    return stored(hazy(compressed(max(hill.color, vec3<f32>(0.0)) * light), from_eye));
}
