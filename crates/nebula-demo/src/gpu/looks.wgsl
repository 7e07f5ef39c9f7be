// How surfaces answer to light. It follows frame.wgsl and light.wgsl; the software renderer's `shade` and `environment` say why.

// Given for each pipeline: software drivers work out both sides of other conditions.
override HAS_BASE: bool = false;
override HAS_SECOND: bool = false;
override HAS_NORMALS: bool = false;
override HAS_FOURTH: bool = false;
override HAS_EMISSIVE: bool = false;
override HAS_TANGENTS: bool = false;
// 0: lit, 1: unlit, 2: a toon.
override ANSWER: u32 = 0u;

// A point of a surface.
struct Point {
    normal: vec3<f32>,
    to_eye: vec3<f32>,
    base: vec3<f32>,
    emissive: vec3<f32>,
    metallic: f32,
    roughness: f32,
    // Part of the light from all around that the surface itself lets through.
    occlusion: f32,
    // Part of the directional light that arrives.
    reach: f32,
}

// How much of the light around a rough mirror sends to the camera: a factor of what it mirrors straight on, and a constant.
fn split_sum(roughness: f32, towards_eye: f32) -> vec2<f32> {
    let r = vec4<f32>(-1.0, -0.0275, -0.572, 0.022) * roughness + vec4<f32>(1.0, 0.0425, 1.04, -0.04);
    let grazing = min(r.x * r.x, exp2(-9.28 * towards_eye)) * r.x + r.y;
    return vec2<f32>(-1.04, 1.04) * grazing + r.zw;
}

// What it sends by one reflection, and by more of them.
fn scattered(straight: vec3<f32>, split: vec2<f32>) -> array<vec3<f32>, 2> {
    let once = straight * split.x + split.y;
    let lost = 1.0 - split.x - split.y;
    let mean = straight + (1.0 - straight) / 21.0;
    return array<vec3<f32>, 2>(once, once * mean * lost / (1.0 - mean * lost));
}

fn glow_matt(numbers: vec3<f32>, cosine: f32) -> f32 {
    return numbers.x + cosine * (numbers.y + cosine * numbers.z);
}

// `lobe` is the sharpness of the mirror's.
fn glow_mirrored(glow: vec2<f32>, cosine: f32, lobe: f32) -> f32 {
    let k = glow.y;
    let both = sqrt(max(k * k + lobe * lobe + 2.0 * k * lobe * cosine, 1e-3));
    return glow.x * (lobe / both) * exp(both - k - lobe);
}

// What a matt surface gets from all around.
fn light_around(normal: vec3<f32>) -> vec3<f32> {
    let glows = glow_matt(FRONT_MATT, dot(normal, frame.light.xyz)) + glow_matt(BACK_MATT, dot(normal, frame.back.xyz));
    return ambient_light(normal) + frame.key.xyz * max(glows, 0.0);
}

// What a mirror shows of it.
fn light_mirrored(ray: vec3<f32>, roughness: f32) -> vec3<f32> {
    let r = roughness;
    let spread = max(r * r * (-0.0885 + r * (2.8585 + r * (-4.0836 + r * 1.6542))), LEAST_SPREAD);
    let middle = (frame.sky.xyz + frame.below.xyz) * 0.5;
    let gradient = (frame.sky.xyz - frame.below.xyz) * (0.5 * CONTRAST * (1.0 - spread) * ray.y);
    let lobe = 1.0 / spread;
    let glows = glow_mirrored(FRONT, dot(ray, frame.light.xyz), lobe) + glow_mirrored(BACK, dot(ray, frame.back.xyz), lobe);
    return max(middle + gradient, vec3<f32>(0.0)) + frame.key.xyz * glows;
}

// The light that a point sends to the camera: matt and mirrored, of the directional light and of what is all around.
fn shaded(point: Point) -> vec3<f32> {
    let roughness = clamp(point.roughness, SMOOTHEST, 1.0);
    let facing_eye = dot(point.normal, point.to_eye);
    let towards_eye = clamp(facing_eye, 0.0, 1.0);
    let towards_light = clamp(dot(point.normal, frame.light.xyz), 0.0, 1.0);
    let diffuse = point.base * (1.0 - point.metallic);
    let straight = mix(vec3<f32>(PLAIN_MIRROR), point.base, point.metallic);
    let split = split_sum(roughness, towards_eye);
    let again = 1.0 + straight * (1.0 / (split.x + split.y) - 1.0);

    let between = frame.light.xyz + point.to_eye;
    let halfway = between / max(length(between), 1e-6);
    let away = 1.0 - clamp(dot(point.to_eye, halfway), 0.0, 1.0);
    let fresnel = (away * away) * (away * away) * away;
    let mirror = straight + (1.0 - straight) * fresnel;
    let alpha = roughness * roughness;
    let square = alpha * alpha;
    let peak = clamp(dot(point.normal, halfway), 0.0, 1.0);
    let width = peak * peak * (square - 1.0) + 1.0;
    let seen = towards_light * sqrt(square + (1.0 - square) * towards_eye * towards_eye)
        + towards_eye * sqrt(square + (1.0 - square) * towards_light * towards_light);
    let gloss = square / (width * width) * 0.5 / max(seen, 1e-6);
    let matt = 1.0 - (PLAIN_MIRROR + (1.0 - PLAIN_MIRROR) * fresnel);
    let direct = frame.key.xyz * (towards_light * point.reach) * (diffuse * matt + mirror * again * gloss);

    let around = light_around(point.normal);
    let plain = scattered(vec3<f32>(PLAIN_MIRROR), split);
    let scatter = scattered(straight, split);
    let mirrored_ray = point.normal * (2.0 * facing_eye) - point.to_eye;
    let ray = nebula_unit_or(mix(mirrored_ray, point.normal, square), point.normal);
    let mirrored = light_mirrored(ray, roughness);
    var shown = 1.0;
    if HAS_FOURTH {
        shown = clamp(pow(towards_eye + point.occlusion, exp2(-16.0 * roughness - 1.0)) - 1.0 + point.occlusion, 0.0, 1.0);
    }
    let indirect = diffuse * (1.0 - plain[0] - plain[1]) * around * point.occlusion
        + (mirrored * scatter[0] + around * scatter[1]) * shown;
    return compressed(direct + indirect + point.emissive);
}

// The light that a point of a toon sends to the camera. Full light is white, so that the colours are those that were drawn.
fn drawn(base: vec3<f32>, shade: vec3<f32>, lit: f32, rim: vec3<f32>, rim_lighting: f32) -> vec3<f32> {
    let middle = (frame.sky.xyz + frame.below.xyz) * 0.5;
    let full = frame.key.xyz + middle;
    let white = max(max(max(full.x, full.y), full.z), 1e-6);
    let key = frame.key.xyz / white;
    let around = middle / white;
    let lighting = mix(vec3<f32>(1.0), key * lit + around, rim_lighting);
    return mix(shade, base, lit) * key + base * around + rim * lighting;
}
