//! Bytes changed at random: a file is either refused or gives finite poses, and nothing panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::json;

use crate::support::{Array, F32, Gltf, I16, U8, base64, finite_problem, noise, rigs, spin, try_load};

/// A character with something of everything.
fn rich() -> Gltf {
    let mut g = rigs::chain();
    let face = rigs::add_morph(&mut g, 2);
    g.animate(0, face, "weights", "LINEAR", &[0.0, 1.0], &[0.0, 1.0, 1.0, 0.0]);
    let spline = [[0.0; 4], [0.0, 0.0, 0.0, 1.0], [0.1; 4], [0.0; 4], [0.6, 0.0, 0.0, 0.8], [0.0; 4]].concat();
    g.animate(1, 1, "rotation", "CUBICSPLINE", &[0.0, 1.0], &spline);
    let turns = g.add(&Array::normalized(I16, "VEC4", &spin(0, &[0.0, 30.0, 60.0, 30.0, 0.0])));
    g.channel(1, json!({"node": 2, "path": "rotation"}), "STEP", rigs::TIMES, turns);
    let moves = g.zeros(F32, "VEC3", 5);
    g.replace(moves, U8, &[1, 3], &Array::new(F32, "VEC3", [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    g.channel(1, json!({"node": 1, "path": "translation"}), "LINEAR", rigs::TIMES, moves);
    let mut slanted = crate::support::at([0.0, 1.0, 0.0]);
    slanted[4] = 0.3;
    g.node(json!({"matrix": slanted}));
    g.push("images", json!({"uri": format!("data:image/png;base64,{}", base64(b"\x89PNG"))}));
    g.push("textures", json!({"source": 0}));
    g.push("materials", json!({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}));
    g.set("/meshes/0/primitives/0/material", 0);
    g.set("/extensions", json!({"KHR_animation_clip": {"clips": [{"animations": [0, 1], "end": 2.0, "speed": 0.5}]}}));
    g
}

/// Loads changed bytes; gives whether they loaded.
fn survives(bytes: &[u8], what: &str) -> bool {
    let load = || match crate::support::try_load_resolved(bytes) {
        Ok(asset) => {
            if let Some(problem) = finite_problem(&asset) {
                panic!("not finite in {problem}");
            }
            assert!(asset.warnings.len() <= 100);
            true
        }
        Err(error) => {
            assert!(error.to_string().len() < 4_000);
            false
        }
    };
    catch_unwind(AssertUnwindSafe(load)).unwrap_or_else(|_| panic!("the panic above comes from {what}"))
}

/// Changes one byte of a good file, in its JSON or in its data, and counts how many files still load. `FLIPS=100` in the
/// environment tries a hundred times as many.
fn flip(bytes: &[u8], range: std::ops::Range<usize>, count: usize, seed: u64) -> usize {
    let factor = std::env::var("FLIPS").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1);
    let mut random = noise(seed);
    let mut loaded = 0;
    for _ in 0..count * factor {
        let at = range.start + ((random() + 1.0) / 2.0 * range.len() as f64) as usize % range.len();
        let bit = ((random() + 1.0) * 4.0) as usize % 8;
        let value = ((random() + 1.0) * 128.0) as u8;
        let mut changed = bytes.to_vec();
        // Half of them one bit, half of them any value.
        changed[at] = if random() < 0.0 { bytes[at] ^ 1 << bit } else { value };
        let what = format!("byte {at} changed from {} to {}", bytes[at], changed[at]);
        loaded += usize::from(survives(&changed, &what));
    }
    loaded / factor
}

#[test]
fn flips_in_the_json() {
    let bytes = rich().glb();
    let length = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize;
    let loaded = flip(&bytes, 0..20 + length, 2_500, 1);
    assert!((50..2_450).contains(&loaded), "{loaded} of 2500 loaded: the flips should hit and miss");
}

#[test]
fn flips_in_the_data() {
    let bytes = rich().glb();
    let length = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]) as usize;
    let loaded = flip(&bytes, 20 + length..bytes.len(), 1_500, 2);
    assert!((50..1_450).contains(&loaded), "{loaded} of 1500 loaded: the flips should hit and miss");
}

#[test]
fn flips_in_base64() {
    let bytes = rich().embedded();
    flip(&bytes, 0..bytes.len(), 600, 3);
}

#[test]
fn every_cut_is_refused() {
    let bytes = rich().glb();
    assert!(try_load(&bytes).is_ok());
    for length in (0..bytes.len()).step_by(7).chain(bytes.len() - 40..bytes.len()) {
        assert!(!survives(&bytes[..length], &format!("a cut after {length} bytes")), "cut after {length} bytes");
    }
}

#[test]
fn digits_replaced_by_others() {
    // Flips rarely hit a number: change every digit of the JSON once.
    let g = rich();
    let text = g.embedded();
    let end = text.iter().position(|&byte| byte == b';').unwrap_or(text.len()).min(text.len());
    let json: Vec<usize> =
        (0..text.len()).filter(|&at| text[at].is_ascii_digit() && (at < end || text[at + 1] == b',')).collect();
    let mut loaded = 0;
    for (turn, &at) in json.iter().enumerate() {
        let mut changed = text.clone();
        changed[at] = b"0987615"[turn % 7];
        loaded += usize::from(survives(&changed, &format!("digit {at} became {}", char::from(changed[at]))));
    }
    assert!(loaded > 10 && loaded < json.len(), "{loaded} of {}", json.len());
}
