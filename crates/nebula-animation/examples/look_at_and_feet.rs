//! Layers bend the clip's pose: the eyes meet a target, and the feet stay on a hill that the clip knows nothing of.
//!
//! ```sh
//! cargo run -p nebula-animation --example look_at_and_feet
//! cargo run -p nebula-animation --example look_at_and_feet -- my.glb  # any humanoid that walks on the spot
//! ```
use glam::{Affine3A, Vec3};
use nebula_animation::{
    AnimationClipLibrary, AnimationPlayer, FootPlacement, GroundPoint, HumanoidJoint, HumanoidMap, ModelPose,
    ProceduralAnimationStack, ProceduralContext, RestPose, compile::ContactTrack, compute_world_matrices,
    frame::ShownClip, load_skeleton_and_clips, player::advance_and_sample, skeleton::Side,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");
const SPEED: f32 = 0.6;

/// A slope that rises by one in five towards +Z.
fn hill(place: Vec3) -> Option<GroundPoint> {
    Some(GroundPoint { height: 0.2 * place.z, normal: Vec3::new(0.0, 1.0, -0.2) })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).unwrap_or(FILE.into());
    let (skeleton, clips) = load_skeleton_and_clips(file.as_ref())?;
    let walk = clips.iter().position(|clip| clip.name == "walk").ok_or("there is no clip \"walk\"")?;

    // Who is the head, and which joints are a leg: found by the names of Mixamo, Rigify, VRM, Unreal and others.
    let humanoid = HumanoidMap::find(&skeleton)?;
    let rest = RestPose::of(&skeleton);
    let feet = humanoid.feet(&rest)?;
    let contacts: Vec<_> = clips.iter().map(|clip| ContactTrack::from_clip(clip, &skeleton, &feet)).collect();
    let target = Vec3::new(4.0, 2.0, 6.0);
    let mut stack = ProceduralAnimationStack::default();
    stack.push(humanoid.aim(&rest, target)?);
    stack.push(FootPlacement::new(feet, hill).with_tracks(contacts));
    let head = humanoid.require(HumanoidJoint::Head)?;
    let toes = humanoid.get(HumanoidJoint::Toes(Side::Left)).ok_or("measuring needs toes, the layer does not")?;
    let front = rest.in_joint(head, rest.front().ok_or("which way is forward?")?);

    let clips = AnimationClipLibrary::from(clips);
    let mut player = AnimationPlayer::new(walk, clips[walk].duration, skeleton.joints.len());
    let (dt, mut lowest) = (1.0 / 60.0, [0.0_f32; 2]);
    for frame in 0..240 {
        // The entity moves as its clip walks, up the hill.
        let elapsed = frame as f32 * dt;
        let place = Vec3::new(0.0, 0.2 * SPEED * elapsed, SPEED * elapsed);
        let velocity = Vec3::new(0.0, 0.2 * SPEED, SPEED);
        let context = ProceduralContext { dt, elapsed, entity_position: place, entity_forward: Vec3::Z, velocity };

        advance_and_sample(&mut player, &skeleton, &clips, dt);
        stack.show_clips(&[ShownClip { clip: walk, time: player.time, weight: 1.0 }]);
        let world_from_model = Affine3A::from_translation(place);
        let mut pose = ModelPose::new(&rest, &mut player.local_poses, world_from_model);
        let before = pose.world_position(toes);
        stack.apply_in_model(&context, &mut pose);
        let after = pose.world_position(toes);

        // How deep the toes are in the hill, in the clip's pose and in the bent one, and how far the eyes are off.
        for (lowest, toes_now) in lowest.iter_mut().zip([before, after]) {
            *lowest = lowest.min(toes_now.y - 0.2 * toes_now.z - rest.position(toes).y);
        }
        let gaze = pose.model(head).transform_vector3(front);
        let off = gaze.angle_between(target - pose.world_position(head)).to_degrees();
        let stands = stack.layer::<FootPlacement>().is_some_and(|feet| feet.is_planted(0));
        drop(pose);
        compute_world_matrices(&mut player, &skeleton); // The palette, of the bent pose.
        if frame % 60 == 59 {
            println!("{elapsed:.0} s: eyes {off:.1} degrees off, left toes at {after:.2}, standing: {stands}");
            assert!(off < 5.0, "the head faces what the eyes meet, but for where the eyes are");
        }
    }
    let [clip, bent] = lowest.map(|height| 100.0 * (0.0 - height));
    println!("the clip alone puts the left toes {clip:.1} cm into the hill, with the layer it is {bent:.1} cm");
    assert!(clip > 2.0 && bent < 1.0);
    Ok(())
}
