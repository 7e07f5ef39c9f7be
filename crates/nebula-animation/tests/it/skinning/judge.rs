//! Skinned vertices against the reference.

use glam::{Vec3, Vec4};

use crate::reference::Vertex;

/// How many of each were compared, and how far off the worst was.
#[derive(Debug, Default, Clone, Copy)]
pub struct Tally {
    pub vertices: usize,
    pub normals: usize,
    pub tangents: usize,
    pub torn: usize,
    /// Relative to the size of the mesh.
    pub worst_position: f64,
    pub worst_normal: f64,
}

/// The largest distance of positions, relative to the size of the mesh; and of unit vectors.
const TOLERANCE: f64 = 1e-4;

impl Tally {
    /// Compares a primitive. `normals` and `tangents` may be empty.
    pub fn compare(
        &mut self,
        what: &str,
        expected: &[Vertex],
        positions: &[Vec3],
        normals: &[Vec3],
        tangents: &[Vec4],
    ) {
        assert_eq!(positions.len(), expected.len(), "{what}: vertices");
        let extent = |axis: usize| {
            let along = expected.iter().map(|vertex| vertex.position[axis]);
            along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min)
        };
        let size = (0..3).map(|axis| extent(axis).powi(2)).sum::<f64>().sqrt();
        for (index, vertex) in expected.iter().enumerate() {
            if vertex.is_torn {
                self.torn += 1;
                continue;
            }
            self.vertices += 1;
            let off = distance(&vertex.position, &positions[index].to_array());
            assert!(
                off <= TOLERANCE * size,
                "{what}, vertex {index}: {} instead of {:?}, {off} off in {size}",
                positions[index],
                vertex.position
            );
            self.worst_position = self.worst_position.max(off / size.max(f64::MIN_POSITIVE));
            if let (Some(expected), Some(normal)) = (vertex.normal, normals.get(index)) {
                self.normals += 1;
                let off = distance(&expected, &normal.to_array());
                assert!(off <= TOLERANCE, "{what}, normal {index}: {normal} instead of {expected:?}");
                self.worst_normal = self.worst_normal.max(off);
            }
            if let (Some(expected), Some(tangent)) = (vertex.tangent, tangents.get(index)) {
                self.tangents += 1;
                let off = distance(&expected, &tangent.to_array());
                assert!(off <= TOLERANCE, "{what}, tangent {index}: {tangent} instead of {expected:?}");
            }
        }
    }
}

fn distance<const N: usize>(expected: &[f64; N], actual: &[f32; N]) -> f64 {
    expected.iter().zip(actual).map(|(a, b)| (a - f64::from(*b)).powi(2)).sum::<f64>().sqrt()
}
