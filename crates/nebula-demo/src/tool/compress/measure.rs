//! Measures a clip.

use std::hint::black_box;
use std::time::Instant;

use nebula_animation::Compression;
use nebula_animation::compile::{ClipErrors, CompiledClip, TrackPath};
use nebula_animation::palette::{Evaluator, PaletteRows};

use super::input::Input;

/// One clip, compressed and measured.
pub struct Measured {
    pub file: String,
    pub name: String,
    pub joints: usize,
    pub raw_bytes: usize,
    pub bytes: usize,
    pub errors: ClipErrors,
    /// Those of all joints, at the keys and between them.
    pub all_errors: [Vec<f64>; 2],
    /// Tracks and bytes of rotations, of vectors, and of what is kept as it is.
    pub tracks: [(usize, usize); 3],
    pub seconds: f64,
    /// Nanoseconds a joint from time to palette, compressed and not.
    pub decode: [f64; 2],
    pub clip: CompiledClip,
    /// The same for palettes, until it is timed.
    for_palettes: Option<CompiledClip>,
}

/// Compresses a clip.
pub fn compress(input: &Input, clip: usize, compression: &Compression) -> Measured {
    let (rig, authored) = (&input.rig, &input.clips[clip]);
    let start = Instant::now();
    let compiled = CompiledClip::compressed(rig, authored, compression);
    let seconds = start.elapsed().as_secs_f64();
    let all_errors = compiled.all_errors(rig, authored, compression);
    let errors = ClipErrors::of(all_errors.clone(), rig.joint_count());
    let mut tracks = [(0, 0); 3];
    for group in &compiled.report().groups {
        let kind = match (group.path, group.components) {
            (TrackPath::Compressed, 4) => 0,
            (TrackPath::Compressed, _) => 1,
            _ => 2,
        };
        tracks[kind].0 += group.channels;
        tracks[kind].1 += group.bytes;
    }
    Measured {
        file: input.file.display().to_string(),
        name: authored.name.clone(),
        joints: rig.joint_count(),
        raw_bytes: 40 * rig.joint_count() * errors.samples,
        bytes: compiled.report().bytes,
        errors,
        all_errors,
        tracks,
        seconds,
        decode: [0.0; 2],
        clip: compiled,
        for_palettes: Some(CompiledClip::compressed_for_palettes(rig, authored, compression)),
    }
}

impl Measured {
    /// Times palettes at times all over the clip, in both forms by turns: the quickest of several rounds.
    pub fn time(&mut self, input: &Input, clip: usize) {
        const ROUNDS: usize = 12;
        const POSES: usize = 64;
        let Some(packed) = self.for_palettes.take() else { return };
        let (rig, authored) = (&input.rig, &input.clips[clip]);
        let forms = [packed, CompiledClip::for_palettes(rig, authored)];
        let mut rows = vec![PaletteRows::IDENTITY; self.joints];
        let mut evaluator = Evaluator::new();
        let mut quickest = [f64::INFINITY; 2];
        for _ in 0..ROUNDS {
            for (quickest, form) in quickest.iter_mut().zip(&forms) {
                let start = Instant::now();
                for pose in 0..POSES {
                    // The golden ratio visits all parts of a clip, in an order that nobody guesses.
                    let time = (pose as f32 * 0.618_034).fract() * authored.duration;
                    evaluator.palette_rows(rig, form, black_box(time), &mut rows);
                    black_box(&mut rows);
                }
                *quickest = quickest.min(start.elapsed().as_secs_f64());
            }
        }
        self.decode = quickest.map(|seconds| seconds * 1e9 / (POSES * self.joints.max(1)) as f64);
    }
}
