//! Recordings, by a reader and an evaluator of their own in double precision: no line of them is the library's.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::told;
use crate::corpus::find;

/// Metres per unit of the CMU database.
const UNIT: f64 = 0.056_444;
/// How far from its joint a point is, in metres.
const REACH: f64 = 0.03;

/// Rows of a rotation.
type Turn = [[f64; 3]; 3];
/// A rotation and a place.
type Placed = (Turn, [f64; 3]);

const NONE: Turn = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn product(a: &Turn, b: &Turn) -> Turn {
    std::array::from_fn(|row| std::array::from_fn(|column| (0..3).map(|k| a[row][k] * b[k][column]).sum()))
}

fn applied(turn: &Turn, at: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|row| (0..3).map(|k| turn[row][k] * at[k]).sum())
}

/// A turn around one of the axes.
fn around(axis: usize, degrees: f64) -> Turn {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut turn = NONE;
    (turn[next][next], turn[next][last], turn[last][next], turn[last][last]) = (cosine, -sine, sine, cosine);
    turn
}

/// The turn of a quaternion, of whatever length.
fn of_quaternion([x, y, z, w]: [f64; 4]) -> Turn {
    let twice = 2.0 / (x * x + y * y + z * z + w * w);
    [
        [1.0 - twice * (y * y + z * z), twice * (x * y - z * w), twice * (x * z + y * w)],
        [twice * (x * y + z * w), 1.0 - twice * (x * x + z * z), twice * (y * z - x * w)],
        [twice * (x * z - y * w), twice * (y * z + x * w), 1.0 - twice * (x * x + y * y)],
    ]
}

/// From local to model space.
fn composed(parents: &[Option<usize>], local: &[Placed]) -> Vec<Placed> {
    let mut all: Vec<Placed> = Vec::new();
    for (parent, (turn, at)) in parents.iter().zip(local) {
        all.push(match parent.map(|parent| all[parent]) {
            None => (*turn, *at),
            Some((above, from)) => {
                let at = applied(&above, *at);
                (product(&above, turn), std::array::from_fn(|axis| from[axis] + at[axis]))
            }
        });
    }
    all
}

/// A recording as its text has it: joints in order, and for each its channels (position or rotation, axis).
#[derive(Default)]
struct Recorded {
    parents: Vec<Option<usize>>,
    offsets: Vec<[f64; 3]>,
    channels: Vec<(usize, bool, usize)>,
    frames: Vec<Vec<f64>>,
}

impl Recorded {
    fn read(file: &Path) -> Self {
        let text = std::fs::read_to_string(file).expect("a recording");
        let (hierarchy, motion) = text.split_once("MOTION").expect("a hierarchy and its motion");
        let mut recorded = Self::default();
        // The joints that are open; an end site is none.
        let mut open: Vec<Option<usize>> = Vec::new();
        let mut is_end = false;
        let mut words = hierarchy.split_whitespace();
        let number = |word: Option<&str>| word.and_then(|word| word.parse::<f64>().ok()).expect("a number");
        while let Some(word) = words.next() {
            match word {
                "JOINT" | "ROOT" => is_end = false,
                "End" => is_end = true,
                "{" if is_end => open.push(None),
                "{" => {
                    let above = open.last().copied().flatten();
                    open.push(Some(recorded.parents.len()));
                    recorded.parents.push(above);
                    recorded.offsets.push([0.0; 3]);
                }
                "}" => _ = open.pop(),
                "OFFSET" => {
                    let offset = [0; 3].map(|_| number(words.next()));
                    if let Some(joint) = open.last().copied().flatten() {
                        recorded.offsets[joint] = offset;
                    }
                }
                "CHANNELS" => {
                    let joint = open.last().copied().flatten().expect("a joint");
                    for _ in 0..number(words.next()) as usize {
                        let name = words.next().expect("a channel");
                        let axis = ['X', 'Y', 'Z'].iter().position(|axis| name.starts_with(*axis)).expect("an axis");
                        recorded.channels.push((joint, name.ends_with("position"), axis));
                    }
                }
                _ => {}
            }
        }
        let numbers: Vec<f64> =
            motion.lines().skip(3).flat_map(str::split_whitespace).map(|word| number(Some(word))).collect();
        recorded.frames = numbers.chunks_exact(recorded.channels.len()).map(<[f64]>::to_vec).collect();
        recorded
    }

