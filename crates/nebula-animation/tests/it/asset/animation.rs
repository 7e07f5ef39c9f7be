//! Animations of joints.

use nebula_animation::asset::Property;
use nebula_animation::{Interpolation, load_skeleton_and_clips};
use serde_json::json;

use crate::support::rigs::{self, ROTATIONS, TIMES};
use crate::support::{Array, F32, Folder, Gltf, Kind, agree, load, noise, spin, warning_of};

/// Three bare joints.
fn joints() -> Gltf {
    rigs::bare_chain(3, 0.5)
}

/// In-tangent, value and out-tangent of each key.
fn cubic_keys(width: usize, values: &[f64]) -> Vec<f64> {
    let mut random = noise(values.len() as u64);
    let mut tangent = || (0..width).map(|_| random()).collect::<Vec<_>>();
    values.chunks(width).flat_map(|value| [tangent(), value.to_vec(), tangent()].concat()).collect()
}

#[test]
fn every_interpolation_of_every_property() {
    let times = [0.0, 0.4, 1.0, 1.1];
    let moves: Vec<f64> = (0..12).map(|number| f64::from(number) * 0.7 - 3.0).collect();
    let sizes: Vec<f64> = (0..12).map(|number| 1.0 + f64::from(number % 5) * 0.3).collect();
    let turns = spin(1, &[0.0, 100.0, -80.0, 30.0]);
    let mut g = joints();
    for (animation, how) in ["STEP", "LINEAR", "CUBICSPLINE"].into_iter().enumerate() {
        for (joint, path, width, values) in [
            (0, "translation", 3, &moves),
            (1, "rotation", 4, &turns),
            (2, "scale", 3, &sizes),
            (0, "scale", 3, &sizes),
            (2, "rotation", 4, &turns),
        ] {
            let values = if how == "CUBICSPLINE" { cubic_keys(width, values) } else { values.clone() };
            g.animate(animation, joint, path, how, &times, &values);
        }
    }
    let asset = agree(&g);
    assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
    let expected = [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline];
    for (animation, expected) in asset.animations.iter().zip(expected) {
        assert!(animation.tracks.iter().all(|track| track.interpolation == expected));
        let properties: Vec<_> = animation.tracks.iter().map(|track| (track.joint, track.property)).collect();
        let (t, r, s) = (Property::Translation, Property::Rotation, Property::Scale);
        assert_eq!(properties, [(0, t), (1, r), (2, s), (0, s), (2, r)], "tracks keep the file's order");
    }
}

#[test]
fn interpolation_is_linear_where_the_file_states_none() {
    let mut g = rigs::chain();
    g.remove("/animations/0/samplers/0/interpolation");
    assert_eq!(agree(&g).animations[0].tracks[0].interpolation, Interpolation::Linear);
}

#[test]
fn rotations_take_the_shorter_arc() {
    let mut g = joints();
    let mut keys = spin(2, &[10.0, 350.0, -170.0, 190.0]);
    g.animate(0, 1, "rotation", "LINEAR", &[0.0, 1.0, 2.0, 3.0], &keys);
    // The same rotations, the second one with the other sign.
    keys[4..8].iter_mut().for_each(|part| *part = -*part);
    g.animate(1, 1, "rotation", "LINEAR", &[0.0, 1.0, 2.0, 3.0], &keys);
    agree(&g);
}

#[test]
fn a_single_key_holds_for_ever() {
    for how in ["LINEAR", "STEP", "CUBICSPLINE"] {
        let keys =
            |width, values: &[f64]| if how == "CUBICSPLINE" { cubic_keys(width, values) } else { values.to_vec() };
        let mut g = joints();
        g.animate(0, 0, "rotation", how, &[0.75], &keys(4, &spin(0, &[40.0])));
        g.animate(0, 1, "translation", how, &[0.0], &keys(3, &[1.0, 2.0, 3.0]));
        assert_eq!(agree(&g).animations[0].duration, 0.75);
    }
}

