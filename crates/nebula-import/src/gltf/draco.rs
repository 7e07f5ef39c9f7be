//! Converts Draco-compressed geometry to plain accessors.

use draco_core::{DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointAttribute};
use serde_json::{Map, Value, json};

use super::GltfDocument;
use super::error::GltfError;
use super::glb::width;
use super::read::number;

const NAME: &str = "KHR_draco_mesh_compression";
/// What a document may unfold into: vertices and triangles of one primitive, bytes of all of them.
const MOST_POINTS: u64 = 1 << 24;
const MOST_BYTES: u64 = 256 << 20;

const MOST_NOTES: usize = 100;

/// How an accessor holds the numbers of a vertex.
struct Form {
    width: usize,
    /// Bytes of a number.
    size: usize,
    component: usize,
}

impl Form {
    fn new(accessor: &Value) -> Self {
        let component = number(accessor.get("componentType"));
        let size = match component {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            _ => 4,
        };
        Self { width: width(accessor.get("type").and_then(Value::as_str).unwrap_or_default()), size, component }
    }

    /// Vertices begin at multiples of four bytes.
    fn stride(&self) -> usize {
        (self.width * self.size).next_multiple_of(4)
    }
}

impl GltfDocument {
    /// `true` if the document has Draco-compressed geometry.
    #[must_use]
    pub fn has_draco(&self) -> bool {
        matches!(self.json.member("extensionsUsed"), Ok(Value::Array(used)) if used.iter().any(|name| name == NAME))
    }

    /// Replaces Draco-compressed geometry by plain geometry. A primitive that cannot be decoded, or that would take the
    /// document beyond 256 MB, is left as it is; the result lists which ones and why.
    ///
    /// # Errors
    /// The document is invalid.
    pub fn decode_draco(&mut self) -> Result<Vec<String>, GltfError> {
        let (mut left, mut notes) = (MOST_BYTES, Vec::new());
        for mesh in 0..self.json.count("meshes") {
            let mut value = self.json.get("meshes", mesh)?;
            let Some(primitives) = value.get_mut("primitives").and_then(Value::as_array_mut) else { continue };
            let mut is_changed = false;
            for (index, primitive) in primitives.iter_mut().enumerate() {
                let Some(compressed) = primitive.get("extensions").and_then(|all| all.get(NAME)).cloned() else {
                    continue;
                };
                match self.decode_primitive(&compressed, primitive, &mut left) {
                    Ok(()) => is_changed = true,
                    Err(problem) => notes.push(format!("mesh {mesh}, primitive {index}, {NAME}: {problem}")),
                }
            }
            if is_changed {
                self.json.set("meshes", mesh, &value)?;
            }
        }
        if notes.is_empty() {
            self.json.drop_extension(NAME)?;
        }
        // A file of a million faults is not worth a million lines.
        if let Some(more) = notes.len().checked_sub(MOST_NOTES).filter(|more| *more > 0) {
            notes.truncate(MOST_NOTES);
            notes.push(format!("{more} further primitives, {NAME}: left as they are"));
        }
        Ok(notes)
    }

