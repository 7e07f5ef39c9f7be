//! Compressed clips.

use glam::{Quat, Vec3};
use nebula_animation::compile::{ClipErrors, CompiledClip, Compression};
use nebula_animation::{AnimationClip, AnimationClipLibrary, LibraryOptions, Rig, palette::Evaluator};

use super::Table;
use super::fixtures::{chain, clips, skeletons, slide};

pub fn rows(table: &mut Table) {
    table.row("CompiledClip::compressed", || {
        each_clip(|rig, clip| CompiledClip::compressed(rig, clip, &Compression::default()));
        each_clip(|rig, clip| CompiledClip::compressed(rig, clip, &Compression { weight_error: 0.1, ..senseless() }));
        each_clip(|rig, clip| CompiledClip::compressed(rig, clip, &senseless()));
    });
    table.row("CompiledClip::compressed_for_palettes", || {
        each_clip(|rig, clip| CompiledClip::compressed_for_palettes(rig, clip, &Compression::default()));
    });
    table.row("CompiledClip::errors", || {
        let (rig, other) = (Rig::new(chain(3)), Rig::new(chain(5)));
        let clip = CompiledClip::new(&rig, &slide(1, 1.0));
        for authored in clips() {
            let _ = clip.errors(&rig, &authored, &Compression::default());
            assert_eq!(clip.errors(&other, &authored, &Compression::default()).samples, 0);
        }
    });
    table.row("CompiledClip::all_errors", || {
        let (rig, other) = (Rig::new(chain(3)), Rig::new(chain(5)));
        let clip = CompiledClip::new(&rig, &slide(1, 1.0));
        for authored in clips() {
            let _ = clip.all_errors(&rig, &authored, &Compression::default());
            assert!(clip.all_errors(&other, &authored, &Compression::default()).iter().all(Vec::is_empty));
        }
    });
    table.row("CompiledClip::morph_weights", || {
        let (rig, other) = (Rig::new(chain(3)), Rig::new(chain(5)));
        for authored in clips() {
            let clip = CompiledClip::new(&rig, &authored);
            for time in [f32::NAN, f32::INFINITY, -1.0, 1e30] {
                let mut weights = [0.5; 4];
                clip.morph_weights(&rig, time, &mut weights);
                clip.morph_weights(&other, time, &mut weights);
                assert_eq!(weights, [0.5; 4], "the rig has no morph targets");
            }
        }
    });
    table.row("Compression::sample_times", || {
        for authored in clips() {
            let times = Compression::sample_times(&authored);
            assert!(!times.is_empty() && times.iter().all(|time| time.is_finite()), "{}: {times:?}", authored.name);
        }
    });
    table.row("ClipErrors::of", || {
        for joint_count in [0, 1, usize::MAX] {
            let errors = ClipErrors::of([vec![f64::NAN, -1.0, f64::INFINITY], Vec::new()], joint_count);
            assert_eq!(errors.largest_between, 0.0);
        }
    });
    table.row("AnimationClipLibrary::to_bytes", || {
        for skeleton in skeletons() {
            let rig = Rig::new(&skeleton);
            let options = LibraryOptions { compression: Some(Compression::default()), ..LibraryOptions::default() };
            let bytes = AnimationClipLibrary::to_bytes(&rig, &clips(), options);
            let library = AnimationClipLibrary::from_bytes(&rig, bytes).expect("what was written is read");
            assert_eq!(library.len(), clips().len());
        }
    });
    table.row("AnimationClipLibrary::from_bytes", || {
        for skeleton in skeletons() {
            let rig = Rig::new(&skeleton);
            for bytes in [&b""[..], b"NBCL", &[0xff; 64]] {
                assert!(AnimationClipLibrary::from_bytes(&rig, bytes.to_vec()).is_err());
            }
        }
    });
    table.row("AnimationClipLibrary::compressed", || {
        for skeleton in skeletons() {
            let library = AnimationClipLibrary::compressed(&Rig::new(&skeleton), &clips(), &Compression::default());
            assert_eq!(library.len(), clips().len());
        }
    });
}

/// Compiles every clip for every skeleton, and plays it.
pub fn each_clip(compile: impl Fn(&Rig, &AnimationClip) -> CompiledClip) {
    for skeleton in skeletons() {
        let rig = Rig::new(&skeleton);
        for clip in clips() {
            let compiled = compile(&rig, &clip);
            let mut pose = skeleton.bind_pose();
            for time in [f32::NAN, -1.0, 0.3, f32::INFINITY] {
                Evaluator::new().pose(&rig, &compiled, time, &mut pose);
            }
        }
    }
}

fn senseless() -> Compression {
    Compression {
        error: 1e-3,
        distance: f32::NAN,
        distances: vec![f32::INFINITY, -1.0],
        weight_error: f32::MAX,
        base: Some(vec![(Vec3::NAN, Quat::from_xyzw(0.0, 0.0, 0.0, 0.0), Vec3::ZERO); 2]),
    }
}
