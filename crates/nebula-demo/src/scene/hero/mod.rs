//! The character of the demo, driven by the library alone: a mixer with a blend space of gaits, root motion, layers that bend the
//! pose, feet on the ground, and a sword in the hand.

mod grip;
mod knobs;
mod layers;
mod look;
mod moves;

use std::sync::Arc;

use glam::{Affine3A, DVec2, Mat4, Quat, Vec2, Vec3};
use nebula_animation::{
    AnimationMixer, AnimationPlayer, BlendSpace, BoneAttachment, LayerId, ProceduralAnimationStack, RestPose, Skeleton,
    compute_world_matrices,
    mixer::{Motion, update_mixer},
    procedural::WeightFade,
    rig::FeetRig,
};

use super::cast::Cast;
use super::terrain::Hills;

pub use knobs::Knobs;
pub use look::{Contact, Playing};

/// What a player or a script asks of the hero.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Input {
    /// Where to go in the ground plane, as world x and z. Shorter than 0.1 is to stand.
    pub direction: Vec2,
    /// Whether to run rather than walk.
    pub is_running: bool,
}

/// The character, somewhere on the hills.
///
/// It begins in its T-pose; [`wake`](Hero::wake) lets it stand at ease, and from then on it goes where the inputs say.
pub struct Hero {
    /// What a panel can change.
    pub knobs: Knobs,
    /// World-space position that it looks at, in metres.
    pub gaze: Vec3,
    cast: Arc<Cast>,
    hills: Hills,
    skeleton: Arc<Skeleton>,
    rest: RestPose,
    feet: FeetRig,
    mixer: AnimationMixer,
    player: AnimationPlayer,
    stack: ProceduralAnimationStack,
    sword: BoneAttachment,
    /// Walking and running by speed.
    gait: Motion,
    space: Arc<BlendSpace>,
    /// The layer of the mixer that moves the sword arm alone.
    arm: LayerId,
    /// How much the layers show that belong to a living being: none in the T-pose.
    life: WeightFade,
    /// The same for breath, of which a runner shows less.
    breath: WeightFade,
    posture: Posture,
    /// Where it stands, as world x and z. In `f64`, so that long walks are as exact as short ones.
    place: DVec2,
    /// Radians from +Z to +X.
    heading: f64,
    /// Radians per second.
    turn_rate: f64,
    /// Where the blend space is looked at, in metres per second.
    pace: f32,
    /// Metres per second over the ground in the last update.
    speed: f32,
    elapsed: f64,
    world_from_model: Affine3A,
    /// World from bind, for each joint.
    palette: Vec<Mat4>,
    sword_place: Mat4,
    /// How far it goes for each metre that its feet say. 1, but for tests that want to see it slide.
    pub(super) slip: f64,
}

/// What the base layer of the mixer is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Posture {
    /// As modelled.
    TPose,
    /// At ease.
    Standing,
    /// On the move.
    Moving,
    /// What [`Hero::play`] asked for.
    Performing,
}

impl Hero {
    /// The character in its T-pose at a place, given as x and z, facing +Z.
    ///
    /// # Errors
    /// The character lacks a clip or a joint.
    pub fn new(cast: &Arc<Cast>, hills: Hills, place: Vec2) -> Result<Self, String> {
        let moves::Moves { mixer, gait, space, arm } = moves::moves(&cast.humanoid.asset)?;
        let skeleton = Arc::new(cast.humanoid.asset.skeleton.clone());
        let rest = RestPose::of(&skeleton);
        let layers::Layers { stack, feet } = layers::layers(&skeleton, &rest, mixer.clips(), hills)?;
        let (joint, offset, turn) = grip::HOLD;
        let sword = BoneAttachment::new(&skeleton, joint).map_err(|error| error.to_string())?.at(offset, turn);
        let mut player = AnimationPlayer::new(0, 0.0, skeleton.joints.len());
        player.local_poses = skeleton.bind_pose();
        let mut hero = Self {
            knobs: Knobs::default(),
            gaze: hills.on(place) + Vec3::new(0.0, 1.6, 3.0),
            cast: Arc::clone(cast),
            hills,
            palette: vec![Mat4::IDENTITY; skeleton.joints.len()],
            skeleton,
            rest,
            feet,
            mixer,
            player,
            stack,
            sword,
            gait,
            space,
            arm,
            life: WeightFade::new(0.0),
            breath: WeightFade::new(1.0),
            posture: Posture::TPose,
            place: place.as_dvec2(),
            heading: 0.0,
            turn_rate: 0.0,
            pace: moves::WALK,
            speed: 0.0,
            elapsed: 0.0,
            world_from_model: Affine3A::IDENTITY,
            sword_place: Mat4::IDENTITY,
            slip: 1.0,
        };
        hero.update(0.0, &Input::default());
        Ok(hero)
    }

