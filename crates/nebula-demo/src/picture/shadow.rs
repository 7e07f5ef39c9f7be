//! Shadows: of the figure on the floor, softer the higher the part that casts them, of the figure on itself, and the
//! dark place where something touches the floor.

use glam::{IVec2, Vec2, Vec3, Vec3A};

use super::Scene;
use super::camera::View;
use super::heights::{EMPTY, Heights, Keep};
use super::pyramid::{LEVELS, Pyramid, floor};
use super::walk::Area;

/// Texels of the map along the light, which shows the edges of shadows.
pub(crate) const LIGHT_RESOLUTION: i32 = 448;

/// The same for a crowd: more meshes than this many.
pub(crate) const CROWD_RESOLUTION: i32 = 1280;
pub(crate) const CROWD: usize = 24;

/// Size of what stands on a terrain, in metres.
pub(crate) const FIGURE: f32 = 1.8;

/// Texels of the map from above, which is only seen blurred.
pub(crate) const CONTACT_RESOLUTION: i32 = 128;

/// Width of a shadow's edge for each unit of height: a lamp in a studio rather than the sun.
pub(crate) const SOFTNESS: f32 = 0.06;

/// Part of the scene's size at which things have little effect on the floor below them.
pub(crate) const CONTACT_HEIGHT: f32 = 0.06;

/// The level of the light's map that is searched for what casts a shadow: the softest one.
const SOFTEST: usize = LEVELS - 1;

/// The level of the map from above that darkens the surroundings.
const WIDE: usize = 3;

/// The shadows of a frame.
#[derive(Debug, Default)]
pub(super) struct Shadow {
    /// Heights along the light.
    lit: Heights,
    /// Part of a texel that is covered, and the same times the height.
    soft: Pyramid,
    /// Heights from straight above.
    above: Heights,
    contact: Pyramid,
}

/// How much light reaches a place on the floor, from zero to one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reach {
    pub(super) key: f32,
    pub(super) ambient: f32,
}

impl Reach {
    /// No shadow at all.
    pub(super) const FULL: Self = Self { key: 1.0, ambient: 1.0 };
}

impl Shadow {
    /// Draws the shadow maps.
    pub(super) fn draw(&mut self, scene: &Scene) {
        let direction = scene.light.direction.try_normalize().unwrap_or(Vec3::Y);
        // A light near the horizon or below it would cast endless shadows: it is lifted.
        let slope = Vec2::new(direction.x, direction.z) / direction.y.max(0.25);
        // Without a floor the maps still show the shadows of the figure on itself, whatever plane they are drawn on.
        let casters = scene.meshes.iter().filter(|mesh| !mesh.is_terrain);
        let heights = casters.flat_map(|mesh| mesh.positions).map(|position| position.y);
        let lowest = || heights.filter(|height| height.is_finite()).fold(f32::INFINITY, f32::min);
        let plane = scene.ground.map_or_else(lowest, |ground| ground.height);
        let mut terrains = scene.meshes.iter().filter(|mesh| mesh.is_terrain).peekable();
        let has_terrain = terrains.peek().is_some();
        let is_crowd = has_terrain && scene.meshes.len() > CROWD;
        let resolution = if is_crowd { CROWD_RESOLUTION } else { LIGHT_RESOLUTION };
        self.lit.draw(scene.meshes, plane, slope, resolution, Keep::Highest);
        let size = scene.ground.map(|ground| ground.size).or(has_terrain.then_some(FIGURE));
        if let Some(size) = size {
            self.soft.build(self.lit.width, self.lit.rows(), |height| match height {
                EMPTY => Vec2::ZERO,
                _ => Vec2::new(1.0, height.max(0.0)),
            });
            self.above.draw(scene.meshes, plane, Vec2::ZERO, CONTACT_RESOLUTION, Keep::Lowest);
            terrains.for_each(|terrain| self.above.lift_from(terrain));
            let scale = 1.0 / (size * CONTACT_HEIGHT).max(f32::MIN_POSITIVE);
            self.contact.build(self.above.width, self.above.rows(), |lowest| match lowest {
                EMPTY => Vec2::ZERO,
                _ => Vec2::new((lowest.min(0.0) * scale).exp(), 0.0),
            });
        }
    }

