//! One frame of a mixer.

use std::cell::RefCell;

use super::AnimationMixer;
use super::blend::BlendMode;
use super::crossfade::Repair;
use super::evaluate::{Moment, Scratch, View};
use super::events::Passed;
use super::held::{Held, alone};
use super::inertia::{Age, Apply, Capture, Difference, forget};
use super::layer::{Level, MixerLayer};
use super::lease::{Lease, prepare};
use super::levels::MOST_LEVELS;
use super::memory::{TRACKS, Turns};
use super::motion::MotionContext;
use super::root::RootReport;
use crate::frame::Frame;
use crate::frame::LayerId;
use crate::math::clean_weight;
use crate::math::isa::Isa;
use crate::math::lanes::dispatch;
use crate::rig::Rig;
use crate::rig::block::{Blocks, LANES, PoseBlock};
use crate::sample::Interpolatable;
use crate::skeleton::JointPose;

thread_local! {
    pub(super) static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Over how many seconds velocities are measured, when an inertialised fade begins: short against a frame, and long
/// enough that the rounding of `f32` does not matter.
const VELOCITY_STEP: f64 = 1.0 / 1000.0;

/// How many times its longest limb a joint may move in a second: what seems to be faster is a jump between two keys.
const FASTEST: f32 = 40.0;

/// Advances a mixer by `dt` seconds (`f32` or `f64`) and writes the result into a frame: the pose, the morph weights,
/// which clips are shown, and the root step.
///
/// ```
/// use nebula_animation::{AnimationClipLibrary, AnimationMixer, Frame, mixer::update_mixer};
///
/// let mut mixer = AnimationMixer::new(AnimationClipLibrary::default());
/// let mut frame = Frame::new(mixer.rig());
/// update_mixer(&mut mixer, &mut frame, 1.0 / 60.0);
/// frame.finish(&[]);
/// ```
pub fn update_mixer(mixer: &mut AnimationMixer, frame: &mut Frame, dt: impl Into<f64>) {
    mixer.update(dt);
    mixer.write_frame(frame);
}

/// Interpolates by `t` (0 to 1, clamped) from one pose to another, joint by joint: linearly for translation and scale,
/// along the shorter arc for rotation. Joints missing from either slice are skipped.
///
/// ```
/// use nebula_animation::{Skeleton, mixer::blend_poses};
///
/// let pose = Skeleton::default().bind_pose();
/// let mut halfway = pose.clone();
/// blend_poses(&pose, &pose, 0.5, &mut halfway);
/// ```
pub fn blend_poses(from: &[JointPose], to: &[JointPose], t: f32, pose: &mut [JointPose]) {
    let t = clean_weight(t);
    for ((pose, from), to) in pose.iter_mut().zip(from).zip(to) {
        *pose = (
            Interpolatable::lerp(&from.0, &to.0, t),
            Interpolatable::lerp(&from.1, &to.1, t),
            Interpolatable::lerp(&from.2, &to.2, t),
        );
    }
}

impl AnimationMixer {
    /// Advances time by `dt` seconds (`f32` or `f64`) and computes the pose, which
    /// [`write_pose`](AnimationMixer::write_pose) copies out. A negative `dt` rewinds actions and pauses fades; one
    /// that is not finite counts as 0.
    pub fn update(&mut self, dt: impl Into<f64>) {
        let dt = self.clean_step(dt.into());
        self.with_stage(|stage, context, scratch| {
            let dies_away = stage.pass(context, dt, scratch);
            stage.show(context, 0.0, dies_away, scratch);
        });
    }

    /// As [`update`](AnimationMixer::update), without the pose, which stays as it was.
    pub(crate) fn pass(&mut self, dt: f64) {
        let dt = self.clean_step(dt);
        self.with_stage(|stage, context, scratch| {
            stage.pass(context, dt, scratch);
        });
    }

    /// Computes the pose that is shown `ahead` seconds from now, if nothing else is played until then.
    pub(crate) fn look_ahead(&mut self, ahead: f64) {
        let ahead = (ahead * f64::from(self.time_scale)).max(0.0);
        self.with_stage(|stage, context, scratch| {
            let dies_away = *stage.differences_left > 0.0 && !stage.differences.get().is_empty();
            stage.show(context, if ahead.is_finite() { ahead } else { 0.0 }, dies_away, scratch);
        });
    }

    /// Seconds that pass in a frame of `dt` seconds, which are counted.
    fn clean_step(&mut self, dt: f64) -> f64 {
        let dt = dt * f64::from(self.time_scale);
        if !dt.is_finite() && !std::mem::replace(&mut self.has_warned, true) {
            log::warn!("a frame of {dt} s is not finite: it counts as 0 s, as do later ones");
        }
        let dt = if dt.is_finite() { dt } else { 0.0 };
        self.elapsed.add(dt);
        dt
    }

    fn with_stage(&mut self, work: impl FnOnce(&mut Stage<'_>, MotionContext<'_>, &mut Scratch)) {
        self.prepare();
        let Self { base, layers, clips, spaces, pose, held, has_pose, differences, differences_left, .. } = self;
        let Self { passed, root, extent, .. } = self;
        let context = MotionContext { library: clips, spaces };
        let mut stage =
            Stage { base, layers, pose, held, has_pose, differences, differences_left, passed, root, extent: *extent };
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.fit(clips.rig().rest.len());
            work(&mut stage, context, scratch);
        });
    }

    /// Asks the thread, once, for the memory that fades need at most, so that none is allocated when they come.
    fn prepare(&mut self) {
        if !std::mem::replace(&mut self.is_prepared, true) {
            let (layers, blocks) = (self.layers.len() + 1, self.pose.len());
            prepare::<Turns>(TRACKS * layers, blocks);
            prepare::<PoseBlock>(layers, blocks);
            prepare::<Difference>(1, blocks);
            prepare::<Level>(layers, MOST_LEVELS);
            if self.clips.has_roots() || !self.clips.markers().is_empty() {
                self.passed.clear();
                self.passed.reserve_exact(self.most_shown());
            }
        }
    }

    /// Writes the pose of the last update, relative to each joint's parent, in skeleton order. A shorter slice gets the
    /// first joints. Before the first update it is the rest pose.
    pub fn write_pose(&self, pose: &mut [JointPose]) {
        self.rig().write_pose(&self.pose, pose);
    }

    /// Writes the result of the last update into a frame of the same rig. A frame of a different rig is left unchanged,
    /// and a line is logged.
    pub fn write_frame(&self, frame: &mut Frame) {
        if self.fill(frame) {
            frame.set_local(&self.pose);
        }
    }

    /// Writes all but the pose. Whether the frame is of the same rig.
    pub(crate) fn fill(&self, frame: &mut Frame) -> bool {
        self.fill_ahead(0.0, frame)
    }

    /// The same, with the clips that are shown `ahead` seconds later.
    pub(crate) fn fill_ahead(&self, ahead: f64, frame: &mut Frame) -> bool {
        let is_same = frame.rig().id() == self.rig().id();
        if is_same {
            frame.shown.clear();
            self.show_clips(ahead * f64::from(self.time_scale), &mut frame.shown);
            frame.root_step = self.root_motion();
        } else {
            log::error!("a frame of {:?} cannot show a mixer of {:?}", frame.rig().id(), self.rig().id());
        }
        is_same
    }

    /// The pose of the last update, in lanes.
    pub(crate) fn lanes(&self) -> &[PoseBlock] {
        &self.pose
    }
}

