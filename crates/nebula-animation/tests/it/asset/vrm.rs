//! What VRM files say of their avatars. The files are made here: public ones have neither springs nor constraints.

mod eyes;
mod face;
mod notes;
mod order;

use glam::Vec3;
use nebula_animation::Asset;
use nebula_animation::asset::{LoadOptions, Strictness};
use nebula_animation::rig::avatar::{
    Avatar, ConstraintKind, EyeGazeKind, FirstPerson, JointColliderShape, Override, SpringJointChain,
};
use serde_json::{Value, json};

/// A body with eyes, hair of three joints, an arm with a twist joint, a mesh with three morph targets, and things that follow others.
pub fn body() -> Value {
    json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0, 11] }],
        "nodes": [
            { "name": "hips", "translation": [0, 1, 0], "children": [1, 6, 12] },
            { "name": "spine", "translation": [0, 0.2, 0], "children": [2] },
            { "name": "head", "translation": [0, 0.5, 0], "rotation": [0, 0.1, 0, 0.99498744], "children": [3, 4, 5, 13] },
            { "name": "leftEye", "translation": [0.03, 0.06, 0.08] },
            { "name": "rightEye", "translation": [-0.03, 0.06, 0.08] },
            { "name": "hair1", "translation": [0, 0.1, -0.1], "rotation": [0.2, 0, 0, 0.9797959], "children": [7] },
            { "name": "arm", "translation": [0.2, 0.4, 0], "rotation": [0, 0, 0.3, 0.9539392], "children": [9, 10] },
            { "name": "hair2", "translation": [0.02, -0.1, -0.05], "rotation": [0, 0, 0.1, 0.99498744], "children": [8] },
            { "name": "hair3", "translation": [0, -0.12, 0] },
            { "name": "hand", "translation": [0.3, 0, 0], "rotation": [0.1, 0.2, 0, 0.9746794] },
            { "name": "twist", "translation": [0.15, 0, 0], "rotation": [0, 0.15, 0, 0.98868600] },
            { "name": "face", "mesh": 0 },
            { "name": "aimer", "translation": [0.1, 0.1, 0.2], "rotation": [0, 0.25, 0, 0.9682458] },
            { "name": "follower", "translation": [0, 0.2, 0], "rotation": [0.3, 0, 0, 0.9539392] }
        ],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "targets": [
            { "POSITION": 0 }, { "POSITION": 0 }, { "POSITION": 0 }
        ] }] }],
        "accessors": [{ "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0] }]
    })
}

/// The body as VRM 1.0.
pub fn one() -> Value {
    let mut file = body();
    file["extensionsUsed"] = json!(["VRMC_vrm", "VRMC_springBone", "VRMC_node_constraint"]);
    file["extensions"] = json!({
        "VRMC_vrm": {
            "specVersion": "1.0",
            "humanoid": { "humanBones": {
                "hips": { "node": 0 }, "spine": { "node": 1 }, "head": { "node": 2 },
                "leftEye": { "node": 3 }, "rightEye": { "node": 4 }
            } },
            "expressions": {
                "preset": {
                    "happy": { "morphTargetBinds": [{ "node": 11, "index": 0, "weight": 0.8 }], "overrideBlink": "blend", "overrideMouth": "block" },
                    "blink": { "morphTargetBinds": [{ "node": 11, "index": 1, "weight": 1.0 }] },
                    "aa": { "isBinary": true, "morphTargetBinds": [{ "node": 11, "index": 2, "weight": 0.5 }, { "node": 11, "index": 0, "weight": 0.1 }] }
                },
                "custom": { "wink": { "morphTargetBinds": [{ "node": 11, "index": 1, "weight": 0.5 }] } }
            },
            "lookAt": {
                "type": "bone", "offsetFromHeadBone": [0, 0.06, 0.08],
                "rangeMapHorizontalInner": { "inputMaxValue": 90, "outputScale": 8 },
                "rangeMapHorizontalOuter": { "inputMaxValue": 60, "outputScale": 12 },
                "rangeMapVerticalDown": { "inputMaxValue": 45, "outputScale": 10 },
                "rangeMapVerticalUp": { "inputMaxValue": 30, "outputScale": 5 }
            },
            "firstPerson": { "meshAnnotations": [{ "node": 11, "type": "thirdPersonOnly" }] }
        },
        "VRMC_springBone": {
            "specVersion": "1.0",
            "colliders": [
                { "node": 2, "shape": { "sphere": { "offset": [0, 0.05, 0], "radius": 0.08 } } },
                { "node": 1, "shape": { "capsule": { "offset": [0, 0, 0], "tail": [0, 0.4, 0], "radius": 0.1 } } },
                { "node": 0, "shape": { "sphere": { "offset": [0, 0, 0], "radius": 0.0 } },
                  "extensions": { "VRMC_springBone_extended_collider": { "specVersion": "1.0", "shape": { "plane": { "offset": [0, 0, -0.05], "normal": [0, 0, -1] } } } } }
            ],
            "colliderGroups": [{ "colliders": [0, 1] }, { "colliders": [2] }],
            "springs": [{
                "name": "hair", "center": 0, "colliderGroups": [0, 1],
                "joints": [
                    { "node": 5, "hitRadius": 0.02, "stiffness": 0.7, "gravityPower": 0.4, "gravityDir": [0, -1, 0.2], "dragForce": 0.3 },
                    { "node": 7, "hitRadius": 0.01, "stiffness": 1.5 },
                    { "node": 8 }
                ]
            }]
        }
    });
    for (node, constraint) in [
        (10, json!({ "roll": { "source": 9, "rollAxis": "X", "weight": 0.6 } })),
        (12, json!({ "aim": { "source": 9, "aimAxis": "PositiveZ" } })),
        (13, json!({ "rotation": { "source": 12, "weight": 0.5 } })),
    ] {
        file["nodes"][node]["extensions"] =
            json!({ "VRMC_node_constraint": { "specVersion": "1.0", "constraint": constraint } });
    }
    file
}

