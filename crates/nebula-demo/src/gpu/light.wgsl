// Light and shadows, for the passes that show colours. It follows frame.wgsl and one of heights_gathered.wgsl and heights_fetched.wgsl.

@group(2) @binding(0) var<uniform> frame: Frame;
@group(2) @binding(2) var soft: texture_2d<f32>;
@group(2) @binding(3) var contact: texture_2d<f32>;
@group(2) @binding(4) var smooth_sampler: sampler;

fn sky_color(ray: vec3<f32>) -> vec3<f32> {
    let elevation = ray.y / length(ray);
    let away = 1.0 - min(abs(elevation), 1.0);
    let strength = 1.0 - away * away * away;
    return mix(frame.horizon.xyz, select(frame.nadir.xyz, frame.zenith.xyz, elevation > 0.0), strength);
}

// What is seen behind everything; below the horizon nothing but haze, where there is any.
fn behind(ray: vec3<f32>) -> vec3<f32> {
    return select(sky_color(ray), frame.horizon.xyz, ray.y < 0.0 && (frame.more.y > 0.0 || frame.floor.w > 0.0));
}

// What a colour becomes at a place, seen from the camera, in the fog.
fn hazy(color: vec3<f32>, from_eye: vec3<f32>) -> vec3<f32> {
    if frame.more.y <= 0.0 {
        return color;
    }
    let t = clamp(length(from_eye) / frame.more.y, 0.0, 1.0);
    return mix(color, behind(from_eye), t * t * (3.0 - 2.0 * t));
}

// A linear colour as the samples are stored: as sRGB. Done once for all samples of a pixel, which takes software drivers a fraction
// of the time that a format with a conversion takes.
fn stored(linear: vec3<f32>) -> vec4<f32> {
    let high = 1.055 * pow(max(linear, vec3<f32>(0.0)), vec3<f32>(1.0 / 2.4)) - 0.055;
    return vec4<f32>(select(high, linear * 12.92, linear <= vec3<f32>(0.0031308)), 1.0);
}

fn ambient_light(normal: vec3<f32>) -> vec3<f32> {
    return mix(frame.below.xyz, frame.sky.xyz, normal.y * 0.5 + 0.5);
}

fn compressed(color: vec3<f32>) -> vec3<f32> {
    let room = vec3<f32>(1.0 - SHOULDER);
    let over = max(color - vec3<f32>(SHOULDER), vec3<f32>(0.0));
    return color - over + over * room / (over + room);
}

// The mix of the nine texels around a place, with weights that change smoothly: three along each side, of which the first two are
// read as one that lies between them. `size` is that of the level. Where reads are
// dear, a mix of the four texels around has to do.
fn spline(texels: texture_2d<f32>, size: vec2<f32>, place: vec2<f32>, level: f32) -> vec2<f32> {
    if FEW_READS {
        return textureSampleLevel(texels, smooth_sampler, place / size, level).xy;
    }
    let corner = floor(place);
    let t = place - corner;
    let first = 0.5 * (1.0 - t) * (1.0 - t);
    let last = 0.5 * t * t;
    let both = vec2<f32>(1.0) - last;
    // The middles of texels are halves.
    let near = (corner + 0.5 - first / both) / size;
    let far = (corner + 1.5) / size;
    return (textureSampleLevel(texels, smooth_sampler, near, level).xy * both.x
        + textureSampleLevel(texels, smooth_sampler, vec2<f32>(far.x, near.y), level).xy * last.x) * both.y
        + (textureSampleLevel(texels, smooth_sampler, vec2<f32>(near.x, far.y), level).xy * both.x
        + textureSampleLevel(texels, smooth_sampler, far, level).xy * last.x) * last.y;
}

// The values at a place in texels of the first level, at a softness that lies between two levels.
fn softened(texels: texture_2d<f32>, place: vec2<f32>, softness: f32) -> vec2<f32> {
    let level = clamp(softness, 0.0, 3.0);
    let size = vec2<f32>(textureDimensions(texels));
    if FEW_READS {
        return textureSampleLevel(texels, smooth_sampler, place / size, level).xy;
    }
    // Each level by its own number: some drivers take one level for four neighbouring pixels.
    var sum = vec2<f32>(0.0);
    if level < 1.0 {
        sum += spline(texels, size, place, 0.0) * (1.0 - level);
    }
    if level > 0.0 && level < 2.0 {
        sum += spline(texels, size * 0.5, place * 0.5, 1.0) * (1.0 - abs(level - 1.0));
    }
    if level > 1.0 {
        sum += spline(texels, size * 0.25, place * 0.25, 2.0) * (1.0 - min(abs(level - 2.0), 1.0));
    }
    if level > 2.0 {
        sum += spline(texels, size * 0.125, place * 0.125, 3.0) * (level - 2.0);
    }
    return sum;
}

