use thiserror::Error;

/// Why a text is not valid BVH.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}{}: {fault}", if joint.is_empty() { String::new() } else { format!(", joint \"{}\"", joint.escape_debug()) })]
pub struct BvhError {
    /// Line of the text, from 1.
    pub line: usize,
    /// The joint at that line, at most 40 characters of its name; empty if there is none.
    pub joint: String,
    /// What is wrong.
    pub fault: BvhFault,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BvhFault {
    /// An unexpected word.
    #[error("expected {expected}, found {}", if found.is_empty() { "the end".into() } else { format!("\"{}\"", found.escape_debug()) })]
    Expected {
        /// What should be there.
        expected: &'static str,
        /// What is there, 40 letters at most; empty at the end of the text.
        found: String,
    },
    /// An unknown channel.
    #[error("there is no channel \"{}\"; there are Xposition, Yposition, Zposition, Xrotation, Yrotation and Zrotation", .0.escape_debug())]
    Channel(String),
    /// There are too many joints.
    #[error("more than {0} joints")]
    TooManyJoints(usize),
    /// Joints are nested too deeply.
    #[error("more than {0} levels of joints")]
    TooDeep(usize),
    /// There are no joints.
    #[error("there is no ROOT")]
    NoJoints,
    /// No frames are left.
    #[error("there are no frames")]
    NoFrames,
}
