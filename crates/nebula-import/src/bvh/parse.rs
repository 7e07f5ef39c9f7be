//! Parses the text into numbers.

use glam::DVec3;

use super::error::{BvhError, BvhFault};

/// More joints than any recording has.
const MOST_JOINTS: usize = 4096;
/// More levels than any skeleton has.
const DEEPEST: usize = 1024;

/// A file as it is written, in its own units and in degrees.
pub(super) struct File {
    pub joints: Vec<FileJoint>,
    /// Where each channel of a frame belongs.
    pub channels: Vec<(usize, FileChannel)>,
    /// Ends of chains: their parent and offset.
    pub ends: Vec<(usize, DVec3)>,
    pub seconds_per_frame: f64,
    /// Frame after frame.
    pub numbers: Vec<f64>,
    /// How many the file says that there are.
    pub frames_told: usize,
    /// Whether something that is no frame follows them.
    pub is_cut: bool,
    /// Where the frames begin.
    pub motion_line: usize,
}

pub(super) struct FileJoint {
    pub name: String,
    pub parent: Option<usize>,
    pub offset: DVec3,
}

/// An axis of a position or a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileChannel {
    Position(usize),
    Rotation(usize),
}

/// What a brace was opened by.
#[derive(Clone, Copy)]
enum Open {
    Joint(usize),
    End,
}

pub(super) fn parse(text: &str) -> Result<File, BvhError> {
    let mut words = Words::new(text);
    let mut file = File {
        joints: Vec::new(),
        channels: Vec::new(),
        ends: Vec::new(),
        seconds_per_frame: 0.0,
        numbers: Vec::new(),
        frames_told: 0,
        is_cut: false,
        motion_line: 0,
    };
    words.expect("HIERARCHY", &file)?;
    let mut open: Vec<Open> = Vec::new();
    loop {
        let word = words.next();
        let joint = open.iter().rev().find_map(|open| if let Open::Joint(joint) = open { Some(*joint) } else { None });
        words.joint = joint;
        match (word.to_ascii_uppercase().as_str(), joint, open.last()) {
            ("ROOT", _, None) | ("JOINT", Some(_), Some(Open::Joint(_))) => {
                if file.joints.len() >= MOST_JOINTS {
                    return Err(words.error(BvhFault::TooManyJoints(MOST_JOINTS), &file));
                }
                if open.len() >= DEEPEST {
                    return Err(words.error(BvhFault::TooDeep(DEEPEST), &file));
                }
                let name = words.until_brace();
                words.joint = Some(file.joints.len());
                file.joints.push(FileJoint { name, parent: joint, offset: DVec3::ZERO });
                words.expect("{", &file)?;
                open.push(Open::Joint(file.joints.len() - 1));
            }
            ("END", Some(_), Some(Open::Joint(_))) => {
                words.until_brace();
                words.expect("{", &file)?;
                open.push(Open::End);
            }
            ("OFFSET", Some(joint), Some(place)) => {
                let offset = DVec3::new(words.number(&file)?, words.number(&file)?, words.number(&file)?);
                match place {
                    Open::Joint(_) => file.joints[joint].offset = offset,
                    Open::End => file.ends.push((joint, offset)),
                }
            }
            ("CHANNELS", Some(joint), Some(Open::Joint(_))) => {
                let count = words.number(&file)?;
                if !(0.0..=64.0).contains(&count) {
                    return Err(words.expected("at most 64 channels", &count.to_string(), &file));
                }
                for _ in 0..count as usize {
                    let name = words.next();
                    let channel = channel(name).ok_or_else(|| words.error(BvhFault::Channel(short(name)), &file))?;
                    file.channels.push((joint, channel));
                }
            }
            ("}", _, Some(_)) => {
                open.pop();
            }
            ("MOTION", _, None) => break,
            (_, _, None) => return Err(words.expected("ROOT or MOTION", word, &file)),
            _ => return Err(words.expected("OFFSET, CHANNELS, JOINT, End Site or }", word, &file)),
        }
    }
    words.joint = None;
    if file.joints.is_empty() {
        return Err(words.error(BvhFault::NoJoints, &file));
    }
    words.label(&["Frames"], "Frames:", &file)?;
    let frames = words.number(&file)?;
    words.label(&["Frame", "Time"], "Frame Time:", &file)?;
    file.seconds_per_frame = words.number(&file)?;
    if !(file.seconds_per_frame > 1e-6 && file.seconds_per_frame < 1e6) {
        return Err(words.expected("the seconds of a frame", &file.seconds_per_frame.to_string(), &file));
    }
    file.motion_line = words.line;
    if !(frames >= 1.0) || file.channels.is_empty() {
        return Err(words.error(BvhFault::NoFrames, &file));
    }
    // As many as there are: memory is not taken for what a file only says.
    let mut frame = 0.0;
    while frame < frames {
        for index in 0..file.channels.len() {
            words.joint = Some(file.channels[index].0);
            let number = words.number(&file)?;
            file.numbers.push(number);
        }
        frame += 1.0;
    }
    words.joint = None;
    file.frames_told = frame as usize;
    more(&mut words, &mut file);
    Ok(file)
}