/// The body as VRM 0.x.
pub fn zero() -> Value {
    let mut file = body();
    file["extensionsUsed"] = json!(["VRM"]);
    file["extensions"] = json!({ "VRM": {
        "exporterVersion": "UniVRM-0.51",
        "humanoid": { "humanBones": [
            { "bone": "hips", "node": 0 }, { "bone": "spine", "node": 1 }, { "bone": "head", "node": 2 },
            { "bone": "leftEye", "node": 3 }, { "bone": "rightEye", "node": -1 }
        ] },
        "blendShapeMaster": { "blendShapeGroups": [
            { "name": "Joy", "presetName": "joy", "binds": [{ "mesh": 0, "index": 0, "weight": 80 }] },
            { "name": "Blink_L", "presetName": "blink_l", "isBinary": true, "binds": [{ "mesh": 0, "index": 1, "weight": 100 }] },
            { "name": "Smirk", "presetName": "unknown", "binds": [] }
        ] },
        "firstPerson": {
            "firstPersonBone": 2, "firstPersonBoneOffset": { "x": 0.01, "y": 0.06, "z": 0.09 },
            "lookAtTypeName": "BlendShape",
            "lookAtHorizontalOuter": { "curve": [0, 0, 0, 1, 1, 1, 1, 0], "xRange": 70, "yRange": 0.9 },
            "meshAnnotations": [{ "mesh": 0, "firstPersonFlag": "Both" }]
        },
        "secondaryAnimation": {
            "boneGroups": [
                { "comment": "hair", "stiffiness": 0.8, "gravityPower": 0.1, "gravityDir": { "x": 0, "y": -1, "z": 0.5 },
                  "dragForce": 0.35, "center": -1, "hitRadius": 0.03, "bones": [5], "colliderGroups": [0] },
                { "comment": "", "stiffiness": 1, "bones": [], "center": -1 }
            ],
            "colliderGroups": [{ "node": 2, "colliders": [{ "offset": { "x": 0.1, "y": 0.2, "z": 0.3 }, "radius": 0.12 }] }]
        }
    } });
    file
}

pub fn load(file: &Value) -> Asset {
    load_as(file, Strictness::Lenient).unwrap_or_else(|error| panic!("{error}"))
}

fn load_as(file: &Value, strictness: Strictness) -> Result<Asset, nebula_animation::AnimationLoadError> {
    let bytes = serde_json::to_vec(file).expect("JSON");
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("no {uri}")));
    let options = LoadOptions { strictness, ..LoadOptions::default() };
    Asset::from_bytes("avatar.vrm", &bytes, &options, &mut nothing)
}

pub fn avatar(file: &Value) -> (Asset, Avatar) {
    let asset = load(file);
    let avatar = asset.avatar.clone().expect("an avatar");
    (asset, avatar)
}

fn joint(asset: &Asset, name: &str) -> u16 {
    asset.skeleton.joints.iter().find(|joint| joint.name == name).expect("a joint").index
}

