//! Bytes to palettes: any bytes either load or are refused, and every pose of what loads is finite.

use std::sync::Arc;

use glam::Mat4;
use nebula_animation::asset::{Animation, Limits, MeshSelection, Strictness};
use nebula_animation::skinning::{Blending, PoseBounds, SkinnedVertices};
use nebula_animation::{
    AnimationClipLibrary, Asset, Character, Clock, Rig, Surroundings,
    asset::LoadOptions,
    compile::CompiledClip,
    palette::{Evaluator, PaletteRows, model_matrices, skinning_matrices},
};

/// Poses of each clip that are looked at.
const POSES: u16 = 16;
/// Joints that are evaluated at most, so that an input takes long only where the loader does.
const MOST_JOINTS: usize = 100_000;

/// The last byte of an input says how to load the bytes before it. Gives whether they loaded.
pub fn load(input: &[u8]) -> bool {
    let Some((&choice, file)) = input.split_last() else { return false };
    // Whatever other file is asked for is made of the same bytes.
    let mut resolve = |_: &str| Ok(file[file.len() / 2..].to_vec());
    match Asset::from_bytes("input", file, &options(choice), &mut resolve) {
        Ok(asset) => {
            check(&asset);
            true
        }
        Err(error) => {
            assert!(error.to_string().len() < 4_000, "a long message: {error}");
            false
        }
    }
}

/// Small limits keep executions fast; one choice in eight has the limits that users have.
fn options(choice: u8) -> LoadOptions {
    let is_default = choice & 0b11_1000 == 0;
    LoadOptions {
        strictness: if choice & 1 == 0 { Strictness::Lenient } else { Strictness::Strict },
        limits: if is_default { Limits::default() } else { Limits { decoded_bytes: 1 << 18, ..Limits::default() } },
        all_nodes_as_joints: choice & 2 != 0,
        meshes: [MeshSelection::All, MeshSelection::Moving][usize::from(choice >> 2 & 1)],
    }
}

fn check(asset: &Asset) {
    let skeleton = &asset.skeleton;
    let count = skeleton.joints.len();
    assert!(asset.warnings.len() <= 100, "{} warnings", asset.warnings.len());
    assert_eq!(asset.joint_nodes.len(), count);
    for (index, joint) in skeleton.joints.iter().enumerate() {
        assert!(joint.parent.is_none_or(|parent| usize::from(parent) < index), "joint {index} comes before its parent");
    }
    for entry in &asset.clip_entries {
        entry.check(asset.animations.len()).expect("entries of files are valid");
        for total in [-1.0, 0.0, 0.7, 1e3, 1e12] {
            assert!(Clock::from(entry).at(total).time.is_finite(), "the clock of {entry:?} at {total}");
        }
    }
    let mut room = MOST_JOINTS;
    let mut poses = Poses::new(asset);
    poses.check_rest(asset);
    for animation in &asset.animations {
        let keys: usize = animation.tracks.iter().map(|track| track.times.len()).sum();
        // Each pose is evaluated by four paths.
        let cost = (count * usize::from(POSES) * 4).max(keys);
        if cost > room {
            break;
        }
        room -= cost;
        poses.check(asset, animation);
    }
    poses.check_meshes(asset);
    check_character(asset, &poses.rig);
}

/// The file as a game has it: every animation fades into the next, morph weights included.
fn check_character(asset: &Asset, rig: &Arc<Rig>) {
    let keys: usize = asset.animations.iter().map(|animation| animation.tracks.len()).sum();
    if rig.joint_count().saturating_mul(asset.animations.len() * usize::from(POSES)).max(keys) > MOST_JOINTS {
        return;
    }
    let mut character = Character::of(AnimationClipLibrary::new(rig, &asset.clips()));
    for clip in 0..asset.animations.len() {
        character.mixer.play(clip, 0.1).expect("every animation is a clip");
        for _ in 0..POSES {
            character.update(1.0 / 60.0, &Surroundings::default());
            assert!(character.palette().iter().all(|matrix| matrix.is_finite()), "the palette of a character");
            let weights = character.frame().morph_weights();
            assert!(weights.iter().all(|weight| weight.is_finite()), "the morph weights of a character");
        }
    }
}

