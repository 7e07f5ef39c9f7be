//! From one clip to another: at once, with a linear fade, and with an inertialised one. The largest step that any joint
//! takes from one frame to the next shows the difference.
//!
//! ```sh
//! cargo run -p nebula-animation --example cross_fade
//! cargo run -p nebula-animation --example cross_fade -- my.glb idle walk  # two clips of yours
//! ```
use glam::Vec3;
use nebula_animation::{AnimationClipLibrary, Asset, Character, Fade, Surroundings};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or(FILE.into());
    let from = arguments.next().unwrap_or("jump".into());
    let to = arguments.next().unwrap_or("walk".into());
    let asset = Asset::load(file)?;
    // Clips are compiled for a rig once; clones of a library share them.
    let clips = AnimationClipLibrary::new(&asset.rig(), &asset.clips());

    let fades =
        [("a cut", Fade::from(0.0)), ("linear, 0.3 s", 0.3.into()), ("inertialised, 0.3 s", Fade::inertialised(0.3))];
    let mut steps = Vec::new();
    for (name, fade) in fades {
        let mut character = Character::of(clips.clone());
        character.mixer.play(&*from, 0.0)?;
        for _ in 0..48 {
            character.update(1.0 / 60.0, &Surroundings::default());
        }
        let mut before = positions(&character);
        character.mixer.play(&*to, fade)?; // It may be interrupted at any time by another one.
        let mut largest = 0.0_f32;
        for _ in 0..30 {
            character.update(1.0 / 60.0, &Surroundings::default());
            let now = positions(&character);
            let step = now.iter().zip(&before).map(|(now, before)| now.distance(*before)).fold(0.0, f32::max);
            largest = largest.max(step);
            before = now;
        }
        assert!(!character.mixer.is_fading(), "half a second is enough for all of them");
        println!("{from} to {to}, {name}: no joint moves more than {:.1} cm in a frame", 100.0 * largest);
        steps.push(largest);
    }
    assert!(steps[1] < steps[0] && steps[2] < steps[0], "a fade is smoother than a cut");
    Ok(())
}

/// Where the joints are, in model space.
fn positions(character: &Character) -> Vec<Vec3> {
    let joints = 0..character.rig().joint_count() as u16;
    joints.map(|joint| character.frame().model_matrix(joint).w_axis.truncate()).collect()
}
