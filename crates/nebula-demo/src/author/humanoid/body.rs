use glam::{DVec3, dvec3};

use super::rig::{HumanoidRig, landmarks::*};
use super::weights::{body_influences, neck_influences, shoe_influences};
use super::{hand, head, shoe};
use crate::author::field::{Field, blend_cut, blend_union, ellipsoid, folded, round_box, round_cone};
use crate::author::mesh::MeshData;
use crate::author::polygonise::{Grid, planes_in_stretches, polygonise};

/// One closed piece of the body: skin or a garment. Garments are solids of their own that overlap the skin beneath
/// them, which gives hems and cuffs a clean edge whatever the grid.
pub(super) struct Piece {
    /// The colour on a screen, `0xRRGGBB`.
    pub colour: u32,
    pub grid: Grid,
    pub field: Field,
    pub carried_by: Carrier,
}

/// Which rule says what joints carry a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    Body,
    Neck,
    Head,
    Shoe,
}

pub(super) const SKIN: u32 = 0xD9A07A;
const SHIRT: u32 = 0x2F7F86;
const TROUSERS: u32 = 0x37415C;
const BELT: u32 = 0x5A3A26;
const BUCKLE: u32 = 0xC9A24B;

/// The whole person as one skinned mesh.
pub(in crate::author) fn body_mesh(humanoid: &HumanoidRig) -> MeshData {
    let mut pieces = vec![shirt(), trousers(), belt(), buckle(), forearms()];
    pieces.extend(hand::pieces());
    pieces.extend(head::pieces());
    pieces.extend(shoe::pieces());
    let mut mesh = MeshData::default();
    for piece in pieces {
        let surface = polygonise(&piece.grid, &piece.field);
        let influences = |p: DVec3| match piece.carried_by {
            Carrier::Body => body_influences(humanoid, p),
            Carrier::Neck => neck_influences(humanoid, p),
            Carrier::Head => vec![(humanoid.head, 1.0)],
            Carrier::Shoe => shoe_influences(humanoid, p),
        };
        mesh.push_skinned(&surface, piece.colour, &influences);
    }
    mesh
}

/// Where the sleeves end, in metres from the middle of the T-pose.
const CUFF: f64 = 0.39;

/// A shirt with sleeves to just above the elbow.
fn shirt() -> Piece {
    let field = |p: DVec3| {
        let q = folded(p);
        let belly = ellipsoid(q, dvec3(0.0, 1.06, 0.0), dvec3(0.148, 0.15, 0.108));
        let ribs = ellipsoid(q, dvec3(0.0, 1.27, -0.005), dvec3(0.172, 0.185, 0.118));
        let chest = ellipsoid(q, dvec3(0.075, 1.33, 0.03), dvec3(0.092, 0.085, 0.082));
        let back = ellipsoid(q, dvec3(0.085, 1.35, -0.05), dvec3(0.09, 0.11, 0.07));
        let yoke = round_cone(q, dvec3(0.0, 1.425, -0.015), UPPER_ARM + dvec3(-0.022, -0.005, 0.0), 0.07, 0.062);
        let sleeve = round_cone(q, UPPER_ARM + dvec3(0.005, 0.0, 0.0), dvec3(0.375, 1.415, -0.018), 0.063, 0.0545);
        let mut torso = blend_union(belly, ribs, 0.1);
        torso = blend_union(torso, chest, 0.06);
        torso = blend_union(torso, back, 0.06);
        torso = blend_union(torso, yoke, 0.07);
        let body = blend_union(torso, sleeve, 0.05);
        // Hems at the waist and at the ends of the sleeves.
        let above_hem = p.y - 0.985;
        let inside_cuff = CUFF - q.x;
        blend_cut(blend_cut(body, above_hem, 0.015), inside_cuff, 0.03)
    };
    // The cuffs lie in the middle of a row of cells: all vertices of their edge are found alike.
    let cell = CUFF / 14.0;
    let end = CUFF + 1.5 * cell;
    let grid = Grid::even(dvec3(-end, 0.95, -0.18), dvec3(end, 1.56, 0.18), dvec3(cell, 0.0285, 0.0285));
    Piece { colour: SHIRT, grid, field: Box::new(field), carried_by: Carrier::Body }
}

