//! Documents made of bodies with everything that VRM has words for, of both versions.

use serde_json::{Value, json};

use super::{made, read};
use crate::corpus;

/// A body of a few joints with a head, a skirt, a twist joint, and two meshes with morph targets.
fn body(extensions: Value, node_extensions: &[(usize, Value)]) -> Vec<u8> {
    let bones = [
        ("Hips", json!([1, 4, 7, 18]), [0.0, 0.9, 0.0]),
        ("Spine", json!([2, 10, 13]), [0.0, 0.2, 0.0]),
        ("Head", json!([3, 16, 17, 23]), [0.0, 0.4, 0.0]),
        ("Hair", json!([]), [0.0, 0.1, -0.1]),
        ("LeftUpperLeg", json!([5]), [0.1, -0.05, 0.0]),
        ("LeftLowerLeg", json!([6]), [0.0, -0.4, 0.0]),
        ("LeftFoot", json!([]), [0.0, -0.4, 0.0]),
        ("RightUpperLeg", json!([8]), [-0.1, -0.05, 0.0]),
        ("RightLowerLeg", json!([9]), [0.0, -0.4, 0.0]),
        ("RightFoot", json!([]), [0.0, -0.4, 0.0]),
        ("LeftUpperArm", json!([11]), [0.2, 0.3, 0.0]),
        ("LeftLowerArm", json!([12]), [0.25, 0.0, 0.0]),
        ("LeftHand", json!([21]), [0.25, 0.0, 0.0]),
        ("RightUpperArm", json!([14]), [-0.2, 0.3, 0.0]),
        ("RightLowerArm", json!([15, 22]), [-0.25, 0.0, 0.0]),
        ("RightHand", json!([]), [-0.25, 0.0, 0.0]),
        ("LeftEye", json!([]), [0.03, 0.08, 0.07]),
        ("RightEye", json!([]), [-0.03, 0.08, 0.07]),
        ("Skirt", json!([19]), [0.0, -0.1, 0.1]),
        ("Skirt.1", json!([20]), [0.0, -0.2, 0.02]),
        ("Skirt.2", json!([]), [0.0, -0.2, 0.02]),
        ("LeftThumb", json!([]), [0.05, 0.0, 0.03]),
        ("Twist", json!([]), [-0.1, 0.0, 0.0]),
    ];
    let mut nodes: Vec<Value> = bones
        .into_iter()
        .map(|(name, children, translation)| {
            let mut node = json!({ "name": name, "translation": translation });
            if children.as_array().is_some_and(|children| !children.is_empty()) {
                node["children"] = children;
            }
            node
        })
        .collect();
    nodes.push(json!({ "name": "Face", "mesh": 0 }));
    nodes.push(json!({ "name": "Body", "mesh": 1, "skin": 0 }));
    for (node, extension) in node_extensions {
        nodes[*node]["extensions"] = json!({ "VRMC_node_constraint": extension });
    }
    let used: Vec<String> = extensions.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    let primitive = json!({ "attributes": { "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2 },
        "targets": [{ "POSITION": 0 }, { "POSITION": 0 }] });
    let json = json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0, 24] }], "nodes": nodes,
        "extensionsUsed": used, "extensions": extensions,
        "skins": [{ "joints": (0..23).collect::<Vec<_>>() }],
        "meshes": [
            { "primitives": [{ "attributes": { "POSITION": 0 }, "targets": [{ "POSITION": 0 }, { "POSITION": 0 }] }] },
            { "primitives": [primitive], "weights": [0.0, 0.25] }
        ],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 1] },
            { "bufferView": 1, "componentType": 5121, "count": 3, "type": "VEC4" },
            { "bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC4" }
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 36 }, { "buffer": 0, "byteOffset": 36, "byteLength": 12 },
            { "buffer": 0, "byteOffset": 48, "byteLength": 48 }
        ],
        "buffers": [{ "byteLength": 96 }]
    });
    let mut binary: Vec<u8> = Vec::new();
    let numbers = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0];
    numbers.iter().for_each(|number| binary.extend(number.to_le_bytes()));
    binary.extend([0_u8; 12]);
    [1.0_f32, 0.0, 0.0, 0.0].repeat(3).iter().for_each(|number| binary.extend(number.to_le_bytes()));
    corpus::glb(&json, &binary)
}

const BONES: [(&str, usize); 19] = [
    ("hips", 0),
    ("spine", 1),
    ("head", 2),
    ("leftUpperLeg", 4),
    ("leftLowerLeg", 5),
    ("leftFoot", 6),
    ("rightUpperLeg", 7),
    ("rightLowerLeg", 8),
    ("rightFoot", 9),
    ("leftUpperArm", 10),
    ("leftLowerArm", 11),
    ("leftHand", 12),
    ("rightUpperArm", 13),
    ("rightLowerArm", 14),
    ("rightHand", 15),
    ("leftEye", 16),
    ("rightEye", 17),
    ("leftThumbProximal", 21),
    ("jaw", 3),
];

