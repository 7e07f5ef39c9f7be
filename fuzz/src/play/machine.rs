//! State machines on some layer, where the document was good.

use nebula_animation::{
    AnimationClipLibrary, Character, LayerId, StateMachine, StateMachinePlayer,
    mixer::{
        BlendDocument, BlendSampleDocument, Interruption, MachineDocument, ParameterValue, StateDocument,
        TransitionDocument,
    },
};

use super::draw::Draw;
use super::world::NAMES;

const CONDITIONS: [&str; 12] =
    ["a", "!a", "b", "c > 0.5", "c <= 0.5", "c != 0", "d", "!d", "e", "c >", "a > 1", "c == NaN"];

/// A machine of a document for these clips, or of the clips of nobody.
pub fn player(clips: &AnimationClipLibrary, draw: &mut Draw) -> Option<StateMachinePlayer> {
    let document = document(draw, 2);
    let machine = StateMachine::new(&document, clips, clips.markers());
    match document.to_json() {
        // What was written is what is read, and means the same.
        Ok(text) => {
            let read = MachineDocument::from_json(&text).expect("what was written can be read");
            assert_eq!(read.states.len(), document.states.len());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    let layer = draw.below(3);
    machine.ok().map(|machine| StateMachinePlayer::new(machine).on_layer(LayerId::new(layer)))
}

pub fn call(character: &mut Character, draw: &mut Draw) {
    let Character { machines, mixer, .. } = character;
    let chosen = draw.below(machines.len().max(1));
    let Some(player) = machines.get_mut(chosen) else { return };
    if let Ok(parameter) = player.parameter(draw.pick(&NAMES)) {
        let _ = match draw.below(7) {
            0 => player.set_bool(parameter, draw.yes()),
            1 => player.set_float(parameter, draw.wild()),
            2 => player.trigger(parameter),
            3 => player.reset_trigger(parameter),
            4 => player.set(parameter, ParameterValue::Float(draw.wild())),
            5 => player.trigger_for(parameter, draw.wild()),
            _ => {
                assert!(player.value(parameter).is_some());
                Ok(())
            }
        };
    }
    if draw.one_in(5) {
        let state = player.machine().states().nth(draw.index());
        if let Some(state) = state {
            let _ = player.go_to(mixer, state, draw.fade());
        }
    }
    player.update(mixer);
    assert!(player.machine().state_name(player.state()).is_some(), "{:?}", player.state());
    assert!(player.is_in(player.state()));
    if draw.one_in(8) {
        machines.remove(chosen);
    }
}

fn document(draw: &mut Draw, depth: usize) -> MachineDocument {
    let mut document = MachineDocument::new(draw.pick(&NAMES));
    if depth == 2 || draw.one_in(8) {
        for name in NAMES {
            let value = match draw.below(3) {
                0 => ParameterValue::Bool(draw.yes()),
                1 => ParameterValue::Float(draw.wild()),
                _ => ParameterValue::Trigger(false),
            };
            document = document.with_parameter(name, value);
        }
    }
    for name in &NAMES[..=draw.below(NAMES.len())] {
        let mut state = match draw.below(6) {
            2 => StateDocument::empty(*name),
            3 => StateDocument::blend(*name, blend(draw)),
            4 if depth > 0 => StateDocument::machine(*name, self::document(draw, depth - 1)),
            _ => StateDocument::clip(*name, draw.pick(&NAMES)),
        };
        if draw.one_in(4) {
            (state.speed, state.looping) = (draw.wild(), draw.yes());
            state.speed_by = draw.yes().then(|| draw.pick(&NAMES).into());
        }
        document = document.with_state(state);
    }
    for _ in 0..draw.below(6) {
        let from = if draw.one_in(4) { "*" } else { draw.pick(&NAMES) };
        let mut transition = TransitionDocument::new(from, draw.pick(&NAMES)).with_fade(draw.fade());
        for _ in 0..draw.below(3) {
            transition = transition.when(draw.pick(&CONDITIONS));
        }
        if draw.one_in(3) {
            transition = transition.after(draw.wild());
        }
        let rules = [Interruption::Never, Interruption::Target, Interruption::Source, Interruption::Both];
        transition.keeps_phase = draw.yes();
        document = document.with_transition(transition.interrupted_by(draw.pick(&rules)));
    }
    document
}

fn blend(draw: &mut Draw) -> BlendDocument {
    let sample =
        |draw: &mut Draw| BlendSampleDocument { clip: draw.pick(&NAMES).into(), x: draw.wild(), y: draw.wild() };
    BlendDocument {
        x: draw.pick(&NAMES).into(),
        y: draw.yes().then(|| draw.pick(&NAMES).into()),
        samples: (0..draw.below(4)).map(|_| sample(draw)).collect(),
        sync: (0..draw.below(3)).map(|_| draw.pick(&NAMES).into()).collect(),
    }
}
