// Morph targets, added before the joints move anything.
//
//     let delta = nebula_morph(first_weight, vertex_index);
//     let position = vertex.position + delta[0];
//     let normal = vertex.normal + delta[1];
//     let tangent = vec4(vertex.tangent.xyz + delta[2], vertex.tangent.w);
//
// Texels of `nebula_morph_deltas` (RGBA32F): target after target, vertex after vertex, three for each: the differences of
// position, normal and tangent in xyz; line after line. The width is a multiple of 3.
// Texels of `nebula_morph_weights` (R32F): instance after instance, a weight for each target; line after line.
// `first_weight` is the index of an instance's first weight, `vertex` that of the vertex inside its mesh.

struct NebulaMorphs {
    target_count: u32,
    vertex_count: u32,
    // WebGL2 wants uniforms whose size is a multiple of 16.
    padding: vec2<u32>,
}

@group(1) @binding(0) var nebula_morph_deltas: texture_2d<f32>;
@group(1) @binding(1) var nebula_morph_weights: texture_2d<f32>;
@group(1) @binding(2) var<uniform> nebula_morphs: NebulaMorphs;

// What all targets together add to position, normal and tangent.
fn nebula_morph(first_weight: u32, vertex: u32) -> mat3x3<f32> {
    let width = textureDimensions(nebula_morph_deltas).x;
    let weights_width = textureDimensions(nebula_morph_weights).x;
    var sum = mat3x3<f32>();
    for (var i = 0u; i < nebula_morphs.target_count; i++) {
        let weight_at = first_weight + i;
        let weight =
            textureLoad(nebula_morph_weights, vec2<i32>(vec2<u32>(weight_at % weights_width, weight_at / weights_width)), 0).x;
        if weight != 0.0 {
            let at = (i * nebula_morphs.vertex_count + vertex) * 3u;
            let x = i32(at % width);
            let y = i32(at / width);
            sum += weight * mat3x3<f32>(
                textureLoad(nebula_morph_deltas, vec2<i32>(x, y), 0).xyz,
                textureLoad(nebula_morph_deltas, vec2<i32>(x + 1, y), 0).xyz,
                textureLoad(nebula_morph_deltas, vec2<i32>(x + 2, y), 0).xyz,
            );
        }
    }
    return sum;
}
