//! Lost devices, exhausted memory, and input that does not fit: errors, not surprises.

use nebula_animation::gpu::{Gpu, GpuError, GpuMesh, GpuPalettes, PaletteOptions, SkinInstance, Skinner};
use nebula_animation::palette::PaletteRows;
use nebula_animation::shader::PalettePath;
use nebula_animation::skinning::{Blending, Geometry, GeometryError, MorphDeltas};

use crate::adapter::{Kind, gpu};
use crate::picture::Scene;

#[test]
fn a_destroyed_device_is_an_error_and_a_new_one_shows_the_same_frame() {
    let Some(first) = gpu("a lost device", Kind::Vulkan) else { return };
    let mut scene = Scene::new(&first);
    let before = scene.frame(&first).expect("a frame");

    first.device().destroy();
    let is_lost = |error: GpuError| assert!(matches!(error, GpuError::DeviceLost { .. }), "{error:?}");
    is_lost(scene.palettes.upload(&first, &[PaletteRows::IDENTITY; 4][..]).expect_err("the device is gone"));
    is_lost(scene.frame(&first).expect_err("the device is gone"));
    is_lost(GpuPalettes::new(&first, &PaletteOptions::default()).map(|_| ()).expect_err("the device is gone"));
    is_lost(GpuMesh::new(&first, &Geometry::default(), 0, Blending::Linear).map(|_| ()).expect_err("gone"));

    let second = gpu("a lost device", Kind::Vulkan).expect("another device");
    let after = Scene::new(&second).frame(&second).expect("a frame");
    assert!(before == after, "the same frame on the new device");
}

/// A process of its own with little address space takes buffers until there are none.
#[cfg(target_os = "linux")]
#[test]
fn exhausted_memory_is_an_error() {
    const CHILD: &str = "NEBULA_TEST_LITTLE_MEMORY";
    if std::env::var_os(CHILD).is_none() {
        if gpu("exhausted memory", Kind::Vulkan).is_none() {
            return;
        }
        let program = std::env::current_exe().expect("this program");
        let output = std::process::Command::new("sh")
            .args(["-c", "ulimit -v 4194304; exec \"$0\" \"$@\""])
            .arg(program)
            .args(["--exact", "faults::exhausted_memory_is_an_error", "--nocapture"])
            .env(CHILD, "1")
            .output()
            .expect("a child");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("memory ran out"), "{text}");
        return;
    }
    let gpu = gpu("exhausted memory", Kind::Vulkan).expect("a device");
    let options = PaletteOptions { joint_capacity: 2_700_000, ..PaletteOptions::default() };
    let mut held = Vec::new();
    let refused = (0..64).find_map(|_| match GpuPalettes::new(&gpu, &options) {
        Ok(palettes) => {
            held.push(palettes);
            None
        }
        Err(error) => Some(error),
    });
    assert_eq!(refused, Some(GpuError::OutOfMemory), "after {} buffers", held.len());
    // What there is goes on working.
    drop(held);
    gpu.wait().expect("frees the memory");
    let mut palettes = GpuPalettes::new(&gpu, &PaletteOptions::default()).expect("there is room again");
    palettes.upload(&gpu, &[PaletteRows::IDENTITY; 4][..]).expect("an upload");
    println!("memory ran out");
}

fn skinned_geometry() -> Geometry<'static> {
    Geometry {
        positions: &[[0.0; 3], [1.0; 3]],
        joints: &[[0; 4], [5, 0, 0, 0]],
        weights: &[[1.0, 0.0, 0.0, 0.0]; 2],
        ..Geometry::default()
    }
}

