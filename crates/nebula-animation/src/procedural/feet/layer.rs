use glam::{Quat, Vec3, Vec3A};

use super::damped::Paces;
use super::foot::Foot;
use super::live::LiveContact;
use super::pelvis::{Pelvis, Room};
use super::reach::within_reach;
use super::settings::FootSettings;
use super::step::{Stand, Step, Surroundings, Target};
use super::swing::Swing;
use super::told::Told;
use crate::explain::Reason;
use crate::math::trig::sin_cos;
use crate::procedural::ik::{TwoBoneLimits, bend_limb};
use crate::procedural::layer::has_gap;
use crate::procedural::turn::rotated;
use crate::procedural::{ModelPose, ProceduralContext, ProceduralLayer};
use crate::rig::{FeetRig, Leg, Sole};
use crate::skeleton::JointPose;
use crate::state::stateful;

/// A layer that places a character's feet on the ground, and keeps them in place while they stand.
///
/// Move the entity as you like, at about the speed at which its clip walks, with its origin on the ground. The layer
/// queries the ground below the feet and bends the legs. A standing foot stays in its footprint and aligns with the
/// ground's normal, whatever the entity does, within the limits of [`FootSettings`]; beyond them it is released gently.
/// In the air, when no foot stands and there is no ground nearby, the clip's own pose returns. A teleport releases the
/// feet at once.
///
/// Whether a foot stands is determined by the contacts of the clips that are shown, or by the pose itself if those are
/// not known. The ground comes from the [`Surroundings`](crate::Surroundings) and is queried every frame.
///
/// ```
/// use nebula_animation::{ProceduralAnimationStack, Rig, load_skeleton_and_clips};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = std::path::Path::new("test_assets/simple_humanoid.glb");
/// let (skeleton, _) = load_skeleton_and_clips(path)?;
/// let rig = Rig::new(skeleton);
/// let mut stack = ProceduralAnimationStack::default();
/// stack.push(rig.humanoid().foot_placement(&rig)?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct FootPlacement {
    /// The limits.
    pub settings: FootSettings,
    /// Blend weight, from 0 to 1. After a time at weight zero, the feet start afresh.
    pub weight: f32,
    pub(super) rig: FeetRig,
    told: Told,
    pub(super) feet: Box<[Foot]>,
    /// Empty while the clips tell.
    live: Vec<LiveContact>,
    /// Memory for one frame.
    pub(super) steps: Vec<Step>,
    pub(super) targets: Vec<Target>,
    pub(super) pelvis: Pelvis,
    paces: Paces,
    /// The steepest slope and the greatest twist of the settings, each followed by its cosine.
    limits: [f32; 4],
    /// How far the character is on the ground: 0 in the air. Before easing.
    pub(super) grounded: f32,
    /// Where the entity was in the frame before, and the direction of its x axis.
    place: Vec3,
    way: Vec3,
    frames_missed: u32,
    /// The time of the frame before.
    elapsed: f32,
    has_warned: bool,
}

/// How high a sole may be above the floor of mixed clips and still stand on it, in lengths of the leg: about a centimetre of an
/// adult, which a shoe's sole hides.
const HOVERING: f32 = 0.0125;

/// How deep a sole may be in the ground before it is lifted out of it, in lengths of the leg: less than two millimetres of an adult.
const SLACK: f32 = 0.002;

/// How much lower than in the last stride the body has to be before that is made up for at once, in lengths of the leg.
const UNFORESEEN: f32 = 0.03;

impl FootPlacement {
    /// A layer of full weight for these legs.
    #[must_use]
    pub fn new(rig: FeetRig) -> Self {
        let count = rig.legs.len();
        // As many points as the soles have, so that frames need no memory.
        let step = |leg: &Leg| Step { points: vec![Vec3A::ZERO; leg.outline.len()].into(), ..Step::default() };
        let steps = rig.legs.iter().map(step).collect();
        Self {
            settings: FootSettings::default(),
            weight: 1.0,
            rig,
            told: Told::of(count),
            feet: vec![Foot::default(); count].into(),
            live: Vec::with_capacity(count),
            steps,
            targets: Vec::with_capacity(count),
            pelvis: Pelvis::default(),
            paces: Paces::default(),
            limits: [f32::NAN; 4],
            grounded: 1.0,
            place: Vec3::ZERO,
            way: Vec3::X,
            frames_missed: 2,
            elapsed: 0.0,
            has_warned: false,
        }
    }

