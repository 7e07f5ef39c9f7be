//! Outlines of toons: the surface drawn once more, moved out along its normals, with only back faces visible.
//!
//! They are surfaces like all others, so both renderers draw them, shadows and poses included. The way out is taken in the bind pose, where
//! MToon takes it after skinning: the same wherever joints do not stretch what they move.

use glam::{Vec2, Vec3};
use nebula_animation::Asset;
use nebula_animation::asset::{
    Material, MaterialTexture, OutlineWidth, Primitive, TextureWrap, Toon, ToonOutline, Topology,
};

use crate::picture::Texture;

/// How wide a figure's outlines are where their width is told by the screen: a figure about fills its picture.
fn height(asset: &Asset) -> f32 {
    let tall = |primitive: &Primitive| {
        let ends =
            primitive.positions.iter().fold([f32::MAX, f32::MIN], |[low, high], at| [low.min(at[1]), high.max(at[1])]);
        ends[1] - ends[0]
    };
    let all = asset.meshes.iter().flat_map(|mesh| mesh.primitives.iter()).map(tall);
    all.filter(|tall| tall.is_finite()).fold(0.0, f32::max)
}

/// Vertices that outlines add.
pub(super) fn vertices(asset: &Asset) -> usize {
    let primitives = asset.meshes.iter().flat_map(|mesh| mesh.primitives.iter());
    primitives.filter(|primitive| outline(primitive).is_some()).map(|primitive| primitive.positions.len()).sum()
}

/// Adds the outlines of all toons behind the primitives of their meshes; `image` has the values of an image. Gives how many primitives each
/// mesh had before.
pub(super) fn add<'a>(asset: &mut Asset, image: impl Fn(usize) -> Option<&'a Texture>) -> Vec<usize> {
    let before = asset.meshes.iter().map(|mesh| mesh.primitives.len()).collect();
    let height = height(asset);
    for mesh in &mut asset.meshes {
        let hulls: Vec<Primitive> =
            mesh.primitives.iter().filter_map(|primitive| hull(primitive, height, &image)).collect();
        if !hulls.is_empty() {
            mesh.primitives = mesh.primitives.iter().cloned().chain(hulls).collect();
        }
    }
    before
}

/// The outline of a primitive that has one.
fn outline(primitive: &Primitive) -> Option<(&Toon, &ToonOutline)> {
    let toon = primitive.material.toon.as_deref()?;
    let is_whole = primitive.topology == Topology::Triangles && primitive.normals.len() == primitive.positions.len();
    toon.outline.as_ref().filter(|_| is_whole).map(|outline| (toon, outline))
}

fn hull<'a>(primitive: &Primitive, height: f32, image: &impl Fn(usize) -> Option<&'a Texture>) -> Option<Primitive> {
    let (toon, outline) = outline(primitive)?;
    let width = match outline.width {
        OutlineWidth::World(metres) => metres,
        OutlineWidth::Screen(part) => part * height,
    };
    let map = outline.width_texture.and_then(|map| Some((map, image(map.image)?)));
    let mut made = primitive.clone();
    for (vertex, at) in made.positions.iter_mut().enumerate() {
        let part = map.as_ref().map_or(1.0, |(map, texture)| {
            primitive.uvs.get(map.uv).and_then(|uvs| uvs.get(vertex)).map_or(1.0, |uv| green(map, texture, *uv))
        });
        let way = Vec3::from(primitive.normals[vertex]).normalize_or_zero();
        *at = (Vec3::from(*at) + way * (width * part)).to_array();
    }
    for triangle in made.indices.chunks_exact_mut(3) {
        triangle.swap(1, 2);
    }
    made.material = material(&primitive.material, toon, outline);
    Some(made)
}

/// What a surface answers, times the outline's colour, as far as light is mixed in; that colour itself for the rest.
fn material(source: &Material, toon: &Toon, outline: &ToonOutline) -> Material {
    let (color, mix) = (Vec3::from(outline.color), outline.lighting_mix);
    let lit = |of: [f32; 3]| (Vec3::from(of) * color * mix).to_array();
    let [red, green, blue, alpha] = source.base_color_factor;
    let [red, green, blue] = lit([red, green, blue]);
    let toon = Toon {
        shade_color: lit(toon.shade_color),
        matcap_factor: lit(toon.matcap_factor),
        rim_color: lit(toon.rim_color),
        outline: None,
        ..toon.clone()
    };
    // An image of what shines would hide the colour itself where it is dark.
    let is_shining = source.emissive_texture.is_none();
    let shine = if is_shining { Vec3::from(lit(source.emissive_factor)) } else { Vec3::ZERO };
    Material {
        base_color_factor: [red, green, blue, alpha],
        emissive_factor: (shine + color * (1.0 - mix)).to_array(),
        emissive_texture: None,
        normal_texture: None,
        is_double_sided: false,
        toon: Some(Box::new(toon)),
        ..source.clone()
    }
}

/// The green of the pixel at a place of an image.
fn green(map: &MaterialTexture, texture: &Texture, uv: [f32; 2]) -> f32 {
    let Some((width, height, pixels)) = texture.levels().next() else { return 1.0 };
    let at = Vec2::from(map.transform.apply(uv)).to_array();
    let place = |axis: usize, size: u32| {
        let at = if map.sampler.wrap[axis] == TextureWrap::Clamp {
            at[axis].clamp(0.0, 1.0)
        } else {
            at[axis].rem_euclid(1.0)
        };
        ((at * size as f32) as u32).min(size.saturating_sub(1))
    };
    let (x, y) = (place(0, width), place(1, height));
    pixels.get((y * width + x) as usize).map_or(1.0, |pixel| f32::from(pixel[1]) / 255.0)
}
