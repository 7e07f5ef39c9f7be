//! Bounds of vertices with several joints, for dual quaternion blending.
//!
//! Let `p` be the strongest joint of a vertex `v`, `D_i` the rigid motions of its joints, and `S v` the stretched vertex.
//! Seen from `D_p`, the joints turn by quaternions `q_i` (`q_p = 1`), and `q = sum(w_i q_i)` is the blend. Written out, the
//! blended place is that of `p` alone plus the vector part of `sum(w_i d_i q_i q*) / |q|^2`, where `d_i = D_i(S v) - D_p(S v)`
//! and `q*` is the conjugate. Each joint's part is bounded in two ways, and the smaller bound counts:
//!
//! - by length: `w_i |d_i| / |q|`. Signs are chosen so that the real part `c_i` of each `q_i` is not negative, hence
//!   `|q| >= w_p + w_i c_i`, and the part is at most `|d_i| a / (1 + a c_i)` with `a` the largest `w_i / w_p` of the seam;
//! - by axis: `q_i q*` is `w_p q_i + w_i + sum(w_j q_i q_j*)`, and a vector `d` times a quaternion of real part `c` and vector
//!   part `u` is `c d + d x u`. With `|q| >= w_p` and the largest `w_i / w_p` and `w_j / w_p` that gives a bound for each
//!   axis, which keeps a flat mesh flat that bends in its own plane.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};

use super::super::blend::Rigid;
use super::super::geometry::MOST_INFLUENCES;
use super::super::{Geometry, Influences, Palette};
use super::{Bounds, Weights, morphed};

/// Vertices with the same strongest joint and the same others.
#[derive(Debug, Clone)]
pub(super) struct Seam {
    pivot: usize,
    others: Vec<Other>,
    /// Around the vertices.
    bounds: Bounds,
    /// By morph target: around the differences.
    morphs: BTreeMap<usize, Bounds>,
}

/// A joint besides the strongest one.
#[derive(Debug, Clone, Copy)]
struct Other {
    joint: usize,
    /// Its weight divided by that of the strongest one, at most.
    strength: f32,
}

/// Seams by their joints, the strongest one first.
pub(super) type Seams = BTreeMap<Vec<usize>, Seam>;

/// Adds a vertex to its seam.
pub(super) fn add(seams: &mut Seams, geometry: &Geometry, fit: &[f32], vertex: usize, influences: &Influences) {
    let pivot_at = influences.pivot();
    let (pivot, pivot_weight) = (usize::from(influences.joints[pivot_at]), influences.weights[pivot_at]);
    let mut others: Vec<(usize, f32)> = influences.iter().filter(|(joint, _)| *joint != pivot).collect();
    others.sort_unstable_by_key(|(joint, _)| *joint);
    let key = std::iter::once(pivot).chain(others.iter().map(|(joint, _)| *joint)).collect();
    let at = morphed(geometry, fit, vertex);
    let seam = seams.entry(key).or_insert_with(|| Seam {
        pivot,
        others: others.iter().map(|&(joint, _)| Other { joint, strength: 0.0 }).collect(),
        bounds: Bounds { min: at, max: at },
        morphs: BTreeMap::new(),
    });
    seam.bounds = seam.bounds.union(&Bounds { min: at, max: at });
    for (other, (_, weight)) in seam.others.iter_mut().zip(&others) {
        other.strength = other.strength.max(weight / pivot_weight);
    }
    for (target, deltas) in geometry.morph_targets.iter().enumerate() {
        let delta = deltas.positions.get(vertex).map_or(Vec3::ZERO, |&delta| delta.into());
        if delta != Vec3::ZERO {
            // Other vertices of the seam may not move at all.
            let reach = Bounds { min: delta.min(Vec3::ZERO), max: delta.max(Vec3::ZERO) };
            let known = seam.morphs.entry(target).or_insert(reach);
            *known = known.union(&reach);
        }
    }
}

impl Seam {
    /// The box around the vertices in a pose; `None` where the palette lacks a joint.
    pub fn moved(&self, palette: &Palette, weights: &Weights, largest: &mut f32) -> Option<Bounds> {
        let corners = self.corners(weights);
        let pivot = Rigid::of(&palette.get(self.pivot)?);
        let mut all = [pivot; MOST_INFLUENCES];
        for (rigid, other) in all[1..].iter_mut().zip(&self.others) {
            *rigid = Rigid::of(&palette.get(other.joint)?);
        }
        // The blended stretch puts a vertex between the places that each of them gives it.
        let all = &all[..self.others.len() + 1];
        let stretched = || all.iter().flat_map(|rigid| corners.map(|corner| rigid.stretch * corner));

        let places = Bounds::around(stretched().map(|at| pivot.carry(at)))?;
        *largest = largest.max(places.min.abs().max(places.max.abs()).max_element());
        *largest = stretched().fold(*largest, |largest, at| largest.max(at.abs().max_element()));
        let mut reach = Vec3::ZERO;
        for (place, other) in self.others.iter().enumerate() {
            let rigid = all[place + 1];
            let turn = rigid.turn_from(&pivot);
            let by_axis = |apart: Vec3| {
                let turned = |turn: Quat| (apart * turn.w).abs() + apart.cross(turn.xyz()).abs();
                let beside = self.others.iter().enumerate().filter(|(at, _)| *at != place);
                let beside = beside.map(|(at, beside)| turned(rigid.turn_from(&all[at + 1])) * beside.strength);
                turned(turn) + apart.abs() * other.strength + beside.sum::<Vec3>()
            };
            let by_length = |apart: Vec3| Vec3::splat(apart.length() / (1.0 + other.strength * turn.w));
            let farthest = stretched().fold(Vec3::ZERO, |farthest, at| {
                let apart = rigid.carry(at) - pivot.carry(at);
                farthest.max(by_axis(apart).min(by_length(apart)))
            });
            reach += farthest * other.strength;
        }
        *largest = largest.max(reach.max_element());
        Some(Bounds { min: places.min - reach, max: places.max + reach })
    }

    /// The corners of the box around the morphed vertices: what is linear in a vertex is largest at one of them.
    fn corners(&self, weights: &Weights) -> [Vec3; 8] {
        let Bounds { mut min, mut max } = self.bounds;
        for (&target, deltas) in &self.morphs {
            let weight = weights.get(target);
            let (a, b) = (deltas.min * weight, deltas.max * weight);
            min += a.min(b);
            max += a.max(b);
        }
        let side = |is_far: bool, axis: usize| if is_far { max[axis] } else { min[axis] };
        std::array::from_fn(|corner| {
            Vec3::new(side(corner & 1 != 0, 0), side(corner & 2 != 0, 1), side(corner & 4 != 0, 2))
        })
    }
}
