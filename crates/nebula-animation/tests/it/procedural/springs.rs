use std::sync::Arc;

use glam::{Affine3A, Mat4, Quat, Vec3};
use nebula_animation::procedural::springs::{SpringChain, SpringCollider, SpringSettings};
use nebula_animation::{Joint, JointPose, ModelPose, ProceduralAnimationStack, ProceduralContext, Rig, Skeleton};

/// Bones of a tail that sticks out to the back, one after the other.
const BONES: u16 = 6;
const LENGTH: f32 = 0.15;

/// A body, and a tail on it.
fn skeleton() -> Skeleton {
    let joint = |index: u16| Joint {
        index,
        parent: index.checked_sub(1),
        inverse_bind_matrix: Mat4::IDENTITY,
        name: format!("joint {index}"),
        bind_translation: if index == 0 { Vec3::Y } else { Vec3::NEG_Z * LENGTH },
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    };
    Skeleton { joints: (0..=BONES).map(joint).collect() }
}

struct Tail {
    skeleton: Skeleton,
    rig: Arc<Rig>,
    stack: ProceduralAnimationStack,
    poses: Vec<JointPose>,
    elapsed: f32,
}

impl Tail {
    fn new(chain: SpringChain) -> Self {
        let skeleton = skeleton();
        let stack = ProceduralAnimationStack { layers: vec![Box::new(chain)] };
        Self { rig: Rig::new(&skeleton), poses: skeleton.bind_pose(), skeleton, stack, elapsed: 0.0 }
    }

    fn plain() -> SpringChain {
        SpringChain::new((1..=BONES).collect())
    }

    /// A frame; the places of all joints in the world.
    fn frame(&mut self, dt: f32, world: Affine3A) -> Vec<Vec3> {
        self.elapsed += dt;
        self.poses = self.skeleton.bind_pose();
        let context = ProceduralContext {
            dt,
            elapsed: self.elapsed,
            entity_position: world.translation.into(),
            entity_forward: Vec3::Z,
            velocity: Vec3::ZERO,
        };
        let mut pose = ModelPose::new(&self.rig, &mut self.poses, world);
        self.stack.apply_in_model(&context, &mut pose);
        drop(pose);
        let mut found: Vec<(Vec3, Quat)> = Vec::new();
        for (joint, (t, r, _)) in self.skeleton.joints.iter().zip(&self.poses) {
            assert!(t.is_finite() && r.is_finite() && (r.length() - 1.0).abs() < 1e-4);
            let (place, turn) = joint.parent.map_or((Vec3::ZERO, Quat::IDENTITY), |parent| found[usize::from(parent)]);
            found.push((place + turn * *t, turn * *r));
        }
        // The end of the last bone too.
        let (last, turn) = found[usize::from(BONES)];
        let mut places: Vec<Vec3> = found.iter().map(|(place, _)| *place).collect();
        places.push(last + turn * Vec3::NEG_Z * LENGTH);
        places.into_iter().map(|place| world.transform_point3(place)).collect()
    }
}

/// An entity that runs in a circle and bobs.
fn runner(time: f32) -> Affine3A {
    let angle = 0.8 * time;
    let place = Vec3::new(2.0 * angle.sin(), 0.05 * (6.0 * time).sin(), 2.0 * angle.cos());
    Affine3A::from_rotation_translation(Quat::from_rotation_y(angle + std::f32::consts::FRAC_PI_2), place)
}

/// The whole tail at the end of `seconds`.
fn after(hertz: u32, seconds: f32, world: impl Fn(f32) -> Affine3A) -> Vec<Vec3> {
    let mut tail = Tail::new(Tail::plain());
    let mut places = tail.frame(0.0, world(0.0));
    for frame in 1..=(seconds * hertz as f32).round() as u32 {
        let time = frame as f32 / hertz as f32;
        places = tail.frame(1.0 / hertz as f32, world(time));
    }
    places
}

