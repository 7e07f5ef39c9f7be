//! FBX files of others, which are never copied: those that came with crates, and those of the folders that `NEBULA_FBX` names (separated as
//! those of `PATH` are). Both readers, side by side.

use std::path::PathBuf;

use glam::{DMat4, DQuat, DVec3};
use nebula_animation::Asset;
use nebula_animation::asset::{LoadOptions, MeshSelection};
use nebula_animation::palette::model_matrices;
use nebula_import::fbx::{FbxOptions, read};

use crate::corpus;

/// Files that came with crates, and those of the folders that are named.
fn files() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")));
    let mut open: Vec<PathBuf> = Vec::new();
    for registry in home.into_iter().flat_map(|home| std::fs::read_dir(home.join("registry/src")).into_iter().flatten())
    {
        let crates = registry.ok().and_then(|registry| std::fs::read_dir(registry.path()).ok());
        let is_wanted =
            |folder: &PathBuf| folder.file_name().is_some_and(|name| name.to_string_lossy().contains("fbx"));
        open.extend(crates.into_iter().flatten().flatten().map(|entry| entry.path()).filter(is_wanted));
    }
    if let Some(named) = std::env::var_os("NEBULA_FBX") {
        for folder in std::env::split_paths(&named) {
            assert!(folder.is_dir(), "{} of NEBULA_FBX is no folder", folder.display());
            open.push(folder);
        }
    }
    open.iter().flat_map(|folder| corpus::files(folder, &["fbx", "FBX"])).collect()
}

/// Where nodes are in the file's own pose, by name, of those whose name no other has.
type Placed = Vec<(String, DMat4)>;

fn without_doubles(mut placed: Placed) -> Placed {
    placed.sort_by(|a, b| a.0.cmp(&b.0));
    let is_single = |index: usize| {
        let name = |index: usize| placed.get(index).map(|it| it.0.as_str());
        name(index) != name(index + 1) && (index == 0 || name(index) != name(index - 1)) && name(index) != Some("")
    };
    let kept: Vec<bool> = (0..placed.len()).map(is_single).collect();
    let mut kept = kept.into_iter();
    placed.retain(|_| kept.next().unwrap_or(false));
    placed
}

fn ours(asset: &Asset) -> Placed {
    let pose = asset.skeleton.bind_pose();
    let mut models = vec![glam::Mat4::IDENTITY; pose.len()];
    model_matrices(&asset.skeleton, &pose, &mut models);
    let joints = asset.skeleton.joints.iter().zip(models);
    without_doubles(joints.map(|(joint, model)| (joint.name.clone(), model.as_dmat4())).collect())
}

fn theirs(scene: &ufbx::Scene) -> Placed {
    let nodes = scene.nodes.iter().filter(|node| !node.is_root);
    without_doubles(nodes.map(|node| (node.element.name.to_string(), placed(&node.node_to_world))).collect())
}

fn placed(m: &ufbx::Matrix) -> DMat4 {
    DMat4::from_cols_array(&[
        m.m00, m.m10, m.m20, 0.0, m.m01, m.m11, m.m21, 0.0, m.m02, m.m12, m.m22, 0.0, m.m03, m.m13, m.m23, 1.0,
    ])
}

/// How many nodes were compared, and how far they are apart at most, by the scale of the scene.
fn apart(ours: &Placed, theirs: &Placed) -> (usize, f64) {
    let size = theirs.iter().map(|(_, at)| at.w_axis.truncate().abs().max_element()).fold(1.0, f64::max);
    let (mut count, mut most) = (0, 0.0_f64);
    for (name, found) in ours {
        let Ok(place) = theirs.binary_search_by(|other| other.0.cmp(name)) else { continue };
        let expected = &theirs[place].1;
        let off = (0..4).map(|at| (expected.col(at) - found.col(at)).abs().max_element()).fold(0.0, f64::max);
        count += 1;
        most = most.max(off / size);
    }
    (count, most)
}

/// How far the keys of the first clip are from what ufbx has for these moments, joint by joint in its parent's space: radians, and parts of the
/// largest number. Between keys a clip goes straight, where a file's own curves may not: poses there are as far off as its rate leaves them.
fn keys_apart(asset: &Asset, oracle: &ufbx::Scene, stack: &ufbx::AnimStack) -> (usize, f64) {
    let Some(clip) = asset.clips().into_iter().next() else { return (0, 0.0) };
    let name = |joint: u16| asset.skeleton.joints[usize::from(joint)].name.as_str();
    let (mut count, mut most) = (0, 0.0_f64);
    let mut look = |joint: u16, time: f32, off: &dyn Fn(&ufbx::Transform) -> f64| {
        let alike: Vec<_> = oracle.nodes.iter().filter(|node| *node.element.name == *name(joint)).collect();
        if let [node] = alike.as_slice() {
            let there = ufbx::evaluate_transform(&stack.anim, node, stack.time_begin + f64::from(time));
            count += 1;
            most = most.max(off(&there));
        }
    };
    for channel in &clip.rotation_channels {
        for key in &channel.keyframes {
            look(channel.joint_index, key.time, &|there| {
                let other = DQuat::from_xyzw(there.rotation.x, there.rotation.y, there.rotation.z, there.rotation.w);
                // Twice the sine of half the angle: cosines know nothing of small ones.
                2.0 * (key.value.as_dquat().conjugate() * other).xyz().length()
            });
        }
    }
    for channel in &clip.translation_channels {
        for key in &channel.keyframes {
            look(channel.joint_index, key.time, &|there| {
                let other = DVec3::new(there.translation.x, there.translation.y, there.translation.z);
                key.value.as_dvec3().distance(other) / other.length().max(1.0)
            });
        }
    }
    (count, most)
}

