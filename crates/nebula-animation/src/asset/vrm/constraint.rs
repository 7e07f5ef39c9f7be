//! `VRMC_node_constraint` 1.0.

use glam::Vec3;
use serde::Deserialize;

use super::{Around, number, parsed};
use crate::asset::document::{Document, Lenient, Text};
use crate::asset::error::AnimationLoadError;
use crate::asset::report::{Report, named};
use crate::rig::avatar::{ConstraintKind, JointConstraint};

#[derive(Default, Deserialize)]
#[serde(default)]
struct Extension<'a> {
    #[serde(borrow)]
    constraint: Constraint<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Constraint<'a> {
    #[serde(borrow)]
    roll: Option<Rule<'a>>,
    #[serde(borrow)]
    aim: Option<Rule<'a>>,
    #[serde(borrow)]
    rotation: Option<Rule<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Rule<'a> {
    source: Lenient,
    weight: Option<f64>,
    #[serde(borrow)]
    roll_axis: Option<Text<'a>>,
    #[serde(borrow)]
    aim_axis: Option<Text<'a>>,
}

/// Nodes that follow, and those that are followed.
pub(super) fn nodes(document: &Document, wanted: &mut Vec<usize>) {
    for (node, entry) in document.nodes.iter().enumerate() {
        let Some(raw) = entry.extensions.constraint else { continue };
        let Ok(read) = serde_json::from_str::<Extension>(raw.get()) else { continue };
        let all = [&read.constraint.roll, &read.constraint.aim, &read.constraint.rotation];
        if let Some(source) = all.into_iter().flatten().find_map(|rule| rule.source.index()) {
            wanted.extend([node, source]);
        }
    }
}

/// The constraints, each behind those of the joints that it follows. Of those that follow each other in a circle, all are left out.
pub(super) fn read(around: &Around, report: &mut Report) -> Result<Vec<JointConstraint>, AnimationLoadError> {
    let mut found: Vec<JointConstraint> = Vec::new();
    for (node, entry) in around.document.nodes.iter().enumerate() {
        let Some(raw) = entry.extensions.constraint else { continue };
        let object = format!("{}, VRMC_node_constraint", named("node", node, entry.name.as_deref()));
        let Some(read) = parsed::<Extension>(&object, raw, report)? else { continue };
        let Constraint { roll, aim, rotation } = &read.constraint;
        let (rule, kind) = match (roll, aim, rotation) {
            (Some(rule), None, None) => (rule, axis(&rule.roll_axis).map(ConstraintKind::Roll)),
            (None, Some(rule), None) => (rule, axis(&rule.aim_axis).map(ConstraintKind::Aim)),
            (None, None, Some(rule)) => (rule, Some(ConstraintKind::Rotation)),
            _ => {
                report.repair(&object, "has not exactly one of roll, aim and rotation: left out")?;
                continue;
            }
        };
        let Some(kind) = kind else {
            report.repair(&object, "its axis is none: left out")?;
            continue;
        };
        let joint = around.joint(&object, Lenient(Some(node as f64)), report)?;
        let source = around.joint(&object, rule.source, report)?;
        let (Some(joint), Some(source)) = (joint, source.filter(|source| Some(*source) != joint)) else { continue };
        found.push(JointConstraint { joint, source, weight: number(rule.weight, 1.0).clamp(0.0, 1.0), kind });
    }
    ordered(found, report)
}

fn ordered(mut open: Vec<JointConstraint>, report: &mut Report) -> Result<Vec<JointConstraint>, AnimationLoadError> {
    let mut done: Vec<JointConstraint> = Vec::with_capacity(open.len());
    let mut is_waiting = vec![0_u32; usize::from(u16::MAX) + 1];
    for constraint in &open {
        is_waiting[usize::from(constraint.joint)] += 1;
    }
    while !open.is_empty() {
        let before = open.len();
        let mut still = Vec::new();
        for constraint in open {
            if is_waiting[usize::from(constraint.source)] > 0 {
                still.push(constraint);
            } else {
                is_waiting[usize::from(constraint.joint)] -= 1;
                done.push(constraint);
            }
        }
        // A long chain against the order of nodes would be walked many times.
        if still.len() == before || done.len() > 1 << 12 && still.len() > 1 << 12 {
            report.repair(
                "VRMC_node_constraint",
                format!("{} joints follow each other in a circle: left out", still.len()),
            )?;
            break;
        }
        open = still;
    }
    Ok(done)
}

fn axis(word: &Option<Text>) -> Option<Vec3> {
    Some(match word.as_deref()? {
        "X" | "PositiveX" => Vec3::X,
        "Y" | "PositiveY" => Vec3::Y,
        "Z" | "PositiveZ" => Vec3::Z,
        "NegativeX" => Vec3::NEG_X,
        "NegativeY" => Vec3::NEG_Y,
        "NegativeZ" => Vec3::NEG_Z,
        _ => return None,
    })
}
