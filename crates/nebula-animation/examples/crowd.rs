//! Ten thousand characters in one call: every one at its own time, speed and blend, all palettes in one buffer.
//!
//! ```sh
//! cargo run --release -p nebula-animation --example crowd
//! cargo run --release -p nebula-animation --example crowd -- my.glb 50000
//! ```
use std::time::Instant;

use nebula_animation::{Asset, Character, Crowd, Surroundings, crowd::SecondClip};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or(FILE.into());
    let count: usize = arguments.next().unwrap_or("10000".into()).parse()?;
    let asset = Asset::load(file)?;
    let (rig, clips) = (asset.rig(), asset.clips());
    let joints = rig.joint_count();

    // A crowd holds any number of rigs, each with its clips.
    let mut crowd = Crowd::new();
    let rig = crowd.add_rig(&rig);
    let ids: Vec<_> = clips.iter().filter_map(|clip| crowd.add_clip(rig, clip)).collect();
    let first = *ids.first().ok_or("the file has no clips")?;
    for index in 0..count {
        crowd.spawn(first).ok_or("too many joints for one buffer")?;
        let character = &mut crowd.characters_mut()[index];
        character.time = 0.01 * index as f64;
        character.speed = 1.0 + 0.1 * (index % 5) as f32;
        if index % 2 == 1 {
            let clip = ids[index % ids.len()];
            character.second = Some(SecondClip { clip, time: 0.0, weight: 0.5 }); // Halfway into another clip.
        }
    }

    crowd.update(0.5); // The first frame takes memory, the others do not.
    let start = Instant::now();
    crowd.update(0.25); // `evaluate_on_threads` uses all cores, with the feature `parallel`.
    let micros = start.elapsed().as_secs_f64() * 1e6;
    let bytes = size_of_val(crowd.palettes());
    println!("{count} characters of {joints} joints in {:.1} ms, {:.2} us each", micros / 1e3, micros / count as f64);
    println!(
        "{:.1} MB to upload, 48 bytes a joint; the first palette of #7 is at {:?}",
        bytes as f64 / 1e6,
        crowd.palette_start(7)
    );
    assert_eq!(crowd.palettes().len(), count * joints);

    // The same character by itself.
    let mut alone = Character::new(asset.skeleton, &clips);
    alone.update(0.75, &Surroundings::default());
    let apart = alone.palette().iter().zip(crowd.palettes()).map(|(matrix, rows)| {
        let difference = (*matrix - rows.to_matrix()).to_cols_array();
        difference.into_iter().fold(0.0, |largest: f32, entry| largest.max(entry.abs()))
    });
    let apart = apart.fold(0.0, f32::max);
    println!("the first of them differs by {apart:.0e} at most from the same character alone");
    assert!(apart < 1e-5);
    Ok(())
}
