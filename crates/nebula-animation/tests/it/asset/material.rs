//! How surfaces look: every member of glTF's materials, what extensions add, and what is wrong with them.

use nebula_animation::asset::{Alpha, Material, OutlineWidth, Toon, ToonOutline, UvTransform};
use serde_json::{Value, json};

use crate::support::{Gltf, load, rigs, strict, try_load_with};

/// `chain` with a material, and four textures of two images.
fn with(material: Value) -> Gltf {
    let mut g = rigs::chain();
    for text in [&b"\x89PNG\r\n\x1a\n one"[..], b"\x89PNG\r\n\x1a\n two"] {
        let view = g.view(text);
        let image = g.push("images", json!({"bufferView": view}));
        g.push("textures", json!({"source": image}));
        g.push("textures", json!({"source": image, "sampler": 0}));
    }
    g.push("samplers", json!({"wrapS": 33_071}));
    g.push("materials", material);
    g.set("/meshes/0/primitives/0/material", 0);
    g
}

fn material(g: &Gltf) -> Material {
    let asset = load(g);
    // The humans of other tests have their own warnings.
    let warning = asset.warnings.iter().find(|warning| warning.object != "VRM");
    assert!(warning.is_none(), "{warning:?}");
    asset.meshes[0].primitives[0].material.clone()
}

#[test]
fn what_a_file_leaves_open_is_as_gltf_has_it() {
    assert_eq!(material(&with(json!({}))), Material::default());
    let plain = load(&rigs::chain()).meshes[0].primitives[0].material.clone();
    assert_eq!(plain, Material::default());
    assert_eq!((plain.metallic_factor, plain.roughness_factor, plain.emissive_factor), (1.0, 1.0, [0.0; 3]));
}

#[test]
fn every_texture_has_its_image_coordinates_sampler_and_transform() {
    let transform = json!({"KHR_texture_transform": {"offset": [0.25, 0.5], "texCoord": 1}});
    let made = material(&with(json!({
        "pbrMetallicRoughness": {
            "baseColorTexture": {"index": 0},
            "metallicFactor": 0.25,
            "roughnessFactor": 0.5,
            "metallicRoughnessTexture": {"index": 1, "texCoord": 1},
        },
        "normalTexture": {"index": 2, "scale": -0.5},
        "occlusionTexture": {"index": 3, "strength": 0.75, "extensions": transform},
        "emissiveTexture": {"index": 0},
        "emissiveFactor": [1.0, 0.5, 0.0],
        "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4.0}},
    })));
    assert_eq!((made.metallic_factor, made.roughness_factor), (0.25, 0.5));
    assert_eq!((made.normal_scale, made.occlusion_strength), (-0.5, 0.75));
    assert_eq!(made.emissive_factor, [4.0, 2.0, 0.0], "times its strength");
    let textures = [
        made.base_color_texture,
        made.metallic_roughness_texture,
        made.normal_texture,
        made.occlusion_texture,
        made.emissive_texture,
    ];
    let places = textures.map(|texture| texture.map(|texture| (texture.image, texture.uv)));
    assert_eq!(places, [Some((0, 0)), Some((0, 1)), Some((1, 0)), Some((1, 1)), Some((0, 0))]);
    let occlusion = made.occlusion_texture.expect("a texture");
    assert_eq!(occlusion.transform, UvTransform { offset: [0.25, 0.5], ..UvTransform::default() });
    assert_ne!(occlusion.sampler, made.emissive_texture.expect("a texture").sampler);
}

#[test]
fn numbers_stay_in_their_ranges() {
    let made = material(&with(json!({
        "pbrMetallicRoughness": {"metallicFactor": 7, "roughnessFactor": -1},
        "occlusionTexture": {"index": 0, "strength": 9},
        "emissiveFactor": [-1.0, 0.5, 1.0],
    })));
    assert_eq!((made.metallic_factor, made.roughness_factor, made.occlusion_strength), (1.0, 0.0, 1.0));
    assert_eq!(made.emissive_factor, [0.0, 0.5, 1.0]);
}

#[test]
fn unlit_materials() {
    assert!(material(&with(json!({"extensions": {"KHR_materials_unlit": {}}}))).is_unlit);
    assert!(!material(&with(json!({"extensions": {"KHR_materials_sheen": {"sheenColorFactor": [1, 0, 0]}}}))).is_unlit);
}

