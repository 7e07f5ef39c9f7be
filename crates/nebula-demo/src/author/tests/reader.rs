use glam::{DMat4, DQuat, DVec3};
use serde_json::Value;

/// A file read back by means of its own, so that the checks do not trust the code that wrote it.
pub struct Read {
    pub json: Value,
    accessors: Vec<Vec<f64>>,
    pub positions: Vec<DVec3>,
    pub triangles: Vec<[usize; 3]>,
    pub joints: Vec<[usize; 4]>,
    pub weights: Vec<[f64; 4]>,
    inverse_binds: Vec<DMat4>,
    parents: Vec<Option<usize>>,
}

impl Read {
    pub fn new(file: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&file[..4], word(4), word(8)), (b"glTF".as_slice(), 2, file.len()));
        let json: Value = serde_json::from_slice(&file[20..20 + word(12)]).unwrap();
        let mut read = Self {
            accessors: decoded(&json, &file[28 + word(12)..]),
            positions: Vec::new(),
            triangles: Vec::new(),
            joints: Vec::new(),
            weights: Vec::new(),
            inverse_binds: Vec::new(),
            parents: vec![None; json["nodes"].as_array().unwrap().len()],
            json,
        };
        let primitive = read.json["meshes"][0]["primitives"][0].clone();
        let rows = |value: &Value, width: usize| -> Vec<Vec<f64>> {
            value
                .as_u64()
                .map_or_else(Vec::new, |index| read.accessor(index).chunks(width).map(<[f64]>::to_vec).collect())
        };
        let attributes = &primitive["attributes"];
        let positions = rows(&attributes["POSITION"], 3).iter().map(|row| DVec3::from_slice(row)).collect();
        let four = |row: &Vec<f64>| [row[0], row[1], row[2], row[3]];
        let joints = rows(&attributes["JOINTS_0"], 4).iter().map(|row| four(row).map(|j| j as usize)).collect();
        let weights = rows(&attributes["WEIGHTS_0"], 4).iter().map(four).collect();
        let triangles =
            rows(&primitive["indices"], 3).iter().map(|row| [row[0], row[1], row[2]].map(|i| i as usize)).collect();
        let inverse_binds = rows(&read.json["skins"][0]["inverseBindMatrices"], 16)
            .iter()
            .map(|row| DMat4::from_cols_slice(row))
            .collect();
        (read.positions, read.joints, read.weights) = (positions, joints, weights);
        (read.triangles, read.inverse_binds) = (triangles, inverse_binds);
        for (node, value) in read.json["nodes"].as_array().unwrap().iter().enumerate() {
            for child in value["children"].as_array().into_iter().flatten() {
                read.parents[child.as_u64().unwrap() as usize] = Some(node);
            }
        }
        read
    }

    pub fn node(&self, name: &str) -> usize {
        self.json["nodes"].as_array().unwrap().iter().position(|node| node["name"] == name).unwrap()
    }

    pub fn clip(&self, name: &str) -> &Value {
        self.json["animations"].as_array().unwrap().iter().find(|clip| clip["name"] == name).unwrap()
    }

    pub fn seconds(&self, clip: &Value) -> f64 {
        let last = |sampler: &Value| *self.accessor(sampler["input"].as_u64().unwrap()).last().unwrap();
        clip["samplers"].as_array().unwrap().iter().map(last).fold(0.0, f64::max)
    }

    pub fn marker(&self, clip: &Value, name: &str) -> f64 {
        let markers = clip["extras"]["markers"].as_array().unwrap();
        markers.iter().find(|marker| marker["name"] == name).unwrap()["time"].as_f64().unwrap()
    }

    /// The nodes' matrices in model space at a time of a clip.
    pub fn placed(&self, clip: &Value, time: f64) -> Vec<DMat4> {
        let nodes = self.json["nodes"].as_array().unwrap();
        let numbers = |value: &Value, otherwise: &[f64]| {
            value.as_array().map_or(otherwise.to_vec(), |list| list.iter().map(|x| x.as_f64().unwrap()).collect())
        };
        let mut places =
            nodes.iter().map(|n| DVec3::from_slice(&numbers(&n["translation"], &[0.0; 3]))).collect::<Vec<_>>();
        let mut turns = nodes
            .iter()
            .map(|n| DQuat::from_slice(&numbers(&n["rotation"], &[0.0, 0.0, 0.0, 1.0])))
            .collect::<Vec<_>>();
        for channel in clip["channels"].as_array().unwrap() {
            let sampler = &clip["samplers"][channel["sampler"].as_u64().unwrap() as usize];
            let node = channel["target"]["node"].as_u64().unwrap() as usize;
            if channel["target"]["path"] == "rotation" {
                turns[node] = DQuat::from_slice(&self.sampled(sampler, 4, time)).normalize();
            } else {
                places[node] = DVec3::from_slice(&self.sampled(sampler, 3, time));
            }
        }
        let mut matrices: Vec<DMat4> = Vec::new();
        for node in 0..nodes.len() {
            let local = DMat4::from_rotation_translation(turns[node].normalize(), places[node]);
            matrices.push(self.parents[node].map_or(local, |parent| matrices[parent] * local));
        }
        matrices
    }

    /// The mesh's vertices at a time of a clip, by linear blend skinning.
    pub fn skinned(&self, clip: &Value, time: f64) -> Vec<DVec3> {
        self.skinned_some(clip, time, 0..self.positions.len())
    }

    /// The same for some of the vertices.
    pub fn skinned_some(&self, clip: &Value, time: f64, vertices: impl Iterator<Item = usize>) -> Vec<DVec3> {
        let placed = self.placed(clip, time);
        let palette = placed.iter().zip(&self.inverse_binds).map(|(joint, bind)| *joint * *bind).collect::<Vec<_>>();
        let carried = |vertex: usize| {
            let pairs = self.joints[vertex].iter().zip(&self.weights[vertex]);
            pairs.map(|(&joint, &weight)| palette[joint].transform_point3(self.positions[vertex]) * weight).sum()
        };
        vertices.map(carried).collect()
    }

    pub fn inverse_bind(&self, joint: usize) -> DMat4 {
        self.inverse_binds[joint]
    }

    fn sampled(&self, sampler: &Value, width: usize, time: f64) -> Vec<f64> {
        let times = self.accessor(sampler["input"].as_u64().unwrap());
        let values = self.accessor(sampler["output"].as_u64().unwrap());
        let row = |key: usize| values[key * width..(key + 1) * width].to_vec();
        let before = times.partition_point(|&key| key <= time).saturating_sub(1);
        let after = (before + 1).min(times.len() - 1);
        let span = times[after] - times[before];
        let t = if span > 0.0 { ((time - times[before]) / span).clamp(0.0, 1.0) } else { 0.0 };
        match sampler["interpolation"].as_str().unwrap() {
            "STEP" => row(before),
            "LINEAR" if width == 4 => DQuat::from_slice(&row(before))
                .normalize()
                .slerp(DQuat::from_slice(&row(after)).normalize(), t)
                .to_array()
                .to_vec(),
            "LINEAR" => row(before).iter().zip(row(after)).map(|(a, b)| a + (b - a) * t).collect(),
            _ => {
                let (t2, t3) = (t * t, t * t * t);
                let weights =
                    [2.0 * t3 - 3.0 * t2 + 1.0, span * (t3 - 2.0 * t2 + t), 3.0 * t2 - 2.0 * t3, span * (t3 - t2)];
                let parts = [row(3 * before + 1), row(3 * before + 2), row(3 * after + 1), row(3 * after)];
                (0..width).map(|i| (0..4).map(|part| weights[part] * parts[part][i]).sum()).collect()
            }
        }
    }

    fn accessor(&self, index: u64) -> &[f64] {
        &self.accessors[index as usize]
    }
}

/// The numbers of every accessor.
fn decoded(json: &Value, binary: &[u8]) -> Vec<Vec<f64>> {
    let numbers = |accessor: &Value| -> Vec<f64> {
        let view = &json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let start = view["byteOffset"].as_u64().unwrap() as usize;
        let bytes = &binary[start..start + view["byteLength"].as_u64().unwrap() as usize];
        let full = |largest: f64| if accessor["normalized"] == true { largest } else { 1.0 };
        match accessor["componentType"].as_u64().unwrap() {
            5121 => bytes.iter().map(|&b| f64::from(b) / full(255.0)).collect(),
            5123 => bytes.chunks(2).map(|b| f64::from(u16::from_le_bytes([b[0], b[1]])) / full(65535.0)).collect(),
            _ => bytes.chunks(4).map(|b| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]))).collect(),
        }
    };
    json["accessors"].as_array().unwrap().iter().map(numbers).collect()
}
