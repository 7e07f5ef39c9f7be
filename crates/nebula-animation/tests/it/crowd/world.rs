//! Who is drawn, straight in the world: the same matrices as those of a palette, to where a renderer wants them.

use std::process::Command;

use glam::{Affine3A, DMat4, EulerRot, Mat4, Quat, Vec3};
use nebula_animation::crowd::{CrowdCharacterId, DrawnCharacter};
use nebula_animation::palette::{Evaluator, NOT_DRAWN, SkinLayout};

use super::Stage;

/// What stands where nobody has written.
const EMPTY: Mat4 = Mat4::from_cols_array(&[7.0; 16]);

/// A place that is not straight, another one for each number.
fn somewhere(number: usize) -> Affine3A {
    let turn = Quat::from_euler(EulerRot::YXZ, number as f32, 0.3, -0.2);
    Affine3A::from_scale_rotation_translation(Vec3::splat(1.5), turn, Vec3::new(number as f32, -2.0, 3.0))
}

/// The characters of each rig, by their handles.
fn by_rig(stage: &Stage) -> Vec<(usize, Vec<CrowdCharacterId>)> {
    let all = (0..stage.crowd.characters().len()).filter_map(|index| stage.crowd.id_at(index));
    let mut rigs: Vec<(usize, Vec<_>)> = (0..stage.libraries.len()).map(|rig| (rig, Vec::new())).collect();
    all.for_each(|id| rigs[stage.rigs[&id]].1.push(id));
    rigs
}

/// All characters with one skin each, backwards and with gaps between them.
fn draw(stage: &Stage, place: impl Fn(usize) -> Affine3A, mut check: impl FnMut(CrowdCharacterId, &Affine3A, &[Mat4])) {
    for (rig, ids) in by_rig(stage) {
        let joints = stage.libraries[rig].rig().joint_count();
        let layout = SkinLayout::new([(0..joints as u16).map(Some)]);
        let drawn: Vec<_> = ids
            .iter()
            .enumerate()
            .map(|(number, &character)| DrawnCharacter { character, world_from_model: place(number) })
            .collect();
        let stride = joints + 3;
        let starts: Vec<_> = (0..ids.len()).rev().map(|number| (number * stride + 1) as u32).collect();
        let mut matrices = vec![EMPTY; ids.len() * stride + 1];
        stage.crowd.write_in_world(&layout, &drawn, &starts, &mut matrices);
        for (drawn, start) in drawn.iter().zip(starts) {
            let start = start as usize;
            check(drawn.character, &drawn.world_from_model, &matrices[start..start + joints]);
            assert_eq!(matrices[start + joints], EMPTY, "what belongs to nobody is left alone");
        }
    }
}

#[test]
fn who_stands_at_the_origin_has_the_bits_of_its_palette() {
    for (count, seed) in [(1, 2), (9, 3), (300, 6)] {
        let stage = Stage::new(count, seed);
        let mut evaluator = Evaluator::new();
        draw(
            &stage,
            |_| Affine3A::IDENTITY,
            |id, _, found| {
                let bits = |matrix: &Mat4| matrix.to_cols_array().map(f32::to_bits);
                let expected: Vec<_> = stage.alone(id, &mut evaluator).iter().map(|rows| rows.to_matrix()).collect();
                assert!(found.iter().map(bits).eq(expected.iter().map(bits)), "{count} characters");
            },
        );
    }
}

#[test]
fn who_stands_elsewhere_is_there() {
    let stage = Stage::new(300, 8);
    let mut evaluator = Evaluator::new();
    draw(&stage, somewhere, |id, place, found| {
        let world = Mat4::from(*place).as_dmat4();
        for (found, rows) in found.iter().zip(stage.alone(id, &mut evaluator)) {
            let expected: DMat4 = world * rows.to_matrix().as_dmat4();
            let size = expected.to_cols_array().iter().fold(1.0_f64, |size, number| size.max(number.abs()));
            assert!(found.as_dmat4().abs_diff_eq(expected, 2e-5 * size), "{found} is not {expected}");
        }
    });
}

#[test]
fn skins_get_what_they_want_and_nothing_else() {
    let mut stage = Stage::new(40, 9);
    let (rig, ids) = by_rig(&stage).into_iter().max_by_key(|(_, ids)| ids.len()).expect("there are rigs");
    let (gone, stays) = (ids[0], ids[1]);
    stage.crowd.remove(gone);
    let palette = stage.alone(stays, &mut Evaluator::new());
    let (first, second) = (palette[2].to_matrix(), palette[5].to_matrix());
    let beyond = Some(stage.libraries[rig].rig().joint_count() as u16);
    let layout = SkinLayout::new([vec![Some(5), None, Some(2)], vec![Some(2), beyond], vec![Some(5)]]);
    let drawn = [gone, stays].map(|character| DrawnCharacter { character, world_from_model: Affine3A::IDENTITY });
    let mut expected = [EMPTY; 12];
    (expected[1], expected[3], expected[8]) = (second, first, first);
    let write = |starts: &[u32], room: usize| {
        let mut matrices = [EMPTY; 12];
        stage.crowd.write_in_world(&layout, &drawn, starts, &mut matrices[..room]);
        matrices
    };
    assert_eq!(write(&[0, 4, 9, 1, 8, NOT_DRAWN], 12), expected);
    // A buffer that is too short, and characters without a beginning.
    expected[8] = EMPTY;
    assert_eq!(write(&[0, 4, 9, 1, 8, 200], 8), expected);
    assert_eq!(write(&[0, 4, 9, 1, 8], 12), [EMPTY; 12]);
    // The same from a palette.
    let mut matrices = [EMPTY; 12];
    layout.write_in_world(&Affine3A::IDENTITY, &palette, &[1, 8, NOT_DRAWN], &mut matrices);
    expected[8] = first;
    assert_eq!(matrices, expected);
    layout.write_in_world(&Affine3A::IDENTITY, &palette[..1], &[1, 8, 9], &mut matrices);
    layout.write_in_world(&Affine3A::IDENTITY, &palette, &[], &mut matrices);
    assert_eq!(matrices, expected);
}

/// Says what the matrices come to, for other processes.
#[test]
fn bits_in_the_world() {
    let stage = Stage::new(300, 10);
    let mut sum = 0_u64;
    draw(&stage, somewhere, |_, _, found| {
        for number in found.iter().flat_map(Mat4::to_cols_array) {
            sum = sum.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(number.to_bits());
        }
    });
    println!("bits in the world: {sum:016x}");
}

#[test]
fn every_instruction_set_has_the_same_bits_in_the_world() {
    let program = std::env::current_exe().expect("this program has a path");
    let said = ["scalar", "sse2", "avx2", "avx512"].map(|isa| {
        let mut command = Command::new(&program);
        let command = command.args(["--exact", "crowd::world::bits_in_the_world", "--nocapture"]);
        let output = command.env("NEBULA_SIMD", isa).output().expect("the test starts");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let bits = said.split("bits in the world: ").nth(1).map(|rest| rest.chars().take(16).collect::<String>());
        bits.unwrap_or_else(|| panic!("with {isa}: {said}"))
    });
    assert!(said.iter().all(|bits| *bits == said[0]), "{said:?}");
}
