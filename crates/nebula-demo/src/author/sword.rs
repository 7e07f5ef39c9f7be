use glam::{DVec3, dvec3};

use super::character::static_file;
use super::mesh::MeshData;
use super::polygonise::Surface;

/// The bytes of `sword.glb`: a sword of 0.9 m whose origin is the middle of the grip. The blade points along +Z with its
/// edges up and down, as a fist holds it whose arm hangs at the person's side.
pub(super) fn sword_file() -> std::io::Result<Vec<u8>> {
    let mut mesh = MeshData::default();
    mesh.push_surface(&blade(), STEEL);
    mesh.push_surface(&guard(), BRASS);
    mesh.push_surface(&grip(), LEATHER);
    mesh.push_surface(&pommel(), BRASS);
    static_file("sword", &mesh)
}

const STEEL: u32 = 0xC9D1D8;
const BRASS: u32 = 0xC79A45;
const LEATHER: u32 = 0x4B2E22;

/// A flat diamond that narrows slowly and ends in a point.
fn blade() -> Surface {
    let section = |z: f64, half_width: f64, half_thickness: f64| {
        vec![
            dvec3(half_thickness, 0.0, z),
            dvec3(0.0, half_width, z),
            dvec3(-half_thickness, 0.0, z),
            dvec3(0.0, -half_width, z),
        ]
    };
    loft(&[
        section(0.075, 0.027, 0.0045),
        section(0.35, 0.0245, 0.004),
        section(0.68, 0.0205, 0.0032),
        section(0.76, 0.0135, 0.0026),
        section(0.8, 0.0004, 0.0004),
    ])
}

/// A bar across the blade that swells towards its ends.
fn guard() -> Surface {
    let section = |y: f64, half: f64| {
        let (x, z) = (half * 0.8, half);
        vec![dvec3(-x, y, 0.07 - z), dvec3(-x, y, 0.07 + z), dvec3(x, y, 0.07 + z), dvec3(x, y, 0.07 - z)]
    };
    loft(&[
        section(-0.1, 0.009),
        section(-0.088, 0.0125),
        section(0.0, 0.0095),
        section(0.088, 0.0125),
        section(0.1, 0.009),
    ])
}

/// An eight-sided handle with three rings of binding.
fn grip() -> Surface {
    let radii = [
        (-0.06, 0.0125),
        (-0.035, 0.0165),
        (-0.03, 0.0145),
        (0.0, 0.0175),
        (0.005, 0.0155),
        (0.035, 0.0165),
        (0.062, 0.0135),
    ];
    loft(&radii.map(|(z, radius)| octagon(z, radius)))
}

fn pommel() -> Surface {
    let radii = [(-0.105, 0.008), (-0.098, 0.018), (-0.082, 0.0235), (-0.066, 0.018), (-0.058, 0.009)];
    loft(&radii.map(|(z, radius)| octagon(z, radius)))
}

/// Taller than wide, so that the hand feels where the edge is.
fn octagon(z: f64, radius: f64) -> Vec<DVec3> {
    let corner = |i: i32| {
        let angle = (f64::from(i) + 0.5) * std::f64::consts::FRAC_PI_4;
        dvec3(0.85 * radius * angle.cos(), radius * angle.sin(), z)
    };
    (0..8).map(corner).collect()
}

/// A closed solid through rings of corners, which run counter-clockwise when the rings are looked at from the last one.
/// Every face has corners of its own with the face's normal: steel has edges.
fn loft(rings: &[Vec<DVec3>]) -> Surface {
    let mut surface = Surface::default();
    for pair in rings.windows(2) {
        let corners = pair[0].len();
        for i in 0..corners {
            let next = (i + 1) % corners;
            push_face(&mut surface, &[pair[0][i], pair[0][next], pair[1][next], pair[1][i]]);
        }
    }
    if let [first, .., last] = rings {
        push_face(&mut surface, &first.iter().rev().copied().collect::<Vec<_>>());
        push_face(&mut surface, last);
    }
    surface
}

/// A flat, convex face as a fan of triangles.
fn push_face(surface: &mut Surface, corners: &[DVec3]) {
    let first = surface.positions.len() as u32;
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).try_normalize().unwrap_or(DVec3::Z);
    surface.positions.extend(corners);
    surface.normals.resize(surface.positions.len(), normal);
    surface.triangles.extend((1..corners.len() as u32 - 1).map(|i| [first, first + i, first + i + 1]));
}
