// From the matrices of a vertex's joints to the vertex in its pose. It needs no bindings.
//
//     let joints = nebula_joints4(first, vertex.joints);                     // of one of the palette_*.wgsl
//     let model_from_mesh = nebula_linear4(joints, vertex.weights);          // or nebula_dual_quaternion4
//     let skinned = nebula_skinned(model_from_mesh, NebulaVertex(position, normal, tangent));
//
// Matrices are three rows of four: a point p becomes vec4(p, 1.0) * matrix. The weights of a vertex sum to 1; where all are
// zero the vertex stays where it is.

struct NebulaVertex {
    position: vec3<f32>,
    normal: vec3<f32>,
    // The sign of the bitangent in w.
    tangent: vec4<f32>,
}

// Linear blending of four joints.
fn nebula_linear4(joints: array<mat3x4<f32>, 4>, weights: vec4<f32>) -> mat3x4<f32> {
    return nebula_or_still(nebula_weighted4(joints, weights), weights, vec4<f32>(0.0));
}

// Linear blending of eight joints.
fn nebula_linear8(
    joints: array<mat3x4<f32>, 4>, weights: vec4<f32>, more_joints: array<mat3x4<f32>, 4>, more_weights: vec4<f32>,
) -> mat3x4<f32> {
    let sum = nebula_weighted4(joints, weights) + nebula_weighted4(more_joints, more_weights);
    return nebula_or_still(sum, weights, more_weights);
}

// Dual quaternion blending of four joints.
fn nebula_dual_quaternion4(joints: array<mat3x4<f32>, 4>, weights: vec4<f32>) -> mat3x4<f32> {
    return nebula_dual_quaternion8(joints, weights, joints, vec4<f32>(0.0));
}

// Dual quaternion blending of eight joints. Scale, shear and mirrors are blended linearly before it.
fn nebula_dual_quaternion8(
    joints: array<mat3x4<f32>, 4>, weights: vec4<f32>, more_joints: array<mat3x4<f32>, 4>, more_weights: vec4<f32>,
) -> mat3x4<f32> {
    var sum = NebulaRigid(vec4<f32>(0.0), vec4<f32>(0.0), mat3x3<f32>());
    // Two quaternions stand for one rotation: the nearer one to the strongest joint's is taken.
    let strongest = nebula_strongest(joints, weights, more_joints, more_weights);
    sum = nebula_rigid_sum(sum, strongest, joints[0], weights.x);
    sum = nebula_rigid_sum(sum, strongest, joints[1], weights.y);
    sum = nebula_rigid_sum(sum, strongest, joints[2], weights.z);
    sum = nebula_rigid_sum(sum, strongest, joints[3], weights.w);
    sum = nebula_rigid_sum(sum, strongest, more_joints[0], more_weights.x);
    sum = nebula_rigid_sum(sum, strongest, more_joints[1], more_weights.y);
    sum = nebula_rigid_sum(sum, strongest, more_joints[2], more_weights.z);
    sum = nebula_rigid_sum(sum, strongest, more_joints[3], more_weights.w);
    let size = length(sum.rotation);
    if !(size > 0.0) {
        return nebula_or_still(mat3x4<f32>(), weights, more_weights);
    }
    let rotation = sum.rotation / size;
    let dual = sum.dual / size;
    let translation = nebula_quaternion_product(dual, vec4<f32>(-rotation.xyz, rotation.w)).xyz * 2.0;
    // The rows of rotation times stretch are the columns of its transpose.
    let rows = transpose(nebula_rotation_matrix(rotation) * sum.stretch);
    return mat3x4<f32>(
        vec4<f32>(rows[0], translation.x), vec4<f32>(rows[1], translation.y), vec4<f32>(rows[2], translation.z),
    );
}

// Moves a vertex: its position, its normal by the cofactors of the matrix, its tangent. Normal and tangent come back at
// length 1, or zero where they were zero or the matrix flattens everything.
fn nebula_skinned(model_from_mesh: mat3x4<f32>, vertex: NebulaVertex) -> NebulaVertex {
    let a = model_from_mesh[0].xyz;
    let b = model_from_mesh[1].xyz;
    let c = model_from_mesh[2].xyz;
    // Products of very small or large numbers would vanish or overflow; directions do not depend on the scale.
    let largest = nebula_largest(max(max(abs(a), abs(b)), abs(c)));
    let scale = select(1.0, largest, largest > 0.0);
    let linear = transpose(mat3x3<f32>(a / scale, b / scale, c / scale));
    let cofactors = mat3x3<f32>(
        cross(linear[1], linear[2]), cross(linear[2], linear[0]), cross(linear[0], linear[1]),
    );
    // Cofactors are the transposed inverse times the determinant, whose sign would turn normals inwards.
    let side = select(1.0, -1.0, dot(linear[0], cofactors[0]) < 0.0);
    return NebulaVertex(
        vec4<f32>(vertex.position, 1.0) * model_from_mesh,
        nebula_unit_or(cofactors * vertex.normal, vec3<f32>(0.0)) * side,
        vec4<f32>(nebula_unit_or(linear * vertex.tangent.xyz, vec3<f32>(0.0)), vertex.tangent.w * side),
    );
}

fn nebula_weighted4(joints: array<mat3x4<f32>, 4>, weights: vec4<f32>) -> mat3x4<f32> {
    return joints[0] * weights.x + joints[1] * weights.y + joints[2] * weights.z + joints[3] * weights.w;
}

fn nebula_or_still(sum: mat3x4<f32>, weights: vec4<f32>, more_weights: vec4<f32>) -> mat3x4<f32> {
    if all(weights == vec4<f32>(0.0)) && all(more_weights == vec4<f32>(0.0)) {
        return mat3x4<f32>(
            vec4<f32>(1.0, 0.0, 0.0, 0.0), vec4<f32>(0.0, 1.0, 0.0, 0.0), vec4<f32>(0.0, 0.0, 1.0, 0.0),
        );
    }
    return sum;
}

