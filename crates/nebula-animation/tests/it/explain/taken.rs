//! The transition that was taken, with what opened it: whatever has become of the parameters since then.

use std::path::Path;

use nebula_animation::{
    Character, Recorder, StateMachine, StateMachinePlayer, Surroundings,
    explain::MachinePart,
    load_skeleton_and_clips,
    mixer::{MachineDocument, ParameterValue, StateDocument, TransitionDocument},
};

const FRAME: f64 = 1.0 / 60.0;

fn hero() -> Character {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let (skeleton, clips) = load_skeleton_and_clips(&path).expect("the humanoid loads");
    let mut hero = Character::new(skeleton, &clips);
    let document = MachineDocument::new("standing")
        .with_parameter("speed", ParameterValue::Float(0.0))
        .with_parameter("jump", ParameterValue::Trigger(false))
        .with_state(StateDocument::clip("standing", "idle"))
        .with_state(StateDocument::clip("jumping", "jump").once())
        .with_state(StateDocument::empty("nothing"))
        .with_transition(TransitionDocument::new("standing", "jumping").when("jump").when("speed > 1"))
        .with_transition(TransitionDocument::new("jumping", "nothing").after(0.5))
        .with_transition(TransitionDocument::new("nothing", "standing").when("speed < 0").after(1.0));
    let clips = hero.mixer.clips().clone();
    let machine = StateMachine::new(&document, &clips, clips.markers()).expect("a sound machine");
    hero.machines.push(StateMachinePlayer::new(machine));
    hero
}

fn part(hero: &Character) -> MachinePart {
    hero.explain("Hips").expect("a joint").machines.swap_remove(0)
}

#[test]
fn a_trigger_that_was_used_up_is_told_as_it_was() {
    let mut hero = Recorder::new(hero(), 10.0);
    let around = Surroundings::default();
    hero.update(FRAME, &around);
    let [speed, jump] = ["speed", "jump"].map(|name| hero.machines[0].parameter(name).expect("a parameter"));
    hero.machines[0].set_float(speed, 1.5).expect("a number");
    hero.machines[0].trigger(jump).expect("a trigger");
    hero.update(FRAME, &around);
    hero.machines[0].set_float(speed, 0.25).expect("a number");
    hero.update(FRAME, &around);
    let frame = hero.tape().frames().end - 1;
    let check = |hero: &Character| {
        let part = part(hero);
        assert_eq!(part.states, ["jumping"]);
        assert_eq!(part.parameters[1].1, "not set", "it is used up by now");
        let taken = part.taken.expect("a transition");
        let conditions: Vec<_> =
            taken.conditions.iter().map(|found| (found.text.as_str(), found.value.as_str(), found.holds)).collect();
        assert_eq!(conditions, [("jump", "set", true), ("speed > 1", "1.5", true)]);
        assert!(
            hero.explain("Hips").expect("a joint").to_string().contains("jump (it was set), speed > 1 (it was 1.5)")
        );
    };
    check(&hero);
    // In a state, in another character, and in a frame of the past.
    let mut elsewhere = self::hero();
    elsewhere.restore(&hero.state()).expect("it was made alike");
    check(&elsewhere);
    (0..60).for_each(|_| hero.update(FRAME, &around));
    let taken = part(&hero).taken.expect("another transition");
    assert_eq!((taken.from.as_str(), taken.to.as_str()), ("jumping", "nothing"));
    let exit = taken.exit.expect("an exit time");
    assert!(exit.holds && exit.passes.is_some_and(|passes| (0.5..0.6).contains(&passes)), "{exit:?}");
    hero.rewind(frame).expect("a frame of the tape");
    check(&hero);
}

/// What plays nothing is over at once: that is no number, and JSON says so by `null`.
#[test]
fn a_state_that_plays_nothing_has_no_passes() {
    let mut hero = hero();
    hero.update(FRAME, &Surroundings::default());
    let nothing = hero.machines[0].state_named("nothing").expect("a state");
    let Character { mixer, machines, .. } = &mut hero;
    machines[0].go_to(mixer, nothing, 0.0).expect("it is there");
    hero.update(FRAME, &Surroundings::default());
    let part = part(&hero);
    let exit = part.exits[0].exit.as_ref().expect("an exit time");
    assert_eq!((exit.after, exit.passes, exit.holds), (1.0, None, true));
    #[cfg(feature = "serde")]
    {
        let json = serde_json::to_value(&part).expect("JSON");
        assert!(json["exits"][0]["exit"]["passes"].is_null());
        assert_eq!(json["taken"], serde_json::Value::Null);
    }
}
