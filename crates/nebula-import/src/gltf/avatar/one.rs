//! `VRMC_vrm` 1.0, and `VRMC_vrm_animation`.

use nebula_animation::rig::avatar::{Expression, EyeGazeKind, EyeRange, FirstPerson, Override};
use serde_json::{Map, Value, json};

use super::super::error::GltfError;
use super::{Target, bones};

pub(super) fn write(target: &mut Target) -> Result<(), GltfError> {
    let (asset, avatar) = (target.asset, target.avatar);
    let bones: Map<String, Value> = asset
        .humanoid
        .iter()
        .flat_map(|map| bones::list(map, false))
        .map(|(name, joint)| (name, json!({ "node": joint })))
        .collect();
    let humanoid = json!({ "humanBones": bones });
    let moves = !avatar.expression_joints.is_empty() || avatar.gaze_joint.is_some();
    let shows = !avatar.meta.is_empty()
        || !avatar.expressions.is_empty()
        || !avatar.first_person.is_empty()
        || avatar.gaze.is_some()
        || !avatar.springs.is_empty()
        || !avatar.constraints.is_empty();
    if shows && asset.humanoid.is_some() {
        let mut vrm = json!({ "specVersion": "1.0", "humanoid": humanoid });
        // A file must have them; without a word of permission, nobody but the author may use it.
        let unknown = json!({ "name": "", "authors": [""], "licenseUrl": "https://vrm.dev/licenses/1.0/" });
        vrm["meta"] = target.meta().unwrap_or(unknown);
        vrm["expressions"] = expressions(target);
        if let Some(look) = look_at(target) {
            vrm["lookAt"] = look;
        }
        let annotation =
            |(node, kind): &(usize, FirstPerson)| Some(json!({ "node": target.node(*node)?, "type": word(*kind) }));
        let annotations: Vec<Value> = avatar.first_person.iter().filter_map(annotation).collect();
        vrm["firstPerson"] = json!({ "meshAnnotations": annotations });
        target.extend("VRMC_vrm", vrm)?;
    } else if (moves || !shows) && asset.humanoid.is_some() {
        let mut made = json!({ "specVersion": "1.0", "humanoid": humanoid });
        for (name, joint) in &avatar.expression_joints {
            let kind = if PRESETS.contains(&name.as_str()) { "preset" } else { "custom" };
            made["expressions"][kind][name] = json!({ "node": joint });
        }
        if let Some(joint) = avatar.gaze_joint {
            made["lookAt"] = json!({ "node": joint, "offsetFromHeadBone": [0.0, 0.0, 0.0] });
        }
        target.extend("VRMC_vrm_animation", made)?;
    }
    Ok(())
}

/// The expressions that files of animations tell from the author's own by their name.
const PRESETS: [&str; 18] = [
    "happy",
    "angry",
    "sad",
    "relaxed",
    "surprised",
    "neutral",
    "aa",
    "ih",
    "ou",
    "ee",
    "oh",
    "blink",
    "blinkLeft",
    "blinkRight",
    "lookUp",
    "lookDown",
    "lookLeft",
    "lookRight",
];

fn expressions(target: &Target) -> Value {
    let mut all = json!({});
    for expression in &target.avatar.expressions {
        let kind = if expression.is_preset { "preset" } else { "custom" };
        all[kind][&expression.name] = face(target, expression);
    }
    all
}

fn face(target: &Target, expression: &Expression) -> Value {
    let rule = |rule: Override| match rule {
        Override::None => "none",
        Override::Block => "block",
        Override::Blend => "blend",
    };
    let bind = |(slot, weight): &(usize, f32)| {
        let (node, index) = target.morph(*slot)?;
        Some(json!({ "node": node, "index": index, "weight": weight }))
    };
    let binds: Vec<Value> = expression.morphs.iter().filter_map(bind).collect();
    json!({
        "morphTargetBinds": binds, "isBinary": expression.is_binary, "overrideBlink": rule(expression.blink),
        "overrideLookAt": rule(expression.look_at), "overrideMouth": rule(expression.mouth),
    })
}

fn look_at(target: &Target) -> Option<Value> {
    let gaze = target.avatar.gaze.as_ref()?;
    let range = |range: EyeRange| json!({ "inputMaxValue": range.most, "outputScale": range.output });
    Some(json!({
        "offsetFromHeadBone": gaze.offset.to_array(),
        "type": if gaze.kind == EyeGazeKind::Expressions { "expression" } else { "bone" },
        "rangeMapHorizontalInner": range(gaze.inner), "rangeMapHorizontalOuter": range(gaze.outer),
        "rangeMapVerticalDown": range(gaze.down), "rangeMapVerticalUp": range(gaze.up),
    }))
}

fn word(kind: FirstPerson) -> &'static str {
    match kind {
        FirstPerson::Auto => "auto",
        FirstPerson::Both => "both",
        FirstPerson::ThirdPersonOnly => "thirdPersonOnly",
        FirstPerson::FirstPersonOnly => "firstPersonOnly",
    }
}
