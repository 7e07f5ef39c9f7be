//! Nothing is allocated in a frame once everything has been seen, and what an entity takes from the allocator.
//!
//! A binary of its own, because the allocator is that of the whole process. Counts are those of the thread that asks:
//! the test runner's own thread allocates when it likes.
#![allow(unsafe_code, reason = "an allocator cannot be written without it")]
#![cfg(feature = "ecs")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use bevy_ecs::prelude::*;
use glam::{Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationMixer, AnimationPlayer, BoneAttachment, BreathingLayer, Channel,
    Character, ClipMarkers, Clock, Fade, Interpolation, Joint, JointPose, Keyframe, LeanLayer, Marker,
    ProceduralAnimationStack, RootTracks, SharedSkeleton, Skeleton, StateMachine, StateMachinePlayer,
    add_animation_systems,
    compile::RootMotionOptions,
    ecs::{Time, Transform, Velocity},
    mixer::{BlendDocument, BlendSampleDocument, MachineDocument, ParameterValue, StateDocument, TransitionDocument},
};

struct Counting;

thread_local! {
    /// Calls that give memory, and bytes that are held.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<isize> = const { Cell::new(0) };
}

/// Adds to the tally. A thread that is ending has none left.
fn tally(allocations: usize, bytes: isize) {
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + allocations));
    let _ = BYTES.try_with(|held| held.set(held.get() + bytes));
}

// SAFETY: every call goes to the system's allocator as it came; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        tally(1, layout.size() as isize);
        // SAFETY: the caller's promises are those of the system's allocator.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        tally(0, -(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const JOINTS: u16 = 67;

fn skeleton() -> Skeleton {
    let joint = |index: u16| Joint {
        index,
        parent: index.checked_sub(1).map(|before| before / 2),
        inverse_bind_matrix: Mat4::IDENTITY,
        name: format!("Joint {index}"),
        bind_translation: Vec3::Y,
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    };
    Skeleton { joints: (0..JOINTS).map(joint).collect() }
}

fn clips() -> AnimationClipLibrary {
    let channel = |joint_index: u16| Channel {
        joint_index,
        interpolation: Interpolation::Linear,
        keyframes: (0..30_u8)
            .map(|key| Keyframe {
                time: f32::from(key) / 30.0,
                value: Quat::from_rotation_x(f32::from(key) * 0.02),
                tangents: None,
            })
            .collect(),
    };
    let clip = |duration| AnimationClip {
        name: "walk".into(),
        duration,
        rotation_channels: (0..JOINTS).map(channel).collect(),
        ..AnimationClip::default()
    };
    vec![clip(1.0), clip(0.7)].into()
}

/// How often the allocator is asked for memory.
fn allocations(action: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    action();
    ALLOCATIONS.get() - before
}

#[test]
fn frames_allocate_nothing_and_entities_little() {
    let (skeleton, clips) = (SharedSkeleton::from(skeleton()), clips());

    let mut character = Character::new(skeleton.0.clone(), clips.clone());
    character.update(0.1);
    let count = allocations(|| {
        for frame in 0..1000_u16 {
            character.update(1.0 / 60.0);
            if frame % 100 == 50 {
                character.player.play(usize::from(frame / 100 % 2));
            }
            if frame % 100 == 75 {
                character.player.time = 0.3;
                character.player.playing = frame % 200 == 75;
            }
        }
    });
    assert_eq!(count, 0, "a character's frames");

    // A power of two, because tables grow by doubling: no room is left over.
    const ENTITIES: usize = 8192;
    let mut world = World::new();
    let spawn = |world: &mut World| {
        let player = AnimationPlayer::new(0, 1.0, JOINTS.into());
        world.spawn((player, skeleton.clone(), clips.clone())).id()
    };
    let before = BYTES.get();
    let entities: Vec<Entity> = (0..ENTITIES).map(|_| spawn(&mut world)).collect();
    let taken = (BYTES.get() - before) as usize - entities.capacity() * size_of::<Entity>();
    let data = usize::from(JOINTS) * (size_of::<JointPose>() + size_of::<Mat4>());
    let own = size_of::<AnimationPlayer>() + size_of::<SharedSkeleton>() + size_of::<AnimationClipLibrary>();
    println!("per entity: {} bytes, of which pose and palette {data}, components {own}", taken / ENTITIES);
    assert!(taken / ENTITIES <= data + 256, "{} bytes", taken / ENTITIES - data);

    // A few of them are enough to see whether frames allocate.
    entities[256..].iter().for_each(|&entity| assert!(world.despawn(entity)));
    for entity in &entities[..256] {
        let mut stack = ProceduralAnimationStack::default();
        stack.push(LeanLayer::new(3));
        stack.push(BreathingLayer::new(5));
        world.entity_mut(*entity).insert((stack, Transform::default(), Velocity { linear: Vec3::X }));
    }
    let sword = BoneAttachment::new(&skeleton, "Joint 9").expect("there is one");
    world.spawn_batch(entities[..64].iter().map(|entity| (sword.clone(), ChildOf(*entity))).collect::<Vec<_>>());
    let mut schedule = Schedule::default();
    add_animation_systems(&mut schedule);
    let mut frame = |world: &mut World| {
        world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
        schedule.run(world);
    };
    // Two seconds, until the messages' buffers have seen their fullest frame.
    (0..130).for_each(|_| frame(&mut world));
    let count = allocations(|| (0..130).for_each(|_| frame(&mut world)));
    println!("{count} allocations in 130 frames of 256 entities");
    // bevy's executor for several threads allocates tasks.
    let has_threads = bevy_tasks::ComputeTaskPool::try_get().is_some();
    assert!(has_threads || count == 0, "{count}");

    let clock = Clock { end: Some(0.5), reverse: true, ..Clock::default() };
    let mut player = world.get_mut::<AnimationPlayer>(entities[0]).expect("a player");
    assert_eq!(allocations(|| player.play_by(0, clock)), 1, "a clock of its own is kept aside");
}

