// Colours of characters.

struct Surface {
    // Linear RGBA.
    color: vec4<f32>,
    // 1 where the mesh has no normals: those of its triangles are shown.
    is_flat: u32,
    // 0: opaque, 1: cut away below the cutoff, 2: lets light through.
    alpha_mode: u32,
    cutoff: f32,
    padding: u32,
}

// Given for each pipeline: software drivers work out both sides of other conditions.
override HAS_TEXTURE: bool;

@group(3) @binding(0) var<uniform> surface: Surface;
@group(3) @binding(1) var image: texture_2d<f32>;
@group(3) @binding(2) var image_sampler: sampler;

struct Fragment {
    @builtin(position) place: vec4<f32>,
    // From the camera: differences of nearby points are exact.
    @location(0) from_eye: vec3<f32>,
    // In the middle of the covered samples, as the middle of the pixel may lie outside the triangle.
    @location(1) @interpolate(perspective, centroid) normal: vec3<f32>,
    @location(2) @interpolate(perspective, centroid) color: vec4<f32>,
    @location(3) @interpolate(perspective, centroid) uv: vec2<f32>,
    // The same in the middle of the pixel, for its change from pixel to pixel.
    @location(4) smooth_uv: vec2<f32>,
}

@vertex
fn draw4(vertex: Vertex, colors: Colors) -> Fragment {
    return placed(posed(vertex, matrix4(vertex)), colors);
}

@vertex
fn draw8(vertex: Vertex, colors: Colors, more: More) -> Fragment {
    return placed(posed(vertex, matrix8(vertex, more)), colors);
}

fn placed(world: NebulaVertex, colors: Colors) -> Fragment {
    let place = frame.clip_from_world * vec4<f32>(world.position, 1.0);
    return Fragment(place, world.position - frame.eye.xyz, world.normal, colors.color, colors.uv, colors.uv);
}

// Nearer by a little: edges lie on their triangles.
@vertex
fn wire4(vertex: Vertex, colors: Colors) -> Fragment {
    return nearer(placed(posed(vertex, matrix4(vertex)), colors));
}

@vertex
fn wire8(vertex: Vertex, colors: Colors, more: More) -> Fragment {
    return nearer(placed(posed(vertex, matrix8(vertex, more)), colors));
}

fn nearer(fragment: Fragment) -> Fragment {
    var result = fragment;
    result.place.z *= 1.002;
    return result;
}

@fragment
fn opaque(fragment: Fragment) -> @location(0) vec4<f32> {
    let facing = facing_normal(fragment);
    return stored(lit(fragment, facing, base_color(fragment)));
}

struct Cut {
    @location(0) color: vec4<f32>,
    @builtin(sample_mask) samples: u32,
}

@fragment
fn cut(fragment: Fragment) -> Cut {
    let facing = facing_normal(fragment);
    let color = base_color(fragment);
    var samples = 0xfu;
    if surface.alpha_mode == 1u && color.w < surface.cutoff {
        discard;
    }
    if surface.alpha_mode == 2u {
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
    return Cut(stored(lit(fragment, facing, color)), samples);
}

@fragment
fn wire(fragment: Fragment) -> @location(0) vec4<f32> {
    return vec4<f32>(mix(vec3<f32>(0.15, 0.25, 0.35), vec3<f32>(0.77, 0.93, 1.0), frame.more.w), 0.6);
}

// The normal of the triangle, on the side that is seen.
fn facing_normal(fragment: Fragment) -> vec3<f32> {
    let across = nebula_unit_or(cross(dpdx(fragment.from_eye), dpdy(fragment.from_eye)), vec3<f32>(0.0, 1.0, 0.0));
    return select(across, -across, dot(across, fragment.from_eye) > 0.0);
}

fn base_color(fragment: Fragment) -> vec4<f32> {
    var color = surface.color * fragment.color;
    // Half a level sharper than the widest direction asks for, as in the software renderer.
    let along_x = dpdx(fragment.smooth_uv) * 0.70710678;
    let along_y = dpdy(fragment.smooth_uv) * 0.70710678;
    if HAS_TEXTURE {
        color *= textureSampleGrad(image, image_sampler, fragment.uv, along_x, along_y);
    }
    return color;
}

fn lit(fragment: Fragment, facing: vec3<f32>, color: vec4<f32>) -> vec3<f32> {
    let to_eye = nebula_unit_or(-fragment.from_eye, vec3<f32>(0.0, 0.0, 1.0));
    var normal = select(nebula_unit_or(fragment.normal, to_eye), facing, surface.is_flat == 1u);
    normal = select(normal, -normal, dot(normal, facing) < 0.0);
    let reach = reach_on_surface(fragment.from_eye + frame.eye.xyz, normal);
    let light = shaded(normal, to_eye, max(color.xyz, vec3<f32>(0.0)), reach);
    return hazy(light, fragment.from_eye);
}
