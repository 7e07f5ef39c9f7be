// Skins the vertices of a mesh for many instances, once for all passes that draw them. It follows one of the
// palette_*.wgsl, skinning.wgsl and morph.wgsl.

struct NebulaInstance {
    // The index of the first vector of its palette, see the palette's file.
    first: u32,
    // The index of its first morph weight.
    first_weight: u32,
}

struct NebulaDispatch {
    vertex_count: u32,
    // 0, 4 or 8.
    influence_count: u32,
    // 0: linear; 1: dual quaternions.
    blending: u32,
    // The number of morph targets; their textures are not read where it is 0.
    target_count: u32,
    // The first instance of this dispatch; the z coordinate of an invocation is added to it.
    first_instance: u32,
    // Vertices in a row of invocations: a mesh may have more than one dimension of a dispatch allows.
    row_length: u32,
}

// Ten f32 for each vertex: position, normal, tangent with the sign of the bitangent.
@group(2) @binding(0) var<storage, read> nebula_vertices: array<f32>;
// Six words for each four joints of a vertex: joints as four u16, four f32 weights.
@group(2) @binding(1) var<storage, read> nebula_influences: array<u32>;
@group(2) @binding(2) var<storage, read> nebula_instances: array<NebulaInstance>;
// As `nebula_vertices`, instance after instance.
@group(2) @binding(3) var<storage, read_write> nebula_skinned_vertices: array<f32>;
@group(2) @binding(4) var<uniform> nebula_dispatch: NebulaDispatch;

fn nebula_source(vertex: u32, first_weight: u32) -> NebulaVertex {
    let at = vertex * 10u;
    var position = vec3<f32>(nebula_vertices[at], nebula_vertices[at + 1u], nebula_vertices[at + 2u]);
    var normal = vec3<f32>(nebula_vertices[at + 3u], nebula_vertices[at + 4u], nebula_vertices[at + 5u]);
    var tangent = vec3<f32>(nebula_vertices[at + 6u], nebula_vertices[at + 7u], nebula_vertices[at + 8u]);
    if nebula_dispatch.target_count > 0u {
        let delta = nebula_morph(first_weight, vertex);
        position += delta[0];
        normal += delta[1];
        tangent += delta[2];
    }
    return NebulaVertex(position, normal, vec4<f32>(tangent, nebula_vertices[at + 9u]));
}

fn nebula_joint_indices(at: u32) -> vec4<u32> {
    let a = nebula_influences[at];
    let b = nebula_influences[at + 1u];
    return vec4<u32>(a & 0xffffu, a >> 16u, b & 0xffffu, b >> 16u);
}

fn nebula_joint_weights(at: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(vec4<u32>(
        nebula_influences[at + 2u], nebula_influences[at + 3u], nebula_influences[at + 4u], nebula_influences[at + 5u],
    ));
}

fn nebula_matrix(vertex: u32, first: u32) -> mat3x4<f32> {
    if nebula_dispatch.influence_count == 8u {
        let at = vertex * 12u;
        let joints = nebula_joints4(first, nebula_joint_indices(at));
        let more_joints = nebula_joints4(first, nebula_joint_indices(at + 6u));
        if nebula_dispatch.blending == 1u {
            return nebula_dual_quaternion8(joints, nebula_joint_weights(at), more_joints, nebula_joint_weights(at + 6u));
        }
        return nebula_linear8(joints, nebula_joint_weights(at), more_joints, nebula_joint_weights(at + 6u));
    }
    let at = vertex * 6u;
    let joints = nebula_joints4(first, nebula_joint_indices(at));
    if nebula_dispatch.blending == 1u {
        return nebula_dual_quaternion4(joints, nebula_joint_weights(at));
    }
    return nebula_linear4(joints, nebula_joint_weights(at));
}

@compute @workgroup_size(64)
fn nebula_skin(@builtin(global_invocation_id) invocation: vec3<u32>) {
    let vertex = invocation.y * nebula_dispatch.row_length + invocation.x;
    if invocation.x >= nebula_dispatch.row_length || vertex >= nebula_dispatch.vertex_count {
        return;
    }
    let instance = nebula_dispatch.first_instance + invocation.z;
    let place = nebula_instances[instance];
    var skinned = nebula_source(vertex, place.first_weight);
    if nebula_dispatch.influence_count > 0u {
        skinned = nebula_skinned(nebula_matrix(vertex, place.first), skinned);
    } else {
        skinned.normal = nebula_unit_or(skinned.normal, vec3<f32>(0.0));
        skinned.tangent = vec4<f32>(nebula_unit_or(skinned.tangent.xyz, vec3<f32>(0.0)), skinned.tangent.w);
    }
    let at = (instance * nebula_dispatch.vertex_count + vertex) * 10u;
    nebula_skinned_vertices[at] = skinned.position.x;
    nebula_skinned_vertices[at + 1u] = skinned.position.y;
    nebula_skinned_vertices[at + 2u] = skinned.position.z;
    nebula_skinned_vertices[at + 3u] = skinned.normal.x;
    nebula_skinned_vertices[at + 4u] = skinned.normal.y;
    nebula_skinned_vertices[at + 5u] = skinned.normal.z;
    nebula_skinned_vertices[at + 6u] = skinned.tangent.x;
    nebula_skinned_vertices[at + 7u] = skinned.tangent.y;
    nebula_skinned_vertices[at + 8u] = skinned.tangent.z;
    nebula_skinned_vertices[at + 9u] = skinned.tangent.w;
}
