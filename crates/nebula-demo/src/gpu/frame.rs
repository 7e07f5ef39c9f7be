//! Per-picture constants in shader layout.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec2, Vec3, Vec4};
use nebula_animation::skinning::Bounds;

use crate::picture::pyramid::LEVELS;
use crate::picture::shadow::{CONTACT_HEIGHT, CONTACT_RESOLUTION, CROWD, CROWD_RESOLUTION, FIGURE, LIGHT_RESOLUTION};
use crate::picture::{Placement, View, environment, ground};
use crate::show::shot::{Floor, Shot};

/// How a picture looks beyond what is in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Look {
    /// Colours of sky and floor.
    pub scenery: Scenery,
    /// Draw the edges of triangles on top of them.
    pub is_wireframe: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self { scenery: Scenery::light(), is_wireframe: false }
    }
}

/// Linear colours of sky and floor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scenery {
    /// Straight above.
    pub zenith: Vec3,
    /// Where sky and floor meet.
    pub horizon: Vec3,
    /// Straight below, where there is no floor.
    pub nadir: Vec3,
    /// The floor in white light.
    pub floor: Vec3,
    /// How much darker grid lines are, as a part; below zero they are brighter.
    pub line_strength: f32,
}

impl Scenery {
    /// A bright day: what the software renderer shows.
    #[must_use]
    pub fn light() -> Self {
        Self {
            zenith: ground::ZENITH.into(),
            horizon: ground::HORIZON.into(),
            nadir: ground::NADIR.into(),
            floor: ground::FLOOR.into(),
            line_strength: ground::LINE_STRENGTH,
        }
    }

    /// A dark studio.
    #[must_use]
    pub fn dark() -> Self {
        Self {
            zenith: Vec3::new(0.010, 0.012, 0.018),
            horizon: Vec3::new(0.030, 0.034, 0.044),
            nadir: Vec3::new(0.012, 0.013, 0.016),
            floor: Vec3::new(0.036, 0.038, 0.044),
            line_strength: -1.1,
        }
    }

    /// Whether overlays had better be bright.
    #[must_use]
    pub fn is_dark(&self) -> bool {
        self.horizon.element_sum() < 0.6
    }
}

/// A map of heights; `frame.wgsl` says what the fields mean.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct MapData {
    origin: Vec2,
    slope: Vec2,
    bounds: [f32; 4],
    plane: f32,
    texel: f32,
    highest: f32,
    fall: f32,
    size: Vec2,
    padding: Vec2,
}

impl MapData {
    /// No map.
    pub(super) const NONE: Self = Self {
        origin: Vec2::ZERO,
        slope: Vec2::ZERO,
        bounds: [0.0; 4],
        plane: 0.0,
        texel: 0.0,
        highest: 1.0,
        fall: 0.0,
        size: Vec2::ZERO,
        padding: Vec2::ZERO,
    };

    /// Texels in use, or none if there is nothing to draw.
    pub(super) fn texels(&self) -> Option<[u32; 2]> {
        (self.texel > 0.0).then_some([self.size.x as u32, self.size.y as u32])
    }

    /// Whether anything in a box may be in the map's shadows: as `reaches` in `light.wgsl`, for the softest ones.
    pub(super) fn may_reach(&self, bounds: &Bounds) -> bool {
        let [left, top, right, bottom] = self.reach();
        // Where the box comes to lie on the plane, from its lowest to its highest points.
        let shifts = [bounds.min.y, bounds.max.y].map(|height| self.slope * (height - self.plane));
        let (least, most) = (shifts[0].min(shifts[1]), shifts[0].max(shifts[1]));
        let min = Vec2::new(bounds.min.x, bounds.min.z) - most;
        let max = Vec2::new(bounds.max.x, bounds.max.z) - least;
        self.texel > 0.0 && max.x >= left && min.x <= right && max.y >= top && min.y <= bottom
    }

    /// Least and largest x and z on the plane that the softest shadows reach.
    fn reach(&self) -> [f32; 4] {
        let [left, top, right, bottom] = self.bounds;
        let margin = self.texel * (3 << (LEVELS - 1)) as f32;
        [left - margin, top - margin, right + margin, bottom + margin]
    }

    /// A map of everything in a box, seen along a slope.
    fn around(bounds: &Bounds, plane: f32, slope: Vec2, resolution: i32, fall: f32) -> Self {
        let (mut min, mut max) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for corner in 0..8 {
            let pick = |bit: u32, low: f32, high: f32| if corner >> bit & 1 == 0 { low } else { high };
            let height = pick(0, bounds.min.y, bounds.max.y) - plane;
            let place = Vec2::new(pick(1, bounds.min.x, bounds.max.x), pick(2, bounds.min.z, bounds.max.z));
            let place = place - slope * height;
            (min, max) = (min.min(place), max.max(place));
        }
        let highest = (bounds.max.y - plane) * 1.01;
        let Some(Placement { texel, origin, width, height }) = Placement::new(min, max, resolution) else {
            return Self::NONE;
        };
        if !(highest > 0.0 && highest.is_finite() && plane.is_finite()) {
            return Self::NONE;
        }
        Self {
            origin,
            slope,
            bounds: [min.x, min.y, max.x, max.y],
            plane,
            texel,
            highest,
            fall,
            size: Vec2::new(width as f32, height as f32),
            padding: Vec2::ZERO,
        }
    }
}