// A matrix as a stretch that is followed by a rotation and a translation, the two as a dual quaternion.
struct NebulaRigid {
    rotation: vec4<f32>,
    dual: vec4<f32>,
    stretch: mat3x3<f32>,
}

// The rotation is that of the first two columns, made orthogonal; whatever it does not explain is stretch.
fn nebula_rigid(matrix: mat3x4<f32>) -> NebulaRigid {
    let linear = transpose(mat3x3<f32>(matrix[0].xyz, matrix[1].xyz, matrix[2].xyz));
    let x = nebula_unit_or(linear[0], vec3<f32>(1.0, 0.0, 0.0));
    // Where the columns do not tell, any direction at right angles to the first will do.
    let other = select(vec3<f32>(0.0, 1.0, 0.0), vec3<f32>(1.0, 0.0, 0.0), abs(x.x) < 0.8);
    let y = nebula_unit_or(
        linear[1] - x * dot(x, linear[1]),
        nebula_unit_or(cross(x, other), vec3<f32>(0.0, 0.0, 1.0)),
    );
    let axes = mat3x3<f32>(x, y, cross(x, y));
    let rotation = nebula_quaternion(axes);
    let translation = vec4<f32>(matrix[0].w, matrix[1].w, matrix[2].w, 0.0);
    return NebulaRigid(
        rotation, nebula_quaternion_product(translation * 0.5, rotation), transpose(axes) * linear,
    );
}

// Adds one joint to the sum.
fn nebula_rigid_sum(sum: NebulaRigid, strongest: vec4<f32>, joint: mat3x4<f32>, weight: f32) -> NebulaRigid {
    if weight == 0.0 {
        return sum;
    }
    let rigid = nebula_rigid(joint);
    let turned = select(weight, -weight, dot(rigid.rotation, strongest) < 0.0);
    return NebulaRigid(
        sum.rotation + rigid.rotation * turned, sum.dual + rigid.dual * turned, sum.stretch + rigid.stretch * weight,
    );
}

// The rotation of the joint with the largest weight, the first of several.
fn nebula_strongest(
    joints: array<mat3x4<f32>, 4>, weights: vec4<f32>, more_joints: array<mat3x4<f32>, 4>, more_weights: vec4<f32>,
) -> vec4<f32> {
    var weight = weights.x;
    var matrix = joints[0];
    if weights.y > weight { weight = weights.y; matrix = joints[1]; }
    if weights.z > weight { weight = weights.z; matrix = joints[2]; }
    if weights.w > weight { weight = weights.w; matrix = joints[3]; }
    if more_weights.x > weight { weight = more_weights.x; matrix = more_joints[0]; }
    if more_weights.y > weight { weight = more_weights.y; matrix = more_joints[1]; }
    if more_weights.z > weight { weight = more_weights.z; matrix = more_joints[2]; }
    if more_weights.w > weight { weight = more_weights.w; matrix = more_joints[3]; }
    return nebula_rigid(matrix).rotation;
}

// The quaternion (xyzw) of a rotation matrix. The largest component is found first, so that none is divided by a small one.
fn nebula_quaternion(m: mat3x3<f32>) -> vec4<f32> {
    if m[2].z <= 0.0 {
        let difference = m[1].y - m[0].x;
        let rest = 1.0 - m[2].z;
        if difference <= 0.0 {
            let four = rest - difference;
            return vec4<f32>(four, m[0].y + m[1].x, m[0].z + m[2].x, m[1].z - m[2].y) * (0.5 / sqrt(four));
        }
        let four = rest + difference;
        return vec4<f32>(m[0].y + m[1].x, four, m[1].z + m[2].y, m[2].x - m[0].z) * (0.5 / sqrt(four));
    }
    let sum = m[1].y + m[0].x;
    let rest = 1.0 + m[2].z;
    if sum <= 0.0 {
        let four = rest - sum;
        return vec4<f32>(m[0].z + m[2].x, m[1].z + m[2].y, four, m[0].y - m[1].x) * (0.5 / sqrt(four));
    }
    let four = rest + sum;
    return vec4<f32>(m[1].z - m[2].y, m[2].x - m[0].z, m[0].y - m[1].x, four) * (0.5 / sqrt(four));
}

fn nebula_quaternion_product(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

fn nebula_rotation_matrix(q: vec4<f32>) -> mat3x3<f32> {
    let d = q.xyz * 2.0;
    let xx = q.x * d.x;
    let yy = q.y * d.y;
    let zz = q.z * d.z;
    let xy = q.x * d.y;
    let xz = q.x * d.z;
    let yz = q.y * d.z;
    let wx = q.w * d.x;
    let wy = q.w * d.y;
    let wz = q.w * d.z;
    return mat3x3<f32>(
        vec3<f32>(1.0 - yy - zz, xy + wz, xz - wy),
        vec3<f32>(xy - wz, 1.0 - xx - zz, yz + wx),
        vec3<f32>(xz + wy, yz - wx, 1.0 - xx - yy),
    );
}

// A vector at length 1, whatever its length was; `other` where it has none.
fn nebula_unit_or(vector: vec3<f32>, other: vec3<f32>) -> vec3<f32> {
    let largest = nebula_largest(abs(vector));
    if largest > 0.0 {
        let scaled = vector / largest;
        return scaled / length(scaled);
    }
    return other;
}

fn nebula_largest(vector: vec3<f32>) -> f32 {
    return max(max(vector.x, vector.y), vector.z);
}
