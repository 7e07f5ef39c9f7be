//! Documents that are wrong, each in one way, and what is said about them.

use nebula_animation::{AnimationClip, ClipMarkers, Marker, StateMachine, mixer::MachineDocument};
use serde_json::{Value, json};

pub fn clips() -> Vec<AnimationClip> {
    ["idle", "walk", "run", "jump", "slash"]
        .map(|name| AnimationClip { name: name.into(), duration: 1.0, ..Default::default() })
        .into()
}

pub fn markers() -> ClipMarkers {
    let mut markers = ClipMarkers::new();
    for (clip, name, time) in [(1, "left", 0.1), (1, "right", 0.6), (2, "left", 0.5), (2, "right", 0.9), (3, "up", 0.5)]
    {
        markers.add(clip, Marker { name: name.into(), time });
    }
    markers
}

/// A document without a fault.
pub fn good() -> Value {
    json!({
        "parameters": { "speed": 0.0, "turn": 0, "grounded": true, "jump": "trigger" },
        "start": "ground",
        "states": [
            { "name": "ground", "blend": { "x": "speed", "sync": ["left", "right"], "samples": [
                { "clip": "idle", "x": 0 }, { "clip": "walk", "x": 1.4 }, { "clip": "run", "x": 4 } ] } },
            { "name": "air", "clip": "jump", "looping": false, "speed": 1.5 },
            { "name": "fight", "machine": {
                "start": "guard",
                "states": [ { "name": "guard", "clip": "idle" }, { "name": "strike", "clip": "slash", "looping": false } ],
                "transitions": [ { "from": "strike", "to": "guard", "exit_time": 1 } ]
            } }
        ],
        "transitions": [
            { "from": "ground", "to": "air", "when": ["jump", "grounded", "speed > 0.5"], "fade": 0.15, "curve": "inertialised",
              "interruption": "never" },
            { "from": "air", "to": "ground", "exit_time": 0.9, "when": ["grounded"], "keeps_phase": true },
            { "from": "*", "to": "fight", "when": ["turn >= 1"] }
        ]
    })
}

fn refuse(document: &str) -> String {
    let error = StateMachine::from_json(document, &clips(), &markers()).map(|_| ()).expect_err(document);
    error.to_string()
}

/// The good document with one value changed, removed or added.
fn with(pointer: &str, value: Value) -> String {
    let mut document = good();
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    match document.pointer_mut(parent).unwrap_or_else(|| panic!("no {parent}")) {
        Value::Object(object) if value.is_null() => assert!(object.remove(key).is_some(), "no {pointer}"),
        Value::Object(object) => drop(object.insert(key.into(), value)),
        Value::Array(array) if key == "-" => array.push(value),
        Value::Array(array) => array[key.parse::<usize>().expect("an index")] = value,
        other => panic!("{parent} is {other}"),
    }
    document.to_string()
}

#[test]
fn the_document_from_which_all_others_differ_is_good() {
    StateMachine::from_json(&good().to_string(), &clips(), &markers()).expect("it is");
}

