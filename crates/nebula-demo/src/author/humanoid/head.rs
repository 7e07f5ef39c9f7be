use glam::{DVec3, dvec3};

use super::body::{Carrier, Piece, SKIN};
use super::rig::landmarks::NECK;
use crate::author::field::{Field, blend_cut, blend_union, ellipsoid, folded, round_cone};
use crate::author::polygonise::Grid;

const HAIR: u32 = 0x4A2E1E;
const WHITE: u32 = 0xF4F1EA;
const IRIS: u32 = 0x2B4A63;
const LIPS: u32 = 0xB0685A;
const LID: u32 = 0xCB9069;

/// Neck, head, hair and a face that shows which way the person looks.
pub(super) fn pieces() -> Vec<Piece> {
    let mut pieces = vec![
        Piece {
            colour: SKIN,
            grid: Grid::even(dvec3(-0.11, 1.375, -0.13), dvec3(0.11, 1.78, 0.15), dvec3(0.018, 0.018, 0.018)),
            field: Box::new(head_and_neck),
            carried_by: Carrier::Neck,
        },
        small(HAIR, dvec3(-0.12, 1.5, -0.14), dvec3(0.12, 1.79, 0.13), 0.0213, Box::new(hair)),
        small(LIPS, dvec3(-0.035, 1.565, 0.06), dvec3(0.035, 1.605, 0.13), 0.0062, Box::new(mouth)),
    ];
    for sign in [1.0, -1.0] {
        let eye = dvec3(0.0335 * sign, 1.652, 0.083);
        // Only the front of an eye is ever seen.
        let ball = move |p: DVec3| ellipsoid(p, eye, dvec3(0.0165, 0.012, 0.0125)).max(eye.z - 0.002 - p.z);
        let iris = move |p: DVec3| ellipsoid(p, eye + dvec3(-0.001 * sign, 0.0, 0.0075), dvec3(0.0082, 0.0092, 0.0062));
        // A lid over the top third of the eye: without it the person stares.
        let lid = move |p: DVec3| {
            let shell = ellipsoid(p, eye, dvec3(0.0188, 0.0142, 0.0152)).max(eye.z - 0.002 - p.z);
            blend_cut(shell, p.y - eye.y - 0.0052, 0.0015)
        };
        let brow = move |p: DVec3| {
            let at = |x: f64, y: f64| dvec3(x * sign, y, face_front(x, y));
            let (inner, top, outer) = (at(0.018, 1.6755), at(0.036, 1.6815), at(0.053, 1.675));
            round_cone(p, inner, top, 0.0045, 0.0042).min(round_cone(p, top, outer, 0.0042, 0.0028))
        };
        pieces.push(small(WHITE, eye - DVec3::splat(0.024), eye + DVec3::splat(0.024), 0.0068, Box::new(ball)));
        pieces.push(small(IRIS, eye - DVec3::splat(0.018), eye + DVec3::splat(0.018), 0.0045, Box::new(iris)));
        pieces.push(small(LID, eye - DVec3::splat(0.024), eye + DVec3::splat(0.024), 0.0048, Box::new(lid)));
        pieces.push(small(HAIR, eye - DVec3::splat(0.035), eye + DVec3::splat(0.04), 0.0052, Box::new(brow)));
    }
    pieces
}

fn small(colour: u32, low: DVec3, high: DVec3, cell: f64, field: Field) -> Piece {
    Piece { colour, grid: Grid::even(low, high, DVec3::splat(cell)), field, carried_by: Carrier::Head }
}

fn head_and_neck(p: DVec3) -> f64 {
    let q = folded(p);
    let neck = round_cone(q, NECK + dvec3(0.0, -0.012, 0.0), dvec3(0.0, 1.57, -0.012), 0.054, 0.047);
    let skull = ellipsoid(q, dvec3(0.0, 1.661, -0.01), dvec3(0.076, 0.086, 0.094));
    let face = ellipsoid(q, dvec3(0.0, 1.618, 0.025), dvec3(0.064, 0.082, 0.068));
    let jaw = round_cone(q, dvec3(0.034, 1.596, 0.008), dvec3(0.012, 1.56, 0.072), 0.034, 0.021);
    let mut solid = blend_union(skull, face, 0.04);
    solid = blend_union(solid, jaw, 0.035);
    solid = blend_union(solid, neck, 0.03);
    let nose = round_cone(q, dvec3(0.0, 1.655, 0.09), dvec3(0.0, 1.617, 0.109), 0.008, 0.0135);
    solid = blend_union(solid, nose, 0.018);
    let brow = round_cone(q, dvec3(0.0, 1.672, 0.086), dvec3(0.045, 1.672, 0.068), 0.012, 0.012);
    solid = blend_union(solid, brow, 0.02);
    let ear = ellipsoid(q, dvec3(0.08, 1.635, -0.012), dvec3(0.011, 0.03, 0.019));
    solid = blend_union(solid, ear, 0.01);
    let socket = ellipsoid(q, dvec3(0.0335, 1.65, 0.1), dvec3(0.021, 0.014, 0.02));
    blend_cut(solid, socket, 0.012)
}

/// A cap of hair: a slightly larger skull with the face and the ears left free.
fn hair(p: DVec3) -> f64 {
    let q = folded(p);
    let cap = ellipsoid(q, dvec3(0.0, 1.664, -0.014), dvec3(0.0845, 0.0955, 0.1));
    let fringe = round_cone(q, dvec3(0.0, 1.728, 0.06), dvec3(0.055, 1.712, 0.045), 0.022, 0.018);
    let nape = ellipsoid(q, dvec3(0.0, 1.6, -0.06), dvec3(0.062, 0.055, 0.045));
    let solid = blend_union(blend_union(cap, fringe, 0.03), nape, 0.03);
    // The face's opening is a slanted plane from the fringe to behind the ears.
    let face = (p.z - 0.035) * 0.8 - (p.y - 1.685) * 0.75;
    let ears = ellipsoid(q, dvec3(0.085, 1.632, 0.0), dvec3(0.03, 0.05, 0.032));
    let opened = blend_cut(solid, -face, 0.02);
    blend_cut(opened, ears, 0.012)
}

/// A mouth that smiles a little, on the face's surface.
fn mouth(p: DVec3) -> f64 {
    let q = folded(p);
    let at = |x: f64, y: f64, sunk: f64| dvec3(x, y, face_front(x, y) - sunk);
    let middle = round_cone(q, at(0.0, 1.5835, 0.002), at(0.013, 1.5845, 0.002), 0.0052, 0.0046);
    middle.min(round_cone(q, at(0.013, 1.5845, 0.002), at(0.023, 1.589, 0.001), 0.0046, 0.003))
}

/// How far forward the face reaches at a place, so that features can be set upon it.
fn face_front(x: f64, y: f64) -> f64 {
    let (mut inside, mut outside) = (0.0, 0.2);
    for _ in 0..40 {
        let middle = 0.5 * (inside + outside);
        *(if head_and_neck(dvec3(x, y, middle)) < 0.0 { &mut inside } else { &mut outside }) = middle;
    }
    inside
}
