//! The measurements as a table and as JSON.

use nebula_animation::compile::ClipErrors;
use serde_json::{Value, json};

use super::measure::Measured;

/// What is told of a clip, or of all together.
struct Row {
    samples: usize,
    raw_bytes: usize,
    bytes: usize,
    seconds: f64,
    errors: ClipErrors,
    /// Bits that a sample takes, on average: of rotations, of vectors, and of what is kept as it is.
    bits: [f64; 3],
    decode: [f64; 2],
}

impl Row {
    fn of(clip: &Measured) -> Self {
        let samples = clip.errors.samples;
        Self {
            samples,
            raw_bytes: clip.raw_bytes,
            bytes: clip.bytes,
            seconds: clip.seconds,
            errors: clip.errors,
            bits: clip.tracks.map(|(tracks, bytes)| bits(bytes, tracks * samples)),
            decode: clip.decode,
        }
    }

    /// Sums, the errors of all joints of all clips, and what decoding takes on average.
    fn of_all(clips: &[Measured]) -> Self {
        let mean = |form: usize| clips.iter().map(|clip| clip.decode[form]).sum::<f64>() / clips.len().max(1) as f64;
        let bits_of = |kind: usize| {
            let bytes = clips.iter().map(|clip| clip.tracks[kind].1).sum();
            bits(bytes, clips.iter().map(|clip| clip.tracks[kind].0 * clip.errors.samples).sum())
        };
        let samples = clips.iter().map(|clip| clip.errors.samples).sum();
        let together =
            [0, 1].map(|when: usize| clips.iter().flat_map(|clip| &clip.all_errors[when]).copied().collect());
        Self {
            samples,
            raw_bytes: clips.iter().map(|clip| clip.raw_bytes).sum(),
            bytes: clips.iter().map(|clip| clip.bytes).sum(),
            seconds: clips.iter().map(|clip| clip.seconds).sum(),
            errors: ClipErrors { samples, ..ClipErrors::of(together, 1) },
            bits: [bits_of(0), bits_of(1), bits_of(2)],
            decode: [mean(0), mean(1)],
        }
    }

    fn ratio(&self) -> f64 {
        self.raw_bytes as f64 / self.bytes.max(1) as f64
    }

    fn json(&self, file: &str, name: &str) -> Value {
        let errors = &self.errors;
        json!({
            "file": file, "name": name, "samples": self.samples,
            "raw_bytes": self.raw_bytes, "bytes": self.bytes, "ratio": self.ratio(),
            "max_error": errors.largest, "p99_error": errors.percentile_99,
            "max_error_between": errors.largest_between, "p99_error_between": errors.percentile_99_between,
            "bits_per_rotation": self.bits[0], "bits_per_vector": self.bits[1], "bits_per_kept": self.bits[2],
            "compress_seconds": self.seconds,
            "decode_ns_per_joint": self.decode[0], "plain_decode_ns_per_joint": self.decode[1],
        })
    }

    fn line(&self, name: &str) -> String {
        let name: String = name.chars().take(20).collect();
        let Self { raw_bytes, bytes, seconds, errors, bits: [turns, vectors, kept], decode: [packed, plain], .. } =
            self;
        let [max, p99, max_between, p99_between] =
            [errors.largest, errors.percentile_99, errors.largest_between, errors.percentile_99_between]
                .map(|error| 1e3 * error);
        let ratio = self.ratio();
        format!(
            "{name:20} {raw_bytes:>8} {bytes:>9} {ratio:>7.2} {max:>8.4} {p99:>7.4} {max_between:>7.3} {p99_between:>7.3} \
             {turns:>6.1} {vectors:>7.1} {kept:>5.0} {seconds:>5.2} {packed:>6.1} {plain:>6.1}\n"
        )
    }
}

/// Bits of each of some samples.
fn bits(bytes: usize, samples: usize) -> f64 {
    if samples == 0 { 0.0 } else { 8.0 * bytes as f64 / samples as f64 }
}

/// The document for programs; errors in metres.
pub fn json(clips: &[Measured]) -> Result<String, String> {
    let row = |clip: &Measured| {
        let mut row = Row::of(clip).json(&clip.file, &clip.name);
        row["joints"] = clip.joints.into();
        row["is_compressed"] = clip.clip.is_compressed().into();
        row["uncompressed"] = clip.clip.report().uncompressed.map(|why| why.to_string()).into();
        row
    };
    let rows: Vec<Value> = clips.iter().map(row).collect();
    let mut total = Row::of_all(clips).json("", "");
    // Of clips of several skeletons, the largest.
    total["joints"] = clips.iter().map(|clip| clip.joints).max().into();
    // Why each was kept is said of each.
    total["uncompressed"] = Value::Null;
    total["is_compressed"] = clips.iter().all(|clip| clip.clip.is_compressed()).into();
    let document = json!({ "clips": rows, "total": total });
    let text = serde_json::to_string_pretty(&document).map_err(|error| format!("cannot write JSON: {error}"))?;
    Ok(format!("{text}\n"))
}

/// A line for each clip, and one for all.
pub fn table(clips: &[Measured]) -> String {
    let mut text = String::from(
        "                                           error at keys, mm   half way, mm     bits a track        ns a joint\n\
         clip                      raw     bytes   ratio      max     99%     max     99%  turns vectors  kept     s packed  plain\n",
    );
    clips.iter().for_each(|clip| text.push_str(&Row::of(clip).line(&clip.name)));
    text.push_str(&Row::of_all(clips).line("in all"));
    for clip in clips {
        if let Some(why) = clip.clip.report().uncompressed {
            text.push_str(&format!("{}, clip \"{}\" is kept as it is: {why}\n", clip.file, clip.name));
        }
    }
    text
}
