//! Eye movement, and first-person visibility.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::one::first_person;
use super::super::{Around, MOST, number};
use super::{Point, Shown};
use crate::asset::document::{Capped, Lenient, Text};
use crate::asset::error::AnimationLoadError;
use crate::asset::report::Report;
use crate::rig::avatar::{Avatar, EyeGaze, EyeGazeKind, EyeRange};
use crate::skeleton::{HumanoidJoint, Side};

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Eyes<'a> {
    first_person_bone: Lenient,
    first_person_bone_offset: Option<Point>,
    #[serde(borrow)]
    look_at_type_name: Option<Text<'a>>,
    #[serde(borrow)]
    look_at_horizontal_inner: Option<Range<'a>>,
    #[serde(borrow)]
    look_at_horizontal_outer: Option<Range<'a>>,
    #[serde(borrow)]
    look_at_vertical_down: Option<Range<'a>>,
    #[serde(borrow)]
    look_at_vertical_up: Option<Range<'a>>,
    #[serde(borrow)]
    mesh_annotations: Option<Capped<Annotation<'a>, MOST>>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Range<'a> {
    // Time, value and slopes on both sides of each key.
    #[serde(borrow)]
    curve: Option<&'a RawValue>,
    x_range: Option<f64>,
    y_range: Option<f64>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Annotation<'a> {
    mesh: Lenient,
    #[serde(borrow)]
    first_person_flag: Text<'a>,
}

pub(super) fn read(
    eyes: &Eyes,
    shown: &Shown,
    around: &Around,
    avatar: &mut Avatar,
    report: &mut Report,
) -> Result<(), AnimationLoadError> {
    for annotation in eyes.mesh_annotations.iter().flatten() {
        let nodes = shown.nodes(annotation.mesh);
        if avatar.first_person.len() + nodes.len() > 4 * MOST {
            report.repair("VRM", "firstPerson lists more meshes than any avatar has: the rest is left out")?;
            break;
        }
        let kind = first_person(&annotation.first_person_flag);
        avatar.first_person.extend(nodes.iter().map(|node| (*node, kind)));
    }
    let Some(head) = around.humanoid_joint(HumanoidJoint::Head) else { return Ok(()) };
    let bone = eyes.first_person_bone.index().filter(|bone| *bone < around.document.nodes.len());
    let bone = bone.filter(|bone| around.node_joints.get(*bone).copied().flatten() != Some(head));
    if let Some(bone) = bone {
        report.note("VRM", format!("firstPersonBone is node {bone}, which is not the head: the head is used instead"));
    }
    let curves = [
        ("HorizontalInner", &eyes.look_at_horizontal_inner),
        ("HorizontalOuter", &eyes.look_at_horizontal_outer),
        ("VerticalDown", &eyes.look_at_vertical_down),
        ("VerticalUp", &eyes.look_at_vertical_up),
    ];
    for (name, range) in curves {
        if range.as_ref().and_then(|range| range.curve).is_some_and(|curve| !is_straight(curve)) {
            report.note("VRM", format!("the curve of lookAt{name} is not linear: it is treated as linear"));
        }
    }
    let is_expressions = eyes.look_at_type_name.as_deref() == Some("BlendShape");
    let range = |range: &Option<Range>| {
        let range = range.as_ref();
        EyeRange {
            most: number(range.and_then(|range| range.x_range), 90.0),
            output: number(range.and_then(|range| range.y_range), if is_expressions { 1.0 } else { 10.0 }),
        }
    };
    avatar.gaze = Some(EyeGaze {
        kind: if is_expressions { EyeGazeKind::Expressions } else { EyeGazeKind::Joints },
        head,
        eyes: [Side::Left, Side::Right].map(|side| around.humanoid_joint(HumanoidJoint::Eye(side))),
        offset: eyes.first_person_bone_offset.unwrap_or_default().mirrored(),
        inner: range(&eyes.look_at_horizontal_inner),
        outer: range(&eyes.look_at_horizontal_outer),
        down: range(&eyes.look_at_vertical_down),
        up: range(&eyes.look_at_vertical_up),
    });
    Ok(())
}

/// Whether a curve goes from nothing at 0 to all of it at 1, at the same pace: two keys with slopes of one between them.
fn is_straight(curve: &RawValue) -> bool {
    // What is no list of numbers is no curve.
    let Ok(curve) = serde_json::from_str::<Capped<f64, MOST>>(curve.get()) else { return true };
    let near = |a: f64, b: f64| (a - b).abs() < 1e-3;
    match curve[..] {
        [] => true,
        [from, least, _, out, to, most, into, _] => {
            [from, least].iter().all(|it| near(*it, 0.0)) && [to, most, into, out].iter().all(|it| near(*it, 1.0))
        }
        _ => false,
    }
}
