//! Rigs as tools make them are found to be the humans that they are, play the clips of others, and others play theirs.

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};
use nebula_animation::retarget::{PairedBy, WhyUnpaired};
use nebula_animation::skeleton::{Evidence, Side};
use nebula_animation::{AnimationClip, HumanoidJoint as J, Retarget, Rig};

use super::bodies::humanoid;
use super::outside::{Names, Seen, apart};
use super::strangers::everybody;
use super::tools::{PARTS, TOOLS, vrm_0};

#[test]
fn each_is_found_to_be_the_human_that_it_is() {
    for tool in TOOLS {
        let rig = Rig::new(tool.skeleton());
        let map = rig.humanoid();
        map.check(rig.skeleton()).unwrap_or_else(|error| panic!("{}: {error}", tool.title));
        assert_eq!(rig.front(), Some(tool.front()), "{}", tool.title);
        assert!(map.certainty() > 0.8, "{}: {}", tool.title, map.certainty());
        // Three joints of a back may be counted in other ways than ours; all else is what it is, left is left.
        for part in (0..PARTS.len()).filter(|part| !(1..=3).contains(part) && tool.has(*part)) {
            for side in Side::BOTH {
                let joint = PARTS[part].0(side);
                let found = map.get(joint).map(|found| rig.joints[usize::from(found)].name.clone());
                assert_eq!(found, Some(tool.name(part, side)), "{}: {joint}", tool.title);
            }
        }
    }
    let (rig, _) = vrm_0();
    assert_eq!(rig.front(), Some(Vec3::NEG_Z));
    assert!(rig.humanoid().iter().all(|(joint, _)| rig.humanoid().evidence(joint) == Some(Evidence::File)));
    assert_eq!(rig.humanoid().certainty(), 1.0);
}

/// The same without names: by shape, and left is left whichever way it faces.
#[test]
fn without_names_left_is_left_whichever_way_one_faces() {
    for tool in TOOLS.into_iter().filter(|tool| tool.has(13)) {
        let mut skeleton = tool.skeleton();
        let names: Vec<String> = skeleton.joints.iter().map(|joint| joint.name.clone()).collect();
        for joint in &mut skeleton.joints {
            joint.name = format!("node{}", joint.index);
        }
        let rig = Rig::new(skeleton);
        let map = rig.humanoid();
        for part in [7, 8, 9, 10, 11, 12] {
            for side in Side::BOTH {
                let joint = PARTS[part].0(side);
                let found = map.get(joint).map(|found| names[usize::from(found)].as_str());
                assert_eq!(found, Some(&*tool.name(part, side)), "{}: {joint}", tool.title);
                assert_eq!(map.evidence(joint), Some(Evidence::Shape));
            }
        }
        assert_eq!(rig.front(), Some(tool.front()), "{}", tool.title);
    }
}

/// Everybody's clips on everybody else, ours first, those of the corpus where it is there, and back again.
#[test]
fn they_play_each_others_clips() {
    let own = humanoid();
    let mut sources: Vec<(String, Arc<Rig>, Seen, Vec<AnimationClip>)> = vec![(
        "our humanoid".into(),
        own.rig(),
        Seen::new(&own.skeleton, Names::MIXAMO, DVec3::Z),
        own.clips.iter().filter(|clip| ["walk", "run", "wave", "jump"].contains(&&*clip.name)).cloned().collect(),
    )];
    for (name, rig, seen, clips) in everybody("conventions::they_play_each_others_clips") {
        // A few of each are enough here.
        sources.push((name, rig, seen, clips.into_iter().step_by(9).collect()));
    }
    let mut made_rigs: Vec<(&str, Arc<Rig>, Seen)> =
        TOOLS.iter().map(|tool| (tool.title, Rig::new(tool.skeleton()), tool.seen())).collect();
    let (rig, seen) = vrm_0();
    made_rigs.push(("VRM 0.x", rig, seen));
    for (name, source, seen, clips) in &sources {
        for (index, (title, target, target_seen)) in made_rigs.iter().enumerate() {
            let there = Retarget::new(source, target).unwrap_or_else(|error| panic!("{name} to {title}: {error}"));
            let (next_title, next, next_seen) = &made_rigs[(index + 1) % made_rigs.len()];
            let on = Retarget::new(target, next).expect("two humans");
            let back = Retarget::new(target, source).expect("two humans");
            assert_all_paired(&format!("{name} to {title}"), &there, source, target);
            assert_all_paired(&format!("{title} to {next_title}"), &on, target, next);
            for clip in clips {
                let made = there.clip(clip);
                let check = |what: &str, bodies: [&Seen; 2], clips: [&AnimationClip; 2]| {
                    for (kind, [mean, worst]) in apart(bodies, clips, 12).into_iter().enumerate() {
                        let which =
                            format!("{:?}, {what}: mean {mean:.1}, largest {worst:.1} in axes {kind}", clip.name);
                        assert!(mean <= 8.0 && worst <= 30.0, "{which}");
                    }
                };
                check(&format!("{name} to {title}"), [seen, target_seen], [clip, &made]);
                check(&format!("{title} to {next_title}"), [target_seen, next_seen], [&made, &on.clip(&made)]);
                check(&format!("{title} to {name}"), [target_seen, seen], [&made, &back.clip(&made)]);
            }
        }
    }
}

