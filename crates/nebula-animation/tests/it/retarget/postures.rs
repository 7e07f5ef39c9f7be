//! Bodies that face elsewhere, in other units, in other rest poses, with other joints: all made from the humanoid, so that it is known
//! exactly what they have to do.

use glam::{DVec3, Mat4, Quat, Vec3};
use nebula_animation::retarget::{PairedBy, WhyUnpaired};
use nebula_animation::{
    HumanoidJoint as J, Joint, Retarget, Rig, Skeleton, retarget::RetargetError, sample_pose, skeleton::Side,
};

use super::bodies::{Body, humanoid};
use super::outside::{Names, Seen, apart};

/// Unreal's names for those of the humanoid, without a prefix.
const UNREAL: [(&str, &str); 14] = [
    ("Hips", "pelvis"),
    ("Spine2", "spine_03"),
    ("Spine1", "spine_02"),
    ("Spine", "spine_01"),
    ("Neck", "neck_01"),
    ("Head", "head"),
    ("Shoulder", "clavicle"),
    ("ForeArm", "lowerarm"),
    ("Arm", "upperarm"),
    ("Hand", "hand"),
    ("UpLeg", "thigh"),
    ("Leg", "calf"),
    ("Foot", "foot"),
    ("ToeBase", "ball"),
];

impl Body {
    /// The same body with other words for its joints; what has none there keeps its name.
    fn renamed(mut self) -> Self {
        for joint in &mut self.skeleton.joints {
            let (side, part) = match (joint.name.strip_prefix("Left"), joint.name.strip_prefix("Right")) {
                (Some(part), _) => ("_l", part),
                (_, Some(part)) => ("_r", part),
                _ => ("", joint.name.as_str()),
            };
            if let Some((_, name)) = UNREAL.iter().find(|(name, _)| *name == part) {
                joint.name = format!("{name}{side}");
            }
        }
        self
    }

    /// The same body built the other way round: it faces -Z, and no joint is turned for it.
    fn facing_back(mut self) -> Self {
        let turn = Quat::from_rotation_y(std::f32::consts::PI);
        for joint in &mut self.skeleton.joints {
            joint.bind_translation = turn * joint.bind_translation;
            joint.bind_rotation = turn * joint.bind_rotation * turn.inverse();
        }
        self
    }

    /// The same body in centimetres, below a joint that makes metres of them: what comes out of Mixamo.
    fn in_centimetres(self) -> Self {
        let mut small = self.enlarged(100.0);
        for joint in &mut small.skeleton.joints {
            joint.index += 1;
            joint.parent = Some(joint.parent.map_or(0, |parent| parent + 1));
        }
        let armature = Joint {
            index: 0,
            parent: None,
            inverse_bind_matrix: Mat4::IDENTITY,
            name: "Armature".into(),
            bind_translation: Vec3::ZERO,
            bind_rotation: Quat::IDENTITY,
            bind_scale: Vec3::splat(0.01),
        };
        small.skeleton.joints.insert(0, armature);
        small
    }

    /// The same body with limbs that rest elsewhere: arms and legs turned about the axis ahead, elbows and knees about the one across.
    fn resting(mut self, arms: f32, legs: f32, elbows: f32, knees: f32) -> Self {
        for joint in &mut self.skeleton.joints {
            let side = if joint.name.starts_with("Left") { 1.0 } else { -1.0 };
            let turn = match joint.name.trim_start_matches("Left").trim_start_matches("Right") {
                "Arm" => Quat::from_rotation_z(-side * arms),
                "ForeArm" => Quat::from_rotation_y(-side * elbows),
                "UpLeg" => Quat::from_rotation_z(side * legs) * Quat::from_rotation_x(-knees / 2.0),
                "Leg" => Quat::from_rotation_x(knees),
                "Foot" => Quat::from_rotation_x(-knees / 2.0) * Quat::from_rotation_z(-side * legs),
                _ => continue,
            };
            joint.bind_rotation = turn * joint.bind_rotation;
        }
        self
    }

    /// The same body that rests as it is at a moment of one of its clips.
    fn resting_in(mut self, clip: &str, time: f32) -> Self {
        let mut pose = self.skeleton.bind_pose();
        sample_pose(self.clip(clip), &self.skeleton, time, &mut pose);
        for (joint, (translation, rotation, scale)) in self.skeleton.joints.iter_mut().zip(pose) {
            (joint.bind_translation, joint.bind_rotation, joint.bind_scale) = (translation, rotation, scale);
        }
        self
    }

    fn without(mut self, name: &str) -> Self {
        let lost = self.joint(name);
        let Joint { parent, bind_translation: offset, .. } = self.skeleton.joints.remove(lost);
        for joint in &mut self.skeleton.joints {
            if joint.parent == Some(lost as u16) {
                joint.bind_translation += offset;
                joint.parent = parent;
            }
            joint.parent = joint.parent.map(|parent| parent - u16::from(usize::from(parent) > lost));
            joint.index -= u16::from(usize::from(joint.index) > lost);
        }
        self
    }
}

