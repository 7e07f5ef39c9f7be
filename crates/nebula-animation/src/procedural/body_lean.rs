use std::ops::{Add, Mul, Sub};

use glam::{Quat, Vec2, Vec3, Vec3Swizzles};

use super::layer::has_gap;
use super::turn::about;
use super::{ModelPose, ProceduralContext, ProceduralLayer};
use crate::explain::{Limit, LimitKind, LimitUnit, Reason};
use crate::math::trig::{atan2, decay};
use crate::skeleton::JointPose;
use crate::state::stateful;

/// Leans a body into curves, forward when it accelerates and back when it brakes.
///
/// It leans as far as balance requires: at `v` metres per second in a curve of `w` radians per second, by
/// `atan(v w / 9.81 m/s²)` inwards, within [`max_side`](BodyLean::max_side). Rotation and acceleration of the character
/// are derived from the [`Surroundings`](crate::Surroundings), which must have a
/// [`velocity`](crate::Surroundings::velocity); without one, nothing happens. Changes are followed smoothly, at any
/// frame rate. A teleport, or a turn within a single frame, causes no lean. In the air the body straightens.
///
/// ```
/// use glam::{Affine3A, Quat, Vec3};
/// use nebula_animation::{BodyLean, Character, Surroundings, load_skeleton_and_clips};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
/// let mut character = Character::new(skeleton, &clips);
/// character.add_layer(character.rig().humanoid().lean()?);
/// for frame in 0..180_u8 {
///     // To the left at 4 m/s, one radian in a second.
///     let turn = Quat::from_rotation_y(f32::from(frame) / 60.0);
///     let place = turn * Vec3::new(-4.0, 0.0, 0.0);
///     let world_from_model = Affine3A::from_rotation_translation(turn, place);
///     let surroundings = Surroundings { world_from_model, velocity: turn * Vec3::Z * 4.0, ..Surroundings::default() };
///     character.update(1.0 / 60.0, &surroundings);
/// }
/// let lean = character.layer_mut::<BodyLean>().expect("just added").lean();
/// assert!((lean.x.to_degrees() + 22.2).abs() < 0.2); // To the left.
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BodyLean {
    /// Index of the joint that leans, with everything above it: the spine.
    pub joint: u16,
    /// Blend weight in `[0, 1]`; default 1.
    pub weight: f32,
    /// Maximum lean to either side, in radians; default 25 degrees. Less than 0 counts as 0.
    pub max_side: f32,
    /// Maximum lean forward and back, in radians; default 12 degrees. Less than 0 counts as 0.
    pub max_forward: f32,
    /// Seconds until 99 % of a sudden change has been followed, after it has been recognized as one, which takes a
    /// quarter of a second; default 0.5. 0 or less follows at once.
    pub settle_secs: f32,
    motion: Motion,
}

/// What it remembers.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Motion {
    is_started: bool,
    elapsed: f32,
    place: Vec3,
    /// Seen from above; unit length.
    forward: Vec2,
    /// To the right and ahead.
    velocity: Vec2,
    /// The velocity, and the heading as an angle to the left: smoothed, and how fast they change.
    course: Smooth<Vec3>,
    /// Right and forward, in radians.
    lean: Smooth<Vec2>,
}

stateful!(Motion { is_started, elapsed, place, forward, velocity, course, lean });

/// A value that a spring at the verge of swinging follows.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Smooth<T> {
    value: T,
    /// Per second.
    rate: T,
}

stateful!(Smooth<Vec3> { value, rate });
stateful!(Smooth<Vec2> { value, rate });

impl<T: Copy + Default + Add<Output = T> + Sub<Output = T> + Mul<f32, Output = T>> Smooth<T> {
    fn at(value: T) -> Self {
        Self { value, rate: T::default() }
    }

    /// Advances time by more than zero, during which the followed value moves linearly: its velocity is then known
    /// without error, at any frame rate. `pace` is in 1/s.
    fn follow(&mut self, [from, to]: [T; 2], pace: f32, dt: f32) {
        let slope = (to - from) * dt.recip();
        // By so much a spring stays behind what moves evenly.
        let lag = slope * (2.0 / pace);
        let (away, speed) = (self.value - from + lag, self.rate - slope);
        let left = decay(pace * dt);
        let pull = (speed + away * pace) * dt;
        self.value = to - lag + (away + pull) * left;
        self.rate = slope + (speed - pull * pace) * left;
    }
}

/// In metres per second squared.
const GRAVITY: f32 = 9.81;
/// How fast changes of the course are believed, in 1/s: faster than a body leans, and slower than physics trembles.
const BELIEF: f32 = 12.0;
/// Radians per second beyond which a rotation is a jump to another heading.
const FASTEST_TURN: f32 = 10.0;
/// Metres beyond what the velocity explains that a body may move in a frame without it counting as a teleport.
const FARTHEST_STEP: f32 = 0.5;
/// `(1 + x) e^-x = 0.01`.
const SETTLED: f32 = 6.638_352;

impl BodyLean {
    /// A lean of one joint, with the defaults.
    #[must_use]
    pub fn new(joint: u16) -> Self {
        Self {
            joint,
            weight: 1.0,
            max_side: 25_f32.to_radians(),
            max_forward: 12_f32.to_radians(),
            settle_secs: 0.5,
            motion: Motion::default(),
        }
    }

