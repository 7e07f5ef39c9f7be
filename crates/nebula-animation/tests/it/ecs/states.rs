//! What the state machines of characters report.

use bevy_ecs::message::Messages;
use bevy_ecs::prelude::*;
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, Character, ClipMarkers, Rig, Skeleton, StateMachine, StateMachinePlayer,
    add_animation_systems,
    ecs::{StateEntered, StateExited, Time},
    mixer::{MachineDocument, ParameterValue, StateDocument, TransitionDocument},
};

/// One machine for the legs, which has a machine within, and one for the arms, which begins with nothing.
fn character() -> Character {
    let clip = |name: &str| AnimationClip { name: name.into(), duration: 1.0, ..Default::default() };
    let clips = ["idle", "walk", "run", "wave"].map(clip);
    let library = AnimationClipLibrary::new(&Rig::new(Skeleton::default()), &clips);
    let go = MachineDocument::new("walk")
        .with_state(StateDocument::clip("walk", "walk"))
        .with_state(StateDocument::clip("run", "run"))
        .with_transition(TransitionDocument::new("walk", "run").when("speed > 2"));
    let legs = MachineDocument::new("stand")
        .with_parameter("speed", ParameterValue::Float(0.0))
        .with_state(StateDocument::clip("stand", "idle"))
        .with_state(StateDocument::machine("go", go))
        .with_transition(TransitionDocument::new("stand", "go").when("speed > 0"))
        .with_transition(TransitionDocument::new("go", "stand").when("speed <= 0"));
    let arms = MachineDocument::new("none")
        .with_parameter("wave", ParameterValue::Trigger(false))
        .with_state(StateDocument::empty("none"))
        .with_state(StateDocument::clip("waving", "wave").once())
        .with_transition(TransitionDocument::new("none", "waving").when("wave"))
        .with_transition(TransitionDocument::new("waving", "none").after(1.0));
    let mut character = Character::of(library.clone());
    let layer = character.mixer.add_layer("arms");
    for (document, layer) in [(legs, Default::default()), (arms, layer)] {
        let machine = StateMachine::new(&document, &library, &ClipMarkers::new()).expect("a machine");
        character.machines.push(StateMachinePlayer::new(machine).on_layer(layer));
    }
    character
}

/// A frame of a quarter of a second: what was left and entered, by machine and name, and the entity of all of it.
fn frame(world: &mut World, schedule: &mut Schedule, entity: Entity) -> [Vec<(usize, String)>; 2] {
    world.get_resource_or_init::<Time>().advance(0.25);
    schedule.run(world);
    let exited: Vec<StateExited> = world.resource_mut::<Messages<StateExited>>().drain().collect();
    let entered: Vec<StateEntered> = world.resource_mut::<Messages<StateEntered>>().drain().collect();
    assert!(exited.iter().all(|message| message.entity == entity) && entered.iter().all(|message| message.entity == entity));
    let machines = &world.get::<Character>(entity).expect("it is one").machines;
    let name = |machine: usize, state| {
        (machine, machines[machine].machine().state_name(state).expect("a state of this machine").to_owned())
    };
    [
        exited.iter().map(|message| name(message.machine, message.state)).collect(),
        entered.iter().map(|message| name(message.machine, message.state)).collect(),
    ]
}

fn set_speed(world: &mut World, entity: Entity, speed: f32) {
    let machine = &mut world.get_mut::<Character>(entity).expect("it is one").into_inner().machines[0];
    let parameter = machine.parameter("speed").expect("it is there");
    machine.set_float(parameter, speed).expect("a number");
}

#[test]
fn states_are_left_and_entered_once_each() {
    let (mut world, mut schedule) = (World::new(), Schedule::default());
    add_animation_systems(&mut schedule);
    let entity = world.spawn(character()).id();
    let told = |left: &[(usize, &str)], entered: &[(usize, &str)]| {
        [left, entered].map(|list| list.iter().map(|(machine, name)| (*machine, (*name).to_owned())).collect::<Vec<_>>())
    };
    assert_eq!(frame(&mut world, &mut schedule, entity), told(&[], &[]), "that it begins is not a change");
    assert_eq!(frame(&mut world, &mut schedule, entity), told(&[], &[]));

    // The innermost state is told: that of the machine within.
    set_speed(&mut world, entity, 1.0);
    assert_eq!(frame(&mut world, &mut schedule, entity), told(&[(0, "stand")], &[(0, "walk")]));
    assert_eq!(frame(&mut world, &mut schedule, entity), told(&[], &[]), "once");

    // Two machines in one frame.
    set_speed(&mut world, entity, 3.0);
    let arms = &mut world.get_mut::<Character>(entity).expect("it is one").into_inner().machines[1];
    let wave = arms.parameter("wave").expect("it is there");
    arms.trigger(wave).expect("a trigger");
    let both = told(&[(0, "walk"), (1, "none")], &[(0, "run"), (1, "waving")]);
    assert_eq!(frame(&mut world, &mut schedule, entity), both);
    // A wave of a second, of which a quarter has passed.
    for _ in 0..3 {
        assert_eq!(frame(&mut world, &mut schedule, entity), told(&[], &[]));
    }
    assert_eq!(frame(&mut world, &mut schedule, entity), told(&[(1, "waving")], &[(1, "none")]));

    // What is done by hand is told with the next frame, before what that does.
    let Character { mixer, machines, .. } = world.get_mut::<Character>(entity).expect("it is one").into_inner();
    let stand = machines[0].state_named("stand").expect("it is there");
    machines[0].go_to(mixer, stand, 0.1).expect("it is there");
    let both = told(&[(0, "run"), (0, "stand")], &[(0, "stand"), (0, "walk")]);
    assert_eq!(frame(&mut world, &mut schedule, entity), both);
}

#[test]
fn messages_that_nobody_reads_do_not_pile_up() {
    let (mut world, mut schedule) = (World::new(), Schedule::default());
    add_animation_systems(&mut schedule);
    let entity = world.spawn(character()).id();
    for frame in 0..200_u8 {
        set_speed(&mut world, entity, f32::from(frame % 2));
        world.get_resource_or_init::<Time>().advance(0.5);
        schedule.run(&mut world);
    }
    assert!(world.get::<Character>(entity).expect("it is one").machines[0].transitions_taken() > 100);
    assert!(world.resource::<Messages<StateEntered>>().len() <= 2);
    assert!(world.resource::<Messages<StateExited>>().len() <= 2);
}
