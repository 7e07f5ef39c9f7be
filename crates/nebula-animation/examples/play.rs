//! Plays the first clip of a file: the library in its shortest form.
//!
//! ```sh
//! cargo run -p nebula-animation --example play            # the included character
//! cargo run -p nebula-animation --example play -- my.glb  # yours
//! ```
use nebula_animation::{Character, Surroundings, load_skeleton_and_clips};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).unwrap_or(FILE.into());
    let (skeleton, clips) = load_skeleton_and_clips(file.as_ref())?;
    let clip = clips.first().ok_or("the file has no clips")?;
    println!("playing \"{}\", {:.2} s, on {} joints", clip.name, clip.duration, skeleton.joints.len());
    let duration = f64::from(clip.duration);
    let last = skeleton.joints.last().ok_or("the skeleton has no joints")?.clone();

    // A character starts with its first clip, looping. Its mixer plays others; `current_action` is the current one:
    // pause, seek or change the speed by writing its `playing`, `time` or `speed`.
    let mut character = Character::new(skeleton, &clips);
    for frame in 1..=240 {
        character.update(1.0 / 60.0, &Surroundings::default());

        // One matrix per joint, from the bind pose to this frame's pose: upload these to the GPU.
        let palette: &[glam::Mat4] = character.palette();
        assert!(palette.iter().all(|matrix| matrix.is_finite()));

        if frame % 40 == 0 {
            let action = character.mixer.current_action.as_ref().ok_or("nobody has stopped it")?;
            let place = character.frame().model_matrix(last.index).w_axis.truncate();
            println!("{:.2} s of the clip, pass {}: {} is at {place:.2}", action.time, action.pass(), last.name);
        }
    }

    // Clip time is computed from the total time, so it does not drift.
    let found = character.mixer.current_action.as_ref().ok_or("nobody has stopped it")?.total_time();
    assert!((found - 4.0).abs() < 1e-9, "{found} s, not 4 s: {:.2} passes", found / duration);
    Ok(())
}
