// Colours of characters. It follows body.wgsl and looks.wgsl.

struct Surface {
    // Linear RGBA.
    color: vec4<f32>,
    // Light of its own, linear RGB, and how much of the occlusion counts.
    emissive: vec4<f32>,
    // Metal, roughness, scale of the normals, and the alpha below which it is cut away.
    factors: vec4<f32>,
    // 1 where the mesh has no normals: those of its triangles are shown. 0: opaque, 1: cut away below the cutoff, 2: lets light through.
    // A bit for each image that uses the second set of texture coordinates.
    flags: vec4<u32>,
    // Of a toon: colour in the shade, and where the step lies; colour of the rim, and its power; factor of the ball, and the lift of the rim;
    // how sharp the step is, and how much ball and rim depend on the light.
    shade: vec4<f32>,
    rim: vec4<f32>,
    ball: vec4<f32>,
    drawn: vec4<f32>,
    // Two rows for each image: texture coordinates to places in it.
    maps: array<vec4<f32>, 10>,
}

@group(3) @binding(0) var<uniform> surface: Surface;
// Base colour.
@group(3) @binding(1) var image0: texture_2d<f32>;
@group(3) @binding(2) var sampler0: sampler;
// Roughness (green) and metal (blue), or the shade of a toon.
@group(3) @binding(3) var image1: texture_2d<f32>;
@group(3) @binding(4) var sampler1: sampler;
// Normals.
@group(3) @binding(5) var image2: texture_2d<f32>;
@group(3) @binding(6) var sampler2: sampler;
// Occlusion (red), or the ball of a toon.
@group(3) @binding(7) var image3: texture_2d<f32>;
@group(3) @binding(8) var sampler3: sampler;
// Light of its own.
@group(3) @binding(9) var image4: texture_2d<f32>;
@group(3) @binding(10) var sampler4: sampler;

struct Fragment {
    @builtin(position) place: vec4<f32>,
    // From the camera: differences of nearby points are exact.
    @location(0) from_eye: vec3<f32>,
    // In the middle of the covered samples, as the middle of the pixel may lie outside the triangle.
    @location(1) @interpolate(perspective, centroid) normal: vec3<f32>,
    @location(2) @interpolate(perspective, centroid) color: vec4<f32>,
    @location(3) @interpolate(perspective, centroid) uvs: vec4<f32>,
    // The same in the middle of the pixel, for its change from pixel to pixel.
    @location(4) smooth_uvs: vec4<f32>,
    @location(5) @interpolate(perspective, centroid) tangent: vec4<f32>,
}

@vertex
fn draw4(vertex: Vertex, colors: Colors) -> Fragment {
    return placed(posed(vertex, colors.tangent, matrix4(vertex)), colors);
}

@vertex
fn draw8(vertex: Vertex, colors: Colors, more: More) -> Fragment {
    return placed(posed(vertex, colors.tangent, matrix8(vertex, more)), colors);
}

fn placed(world: NebulaVertex, colors: Colors) -> Fragment {
    let place = frame.clip_from_world * vec4<f32>(world.position, 1.0);
    let from_eye = world.position - frame.eye.xyz;
    return Fragment(place, from_eye, world.normal, colors.color, colors.uvs, colors.uvs, world.tangent);
}

// Nearer by a little: edges lie on their triangles.
@vertex
fn wire4(vertex: Vertex, colors: Colors) -> Fragment {
    return nearer(placed(posed(vertex, colors.tangent, matrix4(vertex)), colors));
}

@vertex
fn wire8(vertex: Vertex, colors: Colors, more: More) -> Fragment {
    return nearer(placed(posed(vertex, colors.tangent, matrix8(vertex, more)), colors));
}

fn nearer(fragment: Fragment) -> Fragment {
    var result = fragment;
    result.place.z *= 1.002;
    return result;
}

@fragment
fn opaque(fragment: Fragment) -> @location(0) vec4<f32> {
    let steps = steps_of(fragment);
    return stored(lit(fragment, steps, base_color(fragment, steps)));
}