    /// Lets `dt` seconds pass. A step that is not positive and finite lets none pass; the pose is brought up to date anyway.
    pub fn update(&mut self, dt: f32, input: &Input) {
        let scale = if self.knobs.time_scale > 0.0 { self.knobs.time_scale.min(10.0) } else { 0.0 };
        let dt = if dt > 0.0 && dt.is_finite() { dt.min(0.25) * scale } else { 0.0 };
        self.elapsed += f64::from(dt);
        self.decide(input);
        self.life.advance(dt);
        self.breath.advance(dt);
        let turn = self.steer(input, dt);
        update_mixer(&mut self.mixer, &mut self.player, &self.skeleton, dt);
        self.travel(turn, dt);
        self.bend(dt);
        compute_world_matrices(&mut self.player, &self.skeleton);
        let world_from_model = Mat4::from(self.world_from_model);
        for (world, model) in self.palette.iter_mut().zip(&self.player.joint_matrices) {
            *world = world_from_model * *model;
        }
        self.sword_place = self.sword.world_matrix(&self.skeleton, &self.player.local_poses, &world_from_model);
    }

    /// Turns towards where it is to go, and goes faster or slower. The turn of this frame in radians.
    fn steer(&mut self, input: &Input, dt: f32) -> f64 {
        let is_moving = self.posture == Posture::Moving;
        let wanted = if input.is_running { moves::RUN } else { moves::WALK };
        let change = moves::ACCELERATION * dt;
        self.pace += (wanted - self.pace).clamp(-change, change);
        self.mixer.set_blend_position(self.gait, Vec2::new(self.pace, 0.0));
        let rate = if is_moving && input.direction.is_finite() {
            let way = f64::from(input.direction.x).atan2(f64::from(input.direction.y)) - self.heading;
            let away = way - (way / std::f64::consts::TAU).round() * std::f64::consts::TAU;
            (away * 4.5).clamp(-moves::FASTEST_TURN, moves::FASTEST_TURN)
        } else {
            0.0
        };
        // The turn begins and ends softly.
        self.turn_rate += (rate - self.turn_rate) * (1.0 - (-8.0 * f64::from(dt)).exp());
        self.turn_rate * f64::from(dt)
    }

    /// Goes as far as the clips say.
    fn travel(&mut self, turn: f64, dt: f32) {
        let step = self.mixer.root_motion();
        let (sin, cos) = (self.heading + 0.5 * (turn + step.yaw)).sin_cos();
        let (x, z) = (step.translation.x, step.translation.z);
        let moved = DVec2::new(x * cos + z * sin, z * cos - x * sin) * self.slip;
        self.heading += turn + step.yaw;
        self.place += moved;
        if dt > 0.0 {
            self.speed = moved.length() as f32 / dt;
        }
        let place = self.hills.on(self.place.as_vec2());
        self.world_from_model = Affine3A::from_rotation_translation(Quat::from_rotation_y(self.heading as f32), place);
    }

    /// The hills it walks on.
    #[must_use]
    pub fn hills(&self) -> &Hills {
        &self.hills
    }

    /// Where it stands, on the ground.
    #[must_use]
    pub fn place(&self) -> Vec3 {
        self.world_from_model.translation.into()
    }

    /// Where it faces, level; unit length.
    #[must_use]
    pub fn forward(&self) -> Vec3 {
        Vec3::new(self.heading.sin() as f32, 0.0, self.heading.cos() as f32)
    }
}