    fn decode_primitive(&mut self, compressed: &Value, primitive: &mut Value, left: &mut u64) -> Result<(), String> {
        let too_much = || format!("unfolds into more than {MOST_BYTES} bytes");
        if *left == 0 {
            return Err(too_much());
        }
        let bytes = self.view_bytes(number(compressed.get("bufferView")))?;
        let limits = DecodeLimits::default()
            .with_max_points(MOST_POINTS)
            .with_max_faces(MOST_POINTS)
            .with_max_decoded_bytes(*left);
        let ids = compressed.get("attributes").and_then(Value::as_object).filter(|ids| !ids.is_empty());
        let ids = ids.ok_or("has no attributes")?;
        let mut mesh = Mesh::new();
        let mut buffer = DecoderBuffer::new(bytes).with_limits(limits);
        let decoded = MeshDecoder::new().decode(&mut buffer, &mut mesh).map_err(|error| error.to_string());
        let points = mesh.num_points();
        // What the stream unfolds into is charged whether or not the primitive uses it, and a stream that ends in an error by its length.
        // A stream that ends in an error may have said any number of points.
        let unfolded = (points as u64).saturating_add(mesh.faces().len() as u64).saturating_mul(12);
        let mut cost = (bytes.len() as u64).saturating_add(unfolded);
        let mut filled = Vec::with_capacity(ids.len());
        if decoded.is_ok() {
            for (name, id) in ids {
                let accessor = primitive.get("attributes").and_then(|all| all.get(name));
                let accessor = accessor.ok_or_else(|| format!("{name} is no attribute of the primitive"))?;
                let form = Form::new(&self.json.get("accessors", number(Some(accessor))).map_err(|it| it.to_string())?);
                if form.width > 4 {
                    return Err(format!("{name} has {} numbers a vertex", form.width));
                }
                cost = cost.saturating_add((points as u64).saturating_mul(form.stride() as u64));
                filled.push((name, number(Some(accessor)), id, form));
            }
        }
        let rest = left.checked_sub(cost);
        *left = rest.unwrap_or(0);
        decoded?;
        rest.ok_or_else(too_much)?;
        if let Some(wrong) = mesh.faces().iter().flatten().find(|point| point.0 as usize >= points) {
            return Err(format!("a triangle has vertex {} of {points}", wrong.0));
        }
        self.same_count(primitive, ids, points)?;
        let mut attributes = Vec::with_capacity(filled.len());
        for (name, accessor, id, form) in filled {
            let decoded = u32::try_from(number(Some(id))).ok().and_then(|id| mesh.attribute_by_unique_id(id));
            let decoded = decoded.ok_or_else(|| format!("{name}: there is no attribute {id} in the stream"))?;
            attributes.push((accessor, decoded, form));
        }
        for (accessor, decoded, form) in attributes {
            self.fill(accessor, decoded, points, &form)?;
        }
        let faces = mesh.faces();
        let indices: Vec<u32> = faces.iter().flatten().map(|point| point.0).collect();
        let bytes: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let made = self.view(&bytes, None).and_then(|view| {
            let accessor =
                json!({ "bufferView": view, "componentType": 5125, "count": indices.len(), "type": "SCALAR" });
            self.json.push("accessors", &accessor)
        });
        let made = made.map_err(|error| error.to_string())?;
        if let Some(primitive) = primitive.as_object_mut() {
            primitive.insert("indices".into(), json!(made));
            // The stream has triangles, whatever strip they came from.
            primitive.remove("mode");
            let extensions = primitive.get_mut("extensions").and_then(Value::as_object_mut);
            if let Some(extensions) = extensions {
                extensions.remove(NAME);
                if extensions.is_empty() {
                    primitive.remove("extensions");
                }
            }
        }
        Ok(())
    }

    /// Refuses vertices that are not as many as what the primitive has of them outside of the stream.
    fn same_count(&self, primitive: &Value, ids: &Map<String, Value>, points: usize) -> Result<(), String> {
        let own = primitive.get("attributes").and_then(Value::as_object).into_iter().flatten();
        let plain = own.filter(|(name, _)| !ids.contains_key(*name));
        let targets = primitive.get("targets").and_then(Value::as_array).into_iter().flatten();
        let moved = targets.filter_map(Value::as_object).flatten();
        for (name, accessor) in plain.chain(moved) {
            let accessor = self.json.get("accessors", number(Some(accessor))).map_err(|error| error.to_string())?;
            let count = number(accessor.get("count"));
            if count != points {
                return Err(format!("{points} vertices, but {name} has {count}"));
            }
        }
        Ok(())
    }

    /// Gives an accessor its decoded numbers.
    fn fill(&mut self, index: usize, decoded: &PointAttribute, points: usize, form: &Form) -> Result<(), String> {
        let mut accessor = self.json.get("accessors", index).map_err(|error| error.to_string())?;
        let (width, size, component, stride) = (form.width, form.size, form.component, form.stride());
        let numbers = decoded.read_f32s(points, width);
        let mut bytes = Vec::with_capacity(points * stride);
        for vertex in numbers.chunks_exact(width.max(1)) {
            for number in vertex {
                match component {
                    5120 => bytes.extend((*number as i8).to_le_bytes()),
                    5121 => bytes.push(*number as u8),
                    5122 => bytes.extend((*number as i16).to_le_bytes()),
                    5123 => bytes.extend((*number as u16).to_le_bytes()),
                    5125 => bytes.extend((*number as u32).to_le_bytes()),
                    _ => bytes.extend(number.to_le_bytes()),
                }
            }
            bytes.resize(bytes.len().next_multiple_of(4), 0);
        }
        let view = self.view(&bytes, None).map_err(|error| error.to_string())?;
        if stride != width * size {
            let mut value = self.json.get("bufferViews", view).map_err(|error| error.to_string())?;
            value["byteStride"] = json!(stride);
            self.json.set("bufferViews", view, &value).map_err(|error| error.to_string())?;
        }
        if let Some(members) = accessor.as_object_mut() {
            members.insert("bufferView".into(), json!(view));
            members.insert("count".into(), json!(points));
            members.remove("byteOffset");
            members.remove("sparse");
            if members.contains_key("min") && component == 5126 {
                let vertices = || numbers.chunks_exact(width.max(1));
                let least = |axis| vertices().map(|vertex| vertex[axis]).fold(f32::MAX, f32::min);
                let most = |axis| vertices().map(|vertex| vertex[axis]).fold(f32::MIN, f32::max);
                members.insert("min".into(), json!((0..width).map(least).collect::<Vec<_>>()));
                members.insert("max".into(), json!((0..width).map(most).collect::<Vec<_>>()));
            }
        }
        self.json.set("accessors", index, &accessor).map_err(|error| error.to_string())
    }
}