/// How far joints of the target are from where they should be, in metres, over the clips of the humanoid.
fn worst_way(target: &Body, clips: &[&str], expected: impl Fn(Vec3) -> Vec3, parts: &[&str]) -> f32 {
    let (person, renamed) = (humanoid(), humanoid().renamed());
    let retarget = person.retarget(target);
    let mut worst = 0.0_f32;
    for name in clips {
        let clip = person.clip(name);
        let made = retarget.clip(clip);
        for step in 0..=30_u8 {
            let time = clip.duration * f32::from(step) / 30.0;
            let (source, models) = (person.models(clip, time), target.models(&made, time));
            for part in parts {
                let joint = person.joint(part);
                let known = |name: &str| target.skeleton.joint_by_name(name);
                let partner = known(part).or_else(|| known(&renamed.skeleton.joints[joint].name));
                let at = models[usize::from(partner.unwrap_or_else(|| panic!("{part} is gone")))].w_axis.truncate();
                worst = worst.max(at.distance(expected(source[joint].w_axis.truncate())));
            }
        }
    }
    worst
}

const CLIPS: [&str; 7] = ["walk", "run", "idle", "wave", "jump", "walk_root_motion", "turn_left"];
const PARTS: [&str; 10] = [
    "Hips",
    "Head",
    "LeftForeArm",
    "LeftHand",
    "RightHand",
    "LeftLeg",
    "RightLeg",
    "LeftFoot",
    "RightFoot",
    "RightToeBase",
];

/// Knees that bend backwards would be half a metre off.
#[test]
fn whoever_faces_the_other_way_does_the_same_the_other_way_round() {
    let turn = Quat::from_rotation_y(std::f32::consts::PI);
    for target in [humanoid().renamed().facing_back(), humanoid().renamed().facing_back().with_other_axes(3)] {
        assert!(target.rig().front().is_some_and(|front| front.abs_diff_eq(Vec3::NEG_Z, 1e-4)));
        let worst = worst_way(&target, &CLIPS, |at| turn * at, &PARTS);
        assert!(worst < 1e-4, "{worst} m");
    }
}

#[test]
fn centimetres_below_a_small_scale_are_metres() {
    let target = humanoid().renamed().in_centimetres();
    let retarget = humanoid().retarget(&target);
    assert!((retarget.proportion() - 1.0).abs() < 1e-4, "{}", retarget.proportion());
    let worst = worst_way(&target, &CLIPS, |at| at, &PARTS);
    assert!(worst < 1e-4, "{worst} m");
}

/// Limbs point where the source's do, whatever pose the target rests in: A-pose, arms hanging, legs apart, elbows and knees bent.
#[test]
fn rest_poses_do_not_matter() {
    for [arms, legs, elbows, knees] in [
        [0.8, 0.0, 0.0, 0.0],
        [1.4, 0.0, 0.5, 0.0],
        [-0.5, 0.3, 0.0, 0.0],
        [0.5, 0.1, 1.2, 0.6],
        [0.05, 0.05, 0.1, 0.1],
    ] {
        let target = humanoid().renamed().resting(arms, legs, elbows, knees);
        let arms = worst_way(&target, &CLIPS, |at| at, &["LeftForeArm", "LeftHand", "RightHand"]);
        // The ground keeps feet down to the guess where soles of bent legs are.
        let legs = worst_way(&target, &CLIPS, |at| at, &["LeftLeg", "RightLeg", "LeftFoot", "RightToeBase"]);
        assert!(arms.max(legs) < 0.03, "arms {arms} m, legs {legs} m");
    }
}

/// Files whose nodes rest in the middle of a motion: limbs still point where they should, and feet are not upside down.
#[test]
fn a_moment_of_a_clip_is_as_good_a_rest_pose() {
    let person = humanoid();
    for (rest, time) in
        [("idle", 0.5), ("walk", 0.0), ("walk", 0.4), ("run", 0.1), ("run", 0.25), ("wave", 0.8), ("jump", 0.3)]
    {
        let bodies = [
            (humanoid().resting_in(rest, time).renamed(), DVec3::Z),
            (humanoid().resting_in(rest, time).renamed().facing_back(), DVec3::NEG_Z),
        ];
        for (target, front) in bodies {
            let own = Seen::new(&person.skeleton, Names::MIXAMO, DVec3::Z);
            let others = Seen::new(&target.skeleton, Names::UNREAL, front);
            for (source, target, seen) in [(&person, &target, [&own, &others]), (&target, &person, [&others, &own])] {
                let retarget = Retarget::new(&source.rig(), &target.rig()).expect("two humans");
                let name = if source.skeleton.joints[0].name == "Root" { "walk" } else { "run" };
                let clip = person.clip(name);
                let [in_file, in_trunk, ..] = apart(seen, [clip, &retarget.clip(clip)], 24).map(|[_, worst]| worst);
                let which = format!(
                    "{rest} at {time}, {} by {}",
                    source.skeleton.joints[1].name, target.skeleton.joints[1].name
                );
                assert!(in_file < 1.0 && in_trunk < 15.0, "{which}: {in_file}, {in_trunk}");
            }
        }
    }
}

