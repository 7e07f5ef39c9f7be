use std::hint::black_box;
use std::sync::Arc;

use glam::{Affine3A, Mat4, Quat, Vec2, Vec3};
use nebula_animation::mixer::BlendWeights;
use nebula_animation::procedural::ik::TwoBoneIk;
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, BlendSpace, Character, JointMask, JointPose, ModelPose,
    ProceduralAnimationStack, ProceduralContext, Rig, Surroundings, TargetId,
    palette::{PaletteRows, model_matrices, skinning_matrices},
    sample_pose,
};

use super::crowd::{FRAME_SECS, frames, scattered};
use super::{ClipFacts, Scene, Stage, Workload, difference};
use crate::bench::rig::{self, Keys};

/// The whole character that a game has: three gaits blended, the upper body doing something else, both legs brought to targets, chest and
/// head turned to another one, and the palette of it.
///
/// The plain path samples the authored clips, blends them joint by joint and makes a `Mat4` of each; the layers are the library's in
/// both.
pub struct FullWorkload {
    scene: Scene,
    /// Three gaits, and what the upper body does.
    clips: [AnimationClip; 4],
    space: Arc<BlendSpace>,
    mask: JointMask,
    fast: Vec<Character>,
    plain: Vec<PlainCharacter>,
    pose: Vec<JointPose>,
}

struct PlainCharacter {
    weights: BlendWeights,
    /// Of the gaits' cycle, from 0 to 1.
    phase: f64,
    /// Seconds of the upper body's clip.
    time: f64,
    elapsed: f64,
    layers: ProceduralAnimationStack,
    local: Vec<JointPose>,
    palette: Vec<Mat4>,
}

impl FullWorkload {
    /// So many characters, each at another moment of another blend.
    pub fn new(scene: Scene, characters: usize) -> Result<Self, Box<dyn std::error::Error>> {
        let Scene { skeleton, rig, .. } = &scene;
        let gait = |name, duration, swing| rig::gait(skeleton, name, duration, swing, Keys::Sparse);
        let clips =
            [scene.walk.authored.clone(), scene.jog.authored.clone(), gait("sneak", 1.7, 0.25), gait("wave", 0.9, 0.5)];
        let library = AnimationClipLibrary::new(rig, &clips);
        let corners = [(Vec2::ZERO, 0), (Vec2::X, 1), (Vec2::Y, 2)];
        let space = Arc::new(BlendSpace::plane(&library, &corners)?);
        let mask = rig.upper_body()?;
        let layers = layers(rig)?;
        let (mut fast, mut plain) = (Vec::with_capacity(characters), Vec::with_capacity(characters));
        for index in 0..characters {
            let place =
                Vec2::new(0.2 + 0.3 * scattered(index, 1.0) as f32, 0.2 + 0.2 * scattered(index + 2, 1.0) as f32);
            let (phase, time) = (scattered(index, 1.0), scattered(index + 1, clips[3].duration));
            let mut character = Character::of(library.clone());
            let gait = character.mixer.add_blend_space(Arc::clone(&space));
            character.mixer.set_blend_position(gait, place)?;
            character.mixer.play(gait, 0.0)?.seek(phase);
            let upper_body = character.mixer.add_masked_layer("upper body", mask.clone());
            character.mixer.play_on(upper_body, "wave", 0.0)?.seek(time);
            character.layers = layers.clone();
            fast.push(character);
            let (local, palette) = (skeleton.bind_pose(), vec![Mat4::IDENTITY; scene.joint_count()]);
            let (weights, layers) = (space.weights(place), layers.clone());
            plain.push(PlainCharacter { weights, phase, time, elapsed: 0.0, layers, local, palette });
        }
        Ok(Self { pose: skeleton.bind_pose(), scene, clips, space, mask, fast, plain })
    }
}

/// An aim and two legs, each after a target of its own.
fn layers(rig: &Arc<Rig>) -> Result<ProceduralAnimationStack, Box<dyn std::error::Error>> {
    let mut layers = ProceduralAnimationStack::default();
    layers.push(rig.humanoid().aim(rig, Vec3::Z)?.following(TargetId(0)));
    for (leg, id) in rig.feet().ok_or("the character has no feet")?.legs().iter().zip(1..) {
        let mut limb = TwoBoneIk::new(rig, [leg.thigh, leg.shin, leg.foot], rig.position(leg.foot));
        limb.follows = Some(TargetId(id));
        layers.push(limb);
    }
    Ok(layers)
}

