//! Any number of joints: right, or refused by name.

use glam::{Mat4, Quat, Vec3};
use nebula_animation::gpu::{Gpu, GpuError, GpuMesh, GpuPalettes, PaletteOptions, SkinInstance, Skinner};
use nebula_animation::palette::PaletteRows;
use nebula_animation::shader::{PaletteFormat, PalettePath};
use nebula_animation::skinning::{Blending, Geometry};

use crate::adapter::{Kind, gpu};
use crate::stage::{VertexStage, computed};

/// A matrix that no other joint has: scaled unevenly, every third one mirrored.
fn matrix(joint: usize) -> Mat4 {
    let number = joint as f32;
    let mirror = if joint % 3 == 1 { -1.0 } else { 1.0 };
    Mat4::from_scale_rotation_translation(
        Vec3::new(mirror * (1.0 + (number * 0.7).sin() * 0.5), 1.5, 0.75),
        Quat::from_rotation_y(number * 0.1),
        Vec3::new(number, number * 0.5, -number),
    )
}

/// A vertex for each joint, which moves it alone.
struct Crowd {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    joints: Vec<[u16; 4]>,
    weights: Vec<[f32; 4]>,
    palette: Vec<Mat4>,
}

impl Crowd {
    fn new(joints: usize) -> Self {
        Self {
            positions: vec![[1.0, 2.0, 3.0]; joints],
            normals: vec![[0.6, 0.0, 0.8]; joints],
            joints: (0..joints).map(|joint| [joint as u16, 0, 0, 0]).collect(),
            weights: vec![[1.0, 0.0, 0.0, 0.0]; joints],
            palette: (0..joints).map(matrix).collect(),
        }
    }

    fn geometry(&self) -> Geometry<'_> {
        Geometry {
            positions: &self.positions,
            normals: &self.normals,
            joints: &self.joints,
            weights: &self.weights,
            ..Geometry::default()
        }
    }

    fn assert_moved(&self, what: &str, positions: &[Vec3], normals: &[Vec3]) {
        assert_eq!(positions.len(), self.palette.len(), "{what}");
        for (joint, matrix) in self.palette.iter().enumerate() {
            let expected = matrix.transform_point3(Vec3::new(1.0, 2.0, 3.0));
            let off = positions[joint].distance(expected);
            assert!(off <= 1e-6 * self.palette.len().max(10) as f32 * 4.0, "{what}, joint {joint}: {off} off");
            let normal = matrix.inverse().transpose().transform_vector3(Vec3::new(0.6, 0.0, 0.8));
            let normal = normal.try_normalize().expect("a normal");
            assert!(normals[joint].distance(normal) < 1e-5, "{what}, normal of joint {joint}");
        }
    }
}

fn skinned(gpu: &Gpu, crowd: &Crowd, options: &PaletteOptions, what: &str) -> Result<(), GpuError> {
    let mut palettes = GpuPalettes::new(gpu, options)?;
    palettes.upload(gpu, &crowd.palette)?;
    let mesh = GpuMesh::new(gpu, &crowd.geometry(), crowd.palette.len(), Blending::Linear)?;
    let instances = [SkinInstance::default()];
    match Skinner::new(gpu, &palettes) {
        Ok(skinner) => {
            let back = computed(gpu, &skinner, &palettes, &mesh, &instances)?;
            crowd.assert_moved(&format!("compute, {what}"), &back.positions, &back.normals);
        }
        Err(_) => {
            let stage = VertexStage::new(gpu, &palettes, &mesh);
            let back = stage.skinned(gpu, &palettes, &mesh, &instances, false)?;
            crowd.assert_moved(what, &back.positions, &back.normals);
        }
    }
    Ok(())
}

#[test]
fn any_number_of_joints_is_right_or_refused_by_name() {
    for kind in [Kind::Vulkan, Kind::WebGl2] {
        let Some(gpu) = gpu("numbers of joints", kind) else { continue };
        for path in [PalettePath::Storage, PalettePath::Uniform, PalettePath::Texture] {
            for format in [PaletteFormat::Rows, PaletteFormat::Matrices] {
                for joints in [1, 256, 257, 341, 342, 1024, 1025, 1365, 1366, 5000] {
                    let what = format!("{kind:?}, {path}, {format:?}, {joints} joints");
                    let options = PaletteOptions { path: Some(path), format, ..PaletteOptions::default() };
                    let result = skinned(&gpu, &Crowd::new(joints), &options, &what);
                    let window = if kind == Kind::Vulkan { 64 << 10 } else { 16 << 10 };
                    let most = window / format.bytes_per_joint() as usize;
                    match (kind, path) {
                        (Kind::WebGl2, PalettePath::Storage) => {
                            assert!(matches!(result, Err(GpuError::Unavailable { .. })), "{what}: {result:?}");
                        }
                        (_, PalettePath::Uniform) if joints > most => {
                            let expected = GpuError::TooManyJoints {
                                joints,
                                limit: most,
                                path,
                                limit_name: "max_uniform_buffer_binding_size",
                            };
                            assert_eq!(result, Err(expected), "{what}");
                        }
                        _ => assert_eq!(result, Ok(()), "{what}"),
                    }
                }
            }
        }
    }
}

