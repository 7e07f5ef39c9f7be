// Sky, floor and hills. It follows frame.wgsl and light.wgsl.

@vertex
fn sky_vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

// Four triangles from below the camera to the horizon.
@vertex
fn floor_vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let corners = array<vec2<f32>, 4>(
        vec2<f32>(1.0, 1.0), vec2<f32>(1.0, -1.0), vec2<f32>(-1.0, -1.0), vec2<f32>(-1.0, 1.0),
    );
    let part = index % 3u;
    let corner = corners[(index / 3u + part - min(part, 1u)) % 4u];
    let near = vec4<f32>(frame.eye.x, frame.more.x, frame.eye.z, 1.0);
    return frame.clip_from_world * select(vec4<f32>(corner.x, 0.0, corner.y, 0.0), near, part == 0u);
}

fn ray_at(place: vec4<f32>) -> vec3<f32> {
    return frame.ray_start.xyz + frame.ray_x.xyz * place.x + frame.ray_y.xyz * place.y;
}

@fragment
fn sky(@builtin(position) place: vec4<f32>) -> @location(0) vec4<f32> {
    return stored(behind(ray_at(place)));
}

// Two kinds of floor: software drivers work out both sides of every condition, and most of it is out of the reach of shadows.
@fragment
fn open_floor(@builtin(position) place: vec4<f32>) -> @location(0) vec4<f32> {
    let ray = ray_at(place);
    return stored(floor_color(ray, vec2<f32>(1.0)));
}

@fragment
fn shaded_floor(@builtin(position) place: vec4<f32>) -> @location(0) vec4<f32> {
    let ray = ray_at(place);
    return stored(floor_color(ray, reach_on_floor(place_on_floor(ray))));
}

fn depth_of_floor(ray: vec3<f32>) -> f32 {
    return -(frame.eye.y - frame.floor.x) / ray.y;
}

fn place_on_floor(ray: vec3<f32>) -> vec2<f32> {
    return ray.xz * depth_of_floor(ray) + frame.eye.xz;
}

// `reach` is the part of the directional light, and of the light from all around, that arrives.
fn floor_color(ray: vec3<f32>, reach: vec2<f32>) -> vec3<f32> {
    let inverse = 1.0 / ray.y;
    let depth = depth_of_floor(ray);
    let place = place_on_floor(ray);
    let away = place - frame.looked_at.xz;
    let far = dot(away, away) * frame.floor.z;
    let presence = 1.0 / (far * far + 1.0);
    // The middle of a pixel may be above a horizon that crosses it.
    if ray.y >= 0.0 || !(presence > LEAST_PRESENCE) {
        return frame.horizon.xyz;
    }
    // How far the place moves from one pixel to the next, on the right or below.
    let moved = abs((frame.ray_x.xz - ray.xz * (inverse * frame.ray_x.y)) * depth)
        + abs((frame.ray_y.xz - ray.xz * (inverse * frame.ray_y.y)) * depth);
    let covered = vec2<f32>(lines(place.x, moved.x), lines(place.y, moved.y));
    let grid = covered.x + covered.y - covered.x * covered.y;
    let light = ambient_light(vec3<f32>(0.0, 1.0, 0.0)) * reach.y
        + frame.key.xyz * (max(frame.light.y, 0.0) * reach.x);
    return mix(frame.horizon.xyz, frame.floor_color.xyz * light * (1.0 - frame.more.z * presence * grid), presence);
}

// How much of a footprint grid lines cover, in one direction: the exact part, so that far lines fade evenly.
fn lines(middle: f32, width: f32) -> f32 {
    let scale = 1.0 / frame.floor.y;
    let at = middle * scale;
    let half_width = clamp(width * scale * 0.5, 1e-5, 0.5);
    let from_line = at - round(at);
    let edge = LINE * 0.5;
    let covered = min(from_line + half_width, edge) - max(from_line - half_width, -edge);
    return max(covered, 0.0) * 0.5 / half_width;
}

struct Hill {
    @builtin(position) place: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) @interpolate(perspective, centroid) normal: vec3<f32>,
    @location(2) @interpolate(perspective, centroid) color: vec3<f32>,
}

@vertex
fn hill_vertex(
    @location(0) position: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) color: vec4<f32>,
) -> Hill {
    return Hill(frame.clip_from_world * vec4<f32>(position, 1.0), position, normal, color.xyz);
}