/// The memory for poses, by the plain path and by the compiled ones.
struct Poses {
    rig: Arc<Rig>,
    evaluator: Evaluator,
    pose: Vec<nebula_animation::JointPose>,
    matrices: Vec<Mat4>,
    rows: Vec<PaletteRows>,
}

impl Poses {
    fn new(asset: &Asset) -> Self {
        let count = asset.skeleton.joints.len();
        Self {
            rig: asset.rig(),
            evaluator: Evaluator::new(),
            pose: asset.skeleton.bind_pose(),
            matrices: vec![Mat4::IDENTITY; count],
            rows: vec![PaletteRows::IDENTITY; count],
        }
    }

    fn check_rest(&mut self, asset: &Asset) {
        model_matrices(&asset.skeleton, &self.pose, &mut self.matrices);
        skinning_matrices(&asset.skeleton, &mut self.matrices);
        self.finite("at rest", 0.0);
        self.evaluator.palette_of_pose(&self.rig, &self.pose, &mut self.matrices);
        self.finite("at rest, by the evaluator", 0.0);
    }

    /// Every pose of an animation: as authored, compiled, and compiled for palettes.
    fn check(&mut self, asset: &Asset, animation: &Animation) {
        assert!(animation.duration >= 0.0 && animation.duration.is_finite(), "a duration of {}", animation.duration);
        let clip = animation.to_clip();
        let compiled = CompiledClip::new(&self.rig, &clip);
        let bound = CompiledClip::for_palettes(&self.rig, &clip);
        for step in 0..POSES {
            let time = animation.duration * (f32::from(step) / f32::from(POSES - 1));
            animation.sample_pose(&asset.skeleton, time, &mut self.pose);
            model_matrices(&asset.skeleton, &self.pose, &mut self.matrices);
            skinning_matrices(&asset.skeleton, &mut self.matrices);
            self.finite("as authored", time);
            self.evaluator.pose_and_palette(&self.rig, &compiled, time, &mut self.pose, &mut self.matrices);
            self.finite("compiled", time);
            self.evaluator.palette_rows(&self.rig, &bound, time, &mut self.rows);
            let are_finite = self.rows.iter().all(|rows| rows.to_matrix().is_finite());
            assert!(are_finite, "the palette in bind space at {time} s");
        }
        for track in &animation.morph_tracks {
            let compiled = track.compile();
            let mut weights = vec![0.0; track.target_count];
            for step in 0..POSES {
                let time = animation.duration * (f32::from(step) / f32::from(POSES - 1));
                track.sample(time, &mut weights);
                assert!(weights.iter().all(|weight| weight.is_finite()), "morph weights at {time} s");
                compiled.sample(time, &mut weights);
                assert!(weights.iter().all(|weight| weight.is_finite()), "compiled morph weights at {time} s");
            }
        }
    }

    fn finite(&self, what: &str, time: f32) {
        let is_finite =
            |pose: &nebula_animation::JointPose| pose.0.is_finite() && pose.1.is_finite() && pose.2.is_finite();
        assert!(self.pose.iter().all(is_finite), "the pose {what} at {time} s");
        assert!(self.matrices.iter().all(|matrix| matrix.is_finite()), "the palette {what} at {time} s");
    }

    /// Meshes say of themselves what they need, and are skinned.
    fn check_meshes(&mut self, asset: &Asset) {
        let mut skinned = SkinnedVertices::default();
        let mut room = MOST_JOINTS;
        for mesh in &asset.meshes {
            for primitive in mesh.primitives.iter() {
                let geometry = primitive.geometry();
                if let Err(problem) = geometry.check(asset.skeleton.joints.len()) {
                    panic!("a loaded mesh does not fit its skeleton: {problem}");
                }
                assert!(primitive.indices.iter().all(|&index| (index as usize) < geometry.positions.len()));
                let cost = geometry.positions.len() * (1 + geometry.morph_targets.len());
                if cost > room {
                    return;
                }
                room -= cost;
                for blending in [Blending::Linear, Blending::DualQuaternion] {
                    skinned.skin(&geometry, &mesh.morph_weights, &*self.matrices, blending);
                    let _ = PoseBounds::new(&geometry, blending).of(&*self.matrices, &mesh.morph_weights);
                }
            }
        }
    }
}
