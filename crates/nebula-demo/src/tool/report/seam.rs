//! How well a clip's last pose matches its first one.

use glam::{Mat4, Vec3};
use nebula_animation::{JointPose, Rig};

use super::body::name;
use super::facts::Seam;
use crate::tool::spot::Ends;

impl Ends {
    /// The largest differences: of rotations against the parent, and of places in model space without the way of
    /// the hips.
    pub fn seam(&self, rig: &Rig, hips: u16, way: Vec3) -> Seam {
        let largest = |values: Vec<f32>| {
            let worst = values.iter().enumerate().filter(|(_, value)| value.is_finite());
            worst.max_by(|a, b| a.1.total_cmp(b.1)).map(|(joint, value)| (*value, joint))
        };
        let turn = |(a, b): (&JointPose, &JointPose)| {
            let cosine = f64::from(a.1.x) * f64::from(b.1.x)
                + f64::from(a.1.y) * f64::from(b.1.y)
                + f64::from(a.1.z) * f64::from(b.1.z)
                + f64::from(a.1.w) * f64::from(b.1.w);
            let lengths = f64::from(a.1.length()) * f64::from(b.1.length());
            (2.0 * (cosine.abs() / lengths.max(1e-12)).min(1.0).acos()).to_degrees() as f32
        };
        let degrees = largest(self.local[0].iter().zip(&self.local[1]).map(turn).collect());
        // What carries the joint that travels may stay where it is.
        let carries = |joint: usize| joint == usize::from(hips) || rig.is_below(hips, joint as u16);
        let shift = |(joint, (a, b)): (usize, (&Mat4, &Mat4))| {
            let moved = b.w_axis.truncate() - a.w_axis.truncate();
            let left = (moved - way).length();
            1e3 * if carries(joint) { left.min(moved.length()) } else { left }
        };
        let mm = largest(self.models[0].iter().zip(&self.models[1]).enumerate().map(shift).collect());
        let at = |found: Option<(f32, usize)>, least: f32| {
            let found = found.filter(|(value, _)| *value > least);
            found.map(|(_, joint)| name(rig, joint as u16).to_owned())
        };
        Seam {
            degrees: degrees.map_or(0.0, |(value, _)| value),
            degrees_at: at(degrees, 0.1),
            mm: mm.map_or(0.0, |(value, _)| value),
            mm_at: at(mm, 0.1),
        }
    }
}
