//! Each stage from an authored clip to a palette, by itself. `cargo bench -p nebula-demo --bench stages`.
//!
//! Throughput is in joints: a thousand million elements a second are one joint a nanosecond. For the comparison of
//! the two paths in one run, see `nebula-demo bench`.

use std::error::Error;
use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::Mat4;
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationMixer, AnimationPlayer, Crowd, Fade, LibraryOptions, Rig, Skeleton,
    compile::CompiledClip,
    crowd::SecondClip,
    mixer::{BlendInput, BlendMode, Blender},
    palette::{ClipAt, Evaluator, PaletteRows},
    player::advance_and_sample,
};
use nebula_demo::bench::plain::{Plain, PlainLayer};
use nebula_demo::bench::rig::{self, Keys};

/// Times that a benchmark walks through: 60 frames a second, in a loop.
struct Clock {
    frame: u32,
    duration: f32,
}

impl Clock {
    fn of(clip: &AnimationClip) -> Self {
        Self { frame: 0, duration: clip.duration }
    }

    fn next(&mut self) -> f32 {
        self.frame = (self.frame + 1) % 4_096;
        black_box(self.frame as f32 / 60.0 % self.duration)
    }
}

fn plain(criterion: &mut Criterion) {
    let skeleton = rig::skeleton();
    let walk = rig::walk(&skeleton, Keys::Sparse);
    let jog = rig::jog(&skeleton, Keys::Sparse);
    let mut plain = Plain::new(&skeleton);
    let mut palette = vec![Mat4::IDENTITY; skeleton.joints.len()];
    let mut clock = Clock::of(&walk);
    let mut group = criterion.benchmark_group("plain");
    group.throughput(Throughput::Elements(skeleton.joints.len() as u64));
    group.bench_function("sample", |bencher| {
        bencher.iter(|| {
            plain.sample(&skeleton, PlainLayer { clip: &walk, time: clock.next() });
            black_box(&mut plain.pose);
        });
    });
    group.bench_function("palette from pose", |bencher| {
        bencher.iter(|| {
            plain.palette(black_box(&skeleton), &mut palette);
            black_box(&mut palette);
        });
    });
    group.bench_function("palette", |bencher| {
        bencher.iter(|| {
            plain.sample(&skeleton, PlainLayer { clip: &walk, time: clock.next() });
            plain.palette(&skeleton, &mut palette);
            black_box(&mut palette);
        });
    });
    group.bench_function("cross-fade", |bencher| {
        bencher.iter(|| {
            let time = clock.next();
            let (from, to) = (PlainLayer { clip: &walk, time }, PlainLayer { clip: &jog, time });
            plain.blend(&skeleton, from, to, black_box(0.3));
            plain.palette(&skeleton, &mut palette);
            black_box(&mut palette);
        });
    });
    group.finish();
}

fn fast(criterion: &mut Criterion) {
    let skeleton = rig::skeleton();
    let rig = Rig::new(&skeleton);
    let authored = rig::walk(&skeleton, Keys::Sparse);
    let local_walk = CompiledClip::new(&rig, &authored);
    let walk = CompiledClip::for_palettes(&rig, &authored);
    let jog = CompiledClip::for_palettes(&rig, &rig::jog(&skeleton, Keys::Sparse));
    let mut evaluator = Evaluator::new();
    let mut pose = skeleton.bind_pose();
    let mut rows = vec![PaletteRows::IDENTITY; skeleton.joints.len()];
    let mut matrices = vec![Mat4::IDENTITY; skeleton.joints.len()];
    let mut clock = Clock::of(&authored);
    let mut group = criterion.benchmark_group("fast");
    group.throughput(Throughput::Elements(skeleton.joints.len() as u64));
    group.bench_function("sample", |bencher| {
        bencher.iter(|| {
            evaluator.pose(&rig, &local_walk, clock.next(), &mut pose);
            black_box(&mut pose);
        });
    });
    group.bench_function("palette from pose", |bencher| {
        bencher.iter(|| {
            evaluator.palette_rows_of_pose(&rig, black_box(&pose), &mut rows);
            black_box(&mut rows);
        });
    });
    group.bench_function("palette", |bencher| {
        bencher.iter(|| {
            evaluator.palette_rows(&rig, &walk, clock.next(), &mut rows);
            black_box(&mut rows);
        });
    });
    group.bench_function("pose and matrices", |bencher| {
        bencher.iter(|| {
            evaluator.pose_and_palette(&rig, &local_walk, clock.next(), &mut pose, &mut matrices);
            black_box((&mut pose, &mut matrices));
        });
    });
    group.bench_function("cross-fade", |bencher| {
        bencher.iter(|| {
            let time = clock.next();
            let (from, to) = (ClipAt { clip: &walk, time }, ClipAt { clip: &jog, time });
            evaluator.blended_palette_rows(&rig, from, to, black_box(0.3), &mut rows);
            black_box(&mut rows);
        });
    });
    group.finish();
}

