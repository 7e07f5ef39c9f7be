// Palettes in RGBA32F textures, for devices without storage buffers (WebGL2).
//
// Texels: joint after joint, each three rows (the upper rows of its skinning matrix), or four columns where
// NEBULA_VECTORS_PER_JOINT is 4; line after line of the texture. Its width is a multiple of 12, so that no matrix of either kind crosses
// the end of a line. Characters follow each other without gaps.
//
// `first` is the index of a character's first texel: its first joint times NEBULA_VECTORS_PER_JOINT.

const NEBULA_VECTORS_PER_JOINT: u32 = 3u;

@group(0) @binding(0) var nebula_palettes: texture_2d<f32>;
@group(0) @binding(1) var nebula_previous_palettes: texture_2d<f32>;

// The skinning matrix of a joint, as three rows: a point p becomes vec4(p, 1.0) * matrix.
fn nebula_joint(first: u32, joint: u32) -> mat3x4<f32> {
    return nebula_texels(nebula_palettes, first + joint * NEBULA_VECTORS_PER_JOINT);
}

// The same in the frame before.
fn nebula_previous_joint(first: u32, joint: u32) -> mat3x4<f32> {
    return nebula_texels(nebula_previous_palettes, first + joint * NEBULA_VECTORS_PER_JOINT);
}

fn nebula_texels(texels: texture_2d<f32>, at: u32) -> mat3x4<f32> {
    let width = textureDimensions(texels).x;
    let x = i32(at % width);
    let y = i32(at / width);
    let a = textureLoad(texels, vec2<i32>(x, y), 0);
    let b = textureLoad(texels, vec2<i32>(x + 1, y), 0);
    let c = textureLoad(texels, vec2<i32>(x + 2, y), 0);
    if NEBULA_VECTORS_PER_JOINT == 4u {
        let rows = transpose(mat4x4<f32>(a, b, c, textureLoad(texels, vec2<i32>(x + 3, y), 0)));
        return mat3x4<f32>(rows[0], rows[1], rows[2]);
    }
    return mat3x4<f32>(a, b, c);
}
