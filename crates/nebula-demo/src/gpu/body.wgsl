// Characters. It follows the library's text for palettes, skinning and morph targets, frame.wgsl and, for colours, light.wgsl.

struct Vertex {
    @builtin(vertex_index) index: u32,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) joints: vec4<u32>,
    @location(3) weights: vec4<f32>,
    // Of the instance: the first vector of its palette, its first morph weight, the number of morph targets, and 1 where no
    // joint carries the part: the palette is one matrix then, for all vertices.
    @location(4) body: vec4<u32>,
}

struct Colors {
    @location(5) color: vec4<f32>,
    // Both sets of texture coordinates.
    @location(6) uvs: vec4<f32>,
    @location(9) tangent: vec4<f32>,
}

struct More {
    @location(7) joints: vec4<u32>,
    @location(8) weights: vec4<f32>,
}

fn matrix4(vertex: Vertex) -> mat3x4<f32> {
    if vertex.body.w == 1u {
        return nebula_joint(vertex.body.x, 0u);
    }
    return nebula_linear4(nebula_joints4(vertex.body.x, vertex.joints), vertex.weights);
}

fn matrix8(vertex: Vertex, more: More) -> mat3x4<f32> {
    let joints = nebula_joints4(vertex.body.x, vertex.joints);
    return nebula_linear8(joints, vertex.weights, nebula_joints4(vertex.body.x, more.joints), more.weights);
}

// The vertex in the world.
fn posed(vertex: Vertex, tangent: vec4<f32>, world_from_mesh: mat3x4<f32>) -> NebulaVertex {
    var source = NebulaVertex(vertex.position, vertex.normal, tangent);
    if vertex.body.z > 0u {
        let delta = nebula_morph(vertex.body.y, vertex.index);
        source.position += delta[0];
        source.normal += delta[1];
    }
    return nebula_skinned(world_from_mesh, source);
}
