//! Crowds take no memory in a frame, nor for the clips of a library, nor when characters leave and others come.
//!
//! A binary of its own, because the allocator is that of the whole process. Counts are those of the thread that asks.
#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on panics, helper functions included")]

use nebula_animation::clip::{MorphLayout, MorphMesh};
use nebula_animation::compile::RootMotionOptions;
use nebula_animation::crowd::{CrowdCharacterId, CrowdClipId, SecondClip};
use nebula_animation::rig::RigOptions;
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, ClipMarkers, Crowd, Interpolation, LibraryOptions, Marker, Rig,
};

#[path = "it/characters/mod.rs"]
#[allow(dead_code, reason = "made for more tests than these")]
mod characters;
#[path = "counting/mod.rs"]
mod counting;

use characters::{Binds, ClipRecipe, Curves, Random, RestScales, RigRecipe, Shape, Timing};
use counting::{allocations, held};

/// Two rigs of other joint counts, one with a face, and clips with markers and a root that moves.
fn libraries() -> [AnimationClipLibrary; 2] {
    [(37, 5, Binds::OfRest), (20, 0, Binds::Uneven)].map(|(joints, targets, binds)| {
        let recipe =
            RigRecipe { joints, shape: Shape::Limbs, binds, rest_scales: RestScales::One, extent: 0.3, seed: 1 };
        let face = MorphMesh {
            weights: vec![0.0; targets],
            target_names: vec![String::new(); targets],
            ..MorphMesh::default()
        };
        let meshes = if targets > 0 { vec![face] } else { Vec::new() };
        let options = RigOptions { morphs: MorphLayout { meshes }, ..RigOptions::default() };
        let rig = Rig::with_options(recipe.skeleton(), options);
        let clips: Vec<AnimationClip> = (0..3)
            .map(|seed| {
                let timing = Timing::Uniform;
                let curves = Curves::One(Interpolation::Linear);
                ClipRecipe { keys: 25, curves, timing, shares: [0.5, 1.0, 0.0], is_odd: false, extent: 0.3, seed }
                    .clip(joints)
            })
            .collect();
        let mut markers = ClipMarkers::new();
        markers.add(0, Marker { name: "step".into(), time: 0.25 });
        markers.add(1, Marker { name: "step".into(), time: 0.5 });
        let root_motion = Some(RootMotionOptions::default());
        let options = LibraryOptions { markers, root_motion, for_palettes: true, ..LibraryOptions::default() };
        AnimationClipLibrary::with_options(&rig, &clips, options)
    })
}

/// A crowd with the clips of libraries, and these.
fn crowd(libraries: &[AnimationClipLibrary]) -> (Crowd, Vec<Vec<CrowdClipId>>) {
    let mut crowd = Crowd::new();
    let mut add = |library: &AnimationClipLibrary| {
        library.ids().map(|clip| crowd.add_clip(library, clip).expect("its own library")).collect()
    };
    let clips = libraries.iter().map(&mut add).collect();
    (crowd, clips)
}

#[test]
fn clips_are_shared() {
    let libraries = libraries();
    let before = held();
    let (crowd, clips) = crowd(&libraries);
    let taken = held() - before;
    let compiled: usize = libraries.iter().map(AnimationClipLibrary::bytes).sum();
    assert!(taken < 2_000 && compiled > 50_000, "{taken} bytes beside {compiled} of the libraries");
    drop((crowd, clips));
    assert_eq!(held(), before);
}

/// Thousands leave in any order while others come, frame after frame; then all of them.
#[test]
fn coming_and_going_takes_no_memory() {
    const COUNT: usize = 2_000;
    let libraries = libraries();
    let (mut crowd, clips) = crowd(&libraries);
    let mut random = Random::new(2);
    let spawn = |crowd: &mut Crowd, random: &mut Random, rig: usize| -> CrowdCharacterId {
        let id = crowd.spawn(clips[rig][random.below(3)]).expect("its own clip");
        let character = crowd.character_mut(id).expect("it is there");
        character.time = f64::from(random.unit());
        character.second = Some(SecondClip { clip: clips[rig][random.below(3)], time: 0.1, weight: random.unit() });
        id
    };
    let mut there: Vec<(CrowdCharacterId, usize)> =
        (0..COUNT).map(|index| (spawn(&mut crowd, &mut random, index % 2), index % 2)).collect();
    crowd.update(1.0 / 60.0);
    let (before, mut met, mut way) = (allocations(), 0, 0.0);
    for _frame in 0..60 {
        for _ in 0..166 {
            let leaver = random.below(COUNT);
            let (id, rig) = there[leaver];
            assert!(crowd.remove(id).is_some());
            // Another one of the same rig comes, so that nothing needs to grow.
            there[leaver] = (spawn(&mut crowd, &mut random, rig), rig);
        }
        crowd.update(1.0 / 60.0);
        met += crowd.events().count();
        way += crowd.root_step(there[0].0).expect("it is there").translation.length();
    }
    while !there.is_empty() {
        let (id, _) = there.swap_remove(random.below(there.len()));
        assert!(crowd.remove(id).is_some());
        if there.len().is_multiple_of(100) {
            crowd.update(1.0 / 60.0);
        }
    }
    assert_eq!(allocations() - before, 0);
    assert!(met > 1_000 && way > 0.0, "{met} markers, {way}");
    assert_eq!((crowd.palettes().len(), crowd.morph_weights().len()), (0, 0));
}
