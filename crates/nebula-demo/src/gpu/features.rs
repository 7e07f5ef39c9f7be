//! The shader features that a material needs, and its constants in shader layout.

use bytemuck::{Pod, Zeroable};
use glam::{Affine2, Vec3, Vec4};
use nebula_animation::asset::Alpha;

use crate::picture::{Answer, Looks, Map};

/// Images of a material: base colour; metal and roughness, or the shade of a toon; normals; occlusion, or the ball of a toon; emissive light.
pub(super) const MAPS: usize = 5;

/// What a material has. Each combination is a pipeline of its own: what is not there costs nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Features {
    maps: [bool; MAPS],
    has_tangents: bool,
    /// 0: lit, 1: unlit, 2: a toon.
    answer: u8,
}

impl Features {
    pub(super) fn new(looks: &Looks<'_>, maps: &[Option<Map<'_>>; MAPS], has_tangents: bool) -> Self {
        let maps = maps.map(|map| map.is_some());
        let answer = match looks.answer {
            Answer::Lit => 0,
            Answer::Unlit => 1,
            Answer::Toon(_) => 2,
        };
        Self { maps, has_tangents: has_tangents && maps[2], answer }
    }

    /// The values of the fragment shader's overrides.
    pub(super) fn constants(self) -> [(&'static str, f64); MAPS + 2] {
        let [base, second, normals, fourth, emissive] = self.maps.map(|has| f64::from(u8::from(has)));
        [
            ("HAS_BASE", base),
            ("HAS_SECOND", second),
            ("HAS_NORMALS", normals),
            ("HAS_FOURTH", fourth),
            ("HAS_EMISSIVE", emissive),
            ("HAS_TANGENTS", f64::from(u8::from(self.has_tangents))),
            ("ANSWER", f64::from(self.answer)),
        ]
    }
}

/// The images of a material in their places, as far as they are there.
pub(super) fn maps<'a>(looks: &Looks<'a>, is_there: impl Fn(&Map<'_>) -> bool) -> [Option<Map<'a>>; MAPS] {
    let there = |map: Option<Map<'a>>| map.filter(&is_there);
    let (second, fourth) = match looks.answer {
        // The ball is looked up by the normal.
        Answer::Toon(drawn) => (there(drawn.shade_map), drawn.ball_map),
        _ => (there(looks.metallic_roughness), there(looks.occlusion)),
    };
    [there(looks.texture), second, there(looks.normals), fourth, there(looks.emissive_map)]
}

/// The numbers of a material; `looks.wgsl` says what they mean.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct SurfaceData {
    color: [f32; 4],
    emissive: [f32; 4],
    factors: [f32; 4],
    flags: [u32; 4],
    shade: [f32; 4],
    rim: [f32; 4],
    ball: [f32; 4],
    drawn: [f32; 4],
    maps: [[f32; 4]; 2 * MAPS],
}

impl SurfaceData {
    pub(super) fn new(looks: &Looks<'_>, maps: &[Option<Map<'_>>; MAPS], alpha: Alpha, is_flat: bool) -> Self {
        let (mode, cutoff) = match alpha {
            Alpha::Opaque => (0, 0.0),
            Alpha::Mask(cutoff) => (1, cutoff),
            Alpha::Blend => (2, 0.0),
        };
        let sets = maps.iter().enumerate().map(|(index, map)| u32::from(map.is_some_and(|map| map.uv == 1)) << index);
        let with = |vector: Vec3, w: f32| vector.extend(w).to_array();
        let mut data = Self {
            color: looks.base_color.to_array(),
            emissive: with(looks.emissive, looks.occlusion_strength),
            factors: [looks.metallic, looks.roughness, looks.normal_scale, cutoff],
            flags: [u32::from(is_flat), mode, sets.sum(), 0],
            shade: [0.0; 4],
            rim: [0.0; 4],
            ball: [0.0; 4],
            drawn: [0.0; 4],
            maps: [[0.0; 4]; 2 * MAPS],
        };
        if let Answer::Toon(drawn) = looks.answer {
            data.shade = with(drawn.shade, drawn.shift);
            data.rim = with(drawn.rim, drawn.rim_power);
            data.ball = with(drawn.ball, drawn.rim_lift);
            data.drawn = [drawn.toony, drawn.rim_lighting, 0.0, 0.0];
        }
        for (rows, map) in data.maps.chunks_exact_mut(2).zip(maps) {
            let Affine2 { matrix2, translation } = map.map_or(Affine2::IDENTITY, |map| map.transform);
            let row = |x: f32, y: f32, offset: f32| Vec4::new(x, y, offset, 0.0).to_array();
            rows[0] = row(matrix2.x_axis.x, matrix2.y_axis.x, translation.x);
            rows[1] = row(matrix2.x_axis.y, matrix2.y_axis.y, translation.y);
        }
        data
    }
}