    /// Where joints are in a frame, in metres.
    fn placed(&self, frame: usize) -> Vec<Placed> {
        let mut local: Vec<Placed> = self.offsets.iter().map(|offset| (NONE, *offset)).collect();
        for ((joint, is_position, axis), value) in self.channels.iter().zip(&self.frames[frame]) {
            let (turn, at) = &mut local[*joint];
            match is_position {
                true => at[*axis] = *value,
                false => *turn = product(turn, &around(*axis, *value)),
            }
        }
        local.iter_mut().flat_map(|(_, at)| at).for_each(|number| *number *= UNIT);
        composed(&self.parents, &local)
    }
}

/// Numbers of an accessor of floats.
fn floats(json: &Value, binary: &[u8], accessor: &Value) -> Vec<f64> {
    let accessor = &json["accessors"][accessor.as_u64().expect("an accessor") as usize];
    assert_eq!(accessor["componentType"], 5126);
    let view = &json["bufferViews"][accessor["bufferView"].as_u64().expect("a view") as usize];
    assert!(view["byteStride"].is_null(), "numbers side by side");
    let start = accessor["byteOffset"].as_u64().unwrap_or(0) + view["byteOffset"].as_u64().unwrap_or(0);
    let each = match accessor["type"].as_str() {
        Some("VEC3") => 3,
        Some("VEC4") => 4,
        _ => 1,
    };
    let count = each * accessor["count"].as_u64().expect("a count") as usize;
    let bytes = &binary[start as usize..start as usize + 4 * count];
    bytes.as_chunks::<4>().0.iter().map(|bytes| f64::from(f32::from_le_bytes(*bytes))).collect()
}

/// Where joints are at each sample of the clip of a file that `compress` wrote.
fn decoded(file: &Path, parents: &[Option<usize>]) -> Vec<Vec<Placed>> {
    let bytes = std::fs::read(file).expect("the file");
    let length = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
    let json: Value = serde_json::from_slice(&bytes[20..20 + length(12)]).expect("a document");
    let binary = &bytes[28 + length(12)..];
    let nodes = json["skins"][0]["joints"].as_array().expect("joints");
    assert_eq!(nodes.len(), parents.len());
    let joint = |node: &Value| nodes.iter().position(|known| known == node).expect("a joint");
    let rest = |node: &Value| -> Placed {
        let numbers = json["nodes"][node.as_u64().expect("a node") as usize]["translation"].as_array();
        let number = |axis: usize| numbers.and_then(|numbers| numbers.get(axis)?.as_f64()).unwrap_or(0.0);
        (NONE, [0, 1, 2].map(number))
    };
    let animation = &json["animations"][0];
    let sampler = |channel: &Value| &animation["samplers"][channel["sampler"].as_u64().expect("a sampler") as usize];
    let channels = animation["channels"].as_array().expect("channels");
    let samples = floats(&json, binary, &sampler(&channels[0])["input"]).len();
    let mut local: Vec<Vec<Placed>> = vec![nodes.iter().map(rest).collect(); samples];
    for channel in channels {
        let (at, values) = (joint(&channel["target"]["node"]), floats(&json, binary, &sampler(channel)["output"]));
        for (sample, pose) in local.iter_mut().enumerate() {
            match channel["target"]["path"].as_str() {
                Some("rotation") => pose[at].0 = of_quaternion(std::array::from_fn(|part| values[4 * sample + part])),
                Some("translation") => pose[at].1 = std::array::from_fn(|axis| values[3 * sample + axis]),
                path => panic!("a channel of {path:?}"),
            }
        }
    }
    local.iter().map(|pose| composed(parents, pose)).collect()
}

