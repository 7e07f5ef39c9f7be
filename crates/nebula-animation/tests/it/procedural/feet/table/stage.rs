//! Characters with a walk or a run each, and where the vertices of their feet are, as somebody sees it who knows nothing of the library.

use std::path::Path;
use std::sync::Arc;

use glam::{Mat4, Vec3};
use nebula_animation::asset::{LoadOptions, Mesh, MeshSelection, Primitive};
use nebula_animation::{AnimationClip, AnimationClipLibrary, Asset, Retarget, Rig};

/// A character and one of its clips.
pub struct Stage {
    pub name: String,
    pub rig: Arc<Rig>,
    pub library: AnimationClipLibrary,
    pub clip: String,
    /// For each leg, the vertices that its foot carries.
    pub soles: Arc<Vec<Vec<Vertex>>>,
}

/// A vertex, with its place in the frames of the joints that carry it, and their weights.
#[derive(Clone)]
pub struct Vertex(Vec<(usize, Vec3, f32)>);

impl Vertex {
    pub fn place(&self, matrices: &[Mat4]) -> Vec3 {
        self.0.iter().map(|(joint, place, weight)| matrices[*joint].transform_point3(*place) * *weight).sum()
    }
}

fn load(path: &Path) -> Asset {
    let options = LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() };
    Asset::load_with(path, &options).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A character with a short name, and the clips that it plays.
struct Cast {
    name: &'static str,
    asset: Asset,
    rig: Arc<Rig>,
    clips: Vec<AnimationClip>,
}

impl Cast {
    fn of(name: &'static str, path: &Path, wanted: &[&str]) -> Self {
        let asset = load(path);
        let clips = asset.clips().into_iter().filter(|clip| wanted.contains(&clip.name.as_str())).collect();
        Self { name, rig: asset.rig(), asset, clips }
    }

    /// Plays the clips of others, too.
    fn with(mut self, others: &[&Self]) -> Self {
        for other in others {
            let retarget = Retarget::new(&other.rig, &self.rig).expect("two humans");
            self.clips.extend(other.clips.iter().map(|clip| {
                let mut made = retarget.clip(clip);
                made.name = format!("{} of {}", clip.name, other.name);
                made
            }));
        }
        self
    }

    fn stages(&self) -> Vec<Stage> {
        let library = AnimationClipLibrary::new(&self.rig, &self.clips);
        let legs = self.rig.feet().map_or(&[][..], |feet| feet.legs());
        let soles: Vec<Vec<Vertex>> = legs.iter().map(|leg| carried(&self.asset, &self.rig, leg.foot)).collect();
        // Whose feet no vertex follows cannot be judged.
        if soles.is_empty() || soles.iter().any(|sole| sole.is_empty()) {
            return Vec::new();
        }
        let soles = Arc::new(soles);
        let stage = |clip: &AnimationClip| Stage {
            name: self.name.into(),
            rig: self.rig.clone(),
            library: library.clone(),
            clip: clip.name.clone(),
            soles: soles.clone(),
        };
        self.clips.iter().map(stage).collect()
    }
}

/// Our own humanoid, and whoever of the corpus has legs and walks or runs, by clips of its own or of others.
pub fn everybody(corpus: Option<&Path>) -> Vec<Stage> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let own = Cast::of("own", &own, &["walk", "run"]);
    let Some(folder) = corpus.map(|folder| folder.join("characters")) else { return own.stages() };
    let knight = Cast::of("knight", &folder.join("kaykit-knight.glb"), &["Walking_A", "Running_A"]);
    let robot = Cast::of("robot", &folder.join("robot-expressive.glb"), &["Walking", "Running"]);
    let fox = Cast::of("fox", &folder.join("m2m-fox-animations.glb"), &["Walk", "Run"]);
    let others = [("sophia", "m2m-human-sophia.glb"), ("female", "m2m-human-female.glb")];
    let others = others.map(|(name, file)| Cast::of(name, &folder.join(file), &[]).with(&[&own, &knight]));
    [own, knight, robot].iter().chain(&others).chain([&fox]).flat_map(Cast::stages).collect()
}

/// The vertices that a joint and those below it move by more than half.
fn carried(asset: &Asset, rig: &Rig, top: u16) -> Vec<Vertex> {
    let is_meant = |joint: usize| {
        let mut joint = Some(joint as u16);
        while let Some(at) = joint.filter(|at| *at != top) {
            joint = rig.joints[usize::from(at)].parent;
        }
        joint.is_some()
    };
    let mut found: Vec<Vertex> = Vec::new();
    for (mesh, part) in asset.meshes.iter().flat_map(|mesh| mesh.primitives.iter().map(move |part| (mesh, part))) {
        for index in 0..part.positions.len() {
            let vertex = vertex(rig, mesh, part, index);
            let share: f32 = vertex.0.iter().filter(|(joint, ..)| is_meant(*joint)).map(|it| it.2).sum();
            // Vertices of one place have one sole.
            if share > 0.5 && !found.iter().any(|known| known.0 == vertex.0) {
                found.push(vertex);
            }
        }
    }
    found
}

fn vertex(rig: &Rig, mesh: &Mesh, part: &Primitive, index: usize) -> Vertex {
    let place = Vec3::from(part.positions[index]);
    if let Some(joint) = mesh.joint {
        return Vertex(vec![(joint.into(), place, 1.0)]);
    }
    let sets = [(&part.joints, &part.weights), (&part.more_joints, &part.more_weights)];
    let of_set = |(joints, weights): (&Vec<[u16; 4]>, &Vec<[f32; 4]>)| {
        Some(joints.get(index).copied()?.into_iter().zip(weights.get(index).copied()?))
    };
    let influences = sets.into_iter().filter_map(of_set).flatten().filter(|(_, weight)| *weight > 0.0);
    let in_joint = |(joint, weight): (u16, f32)| {
        let joint = usize::from(joint);
        (joint, rig.joints[joint].inverse_bind_matrix.transform_point3(place), weight)
    };
    Vertex(influences.map(in_joint).collect())
}
