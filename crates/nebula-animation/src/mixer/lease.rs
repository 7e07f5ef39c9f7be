//! Memory that a mixer needs only while it fades. The thread lends it, has enough for one mixer from the first frame
//! on, and gets it back.

use std::cell::RefCell;
use std::thread::LocalKey;

use super::inertia::Difference;
use super::layer::Level;
use super::memory::Turns;
use crate::rig::block::{LANES, PoseBlock};

/// How many pieces of memory of a kind wait for the next fade of a thread.
const MOST_WAITING: usize = 64;

type Waiting<T> = RefCell<Vec<Vec<T>>>;

/// What can be lent.
pub(super) trait Lent: Sized + 'static {
    fn waiting() -> &'static LocalKey<Waiting<Self>>;
}

/// What is lent block by block.
pub(super) trait Blank: Lent + Copy {
    const EMPTY: Self;
}

thread_local! {
    static POSES: Waiting<PoseBlock> = const { RefCell::new(Vec::new()) };
    static TURNS: Waiting<Turns> = const { RefCell::new(Vec::new()) };
    static DIFFERENCES: Waiting<Difference> = const { RefCell::new(Vec::new()) };
    static LEVELS: Waiting<Level> = const { RefCell::new(Vec::new()) };
}

macro_rules! lent {
    ($($type:ty: $waiting:ident),+) => {
        $(impl Lent for $type {
            fn waiting() -> &'static LocalKey<Waiting<Self>> {
                &$waiting
            }
        })+
    };
}

lent!(PoseBlock: POSES, Turns: TURNS, Difference: DIFFERENCES, Level: LEVELS);

impl Blank for PoseBlock {
    const EMPTY: Self = Self::IDENTITY;
}

impl Blank for Turns {
    const EMPTY: Self = Self([[0.0; LANES]; 4]);
}

impl Blank for Difference {
    const EMPTY: Self = Self::NONE;
}

/// Memory that waits, or none; empty in any case.
pub(super) fn borrow<T: Lent>() -> Vec<T> {
    let waiting = T::waiting().try_with(|waiting| waiting.try_borrow_mut().ok()?.pop());
    waiting.ok().flatten().unwrap_or_default()
}

/// Returns memory for the next borrower.
pub(super) fn put_back<T: Lent>(mut memory: Vec<T>) {
    if memory.capacity() == 0 {
        return;
    }
    memory.clear();
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

/// A block of memory for each block of joints, or none while nobody needs it.
#[derive(Debug)]
pub(super) struct Lease<T: Blank>(Vec<T>);

impl<T: Blank> Default for Lease<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// Makes sure that this many pieces of memory, each of this many blocks, are available for the fades of this thread.
pub(super) fn prepare<T: Lent>(count: usize, blocks: usize) {
    let count = count.min(MOST_WAITING);
    let _ = T::waiting().try_with(|waiting| {
        let Ok(mut waiting) = waiting.try_borrow_mut() else { return };
        let missing = MOST_WAITING.saturating_sub(waiting.len());
        waiting.reserve_exact(missing);
        let added = count.saturating_sub(waiting.len());
        waiting.extend(std::iter::repeat_with(Vec::new).take(added));
        // The last ones are lent first.
        for memory in waiting.iter_mut().rev().take(count) {
            memory.reserve_exact(blocks);
        }
    });
}

impl<T: Blank> Lease<T> {
    /// The memory, of this many blocks; new blocks are empty.
    pub fn take(&mut self, blocks: usize) -> &mut [T] {
        if self.0.len() != blocks {
            self.give_back();
            self.0 = borrow();
            self.0.reserve_exact(blocks);
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
        if self.0.capacity() > 0 {
            put_back(std::mem::take(&mut self.0));
        }
    }
}

impl<T: Blank> Clone for Lease<T> {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        if !self.0.is_empty() {
            copy.take(self.0.len()).copy_from_slice(&self.0);
        }
        copy
    }
}

impl<T: Blank> Drop for Lease<T> {
    fn drop(&mut self) {
        self.give_back();
    }
}