/// What changes in a frame of a mixer. What it plays is borrowed separately: a reference count would be shared by all
/// threads.
struct Stage<'a> {
    base: &'a mut MixerLayer,
    layers: &'a mut [MixerLayer],
    pose: &'a mut [PoseBlock],
    held: &'a mut Option<Held>,
    has_pose: &'a mut bool,
    differences: &'a mut Lease<Difference>,
    differences_left: &'a mut f64,
    passed: &'a mut Vec<Passed>,
    root: &'a mut RootReport,
    extent: f32,
}

impl Stage<'_> {
    fn every_layer(&mut self) -> impl Iterator<Item = &mut MixerLayer> {
        std::iter::once(&mut *self.base).chain(&mut *self.layers)
    }

    /// Lets `dt` seconds pass. Whether a difference dies away in that time.
    fn pass(&mut self, context: MotionContext<'_>, dt: f64, scratch: &mut Scratch) -> bool {
        let MotionContext { library, spaces } = context;
        let isa = Isa::best();
        let moment = Moment { isa, context, ahead: 0.0, view: View::Old };
        let rig = library.rig();
        for layer in self.every_layer() {
            layer.actions_mut().for_each(|action| action.sync(&context));
            layer.hand_back(dt);
            layer.fold(&moment, scratch);
        }
        self.begin_inertia(rig, &moment, scratch);

        self.passed.clear();
        let (markers, has_root) = (library.markers(), library.has_roots());
        for (index, layer) in std::iter::once(&mut *self.base).chain(&mut *self.layers).enumerate() {
            layer.actions_mut().for_each(|action| action.advance(dt));
            layer.note_end();
            if has_root {
                layer.note_mean_shares(dt.max(0.0));
            }
            layer.advance_fades(dt.max(0.0));
            if has_root || !markers.is_empty() {
                let is_wanted = |clip| has_root || !markers.of(clip).is_empty();
                layer.report(LayerId::new(index), spaces, is_wanted, self.passed);
            }
            layer.drop_hidden();
            (layer.is_shown, layer.is_unshown_fade, layer.is_cut) = (true, false, false);
        }

        self.root.update(library, self.passed);

        let dies_away = *self.differences_left > 0.0;
        if dies_away {
            *self.differences_left -= dt.max(0.0);
            dispatch(isa, Age { differences: self.differences.get_mut(), dt: dt.max(0.0) as f32 });
        } else {
            self.differences.give_back();
        }
        dies_away
    }

    /// Computes the pose, `ahead` seconds from now.
    fn show(&mut self, context: MotionContext<'_>, ahead: f64, dies_away: bool, scratch: &mut Scratch) {
        let library = context.library;
        let (isa, rig) = (Isa::best(), library.rig());
        let now = Moment { isa, context, ahead, view: View::Ahead };
        // From the top: what lies below what covers it is not asked for.
        let mut covered = Blocks::NONE;
        for layer in self.layers.iter_mut().rev() {
            layer.memory.covered = covered;
            covered = covered | layer.covers();
        }
        self.base.memory.covered = covered;
        let is_single = self.layers.is_empty() && !dies_away;
        let alone = alone(self.base, &now).filter(|_| is_single);
        match alone.filter(|(clip, _)| self.held.is_some_and(|held| held.clip == *clip)) {
            Some((clip, time)) => library[clip].sample_some_moving(isa, time, Blocks::ALL, self.pose),
            None => {
                *self.held = alone.map(|(clip, _)| Held::new(clip));
                for layer in std::iter::once(&mut *self.base).chain(&mut *self.layers) {
                    let wanted = Blocks::ALL.without(layer.memory.covered);
                    layer.show(&now, scratch, wanted, self.pose);
                }
            }
        }
        if dies_away {
            dispatch(isa, Apply { pose: self.pose, differences: self.differences.get(), ahead: ahead as f32 });
        }
        // What is blended of finite poses by weights from 0 to 1 is finite. Additive layers add up, and differences go beyond.
        let adds = self.layers.iter().any(|layer| layer.mode == BlendMode::Additive);
        let is_tame = library.is_finite() && !adds && !(*self.differences_left > 0.0);
        if !is_tame && dispatch(isa, Repair { pose: self.pose, instead: &rig.rest }) {
            self.recover();
        }
        *self.has_pose = true;
    }

    /// Finds the differences that die away, for inertialised fades that have just begun; forgets those of joints that are
    /// meant to jump.
    fn begin_inertia(&mut self, rig: &Rig, moment: &Moment, scratch: &mut Scratch) {
        let is_begun = *self.has_pose && self.every_layer().any(|layer| layer.awaits_capture());
        if is_begun {
            let mut moments = std::mem::take(&mut scratch.moments);
            for (index, pose) in moments.iter_mut().enumerate() {
                let view = if index < 3 { View::Old } else { View::New };
                let ahead = VELOCITY_STEP * (index % 3) as f64;
                let pose = &mut pose[..rig.rest.len()];
                let moment = Moment { view, ahead, ..*moment };
                self.every_layer().for_each(|layer| layer.show(&moment, scratch, Blocks::ALL, pose));
                if view == View::Old && *self.differences_left > 0.0 {
                    let differences = self.differences.get();
                    dispatch(moment.isa, Apply { pose, differences, ahead: ahead as f32 });
                }
                dispatch(moment.isa, Repair { pose, instead: &rig.rest });
            }
            scratch.moments = moments;
        }
        let Self { base, layers, differences, pose, differences_left, extent, .. } = self;
        for layer in std::iter::once(&mut **base).chain(&mut **layers) {
            let is_captured = is_begun && layer.awaits_capture();
            if !is_captured && !layer.is_cut {
                continue;
            }
            let mask = layer.mask.as_ref().map(|mask| layer.memory.mask_lanes(rig, mask));
            if layer.is_cut {
                forget(differences.get_mut(), mask);
            }
            if is_captured {
                let blocks = pose.len();
                let [a, b, c, d, e, f] = &scratch.moments;
                let capture = Capture {
                    differences: differences.take(blocks),
                    shown: pose,
                    old: [&a[..blocks], &b[..blocks], &c[..blocks]],
                    new: [&d[..blocks], &e[..blocks], &f[..blocks]],
                    step: VELOCITY_STEP as f32,
                    seconds: layer.fade_duration,
                    mask,
                    fastest: FASTEST * *extent,
                };
                dispatch(moment.isa, capture);
                **differences_left = differences_left.max(f64::from(layer.fade_duration) * 1.001 + 1e-6);
                layer.drop_below();
            }
        }
    }

    /// Makes good what numbers that are not finite may have left behind.
    fn recover(&mut self) {
        self.differences.give_back();
        *self.differences_left = 0.0;
        for layer in self.every_layer() {
            (layer.memory.has_snapshot, layer.track) = (false, None);
            layer.older.iter_mut().for_each(|level| level.fade.track = None);
            if let Some(fade) = &mut layer.fading {
                fade.track = None;
            }
        }
        // A rest pose may be broken too.
        for block in &mut *self.pose {
            let mut one = [*block];
            dispatch(Isa::best(), Repair { pose: &mut one, instead: &[PoseBlock::IDENTITY] });
            *block = one[0];
        }
    }
}

/// The longest translation of any joint in its rest pose; 1 if there is none.
pub(super) fn extent_of(rig: &Rig) -> f32 {
    let lengths = (0..rig.joint_count()).map(|place| rig.rest[place / LANES].get(place % LANES).0.length());
    let longest = lengths.filter(|length| length.is_finite()).fold(0.0, f32::max);
    if longest > 0.0 { longest } else { 1.0 }
}
