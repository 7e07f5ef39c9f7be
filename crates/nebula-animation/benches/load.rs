//! How fast a large file loads, beside how fast its bytes can be read and summed up.
//!
//! `cargo bench -p nebula-animation --bench load` writes a .glb of 100 MB with 10,000 channels to the folder for temporary
//! files, loads it several times, and reports MB/s, the ratio of the two, and the peak memory of the process.

use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use nebula_animation::Asset;

const JOINTS: usize = 5_000;
/// A rotation and a translation for each joint: 10,000 channels.
const CHANNELS: usize = 2 * JOINTS;
/// Keys of each channel; 28 bytes for the two values, times shared.
const KEYS: usize = 714;
const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `cargo test --benches` only asks whether it starts.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let path = std::env::temp_dir().join("nebula-load-benchmark.glb");
    write_file(&path)?;
    let megabytes = fs::metadata(&path)?.len() as f64 / 1e6;
    let before = peak_memory_bytes();

    let (mut plain, mut full) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let bytes = fs::read(&path)?;
        black_box(crc32fast::hash(&bytes));
        drop(bytes);
        plain = plain.min(start.elapsed());

        let start = Instant::now();
        let asset = Asset::load(&path)?;
        full = full.min(start.elapsed());
        assert_eq!(asset.animations[0].tracks.len(), CHANNELS);
        assert!(asset.warnings.is_empty());
        black_box(&asset);
    }
    fs::remove_file(&path)?;

    let speed = |time: Duration| megabytes / time.as_secs_f64();
    println!("file: {megabytes:.1} MB, {CHANNELS} channels of {KEYS} keys");
    println!("read and checksum: {:>6.0} MB/s", speed(plain));
    println!("Asset::load:       {:>6.0} MB/s", speed(full));
    println!("ratio: {:.2} (at most 4)", full.as_secs_f64() / plain.as_secs_f64());
    match (before, peak_memory_bytes()) {
        (Some(_), Some(peak)) => {
            println!("peak memory: {:.2} times the file (at most 3)", peak as f64 / (megabytes * 1e6));
        }
        _ => println!("peak memory: not known on this system"),
    }
    Ok(())
}

/// The largest resident set of this process so far.
fn peak_memory_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// Writes a chain of joints, each with a rotation and a translation channel.
fn write_file(path: &Path) -> std::io::Result<()> {
    let (times_bytes, rotation_bytes, translation_bytes) = (4 * KEYS, 16 * KEYS, 12 * KEYS);
    let mut views = vec![format!(r#"{{"buffer":0,"byteLength":{times_bytes}}}"#)];
    let mut accessors = vec![format!(r#"{{"bufferView":0,"componentType":5126,"count":{KEYS},"type":"SCALAR"}}"#)];
    let (mut nodes, mut samplers, mut channels) = (Vec::new(), Vec::new(), Vec::new());
    let mut offset = times_bytes;
    for joint in 0..JOINTS {
        let child = if joint + 1 < JOINTS { format!(r#","children":[{}]"#, joint + 1) } else { String::new() };
        nodes.push(format!(r#"{{"name":"joint {joint}"{child}}}"#));
        for (path, shape, bytes) in [("rotation", "VEC4", rotation_bytes), ("translation", "VEC3", translation_bytes)] {
            let view = views.len();
            views.push(format!(r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{bytes}}}"#));
            accessors.push(format!(r#"{{"bufferView":{view},"componentType":5126,"count":{KEYS},"type":"{shape}"}}"#));
            channels.push(format!(r#"{{"sampler":{},"target":{{"node":{joint},"path":"{path}"}}}}"#, samplers.len()));
            samplers.push(format!(r#"{{"input":0,"output":{view}}}"#));
            offset += bytes;
        }
    }
    let joints: Vec<_> = (0..JOINTS).map(|joint| joint.to_string()).collect();
    let mut json = format!(
        r#"{{"asset":{{"version":"2.0"}},"buffers":[{{"byteLength":{offset}}}],"bufferViews":[{}],"accessors":[{}],"nodes":[{}],"skins":[{{"joints":[{}]}}],"animations":[{{"name":"long","samplers":[{}],"channels":[{}]}}]}}"#,
        views.join(","),
        accessors.join(","),
        nodes.join(","),
        joints.join(","),
        samplers.join(","),
        channels.join(",")
    );
    while json.len() % 4 != 0 {
        json.push(' ');
    }
    let mut file = std::io::BufWriter::new(fs::File::create(path)?);
    let length = 12 + 8 + json.len() + 8 + offset;
    file.write_all(b"glTF")?;
    for number in [2, length as u32, json.len() as u32] {
        file.write_all(&number.to_le_bytes())?;
    }
    file.write_all(b"JSON")?;
    file.write_all(json.as_bytes())?;
    file.write_all(&(offset as u32).to_le_bytes())?;
    file.write_all(b"BIN\0")?;
    for key in 0..KEYS {
        file.write_all(&(key as f32 / 30.0).to_le_bytes())?;
    }
    for joint in 0..JOINTS {
        for key in 0..KEYS {
            let (sine, cosine) = (0.001 * (joint + key) as f32).sin_cos();
            for number in [sine, 0.0, 0.0, cosine] {
                file.write_all(&number.to_le_bytes())?;
            }
        }
        for key in 0..KEYS {
            for number in [0.1, 0.01 * key as f32, 0.0] {
                file.write_all(&number.to_le_bytes())?;
            }
        }
    }
    file.flush()
}
