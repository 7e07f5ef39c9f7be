//! Files to be skinned: the repository's characters, one with every difficulty, and the conformance corpus.

use std::io::Write;
use std::path::{Path, PathBuf};

use glam::Mat4;
use nebula_animation::asset::{MeshSelection, Primitive};
use nebula_animation::{
    Asset,
    asset::LoadOptions,
    palette::{PaletteRows, model_matrices, skinning_matrices},
};
use serde_json::json;

use crate::reference::{self, Reference};
use crate::support::{Array, F32, Gltf, U8, noise, rigs, spin};

/// A file, as the library loads it and as the reference reads it.
pub struct Subject {
    pub name: String,
    pub asset: Asset,
    pub reference: Reference,
    /// Whether its vertices are random points rather than a surface.
    pub is_made_up: bool,
}

/// A subject at a time.
pub struct Moment {
    pub animation: Option<usize>,
    pub time: f32,
    pub models: Vec<Mat4>,
    pub palette: Vec<Mat4>,
    /// By mesh.
    pub weights: Vec<Vec<f32>>,
    pub expected: reference::Pose,
}

impl Moment {
    pub fn rows(&self) -> Vec<PaletteRows> {
        self.palette.iter().map(PaletteRows::from_matrix).collect()
    }
}

impl Subject {
    fn open(path: &Path) -> Self {
        let bytes = std::fs::read(path).expect("a readable file");
        let folder = path.parent().expect("a folder");
        let read = |name: &str| std::fs::read(folder.join(name));
        let options = LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() };
        let asset = Asset::from_bytes("subject", &bytes, &options, &mut |name| read(name))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let reference = Reference::open(&bytes, &|name| read(name).expect("an external file"));
        Self {
            name: path.file_name().expect("a name").to_string_lossy().into_owned(),
            asset,
            reference,
            is_made_up: false,
        }
    }

    fn built(name: &str, g: &Gltf) -> Self {
        let options = LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() };
        let asset = crate::support::load_with(g, &options);
        let reference = Reference::open(&g.glb(), &|name| panic!("no file {name}"));
        Self { name: name.into(), asset, reference, is_made_up: true }
    }

    /// The rest pose, and five times of each clip: both ends and three between.
    pub fn moments(&self) -> Vec<Moment> {
        let clips = self.asset.animations.iter().enumerate();
        let times = clips.flat_map(|(clip, animation)| {
            [0.0, 0.21, 0.5, 0.83, 1.0].map(|part| (Some(clip), animation.duration * part))
        });
        std::iter::once((None, 0.0)).chain(times).map(|(clip, time)| self.at(clip, time)).collect()
    }

    pub fn at(&self, animation: Option<usize>, time: f32) -> Moment {
        let asset = &self.asset;
        let mut pose = asset.skeleton.bind_pose();
        let mut weights: Vec<Vec<f32>> = asset.meshes.iter().map(|mesh| mesh.morph_weights.clone()).collect();
        if let Some(animation) = animation.map(|index| &asset.animations[index]) {
            animation.sample_pose(&asset.skeleton, time, &mut pose);
            for track in &animation.morph_tracks {
                track.sample(time, &mut weights[track.mesh]);
            }
        }
        let mut models = vec![Mat4::IDENTITY; pose.len()];
        model_matrices(&asset.skeleton, &pose, &mut models);
        let mut palette = models.clone();
        skinning_matrices(&asset.skeleton, &mut palette);
        let expected = self.reference.pose(animation, f64::from(time));
        Moment { animation, time, models, palette, weights, expected }
    }
}

/// Every subject there is. Says so where the corpus is missing.
pub fn subjects(test: &str) -> Vec<Subject> {
    let mut subjects = own();
    subjects.extend(corpus(test).iter().map(|path| Subject::open(path)));
    subjects
}

/// What needs no corpus.
pub fn own() -> Vec<Subject> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets");
    let mut subjects: Vec<Subject> = ["simple_humanoid.glb", "robot.glb", "sword.glb"]
        .map(|name| Subject::open(&folder.join(name)))
        .into_iter()
        .collect();
    subjects.push(Subject::built("four difficult influences", &difficult(4, false)));
    subjects.push(Subject::built("eight difficult influences", &difficult(8, false)));
    subjects.push(Subject::built("mirrored", &difficult(8, true)));
    subjects
}

/// Every file of the conformance corpus.
fn corpus(test: &str) -> Vec<PathBuf> {
    let folder = match std::env::var_os("NEBULA_CORPORA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    }
    .join("conformance");
    if !folder.join("SCHEMA.md").is_file() {
        let is_required = std::env::var_os("NEBULA_REQUIRE_CORPORA").is_some_and(|value| value == "1");
        assert!(!is_required, "{test}: no corpus in {}, and NEBULA_REQUIRE_CORPORA=1", folder.display());
        // Straight to the terminal: what `eprintln!` writes in a passing test is never seen.
        let _ = writeln!(std::io::stderr(), "SKIPPED part of {test}: no corpora (set NEBULA_CORPORA to their folder)");
        return Vec::new();
    }
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder.join("expected"))
        .expect("expected poses")
        .map(|entry| {
            let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a readable file");
            let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            folder.join(document["asset"]["publicFile"].as_str().expect("an asset"))
        })
        .collect();
    files.sort();
    assert!(files.len() >= 75, "{} files, the corpus has 75", files.len());
    files
}

