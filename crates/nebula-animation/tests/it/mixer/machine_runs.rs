use nebula_animation::{
    AnimationClip, AnimationMixer, ClipMarkers, Fade, LayerId, Skeleton, StateMachine, StateMachinePlayer,
    mixer::{
        BlendDocument, BlendSampleDocument, Interruption, MachineDocument, ParameterValue, StateDocument,
        TransitionDocument,
    },
};

use super::cast::mixer_of;
use crate::characters::Random;

fn clips() -> Vec<AnimationClip> {
    [("idle", 1.0), ("walk", 2.0), ("jump", 0.5), ("slash", 0.7)]
        .map(|(name, duration)| AnimationClip { name: name.into(), duration, ..Default::default() })
        .into()
}

/// Standing, walking, jumping, and fighting within.
fn in_code() -> MachineDocument {
    let fight = MachineDocument::new("guard")
        .with_state(StateDocument::clip("guard", "idle"))
        .with_state(StateDocument::clip("strike", "slash").once())
        .with_transition(TransitionDocument::new("guard", "strike").when("hit").with_fade(0.1))
        .with_transition(TransitionDocument::new("strike", "guard").after(1.0).with_fade(Fade::smooth(0.2)));
    let sample = |clip: &str, x: f32| BlendSampleDocument { clip: clip.into(), x, y: 0.0 };
    let blend = BlendDocument {
        x: "speed".into(),
        samples: vec![sample("idle", 0.0), sample("walk", 1.5)],
        ..Default::default()
    };
    MachineDocument::new("idle")
        .with_parameter("speed", ParameterValue::Float(0.0))
        .with_parameter("grounded", ParameterValue::Bool(true))
        .with_parameter("jump", ParameterValue::Trigger(false))
        .with_parameter("hit", ParameterValue::Trigger(false))
        .with_state(StateDocument::clip("idle", "idle"))
        .with_state(StateDocument::blend("walk", blend))
        .with_state(StateDocument::clip("air", "jump").once())
        .with_state(StateDocument::machine("fight", fight))
        .with_transition(TransitionDocument::new("idle", "walk").when("speed > 0.5").with_fade(0.2))
        .with_transition(
            TransitionDocument::new("walk", "idle").when("speed <= 0.5").interrupted_by(Interruption::Never),
        )
        .with_transition(
            TransitionDocument::new("*", "air").when("jump").when("grounded").with_fade(Fade::inertialised(0.1)),
        )
        .with_transition(
            TransitionDocument::new("air", "idle").after(0.9).with_fade(0.25).interrupted_by(Interruption::Both),
        )
        .with_transition(
            TransitionDocument::new("idle", "fight").when("hit").with_fade(0.4).interrupted_by(Interruption::Source),
        )
        .with_transition(TransitionDocument::new("fight", "idle").when("!grounded"))
}

/// The same as text.
#[cfg(feature = "documents")]
const IN_JSON: &str = r#"{
    "parameters": { "speed": 0, "grounded": true, "jump": "trigger", "hit": "trigger" },
    "start": "idle",
    "states": [
        { "name": "idle", "clip": "idle" },
        { "name": "walk", "blend": { "x": "speed", "samples": [ { "clip": "idle", "x": 0 }, { "clip": "walk", "x": 1.5 } ] } },
        { "name": "air", "clip": "jump", "looping": false },
        { "name": "fight", "machine": {
            "start": "guard",
            "states": [ { "name": "guard", "clip": "idle" }, { "name": "strike", "clip": "slash", "looping": false } ],
            "transitions": [
                { "from": "guard", "to": "strike", "when": ["hit"], "fade": 0.1 },
                { "from": "strike", "to": "guard", "exit_time": 1, "fade": 0.2, "curve": "smooth" }
            ]
        } }
    ],
    "transitions": [
        { "from": "idle", "to": "walk", "when": ["speed > 0.5"], "fade": 0.2 },
        { "from": "walk", "to": "idle", "when": ["speed <= 0.5"], "interruption": "never" },
        { "from": "*", "to": "air", "when": ["jump", "grounded"], "fade": 0.1, "curve": "inertialised" },
        { "from": "air", "to": "idle", "exit_time": 0.9, "fade": 0.25, "interruption": "both" },
        { "from": "idle", "to": "fight", "when": ["hit"], "fade": 0.4, "interruption": "source" },
        { "from": "fight", "to": "idle", "when": ["!grounded"] }
    ]
}"#;

/// A character with its machine, and ways to move both.
struct Actor {
    mixer: AnimationMixer,
    player: StateMachinePlayer,
}

