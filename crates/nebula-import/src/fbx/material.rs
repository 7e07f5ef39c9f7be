//! Materials with embedded images.

use fbx_rs::{Material, MaterialMap, Scene};
use serde_json::{Value, json};

use super::{FbxError, shown};
use crate::gltf::GltfDocument;

/// Writes a material, and returns its index. What of it is not shown is told.
pub(super) fn write(
    document: &mut GltfDocument,
    scene: &Scene,
    index: usize,
    notes: &mut Vec<String>,
) -> Result<usize, FbxError> {
    let material = &scene.materials()[index];
    let mut looks = json!({ "metallicFactor": 0.0, "roughnessFactor": 0.8 });
    let base = map(material, "base_color", "diffuse_color");
    let normals = map(material, "normal_map", "normal_map");
    if let Some(texture) = picture(document, scene, base, material, notes)? {
        looks["baseColorTexture"] = texture;
    } else if let Some(base) = base.filter(|base| base.has_value && base.value_components >= 3) {
        let [red, green, blue] = [0, 1, 2].map(|at| base.value[at].clamp(0.0, 1.0) as f32);
        looks["baseColorFactor"] = json!([red, green, blue, 1.0]);
    }
    let mut made = json!({ "pbrMetallicRoughness": looks });
    if let Some(texture) = picture(document, scene, normals, material, notes)? {
        made["normalTexture"] = texture;
    }
    if !material.name().is_empty() {
        made["name"] = json!(material.name());
    }
    let shown_already: Vec<usize> = [base, normals].into_iter().flatten().filter_map(|map| map.texture).collect();
    let others = material.textures().iter().filter(|other| !shown_already.contains(&other.texture));
    let mut names: Vec<String> = others.map(|other| String::from_utf8_lossy(&other.material_prop).into()).collect();
    names.sort();
    names.dedup();
    if !names.is_empty() {
        let names = names.iter().take(8).map(|name| shown(name)).collect::<Vec<_>>().join(", ");
        notes.push(format!("material {}: pictures for {names} are left out", shown(material.name())));
    }
    Ok(document.push("materials", &made)?)
}

fn map<'a>(material: &'a Material, name: &str, old: &str) -> Option<&'a MaterialMap> {
    let has = |map: &&MaterialMap| map.texture.is_some();
    let [new, old] = [material.pbr_map(name), material.fbx_map(old)];
    new.filter(has).or(old.filter(has)).or(new).or(old)
}

/// The picture of a map as a texture; `None` where there is none in the file.
fn picture(
    document: &mut GltfDocument,
    scene: &Scene,
    map: Option<&MaterialMap>,
    material: &Material,
    notes: &mut Vec<String>,
) -> Result<Option<Value>, FbxError> {
    let texture = map.filter(|map| map.texture_enabled).and_then(|map| map.texture);
    let Some(texture) = texture.and_then(|texture| scene.textures().get(texture)) else { return Ok(None) };
    let own = std::iter::once(texture);
    let mut files = own.chain(texture.file_textures().iter().filter_map(|index| scene.textures().get(*index)));
    let Some(content) = files.find_map(|it| Some(it.content()).filter(|content| !content.is_empty())) else {
        let (name, file) = (shown(material.name()), shown(texture.filename()));
        notes.push(format!("material {name}: its picture {file} is a file of its own: left out"));
        return Ok(None);
    };
    let kind = match content {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        _ => {
            let (name, file) = (shown(material.name()), shown(texture.filename()));
            notes.push(format!("material {name}: its picture {file} is neither PNG nor JPEG: left out"));
            return Ok(None);
        }
    };
    let view = document.view(content, None)?;
    let image = document.push("images", &json!({ "bufferView": view, "mimeType": kind }))?;
    let texture = document.push("textures", &json!({ "source": image }))?;
    Ok(Some(json!({ "index": texture })))
}
