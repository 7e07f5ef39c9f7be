//! Skinning on the CPU, and what the GPU tests share with it.

mod bounds;
mod by_hand;
pub mod judge;
pub mod subjects;

use nebula_animation::skinning::{Blending, SkinnedVertices};

use crate::reference::Blend;
use judge::Tally;
use subjects::{Moment, Subject, spread, subjects};

/// Every mesh of every subject at every moment.
fn each_mesh(subjects: &[Subject], mut check: impl FnMut(&str, &Subject, &Moment, usize)) {
    for subject in subjects {
        for moment in subject.moments() {
            for (index, mesh) in subject.asset.meshes.iter().enumerate() {
                if !mesh.is_geometry_missing {
                    let what = format!(
                        "{}, mesh {index}, animation {:?} at {} s",
                        subject.name, moment.animation, moment.time
                    );
                    check(&what, subject, &moment, index);
                }
            }
        }
    }
}

#[test]
fn every_mesh_is_skinned_as_the_reference_does() {
    let subjects = subjects("skinning");
    for (blending, blend) in [(Blending::Linear, Blend::Linear), (Blending::DualQuaternion, Blend::DualQuaternion)] {
        let mut tally = Tally::default();
        let mut skinned = SkinnedVertices::default();
        each_mesh(&subjects, |what, subject, moment, index| {
            let mesh = &subject.asset.meshes[index];
            let expected = subject.reference.skinned(mesh.node, &moment.expected, blend);
            for (primitive, expected) in mesh.primitives.iter().zip(&expected) {
                let mut compare = |skinned: &SkinnedVertices| {
                    tally.compare(what, expected, &skinned.positions, &skinned.normals, &skinned.tangents);
                };
                let weights = &moment.weights[index];
                match (mesh.skin, mesh.joint) {
                    (Some(_), _) => {
                        skinned.skin(&primitive.geometry(), weights, &moment.palette, blending);
                        compare(&skinned);
                        // The same through rows, and through eight joints.
                        let spread = spread(primitive);
                        skinned.skin(&spread.geometry(), weights, &moment.rows(), blending);
                        compare(&skinned);
                    }
                    (None, joint) => {
                        let carrier = joint.map_or(glam::Mat4::IDENTITY, |joint| moment.models[usize::from(joint)]);
                        skinned.carry(&primitive.geometry(), weights, &carrier);
                        compare(&skinned);
                    }
                }
            }
        });
        println!("{blending:?}: {tally:?}");
        assert!(tally.vertices > 100_000 / if subjects.len() > 10 { 1 } else { 10 }, "{tally:?}");
        assert!(tally.normals > 10_000 && tally.tangents > 500, "{tally:?}");
        assert!(tally.torn * 50 < tally.vertices, "few vertices have no answer: {tally:?}");
    }
}
