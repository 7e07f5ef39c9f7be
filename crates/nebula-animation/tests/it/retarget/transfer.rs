use glam::{Quat, Vec3};
use nebula_animation::retarget::{RetargetError, RetargetOptions};
use nebula_animation::{AnimationClip, Retarget, Rig, Skeleton};

use super::bodies::{Body, humanoid};

/// Times of a clip, closer together than its keys.
fn times(clip: &AnimationClip) -> impl Iterator<Item = f32> {
    let duration = clip.duration;
    (0..=400_u16).map(move |step| duration * f32::from(step) / 400.0)
}

#[test]
fn a_giant_on_other_axes_and_the_humanoid_play_each_others_clips() {
    let (person, giant) = (humanoid(), humanoid().with_other_axes(11).enlarged(2.5));
    for (from, to) in [(&person, &giant), (&giant, &person)] {
        let retarget = from.retarget(to);
        assert!(retarget.missing_in_source().is_empty() && retarget.missing_in_target().is_empty());
        for (clip, own) in from.clips.iter().zip(&to.clips) {
            let made = retarget.clip(clip);
            for time in times(clip) {
                for (own, made) in to.models(own, time).into_iter().zip(to.models(&made, time)) {
                    assert!(own.abs_diff_eq(made, 1e-4), "{} at {time}: {own} against {made}", clip.name);
                }
            }
        }
    }
}

/// The worst height of the lowest sole while the source stands, in metres.
fn worst_height(from: &Body, to: &Body, sizes: [f32; 2], clip: &AnimationClip, retarget: &Retarget) -> f32 {
    let made = retarget.clip(clip);
    let mut worst = 0.0_f32;
    let mut stances = 0;
    for time in times(clip) {
        if from.lowest_sole(clip, time, sizes[0]).abs() < 0.004 {
            worst = worst.max(to.lowest_sole(&made, time, sizes[1]).abs());
            stances += 1;
        }
    }
    assert!(stances > 100, "{}: {stances} moments of stance", clip.name);
    worst
}

#[test]
fn feet_stay_on_the_ground_in_other_proportions() {
    let person = humanoid();
    let clips = ["walk", "run", "idle", "turn_left", "jump", "walk_root_motion", "run_root_motion", "jump_root_motion"];
    let mut worst = 0.0_f32;
    for (legs, feet, arms) in [(1.3, 1.0, 0.8), (0.7, 1.0, 1.2), (1.15, 0.8, 0.7), (1.5, 1.3, 1.0), (1.0, 1.4, 0.9)] {
        let mut other = humanoid().reshaped(legs, feet, arms).with_other_axes(5);
        let there = person.retarget(&other);
        let back = other.retarget(&person);
        other.clips = person.clips.iter().map(|clip| there.clip(clip)).collect();
        for name in clips {
            let height = worst_height(&person, &other, [1.0, feet], person.clip(name), &there);
            assert!(height < 0.02, "{name} with legs {legs}, feet {feet}: {height} m");
            let height_back = worst_height(&other, &person, [feet, 1.0], other.clip(name), &back);
            assert!(height_back < 0.02, "{name} back from legs {legs}, feet {feet}: {height_back} m");
            worst = worst.max(height).max(height_back);
        }
    }
    println!("lowest sole at most {:.1} mm from the ground in stance", worst * 1e3);
}

#[test]
fn without_care_for_the_ground_the_feet_would_leave_it() {
    let (person, other) = (humanoid(), humanoid().reshaped(1.5, 1.0, 1.0));
    let options = RetargetOptions { keeps_ground_contact: false, ..RetargetOptions::default() };
    let careless = Retarget::with_options(&person.rig(), &other.rig(), options).expect("two humans");
    assert!(worst_height(&person, &other, [1.0; 2], person.clip("run"), &careless) > 0.02);
}

#[test]
fn steps_grow_with_the_legs() {
    let (person, other) = (humanoid(), humanoid().reshaped(1.4, 1.0, 1.0));
    let retarget = person.retarget(&other);
    let made = retarget.clip(person.clip("walk_root_motion"));
    let end = other.models(&made, made.duration)[other.joint("Root")].w_axis.z;
    assert!((end - 1.4 * retarget.proportion()).abs() < 1e-4);
    assert!((1.3..1.4).contains(&retarget.proportion()));
}

