//! Everything that changes from frame to frame, as a small value: for saved games, rollback, and continuing elsewhere.
//!
//! [`Character::state`](crate::Character::state) saves a whole character, and
//! [`Character::restore`](crate::Character::restore) restores it. This module has the building blocks, for your own
//! layers and for parts that you combine yourself: a [`Stateful`](crate::state::Stateful) value writes itself into a
//! [`StateWriter`](crate::state::StateWriter) as 32-bit words, and reads itself back from a
//! [`StateReader`](crate::state::StateReader) with the same bits. A [`CharacterState`] is such a record, plus what is
//! needed to check that it fits. It contains only what changes: the character that reads it must be built like the one
//! that wrote it.
//!
//! ```
//! use nebula_animation::procedural::{LeanLayer, ProceduralAnimationStack};
//! use nebula_animation::state::{CharacterState, StateError};
//!
//! # fn main() -> Result<(), StateError> {
//! let make = || {
//!     let mut stack = ProceduralAnimationStack::default();
//!     stack.push(LeanLayer::new(2));
//!     stack
//! };
//! let mut stack = make();
//! if let Some(lean) = stack.layer_mut::<LeanLayer>() {
//!     lean.current_lean = 0.125; // As after some frames.
//! }
//! let rig = 42; // Whatever tells your rigs apart.
//! let bytes = CharacterState::record(rig, |writer| writer.write(&stack)).to_bytes();
//!
//! let mut elsewhere = make();
//! CharacterState::from_bytes(&bytes)?.restore(rig, |reader| reader.read(&mut elsewhere))?;
//! assert_eq!(elsewhere.layer(), Some(&LeanLayer { current_lean: 0.125, ..LeanLayer::new(2) }));
//! # Ok(())
//! # }
//! ```

mod error;
mod reader;
mod record;
mod stateful;
mod values;
mod writer;

pub use error::{StateError, StateProblem};
pub use reader::StateReader;
pub use record::CharacterState;
pub(crate) use record::{VERSION, checksum};
pub use stateful::Stateful;
pub(crate) use stateful::stateful;
pub use writer::StateWriter;