#[test]
fn faults_of_meshes_are_refused_when_they_are_loaded() {
    let Some(gpu) = gpu("faults of meshes", Kind::Vulkan) else { return };
    let load = |geometry: &Geometry, joints| GpuMesh::new(&gpu, geometry, joints, Blending::Linear).map(|_| ());
    assert_eq!(load(&skinned_geometry(), 6), Ok(()));
    let outside = GeometryError::Joint { vertex: 1, joint: 5, joint_count: 5 };
    assert_eq!(load(&skinned_geometry(), 5), Err(GpuError::Geometry(outside)));
    let bad = Geometry { weights: &[[f32::NAN; 4]; 2], ..skinned_geometry() };
    assert_eq!(load(&bad, 6), Err(GpuError::Geometry(GeometryError::Weight { vertex: 0 })));
    assert_eq!(load(&Geometry::default(), 0), Ok(()), "nothing is no fault");
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let Some(gpu) = gpu("misfits", Kind::Vulkan) else { return };
    let uniform = PaletteOptions { path: Some(PalettePath::Uniform), ..PaletteOptions::default() };
    let mut palettes = GpuPalettes::new(&gpu, &PaletteOptions::default()).expect("palettes");
    let mut others = GpuPalettes::new(&gpu, &uniform).expect("palettes");
    let mesh = GpuMesh::new(&gpu, &skinned_geometry(), 6, Blending::Linear).expect("a mesh");
    let skinner = Skinner::new(&gpu, &palettes).expect("a skinner");
    let mut target = skinner.target(&gpu, &mesh, 2).expect("a target");
    let skin = |gpu: &Gpu, palettes: &GpuPalettes, mesh: &GpuMesh, target: &mut _, instances: &[SkinInstance]| {
        let mut encoder = gpu.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let result = skinner.skin(gpu, &mut encoder, palettes, mesh, target, instances);
        gpu.queue().submit([encoder.finish()]);
        result
    };
    let instance = SkinInstance::default();
    let early = skin(&gpu, &palettes, &mesh, &mut target, &[instance]);
    assert_eq!(early, Err(GpuError::NotUploaded { start: 0, end: 6, uploaded: 0 }));
    let rows = [PaletteRows::IDENTITY; 7];
    palettes.upload(&gpu, &rows[..]).expect("an upload");
    others.upload(&gpu, &rows[..]).expect("an upload");
    assert_eq!(skin(&gpu, &palettes, &mesh, &mut target, &[instance; 2]), Ok(()));
    assert!(matches!(
        skin(&gpu, &palettes, &mesh, &mut target, &[instance; 3]),
        Err(GpuError::Limit { needed: 3, .. })
    ));
    assert!(matches!(skin(&gpu, &others, &mesh, &mut target, &[instance]), Err(GpuError::Mismatch(_))));
    let late = SkinInstance { start_joint: 2, ..instance };
    let refused = skin(&gpu, &palettes, &mesh, &mut target, &[late]);
    assert_eq!(refused, Err(GpuError::NotUploaded { start: 2, end: 8, uploaded: 7 }));
    assert!(palettes.place(usize::MAX, 2).is_err());
    let small = Geometry { positions: &[[0.0; 3]], ..Geometry::default() };
    let small = GpuMesh::new(&gpu, &small, 0, Blending::Linear).expect("a mesh");
    assert!(matches!(skin(&gpu, &palettes, &small, &mut target, &[instance]), Err(GpuError::Mismatch(_))));
    assert_eq!(palettes.upload(&gpu, &[][..] as &[PaletteRows]).expect("nothing is no fault").writes, 0);
}

#[test]
fn morph_weights_fit_their_targets() {
    let Some(gpu) = gpu("morph weights", Kind::Vulkan) else { return };
    let deltas = [[0.0, 1.0, 0.0]; 2];
    let target = MorphDeltas { positions: &deltas, ..MorphDeltas::default() };
    let geometry = Geometry { morph_targets: vec![target; 3], ..skinned_geometry() };
    let mut mesh = GpuMesh::new(&gpu, &geometry, 6, Blending::Linear).expect("a mesh");
    assert_eq!(mesh.morphs.upload_weights(&gpu, &[0.0; 3]), Ok(()));
    assert_eq!(mesh.morphs.upload_weights(&gpu, &[0.0; 3000]), Ok(()), "a thousand instances");
    for bad in [0, 1, 4] {
        let refused = mesh.morphs.upload_weights(&gpu, &vec![0.0; bad]);
        assert_eq!(refused, Err(GpuError::MorphWeights { found: bad, targets: 3 }));
    }
    let many = vec![0.0; 8193 * 256 / 3 * 3];
    assert!(matches!(mesh.morphs.upload_weights(&gpu, &many), Err(GpuError::Limit { .. })));
}

#[test]
fn a_device_without_compute_says_so() {
    let Some(gpu) = gpu("no compute", Kind::WebGl2) else { return };
    let palettes = GpuPalettes::new(&gpu, &PaletteOptions::default()).expect("palettes");
    assert_eq!(palettes.path(), PalettePath::Texture, "the best path of this device");
    let refused = Skinner::new(&gpu, &palettes).map(|_| ()).expect_err("no compute");
    assert!(refused.to_string().contains("max_compute_workgroups_per_dimension"), "{refused}");
}
