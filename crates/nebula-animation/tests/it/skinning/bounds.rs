//! Bounds against the vertices themselves.

use std::f32::consts::PI;

use glam::{Mat4, Quat, Vec3};
use nebula_animation::skinning::{Blending, Bounds, Geometry, PoseBounds, SkinnedVertices};

use super::each_mesh;
use super::subjects::subjects;

/// The volume, where a box that is flat counts as a hundredth of its size thick: nothing can be within twice of nothing.
fn volume(bounds: &Bounds, size: f32) -> f32 {
    bounds.size().max(Vec3::splat(size * 0.01)).to_array().into_iter().product()
}

#[test]
fn bounds_hold_every_vertex_and_are_at_most_twice_the_tight_ones() {
    let subjects = subjects("bounds");
    for blending in [Blending::Linear, Blending::DualQuaternion] {
        let (mut worst, mut count) = ((String::new(), 0.0_f32), 0);
        let mut skinned = SkinnedVertices::default();
        each_mesh(&subjects, |what, subject, moment, index| {
            let mesh = &subject.asset.meshes[index];
            // What a joint carries as a whole is not in model space.
            for primitive in mesh.primitives.iter().filter(|_| mesh.joint.is_none()) {
                let geometry = primitive.geometry();
                let weights = &moment.weights[index];
                let mut fitting = PoseBounds::new(&geometry, blending);
                let bounds = fitting.of(&moment.palette, weights).expect("bounds");
                fitting.refit(&geometry, weights);
                let close = fitting.of(&moment.palette, weights).expect("bounds");
                skinned.skin(&geometry, weights, &moment.palette, blending);
                for &position in &skinned.positions {
                    for bounds in [bounds, close] {
                        assert!(bounds.contains(position), "{what}, {blending:?}: {position} is outside of {bounds:?}");
                    }
                }
                // Morph targets are added one by one unless the bounds were fitted to them.
                let bounds = if weights.iter().all(|&weight| weight == 0.0) { bounds } else { close };
                let tight = Bounds::around(skinned.positions.iter().copied()).expect("vertices");
                let size = tight.size().max_element();
                let ratio = volume(&bounds, size) / volume(&tight, size);
                // Vertices at random places of random joints are no surface that bounds could follow closely.
                if ratio > worst.1 && !subject.is_made_up {
                    worst = (what.to_owned(), ratio);
                }
                count += 1;
            }
        });
        println!("{blending:?}: {count} boxes, the widest {} times the tight one, {}", worst.1, worst.0);
        assert!(worst.1 <= 2.0, "{blending:?}: {} times the tight box, {}", worst.1, worst.0);
        assert!(count > 50, "{count} boxes");
    }
}

#[test]
fn what_is_not_known_has_no_bounds() {
    let positions = [[0.0; 3], [1.0; 3]];
    let joints = [[0; 4], [1, 0, 0, 0]];
    let weights = [[1.0, 0.0, 0.0, 0.0]; 2];
    let geometry = Geometry { positions: &positions, joints: &joints, weights: &weights, ..Geometry::default() };
    for blending in [Blending::Linear, Blending::DualQuaternion] {
        let bounds = PoseBounds::new(&geometry, blending);
        assert!(bounds.of(&[Mat4::IDENTITY; 2][..], &[]).is_some());
        assert_eq!(bounds.of(&[Mat4::IDENTITY][..], &[]), None, "joint 1 is missing");
        assert_eq!(bounds.of(&[Mat4::IDENTITY, Mat4::IDENTITY * f32::NAN][..], &[]), None);
        assert_eq!(bounds.of(&[Mat4::IDENTITY, Mat4::IDENTITY * f32::INFINITY][..], &[]), None);
        assert_eq!(PoseBounds::new(&Geometry::default(), blending).of(&[Mat4::IDENTITY][..], &[]), None);
    }
}

/// A ball turned in any way stays within twice its tight box: the outline is not a box.
#[test]
fn a_turned_ball_stays_close() {
    let mut positions = Vec::new();
    for ring in 0..=16 {
        for step in 0..32 {
            let (latitude, longitude) = (ring as f32 / 16.0 * PI, step as f32 / 16.0 * PI);
            positions.push([latitude.sin() * longitude.cos(), latitude.cos(), latitude.sin() * longitude.sin()]);
        }
    }
    let (joints, weights) = (vec![[0; 4]; positions.len()], vec![[1.0, 0.0, 0.0, 0.0]; positions.len()]);
    let geometry = Geometry { positions: &positions, joints: &joints, weights: &weights, ..Geometry::default() };
    let bounds = PoseBounds::new(&geometry, Blending::Linear);
    for step in 0..50 {
        let turn = Quat::from_euler(glam::EulerRot::XYZ, step as f32 * 0.37, step as f32 * 0.91, step as f32 * 1.7);
        let moved = bounds.of(&[Mat4::from_quat(turn)][..], &[]).expect("bounds");
        let volume: f32 = moved.size().to_array().into_iter().product();
        assert!((8.0..8.0 * 1.45).contains(&volume), "{volume} of 8");
    }
}