    /// The current lean at full weight, to the right and forward relative to the entity's forward direction, in
    /// radians.
    #[must_use]
    pub fn lean(&self) -> Vec2 {
        self.motion.lean.value
    }

    /// Stands upright at once, and forgets past motion.
    pub fn reset(&mut self) {
        self.motion = Motion::default();
    }

    /// Lets the frame's time pass.
    fn follow(&mut self, context: &ProceduralContext, forward: Vec3, is_grounded: bool) {
        let &ProceduralContext { dt, elapsed, entity_position: place, velocity, .. } = context;
        let motion = &mut self.motion;
        // To the right, and ahead.
        let velocity = Vec2::new(velocity.dot(forward.cross(Vec3::Y)), velocity.dot(forward));
        let forward = forward.xz();
        let course = Smooth::at(velocity.extend(0.0));
        if !motion.is_started || has_gap(motion.elapsed, elapsed, dt) {
            *motion = Motion { is_started: true, elapsed, place, forward, velocity, course, ..Motion::default() };
            return;
        }
        motion.elapsed = elapsed;
        if !(dt > 0.0) {
            return;
        }
        // Z is to the left of X.
        let turned = -atan2(motion.forward.perp_dot(forward), motion.forward.dot(forward));
        let speed = velocity.length().max(motion.velocity.length());
        let before = motion.course;
        let is_elsewhere = motion.place.distance(place) > 2.0 * speed * dt + FARTHEST_STEP;
        if is_elsewhere || turned.abs() > FASTEST_TURN * dt {
            motion.course = course;
        } else {
            motion.course.follow([motion.velocity.extend(0.0), velocity.extend(turned)], BELIEF, dt);
            motion.course.value.z -= turned;
        }
        (motion.place, motion.forward, motion.velocity) = (place, forward, velocity);
        let most = if is_grounded { Vec2::new(self.max_side, self.max_forward).max(Vec2::ZERO) } else { Vec2::ZERO };
        let asked = [before, motion.course].map(|course| course.asked().clamp(-most, most));
        if self.settle_secs > 0.0 {
            motion.lean.follow(asked, SETTLED / self.settle_secs.max(1e-6), dt);
        } else {
            motion.lean = Smooth::at(asked[1]);
        }
    }
}

impl Smooth<Vec3> {
    /// The lean that a course asks for.
    fn asked(&self) -> Vec2 {
        let Self { value, rate } = self;
        // Of a velocity in axes that turn.
        let change = Vec2::new(rate.x - rate.z * value.y, rate.y + rate.z * value.x);
        Vec2::new(atan2(change.x, GRAVITY), atan2(change.y, GRAVITY))
    }
}

impl ProceduralLayer for BodyLean {
    stateful!(given { joint, weight, max_side, max_forward, settle_secs } kept { motion });

    /// No change: how a body moves is seen over several frames, in a stack that knows the rig.
    fn evaluate(&self, _context: &ProceduralContext) -> JointPose {
        (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)
    }

    fn target_joint(&self) -> u16 {
        self.joint
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn modify(&mut self, context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        let is_number = context.velocity.is_finite() && context.entity_position.is_finite() && context.dt.is_finite();
        if !is_number || !context.entity_forward.is_finite() || self.max_side.is_nan() || self.max_forward.is_nan() {
            return pose.reject();
        }
        // Who looks straight up or down leans nowhere else than before.
        let last = Vec3::new(self.motion.forward.x, 0.0, self.motion.forward.y);
        let forward = context.entity_forward.with_y(0.0).try_normalize().unwrap_or(last);
        let before = self.motion;
        self.follow(context, forward, pose.surroundings().is_grounded);
        let Vec2 { x: side, y: ahead } = self.motion.lean.value;
        if !(side.is_finite() && ahead.is_finite() && self.motion.course.rate.is_finite()) {
            // Of numbers that are too large.
            self.motion = Motion { is_started: false, ..before };
            return pose.reject();
        }
        // What is up goes to the right, and ahead.
        let right = forward.cross(Vec3::Y);
        let angle = (side * side + ahead * ahead).sqrt();
        let axis = Vec3::Y.cross(right * side + forward * ahead);
        let model_from_world = pose.model_from_world();
        let Some(axis) = model_from_world.transform_vector3(axis).try_normalize() else { return };
        // Seen through a mirror, it goes the other way round.
        let angle = angle * model_from_world.matrix3.determinant().signum();
        pose.rotate_in_model(self.joint, about(axis, angle));
    }

    fn explain(&self, _context: &ProceduralContext, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        let asked = self.motion.course.asked().abs().map(f32::to_degrees);
        let is_grounded = pose.surroundings().is_grounded;
        let text = format!("lean by {:.1} degrees to the side and {:.1} ahead", asked.x, asked.y);
        let limits = [("max_side", self.max_side, asked.x), ("max_forward", self.max_forward, asked.y)];
        let mut reason = Reason::new(self.joint, text);
        for (setting, most, asked) in limits {
            let most = if is_grounded { most.max(0.0).to_degrees() } else { 0.0 };
            let limit = Limit::new(LimitKind::Budget, setting, most, asked, LimitUnit::Degrees);
            reason = reason.limited(Some(limit).filter(|_| asked > most));
        }
        reasons.push(reason);
    }
}