fn compared(bytes: &[u8]) -> nebula_animation::Asset {
    let was = read(bytes);
    assert!(was.warnings.iter().all(|warning| !warning.to_string().contains("VRM")), "{:?}", was.warnings);
    // Twice over: what was made is as good a file as any.
    let again = read(&made("the first".as_ref(), &was).expect("joints"));
    made("the second".as_ref(), &again).expect("joints");
    was
}

#[test]
fn everything_of_version_1_is_written() {
    let bones: serde_json::Map<String, Value> =
        BONES.into_iter().map(|(name, node)| (name.to_owned(), json!({ "node": node }))).collect();
    let range = |most: f64, scale: f64| json!({ "inputMaxValue": most, "outputScale": scale });
    let root = json!({
        "VRMC_vrm": {
            "specVersion": "1.0", "humanoid": { "humanBones": bones },
            "meta": { "name": "Made", "authors": ["A test"], "licenseUrl": "https://vrm.dev/licenses/1.0/",
                "avatarPermission": "everyone", "thumbnailImage": 0 },
            "expressions": {
                "preset": { "happy": { "morphTargetBinds": [{ "node": 23, "index": 1, "weight": 0.7 }], "overrideBlink": "blend" },
                    "blink": { "morphTargetBinds": [{ "node": 24, "index": 0, "weight": 1.0 }], "isBinary": true } },
                "custom": { "wry": { "morphTargetBinds": [{ "node": 24, "index": 1, "weight": 0.3 }], "overrideMouth": "block",
                    "overrideLookAt": "blend" } }
            },
            "lookAt": { "offsetFromHeadBone": [0.0, 0.06, 0.01], "type": "bone",
                "rangeMapHorizontalInner": range(80.0, 8.0), "rangeMapHorizontalOuter": range(90.0, 12.5),
                "rangeMapVerticalDown": range(70.0, 9.0), "rangeMapVerticalUp": range(60.0, 11.0) },
            "firstPerson": { "meshAnnotations": [{ "node": 23, "type": "thirdPersonOnly" }, { "node": 24, "type": "both" }] }
        },
        "VRMC_springBone": {
            "specVersion": "1.0",
            "colliders": [
                { "node": 1, "shape": { "sphere": { "offset": [0.0, 0.1, 0.0], "radius": 0.12 } } },
                { "node": 4, "shape": { "capsule": { "offset": [0.0, 0.0, 0.0], "tail": [0.0, -0.4, 0.0], "radius": 0.08 } } },
                { "node": 2, "shape": { "sphere": {} }, "extensions": { "VRMC_springBone_extended_collider": { "specVersion": "1.0",
                    "shape": { "sphere": { "offset": [0.0, 0.1, 0.0], "radius": 0.3, "inside": true } } } } },
                { "node": 0, "shape": { "sphere": {} }, "extensions": { "VRMC_springBone_extended_collider": { "specVersion": "1.0",
                    "shape": { "plane": { "offset": [0.0, -0.9, 0.0], "normal": [0.0, 1.0, 0.0] } } } } }
            ],
            "colliderGroups": [{ "colliders": [0, 1, 3] }, { "colliders": [2] }],
            "springs": [
                { "name": "skirt", "colliderGroups": [0], "center": 0, "joints": [
                    { "node": 18, "hitRadius": 0.03, "stiffness": 0.8, "gravityPower": 0.2, "gravityDir": [0.0, -1.0, 0.0], "dragForce": 0.3 },
                    { "node": 19, "hitRadius": 0.02, "stiffness": 0.6, "gravityPower": 0.1, "gravityDir": [0.1, -1.0, 0.0], "dragForce": 0.4 },
                    { "node": 20 }] },
                { "colliderGroups": [1], "joints": [{ "node": 2, "stiffness": 2.0 }, { "node": 3 }] }
            ]
        }
    });
    let constraints = [
        (
            22,
            json!({ "specVersion": "1.0", "constraint": { "roll": { "source": 15, "rollAxis": "X", "weight": 0.5 } } }),
        ),
        (16, json!({ "specVersion": "1.0", "constraint": { "aim": { "source": 12, "aimAxis": "NegativeZ" } } })),
        (21, json!({ "specVersion": "1.0", "constraint": { "rotation": { "source": 12, "weight": 0.25 } } })),
    ];
    let asset = compared(&body(root, &constraints));
    let avatar = asset.avatar.expect("an avatar");
    assert_eq!((avatar.expressions.len(), avatar.springs.len(), avatar.constraints.len()), (3, 2, 3));
    assert_eq!(
        (avatar.springs[0].colliders.len() + avatar.springs[1].colliders.len(), avatar.first_person.len()),
        (4, 2)
    );
    assert!(avatar.gaze.is_some() && avatar.meta.contains("everyone"));
}

