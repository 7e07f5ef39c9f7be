//! Every recording against an evaluator of the test's own, in double precision, and on characters of others.

use std::collections::HashMap;
use std::path::Path;

use glam::{DMat3, DVec3, Mat4, Vec3};
use nebula_animation::palette::model_matrices;
use nebula_animation::skeleton::Side;
use nebula_animation::{AnimationClip, HumanoidJoint as J, Retarget, Rig, Skeleton, sample_pose};
use nebula_import::bvh::{Bvh, BvhOptions};

use crate::corpus;

/// A joint as the test reads it: name, parent, offset, and its channels as places in a frame.
struct Joint {
    name: String,
    parent: Option<usize>,
    offset: DVec3,
    channels: Vec<(String, usize)>,
}

/// Line by line, which is enough for files of one tool.
fn read(text: &str) -> (Vec<Joint>, f64, Vec<Vec<f64>>) {
    let (mut joints, mut open, mut places): (Vec<Joint>, Vec<Option<usize>>, usize) = (Vec::new(), Vec::new(), 0);
    let mut lines = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    for words in lines.by_ref() {
        match words.as_slice() {
            ["ROOT" | "JOINT", name] => {
                let parent = open.iter().rev().copied().flatten().next();
                joints.push(Joint { name: (*name).into(), parent, offset: DVec3::ZERO, channels: Vec::new() });
                open.push(Some(joints.len() - 1));
            }
            ["End", "Site"] => open.push(None),
            ["}"] => {
                open.pop();
            }
            ["OFFSET", x, y, z] => {
                if let Some(Some(joint)) = open.last() {
                    joints[*joint].offset = DVec3::from_array([x, y, z].map(|word| word.parse().expect("a number")));
                }
            }
            ["CHANNELS", _, names @ ..] => {
                let joint = open.last().copied().flatten().expect("a joint");
                for name in names {
                    joints[joint].channels.push(((*name).into(), places));
                    places += 1;
                }
            }
            ["MOTION"] => break,
            _ => {}
        }
    }
    lines.next();
    let seconds = lines.next().and_then(|words| words[2].parse().ok()).expect("the time of a frame");
    let frames = lines.map(|words| words.iter().map(|word| word.parse().expect("a number")).collect::<Vec<f64>>());
    (joints, seconds, frames.filter(|frame| !frame.is_empty()).collect())
}

/// Where all joints are in a frame, in the file's units: products of matrices, as the format's description has them.
fn places(joints: &[Joint], frame: &[f64]) -> Vec<DVec3> {
    let mut all: Vec<(DMat3, DVec3)> = Vec::new();
    for joint in joints {
        let (mut turn, mut at) = (DMat3::IDENTITY, joint.offset);
        for (name, place) in &joint.channels {
            let (value, angle) = (frame[*place], frame[*place].to_radians());
            match name.as_str() {
                "Xposition" => at.x = value,
                "Yposition" => at.y = value,
                "Zposition" => at.z = value,
                "Xrotation" => turn *= DMat3::from_rotation_x(angle),
                "Yrotation" => turn *= DMat3::from_rotation_y(angle),
                "Zrotation" => turn *= DMat3::from_rotation_z(angle),
                other => panic!("{other}"),
            }
        }
        all.push(match joint.parent.map(|parent| all[parent]) {
            Some((above, place)) => (above * turn, place + above * at),
            None => (turn, at),
        });
    }
    all.into_iter().map(|(_, at)| at).collect()
}

fn models(skeleton: &Skeleton, clip: &AnimationClip, time: f32) -> Vec<Mat4> {
    let mut pose = skeleton.bind_pose();
    sample_pose(clip, skeleton, time, &mut pose);
    let mut models = vec![Mat4::IDENTITY; pose.len()];
    model_matrices(skeleton, &pose, &mut models);
    models
}

#[test]
fn every_recording_is_as_an_evaluator_of_its_own_has_it() {
    let Some(folder) = corpus::folder("motion") else { return };
    let files = corpus::files(&folder, &["bvh"]);
    assert!(!files.is_empty());
    let mut most = 0.0_f64;
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let (joints, seconds, frames) = read(&text);
        let bvh = Bvh::read(&text, &BvhOptions::default()).expect("a recording");
        assert_eq!(bvh.skeleton.joints.len(), joints.len(), "{}", file.display());
        let unit = f64::from(bvh.unit);
        for (index, frame) in frames.iter().enumerate().step_by(11) {
            let expected = places(&joints, frame);
            let found = models(&bvh.skeleton, &bvh.clip, (index as f64 * seconds) as f32);
            for ((joint, expected), model) in joints.iter().zip(expected).zip(found) {
                let off = (expected * unit).distance(model.w_axis.truncate().as_dvec3());
                assert!(off < 1e-5, "{}, frame {index}, {}: {off} m", file.display(), joint.name);
                most = most.max(off);
            }
        }
    }
    assert!(most > 0.0);
}