/// What blending and mixing cost, beside what sampling alone does.
fn mixer(criterion: &mut Criterion) {
    let skeleton = rig::skeleton();
    let rig = Rig::new(&skeleton);
    let authored = [rig::walk(&skeleton, Keys::Sparse), rig::jog(&skeleton, Keys::Sparse)];
    let clips = authored.clone().map(|clip| CompiledClip::new(&rig, &clip));
    let mut pose = skeleton.bind_pose();
    let mut clock = Clock::of(&authored[0]);
    let mut group = criterion.benchmark_group("mixer");
    group.throughput(Throughput::Elements(skeleton.joints.len() as u64));
    let mut evaluator = Evaluator::new();
    group.bench_function("sample one clip", |bencher| {
        bencher.iter(|| {
            evaluator.pose(&rig, &clips[0], clock.next(), &mut pose);
            black_box(&mut pose);
        });
    });
    let library = AnimationClipLibrary::new(&rig, &authored);
    let mut player = AnimationPlayer::new(0, authored[0].duration, skeleton.joints.len());
    group.bench_function("a bare player", |bencher| {
        bencher.iter(|| {
            advance_and_sample(&mut player, &skeleton, &library, black_box(1.0 / 60.0));
            black_box(&mut player.local_poses);
        });
    });
    let mut blender = Blender::new();
    for count in [1, 2, 4, 8] {
        group.bench_function(format!("blend {count} clips"), |bencher| {
            bencher.iter(|| {
                let time = clock.next();
                let input = |index: usize| {
                    let (clip, weight) = (&clips[index % 2], 1.0 + index as f32);
                    BlendInput { clip, time, weight, mask: None, mode: BlendMode::Override }
                };
                let inputs = [input(0), input(1), input(2), input(3), input(4), input(5), input(6), input(7)];
                blender.blend(&rig, &inputs[..count], &mut pose);
                black_box(&mut pose);
            });
        });
    }
    for (name, plays, fade) in [
        ("one action", 1, Fade::NONE),
        ("cross-fade of 2 actions", 2, Fade::linear(86_400.0)),
        ("cross-fade of 3 actions", 3, Fade::linear(86_400.0)),
        ("cross-fade of 4 actions", 4, Fade::linear(86_400.0)),
        ("inertialised", 2, Fade::inertialised(86_400.0)),
    ] {
        let mut mixer = AnimationMixer::new(library.clone());
        for play in 0..plays {
            // Both clips exist.
            let _ = mixer.restart(play % 2, fade);
            mixer.update(1.0 / 60.0);
        }
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                mixer.update(black_box(1.0 / 60.0));
                mixer.write_pose(&mut pose);
                black_box(&mut pose);
            });
        });
    }
    let mut mixer = AnimationMixer::new(library.clone());
    let mut frame = 0_usize;
    group.bench_function("a new inertialised fade every frame", |bencher| {
        bencher.iter(|| {
            frame += 1;
            let _ = mixer.restart(frame % 2, Fade::inertialised(0.3));
            mixer.update(black_box(1.0 / 60.0));
            mixer.write_pose(&mut pose);
            black_box(&mut pose);
        });
    });
    group.finish();
}

fn crowd(criterion: &mut Criterion) {
    const CHARACTERS: u64 = 1_000;
    let skeleton = rig::skeleton();
    let mut group = criterion.benchmark_group("crowd-1000");
    group.throughput(Throughput::Elements(CHARACTERS * skeleton.joints.len() as u64));
    for (name, keys, is_fading) in [
        ("palettes", Keys::Sparse, false),
        ("cross-fade", Keys::Sparse, true),
        ("dense", Keys::Dense, false),
        ("irregular", Keys::Irregular, false),
    ] {
        let Ok(mut crowd) = a_crowd(&skeleton, keys, CHARACTERS, is_fading) else { return };
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                crowd.update(black_box(1.0 / 60.0));
                black_box(crowd.palettes());
            });
        });
    }
    group.finish();
}

fn a_crowd(skeleton: &Skeleton, keys: Keys, characters: u64, is_fading: bool) -> Result<Crowd, Box<dyn Error>> {
    let clips = [rig::walk(skeleton, keys), rig::jog(skeleton, keys)];
    let options = LibraryOptions { for_palettes: true, ..LibraryOptions::default() };
    let library = AnimationClipLibrary::with_options(&Rig::new(skeleton), &clips, options);
    let mut crowd = Crowd::new();
    let walk = crowd.add_clip(&library, library.find("walk")?)?;
    let jog = crowd.add_clip(&library, library.find("jog")?)?;
    for _ in 0..characters {
        crowd.spawn(walk)?;
    }
    for (index, character) in crowd.characters_mut().iter_mut().enumerate() {
        character.time = index as f64 * 0.618;
        character.second = is_fading.then_some(SecondClip { clip: jog, time: index as f64 * 0.382, weight: 0.3 });
    }
    Ok(crowd)
}

fn compile(criterion: &mut Criterion) {
    let skeleton = rig::skeleton();
    let rig = Rig::new(&skeleton);
    let mut group = criterion.benchmark_group("compile");
    group.bench_function("rig", |bencher| bencher.iter(|| Rig::new(black_box(&skeleton))));
    for (name, keys) in [("sparse", Keys::Sparse), ("dense", Keys::Dense), ("irregular", Keys::Irregular)] {
        let walk = rig::walk(&skeleton, keys);
        group.throughput(Throughput::Elements(key_count(&walk)));
        group.bench_function(name, |bencher| bencher.iter(|| CompiledClip::new(&rig, black_box(&walk))));
        group.bench_function(format!("{name} for palettes"), |bencher| {
            bencher.iter(|| CompiledClip::for_palettes(&rig, black_box(&walk)));
        });
    }
    group.finish();
}

fn key_count(clip: &AnimationClip) -> u64 {
    let translations: usize = clip.translation_channels.iter().map(|channel| channel.keyframes.len()).sum();
    let rotations: usize = clip.rotation_channels.iter().map(|channel| channel.keyframes.len()).sum();
    let scales: usize = clip.scale_channels.iter().map(|channel| channel.keyframes.len()).sum();
    (translations + rotations + scales) as u64
}

criterion_group! {
    name = stages;
    config = Criterion::default().warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    targets = plain, fast, mixer, crowd, compile
}
criterion_main!(stages);