/// Where the targets are at a time in seconds: one goes round the character, the others are near the rest pose of a foot.
fn targets(rig: &Rig, time: f64) -> impl Fn(TargetId) -> Option<Vec3> {
    let (sine, cosine) = (time % std::f64::consts::TAU).sin_cos();
    let (sine, cosine) = (sine as f32, cosine as f32);
    move |TargetId(id)| {
        let Some(leg) = (id as usize).checked_sub(1) else { return Some(Vec3::new(4.0 * sine, 1.5, 4.0 * cosine)) };
        let foot = rig.feet()?.legs().get(leg)?.foot;
        Some(rig.position(foot) + 0.05 * Vec3::new(sine, cosine, -sine))
    }
}

impl Workload for FullWorkload {
    fn characters(&self) -> usize {
        self.fast.len()
    }

    fn joints(&self) -> usize {
        self.scene.joint_count()
    }

    fn frames(&self) -> usize {
        frames(self.characters())
    }

    fn stages(&self) -> &'static [Stage] {
        &[Stage::Plain, Stage::Fast]
    }

    fn run(&mut self, stage: Stage, slice: usize) {
        let Self { scene, clips, space, mask, fast, plain, pose } = self;
        let range = stage.range(slice, plain.len());
        for _ in 0..frames(plain.len()) {
            if stage == Stage::Fast {
                for character in &mut *fast {
                    let targets = targets(&scene.rig, character.elapsed() + FRAME_SECS);
                    character.update(FRAME_SECS, &Surroundings { targets: Some(&targets), ..Surroundings::default() });
                }
                black_box(&mut *fast);
                continue;
            }
            for character in &mut plain[range.clone()] {
                character.advance(clips, space);
                character.sample(scene, clips, space, mask, pose);
                character.bend(&scene.rig);
                model_matrices(&scene.skeleton, &character.local, &mut character.palette);
                skinning_matrices(&scene.skeleton, &mut character.palette);
            }
            black_box(&mut *plain);
        }
    }

    fn difference(&mut self) -> f32 {
        self.fast.iter().zip(&self.plain).fold(0.0, |worst, (fast, plain)| {
            let rows: Vec<PaletteRows> = fast.palette().iter().map(PaletteRows::from_matrix).collect();
            worst.max(difference(&plain.palette, &rows))
        })
    }

    fn clip(&self) -> ClipFacts {
        let Scene { walk, jog, .. } = &self.scene;
        self.scene.facts(&[walk, jog])
    }
}

impl PlainCharacter {
    fn advance(&mut self, clips: &[AnimationClip; 4], space: &BlendSpace) {
        self.phase = (self.phase + FRAME_SECS / space.duration(&self.weights)).fract();
        self.time = (self.time + FRAME_SECS) % f64::from(clips[3].duration);
        self.elapsed += FRAME_SECS;
    }

    /// Finds the local pose: the mean of three gaits, and the upper body over it.
    fn sample(
        &mut self,
        scene: &Scene,
        clips: &[AnimationClip; 4],
        space: &BlendSpace,
        mask: &JointMask,
        sampled: &mut [JointPose],
    ) {
        let zero = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        self.local.fill((Vec3::ZERO, zero, Vec3::ZERO));
        for &(sample, weight) in self.weights.iter() {
            let clip = &clips[space.samples()[sample].clip];
            sample_pose(clip, &scene.skeleton, (self.phase * f64::from(clip.duration)) as f32, sampled);
            for (sum, joint) in self.local.iter_mut().zip(&*sampled) {
                let weight_of_turn = if sum.1.dot(joint.1) < 0.0 { -weight } else { weight };
                *sum = (sum.0 + joint.0 * weight, sum.1 + joint.1 * weight_of_turn, sum.2 + joint.2 * weight);
            }
        }
        sample_pose(&clips[3], &scene.skeleton, self.time as f32, sampled);
        for (index, (joint, upper)) in self.local.iter_mut().zip(&*sampled).enumerate() {
            let weight = mask.weight(index);
            joint.0 = joint.0.lerp(upper.0, weight);
            joint.1 = (joint.1 / joint.1.length()).slerp(upper.1, weight);
            joint.2 = joint.2.lerp(upper.2, weight);
        }
    }

    /// The same layers as those of the fast path.
    fn bend(&mut self, rig: &Rig) {
        let context = ProceduralContext {
            dt: FRAME_SECS as f32,
            elapsed: self.elapsed as f32,
            entity_position: Vec3::ZERO,
            entity_forward: rig.front().unwrap_or(Vec3::Z),
            velocity: Vec3::ZERO,
        };
        let targets = targets(rig, self.elapsed);
        let surroundings = Surroundings { targets: Some(&targets), ..Surroundings::default() };
        let pose = ModelPose::new(rig, &mut self.local, Affine3A::IDENTITY);
        self.layers.apply_in_model(&context, &mut pose.within(&surroundings));
    }
}
