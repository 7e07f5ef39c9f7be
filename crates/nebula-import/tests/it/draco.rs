//! Geometry in Draco, against the geometry that it was made of.

use draco_core::{
    DataType, EncoderBuffer, EncoderOptions, GeometryAttributeType, Mesh, MeshEncoder, PointAttribute, PointIndex,
};
use nebula_animation::Asset;
use nebula_import::gltf::GltfDocument;
use serde_json::{Value, json};

use crate::corpus::{self, glb};

/// Positions, joints and triangles.
type Strip = (Vec<[f32; 3]>, Vec<[u16; 4]>, Vec<[u32; 3]>);

/// A strip of triangles with positions, and which joint moves which vertex.
fn strip(count: u32) -> Strip {
    let position =
        |vertex: u32| [vertex as f32 * 0.25, if vertex.is_multiple_of(2) { 0.0 } else { 1.0 }, (vertex % 5) as f32];
    let joints = |vertex: u32| [(vertex % 3) as u16, 0, 0, 0];
    let face = |first: u32| {
        if first.is_multiple_of(2) { [first, first + 1, first + 2] } else { [first + 1, first, first + 2] }
    };
    ((0..count).map(position).collect(), (0..count).map(joints).collect(), (0..count - 2).map(face).collect())
}

fn attribute(kind: GeometryAttributeType, width: u8, data: DataType, bytes: &[u8], count: usize) -> PointAttribute {
    let mut attribute = PointAttribute::new();
    attribute.init(kind, width, data, false, count);
    attribute.buffer_mut().data_mut().copy_from_slice(bytes);
    attribute
}

/// A stream, with the ids of positions and joints.
fn stream(count: u32) -> Vec<u8> {
    let (positions, joints, faces) = strip(count);
    let mut mesh = Mesh::new();
    mesh.set_num_points(count as usize);
    let bytes: Vec<u8> = positions.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
    mesh.add_attribute(attribute(GeometryAttributeType::Position, 3, DataType::Float32, &bytes, count as usize));
    let bytes: Vec<u8> = joints.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
    mesh.add_attribute(attribute(GeometryAttributeType::Generic, 4, DataType::Uint16, &bytes, count as usize));
    for face in faces {
        mesh.add_face(face.map(PointIndex));
    }
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut buffer = EncoderBuffer::new();
    encoder.encode(&EncoderOptions::new(), &mut buffer).expect("a mesh");
    buffer.data().to_vec()
}