/// Long trousers that end above the shoes.
fn trousers() -> Piece {
    let field = |p: DVec3| {
        let q = folded(p);
        let pelvis = ellipsoid(q, dvec3(0.0, 0.955, -0.005), dvec3(0.163, 0.115, 0.118));
        let seat = ellipsoid(q, dvec3(0.075, 0.9, -0.045), dvec3(0.088, 0.1, 0.085));
        let thigh = round_cone(q, THIGH + dvec3(0.003, -0.02, 0.0), SHIN, 0.091, 0.062);
        let shin = round_cone(q, SHIN, dvec3(0.092, 0.12, -0.01), 0.062, 0.052);
        let calf = ellipsoid(q, dvec3(0.094, 0.385, -0.018), dvec3(0.054, 0.12, 0.058));
        let hips = blend_union(pelvis, seat, 0.07);
        let leg = blend_union(blend_union(thigh, shin, 0.04), calf, 0.05);
        let body = blend_union(hips, leg, 0.06);
        let below_waist = 0.992 - p.y;
        let above_hem = p.y - 0.093;
        blend_cut(blend_cut(body, below_waist, 0.015), above_hem, 0.03)
    };
    // Rings of vertices crowd at the knees, where the cloth bends.
    let mut grid = Grid::even(dvec3(-0.22, 0.05, -0.17), dvec3(0.22, 1.06, 0.17), dvec3(0.027, 0.04, 0.027));
    let knee = SHIN.y;
    grid.planes[1] = planes_in_stretches(&[(0.05, 0.048), (knee - 0.066, 0.022), (knee + 0.066, 0.045)], 1.06);
    Piece { colour: TROUSERS, grid, field: Box::new(field), carried_by: Carrier::Body }
}

/// A belt that hides where shirt and trousers meet.
fn belt() -> Piece {
    let field = |p: DVec3| {
        let waist = ellipsoid(p, dvec3(0.0, 0.985, -0.002), dvec3(0.1675, 0.4, 0.1235));
        let off_the_band = 0.017 - (p.y - 0.99).abs();
        blend_cut(waist, off_the_band, 0.012)
    };
    let grid = Grid::even(dvec3(-0.2, 0.96, -0.15), dvec3(0.2, 1.02, 0.15), dvec3(0.034, 0.012, 0.034));
    Piece { colour: BELT, grid, field: Box::new(field), carried_by: Carrier::Body }
}

fn buckle() -> Piece {
    let (centre, half) = (dvec3(0.0, 0.99, 0.119), dvec3(0.021, 0.019, 0.009));
    let margin = DVec3::splat(0.004);
    let grid = Grid::even(centre - half - margin, centre + half + margin, DVec3::splat(0.0105));
    let field = move |p: DVec3| round_box(p, centre, half, 0.004);
    Piece { colour: BUCKLE, grid, field: Box::new(field), carried_by: Carrier::Body }
}

/// The bare arms, from inside the sleeves to inside the hands.
fn forearms() -> Piece {
    let field = |p: DVec3| {
        let q = folded(p);
        let upper = round_cone(q, dvec3(0.34, 1.415, -0.018), LOWER_ARM, 0.045, 0.041);
        let lower = round_cone(q, LOWER_ARM, HAND, 0.041, 0.0268);
        let muscle = ellipsoid(q, dvec3(0.515, 1.413, -0.016), dvec3(0.085, 0.043, 0.045));
        let elbow = ellipsoid(q, LOWER_ARM + dvec3(0.0, 0.0, -0.014), dvec3(0.035, 0.034, 0.034));
        blend_union(blend_union(blend_union(upper, lower, 0.03), muscle, 0.04), elbow, 0.03)
    };
    // Rings of vertices crowd at the elbows; between the two arms there is nothing to find.
    let mut grid = Grid::even(dvec3(-0.73, 1.35, -0.09), dvec3(0.73, 1.48, 0.06), DVec3::splat(0.0195));
    let elbow = LOWER_ARM.x;
    let left = planes_in_stretches(&[(0.28, 0.03), (elbow - 0.054, 0.018), (elbow + 0.054, 0.033)], 0.73);
    grid.planes[0] = left.iter().rev().map(|x| -x).chain(left.iter().copied()).collect();
    Piece { colour: SKIN, grid, field: Box::new(field), carried_by: Carrier::Body }
}
