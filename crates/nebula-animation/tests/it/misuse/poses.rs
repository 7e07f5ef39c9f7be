//! From poses to matrices: evaluators, attachments, the plain functions.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};
use nebula_animation::palette::ClipAt;
use nebula_animation::{
    BoneAttachment, Rig, Skeleton,
    compile::{CompiledClip, Isa},
    palette::{Evaluator, PaletteRows, joint_model_matrix, model_matrices, skinning_matrices},
};

use super::Table;
use super::fixtures::{
    JOINTS, NAMES, chain, is_finite, matrices, numbers, poses, rotations, skeletons, slide, turn, vectors,
};

pub fn rows(table: &mut Table) {
    evaluators(table);
    plain(table);
    attachments(table);
}

/// A rig of three joints, one of five, and a clip for each: of the first rig for poses, of the second for palettes.
fn stage() -> ([Arc<Rig>; 2], [CompiledClip; 2]) {
    let rigs = [Rig::new(chain(3)), Rig::new(chain(5))];
    let clips = [CompiledClip::new(&rigs[0], &slide(1, 1.0)), CompiledClip::for_palettes(&rigs[1], &turn(4, 5, 0.3))];
    (rigs, clips)
}

/// Every rig with every clip, its own or not, at every time, into slices of every length.
fn everything(mut call: impl FnMut(&mut Evaluator, &Rig, &CompiledClip, f32, usize)) {
    let (rigs, clips) = stage();
    let mut evaluator = Evaluator::new();
    for rig in &rigs {
        for clip in &clips {
            for time in numbers() {
                for length in [0, 1, 3, 5, 40] {
                    call(&mut evaluator, rig, clip, time, length);
                }
            }
        }
    }
}

fn all_finite(rows: &[PaletteRows]) -> bool {
    rows.iter().all(|rows| rows.to_matrix().is_finite())
}

fn evaluators(table: &mut Table) {
    let at_rest = (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE);
    table.row("Evaluator::with_isa", || {
        for isa in [Isa::Scalar, Isa::Sse2, Isa::Avx2, Isa::Avx512, Isa::Neon, Isa::Simd128] {
            let mut pose = vec![at_rest; 3];
            let ([rig, _], [clip, _]) = stage();
            Evaluator::with_isa(isa).pose(&rig, &clip, 0.5, &mut pose);
            assert!(is_finite(&pose), "{isa:?}, also where the machine lacks it");
        }
    });
    table.row("Evaluator::pose", || {
        everything(|evaluator, rig, clip, time, length| {
            let mut pose = vec![at_rest; length];
            evaluator.pose(rig, clip, time, &mut pose);
            assert!(is_finite(&pose), "at {time}");
        });
    });
    table.row("Evaluator::palette_rows", || {
        everything(|evaluator, rig, clip, time, length| {
            let mut rows = vec![PaletteRows::IDENTITY; length];
            evaluator.palette_rows(rig, clip, time, &mut rows);
            assert!(all_finite(&rows), "at {time}");
        });
    });
    table.row("Evaluator::palette", || {
        everything(|evaluator, rig, clip, time, length| {
            let mut matrices = vec![Mat4::IDENTITY; length];
            evaluator.palette(rig, clip, time, &mut matrices);
            assert!(matrices.iter().all(|matrix| matrix.is_finite()), "at {time}");
        });
    });
    table.row("Evaluator::pose_and_palette", || {
        everything(|evaluator, rig, clip, time, length| {
            let (mut pose, mut matrices) = (vec![at_rest; length], vec![Mat4::IDENTITY; 40 - length]);
            evaluator.pose_and_palette(rig, clip, time, &mut pose, &mut matrices);
            assert!(is_finite(&pose) && matrices.iter().all(|matrix| matrix.is_finite()), "at {time}");
        });
    });
    table.row("Evaluator::blended_pose", || {
        let (_, [other, _]) = stage();
        everything(|evaluator, rig, clip, number, length| {
            let mut pose = vec![at_rest; length];
            let (from, to) = (ClipAt { clip, time: number }, ClipAt { clip: &other, time: 0.5 });
            evaluator.blended_pose(rig, from, to, number, &mut pose);
            assert!(is_finite(&pose), "{number}");
        });
    });
    table.row("Evaluator::blended_palette_rows", || {
        let (_, [_, other]) = stage();
        everything(|evaluator, rig, clip, number, length| {
            let mut rows = vec![PaletteRows::IDENTITY; length];
            let (from, to) = (ClipAt { clip: &other, time: 0.5 }, ClipAt { clip, time: number });
            evaluator.blended_palette_rows(rig, from, to, number, &mut rows);
            assert!(all_finite(&rows), "{number}");
        });
    });
    table.row("Evaluator::palette_rows_of_pose", || {
        for pose in poses() {
            let mut rows = vec![PaletteRows::IDENTITY; 4];
            Evaluator::new().palette_rows_of_pose(&stage().0[1], &pose, &mut rows);
        }
    });
    table.row("Evaluator::palette_of_pose", || {
        for pose in poses() {
            Evaluator::new().palette_of_pose(&stage().0[0], &pose, &mut [Mat4::IDENTITY; 2]);
        }
    });
    table.row("PaletteRows::from_matrix", || {
        for matrix in matrices() {
            let _ = PaletteRows::from_matrix(&matrix).to_matrix();
        }
    });
}

