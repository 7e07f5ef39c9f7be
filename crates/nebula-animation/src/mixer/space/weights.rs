use std::ops::Deref;

use glam::{DVec2, Vec2};

use super::triangles::triangulate;

/// How many clips a blend space shows at once, at most: the corners of a triangle.
pub(crate) const MOST_CLIPS: usize = 3;

/// The weights of samples: at most three, each above 0, with a sum of 1. Dereferences to a slice of sample index and
/// weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlendWeights {
    entries: [(usize, f32); MOST_CLIPS],
    count: usize,
}

/// A weight below this counts as zero: it is less than the rounding of a pose, and saves sampling a clip.
const LEAST: f64 = 1e-6;

impl BlendWeights {
    /// One sample alone.
    pub(crate) fn one(sample: usize) -> Self {
        Self { entries: [(sample, 1.0), (0, 0.0), (0, 0.0)], count: 1 }
    }

    fn of(parts: &[(usize, f64)]) -> Self {
        let parts = || parts.iter().filter(|(_, weight)| *weight > LEAST).take(MOST_CLIPS);
        let total: f64 = parts().map(|(_, weight)| weight).sum();
        let mut weights = Self { entries: [(0, 0.0); 3], count: 0 };
        for &(sample, weight) in parts() {
            weights.entries[weights.count] = (sample, (weight / total) as f32);
            weights.count += 1;
        }
        weights
    }
}

impl Deref for BlendWeights {
    type Target = [(usize, f32)];

    fn deref(&self) -> &[(usize, f32)] {
        &self.entries[..self.count]
    }
}

/// How samples lie to each other.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Layout {
    Line(Line),
    Plane(Plane),
}

/// Samples by their place along a direction.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    scale: DVec2,
    direction: DVec2,
    /// Place along the direction and sample, ascending.
    stops: Vec<(f64, usize)>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Plane {
    scale: DVec2,
    /// Places in units of the extents.
    places: Vec<DVec2>,
    triangles: Vec<[usize; 3]>,
    /// The outline, by its two ends.
    edges: Vec<[usize; 2]>,
}

impl Layout {
    pub fn new(positions: &[Vec2]) -> Self {
        let wide = || positions.iter().map(|position| position.as_dvec2());
        let extent = wide().fold(DVec2::MIN, DVec2::max) - wide().fold(DVec2::MAX, DVec2::min);
        // Axes have units of their own: radians do not compare with metres per second.
        let unit = |extent: f64| if extent > 0.0 { 1.0 / extent } else { 1.0 };
        let scale = DVec2::new(unit(extent.x), unit(extent.y));
        let places: Vec<DVec2> = wide().map(|position| position * scale).collect();
        if let Some(triangles) = triangulate(&places) {
            let edges = outline(&triangles);
            return Self::Plane(Plane { scale, places, triangles, edges });
        }
        // All on one line: along the way from the first to the one that is furthest away.
        let furthest = places
            .iter()
            .copied()
            .max_by(|a, b| places[0].distance_squared(*a).total_cmp(&places[0].distance_squared(*b)));
        let direction = furthest.and_then(|place| (place - places[0]).try_normalize()).unwrap_or(DVec2::X);
        // Ascending, as one would read it.
        let direction = if (direction.x, direction.y) < (0.0, 0.0) { -direction } else { direction };
        let mut stops: Vec<(f64, usize)> =
            places.iter().enumerate().map(|(sample, place)| (place.dot(direction), sample)).collect();
        stops.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self::Line(Line { scale, direction, stops })
    }

    pub fn weights(&self, position: Vec2) -> BlendWeights {
        // Far enough to be outside of everything, and near enough to be counted with.
        let number = |x: f32| if x.is_nan() { 0.0 } else { f64::from(x.clamp(f32::MIN, f32::MAX)) };
        let position = DVec2::new(number(position.x), number(position.y));
        match self {
            Self::Line(line) => line.weights(position * line.scale),
            Self::Plane(plane) => plane.weights(position * plane.scale),
        }
    }
}

impl Line {
    fn weights(&self, place: DVec2) -> BlendWeights {
        let at = place.dot(self.direction);
        let after = self.stops.partition_point(|(stop, _)| *stop <= at);
        let (before, after) = (after.checked_sub(1).map(|before| self.stops[before]), self.stops.get(after));
        match (before, after) {
            (Some((low, first)), Some(&(high, second))) => {
                let fraction = (at - low) / (high - low);
                BlendWeights::of(&[(first, 1.0 - fraction), (second, fraction)])
            }
            (Some((_, only)), None) => BlendWeights::one(only),
            (None, Some(&(_, only))) => BlendWeights::one(only),
            (None, None) => BlendWeights::one(0),
        }
    }
}

impl Plane {
    fn weights(&self, place: DVec2) -> BlendWeights {
        // Of rounding errors at the edges of triangles, the least one is right.
        let mut best = (f64::NEG_INFINITY, [(0, 0.0); 3]);
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|corner| self.places[corner]);
            let area = (b - a).perp_dot(c - a);
            let of_b = (place - a).perp_dot(c - a) / area;
            let of_c = (b - a).perp_dot(place - a) / area;
            let weights = [1.0 - of_b - of_c, of_b, of_c];
            let least = weights[0].min(of_b).min(of_c);
            if least >= 0.0 {
                return BlendWeights::of(&std::array::from_fn::<_, 3, _>(|corner| (triangle[corner], weights[corner])));
            }
            if least > best.0 {
                best = (least, std::array::from_fn(|corner| (triangle[corner], weights[corner].max(0.0))));
            }
        }
        if best.0 > -1e-9 {
            return BlendWeights::of(&best.1);
        }
        self.nearest_on_outline(place)
    }

    /// The outline is convex, so that its nearest point moves without a jump as the place does.
    fn nearest_on_outline(&self, place: DVec2) -> BlendWeights {
        let mut nearest = (f64::INFINITY, [(0, 1.0), (0, 0.0)]);
        for &[start, end] in &self.edges {
            let (a, b) = (self.places[start], self.places[end]);
            let along = ((place - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
            let distance = place.distance_squared(a.lerp(b, along));
            if distance < nearest.0 {
                nearest = (distance, [(start, 1.0 - along), (end, along)]);
            }
        }
        BlendWeights::of(&nearest.1)
    }
}

/// The edges that belong to one triangle only.
fn outline(triangles: &[[usize; 3]]) -> Vec<[usize; 2]> {
    let edges = || triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    // A neighbour has the same edge the other way round.
    edges().filter(|&[a, b]| !edges().any(|edge| edge == [b, a])).collect()
}