fn file(count: u32, stream: &[u8]) -> Vec<u8> {
    let (_, _, faces) = strip(count);
    let json = json!({
        "asset": { "version": "2.0" },
        "extensionsUsed": ["KHR_draco_mesh_compression"],
        "extensionsRequired": ["KHR_draco_mesh_compression"],
        "scene": 0,
        "scenes": [{ "nodes": [0, 1] }],
        "nodes": [{ "mesh": 0, "skin": 0 }, { "name": "a", "children": [2] }, { "name": "b", "translation": [1, 0, 0], "children": [3] }, { "name": "c", "translation": [1, 0, 0] }],
        "skins": [{ "joints": [1, 2, 3] }],
        "meshes": [{ "primitives": [{
            "attributes": { "POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 3 },
            "indices": 2,
            "extensions": { "KHR_draco_mesh_compression": { "bufferView": 0, "attributes": { "POSITION": 0, "JOINTS_0": 1 } } }
        }] }],
        "accessors": [
            { "componentType": 5126, "count": count, "type": "VEC3", "min": [0, 0, 0], "max": [9999, 1, 4] },
            { "componentType": 5123, "count": count, "type": "VEC4" },
            { "componentType": 5125, "count": faces.len() * 3, "type": "SCALAR" },
            { "bufferView": 1, "componentType": 5126, "count": count, "type": "VEC4" }
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": stream.len() },
            { "buffer": 0, "byteOffset": stream.len().next_multiple_of(4), "byteLength": 16 * count }
        ],
        "buffers": [{ "byteLength": stream.len().next_multiple_of(4) + 16 * count as usize }]
    });
    let mut binary = stream.to_vec();
    binary.resize(stream.len().next_multiple_of(4), 0);
    for _ in 0..count {
        binary.extend([1.0_f32, 0.0, 0.0, 0.0].iter().flat_map(|number| number.to_le_bytes()));
    }
    glb(&json, &binary)
}

/// The corners of all triangles with what is known of them, in an order that does not depend on that of vertices.
fn soup(asset: &Asset) -> Vec<[[i64; 4]; 3]> {
    let mut all = Vec::new();
    for primitive in asset.meshes.iter().flat_map(|mesh| mesh.primitives.iter()) {
        for face in primitive.indices.as_chunks::<3>().0 {
            let mut corners = face.map(|index| {
                let [x, y, z] = primitive.positions[index as usize].map(|at| (f64::from(at) * 200.0).round() as i64);
                [x, y, z, primitive.joints.get(index as usize).map_or(0, |joints| i64::from(joints[0]))]
            });
            // Where a triangle begins does not matter.
            let first = (0..3).min_by_key(|corner| corners[*corner]).expect("three");
            corners.rotate_left(first);
            all.push(corners);
        }
    }
    all.sort_unstable();
    all
}

#[test]
fn what_was_compressed_comes_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("strip.glb");
    let count = 60;
    std::fs::write(&path, file(count, &stream(count))).expect("a written file");
    let plain = Asset::load(&path).expect("joints and clips are plain");
    assert!(plain.meshes[0].is_geometry_missing, "the library alone has no decoder");
    let opened = nebula_import::open(&path).expect("a sound file");
    let mesh = &opened.asset.meshes[0];
    assert!(!mesh.is_geometry_missing);
    let (positions, joints, faces) = strip(count);
    let made = nebula_animation::asset::Primitive {
        positions,
        // The skin's joints are the skeleton's, in its order.
        joints: joints
            .into_iter()
            .map(|joints| joints.map(|joint| opened.asset.skins[0].joints[usize::from(joint)]))
            .collect(),
        indices: faces.as_flattened().to_vec(),
        ..Default::default()
    };
    let mesh = nebula_animation::asset::Mesh { primitives: vec![made].into(), ..Default::default() };
    let expected = Asset { meshes: vec![mesh], ..Asset::default() };
    assert_eq!(soup(&opened.asset), soup(&expected));
    // The same out of memory, as pages have files.
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("no file {uri}")));
    let bytes = file(count, &stream(count));
    let opened_bytes = nebula_import::open_bytes("strip.glb", &bytes, &Default::default(), &mut nothing);
    let (asset, notes) = opened_bytes.expect("a sound file");
    assert!(notes.is_empty() && soup(&asset) == soup(&expected));
    // What is written keeps the compressed form.
    let kept = opened.document().expect("the file").into_glb().expect("small");
    assert!(kept.windows(26).any(|window| window == b"KHR_draco_mesh_compression"));
}

#[test]
fn conformance_files_are_as_those_without_draco() {
    let Some(folder) = corpus::folder("conformance/assets") else { return };
    for name in ["RiggedFigure", "RiggedSimple"] {
        let load = |kind: &str| {
            let path = folder.join(name).join(kind).join(format!("{name}.gltf"));
            nebula_import::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).asset
        };
        let (packed, plain) = (load("glTF-Draco"), load("glTF"));
        assert!(packed.meshes.iter().all(|mesh| !mesh.is_geometry_missing));
        let corners = |asset: &Asset| soup(asset).len();
        assert_eq!(corners(&packed), corners(&plain), "{name}");
        let size = |asset: &Asset| {
            let all = asset.meshes.iter().flat_map(|mesh| mesh.primitives.iter()).flat_map(|it| it.positions.iter());
            all.fold(([f32::MAX; 3], [f32::MIN; 3]), |(least, most), at| {
                (
                    std::array::from_fn(|axis| least[axis].min(at[axis])),
                    std::array::from_fn(|axis| most[axis].max(at[axis])),
                )
            })
        };
        let (a, b) = (size(&packed), size(&plain));
        for axis in 0..3 {
            // Draco rounds to a part of the mesh's size.
            let grid = (b.1[2] - b.0[2]) / 2048.0;
            assert!(
                (a.0[axis] - b.0[axis]).abs() < grid && (a.1[axis] - b.1[axis]).abs() < grid,
                "{name}: {a:?} {b:?}"
            );
        }
    }
}

