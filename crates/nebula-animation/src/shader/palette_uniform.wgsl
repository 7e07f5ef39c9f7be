// Palettes in uniform buffers, of which a window is visible: its length is the number in the two lines below.
//
// Bytes: joint after joint, each three rows of four f32 (48 bytes, the upper rows of its skinning matrix), or four columns
// (64 bytes, a whole matrix) where NEBULA_VECTORS_PER_JOINT is 4. Characters follow each other without gaps.
//
// `first` is the index of a character's first vector inside the window. The window starts at a dynamic offset.

const NEBULA_VECTORS_PER_JOINT: u32 = 3u;

@group(0) @binding(0) var<uniform> nebula_palettes: array<vec4<f32>, 1024>;
@group(0) @binding(1) var<uniform> nebula_previous_palettes: array<vec4<f32>, 1024>;

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

// The matrices of four joints.
fn nebula_joints4(first: u32, joints: vec4<u32>) -> array<mat3x4<f32>, 4> {
    return array<mat3x4<f32>, 4>(
        nebula_joint(first, joints.x), nebula_joint(first, joints.y),
        nebula_joint(first, joints.z), nebula_joint(first, joints.w),
    );
}

// The same in the frame before.
fn nebula_previous_joints4(first: u32, joints: vec4<u32>) -> array<mat3x4<f32>, 4> {
    return array<mat3x4<f32>, 4>(
        nebula_previous_joint(first, joints.x), nebula_previous_joint(first, joints.y),
        nebula_previous_joint(first, joints.z), nebula_previous_joint(first, joints.w),
    );
}
