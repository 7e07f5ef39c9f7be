//! A loaded file that moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use glam::{Affine3A, Mat4, Vec3};
use nebula_animation::asset::Mesh;
use nebula_animation::procedural::feet::GroundPoint;
use nebula_animation::skinning::Bounds;
use nebula_animation::{
    AimLayer, AnimationAction, AnimationMixer, Fade, FootPlacement, HumanoidMap, JointPose, ModelPose,
    ProceduralAnimationStack, ProceduralContext, RestPose, Skeleton,
    palette::{model_matrices, skinning_matrices},
};

use crate::show::bounds::ModelBounds;
use crate::show::model::Model;
use crate::show::shot::Body;
use crate::show::surfaces::Surfaces;

/// A file and the state of its movement.
pub struct Puppet {
    /// The file.
    pub model: Model,
    /// What plays.
    pub mixer: AnimationMixer,
    /// Weights of the morph targets that are shown, for each mesh.
    pub morph_weights: Vec<Vec<f32>>,
    /// Those that were set by hand.
    pub set_weights: Vec<Vec<Option<f32>>>,
    /// Skinning matrices of the pose.
    pub palette: Vec<Mat4>,
    /// Joints of the pose, in model space.
    pub joints: Vec<Mat4>,
    /// Why it cannot look at things; none if it can.
    pub no_aim: Option<String>,
    /// Why its feet cannot be put on the ground; none if they can.
    pub no_feet: Option<String>,
    skeleton: Arc<Skeleton>,
    rest: RestPose,
    pose: Vec<JointPose>,
    stack: ProceduralAnimationStack,
    slope: Slope,
    boxes: ModelBounds,
    vertex_count: usize,
    elapsed: f32,
}

/// Boxes of models with more vertices are estimated.
const MOST_VERTICES: usize = 200_000;

/// What bends the pose.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bending {
    /// A place to look at.
    pub aim: Option<Vec3>,
    /// How the ground rises along x and z, for feet to stand on.
    pub ground: Option<[f32; 2]>,
}

/// A slope that the ground's layer shares with its owner.
#[derive(Debug, Clone, Default)]
struct Slope(Arc<[AtomicU32; 2]>);

impl Slope {
    fn set(&self, slope: [f32; 2]) {
        for (to, value) in self.0.iter().zip(slope) {
            to.store(value.to_bits(), Ordering::Relaxed);
        }
    }

    fn get(&self) -> [f32; 2] {
        [0, 1].map(|axis: usize| f32::from_bits(self.0[axis].load(Ordering::Relaxed)))
    }

    fn ground(&self, place: Vec3) -> GroundPoint {
        let [along_x, along_z] = self.get();
        GroundPoint { height: along_x * place.x + along_z * place.z, normal: Vec3::new(-along_x, 1.0, -along_z) }
    }
}

