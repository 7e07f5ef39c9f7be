//! Gaze of characters that walk and run, most of them made by others: steadier than the animation, and never faster than a neck.

mod stage;

use glam::{Affine3A, DVec3, Quat, Vec3};
use nebula_animation::{AimLayer, Character, HumanoidJoint, Surroundings, TargetId, skeleton::Side};

use super::degrees_between;
use stage::{Figures, RATES, Scene, Stage, pose};

fn everyone(test: &str) -> Vec<Stage> {
    let mut stages = Stage::own();
    stages.extend(Stage::of_others(test));
    stages
}

fn still(_time: f32) -> Affine3A {
    Affine3A::IDENTITY
}

/// Head and gaze are nearer to a target straight ahead than the animation has them, and turn less; not only of a far one. What is as
/// good as still without the layer, as the knight's head while it walks, stays so.
#[test]
fn looking_ahead_is_steadier_than_the_animation() {
    for stage in everyone("gaze::looking_ahead_is_steadier_than_the_animation") {
        for (rate, heights) in RATES.into_iter().flat_map(|rate| [(rate, 100.0), (rate, 6.0)]) {
            let target = |_: f32| stage.around(0.0, heights);
            let scene = Scene { entity: &still, target: &target, seconds: 5.0, unseen: 1.0 };
            let [without, with] = [None, Some(stage.aim())].map(|layer| stage.figures(rate, layer, scene));
            println!("{} at {rate} Hz: {without:.2?}\n    with the layer {with:.2?}", stage.name);
            // Of a target near by, the direction from the eyes is not that from the joint between head and neck; and it turns by itself while
            // the head goes up and down, by 2 degrees a second at nine metres for a third of a metre a second.
            let (beside, still) = if heights > 50.0 { (0.15, 1.0) } else { (1.8, 2.0) };
            assert!(with.mean < without.mean.max(beside) && with.mean <= 2.0, "{} at {rate} Hz", stage.name);
            assert!(with.largest < without.largest.max(beside + 1.1), "{} at {rate} Hz", stage.name);
            assert!(with.speed < without.speed.max(still), "{} at {rate} Hz: {}", stage.name, with.speed);
        }
    }
}

/// Whatever the target does, and however the entity turns, neither the gaze nor the joint is faster than 360 degrees a second, but
/// for what the animation itself rolls the head by.
#[test]
fn no_target_whips_the_head_around() {
    for stage in everyone("gaze::no_target_whips_the_head_around") {
        let check = |what: &str, entity: &dyn Fn(f32) -> Affine3A, target: &dyn Fn(f32) -> Vec3, seconds: f32| {
            for rate in RATES {
                let scene = Scene { entity, target, seconds, unseen: 0.0 };
                let figures: Figures = stage.figures(rate, Some(stage.aim()), scene);
                assert!(figures.speed <= 360.0, "{}, {what} at {rate} Hz: {figures:?}", stage.name);
                let own = stage.figures(rate, None, Scene { entity: &still, ..scene }).joint_speed;
                assert!(
                    figures.joint_speed <= 360.0_f64.max(own + 250.0),
                    "{}, {what} at {rate} Hz: {figures:?}",
                    stage.name
                );
            }
        };
        for speed in [30.0_f32, 90.0, 200.0, 700.0] {
            let circle = |time: f32| stage.around(speed * time, 5.0);
            check("a circle", &still, &circle, 720.0 / speed + 2.0);
        }
        let jump = |time: f32| {
            let number = (time * 1.7) as usize;
            let degrees = [0.0, 100.0, -100.0, 60.0, 170.0, -60.0, -170.0, 5.0, 179.0][number % 9];
            stage.around(degrees, 5.0) + Vec3::Y * [0.0, 2.0, -3.0, 0.5][number % 4]
        };
        check("jumps", &still, &jump, 6.0);
        for speed in [45.0_f32, 90.0, 180.0] {
            let turning = |time: f32| Affine3A::from_quat(Quat::from_rotation_y((speed * time).to_radians()));
            check("turning", &turning, &|_| stage.around(20.0, 5.0), 720.0 / speed);
        }
    }
}

