//! Messages arrive in the frame they belong to.

use bevy::prelude::*;
use nebula_animation::mixer::ParameterValue;
use nebula_bevy::crowd::{CrowdSeat, NebulaCrowd};
use nebula_bevy::{
    AnimationEvent, AnimationFinished, AnimationLooped, CharacterAsset, CharacterSettings, CrowdMember,
    NebulaCharacter, NebulaSystems, StateChanged,
};

use crate::stage::{DT, Stage, own};

/// What was read, and in which frame.
#[derive(Resource, Default)]
struct Heard {
    frame: u32,
    events: Vec<(u32, String)>,
    finished: Vec<u32>,
    looped: Vec<(u32, u32)>,
    states: Vec<(u32, String)>,
}

fn hear(
    mut heard: ResMut<Heard>,
    mut events: MessageReader<AnimationEvent>,
    mut finished: MessageReader<AnimationFinished>,
    mut looped: MessageReader<AnimationLooped>,
    mut states: MessageReader<StateChanged>,
) {
    heard.frame += 1;
    let frame = heard.frame;
    heard.events.extend(events.read().map(|event| (frame, event.name().to_owned())));
    heard.finished.extend(finished.read().map(|_| frame));
    heard.looped.extend(looped.read().map(|message| (frame, message.passes)));
    heard.states.extend(states.read().map(|message| (frame, message.name.clone())));
}

#[test]
fn markers_passes_and_ends_are_told_in_the_frame_in_which_they_are_met() {
    let mut stage = Stage::with(&own(), |app| {
        app.init_resource::<Heard>().add_systems(PostUpdate, hear.after(NebulaSystems::Advance));
    });
    let change = |settings: &mut CharacterSettings| {
        settings.markers = vec![("idle".into(), "early".into(), 0.1), ("idle".into(), "late".into(), 0.3)];
    };
    let server = stage.app.world().resource::<AssetServer>();
    let handle: Handle<CharacterAsset> = server.load_builder().with_settings(change).load("simple_humanoid.glb");
    let entity = stage.spawn(NebulaCharacter::new(handle).playing("idle"));
    let mut animator = stage.animator_mut(entity);
    let idle = animator.mixer.clips().find("idle").expect("it is there");
    let duration = f64::from(animator.mixer.clips()[idle].duration());
    animator
        .mixer
        .layer_mut(nebula_animation::LayerId::BASE)
        .expect("a layer")
        .restart(idle, 0.0)
        .expect("it is there");
    let mut heard = stage.app.world_mut().resource_mut::<Heard>();
    *heard = Heard::default();
    let frames = (2.0 * duration / f64::from(DT)).ceil() as usize;
    stage.frames(frames);

    // When a clock that begins now comes by, counted in frames of a sixtieth.
    let frame_of = |seconds: f64| (seconds / f64::from(DT)).ceil() as u32;
    let heard = stage.app.world().resource::<Heard>();
    let expected = [(0.1, "early"), (0.3, "late"), (duration + 0.1, "early"), (duration + 0.3, "late")];
    let expected: Vec<_> = expected.iter().map(|(time, name)| (frame_of(*time), (*name).to_owned())).collect();
    let is_near = |a: &(u32, String), b: &(u32, String)| a.1 == b.1 && a.0.abs_diff(b.0) <= 1;
    assert_eq!(heard.events.len(), 4, "{:?}", heard.events);
    assert!(heard.events.iter().zip(&expected).all(|(a, b)| is_near(a, b)), "{:?} is not {expected:?}", heard.events);
    assert!(
        heard.looped.iter().any(|(frame, passes)| *passes == 1 && frame.abs_diff(frame_of(duration)) <= 1),
        "{:?}",
        heard.looped
    );
    assert!(heard.finished.is_empty());
}

#[test]
fn a_message_is_read_in_the_same_frame_as_the_pose_it_belongs_to() {
    /// The time of the clip in the frame in which the message is read.
    #[derive(Resource, Default)]
    struct At(Vec<f32>);
    let mut stage = Stage::with(&own(), |app| {
        let read = |mut events: MessageReader<AnimationEvent>,
                    animators: Query<&nebula_bevy::Animator>,
                    mut at: ResMut<At>| {
            for event in events.read() {
                at.0.extend(
                    animators.get(event.entity).ok().and_then(|animator| Some(animator.frame().shown().first()?.time)),
                );
            }
        };
        app.init_resource::<At>()
            .add_systems(PostUpdate, read.after(NebulaSystems::Advance).before(NebulaSystems::Move));
    });
    let change = |settings: &mut CharacterSettings| settings.markers = vec![("idle".into(), "now".into(), 0.25)];
    let server = stage.app.world().resource::<AssetServer>();
    let handle: Handle<CharacterAsset> = server.load_builder().with_settings(change).load("simple_humanoid.glb");
    stage.spawn(NebulaCharacter::new(handle).playing("idle"));
    stage.frames(40);
    let at = &stage.app.world().resource::<At>().0;
    assert_eq!(at.len(), 1);
    assert!(at[0] >= 0.25 && at[0] < 0.25 + DT * 1.001, "{at:?}");
}