#[test]
fn damaged_streams_are_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("damaged.glb");
    let whole = stream(60);
    let mut seed = 7_u32;
    let mut refused = 0;
    for round in 0..400 {
        let mut bytes = whole.clone();
        for _ in 0..=round % 5 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (seed >> 8) as usize % bytes.len();
            bytes[at] ^= (seed >> 3) as u8 | 1;
        }
        if round % 7 == 0 {
            bytes.truncate(round % bytes.len());
        }
        std::fs::write(&path, file(60, &bytes)).expect("a written file");
        let opened = nebula_import::open(&path).expect("a bad stream costs its primitive");
        assert_eq!(opened.asset.skeleton.joints.len(), 3);
        refused += usize::from(!opened.notes.is_empty());
    }
    assert!(refused > 50, "{refused} of 400 were noticed");
    // A view, an attribute and an accessor that are not there.
    for (place, value) in [("/bufferView", 9), ("/attributes/POSITION", 7), ("/attributes/JOINTS_0", 1000)] {
        let bytes = file(60, &whole);
        let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four")) as usize;
        let mut json: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
        let stream = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
        *json.pointer_mut(&format!("{stream}{place}")).expect("a place") = json!(value);
        std::fs::write(&path, glb(&json, &bytes[28 + length..])).expect("a written file");
        let asset = Asset::load(&path).expect("joints and clips are plain");
        let mut document = GltfDocument::of_file(&path, &asset).expect("a sound container");
        let notes = document.decode_draco().expect("a sound document");
        assert!(notes[0].contains("mesh 0, primitive 0"), "{notes:?}");
        let made = document.into_glb().expect("small");
        assert!(made.windows(26).any(|window| window == b"KHR_draco_mesh_compression"), "what failed stays as it was");
    }
}

/// A stream that ends in an error has said that it has more points than there are numbers for: what it costs overflowed.
#[test]
fn points_beyond_all_numbers_are_errors() {
    let kept = include_bytes!("../../../../fuzz/corpus/draco/points-beyond-all-numbers");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("endless.glb");
    std::fs::write(&path, file(60, &kept[1..])).expect("a written file");
    let opened = nebula_import::open(&path).expect("a bad stream costs its primitive");
    assert_eq!(opened.notes.len(), 1, "{:?}", opened.notes);
}

/// The file with other primitives, all of the one stream.
fn with_primitives(count: u32, primitives: &Value) -> Vec<u8> {
    let bytes = file(count, &stream(count));
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four")) as usize;
    let mut json: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
    json["meshes"][0]["primitives"] = primitives.clone();
    json["accessors"]
        .as_array_mut()
        .expect("accessors")
        .push(json!({ "componentType": 5126, "count": count, "type": "MAT4" }));
    glb(&json, &bytes[28 + length..])
}

/// A stream may be named by any number of primitives: what it unfolds into is charged to the file each time.
#[test]
fn streams_are_charged_for_what_they_unfold_into() {
    let decode = |primitives: &Value| {
        let bytes = with_primitives(60_000, primitives);
        let mut nothing = |uri: &str| Err(std::io::Error::other(format!("no {uri}")));
        let mut document = GltfDocument::of_bytes(&bytes, &Asset::default(), &mut nothing).expect("a sound container");
        let notes = document.decode_draco().expect("a sound document");
        (notes, document.into_glb().expect("below 4 GB").len())
    };
    let primitive = |attributes: Value| {
        json!({ "attributes": { "POSITION": 0 }, "indices": 2, "extensions": {
            "KHR_draco_mesh_compression": { "bufferView": 0, "attributes": attributes } } })
    };
    let (notes, _) = decode(&json!(vec![primitive(json!({})); 3]));
    assert!(notes.len() == 3 && notes[0].contains("no attributes"), "{notes:?}");
    // 60,000 vertices and as many triangles, 2.1 MB each.
    let (notes, length) = decode(&json!(vec![primitive(json!({ "POSITION": 0 })); 160]));
    assert!(notes.iter().any(|note| note.contains("more than")), "{notes:?}");
    assert!(length < 300 << 20, "{length} bytes");
    let mut wide = primitive(json!({ "POSITION": 0 }));
    wide["attributes"]["POSITION"] = json!(4);
    let (notes, _) = decode(&json!([wide]));
    assert!(notes[0].contains("16 numbers"), "{notes:?}");
}
