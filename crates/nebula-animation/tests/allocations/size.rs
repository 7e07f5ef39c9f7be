//! What the benchmark's character takes: its clips in a library, and one more of it.

use std::sync::Arc;

use glam::{Affine3A, Vec2, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, BlendSpace, Character, Compression, Fade, GroundPoint, LibraryOptions, Rig,
    Skeleton, Surroundings,
};

use super::held;
use benchmark::Keys;

#[path = "../../../nebula-demo/src/bench/rig.rs"]
#[allow(dead_code, reason = "made for a benchmark of more")]
mod benchmark;

/// The most that the walk may take in a library that plays it.
const WALK_BYTES: usize = 60_000;
/// The same where the clip is compressed, with everything around it.
const COMPRESSED_WALK_BYTES: usize = 9_000;
/// The most that a character may take with its palette, and while it fades.
const CHARACTER_BYTES: isize = 16_000;

/// Bytes that a library holds, by the allocator, and by what it says.
fn library(rig: &Arc<Rig>, clips: &[AnimationClip], options: LibraryOptions) -> (AnimationClipLibrary, isize) {
    let before = held();
    let library = AnimationClipLibrary::with_options(rig, clips, options);
    let taken = held() - before;
    (library, taken)
}

#[test]
fn a_library_says_what_it_holds() {
    let skeleton = benchmark::skeleton();
    let rig = Rig::new(skeleton.clone());
    // The first one takes memory of the thread along.
    drop(library(&rig, &[benchmark::walk(&skeleton, Keys::Sparse)], LibraryOptions::default()));
    for keys in [Keys::Sparse, Keys::Dense, Keys::Irregular] {
        let clips = [benchmark::walk(&skeleton, keys), benchmark::jog(&skeleton, keys)];
        for (name, options) in [
            ("plain", LibraryOptions::default()),
            ("authored", LibraryOptions { keeps_authored: true, ..LibraryOptions::default() }),
            ("for palettes", LibraryOptions { for_palettes: true, ..LibraryOptions::default() }),
            ("compressed", LibraryOptions { compression: Some(Compression::default()), ..LibraryOptions::default() }),
        ] {
            let (library, taken) = library(&rig, &clips, options);
            let said = library.bytes() as isize;
            println!("{keys:?}, {name}: {taken} bytes are held, {said} are said");
            assert!((taken - said).abs() * 10 <= taken, "{keys:?}, {name}: {taken} are held, {said} are said");
        }
    }
}

#[test]
fn the_walk_of_the_benchmark_is_small() {
    let skeleton = benchmark::skeleton();
    let rig = Rig::new(skeleton.clone());
    let clips = [benchmark::walk(&skeleton, Keys::Sparse)];
    let compressed = LibraryOptions { compression: Some(Compression::default()), ..LibraryOptions::default() };
    for (options, most) in [(LibraryOptions::default(), WALK_BYTES), (compressed, COMPRESSED_WALK_BYTES)] {
        drop(library(&rig, &clips, options.clone()));
        let (library, taken) = library(&rig, &clips, options);
        println!("the walk: {taken} bytes are held, {} are said", library.bytes());
        assert!(taken as usize <= most && library.bytes() <= most, "{taken} are held, {} are said", library.bytes());
        // It plays.
        let mut character = Character::of(library);
        character.mixer.play("walk", 0.0).expect("a clip");
        character.update(0.5, &Surroundings::default());
        assert_ne!(character.frame().local(0), rig.joints[0].bind_pose());
    }
}

