//! A character as a component is the character, to the bit: its feet are told what its mixer shows, and ask the world's ground.

use bevy_ecs::prelude::*;
use glam::{Affine3A, Quat, Vec2, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, BlendSpace, BoneAttachment, Character, Fade, FootPlacement, GroundPoint,
    GroundQuery, JointPose, LayerId, Surroundings, TargetId,
    clip::MorphLayout,
    ecs::{Airborne, ModelOffset, Time, Transform, Velocity, add_animation_systems_on},
    mixer::Motion,
    rig::{Rig, RigOptions},
};

use crate::characters::Random;
use crate::support::humanoid::humanoid;

/// Waves, and a lift that goes up and down.
#[derive(Resource, Clone, Copy, Default)]
struct Hills {
    lift: f32,
    lift_speed: f32,
}

impl GroundQuery for Hills {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        let waves = GroundPoint::new(0.2 * (0.8 * place.z).sin(), Vec3::new(0.0, 1.0, -0.16 * (0.8 * place.z).cos()));
        let lift = GroundPoint::level(self.lift).moving(Vec3::Y * self.lift_speed);
        Some(if place.x > 1.0 { lift } else { waves })
    }
}

/// Clips of the humanoid, and a smile.
fn library() -> AnimationClipLibrary {
    let (skeleton, mut clips) = humanoid();
    clips.push(AnimationClip::of_morph_weight("smile", 0, &[(0.0, 0.0), (0.4, 1.0), (0.9, 0.2)]));
    let options = RigOptions { morphs: MorphLayout::of_clips(&clips), ..RigOptions::default() };
    AnimationClipLibrary::new(&Rig::with_options(skeleton, options), &clips)
}

/// Gaits, a layer for the arms and one for the face; feet, a gaze that follows a target, breath, and a sword.
fn hero(target: TargetId) -> (Character, Motion, [LayerId; 2]) {
    let library = library();
    let rig = library.rig().clone();
    let gaits = ["idle", "walk", "run"].map(|name| library.find(name).expect("a clip"));
    let mut hero = Character::of(library.clone());
    let gait = hero.mixer.add_blend_space(BlendSpace::by_speed(&library, &gaits).expect("a line"));
    hero.mixer.play(gait, 0.0).expect("it is there");
    let arms = hero.mixer.add_masked_layer("arms", rig.upper_body().expect("a humanoid"));
    let face = hero.mixer.add_masked_layer("face", rig.face());
    hero.add_layer(rig.humanoid().breathing().expect("a chest"));
    hero.add_layer(rig.humanoid().aim(&rig, Vec3::ZERO).expect("a head").following(target));
    hero.add_layer(rig.humanoid().foot_placement(&rig).expect("legs"));
    hero.attach(BoneAttachment::named("RightHand")).expect("a hand");
    (hero, gait, [arms, face])
}

/// Something that a game does with its hero, the same for both.
fn act(hero: &mut Character, frame: usize, gait: Motion, [arms, face]: [LayerId; 2], draw: &mut Random) {
    let speed = 1.3 + 1.3 * (frame as f32 * 0.017).sin();
    hero.mixer.set_blend_position(gait, Vec2::X * speed).expect("a space");
    let seconds = draw.between(0.05, 0.5);
    let fade = [Fade::linear(seconds), Fade::smooth(seconds), Fade::inertialised(seconds)][draw.below(3)];
    let clip = ["idle", "walk", "run", "jump"][draw.below(4)];
    match draw.below(60) {
        0 | 1 => drop(hero.mixer.play(gait, fade)),
        2 => drop(hero.mixer.play(clip, fade)),
        3 => drop(hero.mixer.play_once_on(arms, "wave", fade, fade)),
        4 => drop(hero.mixer.play_once_on(face, "smile", 0.1, 0.1)),
        5 => hero.mixer.time_scale = [0.0, 0.5, 1.0, 1.0, 1.0][draw.below(5)],
        _ => {}
    }
}

fn pose(character: &Character) -> Vec<JointPose> {
    let mut pose = character.rig().bind_pose();
    character.frame().write_pose(&mut pose);
    pose
}

