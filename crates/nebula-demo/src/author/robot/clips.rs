use std::f64::consts::TAU;

use glam::{DQuat, DVec3, dvec3};

use super::rig::RobotRig;
use crate::author::clip::{ClipSource, KeyStyle};
use crate::author::curve::Curve;
use crate::author::pose::Pose;
use crate::author::schema::Marker;

/// Every clip of the robot.
pub(super) fn all(robot: &RobotRig) -> Vec<ClipSource> {
    let walk_on =
        ClipSource { root_motion: true, ..clip(robot, "walk_root_motion", WALK_SECONDS, 60, WALK_STRIDE, walk_ahead) };
    vec![
        ClipSource { markers: walk_markers(), ..clip(robot, "walk", WALK_SECONDS, 60, WALK_STRIDE, walk) },
        clip(robot, "idle", IDLE_SECONDS, 48, 0.0, idle),
        clip(robot, "cheer", CHEER_SECONDS, 48, 0.0, cheer),
        ClipSource { markers: walk_markers(), ..walk_on },
    ]
}

type PoseAt = fn(&RobotRig, f64) -> Pose;

fn clip(
    robot: &RobotRig,
    name: &'static str,
    seconds: f64,
    intervals: usize,
    distance: f64,
    pose: PoseAt,
) -> ClipSource {
    let own = robot.clone();
    ClipSource {
        name,
        seconds,
        intervals,
        looping: true,
        style: KeyStyle::Linear,
        only_joints: None,
        // The lamp on its spring snaps from side to side.
        stepped_joints: vec![robot.antenna],
        distance,
        turn: 0.0,
        root_motion: false,
        markers: Vec::new(),
        pose: Box::new(move |time| pose(&own, time / seconds)),
    }
}

const WALK_SECONDS: f64 = 1.2;
const WALK_STRIDE: f64 = 0.44;
/// The fraction of a cycle for which a foot stands; a key lies exactly where it lifts off.
const STANCE: f64 = 0.6;

/// A waddle on flat feet: the body leans over the standing leg.
fn walk(robot: &RobotRig, cycle: f64) -> Pose {
    let wave = |harmonic: f64, peak: f64| (TAU * harmonic * (cycle - peak)).cos();
    let body = Body {
        shift: dvec3(0.035 * wave(1.0, 0.27), -0.03 + 0.008 * wave(2.0, 0.27), 0.0),
        pelvis: DQuat::from_rotation_y(-0.12 * wave(1.0, 0.0)) * DQuat::from_rotation_z(-0.07 * wave(1.0, 0.25)),
        torso: DQuat::from_rotation_y(0.2 * wave(1.0, 0.0)) * DQuat::from_rotation_z(0.03 * wave(1.0, 0.3)),
        head: DQuat::from_rotation_y(-0.08 * wave(1.0, 0.05)) * DQuat::from_rotation_x(0.04 * wave(2.0, 0.1)),
        swings: [0.5 * wave(1.0, 0.03), -0.5 * wave(1.0, 0.03)],
        lifts: [-0.45, -0.45],
        elbows: [0.5 - 0.15 * wave(1.0, 0.1), 0.5 + 0.15 * wave(1.0, 0.1)],
        jaws: 0.15,
        antenna: 0.16 * wave(2.0, 0.1),
        feet: [foot(cycle), foot(cycle + 0.5)],
    };
    body.pose(robot)
}

/// The walk with a root that goes along.
fn walk_ahead(robot: &RobotRig, cycle: f64) -> Pose {
    let mut pose = walk(robot, cycle);
    pose.shifts[robot.root] = dvec3(0.0, 0.0, WALK_STRIDE * cycle);
    pose
}

/// Where a foot is against its rest place: back with the ground, then forwards through the air.
fn foot(cycle: f64) -> DVec3 {
    let phase = cycle.rem_euclid(1.0);
    let half = 0.5 * WALK_STRIDE * STANCE;
    if phase <= STANCE {
        return dvec3(0.0, 0.0, half - WALK_STRIDE * phase);
    }
    let forwards = Curve::with_slopes(&[[STANCE, -half, -WALK_STRIDE], [1.0, half, -WALK_STRIDE]]);
    let up = Curve::once(&[(STANCE, 0.0), (0.5 * (STANCE + 1.0), 0.06), (1.0, 0.0)]);
    dvec3(0.0, up.at(phase), forwards.at(phase))
}

fn walk_markers() -> Vec<Marker> {
    let moments = [("left_down", 0.0), ("right_up", STANCE - 0.5), ("right_down", 0.5), ("left_up", STANCE)];
    moments.map(|(name, cycle)| Marker { name, time: (cycle * WALK_SECONDS * 1e6).round() / 1e6 }).into()
}

