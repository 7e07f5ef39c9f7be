//! A character of which everything is known: its feet are moved by keys of their own, as in rigs with targets for the feet.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

pub const SECONDS: f64 = 1.0;
pub const SPEED: f64 = 1.2;
/// From the soles at rest to the top of the head.
pub const HEIGHT: f64 = 1.7;
/// In the middle third of each stance, to the side.
pub const SLIDE_MM: f64 = 6.0;
/// Feet stand this deep in the ground.
pub const DEPTH_MM: f64 = 5.0;
/// Of the cycle, a foot stands.
const STANCE: f64 = 0.6;

#[derive(Debug)]
pub struct Made {
    /// Whether it faces -Z.
    pub is_turned: bool,
    /// Whether the root carries it over the ground.
    pub travels: bool,
    pub has_meshes: bool,
    pub has_clip: bool,
    pub scale: f32,
}

impl Default for Made {
    fn default() -> Self {
        Self { is_turned: false, travels: false, has_meshes: true, has_clip: true, scale: 1.0 }
    }
}

/// Name, parent, place.
type Joint = (&'static str, Option<usize>, [f64; 3]);

/// The feet hang from the root.
const JOINTS: [Joint; 16] = [
    ("Root", None, [0.0, 0.0, 0.0]),
    ("Hips", Some(0), [0.0, 0.9, 0.0]),
    ("Spine", Some(1), [0.0, 1.1, 0.0]),
    ("Head", Some(2), [0.0, 1.5, 0.0]),
    ("LeftArm", Some(2), [0.2, 1.4, 0.0]),
    ("LeftForeArm", Some(4), [0.2, 1.1, 0.0]),
    ("LeftHand", Some(5), [0.2, 0.8, 0.02]),
    ("RightArm", Some(2), [-0.2, 1.4, 0.0]),
    ("RightForeArm", Some(7), [-0.2, 1.1, 0.0]),
    ("RightHand", Some(8), [-0.2, 0.8, 0.02]),
    ("LeftUpLeg", Some(1), [0.1, 0.88, 0.0]),
    ("LeftLeg", Some(10), [0.1, 0.48, 0.02]),
    ("LeftFoot", Some(0), [0.1, 0.08, 0.0]),
    ("RightUpLeg", Some(1), [-0.1, 0.88, 0.0]),
    ("RightLeg", Some(13), [-0.1, 0.48, 0.02]),
    ("RightFoot", Some(0), [-0.1, 0.08, 0.0]),
];

#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    fn add(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize, range: Option<(Value, Value)>) -> usize {
        self.views.push(json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()}));
        self.bytes.extend(bytes);
        let mut accessor =
            json!({"bufferView": self.views.len() - 1, "componentType": component, "type": kind, "count": count});
        if let Some((min, max)) = range {
            accessor["min"] = min;
            accessor["max"] = max;
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn floats<const N: usize>(&mut self, rows: &[[f32; N]], has_range: bool) -> usize {
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        let kind = ["SCALAR", "", "VEC3", "VEC4"].get(N - 1).copied().unwrap_or("MAT4");
        let fold = |pick: fn(f32, f32) -> f32| -> Value {
            let column = |column: usize| rows.iter().map(|row| row[column]).reduce(pick);
            (0..N).map(column).collect::<Vec<_>>().into()
        };
        let range = has_range.then(|| (fold(f32::min), fold(f32::max)));
        self.add(&bytes, 5126, kind, rows.len(), range)
    }
}

impl Made {
    /// Writes the file, and says where.
    pub fn write(&self, folder: &Path) -> PathBuf {
        let mut buffer = Buffer::default();
        let places = JOINTS.map(|(_, _, place)| place.map(|x| x as f32));
        let mut nodes: Vec<Value> = Vec::new();
        for (index, (name, parent, place)) in JOINTS.into_iter().enumerate() {
            let from = parent.map_or([0.0; 3], |parent| JOINTS[parent].2);
            let children: Vec<usize> = (0..JOINTS.len()).filter(|child| JOINTS[*child].1 == Some(index)).collect();
            let mut node =
                json!({"name": name, "translation": [place[0] - from[0], place[1] - from[1], place[2] - from[2]]});
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            nodes.push(node);
        }
        // Above all joints, and one of them for whoever loads the file: which way it faces, and how large it is.
        let size = [self.scale; 3];
        let turn = if self.is_turned { [0.0, 1.0, 0.0, 0.0] } else { [0.0, 0.0, 0.0, 1.0] };
        nodes.push(json!({"name": "Armature", "children": [0], "rotation": turn, "scale": size}));
        let world = |[x, y, z]: [f32; 3]| {
            let sign = if self.is_turned { -1.0 } else { 1.0 };
            [sign * x * self.scale, y * self.scale, sign * z * self.scale]
        };
        let inverse = |place: [f32; 3]| {
            // The inverse of a turn by half a circle is the same turn.
            let (sign, size) = (if self.is_turned { -1.0 } else { 1.0 }, 1.0 / self.scale);
            let [x, y, z] = place;
            [sign * size, 0.0, 0.0, 0.0, 0.0, size, 0.0, 0.0, 0.0, 0.0, sign * size, 0.0, -x, -y, -z, 1.0]
        };
        let inverses = buffer.floats(&places.map(inverse), false);
        let mut json = json!({
            "asset": {"version": "2.0"}, "scene": 0,
            "skins": [{"joints": (0..JOINTS.len()).collect::<Vec<_>>(), "inverseBindMatrices": inverses}],
        });
        let mut top = vec![JOINTS.len()];
        if self.has_meshes {
            self.add_meshes(&mut buffer, &mut nodes, &mut json, &mut top, world);
        }
        if self.has_clip {
            json["animations"] = json!([self.walk(&mut buffer)]);
        }
        json["scenes"] = json!([{"nodes": top}]);
        json["nodes"] = nodes.into();
        json["buffers"] = json!([{"byteLength": buffer.bytes.len(), "uri": "made.bin"}]);
        json["bufferViews"] = buffer.views.into();
        json["accessors"] = buffer.accessors.into();
        std::fs::write(folder.join("made.bin"), &buffer.bytes).expect("it is written");
        let file = folder.join("made.gltf");
        std::fs::write(&file, json.to_string()).expect("it is written");
        file
    }

