//! Converts strips, fans and loops to plain lists.

use super::Topology;
use crate::asset::document::Uint;

/// Unrolls the indices of a primitive of a glTF mode (4, triangles, where the file states none).
///
/// Indices that do not complete a shape are dropped. Fails with the reason for an unknown mode.
pub(super) fn unrolled(mode: Option<Uint>, indices: Vec<u32>) -> Result<(Topology, Vec<u32>), String> {
    Ok(match mode.map_or(4, |mode| mode.0) {
        0 => (Topology::Points, indices),
        1 => (Topology::Lines, whole(indices, 2)),
        2 => {
            let closing = indices.first().copied().filter(|_| indices.len() > 1);
            let next = indices.iter().copied().skip(1).chain(closing);
            (Topology::Lines, indices.iter().copied().zip(next).flat_map(<[u32; 2]>::from).collect())
        }
        3 => (Topology::Lines, indices.array_windows().copied().flat_map(|pair: [u32; 2]| pair).collect()),
        4 => (Topology::Triangles, whole(indices, 3)),
        5 => {
            // Every second triangle of a strip is turned over, so that all face the same way.
            let triangle =
                |(position, &[a, b, c]): (usize, &[u32; 3])| if position % 2 == 0 { [a, b, c] } else { [b, a, c] };
            (Topology::Triangles, indices.array_windows().enumerate().flat_map(triangle).collect())
        }
        6 => {
            let centre = indices.first().copied().unwrap_or_default();
            let rim = indices.get(1..).unwrap_or_default();
            (Topology::Triangles, rim.array_windows().flat_map(|&[a, b]: &[u32; 2]| [a, b, centre]).collect())
        }
        other => return Err(format!("mode is {other}, expected 0 to 6")),
    })
}

fn whole(mut indices: Vec<u32>, size: usize) -> Vec<u32> {
    indices.truncate(indices.len() / size * size);
    indices
}
