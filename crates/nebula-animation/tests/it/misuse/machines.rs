//! State machines: documents and their players.

use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationMixer, ClipMarkers, Fade, LayerId, PlayError, StateMachine,
    StateMachinePlayer,
    mixer::{
        BlendDocument, BlendSampleDocument, Interruption, MachineDocument, ParameterId, ParameterValue, StateDocument,
        StateId, TransitionDocument,
    },
};

use super::Table;
use super::fixtures::{INDICES, NAMES, chain, library, library_of, numbers};

/// Two states, a number, a flag and a trigger.
fn good() -> MachineDocument {
    MachineDocument::new("a")
        .with_parameter("speed", ParameterValue::Float(0.0))
        .with_parameter("flag", ParameterValue::Bool(false))
        .with_parameter("go", ParameterValue::Trigger(false))
        .with_state(StateDocument::clip("a", "slide 0"))
        .with_state(StateDocument::clip("b", "c"))
        .with_transition(TransitionDocument::new("a", "b").when("go"))
        .with_transition(TransitionDocument::new("b", "a").after(1.0))
}

fn made(document: &MachineDocument) -> Result<StateMachine, nebula_animation::mixer::MachineError> {
    StateMachine::new(document, &library(), &ClipMarkers::new())
}

fn player() -> StateMachinePlayer {
    StateMachinePlayer::new(made(&good()).expect("it is good"))
}

/// A parameter of a machine that has ten.
fn foreign() -> ParameterId {
    let ten =
        (0..10).fold(good(), |document, index| document.with_parameter(format!("{index}"), ParameterValue::Float(0.0)));
    StateMachinePlayer::new(made(&ten).expect("it is good")).parameter("9").expect("it is there")
}

/// A state of a machine that has three.
fn foreign_state() -> StateId {
    let machine = made(&good().with_state(StateDocument::empty("c"))).expect("it is good");
    machine.state_named("c").expect("it is there")
}

fn refused(document: &MachineDocument) {
    let error = made(document).expect_err("it makes no sense");
    assert!(!error.to_string().is_empty());
}

pub fn rows(table: &mut Table) {
    documents(table);
    states_and_transitions(table);
    machines(table);
    players(table);
    parameters(table);
}

fn documents(table: &mut Table) {
    table.row("MachineDocument::new", || NAMES.iter().for_each(|name| refused(&MachineDocument::new(*name))));
    table.row("MachineDocument::with_parameter", || {
        refused(&good().with_parameter("speed", ParameterValue::Float(1.0)));
        for number in numbers().filter(|number| !number.is_finite()) {
            refused(&good().with_parameter("odd", ParameterValue::Float(number)));
        }
        let within = MachineDocument::new("x")
            .with_parameter("p", ParameterValue::Bool(true))
            .with_state(StateDocument::clip("x", "c"));
        refused(&good().with_state(StateDocument::machine("m", within)));
    });
    table.row("MachineDocument::with_state", || {
        for name in ["", "*", "a"] {
            refused(&good().with_state(StateDocument::clip(name, "c")));
        }
        refused(&good().with_state(StateDocument { clip: None, ..StateDocument::clip("x", "c") }));
        refused(&good().with_state(StateDocument { speed_by: Some("nobody".into()), ..StateDocument::clip("x", "c") }));
        for number in numbers().filter(|number| !number.is_finite()) {
            refused(&good().with_state(StateDocument { speed: number, ..StateDocument::clip("x", "c") }));
        }
    });
    table.row("MachineDocument::with_transition", || {
        refused(&good().with_transition(TransitionDocument::new("a", "nobody").when("go")));
        refused(&good().with_transition(TransitionDocument::new("nobody", "a").when("go")));
        refused(&good().with_transition(TransitionDocument::new("a", "b")));
    });
    #[cfg(feature = "documents")]
    table.row("MachineDocument::from_json", || {
        for text in ["", "[]", "null", "{", "{}", "\u{0}", "{\"start\":1}", "{\"start\":\"a\",\"states\":[{}]}"] {
            assert!(MachineDocument::from_json(text).is_err(), "{text}");
        }
        // Deep enough to overflow the stack of a reader that recurses without a limit.
        assert!(MachineDocument::from_json(&"{\"machine\":".repeat(100_000)).is_err());
        assert!(MachineDocument::from_json(&format!("{{\"start\":{}", "[".repeat(100_000))).is_err());
    });
}

