//! Every skinned or morphed mesh of every file, at five times of each clip, read back from the GPU and compared with the f64
//! reference: vertex stage and compute pass, all palette paths, both formats, four and eight influences, both ways of blending.

use std::sync::OnceLock;

use nebula_animation::Asset;
use nebula_animation::gpu::{Gpu, GpuPalettes, Model, PaletteOptions, SkinInstance, Skinner};
use nebula_animation::shader::{PaletteFormat, PalettePath};
use nebula_animation::skinning::Blending;

use crate::adapter::{Kind, gpu};
use crate::reference::{Blend, Vertex};
use crate::skinning::judge::Tally;
use crate::skinning::subjects::{Moment, Subject, spread, subjects};
use crate::stage::{VertexStage, computed};

/// A file, and what it should look like at all moments.
struct Prepared {
    subject: Subject,
    moments: Vec<Moment>,
    /// By way of blending, mesh, primitive and moment.
    expected: Vec<Vec<Vec<Vec<Vec<Vertex>>>>>,
}

/// Worked out once for all tests.
fn prepared() -> &'static [Prepared] {
    static PREPARED: OnceLock<Vec<Prepared>> = OnceLock::new();
    PREPARED.get_or_init(|| subjects("files on the GPU").into_iter().map(Prepared::new).collect())
}

const BLENDS: [(Blending, Blend); 2] =
    [(Blending::Linear, Blend::Linear), (Blending::DualQuaternion, Blend::DualQuaternion)];

impl Prepared {
    fn new(subject: Subject) -> Self {
        let moments = subject.moments();
        let blends = BLENDS.iter().map(|(_, blend)| {
            let meshes = subject.asset.meshes.iter().map(|mesh| {
                let mut primitives = vec![Vec::new(); mesh.primitives.len()];
                if !mesh.is_geometry_missing {
                    for moment in &moments {
                        let skinned = subject.reference.skinned(mesh.node, &moment.expected, *blend);
                        primitives.iter_mut().zip(skinned).for_each(|(all, one)| all.push(one));
                    }
                }
                primitives
            });
            meshes.collect()
        });
        let expected = blends.collect();
        Self { subject, moments, expected }
    }
}

fn eight(asset: &Asset) -> Asset {
    let mut asset = asset.clone();
    for mesh in &mut asset.meshes {
        mesh.primitives = mesh.primitives.iter().map(spread).collect();
    }
    asset
}

/// Made for the first file, used for all.
#[derive(Default)]
struct Pipelines {
    stage: Option<VertexStage>,
    skinner: Option<Skinner>,
}