#[test]
fn keys_that_start_late_and_end_early_are_clamped() {
    let mut g = joints();
    g.animate(0, 0, "translation", "LINEAR", &[1.0, 2.0], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    g.animate(0, 1, "rotation", "LINEAR", &[0.5, 5.0], &spin(0, &[10.0, 90.0]));
    g.animate(0, 2, "scale", "STEP", &[3.0, 3.5], &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    let asset = agree(&g);
    assert_eq!(asset.animations[0].duration, 5.0, "the clip starts at 0 and ends with its longest channel");
    assert_eq!(asset.animations[0].tracks[0].times[0], 1.0, "times are not shifted");
}

#[test]
fn equal_times_are_a_step() {
    let mut g = joints();
    let values = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 5.0, 0.0, 0.0, 6.0, 0.0, 0.0];
    g.animate(0, 0, "translation", "LINEAR", &[0.0, 1.0, 1.0, 2.0], &values);
    let asset = agree(&g);
    assert!(warning_of(&asset, "share the time").object.contains("animation 0"));
}

/// Keys in the wrong order mean what the sorted ones mean.
#[test]
fn unsorted_keys_are_sorted_with_their_values() {
    let make = |times: [f64; 3], order: [usize; 3]| {
        let mut g = joints();
        let face = rigs::add_morph(&mut g, 2);
        let sorted = |width: usize, values: &[f64]| -> Vec<f64> {
            order.iter().flat_map(|&key| values[key * width..][..width].to_vec()).collect()
        };
        g.animate(0, 0, "rotation", "LINEAR", &times, &sorted(4, &spin(0, &[0.0, 50.0, -20.0])));
        g.animate(0, 1, "translation", "STEP", &times, &sorted(3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]));
        g.animate(0, 2, "rotation", "CUBICSPLINE", &times, &sorted(12, &cubic_keys(4, &spin(2, &[9.0, 99.0, -9.0]))));
        g.animate(0, face, "weights", "LINEAR", &times, &sorted(2, &[0.0, 1.0, 0.5, 0.25, 1.0, 0.0]));
        g
    };
    let sorted = agree(&make([0.0, 1.0, 2.0], [0, 1, 2]));
    let unsorted = load(&make([2.0, 0.0, 1.0], [2, 0, 1]));
    assert!(sorted.warnings.is_empty());
    assert_eq!(unsorted.animations, sorted.animations);
    assert!(unsorted.warnings.iter().any(|warning| warning.message.contains("sorted")), "{:?}", unsorted.warnings);
}

#[test]
fn one_values_array_with_sorted_and_unsorted_times() {
    let mut g = rigs::chain();
    let unsorted = g.add(&Array::new(F32, "SCALAR", [2.0, 1.5, 1.0, 0.5, 0.0]));
    g.channel(1, json!({"node": 0, "path": "rotation"}), "LINEAR", unsorted, ROTATIONS);
    let asset = load(&g);
    let [forwards, backwards] = [0, 1].map(|animation| asset.animations[animation].tracks[0].values.to_vec());
    let reversed: Vec<f32> = forwards.chunks(4).rev().flatten().copied().collect();
    assert_eq!(backwards, reversed);
}

#[test]
fn channels_without_a_node_are_ignored() {
    let mut g = rigs::chain();
    g.remove("/animations/0/channels/1/target/node");
    let asset = agree(&g);
    assert_eq!(asset.animations[0].tracks.len(), 3);
    assert!(asset.animations[0].tracks.iter().all(|track| track.joint != 1));
}

