//! Logs one line for each layer that cannot be applied, instead of one per frame.
//!
//! Neither layers nor stacks have room to remember that they have been warned about, so it is stored separately, by the
//! text of the line: a thousand characters with the same mistake produce one line. Only layers with problems pay for
//! the look-up.

use std::any::{Any, TypeId};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::ProceduralLayer;

/// Why a layer was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    Weight,
    Joint { joint_count: usize },
    Pose,
}

/// The type of a layer, its place in the stack, its joint, and the kind of trouble.
type Line = (TypeId, usize, u16, u8);

/// What was logged already.
static LOGGED: Mutex<BTreeSet<Line>> = Mutex::new(BTreeSet::new());
/// The maximum number of lines to remember.
const MOST: usize = 4096;

/// Logs why a layer is skipped, if it is the first time.
#[cold]
pub(super) fn warn(layer: &dyn ProceduralLayer, index: usize, trouble: Trouble) {
    let kind = match trouble {
        Trouble::Weight => 0,
        Trouble::Joint { .. } => 1,
        Trouble::Pose => 2,
    };
    let joint = layer.target_joint();
    let mut logged = LOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    if logged.len() >= MOST || !logged.insert(((layer as &dyn Any).type_id(), index, joint, kind)) {
        return;
    }
    drop(logged);
    let name = layer.layer_name();
    match trouble {
        Trouble::Weight => log::warn!("procedural layer {index}, {name}: its weight is NaN, the layer is skipped"),
        Trouble::Joint { joint_count } => {
            log::warn!(
                "procedural layer {index}, {name}: joint {joint} does not exist (there are {joint_count}), the layer is skipped"
            );
        }
        Trouble::Pose => {
            log::warn!(
                "procedural layer {index}, {name}, on joint {joint}: its result is not finite, the layer is skipped"
            );
        }
    }
}
