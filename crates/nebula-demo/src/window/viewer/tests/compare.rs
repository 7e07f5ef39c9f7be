//! The compressed clip beside the original.

use egui::PointerButton;

use super::{Desk, asset};

/// Bodies and lines that are to be seen.
fn seen(desk: &mut Desk) -> (usize, usize) {
    let mut seen = (0, 0);
    desk.viewer.draw(600, &mut |shot, _| seen = (shot.bodies.len(), shot.lines.len()));
    seen
}

#[test]
fn a_switch_shows_the_compressed_clip_beside_the_original() {
    let mut desk = Desk::new(&asset("simple_humanoid.glb"));
    assert_eq!(seen(&mut desk), (1, 0));
    assert!(desk.viewer.compare.told().is_none());
    desk.click_on("compare/on");
    desk.frame(Vec::new());
    let (bodies, lines) = seen(&mut desk);
    assert_eq!(bodies, 2);
    assert!(lines >= desk.viewer.puppet.joints.len(), "{lines} lines");
    let told = desk.viewer.compare.told().expect("a clip");
    assert!(told.contains("KB") && told.contains(" mm"), "{told}");
    let worst = desk.viewer.compare.errors.iter().copied().fold(0.0, f32::max);
    assert!(worst > 0.0 && worst < 2e-4, "{worst}");
    // It stands beside the original, not in it.
    assert!(desk.viewer.compare.aside.length() > 0.3);
    desk.click_on("compare/on");
    assert_eq!(seen(&mut desk), (1, 0));
}

#[test]
fn the_slider_sets_the_bound_and_the_clip_follows() {
    let mut desk = Desk::new(&asset("simple_humanoid.glb"));
    // So high that the panel need not be scrolled.
    desk.size.y = 1200.0;
    desk.frame(Vec::new());
    desk.click_on("compare/on");
    desk.frame(Vec::new());
    let fine = desk.viewer.compare.told().expect("a clip");
    let slider = desk.viewer.places().get("compare/bound");
    let y = slider.center().y;
    desk.drag(egui::pos2(slider.left() + 30.0, y), egui::pos2(slider.left() + 80.0, y), PointerButton::Primary);
    assert!(desk.viewer.compare.bound > 0.5, "{} mm", desk.viewer.compare.bound);
    // Compressed once the slider is let go.
    desk.frame(Vec::new());
    let coarse = desk.viewer.compare.told().expect("a clip");
    assert_ne!(fine, coarse);
    let worst = 1e3 * desk.viewer.compare.errors.iter().copied().fold(0.0, f32::max);
    assert!(worst <= 1.5 * desk.viewer.compare.bound, "{worst} mm of {}", desk.viewer.compare.bound);
    // Another clip is compressed too.
    desk.click_on("clip/1");
    (0..60).for_each(|_| desk.frame(Vec::new()));
    assert_ne!(desk.viewer.compare.told().expect("a clip"), coarse);
}