struct Cut {
    @location(0) color: vec4<f32>,
    @builtin(sample_mask) samples: u32,
}

@fragment
fn cut(fragment: Fragment) -> Cut {
    let steps = steps_of(fragment);
    let color = base_color(fragment, steps);
    var samples = 0xfu;
    if surface.flags.y == 1u && color.w < surface.factors.w {
        discard;
    }
    if surface.flags.y == 2u {
        samples = 0u;
        let pixel = vec2<u32>(fragment.place.xy) & vec2<u32>(1u);
        let order = array<u32, 4>(0u, 2u, 3u, 1u);
        let turn = order[pixel.x | (pixel.y << 1u)];
        for (var sample = 0u; sample < 4u; sample++) {
            let rank = f32(order[(sample + turn) % 4u]);
            let threshold = (rank + (f32(turn) + 0.5) / 4.0) / 4.0;
            samples |= select(0u, 1u << sample, color.w > threshold);
        }
        if samples == 0u {
            discard;
        }
    }
    return Cut(stored(lit(fragment, steps, color)), samples);
}

@fragment
fn wire(fragment: Fragment) -> @location(0) vec4<f32> {
    return vec4<f32>(mix(vec3<f32>(0.15, 0.25, 0.35), vec3<f32>(0.77, 0.93, 1.0), frame.more.w), 0.6);
}

// Changes from pixel to pixel, which have to be asked for before anything is left out.
struct Steps {
    place_x: vec3<f32>,
    place_y: vec3<f32>,
    uvs_x: vec4<f32>,
    uvs_y: vec4<f32>,
}

fn steps_of(fragment: Fragment) -> Steps {
    return Steps(
        dpdx(fragment.from_eye), dpdy(fragment.from_eye), dpdx(fragment.smooth_uvs), dpdy(fragment.smooth_uvs),
    );
}

// Texture coordinates, or a change of them (`w` is 0), to a place in an image.
fn in_map(map: u32, uvs: vec4<f32>, w: f32) -> vec2<f32> {
    let uv = select(uvs.xy, uvs.zw, ((surface.flags.z >> map) & 1u) == 1u);
    let rows = array<vec4<f32>, 2>(surface.maps[2u * map], surface.maps[2u * map + 1u]);
    return vec2<f32>(dot(rows[0].xy, uv) + rows[0].z * w, dot(rows[1].xy, uv) + rows[1].z * w);
}

fn sampled(map: u32, texels: texture_2d<f32>, how: sampler, fragment: Fragment, steps: Steps) -> vec4<f32> {
    // Half a level sharper than the widest direction asks for, as in the software renderer.
    let along_x = in_map(map, steps.uvs_x, 0.0) * 0.70710678;
    let along_y = in_map(map, steps.uvs_y, 0.0) * 0.70710678;
    return textureSampleGrad(texels, how, in_map(map, fragment.uvs, 1.0), along_x, along_y);
}

fn base_color(fragment: Fragment, steps: Steps) -> vec4<f32> {
    var color = surface.color * fragment.color;
    if HAS_BASE {
        color *= sampled(0u, image0, sampler0, fragment, steps);
    }
    return color;
}

