//! What compiled clips take; `tests/allocations/size.rs` shows by an allocator that they tell the truth.

use nebula_animation::compile::CompiledClip;
use nebula_animation::{AnimationClip, AnimationClipLibrary, Compression, LibraryOptions, Rig, Skeleton};

use benchmark::Keys;

#[path = "../../../../nebula-demo/src/bench/rig.rs"]
#[allow(dead_code, reason = "made for a benchmark of more")]
mod benchmark;

fn bytes(skeleton: &Skeleton, clips: &[AnimationClip], options: LibraryOptions) -> usize {
    AnimationClipLibrary::with_options(&Rig::new(skeleton), clips, options).bytes()
}

/// In 0.1.0, which kept the authored keys and two compiled forms, it was 336 KB.
#[test]
fn the_walk_of_the_benchmark_takes_60_kilobytes_at_most() {
    let skeleton = benchmark::skeleton();
    let walk = [benchmark::walk(&skeleton, Keys::Sparse)];
    let plain = bytes(&skeleton, &walk, LibraryOptions::default());
    println!("the walk of the benchmark: {plain} bytes");
    assert!(plain <= 60_000, "{plain} bytes");
    let keys: usize = walk[0].rotation_channels.iter().map(|channel| channel.keyframes.len() * 16).sum();
    assert!(plain > keys, "nothing is lost: rotations alone are {keys} bytes");
}

#[test]
fn the_compressed_walk_of_the_benchmark_takes_9_kilobytes_at_most() {
    let skeleton = benchmark::skeleton();
    let (rig, walk) = (Rig::new(&skeleton), benchmark::walk(&skeleton, Keys::Sparse));
    let compression = Compression::default();
    for clip in [
        CompiledClip::compressed(&rig, &walk, &compression),
        CompiledClip::compressed_for_palettes(&rig, &walk, &compression),
    ] {
        let (bytes, errors) = (clip.report().bytes, clip.errors(&rig, &walk, &compression));
        println!("the compressed walk of the benchmark: {bytes} bytes, {errors:?}");
        assert!(bytes <= 9_000, "{bytes} bytes");
        assert!(errors.largest <= 1e-4 && errors.largest_between <= 1e-4, "{errors:?}");
    }
}

#[test]
fn what_is_asked_for_is_paid_for_and_nothing_else() {
    let skeleton = benchmark::skeleton();
    let walk = benchmark::walk(&skeleton, Keys::Sparse);
    let one = bytes(&skeleton, std::slice::from_ref(&walk), LibraryOptions::default());
    let two = bytes(&skeleton, &[walk.clone(), walk.clone()], LibraryOptions::default());
    assert!((two as f64 / one as f64 - 2.0).abs() < 0.02, "{one} and {two} bytes");
    let authored = LibraryOptions { keeps_authored: true, ..LibraryOptions::default() };
    assert!(bytes(&skeleton, std::slice::from_ref(&walk), authored) > 4 * one);
    let bound = LibraryOptions { for_palettes: true, ..LibraryOptions::default() };
    let bound = bytes(&skeleton, std::slice::from_ref(&walk), bound);
    assert!((1.5..=2.0).contains(&(bound as f64 / one as f64)), "{bound} bytes");
    let library = AnimationClipLibrary::new(&Rig::new(&skeleton), &[walk]);
    let clones = vec![library.clone(); 1000];
    assert!(clones.iter().all(|clone| clone.bytes() == one), "clones share");
}