    /// The pixels in which a shadow on the floor may be seen.
    pub(super) fn area(&self, height: f32, view: &View) -> Area {
        let screen = view.area();
        let mut area = Area::default();
        for (map, level) in [(&self.lit, SOFTEST), (&self.above, WIDE)] {
            let Some([min, max]) = reached(map, level) else { continue };
            for (x, z) in [(min.x, min.y), (max.x, min.y), (min.x, max.y), (max.x, max.y)] {
                let corner = view.project(Vec3::new(x, height, z));
                if corner.z <= view.near {
                    return screen;
                }
                // The casts bound what lies outside the picture.
                let (x, y) = ((corner.x / corner.z).floor() as i32, (corner.y / corner.z).floor() as i32);
                let pixel = Area { left: x, top: y, right: x.saturating_add(1), bottom: y.saturating_add(1) };
                area = area.union(pixel);
            }
        }
        area.intersection(screen)
    }

    /// The light that reaches a place of the floor, given as x and z.
    pub(super) fn on_floor(&self, place: Vec2) -> Reach {
        self.reach(place.extend(0.0), place)
    }

    /// The light that reaches a point of a terrain that is nowhere as steep as the light.
    pub(super) fn on_terrain(&self, point: Vec3A) -> Reach {
        self.reach(self.lit.project(point), Vec2::new(point.x, point.z))
    }

    /// The light at a point: given by its shadow on the plane and its height above it, and by x and z.
    fn reach(&self, projected: Vec3, place: Vec2) -> Reach {
        let mut reach = Reach::FULL;
        if reaches(&self.lit, SOFTEST, projected.truncate()) {
            let texels = self.lit.to_texels(projected.truncate());
            // Which height casts a shadow here? The edge's width follows from it.
            let blocker = self.soft.sample(texels, SOFTEST as f32);
            if blocker.x > 1e-3 {
                let width = (blocker.y / blocker.x - projected.z) * SOFTNESS / self.lit.texel;
                reach.key = 1.0 - self.soft.sample(texels, width.max(1.0).log2()).x.min(1.0);
            }
        }
        if reaches(&self.above, WIDE, place) {
            let texels = self.above.to_texels(place);
            let (near, wide) = (self.contact.sample(texels, 1.0).x, self.contact.sample(texels, WIDE as f32).x);
            reach.ambient = 1.0 - 0.4 * near - 0.45 * wide;
        }
        reach
    }

    /// The part of the directional light, from zero to one, that reaches a point of a surface.
    pub(super) fn on_surface(&self, point: Vec3A, normal: Vec3A) -> f32 {
        // Looked up a little outside the surface: texels are coarser than triangles, and a surface must not
        // shade itself.
        let margin = self.lit.texel * 2.0;
        let point = self.lit.project(point + normal * margin);
        let texels = self.lit.to_texels(point.truncate()) - 0.5;
        let (x, y) = (floor(texels.x), floor(texels.y));
        let fraction = texels - IVec2::new(x, y).as_vec2();
        let limit = point.z + margin * 0.5;
        // Four by four comparisons, of which the outer ones count as far as the point lies on their side.
        let columns = [1.0 - fraction.x, 1.0, 1.0, fraction.x];
        let rows = [1.0 - fraction.y, 1.0, 1.0, fraction.y];
        let mut lit = 0.0;
        for (row, row_weight) in rows.into_iter().enumerate() {
            for (column, column_weight) in columns.into_iter().enumerate() {
                let height = self.lit.value(x.saturating_add(column as i32 - 1), y.saturating_add(row as i32 - 1));
                lit += if height > limit { 0.0 } else { row_weight * column_weight };
            }
        }
        lit * (1.0 / 9.0)
    }
}

/// The rectangle, in world x and z, outside which a level of a map is empty; none if all of it is.
fn reached(map: &Heights, level: usize) -> Option<[Vec2; 2]> {
    // A texel of a level spreads over one and a half of its own size when it is read, and over one when it is made.
    let margin = map.texel * (3 << level) as f32;
    (map.width > 0).then_some([map.bounds[0] - margin, map.bounds[1] + margin])
}

fn reaches(map: &Heights, level: usize, place: Vec2) -> bool {
    reached(map, level).is_some_and(|[min, max]| place.cmpgt(min).all() && place.cmplt(max).all())
}
