//! States that play nothing, triggers that expire, changes that are told, and machines for other clips.

use nebula_animation::{
    AnimationClip, AnimationMixer, ClipMarkers, LayerId, PlayError, Skeleton, StateMachine, StateMachinePlayer,
    mixer::{MachineDocument, ParameterValue, StateDocument, TransitionDocument},
};

fn clips() -> Vec<AnimationClip> {
    [("idle", 1.0), ("wave", 1.0), ("jump", 0.5)]
        .map(|(name, duration)| AnimationClip { name: name.into(), duration, ..Default::default() })
        .into()
}

/// A mixer for clips without joints.
fn mixer_of(clips: &[AnimationClip]) -> AnimationMixer {
    super::cast::mixer_of(&Skeleton::default(), clips)
}

/// Nothing, until somebody waves.
fn waving() -> MachineDocument {
    MachineDocument::new("none")
        .with_parameter("wave", ParameterValue::Trigger(false))
        .with_parameter("ready", ParameterValue::Bool(true))
        .with_state(StateDocument::empty("none"))
        .with_state(StateDocument::clip("waving", "wave").once())
        .with_transition(TransitionDocument::new("none", "waving").when("wave").when("ready").with_fade(0.2))
        .with_transition(TransitionDocument::new("waving", "none").after(0.75).with_fade(0.25))
}

fn machine(document: &MachineDocument) -> StateMachine {
    StateMachine::new(document, &clips(), &ClipMarkers::new()).expect("a machine")
}

/// A mixer that idles, with a machine on the layer above.
fn actor() -> (AnimationMixer, StateMachinePlayer, LayerId) {
    let mut mixer = mixer_of(&clips());
    mixer.play("idle", 0.0).expect("a clip");
    let arm = mixer.add_layer("arm");
    (mixer, StateMachinePlayer::new(machine(&waving())).on_layer(arm), arm)
}

fn frame(mixer: &mut AnimationMixer, player: &mut StateMachinePlayer, dt: f64) -> String {
    player.update(mixer);
    let name = player.state_name().to_owned();
    mixer.update(dt);
    name
}

#[test]
fn an_empty_state_stops_the_layer_with_the_fade_of_the_transition() {
    let (mut mixer, mut player, arm) = actor();
    let wave = player.parameter("wave").expect("it is there");
    for _ in 0..3 {
        assert_eq!(frame(&mut mixer, &mut player, 0.25), "none");
        assert_eq!(mixer.layer(arm).expect("there").actions().count(), 0);
        player.trigger(wave).expect("a trigger");
        assert_eq!(frame(&mut mixer, &mut player, 0.5), "waving");
        let layer = mixer.layer(arm).expect("there");
        assert_eq!(layer.actions().map(|(action, share)| (action.clip(), share)).next(), Some((Some(1), 1.0)));
        assert_eq!(frame(&mut mixer, &mut player, 0.25), "waving", "half of it is not yet three quarters");
        assert_eq!(frame(&mut mixer, &mut player, 0.125), "none");
        let layer = mixer.layer(arm).expect("there");
        assert!(layer.current_action.is_none() && layer.is_fading());
        assert_eq!(layer.actions().map(|(_, share)| share).next(), Some(0.5), "half way out");
        assert_eq!(frame(&mut mixer, &mut player, 0.125), "none");
        assert_eq!(mixer.layer(arm).expect("there").actions().count(), 0);
    }
    assert_eq!(player.transitions_taken(), 6);
}

#[test]
fn exit_times_of_an_empty_state_have_passed() {
    let document = MachineDocument::new("none")
        .with_state(StateDocument::empty("none"))
        .with_state(StateDocument::clip("idle", "idle"))
        .with_transition(TransitionDocument::new("none", "idle").after(7.0));
    let (mut mixer, mut player) = (mixer_of(&clips()), StateMachinePlayer::new(machine(&document)));
    assert_eq!(frame(&mut mixer, &mut player, 0.0), "none");
    assert_eq!(frame(&mut mixer, &mut player, 0.0), "idle");
}

#[cfg(feature = "documents")]
#[test]
fn an_empty_state_is_written_and_read() {
    let text = waving().to_json().expect("finite numbers");
    assert_eq!(text.matches("\"empty\": true").count(), 1, "{text}");
    assert!(!text.contains("\"empty\": false"), "{text}");
    assert_eq!(MachineDocument::from_json(&text).expect("what was written"), waving());
    let by_hand = r#"{ "start": "none", "states": [ { "name": "none", "empty": true } ] }"#;
    StateMachine::from_json(by_hand, &clips(), &ClipMarkers::new()).expect("a machine");
}

