//! What of a file is read and not shown is told, by the name of the expression or the material.

use serde_json::{Value, json};

use super::{load, one, zero};

fn told(file: &Value) -> Vec<String> {
    load(file).warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn expressions_that_change_materials_are_told_by_name() {
    let mut file = one();
    let faces = &mut file["extensions"]["VRMC_vrm"]["expressions"];
    faces["preset"]["happy"]["materialColorBinds"] =
        json!([{ "material": 0, "type": "color", "targetValue": [1, 0.5, 0.5, 1] }]);
    faces["preset"]["blink"]["materialColorBinds"] = json!([]);
    faces["custom"]["wink"]["textureTransformBinds"] = json!([{ "material": 0, "scale": [1, 1], "offset": [0.5, 0] }]);
    let told = told(&file);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told.iter().any(|it| it.contains("expression \"happy\" changes material colours")), "{told:?}");
    assert!(told.iter().any(|it| it.contains("expression \"wink\" moves textures")), "{told:?}");
    // Whatever stands there, the expression is read.
    for nonsense in [json!(null), json!(7), json!("x"), json!({})] {
        let mut file = one();
        file["extensions"]["VRMC_vrm"]["expressions"]["preset"]["happy"]["materialColorBinds"] = nonsense;
        assert_eq!(load(&file).avatar.expect("an avatar").expressions.len(), 4);
    }
}

#[test]
fn what_version_0_says_and_nobody_shows_is_told() {
    assert!(!told(&zero()).iter().any(|it| it.contains("not shown") || it.contains("curve")), "{:?}", told(&zero()));
    let mut file = zero();
    let vrm = &mut file["extensions"]["VRM"];
    vrm["blendShapeMaster"]["blendShapeGroups"][0]["materialValues"] =
        json!([{ "materialName": "skin", "propertyName": "_Color", "targetValue": [1, 1, 1, 1] }]);
    vrm["firstPerson"]["firstPersonBone"] = json!(1);
    vrm["firstPerson"]["lookAtVerticalUp"] = json!({ "curve": [0, 0, 0, 2, 1, 1, 0, 0], "xRange": 60, "yRange": 5 });
    let told = told(&file);
    for words in ["expression \"Joy\" changes materials", "firstPersonBone is node 1", "the curve of lookAtVerticalUp"]
    {
        assert!(told.iter().any(|it| it.contains(words)), "{words}: {told:?}");
    }
    assert!(!told.iter().any(|it| it.contains("HorizontalOuter")), "a straight one is shown: {told:?}");
}

#[test]
fn members_of_mtoon_that_nobody_shows_are_told_by_material() {
    let with = |mtoon: Value| {
        let mut file = one();
        file["materials"] = json!([{ "name": "skirt", "extensions": { "VRMC_materials_mtoon": mtoon } }]);
        file["meshes"][0]["primitives"][0]["material"] = json!(0);
        told(&file)
    };
    let plain = json!({ "specVersion": "1.0", "giEqualizationFactor": 0.9, "uvAnimationScrollXSpeedFactor": 0.0,
        "transparentWithZWrite": false, "renderQueueOffsetNumber": 0, "shadeColorFactor": [0.5, 0.5, 0.5] });
    assert!(!with(plain).iter().any(|it| it.contains("MToon")));
    let said = json!({ "specVersion": "1.0", "giEqualizationFactor": 0.1, "uvAnimationRotationSpeedFactor": 0.5,
        "transparentWithZWrite": true, "shadingShiftTexture": { "index": 0 } });
    let found = with(said);
    let line = found.iter().find(|it| it.contains("MToon")).unwrap_or_else(|| panic!("{found:?}"));
    for words in [
        "\"skirt\"",
        "shadingShiftTexture",
        "uvAnimationRotationSpeedFactor",
        "giEqualizationFactor",
        "transparentWithZWrite",
    ] {
        assert!(line.contains(words), "{words}: {line}");
    }
    assert!(!line.contains("rimMultiplyTexture"), "{line}");
}
