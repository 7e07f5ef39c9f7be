//! Input events, independent of the windowing system.

use std::path::PathBuf;

use glam::Vec2;

/// Something that a person did.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Dragged the picture with the first button, by parts of its height.
    Orbit(Vec2),
    /// Dragged it with another button.
    Pan(Vec2),
    /// Turned the wheel, in steps; positive goes nearer.
    Zoom(f32),
    /// Pressed a key.
    Key(Key),
    /// Dropped a file on the window.
    Drop(PathBuf),
    /// Clicked on the picture with the first button: from (0, 0) in its upper left corner to (1, 1).
    Click(Vec2),
    /// Moved the mouse over the picture: from (0, 0) in its upper left corner to (1, 1); none if it left.
    Point(Option<Vec2>),
}

/// Keys that mean something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// Play or pause.
    Space,
    /// A frame back.
    Left,
    /// A frame on.
    Right,
    /// The clip before.
    Up,
    /// The next clip.
    Down,
    /// To the start.
    Home,
    /// To the end.
    End,
    /// Show the model whole.
    Frame,
    /// Light or dark.
    Theme,
    /// Joints or none.
    Skeleton,
    /// Edges or none.
    Wireframe,
}

/// What egui saw in the last frame, as events. The picture answers with `picture`; keys count unless a panel wants them.
pub fn events(ui: &egui::Ui, picture: &egui::Response) -> Vec<Event> {
    let mut events = Vec::new();
    let height = picture.rect.height().max(1.0);
    let way = picture.drag_delta();
    let way = Vec2::new(way.x, way.y) / height;
    if picture.dragged_by(egui::PointerButton::Primary) && way != Vec2::ZERO {
        events.push(Event::Orbit(way));
    } else if picture.dragged() && way != Vec2::ZERO {
        events.push(Event::Pan(way));
    }
    let pointer = picture.hover_pos().map(|at| {
        let at = (at - picture.rect.min) / picture.rect.size().max(egui::Vec2::splat(1.0));
        Vec2::new(at.x, at.y)
    });
    events.push(Event::Point(pointer));
    if picture.clicked() {
        events.extend(pointer.map(Event::Click));
    }
    ui.input(|input| {
        if picture.hovered() {
            let steps = input.smooth_scroll_delta.y / 50.0 + input.zoom_delta().ln() * 4.0;
            if steps != 0.0 {
                events.push(Event::Zoom(steps));
            }
        }
        events.extend(input.raw.dropped_files.iter().filter_map(|file| file.path.clone()).map(Event::Drop));
    });
    if !ui.ctx().egui_wants_keyboard_input() {
        let keys = [
            (egui::Key::Space, Key::Space),
            (egui::Key::ArrowLeft, Key::Left),
            (egui::Key::ArrowRight, Key::Right),
            (egui::Key::ArrowUp, Key::Up),
            (egui::Key::ArrowDown, Key::Down),
            (egui::Key::Home, Key::Home),
            (egui::Key::End, Key::End),
            (egui::Key::F, Key::Frame),
            (egui::Key::L, Key::Theme),
            (egui::Key::J, Key::Skeleton),
            (egui::Key::W, Key::Wireframe),
        ];
        let is_pressed = |key| ui.input(|input| input.key_pressed(key));
        events.extend(keys.into_iter().filter(|(key, _)| is_pressed(*key)).map(|(_, key)| Event::Key(key)));
    }
    events
}