    /// The same, with other limits.
    #[must_use]
    pub fn with_settings(mut self, settings: FootSettings) -> Self {
        self.settings = settings;
        self
    }

    /// `true` if a foot is currently locked to its footprint.
    #[must_use]
    pub fn is_planted(&self, leg: usize) -> bool {
        self.feet.get(leg).is_some_and(|foot| foot.is_planted)
    }

    /// Releases the feet at once, as after a teleport: the next frame starts afresh.
    pub fn reset(&mut self) {
        self.frames_missed = 2;
    }

    fn warn(&mut self, what: &str) {
        if !self.has_warned {
            self.has_warned = true;
            log::warn!("foot placement on pelvis {}: {what}, the feet are as in the clip", self.rig.pelvis);
        }
    }

    /// Brings what was read into its range.
    fn clean(&mut self) {
        self.grounded = self.grounded.clamp(0.0, 1.0);
    }

    /// Whether this frame has nothing to do with the one before.
    fn is_fresh(&mut self, stand: &Stand, elapsed: f32, dt: f32) -> bool {
        let place = Vec3::from(stand.world_from_model.translation);
        let way = stand.rotation * Vec3::X;
        let (before, way_before) = (std::mem::replace(&mut self.place, place), std::mem::replace(&mut self.way, way));
        let length = self.rig.legs.first().map_or(1.0, |leg| leg.length) * stand.scale;
        // Faster than anyone runs: more than a leg's length in a frame, and more than 20 a second.
        let is_teleport = place.distance(before) > length * (1.0 + 20.0 * dt.min(0.1));
        // A right angle in a frame.
        let has_turned = way.dot(way_before) < 0.0;
        let is_fresh = self.frames_missed > 1 || has_gap(self.elapsed, elapsed, dt) || is_teleport || has_turned;
        self.frames_missed = 0;
        self.elapsed = elapsed;
        is_fresh
    }

    /// Recomputes what depends on the settings and the frame's time.
    fn refresh(&mut self, dt: f32) {
        self.paces.update(dt, self.settings.pelvis_rate);
        let (slope, twist) = (self.settings.max_slope, self.settings.max_twist);
        if self.limits[0] != slope || self.limits[2] != twist {
            self.limits = [slope, sin_cos(slope.clamp(0.0, 1.5)).1, twist, sin_cos(twist.clamp(0.0, 3.0)).1];
        }
    }

    /// What the clip does with the feet.
    fn read(&mut self, pose: &mut ModelPose<'_>, stand: &Stand, speed: f32, dt: f32, is_fresh: bool) {
        let is_fresh = is_fresh || self.live.is_empty();
        self.live.resize(if self.told.floor.is_some() { 0 } else { self.rig.legs.len() }, LiveContact::default());
        for (index, leg) in self.rig.legs.iter().enumerate() {
            let [thigh, shin, foot] = leg.limb.joints;
            // The last one first: those above it are found on the way.
            let foot = pose.placed(foot);
            let (ankle, rotation) = (foot.origin(), foot.rotation());
            let (heel, side) = (foot.point(leg.heel), foot.vector(leg.side));
            let (hip, knee) = (pose.placed(thigh).origin(), pose.placed(shin).origin());
            let ball = pose.point_of(leg.ball_joint, leg.ball);
            let step = &mut self.steps[index];
            step.hip = hip;
            step.ankle = ankle;
            step.rotation = rotation;
            step.sole = Sole::new(heel, ball, side);
            step.length = hip.distance(knee) + knee.distance(ankle);
            let contact = self.told.feet[index];
            step.is_down = match self.live.get_mut(index) {
                Some(live) => live.advance(leg, step, stand, speed, dt, is_fresh),
                None => contact.is_down,
            };
            (step.until, step.since) = (contact.until, contact.since);
            let [heel, ball] = step.sole.heights(leg, stand.floor);
            let into_foot = rotation.conjugate();
            let mut lowest = f32::INFINITY;
            step.lowest = u8::MAX;
            for (at, (slot, sole)) in (0..).zip(step.points.iter_mut().zip(&leg.outline)) {
                let mut place = pose.point_of(sole.joint, sole.point.into());
                if let Some(blend) = sole.blend {
                    place = place.lerp(pose.point_of(blend.joint, blend.point.into()), blend.share);
                }
                if place.y < lowest {
                    (lowest, step.lowest) = (place.y, at);
                }
                *slot = rotated(into_foot, place - ankle);
            }
            if contact.is_disputed {
                // A clip that has the foot in the air lifts the mix: what hovers is not to be held there. It takes less to go on
                // standing than to begin with it.
                let highest = if self.feet[index].is_planted { HOVERING } else { 0.6 * HOVERING };
                step.is_down &= heel.min(ball) < highest * leg.length;
            }
        }
    }
}

