//! Layers: the character walks, its right arm waves, and breathing is added on top.
//!
//! ```sh
//! cargo run -p nebula-animation --example layers_and_masks
//! cargo run -p nebula-animation --example layers_and_masks -- my.glb walk wave RightShoulder idle
//! ```
use glam::Quat;
use nebula_animation::{
    AnimationClipLibrary, Asset, Character, JointMask, Surroundings, mixer::BlendMode, sample::additive_clip_from_frame,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut argument = |default: &str| arguments.next().unwrap_or(default.into());
    let file = argument(FILE);
    let (walk, wave, arm, idle) = (argument("walk"), argument("wave"), argument("RightShoulder"), argument("idle"));
    let asset = Asset::load(file)?;
    let (rig, mut clips) = (asset.rig(), asset.clips());

    // An additive clip holds differences from a pose: here, the motion of the idle clip relative to its first frame.
    let idle = clips.iter().find(|clip| clip.name == idle).ok_or("no such clip to breathe by")?;
    let mut breath = additive_clip_from_frame(idle, &rig, 0.0);
    breath.name = "breath".into();
    clips.push(breath);

    // A mask has a weight for each joint, from 0 to 1.
    let mask = JointMask::none(&rig).with_subtree(&rig, &arm, 1.0)?;
    let library = AnimationClipLibrary::new(&rig, &clips);
    let mut walking = Character::of(library.clone());
    let mut character = Character::of(library);
    walking.mixer.play(&*walk, 0.0)?;
    character.mixer.play(&*walk, 0.0)?;

    let waving = character.mixer.add_masked_layer("arm", mask.clone());
    character.mixer.play_on(waving, &*wave, 0.25)?;

    let breathing = character.mixer.add_layer("breath");
    let layer = character.mixer.layer_mut(breathing).ok_or("just added")?;
    layer.mode = BlendMode::Additive;
    layer.weight = 0.0; // Comes in after the first second.
    layer.play("breath", 0.0)?;

    for frame in 0..120 {
        if frame == 60
            && let Some(layer) = character.mixer.layer_mut(breathing)
        {
            layer.weight = 1.0;
        }
        character.update(1.0 / 60.0, &Surroundings::default());
        walking.update(1.0 / 60.0, &Surroundings::default());
        if frame == 59 || frame == 119 {
            let poses = (0..rig.joint_count() as u16)
                .map(|joint| (character.frame().local(joint), walking.frame().local(joint)));
            let turn = |a: Quat, b: Quat| 2.0 * (a * b.inverse()).xyz().length().min(1.0).asin().to_degrees();
            let turned: Vec<_> = poses.map(|(mixed, plain)| turn(mixed.1, plain.1)).collect();
            let largest = |inside: bool| {
                let is_in = |joint: &usize| (mask.weight(*joint) > 0.0) == inside;
                (0..turned.len()).filter(is_in).map(|joint| turned[joint]).fold(0.0, f32::max)
            };
            let what = if frame < 60 { "walk and wave" } else { "walk, wave and breath" };
            println!(
                "{what}: the arm is up to {:.1} degrees from the walk's, the rest {:.2}",
                largest(true),
                largest(false)
            );
            assert!(largest(true) > 20.0, "the arm waves");
            assert_eq!(largest(false) > 0.1, frame >= 60, "the rest just walks, until it breathes");
        }
    }
    Ok(())
}