/// All of it; `frame.wgsl` says what the fields mean.
#[repr(C)]
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
pub(super) struct FrameData {
    pub(super) clip_from_world: [f32; 16],
    eye: [f32; 4],
    looked_at: [f32; 4],
    ray_start: [f32; 4],
    ray_x: [f32; 4],
    ray_y: [f32; 4],
    light: [f32; 4],
    back: [f32; 4],
    key: [f32; 4],
    sky: [f32; 4],
    below: [f32; 4],
    zenith: [f32; 4],
    horizon: [f32; 4],
    nadir: [f32; 4],
    floor_color: [f32; 4],
    floor: [f32; 4],
    more: [f32; 4],
    /// Width, height, nearest distance.
    pub(super) size: [f32; 4],
    pub(super) lit: MapData,
    pub(super) above: MapData,
}

impl FrameData {
    /// The frame of a shot; `bounds` holds all of its bodies that may be seen.
    pub(super) fn new(
        shot: &Shot,
        look: &Look,
        view: &View,
        bounds: Option<Bounds>,
        body_count: usize,
        is_software: bool,
    ) -> Self {
        let ground = match shot.floor {
            Floor::Grid(ground) => ground.checked().filter(|ground| view.eye.y > ground.height),
            _ => None,
        };
        let direction = shot.light.direction.try_normalize().unwrap_or(Vec3::Y);
        let (lit, above) = maps(shot, direction, bounds, body_count, is_software);
        let pad = |vector: Vec3| vector.extend(0.0).to_array();
        let scenery = &look.scenery;
        let fog = match shot.floor {
            Floor::Terrain(terrain) => terrain.fog,
            _ => 0.0,
        };
        let floor = ground.map_or([0.0; 4], |ground| [ground.height, ground.cell(), ground.fade(), 1.0]);
        let obstacle = ground.map_or(0.0, |ground| ground.obstacle_height());
        Self {
            clip_from_world: view.clip_from_world().to_cols_array(),
            eye: pad(view.eye.into()),
            looked_at: pad(view.target.into()),
            ray_start: pad(view.ray(0.0, 0.0).into()),
            ray_x: pad(view.ray_step_x.into()),
            ray_y: pad(view.ray_step_y.into()),
            light: pad(direction),
            back: pad(environment::back_of(direction.into()).into()),
            key: pad(shot.light.key),
            sky: pad(shot.light.sky),
            below: pad(shot.light.floor),
            zenith: pad(scenery.zenith),
            horizon: pad(scenery.horizon),
            nadir: pad(scenery.nadir),
            floor_color: pad(scenery.floor),
            floor,
            more: [obstacle, fog, scenery.line_strength, f32::from(u8::from(scenery.is_dark()))],
            size: [view.width as f32, view.height as f32, view.near, 0.0],
            lit,
            above,
        }
    }

    /// The part of the picture in which shadows may fall on the floor: left, top, right and bottom in pixels.
    pub(super) fn shaded_floor(&self) -> [u32; 4] {
        let [width, height, near, _] = self.size;
        let clip_from_world = Mat4::from_cols_array(&self.clip_from_world);
        let (mut min, mut max) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for map in [&self.lit, &self.above].into_iter().filter(|map| map.texel > 0.0) {
            let [left, top, right, bottom] = map.reach();
            for (x, z) in [(left, top), (right, top), (left, bottom), (right, bottom)] {
                let at = clip_from_world * Vec4::new(x, self.floor[0], z, 1.0);
                // What reaches behind the camera may be anywhere.
                if !(at.w > near) {
                    return [0, 0, width as u32, height as u32];
                }
                let pixel = (Vec2::new(at.x, -at.y) / at.w * 0.5 + 0.5) * Vec2::new(width, height);
                (min, max) = (min.min(pixel - 1.0), max.max(pixel + 1.0));
            }
        }
        // The casts bound what is outside, and what is not a number.
        let [right, bottom] = [max.x.min(width), max.y.min(height)].map(|edge| edge.ceil() as u32);
        [(min.x.min(width) as u32).min(right), (min.y.min(height) as u32).min(bottom), right, bottom]
    }

    /// Whether there is a floor to draw.
    pub(super) fn has_floor(&self) -> bool {
        self.floor[3] > 0.0
    }
}

/// The maps of a shot's shadows: along the light, and from above.
fn maps(
    shot: &Shot,
    direction: Vec3,
    bounds: Option<Bounds>,
    body_count: usize,
    is_software: bool,
) -> (MapData, MapData) {
    let Some(bounds) = bounds else { return (MapData::NONE, MapData::NONE) };
    // A light near the horizon or below it would cast endless shadows: it is lifted.
    let slope = Vec2::new(direction.x, direction.z) / direction.y.max(0.25);
    let ground = match shot.floor {
        Floor::Grid(ground) => ground.checked(),
        _ => None,
    };
    let plane = ground.map_or(bounds.min.y, |ground| ground.height);
    let has_terrain = matches!(shot.floor, Floor::Terrain(_));
    let resolution = if has_terrain && body_count > CROWD { CROWD_RESOLUTION } else { LIGHT_RESOLUTION };
    let lit = MapData::around(&bounds, plane, slope, resolution, 0.0);
    let size = ground.map(|ground| ground.size).or(has_terrain.then_some(FIGURE));
    // All triangles of a crowd once more are too much for a software driver.
    let size = size.filter(|_| !(is_software && has_terrain && body_count > CROWD));
    let above = size.map_or(MapData::NONE, |size| {
        let fall = 1.0 / (size * CONTACT_HEIGHT).max(f32::MIN_POSITIVE);
        MapData::around(&bounds, plane, Vec2::ZERO, CONTACT_RESOLUTION, fall)
    });
    (lit, above)
}
