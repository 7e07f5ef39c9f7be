// The scene's picture and egui's triangles, onto the window.

struct Screen {
    // Size in points; 1 where the target wants linear colours, 1 where the source has them.
    size: vec4<f32>,
}

@group(0) @binding(0) var<uniform> screen: Screen;
@group(1) @binding(0) var image: texture_2d<f32>;
@group(1) @binding(1) var image_sampler: sampler;

struct Fragment {
    @builtin(position) place: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) color: vec4<f32>,
}

@vertex
fn vertex(@location(0) place: vec2<f32>, @location(1) uv: vec2<f32>, @location(2) color: vec4<f32>) -> Fragment {
    let at = place / screen.size.xy * 2.0 - 1.0;
    return Fragment(vec4<f32>(at.x, -at.y, 0.0, 1.0), uv, color);
}

fn srgb_from_linear(linear: vec3<f32>) -> vec3<f32> {
    let low = linear * 12.92;
    let high = 1.055 * pow(max(linear, vec3<f32>(0.0)), vec3<f32>(1.0 / 2.4)) - 0.055;
    return select(high, low, linear <= vec3<f32>(0.0031308));
}

fn linear_from_srgb(srgb: vec3<f32>) -> vec3<f32> {
    let high = pow((max(srgb, vec3<f32>(0.0)) + 0.055) / 1.055, vec3<f32>(2.4));
    return select(high, srgb / 12.92, srgb <= vec3<f32>(0.04045));
}

// egui mixes colours as they are stored, with alpha multiplied in.
@fragment
fn panel(fragment: Fragment) -> @location(0) vec4<f32> {
    let color = textureSample(image, image_sampler, fragment.uv) * fragment.color;
    return vec4<f32>(select(color.xyz, linear_from_srgb(color.xyz), screen.size.z > 0.0), color.w);
}

// The picture is read as linear colours.
@fragment
fn picture(fragment: Fragment) -> @location(0) vec4<f32> {
    let color = textureSample(image, image_sampler, fragment.uv).xyz;
    return vec4<f32>(select(srgb_from_linear(color), color, screen.size.z > 0.0), 1.0);
}