// The light of a point, in the fog.
fn lit(fragment: Fragment, steps: Steps, color: vec4<f32>) -> vec3<f32> {
    let base = max(color.xyz, vec3<f32>(0.0));
    if ANSWER == 1u {
        return hazy(base, fragment.from_eye);
    }
    let to_eye = nebula_unit_or(-fragment.from_eye, vec3<f32>(0.0, 0.0, 1.0));
    // The normal of the triangle, on the side that is seen.
    let across = nebula_unit_or(cross(steps.place_x, steps.place_y), vec3<f32>(0.0, 1.0, 0.0));
    let facing = select(across, -across, dot(across, fragment.from_eye) > 0.0);
    let even = select(nebula_unit_or(fragment.normal, to_eye), facing, surface.flags.x == 1u);
    var normal = even;
    if HAS_NORMALS {
        normal = bent(fragment, steps, even);
    }
    normal = select(normal, -normal, dot(even, facing) < 0.0);
    var emissive = surface.emissive.xyz;
    if HAS_EMISSIVE {
        emissive *= sampled(4u, image4, sampler4, fragment, steps).xyz;
    }
    let reach = reach_on_surface(fragment.from_eye + frame.eye.xyz, normal);
    if ANSWER == 2u {
        return hazy(toon(fragment, steps, normal, to_eye, base, reach) + emissive, fragment.from_eye);
    }
    var data = vec4<f32>(1.0);
    if HAS_SECOND {
        data = sampled(1u, image1, sampler1, fragment, steps);
    }
    var occlusion = 1.0;
    if HAS_FOURTH {
        occlusion += (sampled(3u, image3, sampler3, fragment, steps).x - 1.0) * surface.emissive.w;
    }
    let metallic = surface.factors.x * data.z;
    let roughness = surface.factors.y * data.y;
    let light = shaded(Point(normal, to_eye, base, emissive, metallic, roughness, occlusion, reach));
    return hazy(light, fragment.from_eye);
}

// A normal bent by the image of normals.
fn bent(fragment: Fragment, steps: Steps, normal: vec3<f32>) -> vec3<f32> {
    let texel = sampled(2u, image2, sampler2, fragment, steps).xyz * 2.0 - 1.0;
    let local = texel * vec3<f32>(surface.factors.zz, 1.0);
    var along: vec3<f32>;
    var up: vec3<f32>;
    if HAS_TANGENTS {
        along = nebula_unit_or(fragment.tangent.xyz, vec3<f32>(0.0));
        up = cross(normal, along) * fragment.tangent.w;
    } else {
        let right_step = in_map(2u, steps.uvs_x, 0.0);
        let down_step = in_map(2u, steps.uvs_y, 0.0);
        let side = select(-1.0, 1.0, right_step.x * down_step.y >= right_step.y * down_step.x);
        let right = (steps.place_x * down_step.y - steps.place_y * right_step.y) * side;
        let upwards = (steps.place_x * down_step.x - steps.place_y * right_step.x) * side;
        along = nebula_unit_or(right - normal * dot(normal, right), vec3<f32>(0.0));
        up = cross(normal, along);
        up = select(up, -up, dot(up, upwards) < 0.0);
    }
    return nebula_unit_or(along * local.x + up * local.y + normal * local.z, normal);
}

fn toon(
    fragment: Fragment, steps: Steps, normal: vec3<f32>, to_eye: vec3<f32>, base: vec3<f32>, reach: f32,
) -> vec3<f32> {
    let towards_light = dot(normal, frame.light.xyz);
    let low = surface.drawn.x - 1.0;
    let high = 1.0 - surface.drawn.x;
    let step = clamp((towards_light + surface.shade.w - low) / max(high - low, 1e-4), 0.0, 1.0);
    var shade = surface.shade.xyz;
    if HAS_SECOND {
        shade *= sampled(1u, image1, sampler1, fragment, steps).xyz;
    }
    let grazing = clamp(1.0 - dot(normal, to_eye) + surface.ball.w, 0.0, 1.0);
    // A power of nothing is nothing, also where a driver makes it out of logarithms.
    var rim = surface.rim.xyz * pow(max(grazing, 1e-6), surface.rim.w);
    if HAS_FOURTH {
        let right = nebula_unit_or(vec3<f32>(to_eye.z, 0.0, -to_eye.x), vec3<f32>(1.0, 0.0, 0.0));
        let place = vec2<f32>(dot(normal, right), -dot(normal, cross(to_eye, right))) * 0.495 + 0.5;
        rim += surface.ball.xyz * textureSampleLevel(image3, sampler3, place, 0.0).xyz;
    }
    return drawn(base, shade, step * select(1.0, reach, towards_light > 0.0), rim, surface.drawn.y);
}
