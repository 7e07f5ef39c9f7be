//! The windows, on a display that nobody sees: Xvfb, with xdotool at the mouse and the keys.

mod why;

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take; the machines of tests are slow and busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A display of its own. None where the tools are missing, which is said on the terminal; with `NEBULA_REQUIRE_DISPLAY=1` it is
/// a failure.
struct Display {
    server: Child,
    name: String,
}

impl Display {
    fn open(test: &str) -> Option<Self> {
        match Self::try_open() {
            Ok(display) => Some(display),
            Err(problem) => {
                let is_required = std::env::var_os("NEBULA_REQUIRE_DISPLAY").is_some_and(|value| value == "1");
                assert!(!is_required, "{test}: {problem}, and NEBULA_REQUIRE_DISPLAY=1");
                // Straight to the terminal: what `eprintln!` writes in a passing test is never seen.
                let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {problem}");
                None
            }
        }
    }

    fn try_open() -> Result<Self, String> {
        for tool in ["xdotool", "import"] {
            let found = Command::new(tool).arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            found.map_err(|error| format!("no {tool}: {error}"))?;
        }
        // The server picks a free number and writes it to the pipe.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("no Xvfb: {error}"))?;
        let mut number = String::new();
        let read = server.stdout.take().map(|pipe| BufReader::new(pipe).read_line(&mut number));
        match (read, number.trim().parse::<u32>()) {
            (Some(Ok(_)), Ok(number)) => Ok(Self { server, name: format!(":{number}") }),
            _ => {
                let _ = server.kill();
                let _ = server.wait();
                Err("Xvfb does not start".into())
            }
        }
    }

    /// Moves the mouse or presses keys.
    fn act(&self, arguments: &[&str]) {
        let status =
            Command::new("xdotool").args(arguments).env("DISPLAY", &self.name).status().expect("xdotool starts");
        assert!(status.success(), "xdotool {arguments:?}");
    }

    /// Leaves a picture of the screen where `NEBULA_KEEP_PICTURES` says, and says how many colours it has.
    fn picture(&self, name: &str, folder: &Path) -> usize {
        let folder = std::env::var_os("NEBULA_KEEP_PICTURES").map_or_else(|| folder.to_owned(), PathBuf::from);
        let path = folder.join(name);
        let shot = Command::new("import").args(["-window", "root"]).arg(&path).env("DISPLAY", &self.name).status();
        assert!(shot.expect("import starts").success());
        let decoder = png::Decoder::new(BufReader::new(File::open(&path).expect("the picture is there")));
        let mut reader = decoder.read_info().expect("a PNG");
        let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut bytes).expect("pixels");
        let pixels = bytes[..info.buffer_size()].chunks_exact(info.color_type.samples());
        pixels.map(<[u8]>::to_vec).collect::<std::collections::HashSet<_>>().len()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The program with a window.
struct Program<'a> {
    child: Child,
    display: &'a Display,
    trace: PathBuf,
}

impl<'a> Program<'a> {
    fn start(display: &'a Display, folder: &Path, arguments: &[&str]) -> Self {
        let trace = folder.join("trace");
        let _ = std::fs::remove_file(&trace);
        let child = Command::new(env!("CARGO_BIN_EXE_nebula-demo"))
            .args(arguments)
            .current_dir(folder)
            .env("DISPLAY", &display.name)
            .env_remove("WAYLAND_DISPLAY")
            .env("NEBULA_TRACE_UI", &trace)
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let program = Self { child, display, trace };
        program.wait("has_drawn", |value| value == "true");
        // Where there is no window manager, nobody gives a window the keys.
        program.display.act(&["search", "--sync", "--onlyvisible", "--name", "Nebula", "windowfocus"]);
        program
    }

    /// The newest value of a name.
    fn value(&self, name: &str) -> Option<String> {
        let text = std::fs::read_to_string(&self.trace).ok()?;
        let start = format!("{name} ");
        text.lines().rev().find_map(|line| line.strip_prefix(&start).map(str::to_owned))
    }

