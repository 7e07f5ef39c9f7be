//! A state machine from a JSON document decides which clip plays; the game only sets parameters.
//!
//! ```sh
//! cargo run -p nebula-animation --example state_machine
//! cargo run -p nebula-animation --example state_machine -- my.glb  # with clips idle, walk, run and jump
//! ```
use nebula_animation::{AnimationClipLibrary, Asset, Character, StateMachine, StateMachinePlayer, Surroundings};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");

const MACHINE: &str = r#"{
    "parameters": { "speed": 0.0, "jump": "trigger" },
    "start": "ground",
    "states": [
        { "name": "ground", "blend": { "x": "speed", "samples": [
            { "clip": "idle", "x": 0 }, { "clip": "walk", "x": 1.4 }, { "clip": "run", "x": 2.43 } ] } },
        { "name": "air", "clip": "jump", "looping": false }
    ],
    "transitions": [
        { "from": "ground", "to": "air", "when": ["jump"], "fade": 0.1, "curve": "inertialised" },
        { "from": "air", "to": "ground", "exit_time": 0.9, "fade": 0.2 }
    ]
}"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).unwrap_or(FILE.into());
    let asset = Asset::load(file)?;
    let clips = AnimationClipLibrary::new(&asset.rig(), &asset.clips());

    // Every mistake in the document is reported here, with the state and the field.
    let machine = StateMachine::from_json(MACHINE, &clips, clips.markers())?;
    let typo = StateMachine::from_json(&MACHINE.replace("walk", "wlak"), &clips, clips.markers());
    println!("a typo gives: {}", typo.err().ok_or("there is no such clip")?);

    // A character updates its state machines before its mixer.
    let mut character = Character::of(clips);
    let machine = StateMachinePlayer::new(machine);
    let (speed, jump) = (machine.parameter("speed")?, machine.parameter("jump")?);
    character.machines.push(machine);

    let mut states = vec![character.machines[0].state_name().to_owned()];
    for frame in 0..240 {
        let machine = &mut character.machines[0];
        machine.set_float(speed, (frame as f32 / 60.0).min(2.43))?;
        if frame == 60 {
            println!("{:.2} s: jump!", frame as f32 / 60.0);
            machine.trigger(jump)?;
        }
        character.update(1.0 / 60.0, &Surroundings::default());
        let machine = &character.machines[0];
        for change in machine.changes() {
            let left = machine.machine().state_name(change.left).unwrap_or_default();
            println!("{:.2} s: from {left} to {}", frame as f32 / 60.0, machine.state_name());
            states.push(machine.state_name().to_owned());
        }
    }
    let taken = character.machines[0].transitions_taken();
    println!("{taken} transitions, and at the end the character is in \"{}\"", states[2]);
    assert_eq!(states, ["ground", "air", "ground"]);
    Ok(())
}
