//! Rigs as tools make them, made by code: names, facing, units, rest pose, axes of joints and proportions all differ.

use std::sync::Arc;

use glam::{DVec3, Mat4, Quat, Vec3};
use nebula_animation::asset::LoadOptions;
use nebula_animation::skeleton::Side;
use nebula_animation::{Asset, HumanoidJoint as J, Joint, Rig, Skeleton};
use serde_json::json;

use super::outside::{Names, Seen};
use crate::characters::Random;

/// A joint of a human: what it is, what it hangs from, and where it is, left if it has a side; facing +Z, in metres, arms stretched out.
pub type Part = (fn(Side) -> J, Option<fn(Side) -> J>, [f32; 3]);

pub const PARTS: [Part; 14] = [
    (|_| J::Hips, None, [0.0, 0.95, 0.0]),
    (|_| J::Spine, Some(|_| J::Hips), [0.0, 1.05, -0.01]),
    (|_| J::Chest, Some(|_| J::Spine), [0.0, 1.18, -0.02]),
    (|_| J::UpperChest, Some(|_| J::Chest), [0.0, 1.30, -0.02]),
    (|_| J::Neck, Some(|_| J::UpperChest), [0.0, 1.47, -0.01]),
    (|_| J::Head, Some(|_| J::Neck), [0.0, 1.56, 0.01]),
    (J::Shoulder, Some(|_| J::UpperChest), [0.04, 1.42, -0.01]),
    (J::UpperArm, Some(J::Shoulder), [0.17, 1.41, -0.02]),
    (J::LowerArm, Some(J::UpperArm), [0.44, 1.41, -0.03]),
    (J::Hand, Some(J::LowerArm), [0.70, 1.41, -0.02]),
    (J::UpperLeg, Some(|_| J::Hips), [0.09, 0.91, 0.0]),
    (J::LowerLeg, Some(J::UpperLeg), [0.09, 0.50, 0.01]),
    (J::Foot, Some(J::LowerLeg), [0.09, 0.09, -0.02]),
    (J::Toes, Some(J::Foot), [0.09, 0.02, 0.11]),
];

