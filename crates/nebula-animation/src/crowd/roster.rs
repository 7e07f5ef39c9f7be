//! Maps stable handles to changing indices.

use std::num::NonZeroU32;

/// A handle to a character of a [`Crowd`](super::Crowd). It stays valid while others are added and removed. Once its
/// character is removed, it finds nothing, even if another character has taken its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CrowdCharacterId {
    slot: u32,
    /// Which occupant of the slot it is, from 1.
    generation: NonZeroU32,
}

/// The handles of a crowd, and at which index each character is.
#[derive(Debug)]
pub(crate) struct Roster {
    slots: Vec<Slot>,
    /// For each index, the slot of the character there.
    slot_of: Vec<u32>,
    /// The slot that is given out next, or [`NOBODY`].
    free: u32,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    generation: NonZeroU32,
    /// The index of the character; of a free slot, the one that is free after it, or [`NOBODY`].
    index: u32,
}

const NOBODY: u32 = u32::MAX;

/// How many characters can have a slot at the same time.
pub(super) const MOST_CHARACTERS: usize = NOBODY as usize;

impl Default for Roster {
    fn default() -> Self {
        Self { slots: Vec::new(), slot_of: Vec::new(), free: NOBODY }
    }
}

impl Roster {
    /// Enters a character at the index after the last. There are fewer than [`MOST_CHARACTERS`].
    pub fn push(&mut self) -> CrowdCharacterId {
        let index = self.slot_of.len() as u32;
        let slot = if self.free == NOBODY { self.slots.len() as u32 } else { self.free };
        if let Some(entry) = self.slots.get_mut(slot as usize) {
            self.free = std::mem::replace(&mut entry.index, index);
        } else {
            self.slots.push(Slot { generation: NonZeroU32::MIN, index });
        }
        self.slot_of.push(slot);
        CrowdCharacterId { slot, generation: self.slots[slot as usize].generation }
    }

    /// Strikes the character at the last index off.
    pub fn pop(&mut self) {
        let Some(slot) = self.slot_of.pop() else { return };
        let entry = &mut self.slots[slot as usize];
        // A slot whose numbers are used up is not given out again: no handle ever means two characters.
        if let Some(next) = entry.generation.checked_add(1) {
            *entry = Slot { generation: next, index: self.free };
            self.free = slot;
        } else {
            entry.index = NOBODY;
        }
    }

    /// Lets the characters at two indices change places.
    pub fn swap(&mut self, a: usize, b: usize) {
        self.slot_of.swap(a, b);
        for index in [a, b] {
            self.slots[self.slot_of[index] as usize].index = index as u32;
        }
    }

    /// The index of a character.
    pub fn index_of(&self, id: CrowdCharacterId) -> Option<usize> {
        let slot = self.slots.get(id.slot as usize).filter(|slot| slot.generation == id.generation)?;
        let index = slot.index as usize;
        // Handles of other crowds may mean a slot that nobody has.
        (self.slot_of.get(index) == Some(&id.slot)).then_some(index)
    }

    /// The handle of the character at an index.
    pub fn id_at(&self, index: usize) -> Option<CrowdCharacterId> {
        let slot = *self.slot_of.get(index)?;
        Some(CrowdCharacterId { slot, generation: self.slots[slot as usize].generation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four thousand million characters in one slot are too many to wait for.
    #[test]
    fn a_slot_whose_numbers_are_used_up_is_not_given_out_again() {
        let mut roster = Roster::default();
        roster.push();
        roster.slots[0].generation = NonZeroU32::MAX;
        let last = roster.id_at(0);
        roster.pop();
        assert!(last.is_some_and(|last| roster.index_of(last).is_none()));
        let next = roster.push();
        assert_eq!((next.slot, roster.index_of(next)), (1, Some(0)));
        assert!(last.is_some_and(|last| roster.index_of(last).is_none()));
    }
}
