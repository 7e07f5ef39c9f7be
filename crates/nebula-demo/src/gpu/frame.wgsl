// What all shaders share: the frame, and the light. The constants SHOULDER, FILL, SOFTNESS, FRONT and others are written in front of
// this text, from those of the software renderer, which is the model of everything here.

// A map of heights along one direction, drawn onto a level plane.
struct Map {
    // World x and z of its corner.
    origin: vec2<f32>,
    // How far x and z move with each unit of height.
    slope: vec2<f32>,
    // Least and largest x and z of what was drawn.
    bounds: vec4<f32>,
    // World y of the plane.
    plane: f32,
    // Size of a texel in the world; zero where there is no map.
    texel: f32,
    // The height that is stored as the largest depth.
    highest: f32,
    // How quickly things lose their effect on the floor with their height; zero for the map along the light.
    fall: f32,
    // Texels in use.
    size: vec2<f32>,
}

struct Frame {
    clip_from_world: mat4x4<f32>,
    eye: vec4<f32>,
    looked_at: vec4<f32>,
    // The ray through the upper left corner, and its change from pixel to pixel.
    ray_start: vec4<f32>,
    ray_x: vec4<f32>,
    ray_y: vec4<f32>,
    // Towards the light, at length 1.
    light: vec4<f32>,
    // Towards the glow on the other side, at length 1.
    back: vec4<f32>,
    key: vec4<f32>,
    sky: vec4<f32>,
    below: vec4<f32>,
    // Colours of the backdrop.
    zenith: vec4<f32>,
    horizon: vec4<f32>,
    nadir: vec4<f32>,
    floor_color: vec4<f32>,
    // Height, distance of the grid lines, how quickly it fades, and 1 where it is shown.
    floor: vec4<f32>,
    // Height of the floor as an obstacle, distance of the fog, strength of the grid lines.
    more: vec4<f32>,
    // Width and height of the picture, nearest distance, width of points.
    size: vec4<f32>,
    lit: Map,
    above: Map,
}

const EMPTY_DEPTH: f32 = 0.005;
const DEPTH_SCALE: f32 = 0.98;
const DEPTH_START: f32 = 0.01;
// Heights of the ground are stored from minus to plus half of this, in parts of the highest.
const GROUND_RANGE: f32 = 16.0;

// World x and z of a point's shadow on the plane, and the point's height above it.
fn on_plane(map: Map, point: vec3<f32>) -> vec3<f32> {
    let height = point.y - map.plane;
    return vec3<f32>(point.xz - map.slope * height, height);
}