#[test]
fn a_component_is_the_same_character_to_the_bit() {
    let (mut world, mut schedule) = (World::new(), Schedule::default());
    add_animation_systems_on::<Hills>(&mut schedule);
    let friend = world.spawn(Transform::default()).id();
    let target = TargetId(friend.to_bits());
    let (mut plain, gait, layers) = hero(target);
    let offset = ModelOffset::facing_forward(plain.rig());
    let entity = world.spawn((plain.clone(), offset)).id();
    let (mut planted, mut faded, mut shown) = (0, 0, 0);
    let mut draws = [Random::new(9), Random::new(9)];
    let mut other = Random::new(10);
    for frame in 0..900 {
        let time = frame as f32 / 60.0;
        let lift_speed = 0.4 * (0.9 * time).cos();
        let hills = Hills { lift: 0.4 / 0.9 * (0.9 * time).sin(), lift_speed };
        let x = if frame % 300 < 150 { 0.0 } else { 1.6 };
        let z = 0.9 * time;
        let height = hills.ground(Vec3::new(x, 0.0, z)).map_or(0.0, |ground| ground.height);
        let place = Transform {
            translation: Vec3::new(x, height, z),
            rotation: Quat::from_rotation_y(std::f32::consts::PI + 0.2 * time.sin()),
            scale: Vec3::splat(1.1),
        };
        let velocity = Vec3::new(0.0, lift_speed, 0.9);
        let looked_at = Vec3::new(2.0 * time.sin(), 1.5, z + 2.0);
        let is_airborne = (400..430).contains(&frame);
        let is_seen = !(500..560).contains(&frame);
        let dt = f64::from(other.between(0.005, 0.03));

        world.insert_resource(hills);
        match is_seen {
            true => world.entity_mut(friend).insert(Transform::from_translation(looked_at)),
            false => world.entity_mut(friend).remove::<Transform>(),
        };
        world.entity_mut(entity).insert((place, Velocity { linear: velocity }));
        match is_airborne {
            true => world.entity_mut(entity).insert(Airborne),
            false => world.entity_mut(entity).remove::<Airborne>(),
        };
        act(&mut world.get_mut::<Character>(entity).expect("it is one"), frame, gait, layers, &mut draws[0]);
        world.get_resource_or_init::<Time>().advance(dt);
        schedule.run(&mut world);

        act(&mut plain, frame, gait, layers, &mut draws[1]);
        let world_from_model: Affine3A = place.to_affine() * offset.0.to_affine();
        let targets = |id: TargetId| (id == target && is_seen).then_some(looked_at);
        plain.update(
            dt,
            &Surroundings {
                world_from_model,
                velocity,
                ground: Some(&hills),
                is_grounded: !is_airborne,
                targets: Some(&targets),
            },
        );

        let component = world.get::<Character>(entity).expect("it is one");
        assert_eq!(component.frame().shown(), plain.frame().shown(), "frame {frame}");
        assert_eq!(pose(component), pose(&plain), "frame {frame}");
        assert_eq!(component.palette(), plain.palette(), "frame {frame}");
        assert_eq!(component.frame().morph_weights(), plain.frame().morph_weights(), "frame {frame}");
        assert_eq!(component.frame().attachment(0), plain.frame().attachment(0), "frame {frame}");
        let feet = component.layers.layer::<FootPlacement>().expect("feet");
        planted += usize::from(feet.is_planted(0)) + usize::from(feet.is_planted(1));
        faded += usize::from(component.mixer.is_fading());
        shown = shown.max(component.frame().shown().len());
    }
    assert!((200..1700).contains(&planted) && faded > 60 && shown >= 4, "{planted} {faded} {shown}");
}

/// While one clip walks on level ground, a foot is planted when the contacts of that clip say so: in a world as well.
#[test]
fn feet_stand_when_the_contacts_of_the_clips_say_so() {
    let (mut world, mut schedule) = (World::new(), Schedule::default());
    add_animation_systems_on::<Hills>(&mut schedule);
    world.insert_resource(Hills::default());
    let library = library();
    let walk = library.find("walk").expect("a clip").index();
    let contacts = library[walk].contacts().expect("it has feet").clone();
    let speed = library[walk].velocity();
    let mut character = Character::of(library.clone());
    character.mixer.play("walk", 0.0).expect("a clip");
    character.add_layer(library.rig().humanoid().foot_placement(library.rig()).expect("legs"));
    let entity = world.spawn(character).id();
    let mut counts = [[0; 2]; 2];
    for frame in 1..600 {
        // On the lift, which stands.
        let place = Vec3::X * 5.0 + speed * (frame as f32 / 60.0);
        world.entity_mut(entity).insert(Transform::from_translation(place));
        world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
        schedule.run(&mut world);
        let character = world.get::<Character>(entity).expect("it is one");
        let time = character.mixer.current_action.as_ref().expect("it walks").time;
        let feet = character.layers.layer::<FootPlacement>().expect("feet");
        for leg in 0..2 {
            assert_eq!(feet.is_planted(leg), contacts.is_planted(leg, time), "frame {frame}, leg {leg} at {time}");
            counts[leg][usize::from(feet.is_planted(leg))] += 1;
        }
    }
    assert!(counts.as_flattened().iter().all(|count| *count > 100), "{counts:?}");
}
