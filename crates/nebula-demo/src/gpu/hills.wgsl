// Hills under the same light, fading into the sky.

@fragment
fn hill(hill: Hill) -> @location(0) vec4<f32> {
    let from_eye = hill.world - frame.eye.xyz;
    let to_eye = normalize(-from_eye);
    let normal = normalize(hill.normal);
    let color = shaded(normal, to_eye, max(hill.color, vec3<f32>(0.0)), reach_on_surface(hill.world, normal));
    let far = clamp(length(from_eye) / max(frame.more.y, 1e-6), 0.0, 1.0);
    let fog = far * far * (3.0 - 2.0 * far);
    return vec4<f32>(mix(color, sky_color(from_eye), fog), 1.0);
}