#[test]
fn duration_counts_channels_of_other_nodes() {
    let mut g = rigs::chain();
    let lamp = g.node(json!({"name": "lamp"}));
    g.animate(0, lamp, "translation", "LINEAR", &[0.0, 7.5], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    let asset = agree(&g);
    assert_eq!(asset.animations[0].duration, 7.5);
    assert_eq!(asset.joint_of_node(lamp), None, "a node that carries nothing is no joint");
    assert_eq!(asset.animations[0].tracks.len(), 4);
}

#[test]
fn animations_do_not_leak_into_each_other() {
    let mut g = joints();
    g.animate(0, 0, "translation", "LINEAR", &[0.0, 1.0], &[9.0, 9.0, 9.0, 8.0, 8.0, 8.0]);
    g.animate(1, 1, "rotation", "LINEAR", &[0.0, 2.0], &spin(0, &[0.0, 45.0]));
    let asset = agree(&g);
    let mut pose = asset.skeleton.bind_pose();
    asset.animations[0].sample_pose(&asset.skeleton, 0.5, &mut pose);
    asset.animations[1].sample_pose(&asset.skeleton, 1.0, &mut pose);
    assert_eq!(pose[0], asset.skeleton.joints[0].bind_pose());
}

#[test]
fn unnamed_animations_are_numbered() {
    let mut g = joints();
    for animation in 0..3 {
        g.animate(animation, 0, "rotation", "STEP", &[0.0], &spin(0, &[1.0]));
    }
    g.set("/animations/1/name", "run");
    let names: Vec<String> = agree(&g).animations.into_iter().map(|animation| animation.name).collect();
    assert_eq!(names, ["Animation_0", "run", "Animation_2"]);
}

#[test]
fn arrays_are_shared_between_animations() {
    let mut g = rigs::chain();
    g.channel(1, json!({"node": 1, "path": "rotation"}), "STEP", TIMES, ROTATIONS);
    let asset = agree(&g);
    let [first, second] = [0, 1].map(|animation| &asset.animations[animation].tracks[0]);
    assert_eq!((&first.times, &first.values), (&second.times, &second.values));
    // Four channels of the first animation have these times, and one of the second.
    assert_eq!(std::sync::Arc::strong_count(&first.times), 5);
    assert_eq!(std::sync::Arc::strong_count(&first.values), 2);
}

#[test]
fn a_clip_has_the_file_s_keys() {
    let mut g = joints();
    let keys = [[0.5, 0.0, 0.0], [1.0, 2.0, 3.0], [0.0, 0.5, 0.0], [0.1, 0.2, 0.3], [4.0, 5.0, 6.0], [0.7, 0.8, 0.9]];
    g.animate(0, 2, "translation", "CUBICSPLINE", &[0.25, 0.5], &keys.concat());
    let clip = agree(&g).animations[0].to_clip();
    assert_eq!((clip.name.as_str(), clip.duration), ("Animation_0", 0.5));
    let channel = &clip.translation_channels[0];
    assert_eq!((channel.joint_index, channel.keyframes.len()), (2, 2));
    let first = &channel.keyframes[0];
    assert_eq!((first.time, first.value), (0.25, glam::Vec3::new(1.0, 2.0, 3.0)));
    assert_eq!(first.tangents, Some((glam::Vec3::new(0.5, 0.0, 0.0), glam::Vec3::new(0.0, 0.5, 0.0))));
}

#[test]
fn the_short_way_gives_skeleton_and_clips() {
    let g = rigs::chain();
    let folder = Folder::new().file("a.glb", &g.glb()).file("b.glb", &Gltf::new().glb());
    let (skeleton, clips) = load_skeleton_and_clips(&folder.path("a.glb")).expect("a valid file");
    let asset = load(&g);
    assert_eq!(skeleton, asset.skeleton);
    assert_eq!(clips, [asset.animations[0].to_clip()]);
    let error = load_skeleton_and_clips(&folder.path("b.glb")).expect_err("a file without a skin");
    assert_eq!(Kind::of(&error), Kind::NoSkin);
}

/// Exporters animate the tips of fingers, which nothing follows: that is nothing to warn of.
#[test]
fn tips_that_nothing_follows_are_left_out_without_a_word() {
    let mut g = rigs::chain();
    let tip = g.child(2, json!({"name": "tip"}));
    g.animate(0, tip, "rotation", "LINEAR", &[0.0, 2.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    let asset = load(&g);
    assert!(asset.warnings.is_empty(), "{:?}", asset.warnings);
    assert_eq!(asset.skeleton.joints.len(), 3);
    g.child(tip, json!({"name": "camera"}));
    assert!(warning_of(&load(&g), "not joints").message.contains('1'));
}
