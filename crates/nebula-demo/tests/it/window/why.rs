//! Why a character moves as it does, by the mouse.

use super::{Display, Program, asset};

/// Explained, gone back, given a machine that is edited and saved: by the mouse.
#[test]
fn the_viewer_tells_why_and_goes_back() {
    let Some(display) = Display::open("the_viewer_tells_why_and_goes_back") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(asset("simple_humanoid.glb"), folder.path().join("hero.glb")).expect("a copy");
    let program = Program::start(&display, folder.path(), &["view", "hero.glb"]);
    program.click("show/why");
    program.wait("inspector", |is_open| is_open == "true");
    program.click("clip/2");
    program.wait("is_fading", |fading| fading == "false");
    // The middle of the picture is the middle of the character; it runs, so its hips may be a little above or below just then.
    let [x, y, width, height] = program.place("picture");
    let is_hit = [0, -20, 20, -40, 40].into_iter().cycle().take(20).any(|above| {
        program.click_at([x + width / 2, y + height / 2 - above]);
        program.value("joint").is_some_and(|joint| joint != "none")
    });
    assert!(is_hit, "no joint is clicked");
    program.click("ghosts");
    assert!(display.picture("why-joint.png", folder.path()) > 1000);
    let [x, y, width, height] = program.place("tracks");
    program.drag([x + width - 6, y + height / 2], [x + width / 2, y + height / 2]);
    let shown = program.wait("shown_frame", |frame| frame != "now");
    assert!(display.picture("why-past.png", folder.path()) > 1000);
    program.click("past/back");
    program.wait("shown_frame", |frame| frame != shown);
    program.click("past/live");
    program.wait("shown_frame", |frame| frame == "now");
    program.click("tab/curves");
    program.wait("tab", |tab| tab == "Curves");
    assert!(display.picture("why-curves.png", folder.path()) > 1000);
    program.click("tab/machine");
    program.click("machine/make");
    program.wait("has_machine", |is_there| is_there == "true");
    let [x, y, width, height] = program.place("parameter/speed");
    program.click_at([x + width / 6, y + height / 2]);
    assert!(display.picture("why-machine.png", folder.path()) > 1000);
    program.click("tab/layers");
    program.wait("tab", |tab| tab == "Layers");
    assert!(display.picture("why-layers.png", folder.path()) > 1000);
    // Saved, and opened again: it stands at the last frame, with the machine that came along.
    program.click("past/save");
    program.wait("message", |message| message.starts_with("saved "));
    program.click("past/open");
    program.wait("shown_frame", |frame| frame != "now");
    program.click("tab/machine");
    program.wait("tab", |tab| tab == "Machine");
    assert!(display.picture("why-opened.png", folder.path()) > 1000);
    display.act(&["key", "Escape"]);
    program.end();
}

/// The demo's hero is explained while it walks, and gone back with.
#[test]
fn the_demo_tells_why() {
    let Some(display) = Display::open("the_demo_tells_why") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = Program::start(&display, folder.path(), &[]);
    program.click("show/why");
    program.wait("inspector", |is_open| is_open == "true");
    program.act(&["keydown", "w"]);
    program.wait("is_moving", |is_moving| is_moving == "true");
    program.act(&["keyup", "w"]);
    let [x, y, width, height] = program.place("tracks");
    program.drag([x + width - 6, y + height / 2], [x + width / 2, y + height / 2]);
    program.wait("shown_frame", |frame| frame != "now");
    assert!(display.picture("why-demo.png", folder.path()) > 1000);
    program.click("past/live");
    program.wait("shown_frame", |frame| frame == "now");
    program.click("tab/machine");
    program.wait("tab", |tab| tab == "Machine");
    program.wait("marked", |marked| marked.ends_with("-> idle"));
    program.click("parameter/jump");
    program.wait("marked", |marked| marked.ends_with("-> jump"));
    assert!(display.picture("why-demo-machine.png", folder.path()) > 1000);
    display.act(&["key", "Escape"]);
    program.end();
}
