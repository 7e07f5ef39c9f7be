//! A third-person character: gaits by speed, a jump, a one-shot wave, look-at, feet on a hill with a lift, a sword,
//! footsteps, a face.
//!
//! `cargo run -p nebula-animation --example third_person -- my.glb`, or without a file for the included character.
use glam::{Affine3A, Quat, Vec2, Vec3};
use nebula_animation::{AnimationClip, Asset, prelude::*};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/simple_humanoid.glb");

/// What the game owns: a hill that ends at a lift.
struct Level {
    edge: f32,
    lift: f32,
    lift_speed: f32,
}

impl GroundQuery for Level {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        let lift = GroundPoint::level(0.15 * self.edge + self.lift).moving(Vec3::Y * self.lift_speed);
        Some(if place.z > self.edge { lift } else { GroundPoint::new(0.15 * place.z, Vec3::new(0.0, 1.0, -0.15)) })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asset = Asset::load(std::env::args().nth(1).as_deref().unwrap_or(FILE))?;
    let (rig, mut clips) = (asset.rig(), asset.clips());
    clips.push(AnimationClip::of_morph_weight("frown", 0, &[(0.0, 0.0), (0.2, 1.0)]));
    let options = LibraryOptions { step_marker: Some("step".into()), ..Default::default() };
    let library = AnimationClipLibrary::with_options(&rig, &clips, options);
    let clip = |names: &[&str]| library.find_any(names);
    let gaits = [clip(&["idle", "Idle"])?, clip(&["walk", "Walking"])?, clip(&["run", "Running"])?];
    let walk = library[gaits[1]].velocity().length();
    let mut hero = Character::of(library.clone());
    let gait = hero.mixer.add_blend_space(BlendSpace::by_speed(&library, &gaits)?);
    hero.mixer.play(gait, 0.0)?;
    let arms = hero.mixer.add_masked_layer("arms", rig.upper_body()?);
    let face = hero.mixer.add_masked_layer("face", rig.face());
    hero.add_layer(rig.humanoid().aim(&rig, Vec3::new(2.0, 2.0, 9.0) * walk)?);
    hero.add_layer(rig.humanoid().foot_placement(&rig)?);
    let hand = if rig.joint_by_name("RightHand").is_some() { "RightHand" } else { "Palm2.R" };
    let sword = hero.attach(BoneAttachment::named(hand).at(Vec3::Y * 0.05, Quat::IDENTITY))?;

    let mut level = Level { edge: 4.0 * walk, lift: 0.0, lift_speed: 0.0 };
    let feet = rig.feet().ok_or("no feet")?.legs();
    let (mut z, mut steps, mut waved, mut frowned, mut off) = (0.0, 0, false, 0.0_f32, 0.0_f32);
    for frame in 0..720 {
        let (dt, is_there) = (1.0 / 60.0, z > 4.5 * walk);
        let speed = if is_there { 0.0 } else { walk * (frame as f32 / 60.0).min(1.0) };
        level.lift_speed = if (420..480).contains(&frame) { 0.1 * walk } else { 0.0 };
        (z, level.lift) = (z + speed * dt, level.lift + level.lift_speed * dt);
        match frame {
            60 => hero.mixer.play_once_on(arms, clip(&["wave", "Wave"])?, 0.2, 0.2)?.speed = 1.0,
            90 => hero.mixer.play_on(face, "frown", 0.1)?.looping = false,
            560 => hero.mixer.play(clip(&["jump", "Jump"])?, 0.1)?.looping = false,
            640 => hero.mixer.play(gait, Fade::inertialised(0.2))?.looping = true,
            _ => hero.mixer.set_blend_position(gait, Vec2::X * speed)?,
        }
        let height = level.ground(Vec3::Z * z).map_or(0.0, |ground| ground.height);
        let world_from_model = Affine3A::from_translation(Vec3::new(0.0, height, z));
        let (ground, is_grounded) = (Some(&level as &dyn GroundQuery), !(560..620).contains(&frame));
        hero.update(dt, &Surroundings { world_from_model, ground, is_grounded, ..Default::default() });
        steps += hero.events().filter(|event| event.marker.name == "step").count();
        waved |= hero.mixer.layer(arms).is_some_and(|arms| arms.actions().any(|(_, share)| share == 1.0));
        frowned = hero.frame().morph_weights().first().map_or(1.0, |weight| frowned.max(*weight));
        for foot in feet.iter().map(|leg| leg.foot).filter(|_| (430..500).contains(&frame) || frame > 710) {
            off = off.max((hero.frame().model_matrix(foot).w_axis.y - rig.position(foot).y).abs());
        }
    }
    let head = rig.humanoid().require(HumanoidJoint::Head)?;
    let gaze = hero.frame().model_matrix(head).transform_vector3(rig.in_joint(head, Vec3::Z)).normalize_or_zero();
    println!("{steps} steps, the feet were {off:.3} m off the lift, it looks along {gaze:.2}");
    assert!(hero.mixer.layer(arms).is_some_and(|arms| waved && arms.current_action.is_none()), "it hands back");
    assert!(steps >= 4 && frowned > 0.99 && off < 0.03 * walk && gaze.x > 0.1 && hero.attachment(sword).w_axis.y > 0.2);
    Ok(())
}
