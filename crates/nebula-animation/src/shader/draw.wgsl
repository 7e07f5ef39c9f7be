// Draws skinned meshes under a plain light, from vertex buffers. It follows one of the palette_*.wgsl, skinning.wgsl and
// morph.wgsl.

struct NebulaCamera {
    clip_from_world: mat4x4<f32>,
    eye: vec4<f32>,
    // Towards the light, at length 1.
    light: vec4<f32>,
}

struct NebulaSurface {
    // Linear RGBA.
    color: vec4<f32>,
    // 0: linear; 1: dual quaternions.
    blending: u32,
    // The number of morph targets; their textures are not read where it is 0.
    target_count: u32,
    // 1 where the mesh has no normals: those of its triangles are shown.
    is_flat: u32,
    // 1 where the colour is shown as it is, in no light.
    is_unlit: u32,
    // Light of its own, linear RGB, and the alpha below which the surface is cut away.
    emissive: vec4<f32>,
}

@group(2) @binding(0) var<uniform> nebula_camera: NebulaCamera;
@group(2) @binding(1) var<uniform> nebula_surface: NebulaSurface;

struct NebulaInput {
    @builtin(vertex_index) index: u32,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tangent: vec4<f32>,
    @location(3) joints: vec4<u32>,
    @location(4) weights: vec4<f32>,
    @location(5) color: vec4<f32>,
    // Of the instance: model space to the world, as rows; the first vector of its palette and its first morph weight.
    @location(6) world_x: vec4<f32>,
    @location(7) world_y: vec4<f32>,
    @location(8) world_z: vec4<f32>,
    @location(9) first: vec2<u32>,
}

struct NebulaFragment {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec4<f32>,
}

@vertex
fn nebula_draw4(input: NebulaInput) -> NebulaFragment {
    let joints = nebula_joints4(input.first.x, input.joints);
    if nebula_surface.blending == 1u {
        return nebula_placed(input, nebula_dual_quaternion4(joints, input.weights));
    }
    return nebula_placed(input, nebula_linear4(joints, input.weights));
}

@vertex
fn nebula_draw8(
    input: NebulaInput, @location(10) more_joints: vec4<u32>, @location(11) more_weights: vec4<f32>,
) -> NebulaFragment {
    let joints = nebula_joints4(input.first.x, input.joints);
    let more = nebula_joints4(input.first.x, more_joints);
    if nebula_surface.blending == 1u {
        return nebula_placed(input, nebula_dual_quaternion8(joints, input.weights, more, more_weights));
    }
    return nebula_placed(input, nebula_linear8(joints, input.weights, more, more_weights));
}

fn nebula_placed(input: NebulaInput, model_from_mesh: mat3x4<f32>) -> NebulaFragment {
    var vertex = NebulaVertex(input.position, input.normal, input.tangent);
    if nebula_surface.target_count > 0u {
        let delta = nebula_morph(input.first.y, input.index);
        vertex.position += delta[0];
        vertex.normal += delta[1];
    }
    let in_model = nebula_skinned(model_from_mesh, vertex);
    let in_world = nebula_skinned(mat3x4<f32>(input.world_x, input.world_y, input.world_z), in_model);
    let place = nebula_camera.clip_from_world * vec4<f32>(in_world.position, 1.0);
    return NebulaFragment(place, in_world.position, in_world.normal, nebula_surface.color * input.color);
}

// What light makes of a surface.
fn nebula_lit(fragment: NebulaFragment) -> vec3<f32> {
    let flat = nebula_unit_or(cross(dpdx(fragment.world), dpdy(fragment.world)), vec3<f32>(0.0, 1.0, 0.0));
    let to_eye = nebula_unit_or(nebula_camera.eye.xyz - fragment.world, vec3<f32>(0.0, 0.0, 1.0));
    var normal = nebula_unit_or(select(fragment.normal, flat, nebula_surface.is_flat == 1u), flat);
    // Both sides of a surface are lit.
    if dot(normal, to_eye) < 0.0 {
        normal = -normal;
    }
    let sun = max(dot(normal, nebula_camera.light.xyz), 0.0);
    let sky = 0.5 + 0.5 * normal.y;
    let rim = pow(1.0 - max(dot(normal, to_eye), 0.0), 4.0);
    let light = vec3<f32>(1.0, 0.95, 0.88) * (0.95 * sun) + vec3<f32>(0.22, 0.26, 0.34) * (0.35 + sky) + vec3<f32>(0.10 * rim);
    let lit = fragment.color.rgb * select(light, vec3<f32>(1.0), nebula_surface.is_unlit == 1u);
    return lit + nebula_surface.emissive.rgb;
}

@fragment
fn nebula_shade(fragment: NebulaFragment) -> @location(0) vec4<f32> {
    return vec4<f32>(nebula_lit(fragment), 1.0);
}

// Cut away where alpha is low.
@fragment
fn nebula_shade_cut(fragment: NebulaFragment) -> @location(0) vec4<f32> {
    let color = nebula_lit(fragment);
    if fragment.color.a < nebula_surface.emissive.a {
        discard;
    }
    return vec4<f32>(color, 1.0);
}

// To be mixed with what is behind it, by its alpha.
@fragment
fn nebula_shade_blend(fragment: NebulaFragment) -> @location(0) vec4<f32> {
    return vec4<f32>(nebula_lit(fragment), fragment.color.a);
}
