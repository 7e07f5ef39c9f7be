//! Files: paths, options, and questions about what is not in them.

use std::path::Path;

use nebula_animation::asset::{Limits, MeshSelection, Strictness, UvTransform};
use nebula_animation::{Asset, asset::LoadOptions, load_skeleton_and_clips};

use super::Table;
use super::fixtures::{INDICES, NAMES, chain, is_finite, numbers, skeletons};
use crate::support::{Kind, load, rigs, strict, try_load};

/// Paths that lead to no file.
const PATHS: [&str; 7] = ["", "nowhere.glb", "/", ".", "..", "\u{0}", "nowhere/\u{1f9d1}/x.gltf"];

pub fn rows(table: &mut Table) {
    table.row("Asset::load", || PATHS.iter().for_each(|path| assert!(Asset::load(path).is_err(), "{path:?}")));
    table.row("Asset::load_with", || {
        for path in PATHS {
            assert!(Asset::load_with(path, &strict()).is_err(), "{path:?}");
        }
    });
    table.row("load_skeleton_and_clips", || {
        PATHS.iter().for_each(|path| assert!(load_skeleton_and_clips(Path::new(path)).is_err(), "{path:?}"));
    });
    table.row("Asset::from_bytes", from_bytes);
    table.row("Asset::files", || PATHS.iter().for_each(|path| assert_eq!(Asset::files(path), [Path::new(path)])));
    table.row("UvTransform::apply", || {
        for number in numbers() {
            let transform = UvTransform { offset: [number; 2], rotation: number, scale: [number; 2] };
            for uv in numbers() {
                let _ = transform.apply([uv; 2]);
            }
        }
    });
    let asset = load(&rigs::chain());
    table.row("Asset::joint_of_node", || {
        INDICES.into_iter().for_each(|node| assert_eq!(asset.joint_of_node(node), None));
    });
    table.row("Asset::animation_by_name", || {
        NAMES.iter().for_each(|name| assert_eq!(asset.animation_by_name(name), None));
    });
    table.row("Asset::skin_by_name", || NAMES.iter().for_each(|name| assert_eq!(asset.skin_by_name(name), None)));
    table.row("Asset::mesh_by_name", || NAMES.iter().for_each(|name| assert_eq!(asset.mesh_by_name(name), None)));
    table.row("Asset::clip_entry_by_name", || {
        NAMES.iter().for_each(|name| assert_eq!(asset.clip_entry_by_name(name), None));
    });
    table.row("AnimationLoadError::in_file", || {
        let error = try_load(b"nothing").expect_err("no file");
        PATHS.iter().for_each(|path| assert!(!error.in_file(Path::new(path)).is_empty()));
    });
    table.row("Animation::sample_pose", || {
        for skeleton in skeletons() {
            for length in [0, 1, 9] {
                asset.animations[0].sample_pose(&skeleton, 0.5, &mut chain(length).bind_pose());
            }
        }
        for time in numbers() {
            let mut pose = asset.skeleton.bind_pose();
            asset.animations[0].sample_pose(&asset.skeleton, time, &mut pose);
            assert!(is_finite(&pose), "at {time}");
        }
    });
    table.row("MorphTrack::sample", || {
        let mut g = rigs::chain();
        let face = rigs::add_morph(&mut g, 2);
        g.animate(0, face, "weights", "LINEAR", &[0.0, 1.0], &[0.0, 1.0, 1.0, 0.0]);
        let track = &load(&g).animations[0].morph_tracks[0];
        for time in numbers() {
            for length in [0, 1, 2, 9] {
                let mut weights = vec![7.0; length];
                track.sample(time, &mut weights);
                assert!(weights.iter().all(|weight| weight.is_finite()), "at {time}");
                assert!(
                    weights.iter().skip(2).all(|weight| *weight == 7.0),
                    "entries beyond the targets are left as they are"
                );
            }
        }
    });
}

/// Limits of nothing and of everything, all ways to load, resolvers that fail or lie.
fn from_bytes() {
    let g = rigs::chain();
    let (text, _) = g.files();
    let mut options = Vec::new();
    for strictness in [Strictness::Lenient, Strictness::Strict] {
        for meshes in [MeshSelection::None, MeshSelection::Deforming, MeshSelection::Moving, MeshSelection::All] {
            for most in [0, 1, u64::MAX] {
                let limits = Limits {
                    file_bytes: most,
                    decoded_bytes: most,
                    nodes: most as usize,
                    channels: most as usize,
                    name_bytes: most as usize,
                };
                options.push(LoadOptions { strictness, meshes, limits, all_nodes_as_joints: most == 1 });
            }
        }
    }
    for options in &options {
        let is_unlimited = options.limits.nodes > 1;
        let loaded = Asset::from_bytes("", &g.glb(), options, &mut |_| Ok(Vec::new()));
        assert_eq!(loaded.is_ok(), is_unlimited, "{options:?}");
        // A resolver with nothing, with an error, and with something else.
        let refused = [
            Asset::from_bytes("x", &text, options, &mut |_| Ok(Vec::new())),
            Asset::from_bytes("x", &text, options, &mut |_| Err(std::io::ErrorKind::NotFound.into())),
            Asset::from_bytes("x", &text, options, &mut |uri| Ok(uri.as_bytes().to_vec())),
            Asset::from_bytes("x", &[], options, &mut |_| Ok(Vec::new())),
        ];
        for result in refused {
            let error = result.expect_err("there is no buffer");
            let _ = Kind::of(&error);
        }
    }
}