#[test]
fn arms_that_rest_at_the_sides_move_as_arms_that_rest_stretched_out() {
    let person = humanoid();
    let mut hanging = humanoid();
    for (arm, turn) in [("LeftArm", -0.9), ("RightArm", 0.9)] {
        let joint = hanging.joint(arm);
        hanging.skeleton.joints[joint].bind_rotation = Quat::from_rotation_z(turn);
    }
    let retarget = person.retarget(&hanging);
    // Waving moves one arm only; the other one is held where the source's rests.
    let both = &["Left", "Right"][..];
    for (name, sides) in [("walk", both), ("run", both), ("wave", both)] {
        let clip = person.clip(name);
        let made = retarget.clip(clip);
        for time in times(clip).step_by(20) {
            let (source, target) = (person.models(clip, time), hanging.models(&made, time));
            for side in sides {
                for (from, to) in [("Arm", "ForeArm"), ("ForeArm", "Hand"), ("Hand", "Fingers")] {
                    let [from, to] = [from, to].map(|part| person.joint(&format!("{side}{part}")));
                    let bone = |models: &[glam::Mat4]| (models[to].w_axis - models[from].w_axis).truncate();
                    assert!(bone(&source).abs_diff_eq(bone(&target), 1e-5), "{name} at {time}: {side}");
                }
            }
        }
    }
}

#[test]
fn joints_without_a_partner_are_reported_and_prefixes_are_not_in_the_way() {
    let person = humanoid();
    let mut other = humanoid();
    for joint in &mut other.skeleton.joints {
        joint.name = format!("mixamorig:{}", joint.name);
    }
    let toes = other.joint("mixamorig:LeftToeBase");
    other.skeleton.joints[toes].name = "Hoof".into();
    let retarget = person.retarget(&other);
    assert_eq!(retarget.missing_in_target(), [person.joint("LeftToeBase") as u16]);
    assert_eq!(retarget.missing_in_source(), [toes as u16]);
    let made = retarget.clip(person.clip("walk"));
    assert!(made.rotation_channels.iter().all(|channel| usize::from(channel.joint_index) != toes));
    assert_eq!(made.rotation_channels.len() + 1, person.clip("walk").rotation_channels.len());
}

#[test]
fn odd_skeletons_and_clips_do_no_harm() {
    let person = humanoid();
    let nobody = Skeleton::default();
    let nobody = Rig::new(nobody);
    let Err(RetargetError::NoPairs(report)) = Retarget::new(&person.rig(), &nobody) else { panic!("nobody walks") };
    assert_eq!(report.missing_in_target.len(), 25);
    assert!(matches!(Retarget::new(&nobody, &person.rig()), Err(RetargetError::NoPairs(_))));

    let mut broken = humanoid();
    for joint in &mut broken.skeleton.joints {
        joint.bind_scale = Vec3::ZERO;
        joint.bind_translation = Vec3::splat(f32::NAN);
        joint.bind_rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    }
    for (from, to) in [(&person, &broken), (&broken, &person), (&broken, &broken)] {
        let retarget = from.retarget(to);
        assert!(retarget.proportion().is_finite());
        let _ = retarget.clip(person.clip("walk"));
    }
}

/// A body with one joint less in its spine: what the clip turns there, the joints above it have to turn.
#[test]
fn turns_of_a_joint_that_the_target_lacks_are_taken_over_by_those_below() {
    let (person, mut other) = (humanoid(), humanoid());
    let lost = other.joint("Spine1");
    let offset = other.skeleton.joints[lost].bind_translation;
    other.skeleton.joints.remove(lost);
    for joint in &mut other.skeleton.joints {
        joint.index -= u16::from(usize::from(joint.index) > lost);
        joint.parent = joint.parent.map(|parent| match usize::from(parent) {
            parent if parent == lost => (lost - 1) as u16,
            parent => (parent - usize::from(parent > lost)) as u16,
        });
    }
    let above = other.joint("Spine2");
    other.skeleton.joints[above].bind_translation += offset;
    let retarget = person.retarget(&other);
    assert_eq!(retarget.missing_in_target(), [lost as u16]);
    for name in ["walk", "run", "idle", "wave", "jump"] {
        let clip = person.clip(name);
        let made = retarget.clip(clip);
        for time in times(clip).step_by(7) {
            let (source, target) = (person.models(clip, time), other.models(&made, time));
            for part in ["Spine2", "Head", "LeftHand", "RightForeArm", "LeftFoot"] {
                let [a, b] = [source[person.joint(part)], target[other.joint(part)]];
                let rotation = |model: glam::Mat4| Quat::from_mat4(&model);
                let apart = rotation(a).angle_between(rotation(b));
                assert!(apart < 2e-3, "{name} at {time}: {part} is turned by {apart} too much");
            }
        }
    }
}
