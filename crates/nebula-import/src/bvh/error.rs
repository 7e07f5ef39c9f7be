use thiserror::Error;

/// Why a text is no BVH.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}{}: {fault}", if joint.is_empty() { String::new() } else { format!(", joint \"{}\"", joint.escape_debug()) })]
pub struct BvhError {
    /// Line of the text, from 1.
    pub line: usize,
    /// The joint that the line is about, 40 letters of it at most; empty where there is none.
    pub joint: String,
    /// What is wrong there.
    pub fault: BvhFault,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BvhFault {
    /// Another word stands there.
    #[error("expected {expected}, found {}", if found.is_empty() { "the end".into() } else { format!("\"{}\"", found.escape_debug()) })]
    Expected {
        /// What should be there.
        expected: &'static str,
        /// What is there, 40 letters at most; empty at the end of the text.
        found: String,
    },
    /// A channel is none that the format has.
    #[error("there is no channel \"{}\"; there are Xposition, Yposition, Zposition, Xrotation, Yrotation and Zrotation", .0.escape_debug())]
    Channel(String),
    /// There are too many joints.
    #[error("more than {0} joints")]
    TooManyJoints(usize),
    /// Joints hang below each other in too many levels.
    #[error("more than {0} levels of joints")]
    TooDeep(usize),
    /// There is no joint at all.
    #[error("there is no ROOT")]
    NoJoints,
    /// No frame is left.
    #[error("there are no frames")]
    NoFrames,
}
