use glam::{DVec3, dvec3};

use super::body::{Carrier, Piece};
use super::rig::landmarks::{FOOT, TOES};
use crate::author::field::{Field, blend_cut, blend_union, ellipsoid, round_cone};
use crate::author::polygonise::Grid;

/// The radius of the sole's rear edge. The heel rolls over it when the foot lands, so the gait needs it too.
pub(in crate::author) const HEEL_RADIUS: f64 = 0.012;
/// Where the sole's rear edge is centred, in metres behind (negative) the model's origin.
pub(in crate::author) const HEEL_CENTRE_Z: f64 = -0.07;

const UPPER: u32 = 0xB8473A;
const SOLE: u32 = 0xE8E4DA;

/// Both shoes: an upper and a pale sole with a flat bottom on the ground.
pub(super) fn pieces() -> Vec<Piece> {
    let mut pieces = Vec::new();
    for sign in [1.0, -1.0] {
        let mirrored = move |p: DVec3| dvec3(p.x * sign, p.y, p.z);
        pieces.push(piece(sign, UPPER, 0.019, Box::new(move |p| upper(mirrored(p)))));
        pieces.push(piece(sign, SOLE, 0.019, Box::new(move |p| sole(mirrored(p)))));
    }
    pieces
}

fn piece(sign: f64, colour: u32, cell: f64, field: Field) -> Piece {
    let centre = FOOT.x * sign;
    let grid = Grid::even(
        dvec3(centre - 0.066, -0.013, -0.11),
        dvec3(centre + 0.066, 0.16, 0.22),
        dvec3(cell, 0.0125, cell * 1.1),
    );
    Piece { colour, grid, field, carried_by: Carrier::Shoe }
}

fn upper(p: DVec3) -> f64 {
    let heel = ellipsoid(p, dvec3(FOOT.x, 0.045, -0.03), dvec3(0.037, 0.052, 0.048));
    let collar = round_cone(p, FOOT + dvec3(0.0, -0.03, 0.005), FOOT + dvec3(0.0, 0.02, 0.0), 0.042, 0.041);
    let instep = round_cone(p, FOOT + dvec3(0.0, -0.028, 0.03), TOES + dvec3(0.0, 0.012, -0.005), 0.04, 0.037);
    let toe = ellipsoid(p, dvec3(TOES.x, 0.028, 0.142), dvec3(0.044, 0.032, 0.055));
    let solid = blend_union(blend_union(blend_union(heel, collar, 0.03), instep, 0.04), toe, 0.04);
    let above_sole = p.y - 0.012;
    blend_cut(solid, above_sole, 0.008)
}

/// A slab that follows the foot's outline. Its edge is a half round, exactly what rolls at heel strike.
fn sole(p: DVec3) -> f64 {
    let flat = dvec3(p.x, HEEL_RADIUS, p.z);
    let reach = HEEL_RADIUS;
    let heel = flat.distance(dvec3(FOOT.x, reach, HEEL_CENTRE_Z + 0.034)) - 0.034;
    let middle =
        round_cone(flat, dvec3(FOOT.x, reach, HEEL_CENTRE_Z + 0.034), dvec3(TOES.x, reach, 0.125), 0.034, 0.036);
    let toe = ellipsoid(flat, dvec3(TOES.x, reach, 0.14), dvec3(0.037, 1.0, 0.05));
    let outline = blend_union(heel.min(middle), toe, 0.03);
    // Distance to the outline grown by the edge's radius: round in every vertical section.
    let across = outline.max(0.0);
    let height = p.y - HEEL_RADIUS;
    let edge = (across * across + height * height).sqrt() - HEEL_RADIUS;
    if outline < 0.0 { (height.abs() - HEEL_RADIUS).max(outline - HEEL_RADIUS) } else { edge }
}