#[test]
fn everything_of_version_0_is_written() {
    let bones: Vec<Value> = BONES.into_iter().map(|(bone, node)| json!({ "bone": bone, "node": node })).collect();
    let range = |x: f64, y: f64| json!({ "curve": [0, 0, 0, 1, 1, 1, 1, 0], "xRange": x, "yRange": y });
    let point = |x: f64, y: f64, z: f64| json!({ "x": x, "y": y, "z": z });
    let root = json!({ "VRM": {
        "specVersion": "0.0", "meta": { "title": "Made", "author": "A test", "licenseName": "CC0", "texture": 0 },
        "humanoid": { "humanBones": bones },
        "blendShapeMaster": { "blendShapeGroups": [
            { "name": "Joy", "presetName": "joy", "binds": [{ "mesh": 0, "index": 1, "weight": 70 }], "isBinary": false },
            { "name": "Wry", "presetName": "unknown", "binds": [{ "mesh": 1, "index": 1, "weight": 33.3 }], "isBinary": true }
        ] },
        "firstPerson": { "firstPersonBone": 2, "firstPersonBoneOffset": point(0.0, 0.06, 0.01), "lookAtTypeName": "BlendShape",
            "lookAtHorizontalInner": range(80.0, 0.8), "lookAtHorizontalOuter": range(90.0, 1.0),
            "lookAtVerticalDown": range(70.0, 0.9), "lookAtVerticalUp": range(60.0, 0.5),
            "meshAnnotations": [{ "mesh": 0, "firstPersonFlag": "ThirdPersonOnly" }, { "mesh": 1, "firstPersonFlag": "FirstPersonOnly" }] },
        "secondaryAnimation": {
            "boneGroups": [
                { "comment": "skirt", "stiffiness": 0.8, "gravityPower": 0.2, "gravityDir": point(0.0, -1.0, 0.25), "dragForce": 0.3,
                    "center": -1, "hitRadius": 0.03, "bones": [18], "colliderGroups": [0, 1] },
                { "stiffiness": 2.0, "gravityDir": point(0.0, -1.0, 0.0), "center": 0, "bones": [3], "colliderGroups": [] }
            ],
            "colliderGroups": [
                { "node": 1, "colliders": [{ "offset": point(0.0, 0.1, 0.05), "radius": 0.12 }] },
                { "node": 4, "colliders": [{ "offset": point(0.0, -0.2, 0.0), "radius": 0.08 }, { "offset": point(0.0, -0.3, 0.0), "radius": 0.07 }] }
            ]
        }
    } });
    let asset = compared(&body(root, &[]));
    let avatar = asset.avatar.expect("an avatar");
    assert_eq!((avatar.version, avatar.expressions.len(), avatar.springs.len()), (0, 2, 2));
    assert_eq!((avatar.springs[0].bones.len(), avatar.springs[0].colliders.len()), (3, 3));
    assert!(avatar.meta.contains("CC0"));
}

#[test]
fn animations_of_vrm_are_written() {
    let bones: serde_json::Map<String, Value> =
        BONES.into_iter().take(15).map(|(name, node)| (name.to_owned(), json!({ "node": node }))).collect();
    let root = json!({ "VRMC_vrm_animation": {
        "specVersion": "1.0", "humanoid": { "humanBones": bones },
        "expressions": { "preset": { "happy": { "node": 18 } }, "custom": { "wry": { "node": 19 } } },
        "lookAt": { "node": 20, "offsetFromHeadBone": [0.0, 0.06, 0.0] }
    } });
    let avatar = compared(&body(root, &[])).avatar.expect("an avatar");
    assert_eq!((avatar.expression_joints.len(), avatar.gaze_joint.is_some()), (2, true));
}

/// A rule that glTF has no word for is no rule that is left out.
#[test]
fn constraints_that_nobody_could_write_are_errors() {
    let mut asset = read(&body(json!({}), &[(22, json!({ "constraint": { "rotation": { "source": 15 } } }))]));
    let avatar = asset.avatar.as_mut().expect("a constraint");
    avatar.constraints[0].kind = nebula_animation::rig::avatar::ConstraintKind::Roll(glam::Vec3::new(0.6, 0.8, 0.0));
    let error = nebula_import::gltf::GltfDocument::of_asset(&asset).expect_err("no axis");
    assert!(error.to_string().contains("the constraint of node"), "{error}");
}