impl ProceduralLayer for FootPlacement {
    stateful!(given { settings, weight, elapsed } kept {
        feet, live, pelvis, grounded, place, way, frames_missed
    } then clean);

    fn evaluate(&self, _context: &ProceduralContext) -> JointPose {
        (Vec3::ZERO, Quat::IDENTITY, Vec3::ONE)
    }

    fn target_joint(&self) -> u16 {
        self.rig.pelvis
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn update(&mut self, _context: &ProceduralContext) {
        self.frames_missed = self.frames_missed.saturating_add(1);
    }

    fn modify(&mut self, context: &ProceduralContext, pose: &mut ModelPose<'_>) {
        if usize::from(self.rig.highest_joint) >= pose.joint_count() {
            return self.warn("a joint does not exist");
        }
        let Some(ground) = pose.surroundings().ground else {
            return self.warn("the surroundings have no ground");
        };
        self.told.read(pose);
        let world_from_model = *pose.world_from_model();
        let (scale, rotation, _) = world_from_model.to_scale_rotation_translation();
        // Feet do not slide under a scale that differs by axis, but they are not tilted quite right.
        let scale = scale.y.abs();
        let is_sound = world_from_model.is_finite() && rotation.is_finite() && scale > 0.0 && scale < 1e9;
        if !is_sound {
            return self.warn("the entity's transform cannot be used");
        }
        let dt = if context.dt > 0.0 && context.dt.is_finite() { context.dt } else { 0.0 };
        let stand =
            Stand { world_from_model, rotation, up: rotation * Vec3A::Y, scale, floor: self.told.floor.unwrap_or(0.0) };
        let before = self.place;
        let is_fresh = self.is_fresh(&stand, context.elapsed, dt);
        let moved = self.place - before;
        let speed = if dt > 0.0 { Vec3::new(moved.x, 0.0, moved.z).length() / dt } else { 0.0 };
        self.read(pose, &stand, speed, dt, is_fresh);
        if self.steps.is_empty() || !self.steps.iter().all(Step::is_finite) {
            self.reset();
            return self.warn("the pose is not finite");
        }
        let is_grounded = pose.surroundings().is_grounded;
        let grounded = self.advance_grounded(ground, is_grounded, &stand, dt, is_fresh);

        self.refresh(dt);
        let model_from_world = *pose.model_from_world();
        let into_model = rotation.conjugate();
        let around = Surroundings {
            stand: &stand,
            ground,
            settings: &self.settings,
            steepest: self.limits[1],
            most_twisted: self.limits[3],
            paces: &self.paces,
            dt,
            velocity: if dt > 0.0 && !is_fresh { Vec3A::from(moved) / dt } else { Vec3A::ZERO },
            rate: if dt > 0.0 { dt.recip() } else { 0.0 },
            fading: dt / self.settings.fade_secs.max(1e-3),
            is_fresh,
        };
        let length = self.rig.legs.first().map_or(1.0, |leg| leg.length);
        let had_landed = self.feet.first().is_some_and(|foot| foot.is_planted);
        self.targets.clear();
        let legs = self.rig.legs.iter().zip(&mut self.feet).zip(&self.steps);
        self.targets.extend(legs.map(|((leg, foot), step)| foot.advance(leg, step, &around)));
        for leg in 0..self.feet.len() {
            // Legs come in pairs.
            if let Some(other) =
                self.feet.get(leg ^ 1).filter(|_| self.feet[leg].stride.is_new()).map(|foot| foot.stride)
            {
                self.feet[leg].stride.learn_from(&other, &self.steps[leg]);
            }
        }
        // An entity that is put on the next stair from one frame to the next: its body follows smoothly. A lift, however fast, takes it along.
        let risen = moved.y - self.feet.first().map_or(0.0, Foot::ground_climbs) * dt;
        let jump = if risen.abs() > length * scale * (0.02 + 2.0 * dt) { risen / scale } else { 0.0 };
        let [base, climb] = self.base(&stand, around.velocity);
        let smooth = if jump == 0.0 && climb != 0.0 { around.velocity.y / scale } else { 0.0 };
        let absorbed = if is_fresh || grounded == 0.0 { None } else { Some(jump) };
        let next = self.next_base(&stand, around.velocity, smooth);
        self.pelvis.absorb(absorbed, [base, climb - smooth], next, &around);
        let mut room = Room::ANY;
        let legs = self.rig.legs.iter().zip(&mut self.feet);
        for (((leg, foot), step), target) in legs.zip(&self.steps).zip(&mut self.targets) {
            let hold = target.hold;
            let lag = Vec3A::Y * self.pelvis.lag();
            let swing = if foot.is_planted { Swing::NONE } else { Swing::of(leg, step, stand.floor) };
            let amount = hold * grounded * swing.following();
            let mut ankle = model_from_world.transform_point3a(target.ankle);
            let mut rotation = into_model * target.rotation;
            if amount < 1.0 {
                ankle = (step.ankle + lag).lerp(ankle, amount);
                rotation = step.rotation.lerp(rotation, amount);
            }
            // Whatever the clips are mixed to, and whatever their own soles do: no shoe in the ground.
            (target.ankle, target.rotation) = (ankle, rotation);
            let depth = foot.depth(leg, step, target, &stand) - SLACK * leg.length * scale;
            let lift = swing.lift(leg, depth / scale) * scale;
            let lift = lift - foot.lower(leg, step, &around);
            if lift != 0.0 {
                target.ankle += model_from_world.transform_vector3a(Vec3A::Y * (lift * grounded * hold));
            }
            let own = room.with_leg(leg, step, target.ankle, foot.is_planted, &around);
            let is_known = self.pelvis.knows_strides() && (foot.is_planted || foot.stride.is_foreseen());
            let spare = if is_known { UNFORESEEN * leg.length } else { 0.0 };
            {
                room.expect(
                    [own[0] + spare, own[1]],
                    foot.room - if absorbed.is_some() { jump * hold } else { 0.0 },
                    &around,
                );
            }
            foot.room = own[1];
            let ahead =
                if foot.is_planted { None } else { foot.stride.foresee(leg, room.reach(step, &around), &around) };
            ahead.into_iter().for_each(|ahead| room.foresee(ahead));
        }
        if is_fresh && self.steps.iter().any(|step| !step.is_down) {
            // In the middle of a stride the spring would be on its way already.
            let rise = self.feet.iter().map(Foot::rise).fold(0.0, f32::max);
            room.lower_to(-0.2 * rise * length);
        }
        let has_landed = self.feet.first().is_some_and(|foot| foot.is_planted) && !had_landed;
        let is_free = self.targets.iter().all(|target| target.hold == 0.0);
        let shift = self.pelvis.advance(&room, [has_landed, is_free], length, &around);
        if !shift.is_finite() || !self.targets.iter().all(|target| target.ankle.is_finite()) {
            self.reset();
            return self.warn("the ground is too far away");
        }
        let shift = Vec3A::Y * (shift * grounded);
        pose.shift(self.rig.pelvis, shift);
        let legs = self.rig.legs.iter().zip(&self.feet);
        for (((leg, foot), target), step) in legs.zip(&mut self.targets).zip(&self.steps) {
            let swing = (!foot.is_planted).then(|| Swing::of(leg, step, stand.floor));
            within_reach(leg, step, swing.as_ref(), step.hip + shift, target, &self.settings);
            if !leg.is_chained {
                // It is where the shin ends, which has gone down with the pelvis.
                pose.set_position(leg.limb.joints[2], (step.ankle + shift).into());
            }
            let end = bend_limb(pose, &leg.limb, target.ankle, None, &TwoBoneLimits::default());
            if !leg.is_chained {
                pose.set_position(leg.limb.joints[2], end.unwrap_or(target.ankle).into());
            }
            pose.set_rotation(leg.limb.joints[2], target.rotation);
        }
    }

    fn explain(&self, _context: &ProceduralContext, pose: &mut ModelPose<'_>, reasons: &mut Vec<Reason>) {
        self.reasons(pose, reasons);
    }
}
