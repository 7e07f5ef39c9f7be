//! `VRMC_vrm`, version 1.0.

use std::collections::BTreeMap;

use glam::Vec3;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Around, MOST, has_entries, number, vector};
use crate::asset::document::{Capped, Lenient, Text};
use crate::asset::error::AnimationLoadError;
use crate::asset::report::Report;
use crate::rig::avatar::{Avatar, Expression, EyeGaze, EyeGazeKind, EyeRange, FirstPerson, Override};
use crate::skeleton::{HumanoidJoint, Side};

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Vrm<'a> {
    #[serde(borrow)]
    pub meta: Option<&'a RawValue>,
    #[serde(borrow)]
    expressions: Expressions<'a>,
    #[serde(borrow)]
    look_at: Option<LookAt<'a>>,
    #[serde(borrow)]
    first_person: Meshes<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Expressions<'a> {
    #[serde(borrow)]
    preset: BTreeMap<String, Face<'a>>,
    #[serde(borrow)]
    custom: BTreeMap<String, Face<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Face<'a> {
    morph_target_binds: Capped<Bind, MOST>,
    #[serde(borrow)]
    material_color_binds: Option<&'a RawValue>,
    #[serde(borrow)]
    texture_transform_binds: Option<&'a RawValue>,
    is_binary: bool,
    #[serde(borrow)]
    override_blink: Option<Text<'a>>,
    override_look_at: Option<Text<'a>>,
    override_mouth: Option<Text<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Bind {
    node: Lenient,
    index: Lenient,
    weight: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct LookAt<'a> {
    offset_from_head_bone: Option<[f64; 3]>,
    #[serde(rename = "type", borrow)]
    kind: Option<Text<'a>>,
    range_map_horizontal_inner: Range,
    range_map_horizontal_outer: Range,
    range_map_vertical_down: Range,
    range_map_vertical_up: Range,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Range {
    input_max_value: Option<f64>,
    output_scale: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Meshes<'a> {
    #[serde(borrow)]
    mesh_annotations: Capped<Annotation<'a>, MOST>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Annotation<'a> {
    node: Lenient,
    #[serde(rename = "type", borrow)]
    kind: Text<'a>,
}

pub(super) fn read(
    vrm: &Vrm,
    around: &Around,
    avatar: &mut Avatar,
    report: &mut Report,
) -> Result<(), AnimationLoadError> {
    for (is_preset, faces) in [(true, &vrm.expressions.preset), (false, &vrm.expressions.custom)] {
        for (name, face) in faces.iter().take(MOST) {
            let mut morphs = Vec::with_capacity(face.morph_target_binds.len());
            for bind in &face.morph_target_binds {
                let slot = bind.node.index().zip(bind.index.index()).and_then(|(node, index)| around.slot(node, index));
                match slot {
                    Some(slot) => morphs.push((slot, number(bind.weight, 1.0))),
                    None => report.repair(
                        "VRMC_vrm",
                        format!("expression {name:?} names a morph target that does not exist: left out"),
                    )?,
                }
            }
            if has_entries(face.material_color_binds) {
                report.note("VRMC_vrm", format!("expression {name:?} changes material colours: not shown"));
            }
            if has_entries(face.texture_transform_binds) {
                report.note("VRMC_vrm", format!("expression {name:?} moves textures: not shown"));
            }
            avatar.expressions.push(Expression {
                name: around.names.cut(name).to_owned(),
                is_preset,
                is_binary: face.is_binary,
                morphs,
                blink: rule(&face.override_blink),
                look_at: rule(&face.override_look_at),
                mouth: rule(&face.override_mouth),
            });
        }
    }
    if let (Some(look), Some(head)) = (&vrm.look_at, around.humanoid_joint(HumanoidJoint::Head)) {
        let is_expressions = look.kind.as_deref() == Some("expression");
        let range = |range: &Range| EyeRange {
            most: number(range.input_max_value, 90.0),
            output: number(range.output_scale, if is_expressions { 1.0 } else { 10.0 }),
        };
        avatar.gaze = Some(EyeGaze {
            kind: if is_expressions { EyeGazeKind::Expressions } else { EyeGazeKind::Joints },
            head,
            eyes: [Side::Left, Side::Right].map(|side| around.humanoid_joint(HumanoidJoint::Eye(side))),
            offset: vector(look.offset_from_head_bone, Vec3::ZERO),
            inner: range(&look.range_map_horizontal_inner),
            outer: range(&look.range_map_horizontal_outer),
            down: range(&look.range_map_vertical_down),
            up: range(&look.range_map_vertical_up),
        });
    }
    for annotation in &vrm.first_person.mesh_annotations {
        let Some(node) = annotation.node.index().filter(|node| *node < around.document.nodes.len()) else {
            report.repair("VRMC_vrm", "firstPerson names a node that does not exist: left out")?;
            continue;
        };
        avatar.first_person.push((node, first_person(&annotation.kind)));
    }
    Ok(())
}

fn rule(word: &Option<Text>) -> Override {
    match word.as_deref() {
        Some("block") => Override::Block,
        Some("blend") => Override::Blend,
        _ => Override::None,
    }
}

/// VRM 0.x begins the words with a capital.
pub(super) fn first_person(word: &str) -> FirstPerson {
    match word {
        "both" | "Both" => FirstPerson::Both,
        "thirdPersonOnly" | "ThirdPersonOnly" => FirstPerson::ThirdPersonOnly,
        "firstPersonOnly" | "FirstPersonOnly" => FirstPerson::FirstPersonOnly,
        _ => FirstPerson::Auto,
    }
}

/// `VRMC_vrm_animation`: nodes whose X translation is the strength of an expression, and one whose rotation is the
/// gaze.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct VrmAnimation {
    expressions: Moved,
    look_at: Option<MovedNode>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Moved {
    preset: BTreeMap<String, MovedNode>,
    custom: BTreeMap<String, MovedNode>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct MovedNode {
    node: Lenient,
}

pub(super) fn read_animation(
    animation: &VrmAnimation,
    around: &Around,
    avatar: &mut Avatar,
    report: &mut Report,
) -> Result<(), AnimationLoadError> {
    if let Some(node) = animation.look_at.as_ref().and_then(|moved| moved.node.index()) {
        if node >= around.document.nodes.len() {
            report.repair("VRMC_vrm_animation", "lookAt names a node that does not exist: left out")?;
        }
        avatar.gaze_joint = around.node_joints.get(node).copied().flatten();
    }
    for (name, moved) in animation.expressions.preset.iter().chain(&animation.expressions.custom).take(MOST) {
        // One that nothing moves is no joint, and stays at rest.
        let is_there = moved.node.index().is_none_or(|node| node < around.document.nodes.len());
        if !is_there {
            report.repair(
                "VRMC_vrm_animation",
                format!("expression {name:?} names a node that does not exist: left out"),
            )?;
        }
        if let Some(joint) = moved.node.index().and_then(|node| around.node_joints.get(node).copied().flatten()) {
            avatar.expression_joints.push((around.names.cut(name).to_owned(), joint));
        }
    }
    Ok(())
}
