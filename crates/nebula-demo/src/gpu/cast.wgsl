// Characters onto a map of heights. It follows body.wgsl.

@group(2) @binding(0) var<uniform> map: Map;

@vertex
fn cast4(vertex: Vertex) -> @builtin(position) vec4<f32> {
    return in_map(posed(vertex, vec4<f32>(0.0), matrix4(vertex)).position);
}

@vertex
fn cast8(vertex: Vertex, more: More) -> @builtin(position) vec4<f32> {
    return in_map(posed(vertex, vec4<f32>(0.0), matrix8(vertex, more)).position);
}

fn in_map(point: vec3<f32>) -> vec4<f32> {
    let place = on_plane(map, point);
    let at = (place.xy - map.origin) / map.texel / map.size * 2.0 - 1.0;
    return vec4<f32>(at.x, -at.y, place.z / map.highest * DEPTH_SCALE + DEPTH_START, 1.0);
}