/// One that has run for a second and faded twice; the most that was held meanwhile. Characters of a kind share their library and their
/// blend space.
fn live(library: &AnimationClipLibrary, space: &Arc<BlendSpace>) -> (Box<Character>, isize) {
    let rig = library.rig().clone();
    let mut character = Box::new(Character::of(library.clone()));
    let ids = ["idle", "walk", "jog"].map(|name| library.find(name).expect("a clip"));
    let space = character.mixer.add_blend_space(Arc::clone(space));
    character.mixer.play(space, 0.0).expect("just added");
    let arms = character.mixer.add_masked_layer("arms", rig.upper_body().expect("a back"));
    character.add_layer(rig.humanoid().aim(&rig, Vec3::new(1.0, 1.5, 3.0)).expect("a head"));
    character.add_layer(rig.humanoid().foot_placement(&rig).expect("feet"));
    let ground = |_: Vec3| Some(GroundPoint::level(0.0));
    let mut most = held();
    for frame in 0..60_u8 {
        match frame {
            10 => drop(character.mixer.play(ids[0], 0.2).expect("a clip")),
            15 => drop(character.mixer.play_once_on(arms, ids[2], 0.1, 0.1).expect("a clip")),
            30 => drop(character.mixer.play(space, Fade::inertialised(0.2)).expect("a space")),
            _ => character.mixer.set_blend_position(space, Vec2::X * (f32::from(frame) / 30.0)).expect("a space"),
        }
        let place = Affine3A::from_translation(Vec3::Z * f32::from(frame) / 60.0);
        character.update(1.0 / 60.0, &Surroundings { ground: Some(&ground), ..Surroundings::at(place) });
        most = most.max(held());
    }
    assert!(!character.mixer.is_fading());
    (character, most)
}

/// An idle, a walk and a jog.
fn gaits(skeleton: &Skeleton) -> [AnimationClip; 3] {
    [
        benchmark::gait(skeleton, "idle", 2.0, 0.05, Keys::Sparse),
        benchmark::walk(skeleton, Keys::Sparse),
        benchmark::jog(skeleton, Keys::Sparse),
    ]
}

#[test]
fn one_more_character_takes_little() {
    let skeleton = benchmark::skeleton();
    let rig = Rig::new(skeleton.clone());
    let library = AnimationClipLibrary::new(&rig, &gaits(&skeleton));
    let samples = [(0.0, 0), (1.0, 1), (2.0, 2)];
    let space = Arc::new(BlendSpace::line(&library, &samples).expect("three speeds"));
    // The first one takes memory of the thread along, which all of them share.
    let first = live(&library, &space);
    let before = held();
    let (character, most) = live(&library, &space);
    let (taken, most) = (held() - before, most - before);
    println!("one more character: {taken} bytes, {most} while it fades; {} of them itself", size_of::<Character>());
    assert!(taken <= CHARACTER_BYTES && most <= CHARACTER_BYTES, "{taken} bytes, {most} while it fades");
    drop((first, character));
}

/// The last numbers of a row of the README's table.
fn row_of_readme(name: &str) -> Vec<f64> {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).expect("the README");
    let row = readme.lines().find(|line| line.starts_with('|') && line.contains(name)).expect("the row");
    let cells: Vec<&str> = row.trim_matches('|').split('|').skip(1).collect();
    cells.iter().map(|cell| cell.trim().trim_end_matches('x').parse().expect("a number")).collect()
}

/// What the README says of memory is what an allocator counts: of all that a library holds to play an idle, a walk and a jog, its names, contacts
/// and velocities included, as it is and compressed.
#[test]
fn the_readme_tells_what_a_library_takes() {
    let skeleton = benchmark::skeleton();
    let rig = Rig::new(skeleton.clone());
    let clips = gaits(&skeleton);
    let compressed = LibraryOptions { compression: Some(Compression::default()), ..LibraryOptions::default() };
    let samples = [(0.0, 0), (1.0, 1), (2.0, 2)];
    let mut libraries = Vec::new();
    let kilobytes = [LibraryOptions::default(), compressed].map(|options| {
        drop(library(&rig, &clips, options.clone()));
        let (library, taken) = library(&rig, &clips, options);
        // It is whole: a character fades, blends and stands with it.
        let space = Arc::new(BlendSpace::line(&library, &samples).expect("three speeds"));
        drop(live(&library, &space));
        libraries.push(library);
        taken as f64 / 1000.0
    });
    assert!(
        libraries[1].iter().all(|clip| clip.is_compressed()) && libraries[0].iter().all(|clip| !clip.is_compressed())
    );
    let ratio = kilobytes[0] / kilobytes[1];
    println!("the library takes {kilobytes:.1?} KB, {ratio:.1} times");
    let told = row_of_readme("memory of a library");
    let [plain, small, times] = told[..] else { panic!("{told:?}") };
    assert!((plain - kilobytes[0]).abs() <= 0.5 && (small - kilobytes[1]).abs() <= 0.5, "{kilobytes:?}, not {told:?}");
    assert!((times - ratio).abs() <= 0.1, "{ratio}, not {times}");
}
