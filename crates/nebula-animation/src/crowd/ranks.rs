//! Groups the characters of a crowd by rig, so that eight of one rig can be evaluated at once.

use std::ops::Range;
use std::sync::Arc;

use crate::rig::Rig;

/// The characters of one rig.
#[derive(Debug)]
pub(super) struct Rank {
    pub rig: Arc<Rig>,
    /// Index of the first, and of the one after the last.
    pub characters: Range<usize>,
    /// Where the palette of the first starts among all joints.
    first_joint: usize,
    /// Where the morph weights of the first start among all weights.
    first_weight: usize,
}

impl Rank {
    /// Where the palette of a character of this rank starts; for the index after the last, where the palettes end.
    pub fn joint_start(&self, index: usize) -> usize {
        self.first_joint + (index - self.characters.start) * self.rig.joint_count()
    }

    /// Where the morph weights of a character of this rank start; for the index after the last, where they end.
    pub fn weight_start(&self, index: usize) -> usize {
        self.first_weight + (index - self.characters.start) * self.rig.morph_slots()
    }
}

/// The ranks of a crowd, one for each rig.
#[derive(Debug, Default)]
pub(super) struct Ranks(Vec<Rank>);

impl Ranks {
    /// The rank of a rig, which is the last one where the rig is new.
    pub fn find_or_add(&mut self, rig: &Arc<Rig>) -> u32 {
        let place = self.0.iter().position(|rank| rank.rig.id() == rig.id()).unwrap_or_else(|| {
            let end = self.0.last().map_or(0, |rank| rank.characters.end);
            let (first_joint, first_weight) = (self.joint_count(), self.weight_count());
            self.0.push(Rank { rig: Arc::clone(rig), characters: end..end, first_joint, first_weight });
            self.0.len() - 1
        });
        place as u32
    }

    pub fn get(&self, rank: u32) -> &Rank {
        &self.0[rank as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = &Rank> {
        self.0.iter()
    }

    /// The rank of the character at an index, which is one of a character.
    pub fn number_at(&self, index: usize) -> u32 {
        self.0.partition_point(|rank| rank.characters.end <= index) as u32
    }

    /// The joints of all characters together.
    pub fn joint_count(&self) -> usize {
        self.0.last().map_or(0, |last| last.joint_start(last.characters.end))
    }

    /// The morph weights of all characters together.
    pub fn weight_count(&self) -> usize {
        self.0.last().map_or(0, |last| last.weight_start(last.characters.end))
    }

    /// Takes the character at the index after the last into a rank: one character of each later rank makes room for it, by `swap` of
    /// two indices.
    pub fn grow(&mut self, rank: u32, mut swap: impl FnMut(usize, usize)) {
        let (before, later) = self.0.split_at_mut(rank as usize + 1);
        let Some(own) = before.last_mut() else { return };
        let mut newcomer = later.last().map_or(own.characters.end, |last| last.characters.end);
        for rank in later.iter_mut().rev() {
            swap(rank.characters.start, newcomer);
            newcomer = rank.characters.start;
            rank.shift(1, &own.rig);
        }
        own.characters.end += 1;
    }

    /// Moves the character at an index to the last index and removes it: one character of its rank and of each later
    /// one moves up, by `swap` of two indices.
    pub fn shrink(&mut self, index: usize, mut swap: impl FnMut(usize, usize)) {
        let number = self.number_at(index);
        let (before, later) = self.0.split_at_mut(number as usize + 1);
        let Some(own) = before.last_mut() else { return };
        own.characters.end -= 1;
        let mut leaver = own.characters.end;
        swap(index, leaver);
        for rank in later {
            rank.shift(-1, &own.rig);
            swap(leaver, rank.characters.end);
            leaver = rank.characters.end;
        }
    }

    /// Lets go of all characters; the rigs stay.
    pub fn clear(&mut self) {
        for rank in &mut self.0 {
            (rank.characters, rank.first_joint, rank.first_weight) = (0..0, 0, 0);
        }
    }
}

impl Rank {
    /// Shifts by a number of characters of another rig that comes before.
    fn shift(&mut self, count: isize, rig: &Rig) {
        let Range { start, end } = &mut self.characters;
        let (joints, weights) = (rig.joint_count() as isize, rig.morph_slots() as isize);
        for (number, by) in [(start, 1), (end, 1), (&mut self.first_joint, joints), (&mut self.first_weight, weights)] {
            *number = number.wrapping_add_signed(count * by);
        }
    }
}
