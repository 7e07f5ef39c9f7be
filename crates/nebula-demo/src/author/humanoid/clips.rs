use glam::{DQuat, dvec3};

use super::figure::Figure;
use super::jump::jump;
use super::rig::HumanoidRig;
use super::run::run;
use super::stand::{idle, standing};
use super::stroll::stroll;
use super::turn::turn_left;
use super::walk::walk;
use super::wave;
use crate::author::clip::{ClipSource, KeyStyle};
use crate::author::schema::Marker;

/// A cyclic motion of the whole figure in the frame of a root that moves at constant speed.
pub(super) struct Motion {
    pub name: &'static str,
    pub seconds: f64,
    pub intervals: usize,
    /// Metres forwards in one pass.
    pub distance: f64,
    /// Radians to the left in one pass.
    pub turn: f64,
    pub markers: Vec<Marker>,
    pub figure: Box<dyn Fn(f64) -> Figure>,
}

/// A motion whose root moves at a pace of its own.
pub(super) struct TravelMotion {
    pub name: &'static str,
    pub seconds: f64,
    pub intervals: usize,
    pub distance: f64,
    pub turn: f64,
    pub markers: Vec<Marker>,
    /// The figure in the root's frame.
    pub figure: Box<dyn Fn(f64) -> Figure>,
    pub travel: Box<dyn Fn(f64) -> Travel>,
}

/// How far the root has come.
pub(super) struct Travel {
    pub forwards: f64,
    /// Radians to the left.
    pub left: f64,
}

/// Every clip of the person. The stroll is the first one: a cycle of two seconds there is what programs have come to rely on.
pub(super) fn all(humanoid: &HumanoidRig) -> Vec<ClipSource> {
    let idle = ClipSource { style: KeyStyle::CubicSpline, ..in_place(humanoid, idle()) };
    vec![
        in_place(humanoid, stroll()),
        idle,
        in_place(humanoid, run()),
        travelling(humanoid, jump("jump", 0.0), false),
        waving(humanoid),
        travelling(humanoid, turn_left("turn_left"), false),
        steady_root_motion(humanoid, "walk_root_motion", walk()),
        steady_root_motion(humanoid, "run_root_motion", run()),
        travelling(humanoid, jump("jump_root_motion", 1.0), true),
        travelling(humanoid, turn_left("turn_left_root_motion"), true),
        in_place(humanoid, walk()),
        steady_root_motion(humanoid, "stroll_root_motion", stroll()),
    ]
}

/// The motion on the spot: the ground passes below.
fn in_place(humanoid: &HumanoidRig, motion: Motion) -> ClipSource {
    let humanoid = humanoid.clone();
    let figure = motion.figure;
    ClipSource {
        name: motion.name,
        seconds: motion.seconds,
        intervals: motion.intervals,
        looping: true,
        style: KeyStyle::Linear,
        only_joints: None,
        stepped_joints: Vec::new(),
        distance: motion.distance,
        turn: motion.turn,
        root_motion: false,
        markers: motion.markers,
        pose: Box::new(move |time| figure(time).pose(&humanoid)),
    }
}

/// The motion with a root that advances at constant speed.
fn steady_root_motion(humanoid: &HumanoidRig, name: &'static str, motion: Motion) -> ClipSource {
    let (root, speed) = (humanoid.root, motion.distance / motion.seconds);
    let clip = in_place(humanoid, motion);
    let pose = clip.pose;
    let moved = move |time: f64| {
        let mut pose = pose(time);
        pose.shifts[root] = dvec3(0.0, 0.0, speed * time);
        pose
    };
    ClipSource { name, root_motion: true, pose: Box::new(moved), ..clip }
}

/// A motion that happens once, on the spot or with its root.
fn travelling(humanoid: &HumanoidRig, motion: TravelMotion, root_motion: bool) -> ClipSource {
    let (root, travel) = (humanoid.root, motion.travel);
    let clip = in_place(
        humanoid,
        Motion {
            name: motion.name,
            seconds: motion.seconds,
            intervals: motion.intervals,
            distance: motion.distance,
            turn: motion.turn,
            markers: motion.markers,
            figure: motion.figure,
        },
    );
    let pose = clip.pose;
    let moved = move |time: f64| {
        let mut pose = pose(time);
        if root_motion {
            let Travel { forwards, left } = travel(time);
            pose.shifts[root] = dvec3(0.0, 0.0, forwards);
            pose.turns[root] = DQuat::from_rotation_y(left);
        }
        pose
    };
    ClipSource { root_motion, looping: false, pose: Box::new(moved), ..clip }
}

/// A greeting with the right arm only, to be laid over another clip. The fingers open in steps, as in drawn films.
fn waving(humanoid: &HumanoidRig) -> ClipSource {
    let arm = humanoid.arms[1];
    let motion = Motion {
        name: "wave",
        seconds: wave::SECONDS,
        intervals: 72,
        distance: 0.0,
        turn: 0.0,
        markers: Vec::new(),
        figure: Box::new(|time| {
            let mut figure = standing();
            figure.arms[1] = wave::waving_arm(time);
            figure
        }),
    };
    ClipSource {
        only_joints: Some(vec![arm.shoulder, arm.upper, arm.lower, arm.hand, arm.fingers]),
        stepped_joints: vec![arm.fingers],
        ..in_place(humanoid, motion)
    }
}

/// Markers from fractions of a cycle that the clip enters at `start`, in the order of time.
pub(super) fn markers_in_order(seconds: f64, start: f64, moments: &[(&'static str, f64)]) -> Vec<Marker> {
    // Whole microseconds, like the key times.
    let time = |cycle: f64| ((cycle - start).rem_euclid(1.0) * seconds * 1e6).round() / 1e6;
    let mut markers = moments.iter().map(|&(name, cycle)| Marker { name, time: time(cycle) }).collect::<Vec<_>>();
    markers.sort_by(|a, b| a.time.total_cmp(&b.time));
    markers
}