/// No fault of a material costs more than what it is about; strict loading names it.
#[test]
fn faults_of_materials_are_repaired() {
    let faults = [
        json!({"pbrMetallicRoughness": {"metallicFactor": "much"}}),
        json!({"pbrMetallicRoughness": {"metallicFactor": 1e39}}),
        json!({"pbrMetallicRoughness": {"metallicRoughnessTexture": 7}}),
        json!({"normalTexture": {"texCoord": 1}}),
        json!({"normalTexture": {"index": 0, "scale": []}}),
        json!({"normalTexture": {"index": 99}}),
        json!({"occlusionTexture": []}),
        json!({"occlusionTexture": {"index": 0, "strength": "all"}}),
        json!({"emissiveFactor": [1.0, 2.0]}),
        json!({"emissiveFactor": [1, 1, 1], "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 1e39}}}),
        json!({"extensions": 5}),
        json!({"extensions": {"VRMC_materials_mtoon": 1}}),
        json!({"extensions": {"VRMC_materials_mtoon": {"matcapTexture": {"index": 1000}}}}),
        json!({"extensions": {"VRMC_materials_mtoon": {"outlineWidthMode": 5}}}),
    ];
    for fault in faults {
        let g = with(fault.clone());
        let asset = load(&g);
        assert_eq!(asset.meshes[0].primitives[0].material.base_color_factor, [1.0; 4]);
        assert!(asset.warnings.iter().any(|warning| warning.object.contains("material 0")), "{fault}");
        let error = try_load_with(&g.glb(), &strict()).expect_err("strict loading repairs nothing").to_string();
        assert!(error.contains("material 0"), "{fault}: {error}");
    }
}

#[test]
fn toons_of_vrm_one() {
    let mtoon = json!({
        "specVersion": "1.0",
        "shadeColorFactor": [0.5, 0.25, 0.125],
        "shadeMultiplyTexture": {"index": 2},
        "shadingShiftFactor": -0.25,
        "shadingToonyFactor": 0.75,
        "matcapTexture": {"index": 3},
        "parametricRimColorFactor": [1, 0, 0],
        "parametricRimFresnelPowerFactor": 3,
        "parametricRimLiftFactor": 0.5,
        "rimLightingMixFactor": 0.25,
    });
    let made = material(&with(json!({"extensions": {"VRMC_materials_mtoon": mtoon, "KHR_materials_unlit": {}}})));
    assert!(!made.is_unlit, "that is for readers without toons");
    let toon = made.toon.expect("a toon");
    assert_eq!((toon.shade_color, toon.shading_shift, toon.shading_toony), ([0.5, 0.25, 0.125], -0.25, 0.75));
    assert_eq!((toon.rim_color, toon.rim_power), ([1.0, 0.0, 0.0], 3.0));
    assert_eq!((toon.rim_lift, toon.rim_lighting_mix, toon.matcap_factor), (0.5, 0.25, [1.0; 3]));
    let images = [toon.shade_texture, toon.matcap_texture].map(|texture| texture.map(|texture| texture.image));
    assert_eq!(images[0], images[1]);
    let bare = material(&with(json!({"extensions": {"VRMC_materials_mtoon": {}}})));
    assert_eq!(bare.toon, Some(Box::new(Toon::default())));
}

#[test]
fn outlines_of_toons() {
    let of = |mtoon: Value| {
        let made = material(&with(json!({"extensions": {"VRMC_materials_mtoon": mtoon}})));
        made.toon.expect("a toon").outline
    };
    assert_eq!(of(json!({"outlineWidthFactor": 0.01})), None, "no mode is none");
    assert_eq!(of(json!({"outlineWidthMode": "none", "outlineWidthFactor": 0.01})), None);
    assert_eq!(of(json!({"outlineWidthMode": "worldCoordinates"})), None, "no width");
    let plain =
        ToonOutline { width: OutlineWidth::World(0.01), width_texture: None, color: [0.0; 3], lighting_mix: 1.0 };
    assert_eq!(of(json!({"outlineWidthMode": "worldCoordinates", "outlineWidthFactor": 0.01})), Some(plain));
    let full = of(json!({
        "outlineWidthMode": "screenCoordinates", "outlineWidthFactor": 0.005, "outlineColorFactor": [0.5, 0, 1],
        "outlineLightingMixFactor": 0.25, "outlineWidthMultiplyTexture": {"index": 2}
    }));
    let full = full.expect("an outline");
    assert_eq!((full.width, full.color, full.lighting_mix), (OutlineWidth::Screen(0.005), [0.5, 0.0, 1.0], 0.25));
    assert!(full.width_texture.is_some());
    // Senseless ones are none, or within bounds.
    let odd = |mtoon: Value| {
        let asset = load(&with(json!({"extensions": {"VRMC_materials_mtoon": mtoon}})));
        let outline = asset.meshes[0].primitives[0].material.toon.as_ref().expect("a toon").outline;
        (outline, asset.warnings.iter().any(|warning| warning.message.contains("outlineWidthMode")))
    };
    assert_eq!(odd(json!({"outlineWidthMode": 5, "outlineWidthFactor": 0.01})), (None, true));
    assert_eq!(odd(json!({"outlineWidthMode": "worldCoordinates", "outlineWidthFactor": -1})), (None, false));
    let (wide, _) = odd(json!({"outlineWidthMode": "worldCoordinates", "outlineWidthFactor": 1e30}));
    assert_eq!(wide.map(|outline| outline.width), Some(OutlineWidth::World(10.0)));
    // The older shader counts in centimetres and in hundredths of half a picture; fixed colours take no light.
    let zero = |numbers: Value| {
        let mut g = with(json!({}));
        let properties = json!({"shader": "VRM/MToon", "floatProperties": numbers, "vectorProperties": {"_OutlineColor": [0.5, 1, 0, 1]}});
        g.set("/extensions", json!({"VRM": {"materialProperties": [properties]}}));
        material(&g).toon.expect("a toon").outline
    };
    assert_eq!(zero(json!({"_OutlineWidth": 0.2})), None);
    let world = zero(json!({"_OutlineWidth": 0.2, "_OutlineWidthMode": 1})).expect("an outline");
    assert!(matches!(world.width, OutlineWidth::World(width) if (width - 0.002).abs() < 1e-7), "{world:?}");
    assert!((world.color[0] - 0.214_041).abs() < 1e-5 && world.lighting_mix == 0.0, "{world:?}");
    let mixed = json!({"_OutlineWidth": 1, "_OutlineWidthMode": 2, "_OutlineColorMode": 1, "_OutlineLightingMix": 0.5});
    let screen = zero(mixed).expect("an outline");
    assert!(matches!(screen.width, OutlineWidth::Screen(width) if (width - 0.005).abs() < 1e-7), "{screen:?}");
    assert_eq!(screen.lighting_mix, 0.5);
}

/// The older shader's numbers, as its formula has them: the step from `_ShadeShift` to where `_ShadeToony` leaves it of the way to 1.
#[test]
fn toons_of_vrm_zero() {
    let mut g = with(json!({"extensions": {"KHR_materials_unlit": {}}}));
    let properties = json!({
        "shader": "VRM/MToon",
        "floatProperties": {"_ShadeShift": -0.2, "_ShadeToony": 0.5, "_BlendMode": 1, "_Cutoff": 0.25, "_CullMode": 0, "_Odd": "?"},
        "vectorProperties": {"_Color": [1, 0.5, 0, 0.5], "_ShadeColor": [0.5, 0.5, 0.5, 1], "_EmissionColor": [1, 1, 1, 1]},
        "textureProperties": {"_MainTex": 0, "_BumpMap": 2, "_SphereAdd": 3},
    });
    g.set("/extensions", json!({"VRM": {"materialProperties": [properties, {"shader": "VRM_USE_GLTFSHADER"}]}}));
    let made = material(&g);
    let toon = made.toon.as_ref().expect("a toon");
    // From -0.2 to 0.4: the middle is at 0.1, the half width 0.3.
    assert!((toon.shading_shift + 0.1).abs() < 1e-6 && (toon.shading_toony - 0.7).abs() < 1e-6, "{toon:?}");
    assert!((toon.shade_color[0] - 0.214_041).abs() < 1e-5, "sRGB in the file, linear here");
    assert_eq!((made.is_unlit, made.is_double_sided, made.alpha), (false, true, Alpha::Mask(0.25)));
    assert_eq!((made.base_color_factor[3], made.emissive_factor), (0.5, [1.0; 3]));
    assert!(made.base_color_texture.is_some() && made.normal_texture.is_some() && toon.matcap_texture.is_some());
    g.set("/meshes/0/primitives/0/material", 1);
    g.push("materials", json!({}));
    assert_eq!(material(&g), Material::default(), "another shader");
    for odd in [json!({"VRM": 1}), json!({"VRM": {"materialProperties": 5}})] {
        g.set("/extensions", odd);
        assert_eq!(load(&g).meshes[0].primitives[0].material, Material::default());
    }
}
