//! Procedural layers adjust the clip's pose: the eyes look at a target, and the feet stay on a hill that the clip was not
//! made for.
//!
//! ```sh
//! cargo run -p nebula-animation --example look_at_and_feet
//! cargo run -p nebula-animation --example look_at_and_feet -- my.glb  # any humanoid that walks on the spot
//! ```
use glam::{Affine3A, Vec3};
use nebula_animation::{
    AnimationClipLibrary, Asset, Character, FootPlacement, GroundPoint, HumanoidJoint, Surroundings,
    palette::joint_model_matrix, skeleton::Side,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");

/// A slope that rises by one in five towards +Z.
fn hill(place: Vec3) -> Option<GroundPoint> {
    Some(GroundPoint::new(0.2 * place.z, Vec3::new(0.0, 1.0, -0.2)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).unwrap_or(FILE.into());
    let asset = Asset::load(file)?;
    let rig = asset.rig();
    let clips = AnimationClipLibrary::new(&rig, &asset.clips());
    let walk = clips.find("walk")?;
    let speed = clips[walk.index()].velocity().length();

    // Head and legs are found by the joint names of Mixamo, Rigify, VRM, Unreal and others.
    let humanoid = rig.humanoid();
    let target = Vec3::new(4.0, 2.0, 6.0);
    let mut character = Character::of(clips);
    character.add_layer(humanoid.aim(&rig, target)?);
    character.add_layer(humanoid.foot_placement(&rig)?);
    character.mixer.play(walk, 0.0)?;
    let head = humanoid.require(HumanoidJoint::Head)?;
    let toes = humanoid.get(HumanoidJoint::Toes(Side::Left)).ok_or("measuring needs toes, the layer does not")?;
    let front = rig.in_joint(head, rig.front().ok_or("which way is forward?")?);

    let (dt, mut lowest, mut pose) = (1.0 / 60.0, [0.0_f32; 2], rig.bind_pose());
    for frame in 0..240 {
        // The entity moves up the hill at the speed of its clip.
        let elapsed = frame as f32 * dt;
        let world_from_model = Affine3A::from_translation(Vec3::new(0.0, 0.2, 1.0) * speed * elapsed);
        let velocity = Vec3::new(0.0, 0.2, 1.0) * speed;
        let ground = Some(&hill as _);
        character.update(dt, &Surroundings { world_from_model, velocity, ground, ..Surroundings::default() });

        // How deep the toes are in the hill, before and after the layers, and how far the eyes are off target.
        character.mixer.write_pose(&mut pose);
        let models = [joint_model_matrix(&rig, &pose, toes), character.frame().model_matrix(toes)];
        let [before, after] = models.map(|model| world_from_model.transform_point3(model.w_axis.truncate()));
        for (lowest, toes_now) in lowest.iter_mut().zip([before, after]) {
            *lowest = lowest.min(toes_now.y - 0.2 * toes_now.z - rig.position(toes).y);
        }
        let model_from_head = character.frame().model_matrix(head);
        let place = world_from_model.transform_point3(model_from_head.w_axis.truncate());
        let off = model_from_head.transform_vector3(front).angle_between(target - place).to_degrees();
        if frame % 60 == 59 {
            let stands = character.layer_mut::<FootPlacement>().is_some_and(|feet| feet.is_planted(0));
            println!("{elapsed:.0} s: eyes {off:.1} degrees off, left toes at {after:.2}, standing: {stands}");
            assert!(off < 5.0, "the head faces what the eyes meet, but for where the eyes are");
        }
    }
    let [clip, bent] = lowest.map(|height| 100.0 * (0.0 - height));
    println!("the clip alone puts the left toes {clip:.1} cm into the hill, with the layer it is {bent:.1} cm");
    assert!(clip > 2.0 && bent < 1.0);
    Ok(())
}
