use super::answers;
use super::error::{RecordingError, RecordingProblem};
use super::input::Input;
use super::op::{Op, Reader};
use super::tape::{Segment, Tape};
use crate::mixer::UnknownName;
use crate::state;

/// Tapes of one or several characters, to be saved as a file: a reproducible bug report.
///
/// The bytes are the same on every machine, include a checksum, and are validated completely before anything is played.
/// What a tape does to a character is checked again during playback: a state of a different character is refused.
///
/// ```
/// use nebula_animation::{Character, Surroundings, load_skeleton_and_clips, recorder::{Recorder, Recording}};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
/// let make = || Character::new(skeleton.clone(), &clips);
/// let mut hero = Recorder::new(make(), 10.0);
/// hero.update(0.5, &Surroundings::default());
/// let bytes = Recording::of([("hero", hero.tape())]).to_bytes();
///
/// // Elsewhere:
/// let recording = Recording::from_bytes(&bytes)?;
/// let mut elsewhere = make();
/// recording.tape("hero")?.restore(0, &mut elsewhere)?;
/// assert_eq!(elsewhere.palette(), hero.palette());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recording {
    /// The tapes, with names of your choice.
    pub tapes: Vec<(String, Tape)>,
    /// Texts that are needed to rebuild a character, besides its files, with names of your choice. The viewer stores
    /// the document of a state machine here, under the name of the tape.
    pub documents: Vec<(String, String)>,
}

/// What the bytes begin with.
const MAGIC: [u8; 4] = *b"NBRC";
/// What is in a file, and in which order: another number whenever that changes.
const VERSION: u32 = 3;
/// Bytes of the checksum at the end.
const TAIL: usize = 8;

impl Recording {
    /// Copies tapes, with names of your choice.
    #[must_use]
    pub fn of<'a>(tapes: impl IntoIterator<Item = (&'a str, &'a Tape)>) -> Self {
        let tapes = tapes.into_iter().map(|(name, tape)| (name.to_owned(), tape.clone())).collect();
        Self { tapes, documents: Vec::new() }
    }

    /// Adds a document, with a name of your choice.
    ///
    /// ```
    /// use nebula_animation::recorder::Recording;
    ///
    /// let recording = Recording::default().with_document("hero", "{}");
    /// assert_eq!(Recording::from_bytes(&recording.to_bytes())?.document("hero"), Some("{}"));
    /// # Ok::<(), nebula_animation::recorder::RecordingError>(())
    /// ```
    #[must_use]
    pub fn with_document(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.documents.push((name.into(), text.into()));
        self
    }

    /// The first document with this name.
    #[must_use]
    pub fn document(&self, name: &str) -> Option<&str> {
        self.documents.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }

    /// The first tape with this name.
    ///
    /// # Errors
    /// There is no such tape; similar names are listed.
    pub fn tape(&self, name: &str) -> Result<&Tape, RecordingError> {
        let found = self.tapes.iter().find(|(known, _)| known == name).map(|(_, tape)| tape);
        let known = || self.tapes.iter().map(|(name, _)| name.as_str());
        found.ok_or_else(|| RecordingProblem::NoSuchTape(UnknownName::new("tape", name, known())).into())
    }

    /// Converts the recording to bytes, the same on every machine.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(state::VERSION.to_le_bytes());
        bytes.extend((self.tapes.len() as u32).to_le_bytes());
        for (name, tape) in &self.tapes {
            write_text(name, &mut bytes);
            bytes.extend(tape.rig.to_le_bytes());
            bytes.extend(tape.seconds.to_le_bytes());
            bytes.extend(tape.frames().start.to_le_bytes());
            bytes.extend((tape.segments().count() as u32).to_le_bytes());
            for segment in tape.segments() {
                bytes.extend((segment.words.len() as u32).to_le_bytes());
                bytes.extend(segment.words.iter().flat_map(|word| word.to_le_bytes()));
            }
        }
        bytes.extend((self.documents.len() as u32).to_le_bytes());
        for (name, text) in &self.documents {
            write_text(name, &mut bytes);
            write_text(text, &mut bytes);
        }
        bytes.extend(state::checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`to_bytes`](Recording::to_bytes) wrote.
    ///
    /// # Errors
    /// The bytes are something else, of another version, damaged, or contain what no recorder writes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecordingError> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(RecordingProblem::NotARecording)?;
        let mut bytes_left = Bytes(rest);
        for expected in [VERSION, state::VERSION] {
            let found = bytes_left.word()?;
            if found != expected {
                return Err(RecordingProblem::Version { found, expected }.into());
            }
        }
        let (content, sum) = bytes_left.0.split_last_chunk::<TAIL>().ok_or(RecordingProblem::TooShort)?;
        if u64::from_le_bytes(*sum) != state::checksum(&bytes[..bytes.len() - TAIL]) {
            return Err(RecordingProblem::Checksum.into());
        }
        let mut content = Bytes(content);
        let count = content.word()?;
        let mut tapes = Vec::new();
        for index in 0..count {
            tapes.push(content.tape().map_err(|error| error.within(&format!("tape {index}")))?);
        }
        let count = content.word()?;
        let mut documents = Vec::new();
        for index in 0..count {
            let read = content.text().and_then(|name| Ok((name, content.text()?)));
            documents.push(read.map_err(|problem| RecordingError::from(problem).within(&format!("document {index}")))?);
        }
        if !content.0.is_empty() {
            return Err(RecordingProblem::Damaged("there are bytes after the last document").into());
        }
        Ok(Self { tapes, documents })
    }
}

