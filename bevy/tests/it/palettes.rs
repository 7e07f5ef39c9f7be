//! What Bevy's renderer would upload, the place of each joint times its inverse bind pose, against the plain path of the library.

use std::path::{Path, PathBuf};

use bevy::mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy::prelude::*;
use nebula_animation::palette::{model_matrices, skinning_matrices};
use nebula_animation::sample_pose;
use nebula_bevy::{CharacterAsset, NebulaCharacter};

use crate::stage::{Said, Stage, corpora, own};

/// Moments at which each file is compared.
const MOMENTS: usize = 20;

/// How far matrices may differ, beside the size of their numbers.
const TOLERANCE: f32 = 1e-4;

/// A place in the world that is not straight.
fn somewhere() -> Transform {
    Transform::from_xyz(3.0, -1.0, 2.0)
        .with_rotation(Quat::from_euler(EulerRot::YXZ, 0.7, 0.2, -0.4))
        .with_scale(Vec3::splat(1.5))
}

/// Compares a file at all moments. Returns how many skinned meshes there were, or why it could not be shown.
fn compare(folder: &Path, file: &str) -> Result<usize, String> {
    let mut stage = Stage::new(folder);
    let handle = stage.load(file);
    let entity = stage.app.world_mut().spawn((NebulaCharacter::new(handle.clone()), somewhere())).id();
    stage.until(|world| world.get::<nebula_bevy::Animator>(entity).is_some() || !world.resource::<Said>().0.is_empty());
    if !stage.said().is_empty() {
        return Err(stage.said().join("; "));
    }
    stage.pace(0.0);
    // Without what avatars add to their clips.
    stage.animator_mut(entity).layers.layers.clear();
    let asset = stage.app.world().resource::<Assets<CharacterAsset>>().get(&handle).expect("loaded").clone();
    let skeleton = asset.rig().skeleton().clone();
    let mut meshes = 0;
    for moment in 0..MOMENTS {
        let mut pose = skeleton.bind_pose();
        if !asset.clips.is_empty() {
            let clip = moment * asset.clips.len() / MOMENTS;
            let time = asset.clips[clip].duration * (moment as f32 * 0.618).fract();
            let mut animator = stage.animator_mut(entity);
            animator.mixer.play(clip, 0.0).expect("it is there").seek(f64::from(time));
            sample_pose(&asset.clips[clip], &skeleton, time, &mut pose);
        }
        stage.frames(1);
        let mut palette = vec![Mat4::IDENTITY; skeleton.joints.len()];
        model_matrices(&skeleton, &pose, &mut palette);
        let world = stage.place(stage.animator(entity).model_entity());
        for (joint, model_from_joint) in palette.iter().enumerate() {
            let Some(joint_entity) = stage.animator(entity).entity_of(joint as u16) else { continue };
            check(file, &stage.place(joint_entity), &(world * *model_from_joint));
        }
        skinning_matrices(&skeleton, &mut palette);
        meshes = check_skins(&mut stage, file, &asset, &world, &palette);
    }
    Ok(meshes)
}

/// The skins of all meshes against the palette.
fn check_skins(stage: &mut Stage, file: &str, asset: &CharacterAsset, world: &Mat4, palette: &[Mat4]) -> usize {
    let mut query = stage.app.world_mut().query::<&SkinnedMesh>();
    let app = stage.app.world();
    let server = app.resource::<AssetServer>();
    let all_poses = app.resource::<Assets<SkinnedMeshInverseBindposes>>();
    let mut count = 0;
    for mesh in query.iter(app) {
        count += 1;
        let path = server.get_path(&mesh.inverse_bindposes).expect("it comes from the file");
        let label = path.label().expect("it is a part of the file");
        let number = label.trim_start_matches("Skin").split('/').next().and_then(|number| number.parse::<usize>().ok());
        let skin = &asset.skins[number.expect("the label has the number of the skin")];
        let poses = all_poses.get(&mesh.inverse_bindposes).expect("it is loaded");
        assert_eq!(skin.joints.len(), mesh.joints.len());
        for (place, (joint, bind)) in mesh.joints.iter().zip(poses.iter()).enumerate() {
            check(file, &(stage.place(*joint) * *bind), &(*world * palette[usize::from(skin.joints[place])]));
        }
    }
    count
}

fn check(file: &str, found: &Mat4, expected: &Mat4) {
    let size = expected.to_cols_array().iter().fold(1.0_f32, |size, number| size.max(number.abs()));
    assert!(found.abs_diff_eq(*expected, TOLERANCE * size), "{file}: {found} is not {expected}");
}

#[test]
fn own_characters_look_in_bevy_as_in_the_library() {
    for file in ["simple_humanoid.glb", "robot.glb"] {
        assert!(compare(&own(), file).expect("it is shown") > 0);
    }
}

#[test]
fn strangers_look_in_bevy_as_in_the_library() {
    let Some(folder) = corpora("strangers_look_in_bevy_as_in_the_library") else { return };
    let (mut count, mut by_other_names) = (0, 0);
    for entry in folder.join("characters").read_dir().expect("a folder").flatten() {
        let path = entry.path();
        let Some(end @ ("glb" | "vrm" | "vrma")) = path.extension().and_then(|end| end.to_str()) else { continue };
        by_other_names += usize::from(end != "glb");
        let name = path.file_name().expect("a name").to_string_lossy();
        let meshes = compare(&folder.join("characters"), &name).expect("it is shown");
        println!("{name}: {meshes} skinned meshes");
        count += 1;
    }
    assert!(by_other_names >= 2, "a .vrm and a .vrma are to be shown as they are");
    assert!(count >= 11, "only {count} characters: is this the corpus?");
}

#[test]
fn conformance_files_look_in_bevy_as_in_the_library() {
    let Some(folder) = corpora("conformance_files_look_in_bevy_as_in_the_library") else { return };
    let root = folder.join("conformance/assets");
    let (mut skinned, mut refused) = (0, Vec::new());
    for file in gltf_files(&root) {
        let relative = file.strip_prefix(&root).expect("below it").to_string_lossy().replace('\\', "/");
        match compare(&root, &relative) {
            Ok(meshes) => skinned += usize::from(meshes > 0),
            Err(reason) => refused.push(format!("{relative}: {reason}")),
        }
    }
    // What Bevy's own loader does not read: Draco, required extensions, targets of animations that are no nodes.
    assert!(refused.iter().all(|reason| reason.contains("bevy_gltf::loader::GltfLoader")), "{refused:#?}");
    assert!(refused.len() <= 8, "{refused:#?}");
    println!("{skinned} files with skins; Bevy refuses {}", refused.len());
    assert!(skinned >= 20, "only {skinned} files with skins: is this the corpus?");
}

/// Every `.gltf` and `.glb` below a folder.
fn gltf_files(folder: &Path) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().expect("a folder").flatten().map(|entry| entry.path()) {
            match entry.extension().and_then(|end| end.to_str()) {
                _ if entry.is_dir() => folders.push(entry),
                Some("gltf" | "glb") => files.push(entry),
                _ => {}
            }
        }
    }
    files.sort();
    files
}