/// A target that passes behind at 30 degrees a second is let go of: the head looks ahead again while it is behind, and picks it up on
/// the other side at leisure.
#[test]
fn what_passes_behind_is_let_go_and_picked_up_again() {
    for stage in everyone("gaze::what_passes_behind_is_let_go_and_picked_up_again") {
        // Once round in twelve seconds, from the front and back to it.
        let circle = |time: f32| stage.around(30.0 * time, 100.0);
        let scene = Scene { entity: &still, target: &circle, seconds: 12.0, unseen: 0.0 };
        for rate in RATES {
            let (mut before, mut fastest) = (None::<DVec3>, 0.0_f64);
            stage.play(rate, Some(stage.aim()), scene, |time, character, entity| {
                let (_, gaze) = stage.gaze(character, entity);
                let from_front = degrees_between(gaze, stage.front().as_dvec3());
                // Eyes take a part of the way by themselves.
                let error = degrees_between(stage.eyes_look(character), circle(time).as_dvec3());
                match 30.0 * time {
                    angle if (30.0..75.0).contains(&angle) || (285.0..340.0).contains(&angle) => {
                        assert!(error < 3.0, "{} at {rate} Hz: {error} degrees off at {angle}", stage.name);
                    }
                    angle if (175.0..185.0).contains(&angle) => {
                        assert!(from_front < 20.0, "{} at {rate} Hz: {from_front} degrees at {angle}", stage.name);
                    }
                    _ => {}
                }
                let speed = before.map_or(0.0, |before| degrees_between(before, gaze) * f64::from(rate));
                fastest = fastest.max(if time > 1.0 { speed } else { 0.0 });
                before = Some(gaze);
            });
            println!("{} at {rate} Hz: {fastest:.0} degrees a second", stage.name);
            assert!(fastest < 200.0, "{} at {rate} Hz: {fastest} degrees a second", stage.name);
        }
    }
}

/// The way to a target that has jumped, and along with one that moves, is the same at every frame rate.
#[test]
fn the_way_does_not_depend_on_the_frame_rate() {
    for stage in everyone("gaze::the_way_does_not_depend_on_the_frame_rate") {
        let ways = [30, 60, 120, 240].map(|rate: u16| {
            // Seen by the first frame that is after it as a whole.
            let jump = |time: f32| if time - 0.5 / f32::from(rate) < 1.0 { 0.0 } else { 50.0 };
            let target = |time: f32| stage.around(jump(time) + 30.0 * time, 20.0);
            let scene = Scene { entity: &still, target: &target, seconds: 2.0, unseen: 0.0 };
            let mut way = Vec::new();
            stage.play(rate, Some(stage.aim()), scene, |time, character, entity| {
                // At times that all have.
                if (time * 10.0 - (time * 10.0).round()).abs() < 1e-3 {
                    way.push(stage.gaze(character, entity).1);
                }
            });
            way
        });
        for way in &ways {
            assert_eq!(way.len(), 20);
            for (number, (gaze, finest)) in way.iter().zip(&ways[3]).enumerate().skip(6) {
                let apart = degrees_between(*gaze, *finest);
                assert!(apart < 1.5, "{}: {apart} degrees apart at {number}/10 s", stage.name);
            }
        }
    }
}

/// The gaze becomes faster and slower as a neck does. Measured where nothing else moves the head: at rest.
#[test]
fn acceleration_is_that_of_a_neck() {
    let stage = &Stage::own()[0];
    let mut character = Character::of(stage.library.clone());
    character.add_layer(stage.aim());
    let (rate, mut before, mut fastest) = (240.0, Vec::<DVec3>::new(), 0.0_f64);
    for frame in 0..2400_u16 {
        let degrees = [70.0, -90.0, 20.0, 100.0, 160.0, -150.0, -30.0][usize::from(frame / 130) % 7];
        character.layer_mut::<AimLayer>().expect("the layer").target = stage.around(degrees, 50.0);
        character.update(1.0 / rate, &Surroundings::default());
        before.push(stage.gaze(&character, Affine3A::IDENTITY).1);
        if let [.., first, second, third] = before[..] {
            let change = second.cross(third) - first.cross(second);
            fastest = fastest.max(change.length().to_degrees() * rate * rate);
        }
    }
    println!("{fastest:.0} degrees per second squared");
    assert!((2000.0..3300.0).contains(&fastest), "{fastest}");
}

/// A clip that lies down, spins or turns its back to the entity: the gaze goes along without a whip and without a flip, and is where it
/// can be. Our own humanoid turns round; the knight plays all of its clips.
#[test]
fn bodies_that_turn_away_from_the_entity_are_gone_along_with() {
    let test = "gaze::bodies_that_turn_away_from_the_entity_are_gone_along_with";
    let mut stages = Stage::of_humanoid(&["turn round"], |_| {});
    stages.extend(Stage::of_file(test, "kaykit-knight.glb", |_| true));
    for stage in stages {
        let target = |_: f32| stage.around(0.0, 5.0);
        let scene = Scene { entity: &still, target: &target, seconds: 4.0, unseen: 1.0 };
        let [without, with] = [None, Some(stage.aim())].map(|layer| stage.figures(60, layer, scene));
        println!("{}: {without:.1?}\n    {with:.1?}", stage.name);
        assert!(with.speed < 1.5 * without.speed.max(360.0), "{}: {with:?}", stage.name);
        assert!(with.mean < 1.1 * without.mean.max(2.0), "{}: {with:?}", stage.name);
    }
}

