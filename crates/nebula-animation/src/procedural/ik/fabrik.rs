//! Chains of any number of bones, solved by FABRIK: reaching forwards and backwards in turn.

use glam::Vec3;

use crate::math::direction::direction;
use crate::math::trig::sin_cos;
use crate::procedural::turn::arc;
use crate::state::stateful;

/// Accuracy and limits of a chain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainSettings {
    /// How close the end must come to the target, as a fraction of the chain's length; default 1e-4.
    pub tolerance: f32,
    /// Maximum number of iterations; default 64, at most 4096. A few are enough for most targets; those near full reach
    /// need more.
    pub max_iterations: u32,
    /// The largest angle between a bone and the next one, in radians; π (the default) and above mean no limit.
    pub max_bend: f32,
}

stateful!(ChainSettings { tolerance, max_iterations, max_bend });

/// No chain is gone through more often: settings may come from a record, which could ask for four thousand million times.
const MOST_ITERATIONS: u32 = 4096;

impl Default for ChainSettings {
    fn default() -> Self {
        Self { tolerance: 1e-4, max_iterations: 64, max_bend: std::f32::consts::PI }
    }
}

/// Moves the points of a chain so that the last one reaches `target`. The first one stays, and the distances between
/// neighbours become `lengths` (one fewer than points; extra ones of either are ignored).
///
/// If the target is out of reach, the chain is stretched straight towards it. Returns the distance of the end from the
/// target. Does nothing and returns infinity if there are fewer than two points or a number is not finite.
///
/// ```
/// use glam::Vec3;
/// use nebula_animation::procedural::ik::{ChainSettings, solve_chain};
///
/// let mut tail = [Vec3::ZERO, Vec3::Z, Vec3::Z * 2.0, Vec3::Z * 3.0];
/// let left = solve_chain(&mut tail, &[1.0; 3], Vec3::new(1.0, 1.5, 0.5), &ChainSettings::default());
/// assert!(left < 1e-3);
/// assert_eq!(tail[0], Vec3::ZERO);
/// ```
pub fn solve_chain(points: &mut [Vec3], lengths: &[f32], target: Vec3, settings: &ChainSettings) -> f32 {
    let count = points.len().min(lengths.len() + 1);
    let (points, lengths) = (&mut points[..count], &lengths[..count.saturating_sub(1)]);
    let total: f32 = lengths.iter().sum();
    let are_finite = target.is_finite() && points.iter().all(|point| point.is_finite());
    let have_length = total > 0.0 && total.is_finite() && lengths.iter().all(|length| *length >= 0.0);
    if !(count >= 2 && are_finite && have_length) {
        return f32::INFINITY;
    }
    let start = points[0];
    let first_way = direction(points[1] - start);
    let cos_bend = (settings.max_bend < std::f32::consts::PI).then(|| sin_cos(settings.max_bend.max(0.0)).1);
    let wanted = target - start;
    if cos_bend.is_none() && wanted.length() >= total {
        straighten(points, lengths, direction(wanted).unwrap_or(Vec3::Y));
        return points[count - 1].distance(target);
    }
    let close = total * settings.tolerance.max(1e-7);
    leave_the_line(points, target, total);
    let mut left = f32::INFINITY;
    let most = settings.max_iterations.min(MOST_ITERATIONS);
    for _ in 0..most.max(1) {
        backwards(points, lengths, target);
        forwards(points, lengths, start, first_way, cos_bend);
        let now = points[count - 1].distance(target);
        // Near the edge of the reach each round gains little: a chain that has stopped gaining is as near as it gets.
        let has_settled = (left - now).abs() < close * 1e-4;
        left = now;
        if left <= close || has_settled {
            break;
        }
    }
    // Chains that have to fold up may get stuck; turning joint after joint towards the target gets them on.
    if cos_bend.is_none() {
        for _ in 0..most {
            if left <= close {
                break;
            }
            turn_joints(points, target);
            forwards(points, lengths, start, first_way, None);
            left = points[count - 1].distance(target);
        }
    }
    left
}

/// Turns all that lies beyond a joint so that the end points from it to the target: joint after joint, from the end.
fn turn_joints(points: &mut [Vec3], target: Vec3) {
    let last = points.len() - 1;
    for joint in (0..last).rev() {
        let pivot = points[joint];
        if let (Some(from), Some(to)) = (direction(points[last] - pivot), direction(target - pivot)) {
            let turn = arc(from, to);
            for point in &mut points[joint + 1..] {
                *point = pivot + turn * (*point - pivot);
            }
        }
    }
}

fn straighten(points: &mut [Vec3], lengths: &[f32], way: Vec3) {
    for (index, length) in lengths.iter().enumerate() {
        points[index + 1] = points[index] + way * *length;
    }
}

/// From the end, which is put on the target, to the start.
fn backwards(points: &mut [Vec3], lengths: &[f32], target: Vec3) {
    let last = points.len() - 1;
    points[last] = target;
    for index in (0..last).rev() {
        let way = direction(points[index] - points[index + 1]).unwrap_or(Vec3::Y);
        points[index] = points[index + 1] + way * lengths[index];
    }
}

/// From the start, which is put back, to the end.
fn forwards(points: &mut [Vec3], lengths: &[f32], start: Vec3, first_way: Option<Vec3>, cos_bend: Option<f32>) {
    points[0] = start;
    let mut before = None;
    for index in 0..lengths.len() {
        let mut way = direction(points[index + 1] - points[index]).or(first_way).unwrap_or(Vec3::Y);
        if let (Some(cos), Some(before)) = (cos_bend, before) {
            way = within_cone(way, before, cos);
        }
        points[index + 1] = points[index] + way * lengths[index];
        before = Some(way);
    }
}

/// The unit vector nearest to `way` whose angle with `axis` has at least this cosine.
fn within_cone(way: Vec3, axis: Vec3, cos: f32) -> Vec3 {
    let along = way.dot(axis);
    if along >= cos {
        return way;
    }
    let aside = direction(way - axis * along).unwrap_or_else(|| axis.any_orthonormal_vector());
    axis * cos + aside * (1.0 - cos * cos).max(0.0).sqrt()
}

/// Bends a chain that lies on a straight line with the target: on that line nothing would ever push it aside.
fn leave_the_line(points: &mut [Vec3], target: Vec3, total: f32) {
    /// Small enough to be invisible, large enough to grow in a few rounds.
    const NUDGE: f32 = 0.02;
    let start = points[0];
    let Some(line) = direction(target - start).or_else(|| direction(points[1] - start)) else { return };
    let aside = |point: &Vec3| (*point - start - line * (*point - start).dot(line)).length();
    if points.iter().any(|point| aside(point) > total * NUDGE * 0.1) {
        return;
    }
    let way = line.any_orthonormal_vector();
    let last = points.len() - 1;
    for (index, point) in points.iter_mut().enumerate().take(last).skip(1) {
        *point += way * (total * NUDGE * if index % 2 == 1 { 1.0 } else { 0.7 });
    }
}
