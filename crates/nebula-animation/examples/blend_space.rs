//! A blend space: standing, walking and running become one motion at any speed between them.
//!
//! ```sh
//! cargo run -p nebula-animation --example blend_space
//! cargo run -p nebula-animation --example blend_space -- my.glb idle walk run
//! ```
use glam::Vec2;
use nebula_animation::{AnimationClipLibrary, Asset, BlendSpace, Character, Surroundings};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or(FILE.into());
    let names = ["idle", "walk", "run"].map(|name| arguments.next().unwrap_or(name.into()));
    let asset = Asset::load(file)?;
    let clips = AnimationClipLibrary::new(&asset.rig(), &asset.clips());

    // Each clip is placed at its own walking speed in metres per second. `BlendSpace::line` places clips by any number,
    // `BlendSpace::plane` by two.
    let mut gaits = Vec::new();
    for name in &names {
        gaits.push(clips.find(name)?);
    }
    let space = BlendSpace::by_speed(&clips, &gaits)?;
    let fastest = space.samples()[2].position.x;

    let mut character = Character::of(clips);
    let gait = character.mixer.add_blend_space(space.clone());
    character.mixer.play(gait, 0.3)?;
    let mut pose = character.rig().bind_pose();
    let mut before = pose.clone();
    for frame in 0..=240 {
        let speed = fastest * (frame as f32 / 240.0);
        character.mixer.set_blend_position(gait, Vec2::new(speed, 0.0))?;
        character.update(1.0 / 60.0, &Surroundings::default());
        character.frame().write_pose(&mut pose);

        // Position follows speed: the pose never jumps.
        let poses = pose.iter().zip(&before);
        let turn = poses.map(|(now, before)| now.1.angle_between(before.1)).fold(0.0, f32::max);
        assert!(turn < 0.5 || frame == 0, "a joint turns by {turn} radians in a frame");
        before.clone_from(&pose);

        if frame % 40 == 0 {
            let weights = space.weights_on_line(speed);
            let shares = weights.iter().map(|&(sample, weight)| format!("{:.0}% {}", 100.0 * weight, names[sample]));
            let shares: Vec<_> = shares.collect();
            println!("{speed:.2} m/s: {}, a cycle takes {:.2} s", shares.join(" + "), space.duration(&weights));
            assert!((weights.iter().map(|(_, weight)| weight).sum::<f32>() - 1.0).abs() < 1e-6);
        }
    }
    // At the position of a clip, the blend is that clip alone.
    assert_eq!(*space.weights_on_line(space.samples()[1].position.x), [(1, 1.0)]);
    Ok(())
}