impl Actor {
    fn new(document: &MachineDocument) -> Self {
        let clips = clips();
        let machine = StateMachine::new(document, &clips, &ClipMarkers::new()).expect("a machine");
        Self { mixer: mixer_of(&Skeleton::default(), &clips), player: StateMachinePlayer::new(machine) }
    }

    fn set(&mut self, name: &str, value: ParameterValue) {
        let parameter = self.player.parameter(name).expect("it is there");
        self.player.set(parameter, value).expect("of its kind");
    }

    fn frame(&mut self, dt: f64) -> String {
        self.player.update(&mut self.mixer);
        let name = self.player.state_name().to_owned();
        self.mixer.update(dt);
        name
    }

    /// What is shown, with the numbers of the actions.
    fn shown(&self) -> Vec<(String, f32, f32)> {
        self.mixer.actions().map(|(action, share)| (format!("{:?}", action.motion()), action.time, share)).collect()
    }
}

#[derive(Clone, Copy, Default)]
struct Input {
    speed: f32,
    grounded: bool,
    jump: bool,
    hit: bool,
}

/// The machine above written out by hand, on clocks of its own.
struct ByHand {
    state: &'static str,
    /// Seconds since the state was entered.
    seconds: f64,
    /// The source and the kind of the fade that runs, and how long it takes.
    fade: Option<(&'static str, Interruption, f64)>,
    has_begun: bool,
}

impl ByHand {
    fn go(&mut self, to: &'static str, fade: f64, rule: Interruption) {
        self.fade = Some((self.state, rule, fade));
        (self.state, self.seconds) = (to, 0.0);
    }

    /// Takes the first open transition that leaves `from`.
    fn leave(&mut self, from: &'static str, is_source: bool, input: &mut Input) -> bool {
        let is_fighting = |state: &str| state == "guard" || state == "strike";
        let here = self.state;
        if from == "idle" && input.speed > 0.5 && !(is_source && here == "walk") {
            self.go("walk", 0.2, Interruption::Target);
            return true;
        }
        if from == "walk" && input.speed <= 0.5 && !(is_source && here == "idle") {
            self.go("idle", 0.3, Interruption::Never);
            return true;
        }
        if from != "air" && input.jump && input.grounded && !(is_source && here == "air") {
            input.jump = false;
            self.go("air", 0.1, Interruption::Target);
            return true;
        }
        if from == "air" && !is_source && self.seconds / 0.5 >= f64::from(0.9_f32) {
            self.go("idle", 0.25, Interruption::Both);
            return true;
        }
        if from == "idle" && input.hit && !(is_source && is_fighting(here)) {
            input.hit = false;
            self.go("guard", 0.4, Interruption::Source);
            return true;
        }
        if is_fighting(from) && !input.grounded && !(is_source && here == "idle") {
            self.go("idle", 0.3, Interruption::Target);
            return true;
        }
        if from == "guard" && input.hit && !(is_source && here == "strike") {
            input.hit = false;
            self.go("strike", 0.1, Interruption::Target);
            return true;
        }
        if from == "strike" && !is_source && self.seconds >= f64::from(0.7_f32) {
            self.go("guard", 0.2, Interruption::Target);
            return true;
        }
        false
    }

    fn frame(&mut self, input: &mut Input, dt: f64) -> &'static str {
        let fading = self.fade.filter(|(_, _, seconds)| self.seconds < *seconds);
        match fading {
            _ if !std::mem::replace(&mut self.has_begun, true) => {}
            Some((_, Interruption::Never, _)) => {}
            Some((source, Interruption::Source, _)) => drop(self.leave(source, true, input)),
            Some((source, Interruption::Both, _)) => {
                let _ = self.leave(source, true, input) || self.leave(self.state, false, input);
            }
            _ => drop(self.leave(self.state, false, input)),
        }
        self.seconds += dt;
        self.state
    }
}

