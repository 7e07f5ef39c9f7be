//! No allocation in the hot path: a counting allocator watches frames go by.
//!
//! A test binary of its own, because the allocator is that of the whole process. Counts are those of the thread that
//! asks, so that neighbouring tests do not disturb each other.

#![allow(unsafe_code, reason = "an allocator cannot be written without it")]
#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on panics, helper functions included")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use glam::Mat4;
use nebula_animation::crowd::SecondClip;
use nebula_animation::palette::Layer;
use nebula_animation::{
    AnimationClip, AnimationMixer, BlendInput, BlendMode, Blender, ClipMarkers, CompiledClip, Crowd, Evaluator, Fade,
    Interpolation, JointMask, Marker, MixedCharacter, PaletteRows, Rig, Skeleton,
};

#[path = "it/characters/mod.rs"]
#[allow(dead_code, reason = "made for more tests than these")]
mod characters;

use characters::{Binds, ClipRecipe, Curves, RestScales, RigRecipe, Shape, Timing};

/// The system's allocator, with a tally.
struct Counting;

thread_local! {
    /// Calls that give memory, and bytes that are held.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
    static HELD: Cell<i64> = const { Cell::new(0) };
}

/// Adds to the tally. A thread that is ending has none left.
fn tally(allocations: u64, bytes: i64) {
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + allocations));
    let _ = HELD.try_with(|held| held.set(held.get() + bytes));
}

// SAFETY: every call is handed on to the system's allocator as it came; the tally allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        tally(1, layout.size() as i64);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        tally(1, layout.size() as i64);
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        tally(1, size as i64 - layout.size() as i64);
        // SAFETY: the caller keeps the contract.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        tally(0, -(layout.size() as i64));
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Allocations of this thread so far.
fn allocations() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

/// Runs two frames to warm up, then so many more that must not allocate.
fn assert_quiet(frames: u32, mut frame: impl FnMut(u32)) {
    frame(0);
    frame(1);
    let before = allocations();
    (2..frames + 2).for_each(&mut frame);
    assert_eq!(allocations() - before, 0, "allocations in {frames} frames");
}

fn skeleton(binds: Binds) -> Skeleton {
    let rest_scales = RestScales::One;
    RigRecipe { joints: 67, shape: Shape::Limbs, binds, rest_scales, extent: 0.3, seed: 1 }.skeleton()
}

/// Clips with every interpolation on every kind of timeline; the last one with scales.
fn clips() -> Vec<AnimationClip> {
    let recipe = |timing, shares, is_odd, seed| {
        let curves = if seed == 0 { Curves::One(Interpolation::Linear) } else { Curves::Mixed };
        ClipRecipe { keys: 30, curves, timing, shares, is_odd, extent: 0.3, seed }.clip(67)
    };
    vec![
        recipe(Timing::Uniform, [0.1, 1.0, 0.0], false, 0),
        recipe(Timing::Mixed, [0.5, 1.0, 0.0], true, 1),
        recipe(Timing::Own, [1.0, 1.0, 1.0], true, 2),
    ]
}

#[test]
fn the_allocator_counts() {
    let before = (allocations(), HELD.with(Cell::get));
    let memory = std::hint::black_box(vec![0_u8; 1000]);
    assert_eq!((allocations() - before.0, HELD.with(Cell::get) - before.1), (1, 1000));
    drop(memory);
    assert_eq!(HELD.with(Cell::get), before.1);
}

#[test]
fn one_character_allocates_nothing() {
    for binds in [Binds::OfRest, Binds::Uneven] {
        let skeleton = skeleton(binds);
        let rig = Rig::new(&skeleton);
        let clips: Vec<_> = clips()
            .iter()
            .flat_map(|clip| [CompiledClip::new(&rig, clip), CompiledClip::for_palettes(&rig, clip)])
            .collect();
        let mut evaluator = Evaluator::new();
        let mut pose = skeleton.bind_pose();
        let mut rows = vec![PaletteRows::IDENTITY; 67];
        let mut matrices = vec![Mat4::IDENTITY; 67];
        assert_quiet(10_000, |frame| {
            let (clip, time) = (&clips[frame as usize % clips.len()], frame as f32 / 60.0 % 3.0);
            evaluator.palette_rows(&rig, clip, time, &mut rows);
            evaluator.palette(&rig, clip, time, &mut matrices);
            evaluator.pose(&rig, clip, time, &mut pose);
            evaluator.pose_and_palette(&rig, clip, time, &mut pose, &mut matrices);
            evaluator.palette_rows_of_pose(&rig, &pose, &mut rows);
        });
    }
}

#[test]
fn cross_fades_allocate_nothing() {
    let skeleton = skeleton(Binds::OfRest);
    let rig = Rig::new(&skeleton);
    let clips: Vec<_> = clips()
        .iter()
        .flat_map(|clip| [CompiledClip::new(&rig, clip), CompiledClip::for_palettes(&rig, clip)])
        .collect();
    let mut evaluator = Evaluator::new();
    let mut pose = skeleton.bind_pose();
    let mut rows = vec![PaletteRows::IDENTITY; 67];
    assert_quiet(10_000, |frame| {
        let time = frame as f32 / 60.0 % 3.0;
        let from = Layer { clip: &clips[frame as usize % clips.len()], time };
        let to = Layer { clip: &clips[frame as usize / clips.len() % clips.len()], time: time / 2.0 };
        evaluator.blended_palette_rows(&rig, from, to, time / 3.0, &mut rows);
        evaluator.blended_pose(&rig, from, to, time / 3.0, &mut pose);
    });
}