fn apart(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// A per cent of the tail's length, while it swings out and at rest.
#[test]
fn the_frame_rate_does_not_matter() {
    let whole = LENGTH * f32::from(BONES);
    // It starts and stops within a second each.
    let stopping = |time: f32| {
        let time = time.min(4.0);
        runner(if time < 1.0 {
            0.5 * time * time
        } else if time < 3.0 {
            time - 0.5
        } else {
            3.0 - 0.5 * (4.0 - time).powi(2)
        })
    };
    for seconds in [0.2, 0.6, 1.0, 1.4, 2.0, 3.0, 4.0, 4.4, 5.0, 8.0] {
        let [slow, usual, fast] = [15, 60, 240].map(|hertz| after(hertz, seconds, stopping));
        let worst = apart(&slow, &usual).max(apart(&usual, &fast)).max(apart(&slow, &fast));
        println!(
            "after {seconds} s: {:.3} % apart, {:.3} of them at 15 Hz",
            100.0 * worst / whole,
            100.0 * apart(&slow, &usual) / whole
        );
        // While it runs, 15 frames a second do not tell quite the same way; in the end nothing is left of that.
        let allowed = if seconds > 5.0 { 0.01 } else { 0.03 };
        assert!(worst < allowed * whole, "after {seconds} s: {worst}");
    }
    // Falling from the pose with the body at rest, in the middle of the swing.
    for seconds in [0.2, 0.4, 1.0, 1.4] {
        let [slow, usual, fast] = [15, 60, 240].map(|hertz| after(hertz, seconds, |_| Affine3A::IDENTITY));
        let worst = apart(&slow, &usual).max(apart(&usual, &fast)).max(apart(&slow, &fast));
        assert!(worst < 0.001 * whole, "after {seconds} s: {worst}");
    }
    // Rates that the steps do not divide.
    let [a, b] = [37, 97].map(|hertz| after(hertz, 2.0, |_| Affine3A::IDENTITY));
    assert!(apart(&a, &b) < 0.01 * whole);
}

#[test]
fn a_tail_lags_behind_and_hangs_down_in_the_end() {
    let mut tail = Tail::new(Tail::plain());
    let still = tail.frame(0.0, Affine3A::IDENTITY);
    let mut places = still.clone();
    for frame in 1..=12 {
        // Off to the left at 2 m/s.
        let world = Affine3A::from_translation(Vec3::X * (2.0 * frame as f32 / 60.0));
        places = tail.frame(1.0 / 60.0, world);
        assert!(places[6].x < world.translation.x - 0.01, "it lags behind at frame {frame}");
    }
    for _ in 0..600 {
        places = tail.frame(1.0 / 60.0, Affine3A::IDENTITY);
    }
    let end = *places.last().expect("a tail");
    assert!(end.y < still[7].y - 0.05, "gravity bends it down: {end}");
    assert!(end.x.abs() < 1e-3, "and it has come to rest: {end}");
    for pair in places[1..].windows(2) {
        assert!((pair[0].distance(pair[1]) - LENGTH).abs() < 1e-4, "bones keep their lengths");
    }
}

/// A game that was minimised: ten seconds in one frame, and the entity far away.
#[test]
fn a_stall_does_not_explode() {
    for far in [0.0, 6.0, 1000.0] {
        let mut tail = Tail::new(Tail::plain());
        for frame in 0..60 {
            tail.frame(1.0 / 60.0, runner(frame as f32 / 60.0));
        }
        let away = Affine3A::from_translation(Vec3::new(far, 0.0, 0.0)) * runner(1.0);
        let before = tail.frame(10.0, away);
        let mut last = before;
        for _ in 0..900 {
            let now = tail.frame(1.0 / 60.0, away);
            assert!(apart(&now, &last) < 0.2, "no whip: {}", apart(&now, &last));
            last = now;
        }
        let rest = after(60, 15.0, |_| away);
        assert!(apart(&last, &rest) < 0.01, "it calms down: {}", apart(&last, &rest));
    }
}

/// Any stiffness, any damping, any gravity: bounded, and still in the end.
#[test]
fn every_setting_is_stable() {
    for stiffness in [0.0, 1.0, 1e3, 1e6, 1e12, f32::NAN, f32::INFINITY, -5.0] {
        for damping in [0.0, 5.0, 1e6, f32::NAN, f32::INFINITY] {
            for gravity in [Vec3::ZERO, Vec3::NEG_Y * 9.81, Vec3::NEG_Y * 1e5, Vec3::NAN] {
                let settings = SpringSettings { stiffness, damping, gravity, ..SpringSettings::default() };
                let mut tail = Tail::new(Tail::plain().with_settings(settings));
                for frame in 0..90 {
                    let world = runner(frame as f32 / 30.0);
                    let places = tail.frame(1.0 / 30.0, world);
                    let reach = LENGTH * f32::from(BONES + 1) + 1e-3;
                    assert!(places.iter().all(|place| place.distance(places[0]) < reach));
                }
            }
        }
    }
}

#[test]
fn colliders_keep_the_tail_out() {
    let mut chain = Tail::plain();
    // A ball right below the tail, and a bar across its way. The body is one metre up.
    chain.colliders.push(SpringCollider::sphere(0, Vec3::new(0.03, -0.4, -0.16), 0.12));
    chain.colliders.push(SpringCollider::capsule(0, [Vec3::new(-1.0, -0.7, -0.35), Vec3::new(1.0, -0.7, -0.35)], 0.1));
    chain.settings = SpringSettings { stiffness: 5.0, ..SpringSettings::default() };
    let (mut free, mut tail) = (Tail::new(Tail::plain().with_settings(chain.settings)), Tail::new(chain));
    let mut places = Vec::new();
    let mut unhindered = Vec::new();
    for _ in 0..600 {
        places = tail.frame(1.0 / 60.0, Affine3A::IDENTITY);
        unhindered = free.frame(1.0 / 60.0, Affine3A::IDENTITY);
    }
    let ball = Vec3::new(0.03, 0.6, -0.16);
    let depth = |place: &Vec3| {
        let bar = Vec3::new(place.x.clamp(-1.0, 1.0), 0.3, -0.35);
        (0.12 - place.distance(ball)).max(0.1 - place.distance(bar))
    };
    let deepest = |places: &[Vec3]| places[2..].iter().map(depth).fold(f32::MIN, f32::max);
    assert!(deepest(&unhindered) > 0.02, "without colliders it would be inside");
    assert!(deepest(&places) < 2e-3, "{}", deepest(&places));
}

#[test]
fn a_pause_keeps_the_swing_and_a_rest_forgets_it() {
    let mut tail = Tail::new(Tail::plain());
    let mut places = Vec::new();
    for frame in 0..30 {
        places = tail.frame(1.0 / 60.0, runner(frame as f32 / 60.0));
    }
    let world = runner(29.0 / 60.0);
    for _ in 0..50 {
        let paused = tail.frame(0.0, world);
        assert!(apart(&paused, &places) < 1e-4, "time stands still");
    }
    // Without weight for a while, it begins anew as the pose has it.
    let set = |tail: &mut Tail, weight: f32| tail.stack.layer_mut::<SpringChain>().expect("the layer").weight = weight;
    set(&mut tail, 0.0);
    let stiff = tail.frame(1.0 / 60.0, world);
    tail.frame(1.0 / 60.0, world);
    set(&mut tail, 1.0);
    let back = tail.frame(0.0, world);
    assert!(apart(&stiff, &back) < 1e-4);
}

#[test]
fn chains_that_make_no_sense_are_left_out() {
    for joints in [vec![], vec![99], vec![1, 2, 99], vec![3, 3, 3], vec![6]] {
        let mut tail = Tail::new(SpringChain::new(joints));
        for frame in 0..10 {
            tail.frame(1.0 / 60.0, runner(frame as f32 / 60.0));
        }
    }
    let mut chain = Tail::plain();
    chain.tip = Some(Vec3::NAN);
    chain.colliders.push(SpringCollider::sphere(99, Vec3::ZERO, 1.0));
    chain.colliders.push(SpringCollider::sphere(0, Vec3::NAN, f32::NAN));
    let mut tail = Tail::new(chain);
    tail.frame(1.0 / 60.0, Affine3A::from_translation(Vec3::splat(1e30)));
    tail.frame(1.0 / 60.0, Affine3A::IDENTITY);
}