    /// A skinned head, and shoes that are rigid.
    fn add_meshes(
        &self,
        buffer: &mut Buffer,
        nodes: &mut Vec<Value>,
        json: &mut Value,
        top: &mut Vec<usize>,
        world: impl Fn([f32; 3]) -> [f32; 3],
    ) {
        let head = buffer.floats(&[[0.1, 1.5, 0.0], [-0.1, 1.5, 0.0], [0.0, HEIGHT as f32, 0.0]].map(world), true);
        let joints = buffer.add(&[3, 0, 0, 0].repeat(3), 5121, "VEC4", 3, None);
        let weights = buffer.floats(&[[1.0, 0.0, 0.0, 0.0]; 3], false);
        // In the frame of the foot, whose joint is 8 cm above the sole.
        let shoe = [[-0.04, -0.08, -0.06], [0.04, -0.08, -0.06], [0.04, -0.08, 0.14], [-0.04, -0.08, 0.14]];
        let shoe = buffer.floats(&shoe, true);
        let indices = buffer.add(&[0, 1, 2, 0, 2, 3], 5121, "SCALAR", 6, None);
        json["meshes"] = json!([
            {"primitives": [{"attributes": {"POSITION": head, "JOINTS_0": joints, "WEIGHTS_0": weights}}]},
            {"primitives": [{"attributes": {"POSITION": shoe}, "indices": indices}]},
        ]);
        for foot in [12, 15] {
            nodes.push(json!({"name": "shoe", "mesh": 1}));
            nodes[foot]["children"] = json!([nodes.len() - 1]);
        }
        nodes.push(json!({"name": "head mesh", "mesh": 0, "skin": 0}));
        top.push(nodes.len() - 1);
    }

    /// Feet go back with the ground, and forwards above it.
    fn walk(&self, buffer: &mut Buffer) -> Value {
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        let mut add = |node: usize, path: &str, input: usize, output: usize| {
            channels.push(json!({"sampler": samplers.len(), "target": {"node": node, "path": path}}));
            samplers.push(json!({"input": input, "output": output}));
        };
        let keys: Vec<f64> = (0..=600).map(|key| f64::from(key) / 600.0).collect();
        let times = buffer.floats(&keys.iter().map(|key| [(key * SECONDS) as f32]).collect::<Vec<_>>(), true);
        for (foot, later, side) in [(12, 0.0, 0.1), (15, 0.5, -0.1)] {
            let place = |key: &f64| {
                let [aside, up, along] = foot_at((key - later).rem_euclid(1.0));
                [(side + aside) as f32, up as f32, along as f32]
            };
            let places = buffer.floats(&keys.iter().map(place).collect::<Vec<_>>(), false);
            add(foot, "translation", times, places);
        }
        let ends = buffer.floats(&[[0.0], [SECONDS as f32]], true);
        let half = 6_f32.to_radians();
        let turns = buffer.floats(&[[0.0, 0.0, 0.0, 1.0], [0.0, half.sin(), 0.0, half.cos()]], false);
        add(2, "rotation", ends, turns);
        if self.travels {
            let way = buffer.floats(&[[0.0; 3], [0.0, 0.0, (SPEED * SECONDS) as f32]], false);
            add(0, "translation", ends, way);
        }
        json!({"name": "walk", "samplers": samplers, "channels": channels})
    }
}

/// Where a foot is at a share of its cycle, which begins as it lands: aside, up, along.
fn foot_at(cycle: f64) -> [f64; 3] {
    let reach = 0.5 * SPEED * STANCE * SECONDS;
    let ground = 0.08 - 1e-3 * DEPTH_MM;
    let slide = 1e-3 * SLIDE_MM;
    if cycle <= STANCE {
        let share = cycle / STANCE;
        return [slide * (3.0 * share - 1.0).clamp(0.0, 1.0), ground, reach * (1.0 - 2.0 * share)];
    }
    let share = (cycle - STANCE) / (1.0 - STANCE);
    let smooth = share * share * (3.0 - 2.0 * share);
    [slide * (1.0 - smooth), ground + 0.15 * (std::f64::consts::PI * share).sin(), reach * (2.0 * smooth - 1.0)]
}