/// A state taken while the gaze is on its way, of a body that has turned away, goes on with the same bits.
#[test]
fn states_go_on_with_the_same_bits() {
    let mut stages = Stage::of_humanoid(&["turn round", "swing"], |_| {});
    stages.extend(Stage::of_others("gaze::states_go_on_with_the_same_bits"));
    for stage in stages {
        let entity = |frame: u16| Affine3A::from_quat(Quat::from_rotation_y(0.01 * f32::from(frame)));
        let mut character = stage.character(Some(stage.aim()));
        let step = |character: &mut Character, frame: u16| {
            let target = stage.around(f32::from(frame / 50) * 70.0 + f32::from(frame), 3.0);
            character.layer_mut::<AimLayer>().expect("the layer").target = target;
            character.update(1.0 / 60.0, &Surroundings::at(entity(frame)));
        };
        for frame in 0..300 {
            step(&mut character, frame);
            if frame % 37 != 0 {
                continue;
            }
            let mut other = stage.character(Some(stage.aim()));
            other.restore(&character.state()).expect("made in the same way");
            let mut first = character.clone();
            for later in frame + 1..frame + 40 {
                [&mut first, &mut other].into_iter().for_each(|character| step(character, later));
                assert_eq!(pose(&first), pose(&other), "{}: {later} after {frame}", stage.name);
            }
        }
    }
}

/// While nobody knows where the target is, the animation is shown as it is, to the last bit, once the head is back.
#[test]
fn what_is_lost_leaves_the_animation_alone() {
    for stage in everyone("gaze::what_is_lost_leaves_the_animation_alone") {
        let (mut looking, mut plain) =
            (stage.character(Some(stage.aim().following(TargetId(1)))), stage.character(None));
        let place = stage.around(50.0, 5.0);
        let mut before = None::<DVec3>;
        for frame in 0..300_u16 {
            let known = |_: TargetId| (frame < 90).then_some(place);
            looking.update(1.0 / 60.0, &Surroundings { targets: Some(&known), ..Surroundings::default() });
            plain.update(1.0 / 60.0, &Surroundings::default());
            let [gaze, own] = [&looking, &plain].map(|character| stage.gaze(character, Affine3A::IDENTITY).1);
            match frame {
                89 => assert!(degrees_between(gaze, own) > 20.0, "{}: it looks there", stage.name),
                240.. => assert_eq!(pose(&looking), pose(&plain), "{} in frame {frame}", stage.name),
                _ => {}
            }
            before = Some(gaze);
        }
        assert!(before.is_some());
    }
}

/// Eyes are left a part of the way to a target to the side, but the head keeps looking ahead at one that is there.
#[test]
fn a_head_with_eyes_is_as_steady() {
    let stages = Stage::of_humanoid(&["swing"], |skeleton| {
        let head = skeleton.joint_by_name("Head").expect("a head");
        for (name, x) in [("LeftEye", 0.03), ("RightEye", -0.03)] {
            let mut eye = skeleton.joints[usize::from(head)].clone();
            (eye.index, eye.parent, eye.name) = (skeleton.joints.len() as u16, Some(head), name.into());
            (eye.bind_translation, eye.bind_rotation) = (Vec3::new(x, 0.1, 0.08), Quat::IDENTITY);
            skeleton.joints.push(eye);
        }
    });
    let [stage] = &stages[..] else { panic!("there is one") };
    assert!(stage.rig.humanoid().get(HumanoidJoint::Eye(Side::Left)).is_some());
    for rate in RATES {
        let target = |_: f32| stage.around(0.0, 100.0);
        let scene = Scene { entity: &still, target: &target, seconds: 4.0, unseen: 1.0 };
        let [without, with] = [None, Some(stage.aim())].map(|layer| stage.figures(rate, layer, scene));
        assert!(without.mean > 5.0 && with.mean < 0.2 && with.speed < 1.0, "{with:?}");
        let aside = |_: f32| stage.around(60.0, 100.0);
        let with = stage.figures(rate, Some(stage.aim()), Scene { target: &aside, ..scene });
        assert!((5.0..12.0).contains(&with.mean) && with.speed < 5.0, "{with:?}");
    }
}