/// A chain with scales that differ by axis, morph targets, normals and tangents; mirrored as a whole where asked for.
fn difficult(influences: usize, is_mirrored: bool) -> Gltf {
    const JOINTS: usize = 10;
    const VERTICES: usize = 60;
    let mut g = rigs::bare_chain(JOINTS, 0.4);
    if is_mirrored {
        g.set("/nodes/0/scale", json!([-1.0, 1.0, 1.0]));
    }
    g.set("/nodes/3/scale", json!([1.3, 0.6, 0.9]));
    g.set("/nodes/6/scale", json!([0.5, 1.2, 2.0]));
    let mut random = noise(influences as u64);
    let mut vectors = |count: usize, scale: f64| (0..count).map(|_| random() * scale).collect::<Vec<f64>>();
    let unit = |vectors: Vec<f64>| {
        let each = vectors.chunks(3).flat_map(|v| {
            let length = v.iter().map(|part| part * part).sum::<f64>().sqrt();
            [v[0] / length, v[1] / length, v[2] / length]
        });
        each.collect::<Vec<f64>>()
    };
    let positions = vectors(VERTICES * 3, 2.0);
    let normals = unit(vectors(VERTICES * 3, 1.0));
    let tangents: Vec<f64> = unit(vectors(VERTICES * 3, 1.0))
        .chunks(3)
        .enumerate()
        .flat_map(|(vertex, t)| [t[0], t[1], t[2], if vertex % 2 == 0 { 1.0 } else { -1.0 }])
        .collect();
    let mut attributes = json!({
        "POSITION": g.add(&Array::new(F32, "VEC3", positions)),
        "NORMAL": g.add(&Array::new(F32, "VEC3", normals)),
        "TANGENT": g.add(&Array::new(F32, "VEC4", tangents)),
    });
    for set in 0..influences / 4 {
        // Neighbours in the chain, as a real mesh has them.
        let joints =
            (0..VERTICES).flat_map(|vertex| (0..4).map(move |part| ((vertex + part + set * 4) % JOINTS) as f64));
        let joints: Vec<f64> = joints.collect();
        attributes[format!("JOINTS_{set}")] = g.add(&Array::new(U8, "VEC4", joints)).into();
        let weights: Vec<f64> = vectors(VERTICES * 4, 1.0).iter().map(|weight| weight.abs() + 0.01).collect();
        attributes[format!("WEIGHTS_{set}")] = g.add(&Array::new(F32, "VEC4", weights)).into();
    }
    let mut target = || {
        json!({
            "POSITION": g.add(&Array::new(F32, "VEC3", vectors(VERTICES * 3, 0.3))),
            "NORMAL": g.add(&Array::new(F32, "VEC3", vectors(VERTICES * 3, 0.3))),
            "TANGENT": g.add(&Array::new(F32, "VEC3", vectors(VERTICES * 3, 0.3))),
        })
    };
    let targets = [target(), target(), target()];
    g.push(
        "meshes",
        json!({"primitives": [{"attributes": attributes, "targets": targets}], "weights": [0.2, 0.0, -0.4]}),
    );
    let body = g.node(json!({"mesh": 0, "skin": 0}));
    for joint in [1, 4, 7] {
        g.animate(0, joint, "rotation", "LINEAR", &[0.0, 1.0, 2.0], &spin(joint % 3, &[0.0, 50.0, -30.0]));
    }
    g.animate(0, 2, "scale", "LINEAR", &[0.0, 2.0], &[1.0, 1.0, 1.0, 0.7, 1.4, 1.0]);
    g.animate(0, body, "weights", "LINEAR", &[0.0, 2.0], &[0.0, 1.0, 0.0, 1.0, 0.5, -1.0]);
    g
}

/// The same primitive with the joints of each vertex spread over eight places.
pub fn spread(primitive: &Primitive) -> Primitive {
    let mut spread = primitive.clone();
    if !primitive.joints.is_empty() && primitive.more_joints.is_empty() {
        spread.more_joints = primitive.joints.iter().map(|&[_, b, _, d]| [0, d, 0, b]).collect();
        spread.more_weights = primitive.weights.iter().map(|&[_, b, _, d]| [0.0, d, 0.0, b]).collect();
        spread.weights.iter_mut().for_each(|[_, b, _, d]| (*b, *d) = (0.0, 0.0));
    }
    spread
}
