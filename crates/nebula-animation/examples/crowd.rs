//! Ten thousand characters in one call, each at its own time, speed and blend, with all palettes in one buffer. They
//! report footsteps, and one of them is removed.
//!
//! ```sh
//! cargo run --release -p nebula-animation --example crowd
//! cargo run --release -p nebula-animation --example crowd -- my.glb 50000
//! ```
use std::time::Instant;

use nebula_animation::{
    AnimationClipLibrary, Asset, Character, Crowd, LibraryOptions, Surroundings, crowd::SecondClip,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let asset = Asset::load(arguments.next().as_deref().unwrap_or(FILE))?;
    let count: usize = arguments.next().unwrap_or("10000".into()).parse()?;
    // Clips compiled for palettes play a third faster. Markers are added wherever a foot lands.
    let options = LibraryOptions { for_palettes: true, step_marker: Some("step".into()), ..Default::default() };
    let library = AnimationClipLibrary::with_options(&asset.rig(), &asset.clips(), options);
    let joints = library.rig().joint_count();

    // A crowd shares the clips of any number of libraries, each with its rig.
    let mut crowd = Crowd::new();
    let clips: Vec<_> = library.ids().map(|clip| crowd.add_clip(&library, clip)).collect::<Result<_, _>>()?;
    let first = *clips.first().ok_or("the file has no clips")?;
    let people: Vec<_> = (0..count).map(|_| crowd.spawn(first)).collect::<Result<_, _>>()?;
    for (index, character) in crowd.characters_mut().iter_mut().enumerate() {
        character.time = 0.01 * index as f64;
        character.speed = 1.0 + 0.1 * (index % 5) as f32;
        if index % 2 == 1 {
            let clip = clips[index % clips.len()];
            character.second = Some(SecondClip { clip, time: 0.0, weight: 0.5 }); // Halfway into another clip.
        }
    }

    crowd.update(0.5); // The first frame takes memory, the others do not.
    let start = Instant::now();
    crowd.update(0.25); // `evaluate_on_threads` uses all cores, with the feature `parallel`.
    let micros = start.elapsed().as_secs_f64() * 1e6;
    let bytes = size_of_val(crowd.palettes());
    println!("{count} characters of {joints} joints in {:.1} ms, {:.2} us each", micros / 1e3, micros / count as f64);
    println!("{:.1} MB to upload, 48 bytes a joint; {} steps were heard", bytes as f64 / 1e6, crowd.events().count());
    assert_eq!(crowd.palettes().len(), count * joints);

    // The first character alone.
    let mut alone = Character::of(library.clone());
    alone.mixer.play(0, 0.0)?;
    alone.update(0.75, &Surroundings::default());
    let apart = alone.palette().iter().zip(crowd.palettes()).map(|(matrix, rows)| {
        let difference = (*matrix - rows.to_matrix()).to_cols_array();
        difference.into_iter().fold(0.0, |largest: f32, entry| largest.max(entry.abs()))
    });
    let apart = apart.fold(0.0, f32::max);
    println!("the first of them differs by {apart:.0e} at most from the same character alone");
    assert!(apart < 1e-5);

    // One is removed: the others keep their handles, and palettes stay contiguous.
    let leaver = people[count / 2];
    assert!(crowd.remove(leaver).is_some());
    crowd.update(0.25);
    assert_eq!((crowd.palettes().len(), crowd.palette_start(leaver)), ((count - 1) * joints, None));
    assert!(people.iter().all(|id| *id == leaver || crowd.palette_start(*id).is_some()));
    println!("#{} has left, the last one's palette is at {:?}", count / 2, crowd.palette_start(people[count - 1]));
    Ok(())
}
