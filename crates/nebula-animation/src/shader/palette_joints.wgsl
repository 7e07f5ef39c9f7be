
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