/// Frames behind those that the file says it has: whole ones are some all the same.
fn more(words: &mut Words, file: &mut File) {
    let mut row: Vec<f64> = Vec::with_capacity(file.channels.len());
    loop {
        match words.next() {
            "" => break,
            word => match word.parse::<f64>().ok().filter(|number| number.abs() < 1e9) {
                Some(number) => row.push(number),
                None => {
                    file.is_cut = true;
                    return;
                }
            },
        }
        if row.len() == file.channels.len() {
            file.numbers.append(&mut row);
        }
    }
    file.is_cut = !row.is_empty();
}

fn channel(name: &str) -> Option<FileChannel> {
    let name = name.to_ascii_lowercase();
    let axis = match name.as_bytes().first()? {
        b'x' => 0,
        b'y' => 1,
        b'z' => 2,
        _ => return None,
    };
    match &name[1..] {
        "position" | "translation" => Some(FileChannel::Position(axis)),
        "rotation" => Some(FileChannel::Rotation(axis)),
        _ => None,
    }
}

/// At most 40 letters.
fn short(word: &str) -> String {
    word.chars().take(40).collect()
}

/// The words of a text, and in which line they are.
struct Words<'a> {
    rest: &'a str,
    line: usize,
    /// Which of the file's joints they are about.
    joint: Option<usize>,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.trim_start_matches('\u{feff}'), line: 1, joint: None }
    }

    fn skip_space(&mut self) {
        let start = self.rest.find(|letter: char| !letter.is_whitespace()).unwrap_or(self.rest.len());
        self.line += self.rest[..start].bytes().filter(|byte| *byte == b'\n').count();
        self.rest = &self.rest[start..];
    }

    /// The next word; empty at the end. Braces are words of their own.
    fn next(&mut self) -> &'a str {
        self.skip_space();
        let rest = self.rest;
        let is_end = |letter: char| letter.is_whitespace() || letter == '{' || letter == '}';
        let end = match rest.chars().next() {
            Some('{' | '}') => 1,
            _ => rest.find(is_end).unwrap_or(rest.len()),
        };
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        word
    }

    /// A name, which may have spaces in it, up to the next brace or the end of the line.
    fn until_brace(&mut self) -> String {
        let end = self.rest.find(['{', '}', '\n']).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        name.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn expect(&mut self, expected: &'static str, file: &File) -> Result<(), BvhError> {
        let word = self.next();
        if word.eq_ignore_ascii_case(expected) { Ok(()) } else { Err(self.expected(expected, word, file)) }
    }

    /// Words with a colon behind them, which a number may follow without a space.
    fn label(&mut self, words: &[&str], expected: &'static str, file: &File) -> Result<(), BvhError> {
        for word in words {
            self.skip_space();
            match self.rest.split_at_checked(word.len()) {
                Some((start, rest)) if start.eq_ignore_ascii_case(word) => self.rest = rest,
                _ => {
                    let found = self.next();
                    return Err(self.expected(expected, found, file));
                }
            }
        }
        self.skip_space();
        self.rest = self.rest.strip_prefix(':').unwrap_or(self.rest);
        Ok(())
    }

    fn number(&mut self, file: &File) -> Result<f64, BvhError> {
        let word = self.next();
        let number = word.parse::<f64>().ok().filter(|number| number.abs() < 1e9);
        number.ok_or_else(|| self.expected("a number", word, file))
    }

    fn expected(&self, expected: &'static str, found: &str, file: &File) -> BvhError {
        self.error(BvhFault::Expected { expected, found: short(found) }, file)
    }

    fn error(&self, fault: BvhFault, file: &File) -> BvhError {
        let joint = self.joint.and_then(|joint| file.joints.get(joint)).map(|joint| short(&joint.name));
        BvhError { line: self.line, joint: joint.unwrap_or_default(), fault }
    }
}
