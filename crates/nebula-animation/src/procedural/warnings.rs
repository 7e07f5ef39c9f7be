//! One line in the log for each layer that cannot be applied, not one for each frame.
//!
//! Neither layers nor the stack have a place for a note that they have been warned about, so it is kept aside, by the
//! layer's address. Only layers in trouble pay for the look-up.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::ProceduralLayer;

/// Why a layer was skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    Weight,
    Joint { joint: u16, joint_count: usize },
    Pose { joint: u16 },
}

/// Addresses of layers that a warning was logged for, and of what kind.
static WARNED: Mutex<Vec<(usize, u8)>> = Mutex::new(Vec::new());
/// How many there are, to be asked without a lock.
static COUNT: AtomicUsize = AtomicUsize::new(0);
/// Beyond so many layers in trouble, the log says enough.
const MOST: usize = 4096;

fn address(layer: &dyn ProceduralLayer) -> usize {
    std::ptr::from_ref(layer).addr()
}

fn list() -> MutexGuard<'static, Vec<(usize, u8)>> {
    WARNED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Logs why a layer is skipped, if it is the first time.
#[cold]
pub(super) fn warn(layer: &dyn ProceduralLayer, index: usize, trouble: Trouble) {
    let kind = match trouble {
        Trouble::Weight => 0,
        Trouble::Joint { .. } => 1,
        Trouble::Pose { .. } => 2,
    };
    let mut list = list();
    let key = (address(layer), kind);
    if list.contains(&key) || list.len() >= MOST {
        return;
    }
    list.push(key);
    COUNT.store(list.len(), Ordering::Relaxed);
    drop(list);
    match trouble {
        Trouble::Weight => log::warn!("procedural layer {index}: its weight is not a number, it is skipped"),
        Trouble::Joint { joint, joint_count } => {
            log::warn!("procedural layer {index}: joint {joint} of {joint_count}, there is none, the layer is skipped");
        }
        Trouble::Pose { joint } => {
            log::warn!("procedural layer {index} on joint {joint}: its result is not finite, it is skipped");
        }
    }
}

/// Forgets layers that go away: others may get their addresses.
pub(super) fn forget(layers: &[Box<dyn ProceduralLayer>]) {
    if COUNT.load(Ordering::Relaxed) == 0 {
        return;
    }
    let mut list = list();
    list.retain(|(warned, _)| !layers.iter().any(|layer| address(&**layer) == *warned));
    COUNT.store(list.len(), Ordering::Relaxed);
}
