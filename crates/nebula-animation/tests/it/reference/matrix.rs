//! Matrices of four columns, for column vectors.

/// Element `[column * 4 + row]`, as glTF stores it.
pub type Matrix = [f64; 16];

pub const IDENTITY: Matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

/// `a * b`: what `b` does first, and then `a`.
pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|at| (0..4).map(|k| a[k * 4 + at % 4] * b[at / 4 * 4 + k]).sum())
}

/// A point moved by a matrix.
pub fn transform_point(matrix: &Matrix, point: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|row| {
        (0..3).map(|column| matrix[column * 4 + row] * point[column]).sum::<f64>() + matrix[12 + row]
    })
}

/// Scale first, then rotation, then translation.
pub fn from_trs(t: [f64; 3], [x, y, z, w]: [f64; 4], s: [f64; 3]) -> Matrix {
    let columns = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
        t,
    ];
    std::array::from_fn(|at| match (at / 4, at % 4) {
        (3, 3) => 1.0,
        (_, 3) => 0.0,
        (3, row) => t[row],
        (column, row) => columns[column][row] * s[column],
    })
}
