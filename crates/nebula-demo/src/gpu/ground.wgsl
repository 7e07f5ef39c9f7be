// Hills from above, as heights. It follows frame.wgsl.

@group(0) @binding(0) var<uniform> map: Map;

@vertex
fn ground(@location(0) position: vec3<f32>) -> @builtin(position) vec4<f32> {
    let place = on_plane(map, position);
    let at = (place.xy - map.origin) / map.texel / map.size * 2.0 - 1.0;
    return vec4<f32>(at.x, -at.y, place.z / (map.highest * GROUND_RANGE) + 0.5, 1.0);
}