impl Puppet {
    /// A file in its bind pose.
    pub fn new(model: Model) -> Self {
        let skeleton = Arc::new(model.asset.skeleton.clone());
        let clips: Vec<_> = model.asset.animations.iter().map(|animation| animation.to_clip()).collect();
        let rest = RestPose::of(&skeleton);
        let humanoid = HumanoidMap::find(&skeleton).map_err(|missing| missing.to_string());
        let mut stack = ProceduralAnimationStack::default();
        let slope = Slope::default();
        let ground = slope.clone();
        let feet = humanoid.as_ref().map_err(Clone::clone).and_then(|humanoid| {
            let layer = humanoid.foot_placement(&rest, move |place| Some(ground.ground(place)));
            layer.map_err(|missing| missing.to_string())
        });
        let no_feet = feet.map(|feet| stack.push(feet)).err();
        let aim = humanoid
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|humanoid| humanoid.aim(&rest, Vec3::Z).map_err(|missing| missing.to_string()));
        let no_aim = aim.map(|aim| stack.push(aim)).err();
        let weights = |mesh: &Mesh| vec![0.0; mesh.morph_weights.len().max(mesh.morph_target_names.len())];
        let mut puppet = Self {
            boxes: ModelBounds::new(&model),
            vertex_count: model.parts.iter().map(|part| model.primitive(part).positions.len()).sum(),
            mixer: AnimationMixer::new(clips),
            morph_weights: model.asset.meshes.iter().map(weights).collect(),
            set_weights: model.asset.meshes.iter().map(|mesh| vec![None; weights(mesh).len()]).collect(),
            palette: Vec::new(),
            joints: vec![Mat4::IDENTITY; skeleton.joints.len()],
            pose: skeleton.bind_pose(),
            no_aim,
            no_feet,
            skeleton,
            rest,
            stack,
            slope,
            model,
            elapsed: 0.0,
        };
        puppet.compose();
        puppet
    }

    /// Names of the clips.
    pub fn clips(&self) -> impl Iterator<Item = &str> {
        self.model.asset.animations.iter().map(|animation| animation.name.as_str())
    }

    /// Fades to a clip.
    pub fn play(&mut self, clip: usize, fade: Fade) -> Option<&mut AnimationAction> {
        self.mixer.play(clip, fade).ok()
    }

    /// What plays at present.
    pub fn action(&mut self) -> Option<&mut AnimationAction> {
        self.mixer.current_action.as_mut()
    }

    /// Lets time pass and takes the pose.
    pub fn update(&mut self, dt: f32, bending: &Bending) {
        self.mixer.update(&self.skeleton, dt);
        self.mixer.write_pose(&mut self.pose);
        self.bend(dt, bending);
        self.weigh();
        self.compose();
    }

    fn bend(&mut self, dt: f32, bending: &Bending) {
        self.elapsed += dt;
        if let Some(feet) = self.stack.layer_mut::<FootPlacement>() {
            feet.weight = f32::from(u8::from(bending.ground.is_some()));
        }
        self.slope.set(bending.ground.unwrap_or_default());
        if let Some(aim) = self.stack.layer_mut::<AimLayer>() {
            // Let go as gently as it follows.
            let towards = f32::from(u8::from(bending.aim.is_some()));
            aim.weight += (towards - aim.weight).clamp(-dt * 4.0, dt * 4.0);
            aim.target = bending.aim.unwrap_or(aim.target);
        }
        if self.stack.is_idle() {
            return;
        }
        let context = ProceduralContext {
            dt,
            elapsed: self.elapsed,
            entity_position: Vec3::ZERO,
            entity_forward: self.rest.front().unwrap_or(Vec3::Z),
            velocity: Vec3::ZERO,
        };
        let mut pose = ModelPose::new(&self.rest, &mut self.pose, Affine3A::IDENTITY);
        self.stack.apply_in_model(&context, &mut pose);
    }

    /// Mixes the morph weights of the actions that are shown, under those that were set by hand.
    fn weigh(&mut self) {
        let meshes = &self.model.asset.meshes;
        for (shown, mesh) in self.morph_weights.iter_mut().zip(meshes) {
            shown.iter_mut().zip(&mesh.morph_weights).for_each(|(shown, weight)| *shown = *weight);
        }
        let mut sampled = Vec::new();
        for (action, share) in self.mixer.actions() {
            let Some(animation) = action.clip().and_then(|clip| self.model.asset.animations.get(clip)) else {
                continue;
            };
            for track in &animation.morph_tracks {
                let (Some(shown), Some(mesh)) = (self.morph_weights.get_mut(track.mesh), meshes.get(track.mesh)) else {
                    continue;
                };
                sampled.clear();
                sampled.extend_from_slice(&mesh.morph_weights);
                track.sample(action.time, &mut sampled);
                for ((shown, sampled), rest) in shown.iter_mut().zip(&sampled).zip(&mesh.morph_weights) {
                    *shown += (sampled - rest) * share;
                }
            }
        }
        for (shown, set) in self.morph_weights.iter_mut().zip(&self.set_weights) {
            for (shown, set) in shown.iter_mut().zip(set) {
                *shown = set.unwrap_or(*shown);
            }
        }
    }

    fn compose(&mut self) {
        model_matrices(&self.skeleton, &self.pose, &mut self.joints);
        self.palette.clone_from(&self.joints);
        skinning_matrices(&self.skeleton, &mut self.palette);
    }

    /// The body, at the origin of the world.
    pub fn body(&self) -> Body<'_> {
        let (palette, morph_weights) = (self.palette.as_slice(), self.morph_weights.as_slice());
        Body { model: &self.model, palette, place: Mat4::IDENTITY, morph_weights }
    }

    /// The box around the pose; around the joints where there are no surfaces.
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        self.bounds_in(&self.joints, &self.palette, &self.morph_weights)
    }

    /// The box around some moments of a clip, or the bind pose: what a camera has to show. A clip that walks away is looked
    /// at where it begins.
    pub fn reach(&self, clip: Option<usize>) -> [Vec3; 2] {
        const MOMENTS: usize = 12;
        let mut probe: Vec<JointPose> = self.skeleton.bind_pose();
        let mut all: Option<[Vec3; 2]> = None;
        let (mut joints, mut palette) = (self.joints.clone(), self.palette.clone());
        let mut weights: Vec<Vec<f32>> =
            self.model.asset.meshes.iter().map(|mesh| mesh.morph_weights.clone()).collect();
        let animation = clip.and_then(|clip| self.model.asset.animations.get(clip));
        for moment in 0..MOMENTS {
            if let Some(animation) = animation {
                let time = animation.duration * moment as f32 / MOMENTS as f32;
                animation.sample_pose(&self.skeleton, time, &mut probe);
                for track in &animation.morph_tracks {
                    if let Some(weights) = weights.get_mut(track.mesh) {
                        track.sample(time, weights);
                    }
                }
            }
            model_matrices(&self.skeleton, &probe, &mut joints);
            palette.copy_from_slice(&joints);
            skinning_matrices(&self.skeleton, &mut palette);
            let Some([low, high]) = self.bounds_in(&joints, &palette, &weights) else { continue };
            let [min, max] = all.unwrap_or([low, high]);
            let union = [min.min(low), max.max(high)];
            // A walk over the ground would make the character a dot.
            if (union[1] - union[0]).max_element() <= (high - low).max_element() * 3.0 {
                all = Some(union);
            }
        }
        all.unwrap_or([Vec3::NEG_ONE, Vec3::ONE])
    }

    fn bounds_in(&self, joints: &[Mat4], palette: &[Mat4], weights: &[Vec<f32>]) -> Option<[Vec3; 2]> {
        let body = Body { model: &self.model, palette, place: Mat4::IDENTITY, morph_weights: weights };
        let points = || Bounds::around(joints.iter().map(|joint| joint.w_axis.truncate()));
        // Vertices say it exactly, unless they are too many to be looked at.
        let bounds = if self.vertex_count <= MOST_VERTICES {
            let mut surfaces = Surfaces::default();
            surfaces.deform(&body);
            Bounds::around(surfaces.parts().iter().flat_map(|part| part.positions.iter().copied()))
        } else {
            self.boxes.of(&body)
        };
        bounds.or_else(points).map(|bounds| [bounds.min, bounds.max])
    }

    /// Where the eyes are, about, in the pose at hand.
    pub fn eyes(&self) -> Option<Vec3> {
        let humanoid = HumanoidMap::find(&self.skeleton).ok()?;
        let head = humanoid.get(nebula_animation::HumanoidJoint::Head)?;
        Some(self.joints.get(usize::from(head))?.w_axis.truncate())
    }
}