#[test]
fn blends_allocate_nothing() {
    let skeleton = skeleton(Binds::OfRest);
    let rig = Rig::new(&skeleton);
    let clips: Vec<_> = clips().iter().map(|clip| CompiledClip::new(&rig, clip)).collect();
    let mask = JointMask::none(&skeleton).with_subtree(&skeleton, &skeleton.joints[5].name, 0.5);
    let mut blender = Blender::new();
    let mut pose = skeleton.bind_pose();
    assert_quiet(1_000, |frame| {
        let input = |index: u32| BlendInput {
            clip: &clips[index as usize % clips.len()],
            time: frame as f32 / 60.0 % 3.0,
            weight: (index + 1) as f32,
            mask: index.is_multiple_of(2).then_some(&mask),
            mode: if index == 5 { BlendMode::Additive } else { BlendMode::Override },
        };
        blender.blend(&rig, &[input(0), input(1), input(2), input(3), input(5)], &mut pose);
    });
}

/// Plays, stops, fades of all kinds that interrupt each other, layers, markers, scrubbing: all of it after set-up.
#[test]
fn mixers_allocate_nothing_transitions_included() {
    let skeleton = skeleton(Binds::OfRest);
    let mut markers = ClipMarkers::new();
    for clip in 0..3 {
        markers.add(clip, Marker { name: "step".into(), time: 0.2 });
    }
    let mut character = MixedCharacter::new(skeleton.clone(), clips());
    character.mixer = AnimationMixer::new(clips()).with_markers(markers);
    let upper = character.mixer.add_layer("upper");
    let mask = JointMask::none(&skeleton).with_subtree(&skeleton, &skeleton.joints[5].name, 0.7);
    character.mixer.layer_mut(upper).expect("just added").set_mask(mask);
    let on_top = character.mixer.add_layer("on top");
    character.mixer.layer_mut(on_top).expect("just added").mode = BlendMode::Additive;
    let mut random = characters::Random::new(5);
    let mut met = 0;
    assert_quiet(5_000, |_| {
        if random.chance(0.5) {
            let seconds = random.between(0.0, 0.5);
            let fades = [Fade::linear(seconds), Fade::smooth(seconds), Fade::inertialised(seconds), Fade::NONE];
            let fade = fades[random.below(4)];
            let layer = character.mixer.layer_mut(random.below(3)).expect("there are three");
            if random.chance(0.2) {
                layer.stop(fade);
            } else {
                let action = layer.restart(random.below(3), fade).expect("there are three");
                (action.looping, action.speed) = (random.chance(0.8), random.between(-2.0, 2.0));
                if random.chance(0.2) {
                    action.time = random.unit();
                }
            }
        }
        character.update(1.0 / 60.0);
        met += character.mixer.events().count();
    });
    assert!(met > 200, "{met} markers");
}

/// Fewer frames than for one character: a thousand of them take their time in a build for tests.
#[test]
fn a_crowd_of_1000_allocates_nothing() {
    let mut crowd = Crowd::new();
    let rigs = [crowd.add_rig(&skeleton(Binds::OfRest)), crowd.add_rig(&skeleton(Binds::Uneven))];
    let mut ids = Vec::new();
    for rig in rigs {
        ids.push(clips().iter().filter_map(|clip| crowd.add_clip(rig, clip)).collect::<Vec<_>>());
    }
    for index in 0..1000 {
        let clips = &ids[index % 2];
        let character = crowd.spawn(clips[index % 3]).expect("the clip is of this crowd");
        crowd.characters_mut()[character].time = index as f64 * 0.013;
        crowd.characters_mut()[character].speed = 1.0 - (index % 7) as f32 / 4.0;
    }
    let mut own_buffer = vec![PaletteRows::IDENTITY; 67_000];
    assert_quiet(200, |frame| {
        // A third of them are in a cross-fade; clips and fades begin and end.
        for (index, character) in crowd.characters_mut().iter_mut().enumerate().skip(frame as usize % 3).step_by(3) {
            let clip = ids[index % 2][(index + frame as usize) % 3];
            let weight = (frame % 30) as f32 / 30.0;
            character.second = (frame % 30 > 0).then_some(SecondClip { clip, time: 0.5, weight });
        }
        crowd.update(1.0 / 60.0);
        if frame % 10 == 0 {
            crowd.evaluate_into(&mut own_buffer);
        }
    });
}

/// What a compiled clip says that it takes is what it holds.
#[test]
fn reported_bytes_are_held_bytes() {
    let rig = Rig::new(&skeleton(Binds::OfRest));
    for clip in clips() {
        let before = HELD.with(Cell::get);
        let compiled = CompiledClip::for_palettes(&rig, &clip);
        let held = HELD.with(Cell::get) - before + size_of::<CompiledClip>() as i64;
        let reported = compiled.report().bytes as i64;
        // The report's own lists and spare room in lists of groups are not clip data: a kilobyte or two.
        assert!((held - reported).abs() <= reported / 50 + 3000, "{held} bytes are held, {reported} are reported");
    }
}