/// Every joint of a human, fingers included, that both have is a pair.
pub fn assert_all_paired(what: &str, retarget: &Retarget, source: &Rig, target: &Rig) {
    let pairs = &retarget.report().pairs;
    for joint in J::ALL {
        if source.humanoid().get(joint).is_some() && target.humanoid().get(joint).is_some() {
            assert!(pairs.iter().any(|pair| pair.by == PairedBy::Meaning(joint)), "{what}: no pair of {joint}");
        }
    }
    for side in Side::BOTH {
        for finger in nebula_animation::skeleton::Finger::ALL {
            let both = source.humanoid().finger(side, finger).into_iter().zip(target.humanoid().finger(side, finger));
            for (place, _) in both.enumerate().filter(|(_, (own, others))| own.is_some() && others.is_some()) {
                let by = PairedBy::Finger(side, finger, place as u8);
                assert!(pairs.iter().any(|pair| pair.by == by), "{what}: no pair of {by}");
            }
        }
    }
}

/// Forearms that twist by a right angle: what lies half way along them has half of it, and skin at the shoulder none.
#[test]
fn twist_joints_of_the_target_share_the_twist() {
    let (source, target) = (Rig::new(TOOLS[4].without_twists().skeleton()), Rig::new(TOOLS[4].skeleton()));
    let retarget = Retarget::new(&source, &target).expect("two humans");
    let twists = retarget.report().missing_in_source.iter().filter(|it| it.why == WhyUnpaired::SharesTwist);
    assert_eq!(twists.count(), 4);
    let joint = |rig: &Rig, name: &str| usize::from(rig.joint_by_name(name).expect("a joint"));
    for (told, bone, end, twist, expected) in [
        ("hand_l", "lowerarm_l", "hand_l", "lowerarm_twist_01_l", 0.6 * 90.0),
        ("upperarm_l", "upperarm_l", "lowerarm_l", "upperarm_twist_01_l", -0.7 * 90.0),
    ] {
        let (told, bone, end, twist) =
            (joint(&target, told), joint(&target, bone), joint(&target, end), joint(&target, twist));
        let axis = target.joints[end].bind_translation.try_normalize().expect("a bone has a length");
        let rest = target.joints[told].bind_rotation;
        let turn = Quat::from_axis_angle(axis, std::f32::consts::FRAC_PI_2);
        // The hand turns about the forearm that it hangs from, an upper arm about itself.
        let value = if told == bone { rest * turn } else { turn * rest };
        let mut clip = AnimationClip { name: "twist".into(), duration: 1.0, ..AnimationClip::default() };
        clip.rotation_channels.push(nebula_animation::Channel {
            joint_index: told as u16,
            interpolation: nebula_animation::Interpolation::Linear,
            keyframes: [(0.0, rest), (1.0, value)]
                .map(|(time, value)| nebula_animation::Keyframe { time, value, tangents: None })
                .to_vec(),
        });
        let made = retarget.clip(&clip);
        let channel = made.rotation_channels.iter().find(|it| usize::from(it.joint_index) == twist).expect("it twists");
        let last = channel.keyframes.last().expect("keys").value * target.joints[twist].bind_rotation.inverse();
        let (way, angle) = last.to_axis_angle();
        let angle = angle.to_degrees() * way.dot(axis);
        assert!((angle - expected).abs() < 0.5, "{angle} instead of {expected}");
    }
}