#[test]
fn what_is_played_once_is_told_to_have_ended() {
    let mut stage = Stage::with(&own(), |app| {
        app.init_resource::<Heard>().add_systems(PostUpdate, hear.after(NebulaSystems::Advance));
    });
    let entity = stage.character("simple_humanoid.glb");
    let mut animator = stage.animator_mut(entity);
    let jump = animator.mixer.clips().find("jump").expect("it is there");
    let duration = animator.mixer.clips()[jump].duration();
    animator.mixer.play("jump", 0.0).expect("it is there").looping = false;
    *stage.app.world_mut().resource_mut::<Heard>() = Heard::default();
    stage.frames((duration / DT).ceil() as usize + 5);
    let heard = stage.app.world().resource::<Heard>();
    assert_eq!(heard.finished.len(), 1, "{:?}", heard.finished);
    assert!(heard.finished[0].abs_diff((duration / DT).ceil() as u32) <= 1);
    assert!(heard.states.is_empty());
}

#[test]
fn a_state_that_is_entered_is_told_in_the_frame_in_which_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let machine = r#"{
        "parameters": { "speed": 0.0 },
        "start": "stand",
        "states": [{ "name": "stand", "clip": "idle" }, { "name": "go", "clip": "walk" }],
        "transitions": [
            { "from": "stand", "to": "go", "when": ["speed > 0.5"], "fade": 0.1 },
            { "from": "go", "to": "stand", "when": ["speed < 0.5"], "fade": 0.1 }
        ]
    }"#;
    std::fs::write(folder.path().join("hero.machine.json"), machine).expect("written");
    std::fs::copy(own().join("simple_humanoid.glb"), folder.path().join("hero.glb")).expect("copied");
    let mut stage = Stage::with(folder.path(), |app| {
        app.init_resource::<Heard>().add_systems(PostUpdate, hear.after(NebulaSystems::Advance));
    });
    let server = stage.app.world().resource::<AssetServer>();
    let spec = NebulaCharacter::new(server.load("hero.glb")).with_machine(server.load("hero.machine.json"));
    let entity = stage.spawn(spec);
    stage.frames(3);
    *stage.app.world_mut().resource_mut::<Heard>() = Heard::default();
    stage.frames(4);
    let set = |stage: &mut Stage, speed: f32| {
        stage.animator_mut(entity).set_parameter("speed", ParameterValue::Float(speed)).expect("it has one");
    };
    set(&mut stage, 1.0);
    stage.frames(1);
    // The message is read in the frame in which the machine is in the state.
    assert_eq!(stage.animator(entity).machines[0].state_name(), "go");
    assert_eq!(stage.app.world().resource::<Heard>().states, [(5, "go".to_owned())]);
    stage.frames(5);
    set(&mut stage, 0.0);
    stage.frames(3);
    let states = &stage.app.world().resource::<Heard>().states;
    assert_eq!(*states, [(5, "go".to_owned()), (11, "stand".to_owned())]);
}

#[test]
fn members_of_a_crowd_tell_of_markers_in_the_frame_in_which_they_meet_them() {
    /// Whose marker it was, and the time of its clip when it was read.
    #[derive(Resource, Default)]
    struct Met(Vec<(Entity, String, f64)>);
    let mut stage = Stage::with(&own(), |app| {
        let read = |mut events: MessageReader<AnimationEvent>,
                    seats: Query<&CrowdSeat>,
                    crowd: Res<NebulaCrowd>,
                    mut met: ResMut<Met>| {
            for event in events.read() {
                let time = seats.get(event.entity).ok().and_then(|seat| crowd.time(seat));
                met.0.push((event.entity, event.name().to_owned(), time.expect("it is there")));
            }
        };
        app.init_resource::<Met>().add_systems(PostUpdate, read.after(NebulaSystems::Advance));
    });
    let change = |settings: &mut CharacterSettings| {
        settings.markers = vec![("walk".into(), "other".into(), 0.1), ("idle".into(), "now".into(), 0.25)];
    };
    let server = stage.app.world().resource::<AssetServer>();
    let handle: Handle<CharacterAsset> = server.load_builder().with_settings(change).load("simple_humanoid.glb");
    stage.pace(0.0);
    // Somebody who goes, so that the others change their places.
    let members = [0.0, 0.1, 0.5]
        .map(|time| stage.app.world_mut().spawn(CrowdMember::new(handle.clone()).playing("idle", time)).id());
    let gone = stage.app.world_mut().spawn(CrowdMember::new(handle).playing("walk", 0.0)).id();
    let all: Vec<_> = members.into_iter().chain([gone]).collect();
    stage.until(|world| all.iter().all(|entity| world.get::<CrowdSeat>(*entity).is_some()));
    stage.app.world_mut().entity_mut(gone).despawn();
    stage.pace(DT);
    stage.frames(21);
    let met = &stage.app.world().resource::<Met>().0;
    // The third is past it.
    let expected = [(members[1], "now".to_owned()), (members[0], "now".to_owned())];
    assert_eq!(met.iter().map(|(entity, name, _)| (*entity, name.clone())).collect::<Vec<_>>(), expected);
    for (_, _, time) in met {
        assert!((0.25..0.25 + f64::from(DT) * 1.001).contains(time), "{met:?}");
    }
}
