//! Bytes changed at random: a file is either refused or gives finite poses, and nothing panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::json;

use crate::player::fuzz::Random;
use crate::support::{Array, F32, Gltf, I16, U8, base64, finite_problem, rigs, spin, try_load};

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

/// Single bytes of a good file that are changed, over all tests of this kind 100,000.
/// `FLIPS=10` in the environment tries ten times as many, and so on.
fn flips(count: usize) -> usize {
    count * std::env::var("FLIPS").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1_usize)
}

/// Changes each byte of a good file again and again, `count` times in all, and gives how many of the files still load. What loads is
/// compiled and evaluated by every path, as in the fuzz target.
fn flip(bytes: &[u8], count: usize) -> usize {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = |thread: usize| {
        let mut random = Random(thread as u64 + 1);
        let mut input = [bytes, &[0x08]].concat();
        let mut loaded = 0;
        for turn in (thread..count).step_by(threads) {
            let at = turn % bytes.len();
            // In turn one bit, any value, and a digit for a digit, since few others are still numbers.
            let changed = match turn / bytes.len() % 3 {
                0 => bytes[at] ^ (1 << (random.next() % 8)),
                1 => random.next() as u8,
                _ if bytes[at].is_ascii_digit() => b'0' + (random.next() % 10) as u8,
                _ => bytes[at].wrapping_add(random.next() as u8 % 7),
            };
            input[at] = changed;
            let what = format!("byte {at} changed from {} to {changed}", bytes[at]);
            let result = catch_unwind(AssertUnwindSafe(|| crate::fuzz::load::load(&input)));
            loaded += usize::from(result.unwrap_or_else(|_| panic!("the panic above comes from {what}")));
            input[at] = bytes[at];
        }
        loaded
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|thread| scope.spawn(move || share(thread))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no byte breaks the loader")).sum()
    })
}

/// A binary file with something of everything.
#[test]
fn single_bytes_of_a_binary_file() {
    let count = flips(40_000);
    let loaded = flip(&rich().glb(), count);
    assert!(
        loaded > count / 20 && loaded < count - count / 20,
        "{loaded} of {count} loaded: flips should hit and miss"
    );
}

/// The same file as text, its buffer in base64.
#[test]
fn single_bytes_of_a_text_file() {
    let count = flips(30_000);
    let loaded = flip(&rich().embedded(), count);
    assert!(
        loaded > count / 20 && loaded < count - count / 20,
        "{loaded} of {count} loaded: flips should hit and miss"
    );
}

/// A file whose every array is compressed.
#[test]
fn single_bytes_of_a_compressed_file() {
    let count = flips(30_000);
    let loaded = flip(&super::meshopt::compressed("EXT_meshopt_compression").glb(), count);
    assert!(
        loaded > count / 20 && loaded < count - count / 20,
        "{loaded} of {count} loaded: flips should hit and miss"
    );
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
