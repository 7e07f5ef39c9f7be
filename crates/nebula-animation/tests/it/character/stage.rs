//! A file as the library has it and as the reference does.

use std::path::Path;
use std::sync::Arc;

use nebula_animation::{AnimationClip, AnimationClipLibrary, Asset, Character, LibraryOptions, Rig, Surroundings};
use serde_json::json;

use super::picture::{Local, Picture};
use crate::reference::Reference;
use crate::support::{Gltf, load, noise, rigs, spin, turn};

/// Seconds of a frame: a number that binary fractions hold, so that the reference's clock needs no care.
pub const FRAME: f64 = 1.0 / 64.0;
/// What the issue of faces and bodies asks for.
pub const CLOSE: f64 = 1e-6;

pub struct Stage {
    pub asset: Asset,
    pub rig: Arc<Rig>,
    pub clips: Vec<AnimationClip>,
    pub library: AnimationClipLibrary,
    reference: Reference,
}

impl Stage {
    pub fn new(g: &Gltf) -> Self {
        Self::of(load(g), Reference::open(&g.glb(), &|name| panic!("no file {name}")))
    }

    /// A file of the disk, with others beside it.
    pub fn open(path: &Path) -> Self {
        let asset = Asset::load(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let bytes = std::fs::read(path).expect("just loaded");
        let folder = path.parent().expect("a folder");
        Self::of(asset, Reference::open(&bytes, &|name| std::fs::read(folder.join(name)).expect("beside it")))
    }

    fn of(asset: Asset, reference: Reference) -> Self {
        let (rig, clips) = (asset.rig(), asset.clips());
        Self { library: AnimationClipLibrary::new(&rig, &clips), asset, rig, clips, reference }
    }

    /// Other clips on the same rig.
    pub fn library_of(&self, clips: &[AnimationClip]) -> AnimationClipLibrary {
        AnimationClipLibrary::with_options(&self.rig, clips, LibraryOptions::default())
    }

    pub fn character(&self) -> Character {
        Character::of(self.library.clone())
    }

    /// What the reference shows of an animation at a time; of none, the rest pose.
    pub fn picture(&self, animation: impl Into<Option<usize>>, time: f64) -> Picture {
        let pose = self.reference.pose(animation.into(), time);
        let joints = self.asset.joint_nodes.iter().map(|&node| pose.locals[node]);
        let joints = joints.map(|local| local.map(|local| Local { t: local.t, r: local.r, s: local.s })).collect();
        let mut weights = vec![0.0; self.rig.morphs().slot_count()];
        for mesh in &self.rig.morphs().meshes {
            weights[mesh.slots()].copy_from_slice(&pose.weights[mesh.node]);
        }
        Picture { joints, weights }
    }
}

/// Lets a frame pass, and gives what is shown then.
pub fn frame(character: &mut Character) -> Picture {
    character.update(FRAME, &Surroundings::default());
    Picture::of_frame(character.frame())
}

/// A body of three joints and a face of two meshes with seven morph targets in all, which rest at other weights than 0. Three
/// animations of two seconds move both, with keys at quarters of a second and by every interpolation: `walk`, `talk` and `shout`; a
/// fourth, `hold`, and a fifth, `rest`, stand still.
pub fn actor() -> Gltf {
    let mut g = rigs::chain();
    let face = rigs::add_morph(&mut g, 4);
    let brows = rigs::add_morph(&mut g, 3);
    g.set(&format!("/nodes/{face}/weights"), json!([0.25, 0.5, 0.0, 0.125]));
    g.set("/meshes/1/extras", json!({"targetNames": ["smile", "blink", "jaw", "frown"]}));
    let times: Vec<f64> = (0..9).map(|key| f64::from(key) / 4.0).collect();
    let mut random = noise(18);
    let kinds = [("LINEAR", 1), ("CUBICSPLINE", 3), ("STEP", 1)];
    for (animation, name) in ["walk", "talk", "shout"].into_iter().enumerate() {
        for (mesh, (node, count)) in [(face, 4), (brows, 3)].into_iter().enumerate() {
            // The reference interpolates as the file says; a face that is left alone rests.
            if (animation, mesh) == (1, 1) {
                continue;
            }
            let (how, rows) = kinds[(animation + mesh) % 3];
            let values: Vec<f64> = (0..9 * count * rows).map(|_| 0.5 + 0.5 * random()).collect();
            g.animate(animation, node, "weights", how, &times, &values);
        }
        if animation > 0 {
            for joint in 0..3 {
                let degrees: Vec<f64> = (0..9).map(|_| 40.0 * random()).collect();
                g.animate(animation, joint, "rotation", "LINEAR", &times, &spin(joint, &degrees));
            }
            let places: Vec<f64> = (0..27).map(|_| 0.5 * random()).collect();
            g.animate(animation, 1, "translation", "LINEAR", &times, &places);
            let sizes: Vec<f64> = (0..27).map(|_| 1.0 + 0.25 * random()).collect();
            g.animate(animation, 2, "scale", "LINEAR", &times, &sizes);
            g.set(&format!("/animations/{animation}/name"), name);
        }
    }
    for (animation, name, weights, degrees) in [(3, "hold", [0.75, 0.0, 1.0, 0.5], 50.0), (4, "rest", [0.0; 4], -20.0)]
    {
        g.animate(animation, face, "weights", "LINEAR", &[0.0, 2.0], &[weights, weights].concat());
        g.animate(animation, 1, "rotation", "LINEAR", &[0.0, 2.0], &[turn(2, degrees), turn(2, degrees)].concat());
        g.animate(animation, 0, "translation", "STEP", &[0.0, 2.0], &[degrees / 100.0; 6]);
        g.set(&format!("/animations/{animation}/name"), name);
    }
    g
}