/// The box around all vertices of what no joint carries, by each of both; none where one of them has none, or joints carry some.
fn boxes(asset: &Asset, oracle: &ufbx::Scene) -> Option<[[DVec3; 2]; 2]> {
    let around = |points: &mut dyn Iterator<Item = DVec3>| {
        points.fold([DVec3::MAX, DVec3::MIN], |[min, max], at| [min.min(at), max.max(at)])
    };
    if asset.meshes.is_empty() || asset.meshes.iter().any(|mesh| mesh.joint.is_some() || mesh.skin.is_some()) {
        return None;
    }
    let primitives = asset.meshes.iter().flat_map(|mesh| mesh.primitives.iter());
    let mut own = primitives.flat_map(|it| it.positions.iter().map(|at| glam::Vec3::from(*at).as_dvec3()));
    let nodes = oracle.nodes.iter().filter_map(|node| Some((node, node.mesh.as_ref()?)));
    let mut other = nodes.flat_map(|(node, mesh)| {
        let place = placed(&node.geometry_to_world);
        // Those of faces: points that none uses are not drawn.
        let used = mesh.vertex_indices.iter().filter_map(|vertex| mesh.vertices.get(*vertex as usize));
        used.map(move |at| place.transform_point3(DVec3::new(at.x, at.y, at.z))).collect::<Vec<_>>()
    });
    Some([around(&mut own), around(&mut other)])
}

/// What both make of a file, in one line; an error is where they differ.
fn compare(bytes: &[u8]) -> Result<String, String> {
    let oracle = super::load_by_ufbx(bytes);
    let (document, _) = match read(bytes, &FbxOptions::default()) {
        Ok(read) => read,
        Err(error) => {
            let other = oracle.map_or_else(|_| "refused", |_| "read");
            return Ok(format!("refused: {error} ({other} by ufbx)"));
        }
    };
    let glb = document.into_glb().map_err(|error| error.to_string())?;
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("no {uri}")));
    let options = LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() };
    let asset = Asset::from_bytes("made", &glb, &options, &mut nothing).map_err(|error| error.to_string())?;
    let Ok(oracle) = oracle else { return Ok("read, and refused by ufbx".into()) };
    let (nodes, rest) = apart(&ours(&asset), &theirs(&oracle));
    let (keys, moved) = oracle.anim_stacks.iter().next().map_or((0, 0.0), |stack| keys_apart(&asset, &oracle, stack));
    let drawn = boxes(&asset, &oracle).map_or(0.0, |[own, other]| {
        let size = (other[1] - other[0]).max_element().max(1.0);
        (own[0] - other[0]).abs().max((own[1] - other[1]).abs()).max_element() / size
    });
    let meshes = oracle.meshes.iter().map(|mesh| mesh.element.instances.len()).sum::<usize>();
    let line = format!(
        "{nodes} nodes off by {rest:.1e}, {keys} keys by {moved:.1e}, {} of {meshes} meshes by {drawn:.1e}",
        asset.meshes.len()
    );
    if rest.max(moved).max(drawn) < 1e-4 { Ok(line) } else { Err(line) }
}

#[test]
fn files_of_others_have_the_poses_of_ufbx() {
    let files = files();
    if files.is_empty() {
        let is_required = std::env::var_os("NEBULA_REQUIRE_FBX").is_some_and(|value| value == "1");
        assert!(!is_required, "no FBX file of others, and NEBULA_REQUIRE_FBX=1");
        corpus::skipped(
            "fbx: no FBX file of others to compare with ufbx: no crate of the registry brings one (cargo info bevy_ufbx fetches one), \
             and NEBULA_FBX names no folder",
        );
    }
    let (mut wrong, mut read) = (Vec::new(), 0);
    for file in files {
        let bytes = std::fs::read(&file).expect("a readable file");
        let result = compare(&bytes);
        corpus::said(&format!("{}: {}", file.display(), result.as_ref().unwrap_or_else(|line| line)));
        read += usize::from(result.as_ref().is_ok_and(|line| line.contains("nodes off by")));
        wrong.extend(result.err().map(|line| format!("{}: {line}", file.display())));
    }
    corpus::said(&format!("fbx: {read} files of others agree with ufbx"));
    assert!(wrong.is_empty(), "{wrong:#?}");
}
