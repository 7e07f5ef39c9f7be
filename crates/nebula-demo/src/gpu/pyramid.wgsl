// Softer and softer copies of a map of heights. It follows frame.wgsl.

@group(0) @binding(0) var<uniform> map: Map;
@group(0) @binding(1) var heights: texture_depth_2d;
@group(0) @binding(2) var sharper: texture_2d<f32>;
// Of hills below the figures; zero where there are none.
@group(0) @binding(3) var ground: texture_depth_2d;

@vertex
fn everywhere(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

// Along the light: whether a texel is covered, and the same times the height. From above: how much it darkens the floor.
@fragment
fn base(@builtin(position) place: vec4<f32>) -> @location(0) vec2<f32> {
    let depth = textureLoad(heights, vec2<i32>(place.xy), 0);
    let height = (depth - DEPTH_START) / DEPTH_SCALE * map.highest;
    if map.fall > 0.0 {
        let stored = textureLoad(ground, vec2<i32>(place.xy), 0);
        let ground_height = select(0.0, (stored - 0.5) * GROUND_RANGE * map.highest, stored > 0.0);
        return vec2<f32>(select(exp(-max(height - ground_height, 0.0) * map.fall), 0.0, depth >= 1.0), 0.0);
    }
    return select(vec2<f32>(1.0, max(height, 0.0)), vec2<f32>(0.0), depth <= EMPTY_DEPTH);
}

@fragment
fn halved(@builtin(position) place: vec4<f32>) -> @location(0) vec2<f32> {
    let kernel = vec4<f32>(0.125, 0.375, 0.375, 0.125);
    let size = vec2<i32>(textureDimensions(sharper));
    let start = vec2<i32>(place.xy) * 2 - 1;
    var sum = vec2<f32>(0.0);
    for (var row = 0; row < 4; row++) {
        for (var column = 0; column < 4; column++) {
            let at = start + vec2<i32>(column, row);
            if all(at >= vec2<i32>(0)) && all(at < size) {
                sum += textureLoad(sharper, at, 0).xy * (kernel[row] * kernel[column]);
            }
        }
    }
    return sum;
}
