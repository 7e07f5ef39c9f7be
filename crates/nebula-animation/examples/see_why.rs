//! The last seconds of a character, replayed: why is a joint where it is, what if it had not jumped, and a file for a bug
//! report.
//!
//! ```sh
//! cargo run -p nebula-animation --example see_why
//! cargo run -p nebula-animation --example see_why -- my.glb  # with clips walk and jump
//! ```
use nebula_animation::{
    AnimationClipLibrary, Asset, Character, Surroundings,
    recorder::{Input, Recorder, Recording},
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).unwrap_or(FILE.into());
    let asset = Asset::load(file)?;
    let clips = AnimationClipLibrary::new(&asset.rig(), &asset.clips());
    let [walk, jump] = [clips.find("walk")?, clips.find("jump")?];

    // Instead of a Character: keeps the last ten seconds, as states and inputs.
    let mut hero = Recorder::new(Character::of(clips.clone()), 10.0);
    hero.give(Input::play(walk, 0.0))?;
    for frame in 0..120 {
        if frame == 60 {
            hero.give(Input::play(jump, 0.3))?;
        }
        hero.update(1.0 / 60.0, &Surroundings::default());
    }
    let frames = hero.tape().frames();
    println!("{} frames in {} bytes", frames.end - frames.start, hero.tape().bytes());
    assert!(hero.tape().bytes() < 120 * 1024);

    // Restore any frame, with the same bits, into a copy, and list everything that contributed to a joint's pose.
    let mut past = hero.clone_character();
    hero.tape().restore(69, &mut past)?;
    let joint = past.rig().joints[1].name.clone();
    let why = past.explain(&joint)?;
    println!("\nframe 69:\n{why}");
    let levels = &why.mixer.layers[0].levels;
    assert_eq!(levels.len(), 2, "it fades from the walk to the jump");
    let fade = levels[1].fade.as_ref().ok_or("there is a fade")?;
    assert!((fade.progress - 10.0 / 18.0).abs() < 1e-3, "ten frames of eighteen");

    // What if it had not jumped?
    let mut other = hero.clone_character();
    let mut playback = hero.tape().playback(0)?;
    let is_jump = |input: &Input| *input == Input::play(jump, 0.3);
    while playback.step_with(&mut other, |input| !is_jump(input))? {}
    assert_ne!(other.palette(), hero.palette());
    let shown = other.frame().shown()[0].clip;
    println!("without the jump it would {}", clips[shown.index()].name());

    // Save it as a file, which `nebula-demo explain` and `nebula-demo view` open as well.
    let bytes = Recording::of([("hero", hero.tape())]).to_bytes();
    let recording = Recording::from_bytes(&bytes)?;
    let mut elsewhere = Recorder::resume(Character::of(clips), recording.tape("hero")?.clone())?;
    assert_eq!(elsewhere.palette(), hero.palette());

    // Continue from there, as if everything after it had not happened.
    elsewhere.rewind(59)?;
    elsewhere.update(1.0 / 60.0, &Surroundings::default());
    assert_eq!(elsewhere.tape().frames(), 0..61);
    Ok(())
}