/// The first frame of the database is a T-pose, and files are opened without it: all of them.
#[test]
fn a_t_pose_in_front_is_noticed() {
    let Some(folder) = corpus::folder("motion") else { return };
    let files = corpus::files(&folder.join("cmu"), &["bvh"]);
    assert_eq!(files.len(), 29);
    for file in &files {
        let frames = read(&std::fs::read_to_string(file).expect("a readable file")).2.len();
        let opened = nebula_import::open(file).expect("a recording");
        let (name, found) = (file.display(), opened.asset.animations[0].tracks[0].times.len());
        assert_eq!(found, frames - 1, "{name}: {:?}", opened.notes);
        assert!(
            !opened.notes.iter().any(|note| note.contains("rest pose is") || note.contains("nobody stands")),
            "{name}"
        );
    }
    let file = folder.join("cmu/02_01.bvh");
    let frames = read(&std::fs::read_to_string(&file).expect("a readable file")).2.len();
    let opened = nebula_import::open(&file).expect("a recording");
    assert_eq!(opened.asset.animations[0].name, "02_01");
    let keeps = nebula_import::OpenOptions { bvh_drops_first: Some(false), ..Default::default() };
    let opened = nebula_import::open_with(&file, &keeps).expect("a recording");
    assert_eq!(opened.asset.animations[0].tracks[0].times.len(), frames);
}

/// The limbs that are compared, from joint to joint.
fn limbs() -> Vec<(J, J)> {
    let of = |side: Side| {
        [
            (J::UpperArm(side), J::LowerArm(side)),
            (J::LowerArm(side), J::Hand(side)),
            (J::UpperLeg(side), J::LowerLeg(side)),
            (J::LowerLeg(side), J::Foot(side)),
        ]
    };
    [of(Side::Left), of(Side::Right)].concat()
}

/// Directions of limbs in the axes of the entity: front, left and up of each rest pose.
fn directions(rig: &Rig, clip: &AnimationClip, time: f32) -> HashMap<(J, J), Vec3> {
    let placed = models(rig.skeleton(), clip, time);
    let (front, up) = (rig.front().expect("a front"), rig.up());
    let left = up.cross(front);
    let map = rig.humanoid();
    let mut all = HashMap::new();
    for (from, to) in limbs() {
        if let (Some(a), Some(b)) = (map.get(from), map.get(to)) {
            let way = placed[usize::from(b)].w_axis.truncate() - placed[usize::from(a)].w_axis.truncate();
            all.insert((from, to), Vec3::new(way.dot(left), way.dot(up), way.dot(front)).normalize_or_zero());
        }
    }
    all
}

/// How far limbs point elsewhere than the recording's, in degrees: the mean over a clip, and the farthest of all limbs and moments.
fn off(file: &Path, target: &Path) -> (f32, f32) {
    let source = nebula_import::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let target = nebula_import::open(target).unwrap_or_else(|error| panic!("{}: {error}", target.display()));
    let (from, to) = (source.asset.rig(), target.asset.rig());
    let retarget = Retarget::new(&from, &to).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let clip = &source.clips()[0];
    let made = retarget.clip(clip);
    let mut all: Vec<f32> = Vec::new();
    for step in 0..=20_u8 {
        let time = clip.duration * f32::from(step) / 20.0;
        let (a, b) = (directions(&from, clip, time), directions(&to, &made, time));
        assert!(a.len() == 8 && b.len() == 8, "{}: {} and {} limbs", file.display(), a.len(), b.len());
        all.extend(a.iter().map(|(limb, way)| way.angle_between(b[limb]).to_degrees()));
    }
    all.sort_by(f32::total_cmp);
    (all.iter().sum::<f32>() / all.len() as f32, all[all.len() - 1])
}

#[test]
fn recordings_move_the_limbs_of_others_alike() {
    let (Some(motion), Some(characters)) = (corpus::folder("motion"), corpus::folder("characters")) else { return };
    let targets = [
        characters.join("kaykit-knight.glb"),
        characters.join("m2m-human-sophia.glb"),
        corpus::own("simple_humanoid.glb"),
    ];
    let mut worst: Vec<(f32, String)> = Vec::new();
    for file in corpus::files(&motion, &["bvh"]) {
        for target in &targets {
            let (mean, most) = off(&file, target);
            worst.push((most, format!("{} on {}: {mean} degrees, at most {most}", file.display(), target.display())));
        }
    }
    worst.sort_by(|a, b| b.0.total_cmp(&a.0));
    corpus::said(&worst[0].1);
    assert!(worst.len() >= 3 * 29, "{} pairs", worst.len());
    assert!(worst[0].0 < 8.0, "{:#?}", worst.iter().take(12).map(|it| &it.1).collect::<Vec<_>>());
}
