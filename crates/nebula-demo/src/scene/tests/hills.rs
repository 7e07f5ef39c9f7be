//! The ground in closed form.

use glam::{Vec2, Vec3};

use crate::scene::terrain::Hills;

fn all() -> [Hills; 4] {
    [Hills::rolling(9.0), Hills::steep(6.0), Hills::valley(1.2), Hills::wide()]
}

#[test]
fn slopes_and_normals_are_those_of_the_heights() {
    for hills in all() {
        for step in 0..200 {
            let place = Vec2::new(step as f32 * 0.37 - 20.0, step as f32 * 0.91 - 40.0);
            let rise = |along: Vec2| {
                let [before, after] = [-0.01, 0.01].map(|away| f64::from(hills.height(place + along * away)));
                ((after - before) / 0.02) as f32
            };
            let expected = Vec2::new(rise(Vec2::X), rise(Vec2::Y));
            assert!(hills.slope(place).distance(expected) < 2e-3, "{place}: {} {expected}", hills.slope(place));
            let normal = hills.normal(place);
            assert!((normal.length() - 1.0).abs() < 1e-5);
            assert!(normal.dot(Vec3::new(1.0, hills.slope(place).x, 0.0)).abs() < 1e-5);
        }
    }
}

#[test]
fn hills_repeat_and_begin_at_zero() {
    for hills in all() {
        assert_eq!(hills.height(Vec2::ZERO), 0.0);
        for step in 0..50 {
            let place = Vec2::new(step as f32 * 0.61 - 9.0, step as f32 * 0.173);
            let next = place + Vec2::Y * hills.period();
            assert!((hills.height(place) - hills.height(next)).abs() < 1e-4, "{place}");
        }
    }
}

/// Feet stand on the closed form, and the eye sees triangles: they have to agree to a few millimetres near the middle.
#[test]
fn triangles_lie_on_the_hills() {
    for hills in [Hills::rolling(9.0), Hills::steep(6.0), Hills::valley(1.2)] {
        let terrain = hills.mesh(Vec2::ZERO, 6.0, 40.0);
        assert_eq!(terrain.positions.len(), terrain.normals.len());
        assert_eq!(terrain.positions.len(), terrain.colors.len());
        let mut near = 0;
        for corners in terrain.indices.as_chunks::<3>().0 {
            let [a, b, c] = corners.map(|corner| terrain.positions[corner as usize]);
            assert!((b - a).cross(c - a).y > 0.0, "counter-clockwise from above");
            let middle = (a + b + c) / 3.0;
            if middle.length() < 6.0 {
                near += 1;
                let ground = hills.height(Vec2::new(middle.x, middle.z));
                assert!((middle.y - ground).abs() < 3e-3, "{middle}: {ground}");
            }
        }
        assert!(near > 1000, "{near}");
        let edge = terrain.positions.iter().fold(0.0_f32, |edge, place| edge.max(place.x));
        assert!(edge >= 40.0, "{edge}");
    }
}
