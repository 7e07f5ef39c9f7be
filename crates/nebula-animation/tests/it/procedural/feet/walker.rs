//! The shipped humanoid walks over a terrain, and its soles are measured. Places are worked out in `f64` from the local
//! poses, by other code than the library's.

use std::path::Path;
use std::sync::Arc;

use glam::{Affine3A, DVec3, Quat, Vec3};
use nebula_animation::asset::Asset;
use nebula_animation::compile::ContactTrack;
use nebula_animation::frame::ShownClip;
use nebula_animation::rig::{FeetRig, LegJoints};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, FootPlacement, GroundPoint, GroundQuery, JointPose, ModelPose,
    ProceduralAnimationStack, ProceduralContext, Rig, Skeleton, Surroundings, load_skeleton_and_clips, sample_pose,
};

use crate::reference::matrix::{IDENTITY, Matrix, from_trs, product, transform_point};

/// The humanoid, with the vertices of its soles.
pub struct Humanoid {
    pub skeleton: Skeleton,
    pub clips: Vec<AnimationClip>,
    pub rig: Arc<Rig>,
    /// The legs, named joint by joint.
    pub feet: FeetRig,
    /// The clips, with the contacts that the library finds.
    pub library: AnimationClipLibrary,
    /// Left, right.
    soles: [Vec<Vertex>; 2],
    inverse_binds: Vec<Matrix>,
}

struct Vertex {
    place: [f64; 3],
    joints: Vec<(usize, f64)>,
}

impl Humanoid {
    pub fn load() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
        let (skeleton, clips) = load_skeleton_and_clips(&path).expect("the humanoid loads");
        let asset = Asset::load(&path).expect("the humanoid loads");
        let joint = |name: &str| skeleton.joint_by_name(name).expect("the humanoid has this joint");
        let leg = |side: &str| LegJoints {
            thigh: joint(&format!("{side}UpLeg")),
            shin: joint(&format!("{side}Leg")),
            foot: joint(&format!("{side}Foot")),
            toes: Some(joint(&format!("{side}ToeBase"))),
        };
        let rig = Rig::new(&skeleton);
        let feet = FeetRig::new(&rig, joint("Hips"), &[leg("Left"), leg("Right")]);
        let library = AnimationClipLibrary::new(&rig, &clips);
        let mut soles = [Vec::new(), Vec::new()];
        for primitive in asset.meshes.iter().flat_map(|mesh| mesh.primitives.iter()) {
            for (vertex, place) in primitive.positions.iter().enumerate() {
                if place[1] < 0.003 {
                    let joints = primitive.joints[vertex].iter().zip(primitive.weights[vertex]);
                    let joints = joints.filter(|(_, weight)| *weight > 0.0);
                    let joints = joints.map(|(joint, weight)| (usize::from(*joint), f64::from(weight))).collect();
                    let side = usize::from(place[0] < 0.0);
                    soles[side].push(Vertex { place: place.map(f64::from), joints });
                }
            }
        }
        assert!(soles.iter().all(|sole| sole.len() > 20), "soles have vertices");
        let inverse_binds =
            skeleton.joints.iter().map(|joint| joint.inverse_bind_matrix.to_cols_array().map(f64::from));
        let inverse_binds = inverse_binds.collect();
        Self { rig, feet, library, soles, inverse_binds, skeleton, clips }
    }

    pub fn clip(&self, name: &str) -> usize {
        self.clips.iter().position(|clip| clip.name == name).expect("the humanoid has this clip")
    }

    /// When the feet of a clip stand.
    pub fn track(&self, clip: usize) -> &ContactTrack {
        self.library[clip].contacts().expect("the humanoid has feet")
    }

    /// Matrices from joint to model space.
    pub fn models(&self, pose: &[JointPose]) -> Vec<Matrix> {
        let mut models: Vec<Matrix> = Vec::new();
        for (joint, (t, r, s)) in self.skeleton.joints.iter().zip(pose) {
            let own =
                from_trs(t.to_array().map(f64::from), r.as_dquat().normalize().to_array(), s.to_array().map(f64::from));
            let parent = joint.parent.map_or(IDENTITY, |parent| models[usize::from(parent)]);
            models.push(product(&parent, &own));
        }
        models
    }

    /// The vertices of both soles in model space.
    pub fn soles(&self, pose: &[JointPose]) -> [Vec<DVec3>; 2] {
        let models = self.models(pose);
        let palette: Vec<Matrix> =
            models.iter().zip(&self.inverse_binds).map(|(model, bind)| product(model, bind)).collect();
        [0, 1].map(|side| {
            let skinned = |vertex: &Vertex| {
                let mut place = DVec3::ZERO;
                for &(joint, weight) in &vertex.joints {
                    place += DVec3::from(transform_point(&palette[joint], vertex.place)) * weight;
                }
                place
            };
            self.soles[side].iter().map(skinned).collect()
        })
    }
}

/// Ground whose height is a function of x and z.
pub type Terrain = fn(f64, f64) -> f64;