#[test]
fn vrm_1_is_read_in_full() {
    let (asset, avatar) = avatar(&one());
    assert!(load_as(&one(), Strictness::Strict).is_ok(), "nothing in it is wrong");
    assert_eq!(avatar.version, 1);
    // Presets first, each group by name.
    let names: Vec<&str> = avatar.expressions.iter().map(|expression| expression.name.as_str()).collect();
    assert_eq!(names, ["aa", "blink", "happy", "wink"]);
    let happy = &avatar.expressions[2];
    assert_eq!((happy.blink, happy.mouth, happy.look_at), (Override::Blend, Override::Block, Override::None));
    assert_eq!(happy.morphs, [(0, 0.8)]);
    assert!(avatar.expressions[0].is_binary && !avatar.expressions[3].is_preset);

    let gaze = avatar.gaze.expect("a gaze");
    assert_eq!((gaze.kind, gaze.head), (EyeGazeKind::Joints, joint(&asset, "head")));
    assert_eq!(gaze.eyes, ["leftEye", "rightEye"].map(|name| Some(joint(&asset, name))));
    assert_eq!((gaze.outer.most, gaze.outer.output, gaze.up.most), (60.0, 12.0, 30.0));
    assert_eq!(avatar.first_person, [(11, FirstPerson::ThirdPersonOnly)]);

    let [SpringJointChain { bones, colliders, center, .. }] = &avatar.springs[..] else { panic!("one spring") };
    assert_eq!(*center, Some(joint(&asset, "hips")));
    assert_eq!(bones.len(), 2, "the last joint is where the bone before it ends");
    assert_eq!((bones[0].joint, bones[0].tail), (joint(&asset, "hair1"), Vec3::new(0.02, -0.1, -0.05)));
    assert_eq!((bones[1].stiffness, bones[1].drag, bones[1].gravity_power), (1.5, 0.5, 0.0), "as the schema has it");
    assert_eq!(colliders.len(), 3);
    assert!(matches!(colliders[2].shape, JointColliderShape::Plane { normal, .. } if normal == Vec3::NEG_Z));

    let kinds: Vec<_> = avatar.constraints.iter().map(|it| (it.joint, it.source, it.kind, it.weight)).collect();
    let at = |name| joint(&asset, name);
    let (roll, aim) = (ConstraintKind::Roll(Vec3::X), ConstraintKind::Aim(Vec3::Z));
    assert!(kinds.contains(&(at("twist"), at("hand"), roll, 0.6)), "{kinds:?}");
    assert!(kinds.contains(&(at("aimer"), at("hand"), aim, 1.0)), "{kinds:?}");
    let order = |name| kinds.iter().position(|kind| kind.0 == at(name)).expect("a constraint");
    assert!(order("aimer") < order("follower"), "who follows a follower comes behind it");
}

#[test]
fn vrm_0_is_read_in_the_terms_of_1() {
    let (asset, avatar) = avatar(&zero());
    assert_eq!(avatar.version, 0);
    let names: Vec<_> = avatar.expressions.iter().map(|it| (it.name.as_str(), it.is_preset)).collect();
    assert_eq!(names, [("happy", true), ("blinkLeft", true), ("Smirk", false)]);
    assert_eq!(avatar.expressions[0].morphs, [(0, 0.8)], "strengths are per cent");
    let gaze = avatar.gaze.expect("a gaze");
    assert_eq!((gaze.kind, gaze.outer.most, gaze.outer.output), (EyeGazeKind::Expressions, 70.0, 0.9));
    assert_eq!(gaze.offset, Vec3::new(0.01, 0.06, -0.09), "of the other hand");
    assert_eq!(gaze.eyes[1], None);
    assert_eq!(avatar.first_person, [(11, FirstPerson::Both)]);
    let [spring] = &avatar.springs[..] else { panic!("the second group has no bones") };
    let bones: Vec<_> = spring.bones.iter().map(|bone| bone.joint).collect();
    assert_eq!(bones, ["hair1", "hair2", "hair3"].map(|name| joint(&asset, name)));
    assert!((spring.bones[2].tail.length() - 0.07).abs() < 1e-6, "a tip of its own");
    assert!(spring.bones[2].tail.normalize_or_zero().abs_diff_eq(Vec3::NEG_Y, 1e-6), "{}", spring.bones[2].tail);
    assert_eq!((spring.bones[0].stiffness, spring.bones[0].drag, spring.center), (0.8, 0.35, None));
    let JointColliderShape::Capsule { ends, radius, .. } = spring.colliders[0].shape else { panic!("a ball") };
    assert_eq!((ends, radius), ([Vec3::new(0.1, 0.2, -0.3); 2], 0.12), "of the other hand");
}