#[test]
fn a_machine_does_what_its_rules_say_whether_from_code_or_from_a_document() {
    let mut visited = std::collections::HashMap::<String, usize>::new();
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut actor = Actor::new(&in_code());
        #[cfg(feature = "documents")]
        let mut read = Actor::new(&MachineDocument::from_json(IN_JSON).expect("a document"));
        let mut by_hand = ByHand { state: "idle", seconds: 0.0, fade: None, has_begun: false };
        let mut input = Input { grounded: true, ..Input::default() };
        for frame in 0..600 {
            if random.chance(0.05) {
                input.speed = random.between(-1.0, 2.0);
            }
            if random.chance(0.05) {
                input.grounded = random.chance(0.7);
            }
            input.jump |= random.chance(0.03);
            input.hit |= random.chance(0.05);
            let dt = f64::from(random.between(0.001, 0.08));
            let values = [
                ("speed", ParameterValue::Float(input.speed)),
                ("grounded", ParameterValue::Bool(input.grounded)),
                ("jump", ParameterValue::Trigger(input.jump)),
                ("hit", ParameterValue::Trigger(input.hit)),
            ];
            values.iter().for_each(|(name, value)| actor.set(name, *value));
            let state = actor.frame(dt);
            assert_eq!(state, by_hand.frame(&mut input, dt), "seed {seed}, frame {frame}");
            // Triggers are used up at the same time.
            let is_set = |name| {
                actor.player.value(actor.player.parameter(name).expect("there")) == Some(ParameterValue::Trigger(true))
            };
            assert_eq!((is_set("jump"), is_set("hit")), (input.jump, input.hit), "seed {seed}, frame {frame}");
            #[cfg(feature = "documents")]
            {
                values.iter().for_each(|(name, value)| read.set(name, *value));
                assert_eq!(state, read.frame(dt));
                assert_eq!(actor.shown(), read.shown());
            }
            *visited.entry(state).or_default() += 1;
        }
        assert!(actor.player.transitions_taken() > 10);
    }
    assert_eq!(visited.len(), 5, "{visited:?}");
    assert!(visited.values().all(|count| *count > 500), "{visited:?}");
}

#[cfg(feature = "documents")]
#[test]
fn a_document_and_code_make_the_same_machine() {
    let read = StateMachine::from_json(IN_JSON, &clips(), &ClipMarkers::new()).expect("a machine");
    assert_eq!(read, StateMachine::new(&in_code(), &clips(), &ClipMarkers::new()).expect("a machine"));
}

#[test]
fn states_show_their_motion_at_their_speed_and_fade_as_the_transition_says() {
    let mut actor = Actor::new(&in_code());
    actor.frame(0.25);
    assert_eq!(actor.shown(), [("Clip(0)".into(), 0.25, 1.0)]);
    actor.set("speed", ParameterValue::Float(0.75));
    actor.frame(0.1);
    // Half between the two clips a pass takes a second and a half.
    let shown = actor.shown();
    assert_eq!(shown.len(), 2);
    assert!((shown[0].2 - 0.5).abs() < 1e-6 && (shown[1].2 - 0.5).abs() < 1e-6, "{shown:?}");
    assert!(shown[1].0 == "Space(0)" && (shown[1].1 - 0.1 / 1.5).abs() < 1e-6, "{shown:?}");
    assert_eq!(actor.player.transitions_taken(), 1);
    let [walk, idle] = ["walk", "idle"].map(|name| actor.player.state_named(name).expect("it is there"));
    assert!(actor.player.is_in(walk) && !actor.player.is_in(idle));
}

#[test]
fn a_phase_can_be_kept_and_speeds_follow_parameters() {
    let document = MachineDocument::new("slow")
        .with_parameter("pace", ParameterValue::Float(0.5))
        .with_parameter("go", ParameterValue::Trigger(false))
        .with_state(StateDocument { speed_by: Some("pace".into()), speed: 2.0, ..StateDocument::clip("slow", "walk") })
        .with_state(StateDocument { speed: -1.0, ..StateDocument::clip("back", "idle") })
        .with_transition(TransitionDocument { keeps_phase: true, ..TransitionDocument::new("slow", "back").when("go") })
        .with_transition(TransitionDocument::new("back", "slow").after(1.5));
    let mut actor = Actor::new(&document);
    actor.frame(0.5);
    assert_eq!(actor.shown()[0].1, 0.5);
    actor.set("pace", ParameterValue::Float(1.0));
    actor.frame(0.25);
    assert_eq!(actor.shown()[0].1, 1.0, "twice as fast");
    actor.set("go", ParameterValue::Trigger(true));
    actor.frame(0.0);
    assert_eq!(actor.shown().last().map(|shown| shown.1), Some(0.5), "half of the pass, as before");
    actor.frame(0.25);
    assert_eq!(actor.shown().last().map(|shown| shown.1), Some(0.25), "and backwards from there");
    assert_eq!(actor.player.state_name(), "back");
    (0..8).for_each(|_| drop(actor.frame(0.25)));
    assert_eq!(actor.player.state_name(), "slow", "after one and a half passes, backwards too");
}

