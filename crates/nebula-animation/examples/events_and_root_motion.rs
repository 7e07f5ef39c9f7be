//! What a clip tells the game: footsteps at the moments at which feet land, and how far the character has walked. Both are
//! the same at every frame rate.
//!
//! ```sh
//! cargo run -p nebula-animation --example events_and_root_motion
//! cargo run -p nebula-animation --example events_and_root_motion -- my.glb walk  # a humanoid with root motion
//! ```
use nebula_animation::{
    ClipMarkers, HumanoidMap, Marker, MixedCharacter, RestPose, RootTracks,
    compile::{ContactTrack, RootDelta, RootMotionOptions},
    load_skeleton_and_clips,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or(FILE.into());
    let name = arguments.next().unwrap_or("walk_root_motion".into());
    let (skeleton, clips) = load_skeleton_and_clips(file.as_ref())?;

    // The root's way is taken out of the clips, which then walk on the spot, and is reported instead.
    let (clips, ways) = RootTracks::extract(&clips, &skeleton, &RootMotionOptions::default());

    // Markers are written by hand, or found: here, where the clips' own feet land.
    let feet = HumanoidMap::find(&skeleton)?.feet(&RestPose::of(&skeleton))?;
    let mut markers = ClipMarkers::new();
    for (index, clip) in clips.iter().enumerate() {
        let contacts = ContactTrack::from_clip(clip, &skeleton, &feet);
        for (leg, name) in ["left foot", "right foot"].into_iter().enumerate() {
            for [lands, _] in contacts.spans(leg) {
                markers.add(index, Marker { name: name.into(), time: f64::from(*lands) });
            }
        }
    }

    let mut results = Vec::new();
    for rate in [24_u32, 60, 144] {
        let mut character = MixedCharacter::new(skeleton.clone(), clips.clone());
        character.mixer.set_markers(markers.clone());
        character.mixer.set_root_tracks(ways.clone());
        character.mixer.play(&*name, 0.0)?;
        let (mut way, mut steps) = (RootDelta::ZERO, Vec::new());
        for _ in 0..5 * rate {
            character.update(1.0 / f64::from(rate));
            way = way.then(character.mixer.root_motion()); // `applied_to` moves an entity by it.
            let events = character.mixer.events();
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