/// Texture widths at which a matrix would cross the end of a line, were they not multiples of 12.
#[test]
fn every_joint_count_to_300_reads_back_from_a_texture() {
    for kind in [Kind::Vulkan, Kind::WebGl2] {
        let Some(gpu) = gpu("joint counts in a texture", kind) else { continue };
        for format in [PaletteFormat::Rows, PaletteFormat::Matrices] {
            // A vertex for each joint of the largest palette; smaller ones draw fewer.
            let mut stage = None;
            for joints in 1..=300 {
                // As wide as a square would be, and the default now and then.
                let square = ((joints * 4) as f32).sqrt().ceil() as u32;
                let texture_width = (joints % 7 != 0).then_some(square);
                let options =
                    PaletteOptions { path: Some(PalettePath::Texture), format, texture_width, ..Default::default() };
                let crowd = Crowd::new(joints);
                let mut palettes = GpuPalettes::new(&gpu, &options).expect("palettes");
                palettes.upload(&gpu, &crowd.palette).expect("an upload");
                let mesh = GpuMesh::new(&gpu, &crowd.geometry(), joints, Blending::Linear).expect("a mesh");
                let stage = stage.get_or_insert_with(|| VertexStage::new(&gpu, &palettes, &mesh));
                let instances = [SkinInstance::default()];
                let back = stage.skinned(&gpu, &palettes, &mesh, &instances, false).expect("drawn");
                crowd.assert_moved(&format!("{kind:?}, {format:?}, {joints} joints"), &back.positions, &back.normals);
            }
        }
    }
}

#[test]
fn ten_thousand_characters_go_up_in_one_write() {
    let Some(gpu) = gpu("a crowd", Kind::Vulkan) else { return };
    let rows = vec![PaletteRows::IDENTITY; 10_000 * 67];
    let mut palettes = GpuPalettes::new(&gpu, &PaletteOptions::default()).expect("palettes");
    assert_eq!(palettes.path(), PalettePath::Storage, "the best path of this device");
    let first = palettes.upload(&gpu, &rows).expect("an upload");
    assert!(first.has_grown);
    let second = palettes.upload(&gpu, &rows).expect("an upload");
    assert_eq!((second.bytes, second.writes, second.has_grown), (32_160_000, 1, false));
    let place = palettes.place(9_999 * 67, 67).expect("a place");
    assert_eq!((place.first, place.offsets()), (9_999 * 67 * 3, &[][..]));
    gpu.wait().expect("the device is there");
}

#[test]
fn more_than_the_device_allows_is_refused_by_name() {
    let Some(gpu) = gpu("limits", Kind::Vulkan) else { return };
    for (path, limit_name, limit) in [
        (PalettePath::Storage, "max_storage_buffer_binding_size", (128 << 20) / 48),
        (PalettePath::Uniform, "max_buffer_size", (256 << 20) / 48),
        (PalettePath::Texture, "max_texture_dimension_2d", 8192 * 2040 / 3),
    ] {
        let joint_capacity = 20_000_000;
        let options = PaletteOptions { path: Some(path), joint_capacity, ..PaletteOptions::default() };
        let refused = GpuPalettes::new(&gpu, &options).expect_err("too many");
        assert_eq!(refused, GpuError::TooManyJoints { joints: joint_capacity, limit, path, limit_name });
    }
    // An upload that is refused leaves the last one in place.
    let options =
        PaletteOptions { path: Some(PalettePath::Texture), texture_width: Some(12), ..PaletteOptions::default() };
    let mut palettes = GpuPalettes::new(&gpu, &options).expect("palettes");
    let crowd = Crowd::new(5);
    palettes.upload(&gpu, &crowd.palette).expect("an upload");
    let refused = palettes.upload(&gpu, &vec![PaletteRows::IDENTITY; 40_000]).expect_err("too many");
    assert!(matches!(refused, GpuError::TooManyJoints { joints: 40_000, limit: 32_768, .. }), "{refused}");
    assert_eq!(palettes.joint_count(), 5);
}

/// A crowd that is larger than a uniform buffer's window is drawn through a window for each character.
#[test]
fn a_crowd_pages_through_a_uniform_buffer() {
    for kind in [Kind::Vulkan, Kind::WebGl2] {
        let Some(gpu) = gpu("pages", kind) else { continue };
        let (joints, characters) = (67, 100);
        let crowd = Crowd::new(joints * characters);
        let one = Crowd::new(joints);
        let options = PaletteOptions { path: Some(PalettePath::Uniform), ..PaletteOptions::default() };
        let mut palettes = GpuPalettes::new(&gpu, &options).expect("palettes");
        palettes.upload(&gpu, &crowd.palette).expect("an upload");
        let mesh = GpuMesh::new(&gpu, &one.geometry(), joints, Blending::Linear).expect("a mesh");
        let instances: Vec<SkinInstance> =
            (0..characters).map(|index| SkinInstance { start_joint: index * joints, first_weight: 0 }).collect();
        let stage = VertexStage::new(&gpu, &palettes, &mesh);
        let back = stage.skinned(&gpu, &palettes, &mesh, &instances, false).expect("drawn");
        crowd.assert_moved("drawn pages", &back.positions, &back.normals);
        if let Ok(skinner) = Skinner::new(&gpu, &palettes) {
            let back = computed(&gpu, &skinner, &palettes, &mesh, &instances).expect("computed");
            crowd.assert_moved("computed pages", &back.positions, &back.normals);
        }
    }
}
