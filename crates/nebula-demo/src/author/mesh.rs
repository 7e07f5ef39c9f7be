use glam::DVec3;

use super::glb::on_grid;
use super::polygonise::Surface;

/// A mesh in the form that the file stores it.
#[derive(Clone, Debug, Default)]
pub(super) struct MeshData {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
    /// Linear red, green, blue and opacity; 255 is one.
    pub colours: Vec<[u8; 4]>,
    pub skinning: Option<Skinning>,
    pub triangles: Vec<[u16; 3]>,
}

/// Up to four joints a vertex with weights that add up to exactly 65535.
#[derive(Clone, Debug, Default)]
pub(super) struct Skinning {
    pub joints: Vec<[u8; 4]>,
    pub weights: Vec<[u16; 4]>,
}

/// A joint and its share of a vertex.
pub(super) type Influence = (usize, f64);

impl MeshData {
    /// Adds a closed surface in one colour, given as it looks on a screen (sRGB, `0xRRGGBB`).
    pub fn push_surface(&mut self, surface: &Surface, srgb: u32) {
        let first = self.positions.len();
        let colour = linear_colour(srgb);
        self.positions.extend(surface.positions.iter().map(|p| p.to_array().map(on_grid)));
        self.normals.extend(surface.normals.iter().map(|n| n.to_array().map(on_grid)));
        self.colours.resize(first + surface.positions.len(), colour);
        let shifted = surface.triangles.iter().map(|triangle| triangle.map(|index| (index as usize + first) as u16));
        self.triangles.extend(shifted);
    }

    /// Adds a closed surface of a skinned body; `influences` says which joints carry a point of it.
    pub fn push_skinned(&mut self, surface: &Surface, srgb: u32, influences: &dyn Fn(DVec3) -> Vec<Influence>) {
        self.push_surface(surface, srgb);
        let skinning = self.skinning.get_or_insert_default();
        for &position in &surface.positions {
            let (joints, weights) = four_strongest(influences(position));
            skinning.joints.push(joints);
            skinning.weights.push(weights);
        }
    }
}

/// The four largest shares, as fractions of 65535 that add up to it; unused slots name joint 0 with no weight.
fn four_strongest(mut influences: Vec<Influence>) -> ([u8; 4], [u16; 4]) {
    influences.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    influences.truncate(4);
    let total = influences.iter().map(|influence| influence.1).sum::<f64>();
    let (mut joints, mut weights) = ([0; 4], [0; 4]);
    let mut left = 65535;
    for (slot, (joint, share)) in influences.iter().enumerate().skip(1) {
        let weight = ((share / total * 65535.0).round() as u16).min(left);
        if weight > 0 {
            (joints[slot], weights[slot]) = (*joint as u8, weight);
            left -= weight;
        }
    }
    // The strongest joint takes what rounding left over.
    (joints[0], weights[0]) = (influences.first().map_or(0, |influence| influence.0 as u8), left);
    (joints, weights)
}

/// glTF's vertex colours are linear; people name colours in sRGB.
fn linear_colour(srgb: u32) -> [u8; 4] {
    let channel = |shift: u32| {
        let encoded = f64::from((srgb >> shift) & 0xFF) / 255.0;
        let linear = if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) };
        (linear * 255.0).round() as u8
    };
    [channel(16), channel(8), channel(0), 255]
}