/// The ground query that a user would write.
pub fn ground(terrain: Terrain) -> impl Fn(Vec3) -> Option<GroundPoint> + Send + Sync + 'static {
    move |place: Vec3| {
        let height = |x: f64, z: f64| terrain(x, z);
        let (x, z) = (f64::from(place.x), f64::from(place.z));
        let step = 1e-4;
        let (dx, dz) = (height(x + step, z) - height(x - step, z), height(x, z + step) - height(x, z - step));
        let normal = Vec3::new(-dx as f32, 2.0 * step as f32, -dz as f32);
        Some(GroundPoint::new(height(x, z) as f32, normal))
    }
}

/// A walk to be measured.
#[derive(Clone, Copy)]
pub struct Walk {
    pub clip: &'static str,
    /// Metres per second over the map.
    pub speed: f64,
    pub terrain: Terrain,
    /// Radians to the left of +Z.
    pub heading: f64,
    pub hertz: f64,
    pub seconds: f64,
    pub is_placed: bool,
    /// Whether the layer is told the clip and its time.
    pub is_told: bool,
}

/// What was measured, in metres; `turn_ratio` is against the fastest turn of the same joint in the clip.
#[derive(Debug, Default, Clone)]
pub struct Measured {
    pub slide: f64,
    pub sink: f64,
    pub float: f64,
    pub turn_ratio: f64,
    pub turning_joint: String,
    pub swing_sink: f64,
    pub lowest_hips: f64,
}

/// Whether a foot stands at a time of the walk or run, by the markers of the file: landing and leaving.
pub fn stands(clip: &str, side: usize, time: f64) -> bool {
    let spans = match clip {
        "walk" => [[0.67, 0.28], [0.17, 0.78]],
        "stroll" => [[1.34, 0.62], [0.34, 1.62]],
        "run" => [[0.469, 0.07], [0.119, 0.42]],
        _ => [[0.0, f64::INFINITY]; 2],
    };
    let [down, up] = spans[side];
    if down < up { (down..=up).contains(&time) } else { time >= down || time <= up }
}

/// One pose after the other, as a user's frames.
pub struct Frames<'a> {
    humanoid: &'a Humanoid,
    ground: Box<dyn GroundQuery + 'a>,
    pub stack: ProceduralAnimationStack,
    pub pose: Vec<JointPose>,
    elapsed: f32,
    place: Option<Vec3>,
    world: Affine3A,
    /// Whether the character is on the ground, as a game would say; true.
    pub is_grounded: bool,
}

impl<'a> Frames<'a> {
    pub fn new(humanoid: &'a Humanoid, stack: ProceduralAnimationStack, ground: impl GroundQuery + 'a) -> Self {
        Self {
            humanoid,
            ground: Box::new(ground),
            stack,
            pose: humanoid.skeleton.bind_pose(),
            elapsed: 0.0,
            place: None,
            world: Affine3A::IDENTITY,
            is_grounded: true,
        }
    }

    /// A frame in which `clips` are shown (clip, time, weight) by an entity that stands at `place`, `heading` to the left of +Z.
    pub fn frame(&mut self, dt: f32, clips: &[ShownClip], place: Vec3, heading: f32, is_told: bool) {
        let humanoid = self.humanoid;
        let mut other = self.pose.clone();
        let mut seen = 0.0;
        for shown in clips.iter().filter(|shown| shown.weight > 0.0) {
            sample_pose(&humanoid.clips[shown.clip.index()], &humanoid.skeleton, shown.time, &mut other);
            seen += shown.weight;
            let amount = shown.weight / seen;
            for (pose, other) in self.pose.iter_mut().zip(&other) {
                *pose = (pose.0.lerp(other.0, amount), pose.1.slerp(other.1, amount), pose.2.lerp(other.2, amount));
            }
        }
        let told = if is_told { clips } else { &[] };
        self.bend(dt, told, place, heading);
    }

    /// Applies the layers to the pose that is there, told that it comes from these clips.
    pub fn bend(&mut self, dt: f32, told: &[ShownClip], place: Vec3, heading: f32) {
        let humanoid = self.humanoid;
        let rotation = Quat::from_rotation_y(heading);
        let before = self.place.replace(place).unwrap_or(place);
        self.elapsed += dt;
        let context = ProceduralContext {
            dt,
            elapsed: self.elapsed,
            entity_position: place,
            entity_forward: rotation * Vec3::Z,
            velocity: if dt > 0.0 { (place - before) / dt } else { Vec3::ZERO },
        };
        let world = Affine3A::from_rotation_translation(rotation, place);
        self.world = world;
        let surroundings =
            Surroundings { ground: Some(&*self.ground), is_grounded: self.is_grounded, ..Surroundings::at(world) };
        let pose = ModelPose::new(&humanoid.rig, &mut self.pose, world).within(&surroundings);
        self.stack.apply_in_model(&context, &mut pose.showing(told, &humanoid.library));
        assert!(self.pose.iter().all(|(t, r, s)| t.is_finite() && r.is_finite() && s.is_finite()), "a pose is finite");
    }