#[test]
fn a_motion_begins_where_its_state_says() {
    let document = MachineDocument::new("still")
        .with_parameter("go", ParameterValue::Trigger(false))
        .with_state(StateDocument::clip("still", "idle"))
        .with_state(StateDocument::clip("moving", "walk").beginning_at(0.75))
        .with_transition(TransitionDocument::new("still", "moving").when("go"))
        .with_transition(TransitionDocument::new("moving", "still").after(1.5));
    let mut actor = Actor::new(&document);
    actor.frame(0.1);
    actor.set("go", ParameterValue::Trigger(true));
    actor.frame(0.0);
    // A pass of the walk takes a second.
    let length = actor.mixer.clips().find("walk").map(|clip| actor.mixer.clips()[clip.index()].duration()).expect("it");
    let begun = actor.shown().last().map(|shown| shown.1).expect("it is shown");
    assert!((begun - 0.75 * length).abs() < 1e-6, "{begun} of {length}");
    // Three quarters of a pass more are one and a half.
    actor.frame(0.7 * f64::from(length));
    assert_eq!(actor.player.state_name(), "moving");
    actor.frame(0.06 * f64::from(length));
    actor.frame(0.0);
    assert_eq!(actor.player.state_name(), "still");
    for begin in [-0.1, 1.1, f32::NAN] {
        let wrong = document.clone().with_state(StateDocument::clip("wrong", "walk").beginning_at(begin));
        let error =
            StateMachine::new(&wrong, actor.mixer.clips(), &ClipMarkers::new()).expect_err("not a part of a pass");
        assert_eq!(error.to_string(), format!("state \"wrong\", begin: is {begin}, expected 0 to 1"));
    }
}

#[test]
fn odd_calls_are_answered() {
    let mut actor = Actor::new(&in_code());
    let speed = actor.player.parameter("speed").expect("it is there");
    let jump = actor.player.parameter("jump").expect("it is there");
    let error = actor.player.parameter("sped").expect_err("misspelt");
    assert_eq!(error.to_string(), "there is no parameter \"sped\": did you mean \"speed\"?");
    let error = actor.player.set_bool(speed, true).expect_err("of another kind");
    assert_eq!(error.to_string(), "parameter \"speed\" is a number, and was given true or false");
    assert!(actor.player.trigger(speed).is_err() && actor.player.set_float(jump, 1.0).is_err());
    let error = actor.player.set_float(speed, f32::NAN).expect_err("no number");
    assert_eq!(error.to_string(), "parameter \"speed\" was given NaN, which is not finite");
    assert_eq!((actor.player.trigger(jump), actor.player.reset_trigger(jump)), (Ok(()), Ok(())));
    assert_eq!(actor.player.value(speed), Some(ParameterValue::Float(0.0)));
    assert_eq!(actor.player.value(jump), Some(ParameterValue::Trigger(false)));

    // Told to go, it goes, also into a machine within.
    let fight = actor.player.machine().state_named("fight").expect("it is there");
    let error = actor.player.state_named("figth").expect_err("misspelt");
    assert_eq!(error.to_string(), "there is no state \"figth\": did you mean \"fight\"?");
    actor.player.go_to(&mut actor.mixer, fight, 0.2).expect("it is there");
    assert!(actor.player.is_in(fight) && actor.player.state_name() == "guard");
    assert_eq!(actor.player.machine().state_parent(actor.player.state()), Some(fight));

    // On a layer that is not there it waits; on one that is it plays there.
    let machine = actor.player.machine().clone();
    let mut above = StateMachinePlayer::new(machine).on_layer(LayerId::new(1));
    above.update(&mut actor.mixer);
    let error = above.go_to(&mut actor.mixer, fight, 0.2).expect_err("there is no such layer");
    assert_eq!(error.to_string(), "there is no layer 1: the mixer has 1");
    let layer = actor.mixer.add_layer("above");
    above.update(&mut actor.mixer);
    assert!(actor.mixer.layer(layer).expect("just added").current_action.is_some());

    // A mixer with other clips.
    let mut empty = mixer_of(&Skeleton::default(), &[]);
    let mut lost = StateMachinePlayer::new(actor.player.machine().clone());
    (0..3).for_each(|_| lost.update(&mut empty));
    empty.update(0.1);
}

#[test]
fn somebody_else_may_play_something_in_between() {
    let mut actor = Actor::new(&in_code());
    actor.frame(0.1);
    actor.mixer.play("slash", 0.1).expect("a clip");
    actor.frame(0.1);
    assert_eq!(actor.shown().last().map(|shown| shown.0.as_str()), Some("Clip(3)"), "it goes on");
    actor.set("speed", ParameterValue::Float(1.0));
    actor.frame(0.1);
    assert_eq!(actor.player.state_name(), "walk", "and the machine takes over with its next transition");
    assert_eq!(actor.shown().last().map(|shown| shown.0.as_str()), Some("Space(0)"));
}
