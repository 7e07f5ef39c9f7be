//! Tests the panels on a character without a window. For clicks, see `viewer/tests/why.rs`.

use std::io::Write;
use std::path::{Path, PathBuf};

use glam::Mat4;
use nebula_animation::mixer::MachineDocument;
use nebula_animation::{AnimationClipLibrary, Asset, Character, Recorder, Surroundings};

use super::Inspector;
use super::machine::MachineDesk;

fn hero() -> Recorder {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets/simple_humanoid.glb");
    let asset = Asset::load(&file).unwrap();
    let mut character = Character::new(asset.skeleton.clone(), &asset.clips());
    character.set_traced(true);
    Recorder::new(character, 20.0)
}

fn run(inspector: &mut Inspector, hero: &mut Recorder, frames: u32) {
    for _ in 0..frames {
        hero.update(1.0 / 60.0, &Surroundings::default());
        inspector.observe(hero, Mat4::IDENTITY);
    }
}

#[test]
fn the_past_is_shown_and_gone_on_from() {
    let (mut inspector, mut hero) = (Inspector { is_open: true, has_ghosts: true, ..Inspector::default() }, hero());
    run(&mut inspector, &mut hero, 40);
    let then = hero.palette().to_vec();
    hero.mixer.play("run", 0.2).unwrap();
    run(&mut inspector, &mut hero, 40);
    inspector.go_to(&hero, 39);
    assert!(inspector.is_past());
    assert_eq!(inspector.shown(&hero).palette(), then);
    assert!(inspector.take_moved().is_some_and(|past| past.is_some()) && inspector.take_moved().is_none());
    assert_eq!(inspector.ghosts.len(), 3, "at 27, 15 and 3");
    inspector.branch(&mut hero);
    assert!(!inspector.is_past() && hero.tape().frames() == (0..40));
    assert_eq!(hero.palette(), then);
    run(&mut inspector, &mut hero, 10);
    let clip = hero.mixer.current_action.as_ref().and_then(|action| action.clip());
    assert_ne!(clip, hero.mixer.clips().index_of("run"), "it has not begun to run");
    inspector.go_to(&hero, 1_000_000);
    assert_eq!(inspector.past.as_ref().map(|past| past.frame), Some(49), "the last one there is");
}

/// Strangers' files have other clips first: an attack, a dance.
#[test]
fn machines_of_strangers_begin_with_idle_and_walk() {
    let Some(folder) = corpora() else { return };
    for (file, expected) in [
        ("kaykit-knight.glb", ["Idle", "Walking_A", "Running_A"]),
        ("robot-expressive.glb", ["Idle", "Walking", "Running"]),
    ] {
        let asset = Asset::load(folder.join("characters").join(file)).unwrap();
        let mut hero = Recorder::new(Character::of(AnimationClipLibrary::new(&asset.rig(), &asset.clips())), 20.0);
        let document = MachineDesk::of_clips(&hero).unwrap();
        let samples = &document.states[0].blend.as_ref().unwrap().samples;
        assert_eq!(samples.iter().map(|sample| sample.clip.as_str()).collect::<Vec<_>>(), expected, "{file}");
        assert!(samples.windows(2).all(|pair| pair[0].x < pair[1].x), "{file}: {samples:?}");
        // Every other clip has a state, and a trigger that leads there.
        assert_eq!(document.states.len(), asset.animations.len() - expected.len() + 1, "{file}");
        let mut inspector = Inspector { is_open: true, ..Inspector::default() };
        inspector.use_document(&mut hero, document);
        assert!(inspector.has_machine(), "{file}: {:?}", inspector.message);
        run(&mut inspector, &mut hero, 10);
        let shown = hero.frame().shown()[0].clip;
        assert_eq!(hero.mixer.clips()[shown.index()].name(), "Idle", "{file}: it stands");
    }
}

/// The files of others; that they are missing is said.
fn corpora() -> Option<PathBuf> {
    let folder = std::env::var_os("NEBULA_CORPORA").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"));
    if folder.join("characters").is_dir() {
        return Some(folder);
    }
    let is_required = std::env::var_os("NEBULA_REQUIRE_CORPORA").is_some_and(|value| value == "1");
    assert!(!is_required, "no corpora, and NEBULA_REQUIRE_CORPORA=1");
    // Straight to the terminal: what `eprintln!` writes in a passing test is never seen.
    let _ =
        writeln!(std::io::stderr(), "SKIPPED machines_of_strangers: no corpora (set NEBULA_CORPORA to their folder)");
    None
}

#[test]
fn machines_of_clips_load_and_are_edited() {
    let (mut inspector, mut hero) = (Inspector { is_open: true, ..Inspector::default() }, hero());
    let document = MachineDesk::of_clips(&hero).unwrap();
    assert!(document.states[0].blend.as_ref().is_some_and(|blend| blend.samples.len() >= 3), "{document:?}");
    inspector.use_document(&mut hero, document.clone());
    assert!(inspector.has_machine(), "{:?}", inspector.message);
    run(&mut inspector, &mut hero, 10);
    assert_eq!(hero.machines[0].state_name(), "moving");
    // One that is wrong is told, and the one before goes on.
    let mut wrong = document.clone();
    wrong.start = "nowhere".into();
    inspector.use_document(&mut hero, wrong);
    assert!(inspector.message.as_ref().is_some_and(|message| message.contains("nowhere")), "{:?}", inspector.message);
    assert_eq!(inspector.document(), Some(&document));
    // Saved and read again.
    let folder = tempfile::tempdir().unwrap();
    inspector.save_beside(&folder.path().join("hero.glb"));
    let mut edited = document;
    (edited.transitions[0].fade, edited.states[0].blend.as_mut().unwrap().samples[1].x) = (0.75, 1.25);
    inspector.use_document(&mut hero, edited.clone());
    inspector.save_document(&hero, false);
    let file = folder.path().join("hero.machine.json");
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(MachineDocument::from_json(&text).unwrap(), edited);
    inspector.stop_machine(&mut hero);
    inspector.open_document(&mut hero, &file);
    assert!(inspector.has_machine() && inspector.document() == Some(&edited));
    inspector.open_document(&mut hero, &folder.path().join("missing.json"));
    assert!(inspector.message.as_ref().is_some_and(|message| message.contains("missing.json")));
}
