//! Small pieces of input: rotations, matrices, numbers that look random.

/// A quaternion (xyzw) about an axis (0 is x, 1 is y, 2 is z).
pub fn turn(axis: usize, degrees: f64) -> [f64; 4] {
    let half = degrees.to_radians() / 2.0;
    let mut quaternion = [0.0, 0.0, 0.0, half.cos()];
    quaternion[axis] = half.sin();
    quaternion
}

/// Rotations about one axis, key after key.
pub fn spin(axis: usize, degrees: &[f64]) -> Vec<f64> {
    degrees.iter().flat_map(|&degrees| turn(axis, degrees)).collect()
}

/// The matrix that moves by `t`.
pub fn at(t: [f64; 3]) -> [f64; 16] {
    turned([0.0, 0.0, 0.0, 1.0], [1.0; 3], t)
}

/// The matrix that scales by `s`, rotates by the unit quaternion `r` and moves by `t`.
pub fn turned([x, y, z, w]: [f64; 4], s: [f64; 3], t: [f64; 3]) -> [f64; 16] {
    let rotate = |v: [f64; 3]| {
        // v + 2w(u × v) + 2u × (u × v), where u is the vector part.
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let once = cross([x, y, z], v);
        let twice = cross([x, y, z], once);
        std::array::from_fn::<f64, 3, _>(|part| v[part] + 2.0 * (w * once[part] + twice[part]))
    };
    let mut matrix = [0.0; 16];
    for (column, axis) in [[s[0], 0.0, 0.0], [0.0, s[1], 0.0], [0.0, 0.0, s[2]]].into_iter().enumerate() {
        matrix[column * 4..column * 4 + 3].copy_from_slice(&rotate(axis));
    }
    matrix[12..15].copy_from_slice(&t);
    matrix[15] = 1.0;
    matrix
}

/// Numbers between -1 and 1 that follow no pattern but are the same in every run.
pub fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