/// All moments of a file as one crowd: one upload, an instance for each.
fn check(gpu: &Gpu, prepared: &Prepared, options: &PaletteOptions, pipelines: &mut Pipelines) -> Tally {
    let Prepared { subject, moments, expected } = prepared;
    let joints = subject.asset.skeleton.joints.len();
    let all: Vec<glam::Mat4> = moments.iter().flat_map(|moment| moment.palette.iter().copied()).collect();
    let mut palettes = GpuPalettes::new(gpu, options).expect("palettes");
    palettes.upload(gpu, &all).expect("an upload");
    if gpu.limits().max_compute_workgroups_per_dimension > 0 {
        pipelines.skinner.get_or_insert_with(|| Skinner::new(gpu, &palettes).expect("a skinner"));
    }
    let mut tally = Tally::default();
    for asset in [subject.asset.clone(), eight(&subject.asset)] {
        let mut model = Model::new(gpu, &asset).expect("a model");
        for mesh in 0..asset.meshes.len() {
            let weights: Vec<f32> = moments.iter().flat_map(|moment| moment.weights[mesh].iter().copied()).collect();
            model.set_morph_weights(gpu, mesh, &weights).expect("weights");
        }
        let mut primitive = 0;
        for index in 0..model.parts.len() {
            let mesh = model.part_meshes[index];
            primitive = if index > 0 && model.part_meshes[index - 1] == mesh { primitive + 1 } else { 0 };
            let part = &mut model.parts[index].mesh;
            let targets = part.morphs.target_count();
            let instances: Vec<SkinInstance> = (0..moments.len())
                .map(|moment| SkinInstance { start_joint: moment * joints, first_weight: (moment * targets) as u32 })
                .collect();
            for (blend, (blending, _)) in BLENDS.into_iter().enumerate() {
                part.blending = blending;
                let stage = pipelines.stage.get_or_insert_with(|| VertexStage::new(gpu, &palettes, part));
                let drawn = stage.skinned(gpu, &palettes, part, &instances, false).expect("drawn");
                let skinner = pipelines.skinner.as_ref();
                let computed = skinner.map(|skinner| computed(gpu, skinner, &palettes, part, &instances));
                let count = part.vertex_count() as usize;
                for (moment, expected) in expected[blend][mesh][primitive].iter().enumerate() {
                    let what = format!(
                        "{}, mesh {mesh}, {blending:?}, {} influences, {options:?}, {:?} at {} s",
                        subject.name,
                        part.influence_count(),
                        moments[moment].animation,
                        moments[moment].time
                    );
                    let range = moment * count..(moment + 1) * count;
                    let normals = |normals: &[glam::Vec3]| {
                        let has_normals = expected.iter().any(|vertex| vertex.normal.is_some());
                        if has_normals { normals[range.clone()].to_vec() } else { Vec::new() }
                    };
                    tally.compare(&what, expected, &drawn.positions[range.clone()], &normals(&drawn.normals), &[]);
                    if let Some(computed) = &computed {
                        let computed = computed.as_ref().expect("computed");
                        let what = format!("compute: {what}");
                        let (positions, tangents) =
                            (&computed.positions[range.clone()], &computed.tangents[range.clone()]);
                        tally.compare(&what, expected, positions, &normals(&computed.normals), tangents);
                    }
                }
            }
        }
    }
    tally
}

fn check_all(test: &str, kind: Kind, path: PalettePath, format: PaletteFormat, files: &[Prepared]) {
    let Some(gpu) = gpu(test, kind) else { return };
    let options = PaletteOptions { path: Some(path), format, ..PaletteOptions::default() };
    let mut total = Tally::default();
    let mut pipelines = Pipelines::default();
    for prepared in files {
        let tally = check(&gpu, prepared, &options, &mut pipelines);
        total.vertices += tally.vertices;
        total.normals += tally.normals;
        total.tangents += tally.tangents;
        total.torn += tally.torn;
        total.worst_position = total.worst_position.max(tally.worst_position);
        total.worst_normal = total.worst_normal.max(tally.worst_normal);
    }
    println!("{test}: {total:?}");
    assert!(total.vertices > 10_000 && total.normals > 5_000, "{total:?}");
    assert!(total.torn * 50 < total.vertices, "few vertices have no answer: {total:?}");
}

#[test]
fn files_through_a_storage_buffer() {
    check_all("files, storage", Kind::Vulkan, PalettePath::Storage, PaletteFormat::Rows, prepared());
}

#[test]
fn files_through_a_uniform_buffer() {
    check_all("files, uniform", Kind::Vulkan, PalettePath::Uniform, PaletteFormat::Rows, prepared());
}

#[test]
fn files_through_a_texture() {
    check_all("files, texture", Kind::Vulkan, PalettePath::Texture, PaletteFormat::Rows, prepared());
}

#[test]
fn files_through_a_texture_with_the_limits_of_webgl2() {
    check_all("files, WebGL2 texture", Kind::WebGl2, PalettePath::Texture, PaletteFormat::Rows, prepared());
}

/// The robot, the sword and the difficult ones in the other format, and through WebGL2's small uniform buffers.
#[test]
fn own_files_in_other_ways() {
    let files = &prepared()[1..6];
    let matrices = |kind, path| check_all("own files, matrices", kind, path, PaletteFormat::Matrices, files);
    matrices(Kind::Vulkan, PalettePath::Storage);
    matrices(Kind::Vulkan, PalettePath::Uniform);
    matrices(Kind::Vulkan, PalettePath::Texture);
    matrices(Kind::WebGl2, PalettePath::Texture);
    check_all("own files, WebGL2 uniform", Kind::WebGl2, PalettePath::Uniform, PaletteFormat::Rows, files);
}
