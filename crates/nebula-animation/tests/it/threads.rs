//! Threads: what may be sent and shared, and loading beside sampling.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use nebula_animation::asset::{Animation, Limits, LoadWarning, Mesh, MorphTrack, Primitive, Skin, Track};
use nebula_animation::compile::{CompiledWeights, LibraryClip};
use nebula_animation::crowd::SecondClip;
use nebula_animation::skinning::{Bounds, PoseBounds, SkinnedVertices};
use nebula_animation::{
    AimLayer, AnimationAction, AnimationClip, AnimationClipLibrary, AnimationLoadError, AnimationMixer,
    AnimationPlayer, Asset, BlendSpace, BoneAttachment, BreathingLayer, Character, CharacterState, ClipMarkers, Clock,
    Crowd, FootPlacement, Frame, HumanoidMap, JointMask, LeanLayer, LibraryOptions, LookAtLayer, Marker, PlayError,
    ProceduralAnimationStack, Retarget, Rig, Skeleton, StateMachine, StateMachinePlayer, Surroundings,
    asset::LoadOptions,
    clip::ClipEntry,
    compile::{CompiledClip, ContactTrack, RootTrack},
    crowd::CrowdCharacter,
    mixer::{Blender, MachineDocument, MachineError, MixerLayer},
    palette::{Evaluator, PaletteRows},
    procedural::{
        ik::{ChainIk, TwoBoneIk},
        springs::SpringChain,
    },
    retarget::Mirror,
    rig::FeetRig,
};

use crate::support::{finite_problem, rigs, try_load};

/// Compiles only where a type may go to another thread, be looked at by several, and outlive its maker.
fn crosses_threads<T: Send + Sync + 'static>() {}

macro_rules! cross_threads {
    ($($type:ty),+ $(,)?) => { $(crosses_threads::<$type>();)+ };
}

#[test]
fn types_are_send_and_sync() {
    cross_threads!(
        Asset,
        Animation,
        Track,
        MorphTrack,
        Mesh,
        Primitive,
        Skin,
        LoadWarning,
        LoadOptions,
        Limits,
        AnimationLoadError,
        Skeleton,
        JointMask,
        HumanoidMap,
        AnimationClip,
        ClipEntry,
        ClipMarkers,
        Marker,
        Clock,
        Rig,
        CompiledClip,
        LibraryClip,
        CompiledWeights,
        AnimationClipLibrary,
        Retarget,
        Mirror,
        Evaluator,
        PaletteRows,
        BoneAttachment,
        Bounds,
        PoseBounds,
        SkinnedVertices,
        AnimationPlayer,
        Character,
        Crowd,
        CrowdCharacter,
        SecondClip,
        AnimationMixer,
        MixerLayer,
        AnimationAction,
        Frame,
        CharacterState,
        Blender,
        BlendSpace,
        PlayError,
        RootTrack,
        LibraryOptions,
        StateMachine,
        StateMachinePlayer,
        MachineDocument,
        MachineError,
        ProceduralAnimationStack,
        LookAtLayer,
        LeanLayer,
        BreathingLayer,
        AimLayer,
        TwoBoneIk,
        ChainIk,
        SpringChain,
        FeetRig,
        FootPlacement,
        ContactTrack,
    );
    #[cfg(feature = "ecs")]
    cross_threads!(nebula_animation::ecs::Time, nebula_animation::ecs::Transform);
    #[cfg(feature = "gpu")]
    cross_threads!(nebula_animation::gpu::Gpu, nebula_animation::gpu::GpuPalettes, nebula_animation::gpu::Model);
}

/// Eight threads load files, good and broken, and compile shared clips for skeletons of their own; two play a shared library at the
/// same time. Everybody sees the bits that a thread alone would.
#[test]
fn eight_threads_load_while_two_sample() {
    const LOADS: usize = 60;
    let bytes = rigs::chain().glb();
    let broken = &bytes[..bytes.len() / 2];
    let asset = try_load(&bytes).expect("a good file");
    let clips: Vec<AnimationClip> = asset.animations.iter().map(Animation::to_clip).collect();
    let library = AnimationClipLibrary::new(&asset.rig(), &clips);
    let new_character = || {
        let mut character = Character::of(library.clone());
        character.mixer.play(0, 0.0).expect("the file has a clip");
        character
    };
    let show = |character: &mut Character, frame: usize| {
        character.mixer.current_action.as_mut().expect("playing").seek(frame as f64 * 0.01);
        character.update(0.0, &Surroundings::default());
    };
    let palette_at = |frame: usize| {
        let mut character = new_character();
        show(&mut character, frame);
        character.palette().to_vec()
    };
    let expected: Vec<_> = (0..50).map(palette_at).collect();
    let (is_over, loaded, sampled) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut character = new_character();
                while !is_over.load(Ordering::Relaxed) {
                    let frame = sampled.fetch_add(1, Ordering::Relaxed) % 50;
                    show(&mut character, frame);
                    assert_eq!(character.palette(), expected[frame], "frame {frame}");
                }
            });
        }
        let loaders: Vec<_> = (0..8)
            .map(|thread| {
                let (bytes, clips, asset, loaded) = (&bytes, &clips, &asset, &loaded);
                scope.spawn(move || {
                    for turn in 0..LOADS {
                        assert!(try_load(broken).is_err());
                        let other = try_load(bytes).expect("a good file");
                        assert_eq!(finite_problem(&other), None);
                        assert_eq!(other.skeleton.bind_pose(), asset.skeleton.bind_pose());
                        // A skeleton of its own, for which the shared clips are compiled, and forgotten.
                        let mut skeleton = other.skeleton;
                        skeleton.joints[1].bind_translation.x = (thread * LOADS + turn) as f32;
                        assert_eq!(AnimationClipLibrary::new(&Rig::new(skeleton), clips).len(), 1);
                        loaded.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        let results: Vec<_> = loaders.into_iter().map(|loader| loader.join()).collect();
        is_over.store(true, Ordering::Relaxed);
        assert!(results.iter().all(Result::is_ok), "no loader panics");
    });
    assert_eq!(loaded.into_inner(), 8 * LOADS);
    assert!(sampled.into_inner() > 0, "somebody sampled meanwhile");
}