/// A twist joint: what it lies in, where along it, and its name.
type Twist = (fn(Side) -> J, f32, &'static str);

/// How a tool builds a human.
#[derive(Clone, Copy)]
pub struct Tool {
    pub title: &'static str,
    /// In the order of `PARTS`, `#` for the side, `-` for what it has not.
    names: &'static str,
    sides: [&'static str; 2],
    faces_back: bool,
    /// In centimetres, below a joint that makes metres of them.
    centimetres: bool,
    /// How far the arms rest below level, in radians.
    arms_down: f32,
    /// How far shoulders and head are ahead of the hips, in radians.
    lean: f32,
    /// Twist joints: what they lie in, where along it, and their name.
    twists: &'static [Twist],
}

const MIXAMO: Tool = Tool {
    title: "Mixamo",
    names: "mixamorig:Hips mixamorig:Spine mixamorig:Spine1 mixamorig:Spine2 mixamorig:Neck mixamorig:Head mixamorig:#Shoulder mixamorig:#Arm mixamorig:#ForeArm mixamorig:#Hand mixamorig:#UpLeg mixamorig:#Leg mixamorig:#Foot mixamorig:#ToeBase",
    sides: ["Left", "Right"],
    faces_back: true,
    centimetres: true,
    arms_down: 0.0,
    lean: 0.0,
    twists: &[],
};

pub const TOOLS: [Tool; 6] = [
    MIXAMO,
    Tool {
        title: "Auto-Rig Pro",
        names: "root.x spine_01.x spine_02.x spine_03.x neck.x head.x shoulder.# arm_stretch.# forearm_stretch.# hand.# thigh_stretch.# leg_stretch.# foot.# toes_01.#",
        sides: ["l", "r"],
        arms_down: 0.8,
        lean: 0.15,
        faces_back: false,
        centimetres: false,
        twists: &[(J::UpperArm, 0.0, "arm_twist.#"), (J::LowerArm, 0.5, "forearm_twist.#")],
    },
    Tool {
        title: "SMPL",
        names: "Pelvis Spine1 Spine2 Spine3 Neck Head #_Collar #_Shoulder #_Elbow #_Wrist #_Hip #_Knee #_Ankle #_Foot",
        sides: ["L", "R"],
        lean: -0.12,
        faces_back: false,
        centimetres: false,
        ..MIXAMO
    },
    Tool {
        title: "BVH",
        names: "Hips Chest - - Neck Head #Collar #Shoulder #Elbow #Wrist #Hip #Knee #Ankle #Toe",
        centimetres: false,
        arms_down: 1.4,
        ..MIXAMO
    },
    Tool {
        title: "Unreal",
        names: "pelvis spine_01 spine_02 spine_03 neck_01 head clavicle_# upperarm_# lowerarm_# hand_# thigh_# calf_# foot_# ball_#",
        sides: ["l", "r"],
        arms_down: 0.7,
        lean: -0.1,
        twists: &[(J::UpperArm, 0.3, "upperarm_twist_01_#"), (J::LowerArm, 0.6, "lowerarm_twist_01_#")],
        ..MIXAMO
    },
    Tool {
        title: "a game's own, with a namespace",
        names: "hero:rig:Pelvis_001 hero:rig:Waist_002 hero:rig:Chest_003 - hero:rig:Neck_004 hero:rig:Head_005 - hero:rig:UpperArm.#_006 hero:rig:Forearm.#_007 hero:rig:Palm.#_008 hero:rig:Thigh.#_009 hero:rig:Shin.#_010 hero:rig:Foot.#_011 -",
        sides: ["L", "R"],
        faces_back: true,
        centimetres: false,
        lean: 0.1,
        ..MIXAMO
    },
];

impl Tool {
    fn template(&self, part: usize) -> &'static str {
        self.names.split(' ').nth(part).expect("a name for each part")
    }

    pub fn without_twists(self) -> Self {
        Self { twists: &[], ..self }
    }

    pub fn has(&self, part: usize) -> bool {
        self.template(part) != "-"
    }

    pub fn name(&self, part: usize, side: Side) -> String {
        self.template(part).replace('#', self.sides[side as usize])
    }

    pub fn front(&self) -> Vec3 {
        if self.faces_back { Vec3::NEG_Z } else { Vec3::Z }
    }

    /// Where a joint rests, in metres.
    fn place(&self, part: usize, side: Side) -> Vec3 {
        let at = |part: usize| Vec3::from(PARTS[part].2);
        let mut place = at(part);
        if (7..=9).contains(&part) {
            place = at(7) + Quat::from_rotation_z(-self.arms_down) * (place - at(7));
        }
        if (1..=9).contains(&part) {
            place = at(0) + Quat::from_rotation_x(self.lean) * (place - at(0));
        }
        if side == Side::Right {
            place.x = -place.x;
        }
        if self.faces_back { Vec3::new(-place.x, place.y, -place.z) } else { place }
    }

    /// The joints, each with axes of its own.
    pub fn skeleton(&self) -> Skeleton {
        let mut random = Random::new(self.title.len() as u64);
        let mut joints: Vec<Joint> = Vec::new();
        let mut rests: Vec<(J, Vec3, Quat)> = Vec::new();
        let size = if self.centimetres { 100.0 } else { 1.0 };
        let joint = |name: String, parent, translation, rotation| Joint {
            index: 0,
            parent,
            inverse_bind_matrix: Mat4::IDENTITY,
            name,
            bind_translation: translation,
            bind_rotation: rotation,
            bind_scale: Vec3::ONE,
        };
        // Below what makes metres of centimetres, or of metres.
        joints
            .push(Joint { bind_scale: Vec3::ONE / size, ..joint("Armature".into(), None, Vec3::ZERO, Quat::IDENTITY) });
        rests.push((J::Jaw, Vec3::ZERO, Quat::IDENTITY));
        for (part, (meaning, above, _)) in PARTS.into_iter().enumerate() {
            let is_paired = meaning(Side::Left) != meaning(Side::Right);
            for side in Side::BOTH.into_iter().take(if is_paired { 2 } else { 1 }) {
                if !self.has(part) {
                    continue;
                }
                // What it hangs from, or from where that is missing on.
                let mut wanted = above;
                let parent = loop {
                    let Some(meaning) = wanted.map(|wanted| wanted(side)) else { break 0 };
                    if let Some(found) = rests.iter().position(|rest| rest.0 == meaning) {
                        break found;
                    }
                    wanted = PARTS.iter().find(|it| it.0(side) == meaning).and_then(|it| it.1);
                };
                let (place, rotation) = (self.place(part, side), random.quat());
                let (_, outer, turned) = rests[parent];
                let offset = turned.inverse() * (place - outer) * size;
                joints.push(joint(self.name(part, side), Some(parent as u16), offset, turned.inverse() * rotation));
                rests.push((meaning(side), place, rotation));
            }
        }
        for (bone, share, name) in self.twists {
            for side in Side::BOTH {
                let find = |meaning: J| rests.iter().position(|rest| rest.0 == meaning).expect("a limb");
                let bone = find(bone(side));
                let end = joints.iter().position(|it| it.parent == Some(bone as u16)).expect("it has an end");
                let offset = joints[end].bind_translation * *share;
                let name = name.replace('#', self.sides[side as usize]);
                joints.push(joint(name, Some(bone as u16), offset, Quat::IDENTITY));
                rests.push((J::Jaw, Vec3::ZERO, Quat::IDENTITY));
            }
        }
        for (index, joint) in joints.iter_mut().enumerate() {
            joint.index = index as u16;
        }
        Skeleton { joints }
    }

    pub fn seen(&self) -> Seen {
        let limbs = [7, 8, 9, 10, 11, 12].map(|part: usize| self.template(part));
        Seen::new(&self.skeleton(), Names { sides: self.sides, limbs }, self.front().as_dvec3())
    }
}

/// The same body as a file that says itself which joint is which, and calls them nothing.
pub fn vrm_0() -> (Arc<Rig>, Seen) {
    let tool = Tool { centimetres: false, ..MIXAMO };
    let skeleton = tool.skeleton();
    let vrm_names =
        "hips spine chest upperChest neck head #Shoulder #UpperArm #LowerArm #Hand #UpperLeg #LowerLeg #Foot #Toes";
    let mut bones = Vec::new();
    for part in 0..PARTS.len() {
        for (side, word) in [(Side::Left, "left"), (Side::Right, "right")] {
            let name = tool.name(part, side);
            let node = skeleton.joints.iter().position(|joint| joint.name == name).expect("it was made");
            let bone = vrm_names.split(' ').nth(part).unwrap_or_default().replace('#', word);
            if !bones.iter().any(|other: &serde_json::Value| other["bone"] == json!(bone)) {
                bones.push(json!({"bone": bone, "node": node}));
            }
        }
    }
    let nodes: Vec<serde_json::Value> = (0..skeleton.joints.len())
        .map(|index| {
            let joint = &skeleton.joints[index];
            let children: Vec<usize> =
                (0..skeleton.joints.len()).filter(|it| skeleton.joints[*it].parent == Some(index as u16)).collect();
            let mut node = json!({
                "name": format!("n{index}"),
                "translation": joint.bind_translation.to_array(),
                "rotation": joint.bind_rotation.to_array(),
            });
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            node
        })
        .collect();
    let file = json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes,
        "extensionsUsed": ["VRM"],
        "extensions": {"VRM": {"exporterVersion": "UniVRM", "humanoid": {"humanBones": bones}}},
    });
    let mut nothing = |uri: &str| panic!("{uri} was asked for");
    let asset = Asset::from_bytes("old.vrm", file.to_string().as_bytes(), &LoadOptions::default(), &mut nothing)
        .expect("it loads");
    let find = |part: usize, side: Side| {
        let name = tool.name(part, side);
        skeleton.joints.iter().position(|joint| joint.name == name).expect("it was made")
    };
    // Its joints may be in another order than its nodes.
    let mut named = asset.skeleton.clone();
    for part in 7..=12 {
        for side in Side::BOTH {
            let joint = asset.joint_of_node(find(part, side)).expect("a joint");
            named.joints[usize::from(joint)].name = tool.name(part, side);
        }
    }
    let limbs = [7, 8, 9, 10, 11, 12].map(|part: usize| MIXAMO.template(part));
    (asset.rig(), Seen::new(&named, Names { sides: MIXAMO.sides, limbs }, DVec3::NEG_Z))
}
