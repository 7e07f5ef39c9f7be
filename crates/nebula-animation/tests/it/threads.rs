//! Threads: what may be sent and shared, and loading beside sampling.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use nebula_animation::asset::{Animation, Limits, LoadWarning, Mesh, MorphTrack, Primitive, Skin, Track};
use nebula_animation::compile::{CompiledLibrary, CompiledWeights};
use nebula_animation::crowd::SecondClip;
use nebula_animation::skinning::{Bounds, PoseBounds, SkinnedVertices};
use nebula_animation::{
    AimLayer, AnimationAction, AnimationClip, AnimationClipLibrary, AnimationLoadError, AnimationMixer,
    AnimationPlayer, Asset, BlendSpace, BoneAttachment, BreathingLayer, Character, ClipMarkers, Clock, Crowd,
    FootPlacement, HumanoidMap, JointMask, LeanLayer, LookAtLayer, Marker, MixedCharacter, PlayError,
    ProceduralAnimationStack, RestPose, Retarget, Rig, RootTracks, Skeleton, StateMachine, StateMachinePlayer,
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
        CompiledLibrary,
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
        MixedCharacter,
        Blender,
        BlendSpace,
        PlayError,
        RootTrack,
        RootTracks,
        StateMachine,
        StateMachinePlayer,
        MachineDocument,
        MachineError,
        ProceduralAnimationStack,
        RestPose,
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
    cross_threads!(nebula_animation::SharedSkeleton, nebula_animation::ecs::Time, nebula_animation::ecs::Transform);
    #[cfg(feature = "gpu")]
    cross_threads!(nebula_animation::gpu::Gpu, nebula_animation::gpu::GpuPalettes, nebula_animation::gpu::Model);
}

/// Eight threads load files, good and broken, into one library each time; two sample a library that the others compile for their
/// own skeletons at the same time. Everybody sees the bits that a thread alone would.
#[test]
fn eight_threads_load_while_two_sample() {
    const LOADS: usize = 60;
    let bytes = rigs::chain().glb();
    let broken = &bytes[..bytes.len() / 2];
    let asset = try_load(&bytes).expect("a good file");
    let clips: Vec<AnimationClip> = asset.animations.iter().map(Animation::to_clip).collect();
    let library = AnimationClipLibrary::from(clips);
    // A pose that nothing has changed is not sampled again: its palette would be made of the pose, to other last bits.
    let show = |character: &mut Character, frame: usize| {
        character.player.seek(frame as f64 * 0.01);
        character.player.mark_pose_stale();
        character.update(0.0);
    };
    let palette_at = |frame: usize| {
        let mut character = Character::new(asset.skeleton.clone(), library.clone());
        show(&mut character, frame);
        character.palette().to_vec()
    };
    let expected: Vec<_> = (0..50).map(palette_at).collect();
    let (is_over, loaded, sampled) = (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut character = Character::new(asset.skeleton.clone(), library.clone());
                while !is_over.load(Ordering::Relaxed) {
                    let frame = sampled.fetch_add(1, Ordering::Relaxed) % 50;
                    show(&mut character, frame);
                    assert_eq!(character.palette(), expected[frame], "frame {frame}");
                }
            });
        }
        let loaders: Vec<_> = (0..8)
            .map(|thread| {
                let (bytes, library, asset, loaded) = (&bytes, &library, &asset, &loaded);
                scope.spawn(move || {
                    for turn in 0..LOADS {
                        assert!(try_load(broken).is_err());
                        let other = try_load(bytes).expect("a good file");
                        assert_eq!(finite_problem(&other), None);
                        assert_eq!(other.skeleton.bind_pose(), asset.skeleton.bind_pose());
                        // A skeleton of its own: the shared library compiles for it, and forgets older ones.
                        let mut skeleton = other.skeleton;
                        skeleton.joints[1].bind_translation.x = (thread * LOADS + turn) as f32;
                        assert_eq!(library.compiled_for(&skeleton).clips().len(), 1);
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