    /// The vertices of both soles in the world.
    pub fn soles(&self) -> [Vec<DVec3>; 2] {
        let world = glam::DAffine3::from_mat3_translation(
            glam::Mat3::from(self.world.matrix3).as_dmat3(),
            Vec3::from(self.world.translation).as_dvec3(),
        );
        self.humanoid
            .soles(&self.pose)
            .map(|sole| sole.into_iter().map(|place| world.transform_point3(place)).collect())
    }
}

/// A clip as a part of what is shown.
pub fn shown(clip: usize, time: f32, weight: f32) -> ShownClip {
    ShownClip { weight, feet_weight: weight, ..ShownClip::alone(clip, time) }
}

impl Walk {
    pub fn measure(&self, humanoid: &Humanoid) -> Measured {
        let clip = humanoid.clip(self.clip);
        let duration = f64::from(humanoid.clips[clip].duration);
        let mut stack = ProceduralAnimationStack::default();
        if self.is_placed {
            stack.push(FootPlacement::new(humanoid.feet.clone()));
        }
        let mut frames = Frames::new(humanoid, stack, ground(self.terrain));
        let mut measured = Measured { lowest_hips: f64::INFINITY, ..Measured::default() };
        let dt = 1.0 / self.hertz;
        let fastest = self.fastest_in_clip(humanoid, dt);
        let mut before: Option<Vec<JointPose>> = None;
        // Where a vertex touched the ground first.
        let mut touched: [Vec<Option<DVec3>>; 2] = [0, 1].map(|side| vec![None; humanoid.soles[side].len()]);
        let mut clip_pose = humanoid.skeleton.bind_pose();
        for frame in 0..(self.seconds * self.hertz) as usize {
            let time = frame as f64 * dt;
            let clip_time = time.rem_euclid(duration);
            let way = DVec3::new(self.heading.sin(), 0.0, self.heading.cos()) * (self.speed * time);
            let place = DVec3::new(way.x, (self.terrain)(way.x, way.z), way.z);
            let shown = [ShownClip::alone(clip, clip_time as f32)];
            frames.frame(dt as f32, &shown, place.as_vec3(), self.heading as f32, self.is_told);

            let turn = glam::DQuat::from_rotation_y(self.heading);
            sample_pose(&humanoid.clips[clip], &humanoid.skeleton, clip_time as f32, &mut clip_pose);
            let (flat, soles) = (humanoid.soles(&clip_pose), humanoid.soles(&frames.pose));
            for side in 0..2 {
                let mut lowest = f64::INFINITY;
                for (vertex, sole) in soles[side].iter().enumerate() {
                    let world = place + turn * *sole;
                    lowest = lowest.min(world.y - (self.terrain)(world.x, world.z));
                    let touched = &mut touched[side][vertex];
                    if stands(self.clip, side, clip_time) && flat[side][vertex].y < 0.002 {
                        let first = *touched.get_or_insert(world);
                        measured.slide = measured.slide.max(first.distance(world));
                    } else {
                        *touched = None;
                    }
                }
                if stands(self.clip, side, clip_time) {
                    measured.sink = measured.sink.max(-lowest);
                    measured.float = measured.float.max(lowest);
                } else {
                    measured.swing_sink = measured.swing_sink.max(-lowest);
                }
            }
            let hips = humanoid.skeleton.joint_by_name("Hips").expect("hips");
            measured.lowest_hips = measured.lowest_hips.min(f64::from(frames.pose[usize::from(hips)].0.y));
            if let Some(before) = &before {
                for (joint, (from, to)) in before.iter().zip(&frames.pose).enumerate() {
                    // Joints that the clip hardly moves have no fastest turn to speak of.
                    let ratio = turned(from, to) / dt / fastest[joint].max(0.05);
                    if ratio > measured.turn_ratio {
                        measured.turn_ratio = ratio;
                        measured.turning_joint = format!("{} at {clip_time:.3}", humanoid.skeleton.joints[joint].name);
                    }
                }
            }
            before = Some(frames.pose.clone());
        }
        measured
    }

    /// The fastest turn of each joint in the clip, in radians per second, at any frame rate.
    fn fastest_in_clip(&self, humanoid: &Humanoid, dt: f64) -> Vec<f64> {
        let clip = &humanoid.clips[humanoid.clip(self.clip)];
        let mut fastest = vec![0.0_f64; humanoid.skeleton.joints.len()];
        let (mut from, mut to) = (humanoid.skeleton.bind_pose(), humanoid.skeleton.bind_pose());
        let duration = f64::from(clip.duration);
        for step in 0..600 {
            let time = duration * f64::from(step) / 600.0;
            sample_pose(clip, &humanoid.skeleton, time as f32, &mut from);
            sample_pose(clip, &humanoid.skeleton, (time + dt).rem_euclid(duration) as f32, &mut to);
            for (joint, fastest) in fastest.iter_mut().enumerate() {
                *fastest = fastest.max(turned(&from[joint], &to[joint]) / dt);
            }
        }
        fastest
    }
}

/// The angle between two rotations.
fn turned(from: &JointPose, to: &JointPose) -> f64 {
    let (from, to) = (from.1.as_dquat().normalize(), to.1.as_dquat().normalize());
    let between = from.conjugate() * to;
    2.0 * between.xyz().length().atan2(between.w.abs())
}
