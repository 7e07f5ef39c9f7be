//! Recordings of the CMU database, compressed: the bound is kept everywhere, and the ratios are what is promised.

use std::io::Write;
use std::path::{Path, PathBuf};

use nebula_animation::compile::CompiledClip;
use nebula_animation::palette::Evaluator;
use nebula_animation::{Compression, JointPose, Rig, Skeleton, sample_pose};
use nebula_import::bvh::{Bvh, BvhOptions};

fn recordings() -> Option<Vec<PathBuf>> {
    let folder = match std::env::var_os("NEBULA_CORPORA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    let Ok(files) = std::fs::read_dir(folder.join("motion/cmu")) else {
        let is_required = std::env::var_os("NEBULA_REQUIRE_CORPORA").is_some_and(|value| value == "1");
        assert!(!is_required, "no recordings in {}, and NEBULA_REQUIRE_CORPORA=1", folder.display());
        let _ =
            writeln!(std::io::stderr(), "SKIPPED cmu: no recordings (set NEBULA_CORPORA to the folder of the corpora)");
        return None;
    };
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a readable folder").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "bvh"));
    files.sort();
    Some(files)
}

/// A rotation as three columns, and a position, in double precision.
type Placed = ([[f64; 3]; 3], [f64; 3]);

fn turned([x, y, z, w]: [f64; 4]) -> [[f64; 3]; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
        [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
        [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

fn times(columns: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|row| (0..3).map(|column| columns[column][row] * v[column]).sum())
}

fn place(skeleton: &Skeleton, pose: &[JointPose]) -> Vec<Placed> {
    let mut all: Vec<Placed> = Vec::new();
    for (joint, (translation, rotation, _)) in skeleton.joints.iter().zip(pose) {
        let quat = rotation.to_array().map(f64::from);
        let length = quat.iter().map(|part| part * part).sum::<f64>().sqrt();
        let own = turned(quat.map(|part| part / length));
        let there = translation.to_array().map(f64::from);
        all.push(match joint.parent.map(|parent| all[usize::from(parent)]) {
            None => (own, there),
            Some((columns, at)) => {
                let moved = times(&columns, there);
                (own.map(|column| times(&columns, column)), std::array::from_fn(|axis| at[axis] + moved[axis]))
            }
        });
    }
    all
}

fn apart(skeleton: &Skeleton, a: &[JointPose], b: &[JointPose]) -> f64 {
    let mut worst = 0.0_f64;
    for ((a, at_a), (b, at_b)) in place(skeleton, a).into_iter().zip(place(skeleton, b)) {
        for (a, b) in a.iter().zip(&b) {
            let off = |axis: usize| at_a[axis] - at_b[axis] + 0.03 * (a[axis] - b[axis]);
            worst = worst.max((0..3).map(|axis| off(axis) * off(axis)).sum::<f64>().sqrt());
        }
    }
    worst
}

/// The ratio of all recordings, with the bound checked at every sample.
fn ratio(every: usize, error: f32) -> Option<f64> {
    let files = recordings()?;
    assert_eq!(files.len(), 29);
    let (mut raw, mut bytes) = (0, 0);
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let options = BvhOptions { drops_first_frame: true, every, ..BvhOptions::default() };
        let bvh = Bvh::read(&text, &options).expect("a recording");
        assert_eq!((bvh.skeleton.joints.len(), bvh.unit), (31, 0.056_444));
        let rig = Rig::new(&bvh.skeleton);
        let clip = CompiledClip::compressed(&rig, &bvh.clip, &Compression { error, ..Compression::default() });
        let keys = &bvh.clip.rotation_channels[0].keyframes;
        raw += 40 * 31 * keys.len();
        bytes += clip.report().bytes;
        let (mut plain, mut fast) = (rig.bind_pose(), rig.bind_pose());
        let mut evaluator = Evaluator::new();
        for key in keys {
            sample_pose(&bvh.clip, &bvh.skeleton, key.time, &mut plain);
            evaluator.pose(&rig, &clip, key.time, &mut fast);
            let off = apart(&bvh.skeleton, &plain, &fast);
            assert!(off <= f64::from(error), "{} at {}: {off}", file.display(), key.time);
        }
    }
    let ratio = raw as f64 / bytes as f64;
    let _ = writeln!(std::io::stderr(), "every {every}, {error} m: {ratio:.2} : 1");
    Some(ratio)
}

#[test]
fn at_24_hertz_a_tenth_of_a_millimetre_takes_a_thirteenth() {
    if let Some(ratio) = ratio(5, 1e-4) {
        assert!(ratio >= 13.0, "{ratio}");
    }
}

#[test]
fn at_120_hertz_a_tenth_of_a_millimetre_takes_a_seventeenth() {
    if let Some(ratio) = ratio(1, 1e-4) {
        assert!(ratio >= 17.0, "{ratio}");
    }
}

#[test]
fn at_120_hertz_a_millimetre_takes_a_twenty_sixth() {
    if let Some(ratio) = ratio(1, 1e-3) {
        assert!(ratio >= 26.0, "{ratio}");
    }
}

#[test]
fn at_24_hertz_a_millimetre_takes_an_eighteenth() {
    if let Some(ratio) = ratio(5, 1e-3) {
        assert!(ratio >= 18.0, "{ratio}");
    }
}
