
// The skinning matrix of a joint, as three rows: a point p becomes vec4(p, 1.0) * matrix.
fn nebula_joint(first: u32, joint: u32) -> mat3x4<f32> {
    let at = first + joint * NEBULA_VECTORS_PER_JOINT;
    if NEBULA_VECTORS_PER_JOINT == 4u {
        let rows = transpose(mat4x4<f32>(
            nebula_palettes[at], nebula_palettes[at + 1u], nebula_palettes[at + 2u], nebula_palettes[at + 3u],
        ));
        return mat3x4<f32>(rows[0], rows[1], rows[2]);
    }
    return mat3x4<f32>(nebula_palettes[at], nebula_palettes[at + 1u], nebula_palettes[at + 2u]);
}

// The same in the frame before.
fn nebula_previous_joint(first: u32, joint: u32) -> mat3x4<f32> {
    let at = first + joint * NEBULA_VECTORS_PER_JOINT;
    if NEBULA_VECTORS_PER_JOINT == 4u {
        let rows = transpose(mat4x4<f32>(
            nebula_previous_palettes[at], nebula_previous_palettes[at + 1u],
            nebula_previous_palettes[at + 2u], nebula_previous_palettes[at + 3u],
        ));
        return mat3x4<f32>(rows[0], rows[1], rows[2]);
    }
    return mat3x4<f32>(
        nebula_previous_palettes[at], nebula_previous_palettes[at + 1u], nebula_previous_palettes[at + 2u],
    );
}
