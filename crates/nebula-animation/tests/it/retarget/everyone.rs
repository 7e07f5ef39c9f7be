//! What has to hold for every character there is: made ones, shipped ones, and those of the corpus.

use std::path::Path;
use std::sync::OnceLock;

use glam::{DMat4, DQuat, DVec3};
use nebula_animation::{
    AnimationClip, Clock, JointPose, Retarget, Rig, Skeleton,
    compile::{RootMotionOptions, extract_root_motion},
    retarget::Mirror,
    sample_pose,
};

use crate::determinism::{corpus, generated, gltf_files, loaded};

fn everyone(test: &str) -> &'static [(Skeleton, Vec<AnimationClip>)] {
    static EVERYONE: OnceLock<Vec<(Skeleton, Vec<AnimationClip>)>> = OnceLock::new();
    let folder = corpus(test);
    EVERYONE.get_or_init(|| {
        let mut characters = generated();
        let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets");
        characters.extend(["robot.glb", "simple_humanoid.glb"].map(|name| loaded(&assets.join(name))));
        let files = folder.map(|folder| gltf_files(&folder.join("conformance/assets")));
        characters.extend(files.iter().flatten().map(|file| loaded(file)));
        characters
    })
}

fn pose(skeleton: &Skeleton, clip: &AnimationClip, time: f32) -> Vec<JointPose> {
    let mut pose = skeleton.bind_pose();
    sample_pose(clip, skeleton, time, &mut pose);
    pose
}

fn models(skeleton: &Skeleton, clip: &AnimationClip, time: f32) -> Vec<DMat4> {
    let mut models: Vec<DMat4> = Vec::new();
    for (joint, (t, r, s)) in skeleton.joints.iter().zip(pose(skeleton, clip, time)) {
        let local = DMat4::from_scale_rotation_translation(s.as_dvec3(), r.as_dquat(), t.as_dvec3());
        models.push(joint.parent.map_or(local, |parent| models[usize::from(parent)] * local));
    }
    models
}

fn times(clip: &AnimationClip) -> impl Iterator<Item = f32> {
    let duration = clip.duration;
    (0..=13_u8).map(move |step| duration * f32::from(step) / 13.0)
}

/// How far two poses differ, in shares of the numbers in them.
fn difference(a: &[JointPose], b: &[JointPose]) -> f32 {
    let vectors = |a: glam::Vec3, b: glam::Vec3| (a - b).abs().max_element() / a.abs().max_element().max(1.0);
    let mut worst = 0.0_f32;
    for (a, b) in a.iter().zip(b) {
        let turned = 1.0 - a.1.dot(b.1).abs().min(1.0);
        worst = worst.max(vectors(a.0, b.0)).max(turned).max(vectors(a.2, b.2));
    }
    worst
}

#[test]
fn taken_to_itself_a_clip_is_the_same() {
    for (skeleton, clips) in everyone("taken_to_itself_a_clip_is_the_same") {
        let rig = Rig::new(skeleton);
        let Ok(retarget) = Retarget::new(&rig, &rig) else {
            assert!(skeleton.joints.is_empty(), "only who has no joints has nobody's");
            continue;
        };
        assert!(retarget.missing_in_target().is_empty() && retarget.missing_in_source().is_empty());
        for clip in clips {
            let made = retarget.clip(clip);
            for time in times(clip) {
                let worst = difference(&pose(skeleton, clip, time), &pose(skeleton, &made, time));
                assert!(worst < 1e-4, "{} joints, {:?} at {time}: {worst}", skeleton.joints.len(), clip.name);
            }
        }
    }
}

#[test]
fn mirrored_twice_every_clip_is_itself() {
    for (skeleton, clips) in everyone("mirrored_twice_every_clip_is_itself") {
        let mirror = Mirror::new(skeleton);
        for clip in clips {
            let twice = mirror.clip(&mirror.clip(clip));
            // Keys are compared, because between two that are half a turn apart rounding decides which way it goes. A scale
            // along axes that the mirror does not keep is only there in the mean.
            let kept = |joint: u16| usize::from(joint) < skeleton.joints.len();
            for (a, b) in clip.rotation_channels.iter().filter(|it| kept(it.joint_index)).zip(&twice.rotation_channels)
            {
                assert_eq!((a.joint_index, a.interpolation), (b.joint_index, b.interpolation));
                for (a, b) in a.keyframes.iter().zip(&b.keyframes) {
                    assert!(a.time == b.time && a.value.abs_diff_eq(b.value, 1e-5), "{:?}: {a:?} {b:?}", clip.name);
                }
            }
            for (a, b) in
                clip.translation_channels.iter().filter(|it| kept(it.joint_index)).zip(&twice.translation_channels)
            {
                assert_eq!((a.joint_index, a.interpolation), (b.joint_index, b.interpolation));
                for (a, b) in a.keyframes.iter().zip(&b.keyframes) {
                    let size = 1.0 + a.value.length();
                    assert!(
                        a.time == b.time && a.value.abs_diff_eq(b.value, 1e-5 * size),
                        "{:?}: {a:?} {b:?}",
                        clip.name
                    );
                }
            }
        }
    }
}

#[test]
fn any_joint_can_be_the_root() {
    let mut count = 0;
    for (skeleton, clips) in everyone("any_joint_can_be_the_root") {
        for (number, clip) in clips.iter().enumerate() {
            let joint = (number * 5) % skeleton.joints.len().max(1);
            if skeleton.joints.is_empty() {
                continue;
            }
            let options = RootMotionOptions { y: number % 2 == 0, ..RootMotionOptions::of_joint(joint as u16) };
            let (on_the_spot, track) = extract_root_motion(clip, skeleton, &options);
            for time in times(clip) {
                let place = track.place(time.into());
                let place = DMat4::from_rotation_translation(DQuat::from_rotation_y(place.yaw), place.translation);
                let whole = models(skeleton, clip, time)[joint];
                let made = place * models(skeleton, &on_the_spot, time)[joint];
                let size = 1.0 + whole.w_axis.truncate().length();
                // A joint below uneven scales is sheared, and has no rotation to take the turn out of.
                let is_sheared = |matrix: &DMat4| {
                    let axes = [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate().normalize());
                    axes[0].dot(axes[1]).abs().max(axes[1].dot(axes[2]).abs()).max(axes[0].dot(axes[2]).abs()) > 1e-4
                };
                let far = (made.w_axis - whole.w_axis).length() / size;
                assert!(far < 5e-3 || is_sheared(&whole), "{:?} joint {joint} at {time}: {far}", clip.name);
                let axes = DVec3::new(
                    (made.x_axis - whole.x_axis).length(),
                    (made.y_axis - whole.y_axis).length(),
                    (made.z_axis - whole.z_axis).length(),
                );
                let length = whole.x_axis.length().max(whole.y_axis.length()).max(whole.z_axis.length());
                assert!(
                    axes.max_element() <= 2e-2 * length || is_sheared(&whole),
                    "{:?} joint {joint} at {time}: {axes}",
                    clip.name
                );
                count += 1;
            }
            let duration = f64::from(clip.duration);
            let whole = track.motion(&Clock::looping(duration), 0.0, 3.5 * duration);
            assert!(whole.translation.is_finite() && whole.yaw.is_finite());
        }
    }
    assert!(count > 1000);
}
