//! Bounding boxes that follow a pose, for culling and cameras, without visiting the vertices.
//!
//! With linear blending, a vertex lies between the positions where its joints alone would put it. So the convex hulls
//! of each joint's vertices, transformed by that joint's matrix, together contain every skinned vertex. [`PoseBounds`]
//! keeps an outline of those hulls, which gives their extent in any direction to within a few per cent. Dual
//! quaternions leave the hull where joints twist; the private module `seam` bounds by how much.

mod outline;
mod seam;

use glam::Vec3;

use super::{Blending, Geometry, Palette};
use crate::palette::PaletteRows;
use outline::Outline;
use seam::{Seam, Seams};

/// An axis-aligned box, in the space and unit of its points; model space for [`PoseBounds`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The smallest coordinates.
    pub min: Vec3,
    /// The largest coordinates.
    pub max: Vec3,
}

impl Bounds {
    /// The box around points; `None` if there are none, or none is finite.
    #[must_use]
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Option<Self> {
        let finite = points.into_iter().filter(|point| point.is_finite());
        finite.map(|point| Self { min: point, max: point }).reduce(|a, b| a.union(&b))
    }

    /// The smallest box that contains both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The centre.
    #[must_use]
    pub fn center(&self) -> Vec3 {
        self.min * 0.5 + self.max * 0.5
    }

    /// The lengths of the sides.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        self.max - self.min
    }

    /// `true` if a point is inside or on the surface.
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        point.cmpge(self.min).all() && point.cmple(self.max).all()
    }
}

/// Finds the [`Bounds`] of a mesh in any pose.
///
/// Create it once per mesh. After that, a pose costs a few dozen operations per joint, whatever the number of vertices.
///
/// ```
/// use glam::{Mat4, Vec3};
/// use nebula_animation::skinning::{Blending, Geometry, PoseBounds};
///
/// let geometry = Geometry {
///     positions: &[[0.0; 3], [1.0; 3]],
///     joints: &[[0; 4]; 2],
///     weights: &[[1.0, 0.0, 0.0, 0.0]; 2],
///     ..Geometry::default()
/// };
/// let bounds = PoseBounds::new(&geometry, Blending::Linear);
/// let moved = bounds.of(&[Mat4::from_translation(Vec3::X * 5.0)][..], &[]).expect("there are vertices");
/// assert!(moved.contains(Vec3::new(5.5, 0.5, 0.5)) && !moved.contains(Vec3::new(4.9, 0.5, 0.5)));
/// ```
#[derive(Debug, Clone)]
pub struct PoseBounds {
    blending: Blending,
    /// The morph weights that the outlines are of.
    fit: Vec<f32>,
    /// Of the vertices that each joint moves.
    joints: Vec<(usize, Outline)>,
    /// Of the vertices that no joint moves.
    still: Option<Outline>,
    /// Where dual quaternions blend.
    seams: Vec<Seam>,
}

impl PoseBounds {
    /// Visits every vertex once.
    #[must_use]
    pub fn new(geometry: &Geometry, blending: Blending) -> Self {
        Self::fitted(geometry, blending, &[])
    }

    /// Visits every vertex again, so that bounds are as tight as possible for these morph weights.
    ///
    /// Bounds are correct without this: the extent of each morph target is added, which is loose if several targets
    /// move different vertices. Worthwhile for a mesh that keeps large weights for a long time.
    pub fn refit(&mut self, geometry: &Geometry, morph_weights: &[f32]) {
        *self = Self::fitted(geometry, self.blending, morph_weights);
    }

    fn fitted(geometry: &Geometry, blending: Blending, fit: &[f32]) -> Self {
        let mut by_joint: Vec<Vec<u32>> = Vec::new();
        let (mut still, mut seams) = (Vec::new(), Seams::new());
        for vertex in 0..geometry.positions.len() {
            let influences = geometry.influences(vertex);
            match (influences.count, blending) {
                (0, _) => still.push(vertex as u32),
                (1, _) | (_, Blending::Linear) => {
                    for (joint, _) in influences.iter() {
                        by_joint.resize_with(by_joint.len().max(joint + 1), Vec::new);
                        by_joint[joint].push(vertex as u32);
                    }
                }
                (_, Blending::DualQuaternion) => seam::add(&mut seams, geometry, fit, vertex, &influences),
            }
        }
        let joints = by_joint
            .iter()
            .enumerate()
            .filter_map(|(joint, vertices)| Some((joint, Outline::of(geometry, fit, vertices)?)))
            .collect();
        Self {
            blending,
            fit: fit.to_vec(),
            joints,
            still: Outline::of(geometry, fit, &still),
            seams: seams.into_values().collect(),
        }
    }

    /// The box that contains every vertex of the mesh in a pose, allowing for rounding. `None` if there are no
    /// vertices, or the palette lacks joints or is not finite: then the extent is unknown, so do not cull.
    #[must_use]
    pub fn of<'p>(&self, palette: impl Into<Palette<'p>>, morph_weights: &[f32]) -> Option<Bounds> {
        let palette = palette.into();
        let weights = Weights { now: morph_weights, fit: &self.fit };
        let mut bounds = Bounds { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };
        // The largest number that took part in a sum, which rounding is relative to.
        let mut largest = 0.0_f32;
        let mut add = |place: Bounds| {
            // Minimum and maximum would pass over a number that is none.
            let is_finite = place.min.is_finite() && place.max.is_finite();
            bounds = bounds.union(&place);
            is_finite.then_some(())
        };
        for (joint, outline) in &self.joints {
            add(outline.moved(&palette.get(*joint)?.0, &weights, &mut largest))?;
        }
        if let Some(outline) = &self.still {
            add(outline.moved(&PaletteRows::IDENTITY.0, &weights, &mut largest))?;
        }
        for seam in &self.seams {
            add(seam.moved(&palette, &weights, &mut largest)?)?;
        }
        // Some thirty roundings of half a unit in the last place, with a margin.
        let slack = Vec3::splat(largest * 4e-6);
        let bounds = Bounds { min: bounds.min - slack, max: bounds.max + slack };
        (bounds.min.is_finite() && bounds.max.is_finite()).then_some(bounds)
    }
}

/// Morph weights, seen from those that the outlines are of.
struct Weights<'a> {
    now: &'a [f32],
    fit: &'a [f32],
}

impl Weights<'_> {
    fn get(&self, target: usize) -> f32 {
        let of = |weights: &[f32]| weights.get(target).copied().unwrap_or(0.0);
        of(self.now) - of(self.fit)
    }
}

/// Where a vertex is before any joint moves it.
fn morphed(geometry: &Geometry, weights: &[f32], vertex: usize) -> Vec3 {
    let mut at = Vec3::from(geometry.positions[vertex]);
    for (target, weight) in geometry.morph_targets.iter().zip(weights) {
        at += target.positions.get(vertex).map_or(Vec3::ZERO, |&delta| Vec3::from(delta) * *weight);
    }
    at
}