/// A length in bytes, and as many.
fn write_text(text: &str, bytes: &mut Vec<u8>) {
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
}

/// Bytes that are left to be read.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn chunk<const N: usize>(&mut self) -> Result<[u8; N], RecordingProblem> {
        let (chunk, rest) = self.0.split_first_chunk().ok_or(RecordingProblem::TooShort)?;
        self.0 = rest;
        Ok(*chunk)
    }

    fn word(&mut self) -> Result<u32, RecordingProblem> {
        self.chunk().map(u32::from_le_bytes)
    }

    fn double(&mut self) -> Result<u64, RecordingProblem> {
        self.chunk().map(u64::from_le_bytes)
    }

    /// So many bytes, if there are as many: no length takes memory that is not there.
    fn part(&mut self, length: Option<usize>) -> Result<&'a [u8], RecordingProblem> {
        let length = length.filter(|length| *length <= self.0.len()).ok_or(RecordingProblem::TooShort)?;
        let (part, rest) = self.0.split_at(length);
        self.0 = rest;
        Ok(part)
    }

    fn text(&mut self) -> Result<String, RecordingProblem> {
        let length = self.word()?;
        let text = std::str::from_utf8(self.part(usize::try_from(length).ok())?);
        Ok(text.map_err(|_| RecordingProblem::Damaged("a text is not UTF-8"))?.to_owned())
    }

    fn tape(&mut self) -> Result<(String, Tape), RecordingError> {
        let name = self.text()?;
        let rig = self.double()?;
        let seconds = f64::from_bits(self.double()?);
        // Nothing that is no number is at least 0; and minus zero would be written back as zero.
        if !(seconds >= 0.0) || seconds.is_sign_negative() {
            return Err(RecordingProblem::Damaged("a tape does not last less than no time").into());
        }
        let mut first = self.double()?;
        let count = self.word()?;
        if count == 0 && first != 0 {
            return Err(RecordingProblem::Damaged("a tape without frames has no first one").into());
        }
        let mut tape = Tape::new(rig, seconds);
        for index in 0..count {
            let words = self.word()?;
            let words = self.part(usize::try_from(words).ok().and_then(|words| words.checked_mul(4)))?;
            let words = words.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
            let segment = check(words, first)
                .map_err(|problem| RecordingError::from(problem).within(&format!("part {index}")))?;
            let next = first.checked_add(u64::from(segment.frames));
            first = next.ok_or(RecordingProblem::Damaged("there are more frames than numbers"))?;
            tape.push(segment);
        }
        Ok((name, tape))
    }
}

/// Goes through everything on a part of a tape, and counts its frames.
fn check(words: Vec<u32>, first: u64) -> Result<Segment, RecordingProblem> {
    let mut reader = Reader::new(&words);
    let (mut frames, mut seconds, mut is_first) = (0_u32, 0.0, true);
    while let Some(op) = reader.next()? {
        if std::mem::take(&mut is_first) && !matches!(op, Op::State { .. }) {
            return Err(RecordingProblem::Damaged("it does not begin with a state"));
        }
        match op {
            Op::State { .. } => {}
            Op::Advance(dt) => seconds += if dt.is_finite() { dt.abs() } else { 0.0 },
            Op::Finish { answers, .. } => {
                if !answers::are_whole(answers) {
                    return Err(RecordingProblem::Damaged("the world gave an answer that there is not"));
                }
                frames += 1;
            }
            Op::Input { flags, words } => {
                Input::read(flags, words)?;
            }
        }
    }
    if is_first {
        return Err(RecordingProblem::Damaged("it has no state"));
    }
    Ok(Segment { first, frames, seconds, words })
}