#[test]
fn a_fault_costs_what_it_is_about() {
    let broken = |change: &dyn Fn(&mut Value)| {
        let mut file = one();
        change(&mut file);
        assert!(load_as(&file, Strictness::Strict).is_err(), "strict loading says no");
        avatar(&file).1
    };
    let whole = avatar(&one()).1;
    let springs = |file: &mut Value, value: Value| {
        file["extensions"]["VRMC_springBone"]["springs"][0]["joints"][1]["node"] = value;
    };
    assert_eq!(broken(&|file| springs(file, json!(99))).springs.len(), 0, "no bone is left");
    assert_eq!(broken(&|file| springs(file, json!(1))).constraints, whole.constraints, "not below the one before it");
    let faces = broken(&|file| {
        file["extensions"]["VRMC_vrm"]["expressions"]["preset"]["blink"]["morphTargetBinds"][0]["index"] = json!(7);
    });
    assert_eq!((faces.expressions.len(), faces.expressions[1].morphs.len()), (4, 0));
    let none = broken(&|file| file["extensions"]["VRMC_springBone"] = json!([1, 2]));
    assert!(none.springs.is_empty() && none.expressions == whole.expressions);
    let circle = broken(&|file| {
        file["nodes"][9]["extensions"] =
            json!({ "VRMC_node_constraint": { "constraint": { "rotation": { "source": 10 } } } });
    });
    assert!(
        circle.constraints.is_empty(),
        "hand and twist follow each other, and all others the hand: {:?}",
        circle.constraints
    );
    let axis = broken(&|file| {
        file["nodes"][10]["extensions"]["VRMC_node_constraint"]["constraint"]["roll"]["rollAxis"] = json!("W");
    });
    assert_eq!(axis.constraints.len(), 2);
}

/// Whatever stands in the place of any value, the file loads, or is refused with an error.
#[test]
fn no_value_anywhere_is_a_panic() {
    fn places(value: &Value, path: &mut Vec<String>, all: &mut Vec<Vec<String>>) {
        all.push(path.clone());
        let below: Vec<(String, &Value)> = match value {
            Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), value)).collect(),
            Value::Array(list) => list.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect(),
            _ => Vec::new(),
        };
        for (name, value) in below {
            path.push(name);
            places(value, path, all);
            path.pop();
        }
    }
    for file in [one(), zero()] {
        let mut all = Vec::new();
        places(&file["extensions"], &mut vec!["extensions".into()], &mut all);
        assert!(all.len() > 60);
        for path in all.into_iter().skip(1) {
            for value in [
                json!(null),
                json!(-1),
                json!(1e300),
                json!("x"),
                json!([]),
                json!({}),
                json!(13),
                json!([1e39, "a", null]),
            ] {
                let mut broken = file.clone();
                let pointer = format!("/{}", path.join("/"));
                *broken.pointer_mut(&pointer).expect("a place") = value;
                if let Ok(asset) = load_as(&broken, Strictness::Lenient)
                    && let Some(avatar) = asset.avatar
                {
                    let count = asset.skeleton.joints.len();
                    assert!(
                        avatar
                            .springs
                            .iter()
                            .flat_map(|chain| &chain.bones)
                            .all(|bone| usize::from(bone.joint) < count)
                    );
                }
            }
        }
    }
}

#[test]
fn a_vrm_animation_moves_the_face_of_an_avatar() {
    let mut animation = json!({
        "asset": { "version": "2.0" },
        "nodes": [
            { "name": "hips", "translation": [0, 1, 0] },
            { "name": "smile" },
            { "name": "mouth" }
        ],
        "buffers": [{ "byteLength": 32, "uri": "" }],
        "bufferViews": [{ "buffer": 0, "byteLength": 8 }, { "buffer": 0, "byteOffset": 8, "byteLength": 24 }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] },
            { "bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3" }
        ],
        "animations": [{ "name": "smile", "samplers": [{ "input": 0, "output": 1 }], "channels": [
            { "sampler": 0, "target": { "node": 1, "path": "translation" } },
            { "sampler": 0, "target": { "node": 2, "path": "translation" } }
        ] }],
        "extensionsUsed": ["VRMC_vrm_animation"],
        "extensions": { "VRMC_vrm_animation": { "specVersion": "1.0",
            "humanoid": { "humanBones": { "hips": { "node": 0 } } },
            "expressions": { "preset": { "happy": { "node": 1 }, "aa": { "node": 2 } }, "custom": { "unheard": { "node": 1 } } } } }
    });
    let numbers: [f32; 8] = [0.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0];
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    animation["buffers"][0]["uri"] = json!(format!("data:;base64,{}", base64(&bytes)));
    let (source, from) = avatar(&animation);
    let (target, to) = avatar(&one());
    assert_eq!(from.expression_joints.len(), 3);
    let mut clip = nebula_animation::AnimationClip { name: "smile".into(), duration: 1.0, ..Default::default() };
    assert_eq!(to.add_expression_tracks(&from, &source.clips()[0], &target.morphs, &mut clip), 2);
    let mut weights = target.morphs.defaults();
    nebula_animation::sample::sample_morph_weights(&clip, &target.morphs.defaults(), 1.0, &mut weights);
    // Happy at a half, which blocks the mouth: 0.5 * 0.8.
    assert!((weights[0] - 0.4).abs() < 1e-6 && weights[2] == 0.0, "{weights:?}");
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let word = three.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for letter in 0..4 {
            let known = letter <= three.len();
            text.push(if known { LETTERS[(word >> (18 - 6 * letter)) as usize & 63] as char } else { '=' });
        }
    }
    text
}
