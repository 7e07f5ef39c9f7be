//! The same bits everywhere: one hash of every local pose and every palette, for each instruction set, in debug and
//! release builds, equal to a value that is stored here. `play` does the same for whole characters.
//!
//! Threads of crowds are the business of `crowd/threads.rs`, which compares bit by bit.

mod play;

use std::io::Write;
use std::path::{Path, PathBuf};

use glam::{Quat, Vec3};
use nebula_animation::palette::ClipAt;
use nebula_animation::{
    AnimationClip, Asset, Interpolation, Rig, Skeleton,
    compile::{CompiledClip, Isa},
    palette::{Evaluator, PaletteRows},
};

use crate::characters::{Binds, ClipRecipe, Curves, RestScales, RigRecipe, Shape, Timing};

/// Characters that are generated, and the files of `test_assets/`.
const GOLDEN_CHARACTERS: u64 = 0xf1f7_cc1a_28c8_4825;

/// Every file of the conformance corpus.
const GOLDEN_CORPUS: u64 = 0x0869_7ea6_5a24_b662;

/// Those that the machine lacks fall back to others.
const ISAS: [Isa; 6] = [Isa::Scalar, Isa::Sse2, Isa::Avx2, Isa::Avx512, Isa::Neon, Isa::Simd128];

/// FNV-1a, 64 bits, over the bits of numbers.
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, number: f32) {
        assert!(number.is_finite(), "the bits of what is not a number are nobody's promise");
        for byte in number.to_bits().to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn add_all(&mut self, numbers: &[f32]) {
        numbers.iter().for_each(|&number| self.add(number));
    }
}

/// Hashes the poses and palettes of all clips of a character, compiled both ways, at times in and around each clip, and
/// the blends of each clip with the next.
fn hash_character(hash: &mut Hash, isa: Isa, skeleton: &Skeleton, clips: &[AnimationClip]) {
    let rig = Rig::new(skeleton);
    let mut evaluator = Evaluator::with_isa(isa);
    let mut pose = vec![(Vec3::ZERO, Quat::IDENTITY, Vec3::ONE); rig.joint_count()];
    let mut rows = vec![PaletteRows::IDENTITY; rig.joint_count()];
    let compiled: Vec<[CompiledClip; 2]> =
        clips.iter().map(|clip| [CompiledClip::new(&rig, clip), CompiledClip::for_palettes(&rig, clip)]).collect();
    for (index, both) in compiled.iter().enumerate() {
        for (clip, next) in both.iter().zip(&compiled[(index + 1) % compiled.len()]) {
            for step in -1..=12_i8 {
                let time = clip.duration() * (f32::from(step) / 11.0);
                evaluator.pose(&rig, clip, time, &mut pose);
                for (translation, rotation, scale) in &pose {
                    hash.add_all(&translation.to_array());
                    hash.add_all(&rotation.to_array());
                    hash.add_all(&scale.to_array());
                }
                evaluator.palette_rows(&rig, clip, time, &mut rows);
                rows.iter().for_each(|rows| hash.add_all(rows.0.as_flattened()));
            }
            let (from, to) = (ClipAt { clip, time: 0.3 }, ClipAt { clip: next, time: 0.1 });
            evaluator.blended_palette_rows(&rig, from, to, 0.375, &mut rows);
            rows.iter().for_each(|rows| hash.add_all(rows.0.as_flattened()));
        }
    }
}

/// Hashes characters on every instruction set and compares with the stored value.
fn check(golden: u64, name: &str, characters: &[(Skeleton, Vec<AnimationClip>)]) {
    let hashes = ISAS.map(|isa| {
        let mut hash = Hash::new();
        for (skeleton, clips) in characters {
            hash_character(&mut hash, isa, skeleton, clips);
        }
        hash.0
    });
    for (isa, hash) in ISAS.into_iter().zip(hashes) {
        assert_eq!(hash, hashes[0], "{isa} (here {}) gives other bits than scalar code", isa.available());
    }
    let hash = hashes[0];
    assert!(
        hash == golden,
        "{name} is {golden:#018x}, but the bits of today hash to {hash:#018x}. Update it only with a change that is \
         meant to round differently (another formula or order of operations, another set of characters), say so in \
         the commit, and never to make one machine, instruction set or profile pass: that is what it is there to catch."
    );
}

