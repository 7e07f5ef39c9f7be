//! `pose`: every joint, weight and palette at given times, as JSON. Nodes are named by their glTF index.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use glam::Mat4;
use nebula_animation::asset::MeshSelection;
use nebula_animation::{Asset, asset::LoadOptions};
use serde::{Deserialize, Serialize};

use super::{PosedAsset, open, print};

/// Prints the poses of a file at the times of a JSON document.
pub fn run(file: &Path, times: &Path) -> Result<ExitCode, String> {
    let text = fs::read_to_string(times).map_err(|error| format!("{}: {error}", times.display()))?;
    let times: Times = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", times.display()))?;
    // Every node is asked for, so every node is a joint.
    let options = LoadOptions { all_nodes_as_joints: true, meshes: MeshSelection::Deforming, ..LoadOptions::default() };
    let asset = open(file, options)?.asset;
    let poses = poses(&asset, &times)?;
    let json = serde_json::to_string(&poses).map_err(|error| format!("{}: {error}", file.display()))?;
    print(&format!("{json}\n"))
}

#[derive(Deserialize)]
struct Times {
    #[serde(default)]
    animations: Vec<AnimationTimes>,
}

#[derive(Deserialize)]
struct AnimationTimes {
    index: usize,
    times: Vec<f32>,
}

#[derive(Serialize)]
struct Poses<'a> {
    animations: Vec<AnimationPoses<'a>>,
    skins: Vec<SkinJoints<'a>>,
    rest: Pose,
}

#[derive(Serialize)]
struct AnimationPoses<'a> {
    index: usize,
    name: &'a str,
    duration: f32,
    samples: Vec<Sample>,
}

#[derive(Serialize)]
struct SkinJoints<'a> {
    index: usize,
    joints: &'a [usize],
}

#[derive(Serialize)]
struct Sample {
    time: f32,
    #[serde(flatten)]
    pose: Pose,
}

#[derive(Serialize)]
struct Pose {
    nodes: BTreeMap<usize, NodePose>,
    weights: BTreeMap<usize, Vec<f32>>,
    skins: Vec<SkinPose>,
}

#[derive(Serialize)]
struct NodePose {
    t: [f32; 3],
    r: [f32; 4],
    s: [f32; 3],
    /// Sixteen numbers, column by column.
    world: [f32; 16],
}

#[derive(Serialize)]
struct SkinPose {
    index: usize,
    palette: Vec<[f32; 16]>,
}

fn poses<'a>(asset: &'a Asset, times: &Times) -> Result<Poses<'a>, String> {
    let mut posed = PosedAsset::new(asset);
    let rest = pose(&posed, rest_weights(asset));
    let mut animations = Vec::new();
    for AnimationTimes { index, times } in &times.animations {
        let Some(animation) = asset.animations.get(*index) else {
            return Err(format!("there is no animation {index}: the file has {}", asset.animations.len()));
        };
        let mut samples = Vec::new();
        for &time in times {
            posed.sample(*index, time);
            let mut weights = rest_weights(asset);
            for track in &animation.morph_tracks {
                if let Some(weights) = weights.get_mut(&asset.meshes[track.mesh].node) {
                    track.sample(time, weights);
                }
            }
            samples.push(Sample { time, pose: pose(&posed, weights) });
        }
        animations.push(AnimationPoses { index: *index, name: &animation.name, duration: animation.duration, samples });
    }
    let skins = asset.skins.iter().enumerate().map(|(index, skin)| SkinJoints { index, joints: &skin.nodes }).collect();
    Ok(Poses { animations, skins, rest })
}

fn rest_weights(asset: &Asset) -> BTreeMap<usize, Vec<f32>> {
    let morphed = asset.meshes.iter().filter(|mesh| !mesh.morph_weights.is_empty());
    morphed.map(|mesh| (mesh.node, mesh.morph_weights.clone())).collect()
}

fn pose(posed: &PosedAsset, weights: BTreeMap<usize, Vec<f32>>) -> Pose {
    let node = |(node, joint): (usize, &Option<u16>)| {
        let joint = usize::from((*joint)?);
        let (translation, rotation, scale) = posed.local[joint];
        Some((
            node,
            NodePose {
                t: translation.to_array(),
                r: rotation.to_array(),
                s: scale.to_array(),
                world: posed.models[joint].to_cols_array(),
            },
        ))
    };
    let palette = |joints: &[u16]| {
        joints
            .iter()
            .map(|&joint| posed.palette[usize::from(joint)])
            .map(|matrix: Mat4| matrix.to_cols_array())
            .collect()
    };
    let skins = posed.asset.skins.iter().enumerate();
    Pose {
        nodes: posed.asset.node_joints.iter().enumerate().filter_map(node).collect(),
        weights,
        skins: skins.map(|(index, skin)| SkinPose { index, palette: palette(&skin.joints) }).collect(),
    }
}