#[test]
fn a_trigger_is_forgotten_when_its_time_is_over() {
    let (mut mixer, mut player, _) = actor();
    let [wave, ready] = ["wave", "ready"].map(|name| player.parameter(name).expect("it is there"));
    let is_set = |player: &StateMachinePlayer| player.value(wave) == Some(ParameterValue::Trigger(true));
    frame(&mut mixer, &mut player, 0.125);
    player.set_bool(ready, false).expect("a flag");

    player.trigger_for(wave, 0.25).expect("a trigger");
    for _ in 0..3 {
        frame(&mut mixer, &mut player, 0.125);
        assert!(is_set(&player), "at {} s", mixer.elapsed());
    }
    frame(&mut mixer, &mut player, 0.125);
    assert!(!is_set(&player), "at {} s", mixer.elapsed());
    player.set_bool(ready, true).expect("a flag");
    assert_eq!(frame(&mut mixer, &mut player, 0.125), "none", "it was too long ago");

    // In time; the mixer's time counts, not the frames.
    player.set_bool(ready, false).expect("a flag");
    player.trigger_for(wave, 0.25).expect("a trigger");
    mixer.time_scale = 0.0;
    (0..100).for_each(|_| drop(frame(&mut mixer, &mut player, 1.0)));
    mixer.time_scale = 1.0;
    frame(&mut mixer, &mut player, 0.25);
    player.set_bool(ready, true).expect("a flag");
    assert_eq!(frame(&mut mixer, &mut player, 2.0), "waving");
    assert_eq!(frame(&mut mixer, &mut player, 2.0), "none");
    frame(&mut mixer, &mut player, 2.0);

    // Set again without a time, it waits for ever.
    player.set_bool(ready, false).expect("a flag");
    player.trigger_for(wave, 0.25).expect("a trigger");
    player.trigger(wave).expect("a trigger");
    (0..100).for_each(|_| drop(frame(&mut mixer, &mut player, 1.0)));
    assert!(is_set(&player));
}

#[test]
fn changes_are_told_for_one_update() {
    let (mut mixer, mut player, _) = actor();
    let wave = player.parameter("wave").expect("it is there");
    let [none, waving] = ["none", "waving"].map(|name| player.state_named(name).expect("it is there"));
    let told = |player: &StateMachinePlayer| -> Vec<_> {
        player.changes().iter().map(|change| (change.left, change.entered)).collect()
    };
    frame(&mut mixer, &mut player, 0.1);
    assert_eq!(told(&player), [], "it begins where it begins");
    player.trigger(wave).expect("a trigger");
    frame(&mut mixer, &mut player, 0.1);
    assert_eq!(told(&player), [(none, waving)]);
    assert_eq!(player.machine().state_name(player.changes()[0].entered), Some("waving"));
    frame(&mut mixer, &mut player, 0.1);
    assert_eq!(told(&player), []);
    // What is done by hand is told with the next update, before what that does.
    player.go_to(&mut mixer, none, 0.1).expect("it is there");
    assert_eq!(told(&player), [(waving, none)]);
    player.trigger(wave).expect("a trigger");
    frame(&mut mixer, &mut player, 0.2);
    let interrupted = told(&player);
    assert_eq!(interrupted, [(waving, none), (none, waving)]);
    frame(&mut mixer, &mut player, 0.2);
    assert_eq!(told(&player), []);
}

#[test]
fn a_machine_does_nothing_on_a_mixer_with_other_clips() {
    let mut others = clips();
    others.swap(1, 2);
    let mut mixer = mixer_of(&others);
    mixer.play("jump", 0.0).expect("a clip");
    let mut player = StateMachinePlayer::new(machine(&waving()));
    let waving = player.state_named("waving").expect("it is there");
    for _ in 0..3 {
        frame(&mut mixer, &mut player, 0.1);
    }
    assert_eq!(mixer.current_action.as_ref().and_then(|action| action.clip()), Some(1), "what was played goes on");
    let error = player.go_to(&mut mixer, waving, 0.1).expect_err("they are others");
    assert_eq!(
        error,
        PlayError::OtherClips { index: 1, expected: "wave".into(), found: Some("jump".into()) },
        "{error}"
    );
    assert_eq!(
        error.to_string(),
        "the machine was made for other clips: clip 1 was \"wave\", in the mixer it is \"jump\""
    );
    // Clips that it does not play may differ.
    let mut fewer = clips();
    fewer.truncate(2);
    fewer[0].name = "stand".into();
    let mut mixer = mixer_of(&fewer);
    player.go_to(&mut mixer, waving, 0.1).expect("its clip is where it was");
    frame(&mut mixer, &mut player, 0.1);
    assert_eq!(player.state_name(), "waving");
}

#[test]
fn layers_are_found_by_name() {
    let (mut mixer, _, arm) = actor();
    let legs = mixer.add_layer("legs");
    assert_eq!(
        (mixer.layer_named("base"), mixer.layer_named("arm"), mixer.layer_named("legs")),
        (Ok(LayerId::BASE), Ok(arm), Ok(legs))
    );
    let error = mixer.layer_named("legz").expect_err("misspelt");
    assert_eq!(error.to_string(), "there is no layer \"legz\": did you mean \"legs\"?");
    assert_eq!(error.near, ["legs"]);
}