// Whether a level of a map may hold anything at a place.
fn reaches(map: Map, level: u32, place: vec2<f32>) -> bool {
    let margin = map.texel * f32(3u << level);
    return map.texel > 0.0 && all(place > map.bounds.xy - margin) && all(place < map.bounds.zw + margin);
}

// The parts of the directional light, and of the light from all around, that reach a place of the floor.
fn reach_on_floor(place: vec2<f32>) -> vec2<f32> {
    return reach_at(vec3<f32>(place, 0.0), place);
}

// The same for a point of a terrain that is nowhere as steep as the light.
fn reach_on_terrain(point: vec3<f32>) -> vec2<f32> {
    return reach_at(on_plane(frame.lit, point), point.xz);
}

// The light at a point: given by its shadow on the plane and its height above it, and by x and z.
fn reach_at(projected: vec3<f32>, place: vec2<f32>) -> vec2<f32> {
    var reach = vec2<f32>(1.0);
    if reaches(frame.lit, 3u, projected.xy) {
        let texels = (projected.xy - frame.lit.origin) / frame.lit.texel;
        // Which height casts a shadow here? The edge's width follows from it.
        let blocker = spline(soft, vec2<f32>(textureDimensions(soft)) / 8.0, texels / 8.0, 3.0);
        if blocker.x > 1e-3 {
            let width = (blocker.y / blocker.x - projected.z) * SOFTNESS / frame.lit.texel;
            reach.x = 1.0 - min(softened(soft, texels, log2(max(width, 1.0))).x, 1.0);
        }
    }
    if reaches(frame.above, 3u, place) {
        let texels = (place - frame.above.origin) / frame.above.texel;
        let size = vec2<f32>(textureDimensions(contact));
        reach.y = 1.0 - 0.4 * spline(contact, size / 2.0, texels / 2.0, 1.0).x
            - 0.45 * spline(contact, size / 8.0, texels / 8.0, 3.0).x;
    }
    return reach;
}

// The part of the directional light that reaches a point of a surface.
fn reach_on_surface(point: vec3<f32>, normal: vec3<f32>) -> f32 {
    if dot(normal, frame.light.xyz) <= 0.0 {
        return 0.0;
    }
    if frame.lit.texel <= 0.0 {
        return 1.0;
    }
    let margin = frame.lit.texel * 2.0;
    let place = on_plane(frame.lit, point + normal * margin);
    let texels = (place.xy - frame.lit.origin) / frame.lit.texel - 0.5;
    if any(texels < vec2<f32>(-2.0)) || any(texels > frame.lit.size + 2.0) {
        return 1.0;
    }
    let corner = floor(texels);
    let fraction = texels - corner;
    let limit = max((place.z + margin * 0.5) / frame.lit.highest * DEPTH_SCALE + DEPTH_START, EMPTY_DEPTH);
    // Four by four comparisons, four at a time; the outer ones count as far as the point lies on their side.
    let size = vec2<f32>(textureDimensions(lit_heights));
    let near = vec2<f32>(1.0) - fraction;
    return (four_open(corner / size, limit, vec2<f32>(near.x, 1.0), vec2<f32>(near.y, 1.0))
        + four_open((corner + vec2<f32>(2.0, 0.0)) / size, limit, vec2<f32>(1.0, fraction.x), vec2<f32>(near.y, 1.0))
        + four_open((corner + vec2<f32>(0.0, 2.0)) / size, limit, vec2<f32>(near.x, 1.0), vec2<f32>(1.0, fraction.y))
        + four_open((corner + 2.0) / size, limit, vec2<f32>(1.0, fraction.x), vec2<f32>(1.0, fraction.y))) / 9.0;
}

// How many of the four texels around a corner are no higher than the limit, by the weights of their columns and rows.
fn four_open(corner: vec2<f32>, limit: f32, columns: vec2<f32>, rows: vec2<f32>) -> f32 {
    let depths = four_heights(corner);
    let open = select(vec4<f32>(1.0), vec4<f32>(0.0), depths > vec4<f32>(limit));
    return dot(open.wz, columns) * rows.x + dot(open.xy, columns) * rows.y;
}
