//! What a clip tells the game: footsteps when feet land, and how far the character has walked. Both are the same at every
//! frame rate.
//!
//! ```sh
//! cargo run -p nebula-animation --example events_and_root_motion
//! cargo run -p nebula-animation --example events_and_root_motion -- my.glb walk  # a humanoid with root motion
//! ```
use nebula_animation::{
    AnimationClipLibrary, Asset, Character, LibraryOptions,
    compile::{RootDelta, RootMotionOptions},
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or(FILE.into());
    let name = arguments.next().unwrap_or("walk_root_motion".into());
    let asset = Asset::load(file)?;

    let options = LibraryOptions {
        // Root motion is extracted from the clips, which then walk in place, and reported instead.
        root_motion: Some(RootMotionOptions::default()),
        // Markers can be given (`markers`) or detected: here, wherever a foot lands.
        step_marker: Some("step".into()),
        ..LibraryOptions::default()
    };
    let clips = AnimationClipLibrary::with_options(&asset.rig(), &asset.clips(), options);

    let mut results = Vec::new();
    for rate in [24_u32, 60, 144] {
        let mut character = Character::of(clips.clone());
        character.mixer.play(&*name, 0.0)?;
        let (mut way, mut steps) = (RootDelta::ZERO, Vec::new());
        for _ in 0..5 * rate {
            // The first half of an update returns the root motion step: `applied_to` moves an entity by it.
            way = way.then(character.advance(1.0 / f64::from(rate)));
            let events = character.events();
            steps.extend(events.map(|event| format!("{} at {:.2} s", event.marker.name, event.total_time)));
        }
        println!("{rate} frames a second: {} steps, {:.4} m ahead", steps.len(), way.translation.z);
        results.push((steps, way));
    }
    println!("{}", results[0].0.join(", "));

    let (steps, way) = &results[0];
    for (others, other) in &results[1..] {
        assert_eq!(others, steps, "no marker is missed or met twice");
        assert!(other.translation.abs_diff_eq(way.translation, 1e-6), "no frame rate changes the way");
    }
    assert!(!steps.is_empty() && way.translation.length() > 0.1, "the character walks");
    Ok(())
}
