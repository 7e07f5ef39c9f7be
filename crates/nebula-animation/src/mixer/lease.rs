//! Memory that a mixer needs while it fades, and only then: lent by the thread, and given back.

use std::cell::RefCell;
use std::thread::LocalKey;

use super::inertia::Difference;
use super::memory::Turns;
use crate::rig::block::{LANES, PoseBlock};

/// How many pieces of memory of a kind wait for the next fade of a thread.
const MOST_WAITING: usize = 64;

type Waiting<T> = RefCell<Vec<Vec<T>>>;

/// What can be lent.
pub(super) trait Lent: Copy + 'static {
    const EMPTY: Self;
    fn waiting() -> &'static LocalKey<Waiting<Self>>;
}

thread_local! {
    static POSES: Waiting<PoseBlock> = const { RefCell::new(Vec::new()) };
    static TURNS: Waiting<Turns> = const { RefCell::new(Vec::new()) };
    static DIFFERENCES: Waiting<Difference> = const { RefCell::new(Vec::new()) };
}

impl Lent for PoseBlock {
    const EMPTY: Self = Self::IDENTITY;
    fn waiting() -> &'static LocalKey<Waiting<Self>> {
        &POSES
    }
}

impl Lent for Turns {
    const EMPTY: Self = Self([[0.0; LANES]; 4]);
    fn waiting() -> &'static LocalKey<Waiting<Self>> {
        &TURNS
    }
}

impl Lent for Difference {
    const EMPTY: Self = Self::NONE;
    fn waiting() -> &'static LocalKey<Waiting<Self>> {
        &DIFFERENCES
    }
}

/// A block of memory for each block of joints, or none while nobody needs it.
#[derive(Debug)]
pub(super) struct Lease<T: Lent>(Vec<T>);

impl<T: Lent> Default for Lease<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Lent> Lease<T> {
    /// The memory, of this many blocks; empty values where it is new.
    pub fn take(&mut self, blocks: usize) -> &mut [T] {
        if self.0.len() != blocks {
            self.give_back();
            let waiting = T::waiting().try_with(|waiting| waiting.try_borrow_mut().ok()?.pop());
            self.0 = waiting.ok().flatten().unwrap_or_default();
            self.0.clear();
            self.0.resize(blocks, T::EMPTY);
        }
        &mut self.0
    }

    /// What is lent; empty where nothing is.
    pub fn get(&self) -> &[T] {
        &self.0
    }

    /// What is lent; empty where nothing is.
    pub fn get_mut(&mut self) -> &mut [T] {
        &mut self.0
    }

    pub fn give_back(&mut self) {
        if self.0.capacity() == 0 {
            return;
        }
        let memory = std::mem::take(&mut self.0);
        // A thread that is ending lends nothing any more.
        let _ = T::waiting().try_with(|waiting| {
            if let Ok(mut waiting) = waiting.try_borrow_mut()
                && waiting.len() < MOST_WAITING
            {
                if waiting.capacity() == 0 {
                    waiting.reserve_exact(MOST_WAITING);
                }
                waiting.push(memory);
            }
        });
    }
}

impl<T: Lent> Clone for Lease<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        if !self.0.is_empty() {
            copy.take(self.0.len()).copy_from_slice(&self.0);
        }
        copy
    }
}

impl<T: Lent> Drop for Lease<T> {
    fn drop(&mut self) {
        self.give_back();
    }
}