/// A machine with every kind of state, transitions with every kind of fade, a blend over a plane, markers and root motion.
#[test]
fn state_machines_blend_spaces_and_root_motion_allocate_nothing() {
    let skeleton = skeleton();
    let mut clips: Vec<AnimationClip> = clips().to_vec();
    clips.push(AnimationClip { name: "run".into(), ..clips[1].clone() });
    clips[1].name = "idle".into();
    for clip in &mut clips {
        let key = |time: f32, z: f32| Keyframe { time, value: Vec3::new(0.0, 1.0, z), tangents: None };
        let keyframes = vec![key(0.0, 0.0), key(clip.duration, 1.0)];
        clip.translation_channels = vec![Channel { joint_index: 0, interpolation: Interpolation::Linear, keyframes }];
    }
    let (clips, ways) = RootTracks::extract(&clips, &skeleton, &RootMotionOptions::default());
    let mut markers = ClipMarkers::new();
    for clip in 0..3 {
        markers.add(clip, Marker { name: "step".into(), time: 0.3 });
    }
    let sample = |clip: &str, x, y| BlendSampleDocument { clip: clip.into(), x, y };
    let blend = BlendDocument {
        x: "speed".into(),
        y: Some("turn".into()),
        samples: vec![sample("idle", 0.0, 0.0), sample("walk", 1.0, -1.0), sample("run", 1.0, 1.0)],
        sync: vec!["step".into()],
    };
    let within = MachineDocument::new("a")
        .with_state(StateDocument::clip("a", "idle").once())
        .with_state(StateDocument::clip("b", "run"))
        .with_transition(TransitionDocument::new("a", "b").after(0.4).with_fade(Fade::smooth(0.1)))
        .with_transition(TransitionDocument::new("b", "a").when("go").with_fade(Fade::inertialised(0.2)));
    let document = MachineDocument::new("ground")
        .with_parameter("speed", ParameterValue::Float(0.0))
        .with_parameter("turn", ParameterValue::Float(0.0))
        .with_parameter("go", ParameterValue::Trigger(false))
        .with_state(StateDocument::blend("ground", blend))
        .with_state(StateDocument::machine("within", within))
        .with_transition(TransitionDocument::new("ground", "within").when("speed > 0.9"))
        .with_transition(TransitionDocument::new("within", "ground").when("speed < 0.2").with_fade(0.2));
    let machine = StateMachine::new(&document, &clips, &markers).expect("a machine");
    let mut mixer = AnimationMixer::new(clips).with_markers(markers).with_root_tracks(ways);
    let mut player = StateMachinePlayer::new(machine);
    let [speed, turn, go] = ["speed", "turn", "go"].map(|name| player.parameter(name).expect("it is there"));
    let mut pose = skeleton.bind_pose();
    let (mut steps, mut way) = (0, 0.0);
    let mut frame = |number: u16| {
        player.set_float(speed, f32::from(number % 120) / 110.0).expect("a number");
        player.set_float(turn, f32::from(number % 77) / 38.5 - 1.0).expect("a number");
        if number.is_multiple_of(50) {
            player.trigger_for(go, 0.3).expect("a trigger");
        }
        player.update(&mut mixer);
        mixer.update(&skeleton, 1.0 / 60.0);
        mixer.write_pose(&mut pose);
        steps += mixer.events().count();
        way += mixer.root_motion().translation.length();
    };
    // Until everything has been seen once.
    (0..240).for_each(&mut frame);
    let count = allocations(|| (240..1500).for_each(&mut frame));
    assert_eq!(count, 0, "frames of a state machine");
    assert!(steps > 20 && way > 5.0, "{steps} steps, {way} m");
    assert!(player.transitions_taken() > 20, "{} transitions", player.transitions_taken());
}
