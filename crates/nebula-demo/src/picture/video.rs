use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use super::Canvas;

/// Writes a film that other programs play well, by `ffmpeg`, which is given the frames through a pipe.
pub struct VideoWriter {
    child: Child,
    frames: Option<ChildStdin>,
}

/// The program.
const FFMPEG: &str = "ffmpeg";

impl VideoWriter {
    /// Begins a file; its name's ending tells `ffmpeg` the kind.
    ///
    /// # Errors
    /// There is no `ffmpeg`, or it does not start.
    pub fn create(path: &Path, [width, height]: [u32; 2], frames_per_second: f32) -> io::Result<Self> {
        let mut command = Command::new(FFMPEG);
        command.args(["-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo", "-pix_fmt", "rgba"]);
        command.args(["-s", &format!("{width}x{height}"), "-r", &frames_per_second.to_string(), "-i", "-"]);
        // Colours are stored for four pixels together: a column or row that is missing to an even number is added.
        command.args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18"]);
        // The same input gives the same bytes: one thread, and nothing about the program in the file.
        command.args(["-threads", "1", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact"]);
        command.args(["-movflags", "+faststart"]).arg("--").arg(path);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(not_started)?;
        let frames = child.stdin.take();
        Ok(Self { child, frames })
    }

    /// Whether there is an `ffmpeg` that starts.
    ///
    /// # Errors
    /// One line: there is none.
    pub fn check() -> io::Result<()> {
        let mut command = Command::new(FFMPEG);
        command.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().map(drop).map_err(not_started)
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// What `ffmpeg` says, where it has given up.
    pub fn push(&mut self, canvas: &Canvas) -> io::Result<()> {
        let Some(frames) = &mut self.frames else { return Err(io::Error::other("the film is finished")) };
        match frames.write_all(canvas.as_bytes()) {
            // The reason is in what it says, not in the broken pipe.
            Err(_) => self.end(),
            done => done,
        }
    }

    /// Waits until the file is written.
    ///
    /// # Errors
    /// What `ffmpeg` says.
    pub fn finish(mut self) -> io::Result<()> {
        self.end()
    }

    fn end(&mut self) -> io::Result<()> {
        drop(self.frames.take());
        let mut said = String::new();
        if let Some(stderr) = &mut self.child.stderr {
            stderr.read_to_string(&mut said)?;
        }
        let status = self.child.wait()?;
        if status.success() {
            return Ok(());
        }
        let line = said.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("it gave up");
        Err(io::Error::other(format!("ffmpeg: {line}")))
    }
}

fn not_started(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::NotFound => {
            let said = "it takes the program ffmpeg, which is not installed; .gif and .apng need nothing";
            io::Error::new(io::ErrorKind::NotFound, said)
        }
        kind => io::Error::new(kind, format!("ffmpeg does not start: {error}")),
    }
}

impl Drop for VideoWriter {
    /// A film that was given up leaves no process behind.
    fn drop(&mut self) {
        drop(self.frames.take());
        let _ = self.child.wait();
    }
}