fn states_and_transitions(table: &mut Table) {
    table.row("StateDocument::clip", || {
        NAMES.iter().for_each(|name| refused(&good().with_state(StateDocument::clip("x", *name))));
    });
    table.row("StateDocument::blend", || {
        let sample = |clip: &str, x: f32| BlendSampleDocument { clip: clip.into(), x, y: 0.0 };
        let blend = |x: &str, samples: Vec<BlendSampleDocument>| {
            good().with_state(StateDocument::blend(
                "x",
                BlendDocument { x: x.into(), samples, ..BlendDocument::default() },
            ))
        };
        refused(&blend("speed", Vec::new()));
        refused(&blend("flag", vec![sample("c", 0.0)]));
        refused(&blend("nobody", vec![sample("c", 0.0)]));
        refused(&blend("speed", vec![sample("nobody", 0.0)]));
        for number in numbers().filter(|number| !number.is_finite()) {
            refused(&blend("speed", vec![sample("c", number)]));
        }
    });
    table.row("StateDocument::beginning_at", || {
        for begin in numbers().filter(|begin| !(0.0..=1.0).contains(begin)) {
            refused(&good().with_state(StateDocument::clip("x", "c").beginning_at(begin)));
        }
    });
    table.row("StateDocument::empty", || {
        NAMES[..1].iter().for_each(|name| refused(&good().with_state(StateDocument::empty(*name))));
        refused(&good().with_state(StateDocument { clip: Some("c".into()), ..StateDocument::empty("x") }));
        refused(&good().with_state(StateDocument { speed: 2.0, ..StateDocument::empty("x") }));
        refused(&good().with_state(StateDocument::empty("x").once()));
    });
    table.row("StateDocument::machine", || {
        refused(&good().with_state(StateDocument::machine("x", MachineDocument::new("nobody"))));
    });
    table.row("TransitionDocument::new", || {
        for name in NAMES.into_iter().filter(|name| *name != "*") {
            refused(&good().with_transition(TransitionDocument::new(name, name).when("go")));
        }
        refused(&good().with_transition(TransitionDocument::new("a", "*").when("go")));
    });
    table.row("TransitionDocument::when", || {
        for condition in [
            "",
            " ",
            "!",
            "nobody",
            "speed",
            "speed >",
            "> 1",
            "speed > x",
            "speed > NaN",
            "flag > 1",
            "go == 1",
            "!!go",
        ] {
            refused(&good().with_transition(TransitionDocument::new("a", "b").when(condition)));
        }
    });
    table.row("TransitionDocument::after", || {
        for number in numbers().filter(|number| !(*number >= 0.0 && number.is_finite())) {
            refused(&good().with_transition(TransitionDocument::new("a", "b").after(number)));
        }
    });
    table.row("TransitionDocument::with_fade", || {
        for number in numbers().filter(|number| !(*number >= 0.0 && number.is_finite())) {
            refused(&good().with_transition(TransitionDocument::new("a", "b").when("go").with_fade(number)));
        }
    });
    table.row("TransitionDocument::interrupted_by", || {
        for rule in [Interruption::Never, Interruption::Target, Interruption::Source, Interruption::Both] {
            assert!(
                made(&good().with_transition(TransitionDocument::new("*", "b").when("go").interrupted_by(rule)))
                    .is_ok()
            );
        }
    });
}

fn machines(table: &mut Table) {
    table.row("StateMachine::new", || {
        refused(&MachineDocument::default());
        assert!(StateMachine::new(&good(), &[] as &[AnimationClip], &ClipMarkers::new()).is_err());
    });
    #[cfg(feature = "documents")]
    table.row("StateMachine::from_json", || {
        assert!(StateMachine::from_json("{}", &library(), &ClipMarkers::new()).is_err());
        let text = good().to_json().expect("it is good");
        assert!(StateMachine::from_json(&text, &[] as &[AnimationClip], &ClipMarkers::new()).is_err());
    });
    table.row("StateMachine::state_name", || {
        assert_eq!(made(&good()).expect("it is good").state_name(foreign_state()), None);
    });
    table.row("StateMachine::state_parent", || {
        assert_eq!(made(&good()).expect("it is good").state_parent(foreign_state()), None);
    });
    table.row("StateMachine::state_named", || {
        let machine = made(&good()).expect("it is good");
        NAMES.iter().for_each(|name| assert!(machine.state_named(name).is_err()));
    });
}