#[test]
fn a_wrong_document_is_refused_with_the_state_and_the_field() {
    let too_deep = (0..20).fold(
        json!({"start": "s", "states": [{"name": "s", "clip": "idle"}]}),
        |within, _| json!({"start": "s", "states": [{"name": "s", "machine": within}]}),
    );
    let cases: Vec<(&str, String, &str)> = vec![
        ("not JSON", "{ start: ground }".into(), "document: key must be a string at line 1 column 3"),
        ("cut off", good().to_string()[..40].into(), "parameters.jump: EOF while parsing"),
        ("two documents", format!("{}{{}}", good()), "document: trailing characters"),
        ("a list", "[]".into(), "document: expected an object"),
        ("no start", with("/start", Value::Null), "document: missing field `start`"),
        ("no states", with("/states", Value::Null), "document: missing field `states`"),
        (
            "states of the wrong type",
            with("/states", json!("ground")),
            "states: invalid type: string \"ground\", expected a sequence",
        ),
        ("empty states", with("/states", json!([])), "states: is empty, expected at least one"),
        (
            "unknown start",
            with("/start", json!("grund")),
            "start: there is no \"grund\", only \"ground\", \"air\", \"fight\"",
        ),
        ("unknown field", with("/begin", json!(1)), "begin: unknown field `begin`, expected one of"),
        (
            "a parameter of no kind",
            with("/parameters/turn", json!([1])),
            "parameters.turn: invalid type: sequence, expected a number, true, false or \"trigger\"",
        ),
        (
            "a parameter with a wrong word",
            with("/parameters/turn", json!("triger")),
            "parameters.turn: invalid value: string \"triger\", expected",
        ),
        ("a parameter without a name", with("/parameters/", json!(1)), "parameters: \"\" is no name"),
        (
            "a parameter that looks like a condition",
            with("/parameters/a>b", json!(1)),
            "parameters: \"a>b\" is no name",
        ),
        (
            "a parameter given twice",
            good().to_string().replacen("\"turn\":0", "\"turn\":0,\"turn\":1", 1),
            "parameters.turn: is given twice",
        ),
        ("a state without a name", with("/states/1/name", Value::Null), "states[1]: missing field `name`"),
        ("a state with an empty name", with("/states/1/name", json!(" ")), "states[1], name: \" \" is no name"),
        ("a state called *", with("/states/1/name", json!("*")), "states[1], name: \"*\" is no name"),
        ("two states of one name", with("/states/1/name", json!("ground")), "state \"ground\", name: is given twice"),
        (
            "a state that shows nothing",
            with("/states/1/clip", Value::Null),
            "state \"air\", clip: is missing, and so are blend, machine and empty",
        ),
        (
            "a state that shows two things",
            with("/states/0/clip", json!("idle")),
            "state \"ground\", clip: only one of clip, blend, machine and empty can be given",
        ),
        (
            "a state that plays a clip and nothing",
            with("/states/1/empty", json!(true)),
            "state \"air\", clip: only one of clip, blend, machine and empty can be given",
        ),
        (
            "a state that plays nothing at a speed",
            with("/states/-", json!({"name": "none", "empty": true, "speed": 2})),
            "state \"none\", speed: belongs to what is played",
        ),
        (
            "an unknown clip",
            with("/states/1/clip", json!("jmup")),
            "state \"air\", clip: there is no \"jmup\", only \"idle\", \"walk\", \"run\"",
        ),
        (
            "a clip by number",
            with("/states/1/clip", json!(3)),
            "state \"air\", clip: invalid type: integer `3`, expected a string",
        ),
        (
            "a speed in words",
            with("/states/1/speed", json!("fast")),
            "state \"air\", speed: invalid type: string \"fast\", expected f32",
        ),
        (
            "a speed beyond numbers",
            with("/states/1/speed", json!(1e39)),
            "state \"air\", speed: is inf, expected a finite number",
        ),
        (
            "a speed by nothing",
            with("/states/1/speed_by", json!("haste")),
            "state \"air\", speed_by: there is no \"haste\", only \"grounded\"",
        ),
        (
            "a speed by a switch",
            with("/states/1/speed_by", json!("grounded")),
            "state \"air\", speed_by: \"grounded\" is true or false, expected a number",
        ),
        (
            "a speed of a machine",
            with("/states/2/speed", json!(2)),
            "state \"fight\", speed: belongs to the states within",
        ),
        ("a misspelt field", with("/states/1/loping", json!(true)), "state \"air\", loping: unknown field `loping`"),
        (
            "looping as a number",
            with("/states/1/looping", json!(1)),
            "state \"air\", looping: invalid type: integer `1`, expected a boolean",
        ),
        (
            "a blend by nothing",
            with("/states/0/blend/x", json!("sped")),
            "state \"ground\", blend.x: there is no \"sped\"",
        ),
        (
            "a blend by a trigger",
            with("/states/0/blend/x", json!("jump")),
            "state \"ground\", blend.x: \"jump\" is a trigger, expected a number",
        ),
        (
            "a blend by an unknown y",
            with("/states/0/blend/y", json!("angle")),
            "state \"ground\", blend.y: there is no \"angle\"",
        ),
        (
            "a blend of nothing",
            with("/states/0/blend/samples", json!([])),
            "state \"ground\", blend.samples: a blend space needs at least one sample",
        ),
        (
            "a sample of no clip",
            with("/states/0/blend/samples/1/clip", json!("wlak")),
            "state \"ground\", blend.samples[1].clip: there is no \"wlak\"",
        ),
        (
            "a sample without a place",
            with("/states/0/blend/samples/1/x", Value::Null),
            "state \"ground\", blend.samples[1]: missing field `x`",
        ),
        (
            "two samples at one place",
            with("/states/0/blend/samples/1/x", json!(4)),
            "state \"ground\", blend.samples: samples 1 and 2 are both at [4, 0]",
        ),
        (
            "a sample off the line",
            with("/states/0/blend/samples/1/y", json!(1)),
            "state \"ground\", blend.samples[1].y: is 1, but the blend has no y parameter",
        ),
        (
            "a marker that nobody has",
            with("/states/0/blend/sync", json!(["left", "up"])),
            "state \"ground\", blend.sync: clip \"walk\" has marker \"up\" 0 times, expected once",
        ),
        (
            "markers that no clip has",
            with("/states/0/blend/sync", json!(["l", "r"])),
            "state \"ground\", blend.sync: no clip has a marker \"l\"",
        ),
        (
            "a transition from nowhere",
            with("/transitions/0/from", json!("grund")),
            "transition \"grund\" -> \"air\", from: there is no \"grund\"",
        ),
        (
            "a transition to nowhere",
            with("/transitions/0/to", json!("sky")),
            "transition \"ground\" -> \"sky\", to: there is no \"sky\"",
        ),
        (
            "a transition into a machine within",
            with("/transitions/0/to", json!("strike")),
            "transition \"ground\" -> \"strike\", to: there is no \"strike\"",
        ),
        (
            "a condition on nothing",
            with("/transitions/0/when/2", json!("sped > 1")),
            "transition \"ground\" -> \"air\", when[2]: \"sped > 1\": there is no \"sped\"",
        ),
        (
            "a condition that compares with a word",
            with("/transitions/0/when/2", json!("speed > fast")),
            "transition \"ground\" -> \"air\", when[2]: \"speed > fast\": \"fast\" is not a number",
        ),
        (
            "a condition that compares with nothing",
            with("/transitions/0/when/2", json!("speed >")),
            "transition \"ground\" -> \"air\", when[2]: \"speed >\": \"\" is not a number",
        ),
        (
            "a number as a condition",
            with("/transitions/0/when/2", json!("speed")),
            "transition \"ground\" -> \"air\", when[2]: \"speed\": \"speed\" is a number, which has to be compared",
        ),
        (
            "a switch that is compared",
            with("/transitions/0/when/1", json!("grounded > 0")),
            "transition \"ground\" -> \"air\", when[1]: \"grounded > 0\": \"grounded\" is true or false, which cannot be compared",
        ),
        (
            "a trigger that did not happen",
            with("/transitions/0/when/0", json!("!jump")),
            "transition \"ground\" -> \"air\", when[0]: \"!jump\": a trigger cannot be waited for not to be set",
        ),
        (
            "a condition that is none",
            with("/transitions/0/when/0", json!(true)),
            "transition \"ground\" -> \"air\", when[0]: invalid type: boolean `true`, expected a string",
        ),
        (
            "a fade into the past",
            with("/transitions/0/fade", json!(-0.1)),
            "transition \"ground\" -> \"air\", fade: is -0.1, expected a number of seconds of at least 0",
        ),
        (
            "a fade of no kind",
            with("/transitions/0/curve", json!("cubic")),
            "transition \"ground\" -> \"air\", curve: unknown variant `cubic`, expected one of `linear`, `smooth`, `inertialised`",
        ),
        (
            "an unknown rule",
            with("/transitions/0/interruption", json!("maybe")),
            "transition \"ground\" -> \"air\", interruption: unknown variant `maybe`, expected one of",
        ),
        (
            "an exit before the start",
            with("/transitions/1/exit_time", json!(-1)),
            "transition \"air\" -> \"ground\", exit_time: is -1, expected a number of passes of at least 0",
        ),
        (
            "an exit that never comes",
            with("/transitions/1/exit_time", json!(1.5)),
            "transition \"air\" -> \"ground\", exit_time: is 1.5, but the state is played once",
        ),
        (
            "a transition that waits for nothing",
            with("/transitions/2/when", json!([])),
            "transition \"*\" -> \"fight\", when: is empty, and there is no exit_time",
        ),
        ("a transition without an end", with("/transitions/0/to", Value::Null), "transitions[0]: missing field `to`"),
        (
            "parameters of a machine within",
            with("/states/2/machine/parameters", json!({"a": 1})),
            "state \"fight\", parameters: belong into the outermost machine",
        ),
        (
            "a machine within without states",
            with("/states/2/machine/states", json!([])),
            "state \"fight\", states: is empty",
        ),
        (
            "a machine within with a wrong start",
            with("/states/2/machine/start", json!("ground")),
            "state \"fight\", start: there is no \"ground\", only \"guard\", \"strike\"",
        ),
        (
            "a fault in a state within",
            with("/states/2/machine/states/1/clip", json!("slsh")),
            "state \"fight\", state \"strike\", clip: there is no \"slsh\"",
        ),
        (
            "a wrong type in a state within",
            with("/states/2/machine/states/1/speed", json!([])),
            "state \"fight\", state \"strike\", speed: invalid type: sequence, expected f32",
        ),
        (
            "a fault in a transition within",
            with("/states/2/machine/transitions/0/to", json!("air")),
            "state \"fight\", transition \"strike\" -> \"air\", to: there is no \"air\"",
        ),
        ("machines that are too deep", too_deep.to_string(), "machine: is more than 16 machines deep"),
    ];
    let mut told = std::collections::HashSet::new();
    let mut faults = Vec::new();
    for (title, document, expected) in &cases {
        let error = refuse(document);
        if !error.contains(expected) {
            faults.push(format!("{title}:\n  said     {error}\n  expected {expected}"));
        }
        if !told.insert(error.clone()) {
            faults.push(format!("{title}: said before: {error}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(cases.len() >= 30);
    println!("{} wrong documents, {} different errors", cases.len(), told.len());
}

#[test]
fn a_document_that_is_written_is_read_again() {
    let document = MachineDocument::from_json(&good().to_string()).expect("a document");
    let text = document.to_json().expect("finite numbers");
    assert_eq!(MachineDocument::from_json(&text).expect("what was written"), document);
}

#[test]
fn any_garbage_is_an_error_and_not_a_panic() {
    let text = good().to_string();
    for end in (0..text.len()).step_by(3) {
        let _ = refuse(&text[..end]);
    }
    // A byte changed may be a document still; what counts is that it does not panic.
    let mut random = crate::characters::Random::new(1);
    for _ in 0..2000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] = b"{}[]\",:0-9aet.\\ <>=!"[random.below(20)];
        }
        let _ = StateMachine::from_json(&String::from_utf8_lossy(&bytes), &clips(), &markers());
    }
    let _ = refuse(&"[".repeat(100_000));
}
