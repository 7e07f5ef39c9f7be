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

/// The constraints, each behind those that it needs. Of those that follow each other in a circle, all are left out.
pub(super) fn read(around: &Around, report: &mut Report) -> Result<Vec<JointConstraint>, AnimationLoadError> {
    let mut found: Vec<Found> = Vec::new();
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
                report.repair(&object, "needs exactly one of roll, aim and rotation: left out")?;
                continue;
            }
        };
        let Some(kind) = kind else {
            report.repair(&object, "its axis is invalid: left out")?;
            continue;
        };
        let Some(followed) = rule.source.index().filter(|source| *source != node) else {
            let why = if rule.source.index().is_some() { "follows itself" } else { "has no source" };
            report.repair(&object, format!("{why}: left out"))?;
            continue;
        };
        let joint = around.joint(&object, Lenient(Some(node as f64)), report)?;
        let source = around.joint(&object, rule.source, report)?;
        let (Some(joint), Some(source)) = (joint, source) else { continue };
        let constraint = JointConstraint { joint, source, weight: number(rule.weight, 1.0).clamp(0.0, 1.0), kind };
        found.push(Found { node, followed, constraint });
    }
    ordered(found, around, report)
}

/// A constraint, its node, and the node that it follows.
struct Found {
    node: usize,
    followed: usize,
    constraint: JointConstraint,
}

/// Puts each constraint behind those that it needs.
///
/// A joint that copies another's rotation depends on that rotation. A joint that points at another depends on both
/// positions, and so on all their ancestors. A node's position is known once its parent's is and its own constraint has
/// been applied. With positions as steps of their own, the work grows only with the number of nodes and constraints.
fn ordered(
    found: Vec<Found>,
    around: &Around,
    report: &mut Report,
) -> Result<Vec<JointConstraint>, AnimationLoadError> {
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let parents = &around.nodes.parents;
    let count = parents.len();
    // Step `n` settles the place of node `n`, step `count + c` is constraint `c`.
    let mut waits_for = vec![0_u32; count + found.len()];
    let mut unlocks: Vec<Vec<usize>> = vec![Vec::new(); count + found.len()];
    let mut wait = |step: usize, before: usize| {
        waits_for[step] += 1;
        unlocks[before].push(step);
    };
    let mut of_node = vec![None; count];
    for (index, found) in found.iter().enumerate() {
        of_node[found.node] = Some(count + index);
    }
    for (node, parent) in parents.iter().enumerate() {
        parent.iter().chain(&of_node[node]).for_each(|before| wait(node, *before));
    }
    for (index, Found { node, followed, constraint }) in found.iter().enumerate() {
        let aims = matches!(constraint.kind, ConstraintKind::Aim(_));
        let places = [parents[*node], parents[*followed]].into_iter().flatten().filter(|_| aims);
        places.chain(of_node[*followed]).for_each(|before| wait(count + index, before));
    }
    let mut ready: Vec<usize> = (0..waits_for.len()).rev().filter(|step| waits_for[*step] == 0).collect();
    let mut done: Vec<JointConstraint> = Vec::with_capacity(found.len());
    while let Some(step) = ready.pop() {
        if let Some(found) = step.checked_sub(count).and_then(|index| found.get(index)) {
            done.push(found.constraint);
        }
        for &next in &unlocks[step] {
            waits_for[next] -= 1;
            if waits_for[next] == 0 {
                ready.push(next);
            }
        }
    }
    let left = found.len() - done.len();
    if left > 0 {
        let why = format!("{left} joints follow each other in a cycle, or follow joints that do: left out");
        report.repair("VRMC_node_constraint", why)?;
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