fn players(table: &mut Table) {
    table.row("StateMachinePlayer::new", || assert_eq!(player().state_name(), "a"));
    table.row("StateMachinePlayer::on_layer", || {
        for layer in INDICES {
            let (mut player, mut mixer) = (player().on_layer(LayerId::new(layer)), AnimationMixer::new(library()));
            for _ in 0..3 {
                player.update(&mut mixer);
                mixer.update(0.1);
            }
            assert!(mixer.current_action.is_none(), "a layer that is not there plays nothing");
        }
    });
    table.row("StateMachinePlayer::state_named", || {
        NAMES.iter().for_each(|name| assert!(player().state_named(name).is_err()));
    });
    table.row("StateMachinePlayer::is_in", || assert!(!player().is_in(foreign_state())));
    table.row("StateMachinePlayer::go_to", || {
        let error = player().go_to(&mut AnimationMixer::new(library()), foreign_state(), 0.1);
        assert!(matches!(error, Err(PlayError::NoSuchState { count: 2, .. })), "{error:?}");
        let state = player().state();
        let error = player().go_to(&mut AnimationMixer::new(AnimationClipLibrary::default()), state, 0.1);
        assert!(matches!(error, Err(PlayError::OtherClips { .. })), "{error:?}");
        for seconds in numbers() {
            let (mut player, mut mixer) = (player(), AnimationMixer::new(library()));
            let state = player.state_named("b").expect("it is there");
            player.go_to(&mut mixer, state, Fade::inertialised(seconds)).expect("it is there");
            mixer.update(0.1);
        }
    });
    table.row("StateMachinePlayer::update", || {
        // Clips and blend spaces of the machine are not in this mixer.
        let space = BlendDocument {
            x: "speed".into(),
            samples: vec![BlendSampleDocument { clip: "c".into(), x: 0.0, y: 0.0 }],
            ..BlendDocument::default()
        };
        let document = good()
            .with_state(StateDocument::blend("blend", space))
            .with_transition(TransitionDocument::new("*", "blend").when("flag"));
        let mut player = StateMachinePlayer::new(made(&document).expect("it is good"));
        let flag = player.parameter("flag").expect("it is there");
        for turn in 0..6 {
            // Another mixer each time, with fewer clips.
            let mut mixer = AnimationMixer::new(library_of(&chain(3), &vec![AnimationClip::default(); turn % 2]));
            player.set_bool(flag, turn > 1).expect("it is one");
            for _ in 0..3 {
                player.update(&mut mixer);
                mixer.update(0.1);
            }
        }
    });
}

fn parameters(table: &mut Table) {
    table.row("StateMachinePlayer::parameter", || {
        NAMES.iter().for_each(|name| assert!(player().parameter(name).is_err()));
    });
    table.row("StateMachinePlayer::value", || assert_eq!(player().value(foreign()), None));
    table.row("StateMachinePlayer::set", || {
        let mut player = player();
        assert!(player.set(foreign(), ParameterValue::Bool(true)).is_err());
        let speed = player.parameter("speed").expect("it is there");
        assert!(player.set(speed, ParameterValue::Bool(true)).is_err(), "it is of another kind");
    });
    table.row("StateMachinePlayer::set_bool", || {
        let mut player = player();
        let speed = player.parameter("speed").expect("it is there");
        assert!(player.set_bool(foreign(), true).is_err() && player.set_bool(speed, true).is_err());
    });
    table.row("StateMachinePlayer::set_float", || {
        let mut player = player();
        let [speed, flag] = ["speed", "flag"].map(|name| player.parameter(name).expect("it is there"));
        for number in numbers() {
            assert!(player.set_float(foreign(), number).is_err() && player.set_float(flag, number).is_err());
            assert_eq!(player.set_float(speed, number).is_ok(), number.is_finite());
            assert!(matches!(player.value(speed), Some(ParameterValue::Float(value)) if value.is_finite()));
        }
    });
    table.row("StateMachinePlayer::trigger", || {
        let mut player = player();
        let flag = player.parameter("flag").expect("it is there");
        assert!(player.trigger(foreign()).is_err() && player.trigger(flag).is_err());
    });
    table.row("StateMachinePlayer::trigger_for", || {
        let [flag, go] = ["flag", "go"].map(|name| player().parameter(name).expect("it is there"));
        for seconds in numbers() {
            let (mut player, mut mixer) = (player(), AnimationMixer::new(library()));
            assert!(player.trigger_for(foreign(), seconds).is_err() && player.trigger_for(flag, seconds).is_err());
            player.update(&mut mixer);
            player.trigger_for(go, seconds).expect("it is one");
            player.update(&mut mixer);
            assert_eq!(player.state_name(), "b", "{seconds}");
        }
    });
    table.row("StateMachinePlayer::reset_trigger", || {
        let mut player = player();
        let flag = player.parameter("flag").expect("it is there");
        assert!(player.reset_trigger(foreign()).is_err() && player.reset_trigger(flag).is_err());
    });
}
