//! The palettes of the frame before.

use glam::{Mat4, Vec3};
use nebula_animation::gpu::{Gpu, GpuMesh, GpuPalettes, PaletteOptions, SkinInstance, Skinner};
use nebula_animation::shader::{PaletteFormat, PalettePath};
use nebula_animation::skinning::{Blending, Geometry};

use crate::adapter::{Kind, gpu};
use crate::stage::{VertexStage, read};

fn mesh(gpu: &Gpu) -> GpuMesh {
    let geometry =
        Geometry { positions: &[[0.0; 3]], joints: &[[0; 4]], weights: &[[1.0, 0.0, 0.0, 0.0]], ..Geometry::default() };
    GpuMesh::new(gpu, &geometry, 1, Blending::Linear).expect("a mesh")
}

/// Joint `i` of frame `f` is at `(f, i, 0)`.
fn frame(frame: usize, joints: usize) -> Vec<Mat4> {
    (0..joints).map(|joint| Mat4::from_translation(Vec3::new(frame as f32, joint as f32, 0.0))).collect()
}

#[test]
fn the_frame_before_stays_also_when_the_crowd_grows() {
    for (kind, path) in [
        (Kind::Vulkan, PalettePath::Storage),
        (Kind::Vulkan, PalettePath::Uniform),
        (Kind::Vulkan, PalettePath::Texture),
        (Kind::WebGl2, PalettePath::Texture),
    ] {
        let Some(gpu) = gpu("motion", kind) else { continue };
        for format in [PaletteFormat::Rows, PaletteFormat::Matrices] {
            let options =
                PaletteOptions { path: Some(path), format, texture_width: Some(24), ..PaletteOptions::default() };
            let mut palettes = GpuPalettes::new(&gpu, &options).expect("palettes");
            let mesh = mesh(&gpu);
            let stage = VertexStage::new(&gpu, &palettes, &mesh);
            let mut before: Option<(usize, usize)> = None;
            for (number, joints) in [3, 3, 40, 41, 20, 300, 7].into_iter().enumerate() {
                palettes.upload(&gpu, &frame(number, joints)).expect("an upload");
                let instances: Vec<SkinInstance> =
                    (0..joints).map(|start_joint| SkinInstance { start_joint, first_weight: 0 }).collect();
                let now = stage.skinned(&gpu, &palettes, &mesh, &instances, false).expect("drawn");
                let then = stage.skinned(&gpu, &palettes, &mesh, &instances, true).expect("drawn");
                for joint in 0..joints {
                    let what = format!("{kind:?}, {path}, {format:?}, frame {number}, joint {joint}");
                    assert_eq!(now.positions[joint], Vec3::new(number as f32, joint as f32, 0.0), "{what}");
                    // A joint that is new has not moved.
                    let known = before.filter(|(_, known)| joint < *known).map_or(number, |(frame, _)| frame);
                    assert_eq!(then.positions[joint], Vec3::new(known as f32, joint as f32, 0.0), "{what}, before");
                }
                before = Some((number, joints));
            }
        }
    }
}

#[test]
fn skinned_vertices_of_the_frame_before_stay() {
    let Some(gpu) = gpu("motion of skinned vertices", Kind::Vulkan) else { return };
    let mut palettes = GpuPalettes::new(&gpu, &PaletteOptions::default()).expect("palettes");
    let mesh = mesh(&gpu);
    let skinner = Skinner::new(&gpu, &palettes).expect("a skinner");
    let mut target = skinner.target(&gpu, &mesh, 1).expect("a target");
    for number in 0..4 {
        palettes.upload(&gpu, &frame(number, 1)).expect("an upload");
        let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let instances = [SkinInstance::default()];
        skinner.skin(&gpu, &mut encoder, &palettes, &mesh, &mut target, &instances).expect("skinned");
        gpu.queue().submit([encoder.finish()]);
        assert_eq!(read(&gpu, target.vertices())[0], number as f32);
        assert_eq!(read(&gpu, target.previous_vertices())[0], number.saturating_sub(1) as f32);
    }
}