    fn wait(&self, name: &str, is_right: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        loop {
            let value = self.value(name);
            if let Some(value) = value.as_ref().filter(|value| is_right(value)) {
                return value.clone();
            }
            let trace = std::fs::read_to_string(&self.trace).unwrap_or_default();
            assert!(start.elapsed() < PATIENCE, "{name} stays {value:?}; all of it:\n{trace}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// A part of the panels: left, top, width, height.
    fn place(&self, name: &str) -> [i32; 4] {
        let place = self.wait(&format!("place {name}"), |_| true);
        let numbers: Vec<i32> = place.split(' ').map(|number| number.parse().expect("a number")).collect();
        numbers.try_into().expect("four numbers")
    }

    fn middle(&self, name: &str) -> [i32; 2] {
        let [x, y, width, height] = self.place(name);
        [x + width / 2, y + height / 2]
    }

    fn click(&self, name: &str) {
        self.click_at(self.middle(name));
    }

    fn click_at(&self, place: [i32; 2]) {
        self.go(place);
        // Down and up at once: a button that is held for long does not click.
        self.act(&["click", "1"]);
    }

    /// Drags with the first button. Frames may take long: each step waits until it has been seen.
    fn drag(&self, from: [i32; 2], to: [i32; 2]) {
        self.go(from);
        self.act(&["mousedown", "1"]);
        self.go(to);
        self.act(&["mouseup", "1"]);
    }

    fn go(&self, [x, y]: [i32; 2]) {
        self.act(&["mousemove", &x.to_string(), &y.to_string()]);
    }

    /// Does something, and waits until the window has been drawn twice since.
    fn act(&self, arguments: &[&str]) {
        self.display.act(arguments);
        let frame = || self.value("frame").and_then(|frame| frame.parse::<u64>().ok()).unwrap_or(0);
        let (before, start) = (frame(), Instant::now());
        while frame() < before + 2 {
            assert!(start.elapsed() < PATIENCE, "no frame after {arguments:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn resize(&self, width: &str, height: &str) {
        self.display.act(&["search", "--onlyvisible", "--name", "Nebula", "windowsize", width, height]);
        self.wait("size", |size| size == format!("{width} {height}"));
    }

    /// Waits for the end, which must be a good one.
    fn end(mut self) {
        let start = Instant::now();
        let status = loop {
            match self.child.try_wait().expect("the program is known") {
                Some(status) => break status,
                None if start.elapsed() > PATIENCE => panic!("the window stays open"),
                None => std::thread::sleep(Duration::from_millis(50)),
            }
        };
        let mut said = String::new();
        if let Some(mut pipe) = self.child.stderr.take() {
            let _ = std::io::Read::read_to_string(&mut pipe, &mut said);
        }
        assert!(status.success() && !said.contains("panicked"), "{status}: {said}");
        assert_eq!(self.value("has_closed").as_deref(), Some("true"));
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn asset(name: &str) -> String {
    format!("{}/../nebula-animation/test_assets/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_viewer_answers_to_clicks_keys_and_drags() {
    let Some(display) = Display::open("the_viewer_answers_to_clicks_keys_and_drags") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("hero.glb");
    std::fs::copy(asset("simple_humanoid.glb"), &file).expect("a copy");
    let program = Program::start(&display, folder.path(), &["view", "hero.glb"]);
    assert_eq!(program.wait("clip", |_| true), "stroll");

    program.click("clip/2");
    program.wait("clip", |clip| clip == "run");
    program.wait("is_fading", |fading| fading == "false");
    assert!(display.picture("viewer-run.png", folder.path()) > 1000, "a picture of the scene");

    program.act(&["key", "space"]);
    program.wait("is_playing", |playing| playing == "false");
    let [x, y, width, height] = program.place("timeline");
    program.drag([x + 12, y + height / 2], [x + width / 2, y + height / 2]);
    let time: f32 =
        program.wait("time", |time| time.parse::<f32>().is_ok_and(|time| time > 0.1)).parse().expect("a time");
    assert!((0.2..0.6).contains(&time), "half of the clip: {time}");
    program.act(&["key", "Home"]);
    program.wait("time", |time| time == "0.000");
    program.act(&["key", "Right"]);
    program.wait("time", |time| time == "0.033");

    for (name, shown) in [
        ("skeleton", "true false false false false false false"),
        ("names", "true true false false false false false"),
        ("bounds", "true true true false false false false"),
        ("dark", "true true true false true false false"),
    ] {
        program.click(&format!("show/{name}"));
        program.wait("show", |value| value == shown);
    }
    display.picture("viewer-dark.png", folder.path());
    program.click("show/wireframe");
    program.wait("show", |value| value == "true true true true true false false");
    program.click("show/dark");
    program.wait("show", |value| value == "true true true true false false false");
    display.picture("viewer-wireframe.png", folder.path());
    program.click("show/feet");
    program.wait("show", |value| value == "true true true true false false true");
    program.click("show/aim");
    program.wait("show", |value| value == "true true true true false true true");
    display.picture("viewer-feet.png", folder.path());

    let before = program.wait("camera", |_| true);
    let [x, y] = program.middle("picture");
    program.drag([x, y], [x + 120, y + 20]);
    let turned = program.wait("camera", |camera| camera != before);
    program.act(&["click", "4"]);
    program.wait("camera", |camera| camera != turned);

    std::fs::write(&file, b"glTF, but broken").expect("a broken file");
    program.wait("error", |error| error.contains("hero.glb"));
    program.place("error");
    program.go([700, 300]);
    display.picture("viewer-error.png", folder.path());
    std::fs::copy(asset("robot.glb"), &file).expect("a copy");
    program.wait("error", |error| error == "none");

    program.resize("1", "1");
    program.resize("300", "200");
    display.picture("viewer-small.png", folder.path());
    program.resize("900", "600");
    let before = program.wait("is_playing", |_| true);
    program.click("play");
    program.wait("is_playing", |playing| playing != before);
    display.act(&["key", "Escape"]);
    program.end();
}

#[test]
fn the_demo_is_steered_by_keys() {
    let Some(display) = Display::open("the_demo_is_steered_by_keys") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = Program::start(&display, folder.path(), &[]);
    program.wait("playing", |playing| playing.contains("idle"));
    display.act(&["keydown", "w"]);
    program.wait("is_moving", |moving| moving == "true");
    program.wait("playing", |playing| playing.contains("stroll_root_motion"));
    display.act(&["keydown", "Shift_L"]);
    program.wait("is_running", |running| running == "true");
    assert!(display.picture("demo-run.png", folder.path()) > 1000, "a picture of the scene");
    display.act(&["keyup", "Shift_L", "keyup", "w"]);
    program.wait("is_moving", |moving| moving == "false");

    program.click("show/skeleton");
    program.wait("show", |show| show.starts_with("true"));
    program.click("show/names");
    program.wait("show", |show| show.starts_with("true true"));
    program.click("show/contacts");
    program.wait("show", |show| show.starts_with("true true true"));
    program.click("fade/inertialised");
    program.wait("fade", |fade| fade == "Inertialised");
    display.picture("demo-overlay.png", folder.path());
    let [x, y, ..] = program.place("time_scale");
    program.drag([x + 45, y + 9], [x + 6, y + 9]);
    program.wait("time_scale", |scale| scale.parse::<f32>().is_ok_and(|scale| scale < 0.5));

    let before = program.wait("camera", |_| true);
    let [x, y] = program.middle("picture");
    program.drag([x + 200, y], [x + 290, y]);
    program.wait("camera", |camera| camera != before);
    program.resize("1", "1");
    program.resize("640", "400");
    display.picture("demo-small.png", folder.path());
    // As a window manager closes a window.
    display.act(&["search", "--onlyvisible", "--name", "Nebula", "windowclose"]);
    let start = Instant::now();
    let mut program = program;
    while program.child.try_wait().expect("the program is known").is_none() {
        assert!(start.elapsed() < PATIENCE, "the window stays open");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn scenes_are_watched_from_all_sides() {
    let Some(display) = Display::open("scenes_are_watched_from_all_sides") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let program = Program::start(&display, folder.path(), &["--scene", "tpose"]);
    assert_eq!(program.wait("scene", |_| true), "tpose");
    let first = program.wait("shown", |_| true);
    program.wait("shown", |shown| shown != first);
    program.click("scene/slope");
    program.wait("scene", |scene| scene == "slope");
    program.click("pause");
    program.wait("is_paused", |paused| paused == "true");
    program.act(&["key", "Home"]);
    program.wait("shown", |shown| shown == "0");
    let before = program.wait("camera", |_| true);
    let [x, y] = program.middle("picture");
    program.drag([x + 200, y], [x + 290, y + 30]);
    program.wait("camera", |camera| camera != before);
    assert!(display.picture("watched-slope.png", folder.path()) > 1000, "a picture of the scene");
    program.resize("1", "1");
    program.resize("640", "400");
    display.act(&["key", "Escape"]);
    program.end();
    assert!(!folder.path().join("nebula-demo.gif").exists(), "a window instead of files");
}

#[test]
fn without_an_adapter_the_viewer_says_how_to_get_one() {
    let Some(display) = Display::open("without_an_adapter_the_viewer_says_how_to_get_one") else { return };
    let mut command = Command::new(env!("CARGO_BIN_EXE_nebula-demo"));
    command.args(["view", &asset("simple_humanoid.glb")]).env("DISPLAY", &display.name).env_remove("WAYLAND_DISPLAY");
    for name in ["VK_ICD_FILENAMES", "VK_DRIVER_FILES", "__EGL_VENDOR_LIBRARY_FILENAMES"] {
        command.env(name, "/nonexistent.json");
    }
    let output = command.output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let last = said.lines().last().unwrap_or_default();
    assert!(last.starts_with("error: ") && last.contains("mesa-vulkan-drivers"), "{said}");
}

#[test]
fn without_a_display_the_viewer_says_so_in_one_line() {
    let output = Command::new(env!("CARGO_BIN_EXE_nebula-demo"))
        .args(["view", &asset("simple_humanoid.glb")])
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.starts_with("error: view needs a display") && said.contains("render"), "{said}");

    let output = Command::new(env!("CARGO_BIN_EXE_nebula-demo"))
        .args(["view", &asset("simple_humanoid.glb")])
        .env("DISPLAY", ":987")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), said.lines().count()), (Some(1), 1), "{said}");
}