/// Rigs and clips that use every path: all interpolations and timelines, bind space and not, whole blocks and not.
pub fn generated() -> Vec<(Skeleton, Vec<AnimationClip>)> {
    let binds = [Binds::OfRest, Binds::Rigid, Binds::Noisy, Binds::Uniform, Binds::Uneven, Binds::Sheared];
    let scales = [RestScales::One, RestScales::Uniform, RestScales::Uneven];
    let shapes = [Shape::Limbs, Shape::Tree, Shape::Star, Shape::Chain];
    let curves = [
        Curves::One(Interpolation::Linear),
        Curves::One(Interpolation::Step),
        Curves::One(Interpolation::CubicSpline),
        Curves::Mixed,
    ];
    let timings = [Timing::Uniform, Timing::Irregular, Timing::Own, Timing::Mixed];
    let joint_counts = [1, 7, 8, 9, 19, 67, 120];
    let mut characters = Vec::new();
    for (index, joints) in (0..24).zip(joint_counts.into_iter().cycle()) {
        let skeleton = RigRecipe {
            joints,
            shape: shapes[index % 4],
            binds: binds[index % 6],
            rest_scales: scales[index / 2 % 3],
            extent: 0.3,
            seed: index as u64,
        }
        .skeleton();
        let clip = |number: usize| {
            ClipRecipe {
                keys: 15,
                curves: curves[number],
                timing: timings[(number + index) % 4],
                shares: [[0.1, 1.0, 0.0], [1.0, 1.0, 0.3]][(number + index) % 2],
                is_odd: index % 2 == 1,
                extent: 0.3,
                seed: (100 * index + number) as u64,
            }
            .clip(joints)
        };
        let clips = (0..4).map(clip).collect();
        characters.push((skeleton, clips));
    }
    characters
}

pub fn loaded(path: &Path) -> (Skeleton, Vec<AnimationClip>) {
    let asset = Asset::load(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (asset.skeleton, asset.animations.iter().map(|animation| animation.to_clip()).collect())
}

#[test]
fn characters_have_the_same_bits_everywhere() {
    let mut characters = generated();
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets");
    for name in ["robot.glb", "simple_humanoid.glb", "sword.glb"] {
        characters.push(loaded(&assets.join(name)));
    }
    check(GOLDEN_CHARACTERS, "GOLDEN_CHARACTERS", &characters);
}

#[test]
fn the_conformance_corpus_has_the_same_bits_everywhere() {
    let Some(folder) = corpus("the_conformance_corpus_has_the_same_bits_everywhere") else { return };
    let mut files = gltf_files(&folder.join("conformance/assets"));
    // By their path in the corpus, wherever that is.
    files.sort();
    assert!(files.len() >= 70, "only {} files: is this the corpus?", files.len());
    let characters: Vec<_> = files.iter().map(|file| loaded(file)).collect();
    check(GOLDEN_CORPUS, "GOLDEN_CORPUS", &characters);
}

/// The folder of the corpora: `NEBULA_CORPORA`, or `shared` beside the repository.
///
/// `None` where there is none, which is said on the terminal; with `NEBULA_REQUIRE_CORPORA=1` it is a failure.
pub fn corpus(test: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("NEBULA_CORPORA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    if folder.join("conformance/SCHEMA.md").is_file() {
        return Some(folder);
    }
    let is_required = std::env::var_os("NEBULA_REQUIRE_CORPORA").is_some_and(|value| value == "1");
    assert!(!is_required, "{test}: no corpora in {}, and NEBULA_REQUIRE_CORPORA=1", folder.display());
    // Straight to the terminal: what `eprintln!` writes in a passing test is never seen.
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: no corpora (set NEBULA_CORPORA to their folder)");
    None
}

/// Every `.gltf` and `.glb` below a folder.
pub fn gltf_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the corpus is readable") {
            let path = entry.expect("the corpus is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "gltf" || extension == "glb") {
                files.push(path);
            }
        }
    }
    files
}
