//! Removes data that is no longer referenced, such as the keys of replaced animations.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::GltfDocument;
use super::error::GltfError;
use super::glb::aligned;
use super::read::{MESHOPT, number};

/// Extensions of which it is known where they refer to accessors and views. With others, everything is kept.
const KNOWN: [&str; 13] = [
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_",
    "KHR_animation_clip",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_lights_",
    "KHR_materials_",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_texture_",
    "KHR_xmp",
    "VRM",
];

/// Leaves out accessors and views that nothing refers to, and their bytes.
pub(super) fn compact(document: &mut GltfDocument) -> Result<(), GltfError> {
    let used = document.json.member("extensionsUsed")?;
    let is_known = |name: &Value| name.as_str().is_some_and(|name| KNOWN.iter().any(|known| name.starts_with(known)));
    if !used.as_array().is_none_or(|used| used.iter().all(is_known)) {
        return Ok(());
    }
    let is_kept = keep(document, "accessors", &["meshes", "skins", "animations", "nodes"], &accessors)?
        && keep(document, "bufferViews", &["accessors", "images", "meshes"], &views)?;
    if !is_kept {
        return Ok(());
    }
    // Views may overlap: bytes that several have are copied once, and where that would make the file larger, all stay where they are.
    let mut moved = Moved { old: std::mem::take(&mut document.binary), ..Moved::default() };
    let mut views = Vec::with_capacity(document.json.count("bufferViews"));
    for index in 0..document.json.count("bufferViews") {
        let mut view = document.json.get("bufferViews", index)?;
        moved.move_bytes(&mut view)?;
        for extension in MESHOPT {
            if let Some(packed) = view.get_mut("extensions").and_then(|all| all.get_mut(extension)) {
                moved.move_bytes(packed)?;
            }
        }
        if moved.length > moved.old.len() {
            document.binary = moved.old;
            return Ok(());
        }
        views.push(view);
    }
    for (index, view) in views.iter().enumerate() {
        document.json.set("bufferViews", index, view)?;
    }
    for (offset, length) in moved.order {
        document.append(&moved.old[offset..offset + length]);
    }
    Ok(())
}

/// The bytes of the first buffer that views have, in their order.
#[derive(Default)]
struct Moved {
    old: Vec<u8>,
    /// Where the bytes with this offset and length will be.
    places: HashMap<(usize, usize), usize>,
    order: Vec<(usize, usize)>,
    /// Of all of them.
    length: usize,
}

impl Moved {
    /// Lets a view of the first buffer refer to where its bytes will be.
    fn move_bytes(&mut self, view: &mut Value) -> Result<(), GltfError> {
        if number(view.get("buffer")) != 0 {
            return Ok(());
        }
        let (offset, length) = (number(view.get("byteOffset")), number(view.get("byteLength")));
        if offset.checked_add(length).is_none_or(|end| end > self.old.len()) {
            return Err(GltfError::malformed("a buffer view", "is not within its buffer"));
        }
        let place = *self.places.entry((offset, length)).or_insert_with(|| {
            let place = aligned(self.length);
            self.length = place.saturating_add(length);
            self.order.push((offset, length));
            place
        });
        view["byteOffset"] = json!(place);
        Ok(())
    }
}

/// Calls a function on every reference in an object.
type Visit = dyn Fn(&mut Value, &mut dyn FnMut(&mut Value));

/// Keeps the entries of a list that the objects of others refer to, and renumbers the references. False where one refers to nothing.
fn keep(document: &mut GltfDocument, list: &str, from: &[&str], visit: &Visit) -> Result<bool, GltfError> {
    let count = document.json.count(list);
    let mut is_used = vec![false; count];
    let mut is_sound = true;
    for name in from {
        for index in 0..document.json.count(name) {
            visit(&mut document.json.get(name, index)?, &mut |reference| match is_used
                .get_mut(number(Some(&*reference)))
            {
                Some(is_used) => *is_used = true,
                None => is_sound = false,
            });
        }
    }
    if !is_sound {
        return Ok(false);
    }
    let mut places = Vec::with_capacity(count);
    let mut kept = Vec::new();
    for (index, is_used) in is_used.iter().enumerate() {
        places.push(kept.len());
        if *is_used {
            kept.push(document.json.get(list, index)?);
        }
    }
    if kept.len() < count {
        document.json.clear(list);
        for entry in &kept {
            document.json.push(list, entry)?;
        }
        for name in from {
            for index in 0..document.json.count(name) {
                let mut value = document.json.get(name, index)?;
                let mut is_changed = false;
                visit(&mut value, &mut |reference: &mut Value| {
                    *reference = json!(places[number(Some(&*reference))]);
                    is_changed = true;
                });
                if is_changed {
                    document.json.set(name, index, &value)?;
                }
            }
        }
    }
    Ok(true)
}

/// References to accessors in meshes, skins, animations and nodes.
fn accessors(object: &mut Value, found: &mut dyn FnMut(&mut Value)) {
    for primitive in list(object, "primitives") {
        members(primitive.get_mut("attributes"), found);
        for target in list(primitive, "targets") {
            members(Some(target), found);
        }
        primitive.get_mut("indices").into_iter().for_each(&mut *found);
    }
    for sampler in list(object, "samplers") {
        for end in ["input", "output"] {
            sampler.get_mut(end).into_iter().for_each(&mut *found);
        }
    }
    object.get_mut("inverseBindMatrices").into_iter().for_each(&mut *found);
    let instances = object.get_mut("extensions").and_then(|all| all.get_mut("EXT_mesh_gpu_instancing"));
    members(instances.and_then(|instances| instances.get_mut("attributes")), found);
}

/// References to views in accessors, images and meshes.
fn views(object: &mut Value, found: &mut dyn FnMut(&mut Value)) {
    for primitive in list(object, "primitives") {
        let packed = primitive.get_mut("extensions").and_then(|all| all.get_mut("KHR_draco_mesh_compression"));
        packed.and_then(|packed| packed.get_mut("bufferView")).into_iter().for_each(&mut *found);
    }
    object.get_mut("bufferView").into_iter().for_each(&mut *found);
    for part in ["indices", "values"] {
        let sparse = object.get_mut("sparse").and_then(|sparse| sparse.get_mut(part));
        sparse.and_then(|part| part.get_mut("bufferView")).into_iter().for_each(&mut *found);
    }
}

fn list<'a>(object: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Value> {
    object.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten()
}

fn members(object: Option<&mut Value>, found: &mut dyn FnMut(&mut Value)) {
    object.and_then(Value::as_object_mut).into_iter().flat_map(|all| all.values_mut()).for_each(found);
}
