//! Numbers of the software renderer that the shaders share.

use crate::picture::environment::{BACK, CONTRAST, FRONT, Glow, SHARPEST};
use crate::picture::{ground, shade, shadow};

/// The numbers as text, and whether to read textures as seldom as possible.
pub(super) fn constants(is_software: bool) -> String {
    let glow = |name: &str, glow: Glow| {
        let [constant, linear, square] = glow.matt();
        format!(
            "const {name}: vec2<f32> = vec2<f32>({:?}, {:?});\n\
             const {name}_MATT: vec3<f32> = vec3<f32>({constant:?}, {linear:?}, {square:?});\n",
            glow.strength, glow.sharpness
        )
    };
    let number = |name: &str, value: f32| format!("const {name}: f32 = {value:?};\n");
    [
        number("SHOULDER", shade::SHOULDER),
        number("FILL", shade::FILL),
        number("PLAIN_MIRROR", shade::PLAIN_MIRROR),
        number("SMOOTHEST", shade::SMOOTHEST),
        number("SOFTNESS", shadow::SOFTNESS),
        number("LINE", ground::LINE),
        number("LEAST_PRESENCE", ground::LEAST_PRESENCE),
        number("CONTRAST", CONTRAST),
        number("LEAST_SPREAD", 1.0 / SHARPEST),
        glow("FRONT", FRONT),
        glow("BACK", BACK),
        format!("const FEW_READS: bool = {is_software};\n"),
    ]
    .concat()
}
