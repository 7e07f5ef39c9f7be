//! What procedural layers cost on a character of 67 joints. `cargo bench -p nebula-demo --bench procedural`.
//!
//! Each figure is one frame of one character: the pose is taken from a clip beforehand, and copied in every time.

use std::f32::consts::TAU;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use glam::{Affine3A, Quat, Vec3};
use nebula_animation::{
    AimLayer, BreathingLayer, GroundPoint, JointPose, LookAtLayer, ModelPose, ProceduralAnimationStack,
    ProceduralContext, ProceduralLayer, Rig, Surroundings, procedural::Faded, sample_pose,
};
use nebula_demo::bench::rig::{self, Keys};

/// A character, its poses, and the frame that it is in.
struct Scene {
    rig: Arc<Rig>,
    /// Poses of a walk, to be bent.
    poses: Vec<Vec<JointPose>>,
    pose: Vec<JointPose>,
    frame: u32,
}

impl Scene {
    fn new() -> Self {
        let skeleton = rig::skeleton();
        let walk = rig::walk(&skeleton, Keys::Sparse);
        let pose = skeleton.bind_pose();
        let poses = (0..64_u8).map(|frame| {
            let mut pose = pose.clone();
            sample_pose(&walk, &skeleton, f32::from(frame) / 60.0, &mut pose);
            pose
        });
        Self { poses: poses.collect(), rig: Rig::new(skeleton), pose, frame: 0 }
    }

    /// One frame: a moving entity, a target that circles it.
    fn step(&mut self, stack: &mut ProceduralAnimationStack) {
        self.frame = (self.frame + 1) % 4096;
        let elapsed = self.frame as f32 / 60.0;
        let (sine, cosine) = (elapsed % TAU).sin_cos();
        let target = Vec3::new(4.0 * sine, 1.5, 4.0 * cosine);
        if let Some(aim) = stack.layer_mut::<AimLayer>() {
            aim.target = target;
        }
        if let Some(look_at) = stack.layer_mut::<LookAtLayer>() {
            look_at.target = target;
        }
        let context = ProceduralContext {
            dt: 1.0 / 60.0,
            elapsed,
            entity_position: Vec3::ZERO,
            entity_forward: Vec3::NEG_Z,
            velocity: Vec3::new(sine, 0.0, 2.0),
        };
        self.pose.copy_from_slice(&self.poses[self.frame as usize % self.poses.len()]);
        let world = Affine3A::from_rotation_translation(Quat::from_rotation_y(0.3), Vec3::X);
        let hill = |place: Vec3| Some(GroundPoint::new(0.2 * place.z, Vec3::new(0.0, 1.0, -0.2)));
        let surroundings = Surroundings { ground: Some(&hill), ..Surroundings::at(world) };
        let pose = ModelPose::new(&self.rig, black_box(&mut self.pose), world);
        stack.apply_in_model(&context, &mut pose.within(&surroundings));
        black_box(&mut self.pose);
    }
}

fn layers(criterion: &mut Criterion) {
    let mut scene = Scene::new();
    let rig = Arc::clone(&scene.rig);
    let humanoid = rig.humanoid();
    assert_eq!(rig.joint_count(), 67);
    let Ok(aim) = humanoid.aim(&rig, Vec3::Z) else { return };
    let (Ok(lean), Ok(breathing), Ok(look_at)) = (humanoid.lean(), humanoid.breathing(), humanoid.look_at(Vec3::Z))
    else {
        return;
    };
    let mut group = criterion.benchmark_group("procedural");
    let mut bench = |name: &str, stack: ProceduralAnimationStack| {
        let mut stack = stack;
        group.bench_function(name, |bencher| bencher.iter(|| scene.step(&mut stack)));
    };
    bench("nothing", ProceduralAnimationStack::default());
    let hidden = BreathingLayer { weight: 0.0, ..breathing.clone() };
    bench(
        "three without weight",
        ProceduralAnimationStack {
            layers: vec![Box::new(hidden.clone()), Box::new(hidden.clone()), Box::new(Faded::hidden(aim.clone()))],
        },
    );
    bench("look-at", ProceduralAnimationStack { layers: vec![Box::new(look_at)] });
    bench("lean", ProceduralAnimationStack { layers: vec![Box::new(lean.clone())] });
    bench("breathing", ProceduralAnimationStack { layers: vec![Box::new(breathing.clone())] });
    bench("aim", ProceduralAnimationStack { layers: vec![Box::new(aim.clone())] });
    let Ok(feet) = humanoid.foot_placement(&rig) else { return };
    bench("two feet", ProceduralAnimationStack { layers: vec![Box::new(feet.clone())] });
    let layers: Vec<Box<dyn ProceduralLayer>> =
        vec![Box::new(breathing.clone()), Box::new(lean.clone()), Box::new(aim.clone()), Box::new(feet)];
    bench("aim + lean + breathing + two feet", ProceduralAnimationStack { layers });
    bench(
        "aim + lean + breathing",
        ProceduralAnimationStack { layers: vec![Box::new(breathing), Box::new(lean), Box::new(aim)] },
    );
    group.finish();
}

criterion_group! {
    name = procedural;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = layers
}
criterion_main!(procedural);
