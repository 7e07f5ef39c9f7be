use glam::DVec2;

/// Areas below this, in units of the extents' rectangle, count as zero.
const FLAT: f64 = 1e-10;

/// The Delaunay triangulation of places that lie within about a unit of each other, corners counter-clockwise; `None`
/// where they all lie on one line.
///
/// From left to right, each point is joined to the visible part of the outline of those before it. Then edges are
/// flipped until no triangle's circumcircle contains a fourth corner. A blend space has a handful of points and is
/// built once, so nothing here is clever.
pub(super) fn triangulate(places: &[DVec2]) -> Option<Vec<[usize; 3]>> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| places[a].x.total_cmp(&places[b].x).then(places[a].y.total_cmp(&places[b].y)));
    let area = |a: usize, b: usize, c: usize| (places[b] - places[a]).perp_dot(places[c] - places[a]);
    // The first place off the line through the first two, and the fan from it to all before it.
    let (first, second) = (*order.first()?, *order.get(1)?);
    let apex_at = order.iter().position(|&place| area(first, second, place).abs() > FLAT)?;
    let apex = order[apex_at];
    let is_left = area(first, second, apex) > 0.0;
    let mut triangles: Vec<[usize; 3]> = order[..apex_at]
        .windows(2)
        .map(|pair| if is_left { [pair[0], pair[1], apex] } else { [pair[1], pair[0], apex] })
        .collect();
    // Counter-clockwise.
    let mut outline: Vec<usize> = order[..apex_at].to_vec();
    outline.push(apex);
    if !is_left {
        outline.reverse();
    }
    for &place in &order[apex_at + 1..] {
        join(place, &mut outline, &mut triangles, area);
    }
    make_delaunay(places, &mut triangles);
    triangles.retain(|&[a, b, c]| area(a, b, c) > 0.0);
    Some(triangles)
}

/// Joins a place, which is to the right of all before, to every edge of the outline that it sees from outside.
fn join(
    place: usize,
    outline: &mut Vec<usize>,
    triangles: &mut Vec<[usize; 3]>,
    area: impl Fn(usize, usize, usize) -> f64,
) {
    let count = outline.len();
    let next = |at: usize| (at + 1) % count;
    // An edge that it is in line with is not seen: a triangle there would be one by rounding only.
    let sees = |at: usize| area(outline[at], outline[next(at)], place) < -FLAT;
    // The edges that are seen follow each other. Rounding may hide all of them from a place just outside.
    let start = (0..count).find(|&at| sees(at) && !sees((at + count - 1) % count)).unwrap_or_else(|| {
        let seen = |at: usize| area(outline[at], outline[next(at)], place);
        (0..count).min_by(|&a, &b| seen(a).total_cmp(&seen(b))).unwrap_or(0)
    });
    let mut seen = 1;
    while seen < count - 1 && sees((start + seen) % count) {
        seen += 1;
    }
    for step in 0..seen {
        let at = (start + step) % count;
        triangles.push([outline[at], place, outline[next(at)]]);
    }
    // Both ends of what is seen stay; the corners between them are inside now.
    let kept = (0..=count - seen).map(|step| outline[(start + seen + step) % count]);
    *outline = kept.chain([place]).collect();
}

/// Flips edges until every one is the better diagonal of the two triangles at it.
fn make_delaunay(places: &[DVec2], triangles: &mut [[usize; 3]]) {
    // Each flip makes the smallest angle larger, so that there is an end; the bound is for rounding.
    for _ in 0..triangles.len() * triangles.len() + 16 {
        let Some((one, other, [a, b], apexes)) = bad_edge(places, triangles) else { return };
        triangles[one] = [apexes[0], a, apexes[1]];
        triangles[other] = [apexes[1], b, apexes[0]];
    }
}

/// Two triangles, the edge that they share as it runs in the first one, and their corners across it, where the other
/// diagonal would be better.
#[allow(clippy::type_complexity, reason = "read in one place only")]
fn bad_edge(places: &[DVec2], triangles: &[[usize; 3]]) -> Option<(usize, usize, [usize; 2], [usize; 2])> {
    for (one, triangle) in triangles.iter().enumerate() {
        for corner in 0..3 {
            let [a, b, c] = std::array::from_fn(|step| triangle[(corner + step) % 3]);
            for (other, neighbour) in triangles.iter().enumerate().skip(one + 1) {
                let shared = (0..3).find(|&at| neighbour[at] == b && neighbour[(at + 1) % 3] == a);
                let Some(shared) = shared else { continue };
                let d = neighbour[(shared + 2) % 3];
                // Where rounding decides, the other two triangles may be turned inside out.
                let area = |a: usize, b: usize, c: usize| (places[b] - places[a]).perp_dot(places[c] - places[a]);
                let is_convex = area(c, a, d) > FLAT && area(d, b, c) > FLAT;
                if is_convex && is_in_circle([places[a], places[b], places[c]], places[d]) {
                    return Some((one, other, [a, b], [c, d]));
                }
            }
        }
    }
    None
}

/// Whether a place lies inside the circle through three corners, and not just on it.
fn is_in_circle(corners: [DVec2; 3], place: DVec2) -> bool {
    let [a, b, c] = corners.map(|corner| corner - place);
    let squares = [a, b, c].map(|way| way.length_squared());
    let determinant = squares[0] * b.perp_dot(c) + squares[1] * c.perp_dot(a) + squares[2] * a.perp_dot(b);
    determinant > 1e-12
}
