//! What was measured, as a table and as JSON.

use serde_json::{Value, json};

use super::measure::Measured;

/// Of all clips together: sums, and the largest error.
struct Total {
    raw_bytes: usize,
    bytes: usize,
    seconds: f64,
    max_error: f64,
    p99_error: f64,
    max_between: f64,
    p99_between: f64,
    tracks: [(usize, usize); 3],
    decode: [f64; 2],
}

impl Total {
    fn of(clips: &[Measured]) -> Self {
        let largest = |of: fn(&Measured) -> f64| clips.iter().map(of).fold(0.0, f64::max);
        let mean = |form: usize| clips.iter().map(|clip| clip.decode[form]).sum::<f64>() / clips.len().max(1) as f64;
        let sum = |kind: usize| {
            clips
                .iter()
                .fold((0, 0), |(tracks, bytes), clip| (tracks + clip.tracks[kind].0, bytes + clip.tracks[kind].1))
        };
        Self {
            raw_bytes: clips.iter().map(|clip| clip.raw_bytes).sum(),
            bytes: clips.iter().map(|clip| clip.bytes).sum(),
            seconds: clips.iter().map(|clip| clip.seconds).sum(),
            max_error: largest(|clip| clip.errors.largest),
            // The worst clip's: no clip has more than one joint of a hundred beyond it.
            p99_error: largest(|clip| clip.errors.percentile_99),
            max_between: largest(|clip| clip.errors.largest_between),
            p99_between: largest(|clip| clip.errors.percentile_99_between),
            tracks: [sum(0), sum(1), sum(2)],
            decode: [mean(0), mean(1)],
        }
    }

    fn ratio(&self) -> f64 {
        self.raw_bytes as f64 / self.bytes.max(1) as f64
    }
}

/// Bits that a sample of a track takes, on average.
fn bits((tracks, bytes): (usize, usize), samples: usize) -> f64 {
    if tracks == 0 { 0.0 } else { 8.0 * bytes as f64 / (tracks * samples.max(1)) as f64 }
}

/// The document for programs; errors in metres.
pub fn json(clips: &[Measured]) -> Result<String, String> {
    let rows: Vec<Value> = clips
        .iter()
        .map(|clip| {
            let samples = clip.errors.samples;
            json!({
                "file": clip.file, "name": clip.name, "joints": clip.joints, "samples": samples,
                "raw_bytes": clip.raw_bytes, "bytes": clip.bytes, "ratio": clip.ratio(),
                "max_error": clip.errors.largest, "p99_error": clip.errors.percentile_99,
                "max_error_between": clip.errors.largest_between, "p99_error_between": clip.errors.percentile_99_between,
                "bits_per_rotation": bits(clip.tracks[0], samples), "bits_per_vector": bits(clip.tracks[1], samples),
                "bits_per_kept": bits(clip.tracks[2], samples), "compress_seconds": clip.seconds,
                "decode_ns_per_joint": clip.decode[0], "plain_decode_ns_per_joint": clip.decode[1],
                "is_compressed": clip.clip.is_compressed(),
            })
        })
        .collect();
    let total = Total::of(clips);
    let samples: usize = clips.iter().map(|clip| clip.errors.samples).sum::<usize>() / clips.len().max(1);
    let document = json!({
        "clips": rows,
        "total": {
            "file": "", "name": "", "samples": clips.iter().map(|clip| clip.errors.samples).sum::<usize>(),
            "raw_bytes": total.raw_bytes, "bytes": total.bytes, "ratio": total.ratio(),
            "max_error": total.max_error, "p99_error": total.p99_error,
            "max_error_between": total.max_between, "p99_error_between": total.p99_between,
            "bits_per_rotation": bits(total.tracks[0], samples), "bits_per_vector": bits(total.tracks[1], samples),
            "bits_per_kept": bits(total.tracks[2], samples), "compress_seconds": total.seconds,
            "decode_ns_per_joint": total.decode[0], "plain_decode_ns_per_joint": total.decode[1],
        },
    });
    let text = serde_json::to_string_pretty(&document).map_err(|error| format!("cannot write JSON: {error}"))?;
    Ok(format!("{text}\n"))
}

/// A line for each clip, and one for all.
pub fn table(clips: &[Measured]) -> String {
    let mut text = String::from(
        "                                           error at keys, mm   half way, mm     bits a track        ns a joint\n\
         clip                      raw     bytes   ratio      max     99%     max     99%  turns vectors  kept     s packed  plain\n",
    );
    let mut line = |name: &str, numbers: [f64; 13]| {
        let [raw, bytes, ratio, max, p99, max_between, p99_between, turns, ways, kept, seconds, packed, plain] =
            numbers;
        let name: String = name.chars().take(20).collect();
        text.push_str(&format!(
            "{name:20} {raw:>8.0} {bytes:>9.0} {ratio:>7.2} {max:>8.4} {p99:>7.4} {max_between:>7.3} {p99_between:>7.3} \
             {turns:>6.1} {ways:>7.1} {kept:>5.0} {seconds:>5.2} {packed:>6.1} {plain:>6.1}\n"
        ));
    };
    for clip in clips {
        let (errors, samples) = (&clip.errors, clip.errors.samples);
        line(
            &clip.name,
            [
                clip.raw_bytes as f64,
                clip.bytes as f64,
                clip.ratio(),
                1e3 * errors.largest,
                1e3 * errors.percentile_99,
                1e3 * errors.largest_between,
                1e3 * errors.percentile_99_between,
                bits(clip.tracks[0], samples),
                bits(clip.tracks[1], samples),
                bits(clip.tracks[2], samples),
                clip.seconds,
                clip.decode[0],
                clip.decode[1],
            ],
        );
    }
    let total = Total::of(clips);
    let samples = clips.iter().map(|clip| clip.errors.samples).sum::<usize>() / clips.len().max(1);
    line(
        "in all",
        [
            total.raw_bytes as f64,
            total.bytes as f64,
            total.ratio(),
            1e3 * total.max_error,
            1e3 * total.p99_error,
            1e3 * total.max_between,
            1e3 * total.p99_between,
            bits(total.tracks[0], samples),
            bits(total.tracks[1], samples),
            bits(total.tracks[2], samples),
            total.seconds,
            total.decode[0],
            total.decode[1],
        ],
    );
    text
}
