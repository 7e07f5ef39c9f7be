//! A state goes to another process, as bytes, and goes on there.

use std::path::Path;
use std::process::Command;

use nebula_animation::{Character, CharacterState, Fade};

use super::troupe::{Sight, Troupe, options, step};

/// The folder in which two processes meet.
const MEETING: &str = "NEBULA_STATE_MEETING";

fn troupe() -> Troupe {
    Troupe::humanoid(options(true))
}

fn go_on(character: &mut Character) -> String {
    let sights: Vec<Sight> = (40..100).map(|frame| step(character, frame, 0.015)).collect();
    format!("{sights:?}")
}

/// The other process: does nothing unless it is told where to meet.
#[test]
fn another_process() {
    let Some(folder) = std::env::var_os(MEETING) else { return };
    let folder = Path::new(&folder);
    let bytes = std::fs::read(folder.join("state")).expect("the state");
    let (mut character, _) = troupe().whole();
    character.restore(&CharacterState::from_bytes(&bytes).expect("a state")).expect("the same set-up");
    std::fs::write(folder.join("seen"), go_on(&mut character)).expect("the folder can be written to");
}

#[test]
fn a_state_goes_on_in_another_process() {
    let troupe = troupe();
    let (mut character, handles) = troupe.whole();
    for frame in 0..40 {
        if frame % 13 == 0 {
            character.mixer.play(troupe.shots[frame as usize % 2], Fade::inertialised(0.5)).expect("a clip");
            character.mixer.play_once_on(handles.face, "frown", 0.3, 0.3).expect("a face");
        }
        step(&mut character, frame, 0.015);
    }
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("state"), character.state().to_bytes()).expect("the folder can be written to");
    let other = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "state::process::another_process"])
        .env(MEETING, folder.path())
        .output()
        .expect("it runs");
    assert!(other.status.success(), "{}", String::from_utf8_lossy(&other.stdout));
    let seen = std::fs::read_to_string(folder.path().join("seen")).expect("it was there");
    assert!(seen == go_on(&mut character), "the other process saw something else");
}
