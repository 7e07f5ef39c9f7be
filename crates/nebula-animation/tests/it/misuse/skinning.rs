//! Vertices on the CPU, and bounds.

use glam::{Mat4, Vec3, Vec4};
use nebula_animation::palette::PaletteRows;
use nebula_animation::skinning::{
    Blending, Bounds, Geometry, MorphDeltas, Palette, PoseBounds, SkinnedVertices, transform_vertex,
};

use super::Table;
use super::fixtures::{INDICES, NUMBERS, matrices, numbers, vectors};

/// Three vertices whose arrays do not fit each other, with joints that are not there and weights that are none.
fn broken() -> Vec<Geometry<'static>> {
    const POSITIONS: [[f32; 3]; 3] = [[0.0; 3], [1.0; 3], [f32::NAN; 3]];
    let good = Geometry {
        positions: &POSITIONS,
        joints: &[[0; 4]; 3],
        weights: &[[1.0, 0.0, 0.0, 0.0]; 3],
        ..Geometry::default()
    };
    let short = MorphDeltas { positions: &[[1.0; 3]], normals: &[[1.0; 3]; 9], tangents: &[] };
    vec![
        Geometry::default(),
        good.clone(),
        Geometry { joints: &[[0; 4]], ..good.clone() },
        Geometry { weights: &[], ..good.clone() },
        Geometry { joints: &[[65_535, 7, 0, 3]; 3], weights: &[[0.25; 4]; 3], ..good.clone() },
        Geometry { weights: &[[f32::NAN; 4], [f32::INFINITY, -1.0, 0.0, 0.0], [0.0; 4]], ..good.clone() },
        Geometry { more_joints: &[[9; 4]], more_weights: &[[f32::MAX; 4]; 5], ..good.clone() },
        Geometry { normals: &[[0.0; 3]], tangents: &[[f32::NAN; 4]; 7], ..good.clone() },
        Geometry { morph_targets: vec![short, short], ..good.clone() },
        Geometry { positions: &[], ..good },
    ]
}

const BOTH: [Blending; 2] = [Blending::Linear, Blending::DualQuaternion];

pub fn rows(table: &mut Table) {
    table.row("Geometry::check", || {
        for geometry in broken() {
            for count in INDICES.into_iter().chain([0, 1]) {
                let _ = geometry.check(count);
            }
        }
        let faulty = broken().iter().filter(|geometry| geometry.check(3).is_err()).count();
        assert!(faulty >= 7, "{faulty} are refused");
    });
    table.row("SkinnedVertices::skin", || {
        let mut skinned = SkinnedVertices::default();
        for geometry in broken() {
            for matrix in matrices() {
                for blending in BOTH {
                    skinned.skin(&geometry, &NUMBERS, &[matrix; 4][..], blending);
                    skinned.skin(&geometry, &[], &[] as &[Mat4], blending);
                    assert_eq!(skinned.positions.len(), geometry.positions.len());
                }
            }
        }
    });
    table.row("SkinnedVertices::carry", || {
        for geometry in broken() {
            matrices().for_each(|matrix| SkinnedVertices::default().carry(&geometry, &NUMBERS, &matrix));
        }
    });
    table.row("transform_vertex", || {
        for (matrix, vector) in matrices().zip(vectors().cycle()) {
            let rows = PaletteRows::from_matrix(&matrix);
            let _ = transform_vertex(&rows, vector, vector, Vec4::splat(vector.y));
        }
    });
    table.row("Palette::get", || {
        let palette = Palette::from(&[Mat4::IDENTITY; 2][..]);
        INDICES.into_iter().for_each(|index| assert!(palette.get(index).is_none()));
    });
    table.row("PoseBounds::new", || {
        for geometry in broken() {
            BOTH.into_iter().for_each(|blending| drop(PoseBounds::new(&geometry, blending)));
        }
    });
    table.row("PoseBounds::refit", || {
        for geometry in broken() {
            for other in broken() {
                PoseBounds::new(&geometry, Blending::Linear).refit(&other, &NUMBERS);
            }
        }
    });
    table.row("PoseBounds::of", || {
        for geometry in broken() {
            for blending in BOTH {
                let bounds = PoseBounds::new(&geometry, blending);
                for matrix in matrices() {
                    let _ = bounds.of(&[matrix; 2][..], &NUMBERS);
                }
                let _ = bounds.of(&[] as &[PaletteRows], &[]);
            }
        }
    });
    let unit = Bounds { min: Vec3::ZERO, max: Vec3::ONE };
    table.row("Bounds::around", || {
        assert_eq!(Bounds::around([]), None);
        assert_eq!(Bounds::around([Vec3::NAN, Vec3::INFINITY]), None, "nothing is there");
        assert_eq!(Bounds::around([Vec3::NAN, Vec3::X]), Some(Bounds { min: Vec3::X, max: Vec3::X }));
    });
    table.row("Bounds::union", || {
        vectors().for_each(|vector| drop(format!("{:?}", unit.union(&Bounds { min: vector, max: -vector }))));
    });
    table.row("Bounds::contains", || {
        for number in numbers().filter(|number| !number.is_finite()) {
            assert!(!unit.contains(Vec3::splat(number)), "{number}");
        }
    });
}
