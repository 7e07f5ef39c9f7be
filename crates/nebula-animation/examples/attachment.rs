//! A sword in a running character's hand: an object attached to a joint, and its transform in the world.
//!
//! ```sh
//! cargo run -p nebula-animation --example attachment
//! cargo run -p nebula-animation --example attachment -- my.glb RightHand
//! ```
use std::f32::consts::FRAC_PI_2;

use glam::{Mat4, Quat, Vec3};
use nebula_animation::skinning::Bounds;
use nebula_animation::{
    Asset, BoneAttachment, Character, Surroundings,
    asset::{LoadOptions, MeshSelection},
    load_skeleton_and_clips,
};

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or(format!("{ASSETS}/simple_humanoid.glb"));
    let joint = arguments.next().unwrap_or("RightHand".into());
    let (skeleton, clips) = load_skeleton_and_clips(file.as_ref())?;

    // Static rigid meshes are only loaded on request. The sword's origin is its grip, and its blade points along +Z.
    let options = LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() };
    let sword = Asset::load_with(format!("{ASSETS}/sword.glb"), &options)?;
    let vertices = sword.meshes.iter().flat_map(|mesh| mesh.primitives.iter()).flat_map(|part| &part.positions);
    let bounds = Bounds::around(vertices.map(|&position| position.into())).ok_or("the sword has no vertices")?;
    let tip = Vec3::new(0.0, 0.0, bounds.max.z);

    // In the palm, rotated so that the edges point up and down when the arm hangs. An unknown joint is an error that
    // lists similar names.
    let mut character = Character::new(skeleton, &clips);
    let held = BoneAttachment::named(&joint).at(Vec3::new(-0.08, 0.0, 0.0), Quat::from_rotation_z(-FRAC_PI_2));
    let held = character.attach(held)?;
    let typo = character.attach(BoneAttachment::named("RigthHnad"));
    println!("a typo gives: {}", typo.err().ok_or("nobody has such a joint")?);
    let hand = character.rig().joint_by_name(&joint).ok_or("just found")?;

    let run = character.mixer.clips().index_of("run").unwrap_or(0);
    character.mixer.play(run, 0.0)?;
    let world_from_model = Mat4::from_translation(Vec3::new(10.0, 0.0, 0.0));
    for frame in 1..=42 {
        character.update(1.0 / 60.0, &Surroundings::default());

        // The matrix to draw the sword with.
        let world_from_sword = world_from_model * character.attachment(held);
        let (grip, point) = (world_from_sword.w_axis.truncate(), world_from_sword.transform_point3(tip));
        if frame % 7 == 0 {
            println!("{:.2} s: grip at {grip:.2}, tip at {point:.2}", frame as f32 / 60.0);
        }

        // It stays in the hand, and keeps its length.
        let wrist = world_from_model * character.frame().model_matrix(hand);
        assert!((wrist.w_axis.truncate().distance(grip) - 0.08).abs() < 1e-4);
        assert!((grip.distance(point) - tip.z).abs() < 1e-4);
    }
    Ok(())
}