/// A source whose root carries the way, and a target without a root: the hips take it over. And the other way round.
#[test]
fn the_way_of_a_root_is_not_lost() {
    let target = humanoid().renamed().without("Root");
    let worst =
        worst_way(&target, &["walk_root_motion", "run_root_motion", "jump_root_motion", "turn_left"], |at| at, &PARTS);
    assert!(worst < 1e-3, "{worst} m");
    let mut rootless = humanoid().without("Root");
    let there = humanoid().retarget(&rootless);
    rootless.clips = humanoid().clips.iter().map(|clip| there.clip(clip)).collect();
    let back = rootless.retarget(&humanoid());
    let (walk, made) = (humanoid(), back.clip(rootless.clip("walk_root_motion")));
    let end = |models: &[Mat4]| models[walk.joint("Hips")].w_axis.truncate();
    let own = end(&walk.models(walk.clip("walk_root_motion"), made.duration));
    assert!(own.distance(end(&walk.models(&made, made.duration))) < 1e-3);
}

/// Motion capture rests about its hips, with the ground a leg's length below, and its clips put it on 0.
#[test]
fn a_body_that_rests_about_its_hips_walks_on_the_ground() {
    let (person, mut source) = (humanoid(), humanoid());
    let hips = source.joint("Hips");
    source.skeleton.joints[hips].bind_translation = Vec3::ZERO;
    let retarget = source.retarget(&person);
    for name in ["walk", "run", "walk_root_motion"] {
        let clip = person.clip(name);
        assert!(clip.translation_channels.iter().any(|channel| usize::from(channel.joint_index) == hips), "{name}");
        let made = retarget.clip(clip);
        for step in 0..=30_u8 {
            let time = clip.duration * f32::from(step) / 30.0;
            let (own, others) = (person.models(clip, time), person.models(&made, time));
            for part in PARTS {
                let at = |models: &[Mat4]| models[person.joint(part)].w_axis.truncate();
                let apart = at(&own).distance(at(&others));
                assert!(apart < 0.02, "{name} at {time}: {part} is {apart} m off");
            }
        }
    }
}

/// Joints that both have are partners whatever they are called; the report says by what, and who is alone and why.
#[test]
fn the_report_says_who_is_whose_partner() {
    let (person, target) = (humanoid(), humanoid().renamed().without("ball_r"));
    let retarget = person.retarget(&target);
    let report = retarget.report();
    assert!(report.is_humanoid && report.fronts == [Some(Vec3::Z); 2]);
    let by_meaning: Vec<J> = report
        .pairs
        .iter()
        .filter_map(|pair| match pair.by {
            PairedBy::Meaning(joint) => Some(joint),
            _ => None,
        })
        .collect();
    let both =
        |joint: &J| person.rig().humanoid().get(*joint).is_some() && target.rig().humanoid().get(*joint).is_some();
    assert_eq!(by_meaning.len(), J::ALL.iter().filter(|joint| both(joint)).count());
    for pair in &report.pairs {
        let (own, others) =
            (&person.skeleton.joints[usize::from(pair.source)], &target.skeleton.joints[usize::from(pair.target)]);
        let renamed = humanoid().renamed();
        assert_eq!(renamed.skeleton.joints[usize::from(own.index)].name, others.name);
    }
    let toes = person.joint("RightToeBase") as u16;
    let alone = report.missing_in_target.iter().find(|alone| alone.joint == toes).expect("it has no partner");
    assert_eq!(alone.why, WhyUnpaired::NoSuchJoint(J::Toes(Side::Right)));
    assert_eq!(alone.why.to_string(), "the other body has no right toes");
}

#[test]
fn a_human_does_not_play_the_clips_of_an_animal() {
    let fox = {
        let mut fox = humanoid();
        for joint in &mut fox.skeleton.joints {
            if joint.name == "Spine" {
                joint.bind_rotation = Quat::from_rotation_x(1.5);
            }
        }
        fox
    };
    let error = Retarget::new(&fox.rig(), &humanoid().rig()).expect_err("a level back");
    assert!(matches!(error, RetargetError::NotHuman { which: "source", .. }), "{error}");
    assert!(error.to_string().contains("the head is not above the hips"), "{error}");
    assert!(Retarget::new(&fox.rig(), &fox.rig()).is_ok(), "animals play each other's, by names");
    let stones =
        Rig::new(Skeleton { joints: vec![Joint { name: "stone".into(), ..humanoid().skeleton.joints[0].clone() }] });
    let error = Retarget::new(&stones, &humanoid().rig()).expect_err("a stone");
    assert!(matches!(error, RetargetError::NoPairs(_)) && error.to_string().contains("none of 1 joints"), "{error}");
}
