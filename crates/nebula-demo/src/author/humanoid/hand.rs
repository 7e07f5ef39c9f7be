use glam::{DVec2, DVec3, Vec3Swizzles, dvec3};

use super::body::{Carrier, Piece, SKIN};
use super::rig::landmarks::{FINGERS, HAND};
use crate::author::field::{blend_union, ellipsoid, folded, round_cone};
use crate::author::polygonise::Grid;

/// Both hands, palms down: a palm, four fingers that bend together, and a thumb that points forwards. A band around each
/// wrist covers the seam between hand and arm.
pub(super) fn pieces() -> Vec<Piece> {
    [hand(1.0), hand(-1.0), wristband(1.0), wristband(-1.0)].into()
}

const BAND: u32 = 0x2B2B30;

/// One finger: how far forward it lies, its length beyond the knuckles, its radius, in metres.
const FINGER_SHAPES: [(f64, f64, f64); 4] =
    [(0.030, 0.070, 0.0095), (0.0095, 0.080, 0.0098), (-0.0115, 0.074, 0.0095), (-0.031, 0.058, 0.0085)];

fn hand(sign: f64) -> Piece {
    let field = |p: DVec3| {
        let q = folded(p);
        let wrist = round_cone(q, HAND + dvec3(-0.028, 0.0, 0.0), HAND + dvec3(0.01, 0.0, 0.0), 0.0272, 0.026);
        let palm_centre = HAND.midpoint(FINGERS) + dvec3(0.003, 0.0, -0.001);
        let palm = ellipsoid(q, palm_centre, dvec3(0.062, 0.0185, 0.047));
        let mut solid = blend_union(wrist, palm, 0.03);
        for (forward, length, radius) in FINGER_SHAPES {
            let knuckle = FINGERS + dvec3(-0.012, 0.001, forward);
            let tip = FINGERS + dvec3(length, -0.006, forward * 1.22);
            solid = blend_union(solid, round_cone(q, knuckle, tip, radius * 1.12, radius * 0.85), 0.010);
        }
        let root = HAND + dvec3(0.022, -0.006, 0.022);
        let joint = HAND + dvec3(0.062, -0.012, 0.056);
        let tip = HAND + dvec3(0.098, -0.013, 0.066);
        let thumb = round_cone(q, root, joint, 0.0155, 0.0115).min(round_cone(q, joint, tip, 0.0115, 0.0095));
        blend_union(solid, thumb, 0.014)
    };
    let (near, far) = (HAND.x - 0.07, FINGERS.x + 0.1);
    let (low_x, high_x) = if sign > 0.0 { (near, far) } else { (-far, -near) };
    let grid = Grid::even(dvec3(low_x, 1.365, -0.07), dvec3(high_x, 1.46, 0.09), dvec3(0.0158, 0.0106, 0.0083));
    Piece { colour: SKIN, grid, field: Box::new(field), carried_by: Carrier::Body }
}

fn wristband(sign: f64) -> Piece {
    let centre = HAND + dvec3(-0.03, 0.0, -0.001);
    let (radius, half_length, rounding) = (0.033, 0.012, 0.005);
    let field = move |p: DVec3| {
        let from_centre = folded(p) - centre;
        let across = from_centre.yz().length() - (radius - rounding);
        let along = from_centre.x.abs() - (half_length - rounding);
        DVec2::new(across, along).max(DVec2::ZERO).length() + across.max(along).min(0.0) - rounding
    };
    let middle = dvec3(centre.x * sign, centre.y, centre.z);
    let half = dvec3(half_length + 0.005, radius + 0.01, radius + 0.01);
    let grid = Grid::even(middle - half, middle + half, dvec3(0.0115, 0.0142, 0.0142));
    Piece { colour: BAND, grid, field: Box::new(field), carried_by: Carrier::Body }
}