fn plain(table: &mut Table) {
    table.row("model_matrices", || {
        for skeleton in skeletons() {
            for pose in poses() {
                for length in [0, 2, 9] {
                    model_matrices(&skeleton, &pose, &mut vec![Mat4::IDENTITY; length]);
                }
            }
        }
    });
    table.row("skinning_matrices", || {
        for skeleton in skeletons() {
            for matrix in matrices() {
                skinning_matrices(&skeleton, &mut [matrix; 2]);
                skinning_matrices(&skeleton, &mut [matrix; 12]);
            }
        }
    });
    table.row("joint_model_matrix", || {
        for skeleton in skeletons() {
            for pose in poses() {
                for joint in JOINTS.into_iter().chain([0, 2]) {
                    let _ = joint_model_matrix(&skeleton, &pose, joint);
                }
            }
        }
        let pose = chain(3).bind_pose();
        JOINTS.into_iter().for_each(|joint| assert_eq!(joint_model_matrix(&chain(3), &pose, joint), Mat4::IDENTITY));
    });
}

fn attachments(table: &mut Table) {
    let hand = || BoneAttachment::new(&chain(3), "Joint 2").expect("there is one");
    table.row("BoneAttachment::new", || {
        NAMES.iter().for_each(|name| assert!(BoneAttachment::new(&chain(3), name).is_err()));
    });
    table.row("BoneAttachment::on_joint", || {
        for attachment in [BoneAttachment::named("a"), BoneAttachment::named("a").with_joint_scale()] {
            matrices().for_each(|joint| drop(format!("{}", attachment.on_joint(&joint))));
        }
    });
    table.row("BoneAttachment::named", || {
        for name in NAMES {
            let attachment = BoneAttachment::named(name);
            assert_eq!(attachment.joint(), None);
            let _ = attachment.model_matrix(&chain(3), &chain(3).bind_pose());
        }
    });
    table.row("BoneAttachment::at", || {
        for (place, turn) in vectors().zip(rotations()) {
            let _ = hand().at(place, turn).model_matrix(&chain(3), &chain(3).bind_pose());
        }
    });
    table.row("BoneAttachment::resolve", || {
        for skeleton in [chain(1), Skeleton::default()] {
            assert!(hand().resolve(&skeleton).is_err());
        }
    });
    table.row("BoneAttachment::model_matrix", || {
        for skeleton in skeletons() {
            for pose in poses() {
                let _ = hand().model_matrix(&skeleton, &pose);
            }
        }
    });
    table.row("BoneAttachment::world_matrix", || {
        for world in matrices() {
            let _ = hand().world_matrix(&chain(1), &[], &world);
        }
    });
}