/// The largest distance of points beside joints.
fn apart(a: &[Placed], b: &[Placed]) -> f64 {
    let mut worst = 0.0_f64;
    for ((turn, at), (other, there)) in a.iter().zip(b) {
        for axis in 0..3 {
            let off = |row: usize| at[row] - there[row] + REACH * (turn[row][axis] - other[row][axis]);
            worst = worst.max((0..3).map(|row| off(row) * off(row)).sum::<f64>().sqrt());
        }
    }
    worst
}

/// Compresses recordings and gives the largest error of each, at all of its samples.
fn errors(files: &[PathBuf], every: usize, error: &str) -> Vec<f64> {
    let folder = tempfile::tempdir().expect("a folder");
    let names: Vec<String> = files.iter().map(|file| file.to_string_lossy().into_owned()).collect();
    let (rate, out) = ((120 / every).to_string(), folder.path().join("decoded"));
    let out_name = out.to_string_lossy().into_owned();
    let mut arguments: Vec<&str> = names.iter().map(String::as_str).collect();
    arguments.extend(["--rate", &rate, "--error", error, "--out", &out_name]);
    let page = told(&arguments);
    let told = page["clips"].as_array().expect("clips").iter();
    let measure = |(file, told): (&PathBuf, &Value)| {
        let recorded = Recorded::read(file);
        // The first frame is a T-pose.
        let kept: Vec<usize> = (1..recorded.frames.len()).step_by(every).collect();
        let written = out.join(file.file_stem().expect("a name")).with_extension("glb");
        let decoded = decoded(&written, &recorded.parents);
        assert_eq!(decoded.len(), kept.len(), "{}", file.display());
        let worst = kept.iter().zip(&decoded).map(|(frame, decoded)| apart(&recorded.placed(*frame), decoded));
        let worst = worst.fold(0.0, f64::max);
        let said = told["max_error"].as_f64().expect("an error");
        // The recording's own numbers are rounded to single precision before they are compressed.
        assert!((worst - said).abs() < 2e-6, "{}: {worst} and not {said}", file.display());
        worst
    };
    files.iter().zip(told).map(measure).collect()
}

/// Compressing all recordings at 120 Hz takes a test minutes: of those, some are checked, unless `NEBULA_ALL_RECORDINGS=1` asks for all.
#[test]
fn recordings_keep_their_bound_by_an_evaluator_of_its_own() {
    let Some(folder) = find("recordings_keep_their_bound_by_an_evaluator_of_its_own") else { return };
    let entries = std::fs::read_dir(folder.join("motion/cmu")).expect("recordings");
    let mut all: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    all.retain(|file| file.extension().is_some_and(|ending| ending == "bvh"));
    all.sort();
    assert_eq!(all.len(), 29);
    let is_whole = std::env::var_os("NEBULA_ALL_RECORDINGS").is_some_and(|value| value == "1");
    let some: Vec<PathBuf> = match is_whole {
        true => all.clone(),
        false => ["02_01", "16_36"].map(|name| folder.join(format!("motion/cmu/{name}.bvh"))).to_vec(),
    };
    for (files, every, error, bound) in
        [(&all, 5, "0.1mm", 1e-4), (&some, 1, "0.1mm", 1e-4), (&some, 5, "1mm", 1e-3), (&some, 1, "1mm", 1e-3)]
    {
        for (file, worst) in files.iter().zip(errors(files, every, error)) {
            // Beside the bound, the rounding of the file's numbers to single precision.
            assert!(worst <= bound + 1e-6, "{} at {} Hz: {worst} of {error}", file.display(), 120 / every);
            assert!(worst > 0.3 * bound, "{}: {worst}, as if nothing had been compressed", file.display());
        }
    }
}