const IDLE_SECONDS: f64 = 4.0;

/// Fans hum, the head looks from side to side, the jaws open and close.
fn idle(robot: &RobotRig, cycle: f64) -> Pose {
    let wave = |harmonic: f64, peak: f64| (TAU * harmonic * (cycle - peak)).cos();
    let look = Curve::repeating(1.0, &[(0.0, 0.0), (0.1, 0.45), (0.35, 0.45), (0.5, 0.0), (0.6, -0.45), (0.85, -0.45)]);
    let body = Body {
        shift: dvec3(0.0, -0.014 + 0.006 * wave(2.0, 0.1), 0.0),
        pelvis: DQuat::IDENTITY,
        torso: DQuat::from_rotation_x(0.02 * wave(2.0, 0.2)) * DQuat::from_rotation_y(0.25 * look.at(cycle - 0.04)),
        head: DQuat::from_rotation_y(look.at(cycle)),
        swings: [0.04 * wave(2.0, 0.3), 0.04 * wave(2.0, 0.3)],
        lifts: [-0.45 + 0.02 * wave(2.0, 0.1); 2],
        elbows: [0.45; 2],
        jaws: 0.15 + 0.15 * wave(4.0, 0.0),
        antenna: 0.1 * wave(4.0, 0.0),
        feet: [DVec3::ZERO; 2],
    };
    body.pose(robot)
}

const CHEER_SECONDS: f64 = 1.6;

/// Both arms up, knees bouncing.
fn cheer(robot: &RobotRig, cycle: f64) -> Pose {
    let wave = |harmonic: f64, peak: f64| (TAU * harmonic * (cycle - peak)).cos();
    let body = Body {
        shift: dvec3(0.02 * wave(1.0, 0.0), -0.035 + 0.02 * wave(2.0, 0.1), 0.0),
        pelvis: DQuat::from_rotation_y(0.12 * wave(1.0, 0.0)),
        torso: DQuat::from_rotation_z(-0.08 * wave(1.0, 0.1)),
        head: DQuat::from_rotation_z(0.12 * wave(1.0, 0.15)) * DQuat::from_rotation_x(-0.12),
        swings: [0.25 * wave(2.0, 0.2); 2],
        lifts: [1.55 + 0.2 * wave(2.0, 0.1), 1.55 - 0.2 * wave(2.0, 0.1)],
        elbows: [0.6 + 0.3 * wave(2.0, 0.1), 0.6 - 0.3 * wave(2.0, 0.1)],
        jaws: 0.3 + 0.25 * wave(4.0, 0.0),
        antenna: 0.25 * wave(4.0, 0.0),
        feet: [DVec3::ZERO; 2],
    };
    body.pose(robot)
}

/// A pose of the robot in an animator's terms: radians and metres against the rest pose.
struct Body {
    shift: DVec3,
    pelvis: DQuat,
    torso: DQuat,
    head: DQuat,
    /// Each arm backwards; left, right.
    swings: [f64; 2],
    /// Each arm upwards.
    lifts: [f64; 2],
    elbows: [f64; 2],
    /// How far the jaws open.
    jaws: f64,
    antenna: f64,
    /// Where each foot is against its rest place.
    feet: [DVec3; 2],
}

impl Body {
    fn pose(&self, robot: &RobotRig) -> Pose {
        let mut pose = Pose::rest(&robot.rig);
        pose.shifts[robot.pelvis] = self.shift;
        pose.turns[robot.pelvis] = self.pelvis;
        pose.turns[robot.torso] = self.torso;
        pose.turns[robot.head] = self.head;
        pose.turns[robot.antenna] = DQuat::from_rotation_z(self.antenna);
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let (arm, leg) = (&robot.arms[side], &robot.legs[side]);
            let lift = DQuat::from_rotation_z(sign * self.lifts[side]);
            pose.turns[arm.upper] = DQuat::from_rotation_x(self.swings[side]) * lift;
            // The arm rests at a slant; its elbow bends forwards about the axis across that slant.
            let hinge = dvec3(-1.0, -sign, 0.0).normalize();
            pose.turns[arm.lower] = DQuat::from_axis_angle(hinge, self.elbows[side]);
            for (jaw, opens) in arm.jaws.iter().zip([-1.0, 1.0]) {
                pose.turns[*jaw] = DQuat::from_axis_angle(-hinge * opens, self.jaws);
            }
            pose.reach(&robot.rig, &leg.limb(), leg.ankle + self.feet[side], DVec3::Z, DQuat::IDENTITY);
        }
        pose
    }
}
