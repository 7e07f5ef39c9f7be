use nebula_animation::{
    BreathingLayer, CharacterState, LeanLayer, ProceduralAnimationStack,
    state::{StateProblem, StateWriter},
};

use super::cast::{Cast, Layers, bits};

const SAVED: u16 = 97;
const FRAMES: u16 = 200;

fn record(stack: &ProceduralAnimationStack) -> CharacterState {
    CharacterState::record(5, |writer| writer.write(stack))
}

#[test]
fn a_restored_stack_goes_on_with_the_same_bits() {
    let cast = Cast::load();
    for layers in Layers::EACH {
        let mut stack = cast.stack(layers);
        (0..=SAVED).for_each(|frame| drop(cast.frame(layers, &mut stack, frame)));
        let bytes = record(&stack).to_bytes();
        let state = CharacterState::from_bytes(&bytes).expect("what was written is read");
        let mut restored = cast.stack(layers);
        let (mut clone, mut forgetful) = (stack.clone(), cast.stack(layers));
        state.restore(5, |reader| reader.read(&mut restored)).unwrap_or_else(|error| panic!("{layers:?}: {error}"));
        assert_eq!(record(&restored), state, "{layers:?}");
        let mut differences = 0;
        for frame in SAVED + 1..FRAMES {
            let expected = bits(&cast.frame(layers, &mut stack, frame));
            assert_eq!(bits(&cast.frame(layers, &mut restored, frame)), expected, "{layers:?}, frame {frame}");
            assert_eq!(bits(&cast.frame(layers, &mut clone, frame)), expected, "{layers:?}, frame {frame}, of a clone");
            differences += usize::from(bits(&cast.frame(layers, &mut forgetful, frame)) != expected);
        }
        assert!(differences > 0, "{layers:?}: without the state it would be the same, so this test shows nothing");
    }
}

/// A state of the past is as good, in a stack that has gone on.
#[test]
fn time_can_be_taken_back() {
    let cast = Cast::load();
    for layers in Layers::EACH {
        let mut stack = cast.stack(layers);
        (0..=SAVED).for_each(|frame| drop(cast.frame(layers, &mut stack, frame)));
        let state = record(&stack);
        let run = |stack: &mut ProceduralAnimationStack| -> Vec<_> {
            (SAVED + 1..SAVED + 40).map(|frame| bits(&cast.frame(layers, stack, frame))).collect()
        };
        let expected = run(&mut stack);
        state.restore(5, |reader| reader.read(&mut stack)).unwrap_or_else(|error| panic!("{layers:?}: {error}"));
        assert!(run(&mut stack) == expected, "{layers:?}");
    }
}

/// A clone has memory of its own.
#[test]
fn clones_do_not_share() {
    let cast = Cast::load();
    let mut stack = cast.stack(Layers::All);
    (0..20).for_each(|frame| drop(cast.frame(Layers::All, &mut stack, frame)));
    let clone = stack.clone();
    let before = record(&clone);
    (20..40).for_each(|frame| drop(cast.frame(Layers::All, &mut stack, frame)));
    assert_eq!(record(&clone), before);
    assert_ne!(record(&stack), before);
}

#[test]
fn errors_say_which_layer_and_change_nothing() {
    let mut stack = ProceduralAnimationStack::default();
    stack.push(BreathingLayer::new(1));
    stack.push(LeanLayer { current_lean: f32::NAN, ..LeanLayer::new(2) });
    let state = record(&stack);
    let mut other = ProceduralAnimationStack::default();
    other.push(BreathingLayer { frequency: 9.0, ..BreathingLayer::new(1) });
    other.push(LeanLayer::new(2));
    let before = record(&other);
    let error = state.restore(5, |reader| reader.read(&mut other)).expect_err("it is not a number");
    assert_eq!(error.to_string(), "layer 1, LeanLayer, current_lean: a number is not finite");
    assert_eq!(record(&other), before, "the first layer could have been read");

    other.push(BreathingLayer::new(3));
    let error = state.restore(5, |reader| reader.read(&mut other)).expect_err("there are more");
    assert_eq!(error.problem, StateProblem::Count { found: 2, expected: 3 });

    // The same number of layers, in another order.
    let mut turned = ProceduralAnimationStack::default();
    turned.push(LeanLayer::new(2));
    turned.push(BreathingLayer::new(1));
    let error = state.restore(5, |reader| reader.read(&mut turned)).expect_err("it is another layer");
    assert_eq!(error.to_string(), "layer 0, LeanLayer: the state belongs to another layer");
}

/// What users set may be any number; it is the layer that skips it, before and after.
#[test]
fn settings_are_kept_as_they_are() {
    let set = LeanLayer { responsiveness: f32::INFINITY, weight: f32::NAN, ..LeanLayer::new(2) };
    let mut stack = ProceduralAnimationStack { layers: vec![Box::new(set)] };
    let mut writer = StateWriter::default();
    writer.write(&stack);
    let words = writer.into_words();
    stack.layers = vec![Box::new(LeanLayer::new(2))];
    nebula_animation::state::StateReader::new(&words).read(&mut stack).expect("any number will do");
    let lean = stack.layer::<LeanLayer>().expect("the layer");
    assert!(lean.responsiveness == f32::INFINITY && lean.weight.is_nan());
}

#[test]
fn states_are_small() {
    let cast = Cast::load();
    let mut stack = cast.stack(Layers::All);
    (0..20).for_each(|frame| drop(cast.frame(Layers::All, &mut stack, frame)));
    let bytes = record(&stack).to_bytes().len();
    assert!(bytes < 2048, "{bytes} bytes");
}
