//! `KHR_animation_clip`: how the file wants its animations to be played, and how to play them differently.
//!
//! ```sh
//! cargo run -p nebula-animation --example khr_animation_clip
//! cargo run -p nebula-animation --example khr_animation_clip -- my.glb
//! ```
use nebula_animation::{Asset, Character, Clock, Surroundings, clip::ClipEntry};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).unwrap_or(FILE.into());
    let asset = Asset::load(file)?;
    let animations = asset.clips();
    let first = animations.first().ok_or("the file has no animations")?;

    // The file's entries, and one of our own: the second half of the first animation, ping-pong, three times.
    let mut entries = asset.clip_entries.clone();
    println!("the file has {} entries", entries.len());
    let duration = f64::from(first.duration);
    entries.push(ClipEntry {
        name: "there and back".into(),
        animations: vec![0],
        start: 0.5 * duration,
        end: Some(duration),
        repetitions: 3,
        reverse: true,
        ..ClipEntry::default()
    });
    for entry in &entries {
        entry.check(animations.len())?; // The loader has done so for those of the file.
    }

    // An entry can play several animations at once: merged into one clip, they are played by the entry's clock.
    let clips: Vec<_> = entries.iter().map(|entry| entry.merged_clip(&animations)).collect();
    let mut character = Character::new(asset.skeleton, &clips);
    for (index, entry) in entries.iter().enumerate() {
        let clock = Clock::from(entry);
        character.mixer.restart(index, 0.0)?.play_by(clock);
        let mut shown = Vec::new();
        for _ in 0..8 {
            character.update(0.5, &Surroundings::default());
            let time = character.mixer.current_action.as_ref().ok_or("just played")?.time;
            shown.push(format!("{time:.2}"));
            // Clip time is a function of total time: the clock gives the same result without any character.
            let expected = clock.at(0.5 * shown.len() as f64);
            assert!((f64::from(time) - expected.time).abs() < 1e-6, "{}", entry.name);
        }
        let end = clock.finishes_at().map_or("plays on".into(), |seconds| format!("ends after {seconds} s"));
        println!("{:>22}: every half second {} ({end})", entry.name, shown.join(" "));
    }

    // Ours ends after one and a half durations, at the end of the animation: there, back, and there again.
    let own = Clock::from(&entries[entries.len() - 1]);
    assert_eq!(own.finishes_at(), Some(1.5 * duration));
    assert!(own.at(2.0 * duration).is_finished && own.at(2.0 * duration).time == duration);
    Ok(())
}
