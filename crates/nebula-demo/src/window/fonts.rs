//! The fonts of the panels.

use std::sync::Arc;

use egui::{FontData, FontDefinitions, FontFamily, FontTweak};
use epaint_default_fonts::{EMOJI_ICON, HACK_REGULAR, UBUNTU_LIGHT};

/// A context for panels, with egui's own fonts except Noto Emoji. The signs on our buttons come from the other fonts, and
/// without it the page is a tenth smaller.
pub fn context() -> egui::Context {
    let context = egui::Context::default();
    context.set_fonts(definitions());
    context.all_styles_mut(|style| style.interaction.selectable_labels = false);
    context
}

fn definitions() -> FontDefinitions {
    let (text, code, icons) = ("Ubuntu-Light", "Hack", "emoji-icon-font");
    let mut fonts = FontDefinitions::empty();
    // Icons are drawn larger than letters of the same size.
    let smaller = FontTweak { scale: 0.9, ..FontTweak::default() };
    for (name, data) in [
        (text, FontData::from_static(UBUNTU_LIGHT)),
        (code, FontData::from_static(HACK_REGULAR)),
        (icons, FontData::from_static(EMOJI_ICON).tweak(smaller)),
    ] {
        fonts.font_data.insert(name.into(), Arc::new(data));
    }
    // The first font that has a character is taken.
    for (family, names) in
        [(FontFamily::Proportional, [text, icons, code]), (FontFamily::Monospace, [code, text, icons])]
    {
        fonts.families.insert(family, names.map(str::to_owned).to_vec());
    }
    fonts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every character that panels show. A font that is missing shows as a box, which no other test sees.
    #[test]
    fn there_is_a_glyph_for_every_sign_of_the_panels() {
        let context = context();
        let _ = context.run_ui(egui::RawInput::default(), |_| {});
        for id in [egui::FontId::proportional(12.0), egui::FontId::monospace(12.0)] {
            for sign in "°·×→↺⏮⏸▶◀…⏵⏷⏴".chars() {
                assert!(context.fonts_mut(|fonts| fonts.has_glyph(&id, sign)), "{sign:?} in {id:?}");
            }
        }
    }
}
