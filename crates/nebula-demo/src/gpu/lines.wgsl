// The overlay: lines with smooth edges, drawn over the finished picture.

struct Camera {
    clip_from_world: mat4x4<f32>,
    // Width and height of the picture, nearest distance; pixels by which lines are wider on each side.
    size: vec4<f32>,
    // 1 replaces the colour of the lines by the outline's.
    outline: vec4<f32>,
}

@group(0) @binding(0) var<uniform> camera: Camera;

struct Line {
    @builtin(vertex_index) index: u32,
    @location(0) start: vec3<f32>,
    @location(1) end: vec3<f32>,
    @location(2) widths: vec2<f32>,
    @location(3) color: vec4<f32>,
}

struct Stroke {
    @builtin(position) place: vec4<f32>,
    @location(0) @interpolate(flat) ends: vec4<f32>,
    @location(1) @interpolate(flat) radii: vec2<f32>,
    @location(2) @interpolate(flat) color: vec4<f32>,
}

// A point in pixels, cut at the near plane on the way to another.
fn in_pixels(point: vec4<f32>, other: vec4<f32>) -> vec2<f32> {
    let near = camera.size.z;
    var inside = point;
    if point.w < near {
        inside = mix(other, point, (other.w - near) / (other.w - point.w));
    }
    let at = inside.xy / max(inside.w, near);
    return (vec2<f32>(at.x, -at.y) * 0.5 + 0.5) * camera.size.xy;
}

@vertex
fn stroke_vertex(line: Line) -> Stroke {
    let start = camera.clip_from_world * vec4<f32>(line.start, 1.0);
    let end = camera.clip_from_world * vec4<f32>(line.end, 1.0);
    if max(start.w, end.w) < camera.size.z {
        return Stroke(vec4<f32>(2.0, 2.0, 0.0, 1.0), vec4<f32>(0.0), vec2<f32>(0.0), vec4<f32>(0.0));
    }
    let from_point = in_pixels(start, end);
    let to_point = in_pixels(end, start);
    let radii = max(line.widths, vec2<f32>(0.0)) * 0.5 + camera.size.w;
    let reach = max(max(radii.x, radii.y), 0.5) + 1.0;
    // A rectangle along the line.
    let way = to_point - from_point;
    let along = select(vec2<f32>(1.0, 0.0), way / max(length(way), 1e-6), length(way) > 1e-3) * reach;
    let across = vec2<f32>(-along.y, along.x);
    let is_end = (line.index & 1u) == 1u;
    let side = select(-1.0, 1.0, (line.index & 2u) == 2u);
    let at = select(from_point - along, to_point + along, is_end) + across * side;
    let place = at / camera.size.xy * 2.0 - 1.0;
    let outline = vec4<f32>(camera.outline.xyz, camera.outline.w * line.color.w);
    let color = select(line.color, outline, camera.size.w > 0.0);
    return Stroke(vec4<f32>(place.x, -place.y, 0.0, 1.0), vec4<f32>(from_point, to_point), radii, color);
}

@fragment
fn stroke(stroke: Stroke) -> @location(0) vec4<f32> {
    let along = stroke.ends.zw - stroke.ends.xy;
    let inverse = 1.0 / max(dot(along, along), 1e-6);
    let fraction = clamp(dot(stroke.place.xy - stroke.ends.xy, along) * inverse, 0.0, 1.0);
    let radius = mix(stroke.radii.x, stroke.radii.y, fraction);
    // A line thinner than a pixel gets fainter instead of thinner.
    let faint = min(radius * 2.0, 1.0);
    let from_line = distance(stroke.place.xy, stroke.ends.xy + along * fraction);
    let cover = clamp(max(radius, 0.5) + 0.5 - from_line, 0.0, 1.0) * faint;
    return vec4<f32>(stroke.color.xyz, clamp(cover * stroke.color.w, 0.0, 1.0));
}
