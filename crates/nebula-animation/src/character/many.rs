//! Updating many characters, one after the other or on all cores.

use std::borrow::BorrowMut;

use super::{Character, abreast};
use crate::frame::Surroundings;
use crate::math::lanes::prefetch;
use crate::rig::block::LANES;

/// Characters in one piece of work for a thread: enough to be worth it, and so few that no thread waits for long.
#[cfg(feature = "parallel")]
const PIECE: usize = 16;

/// So many characters stay in the caches by themselves.
pub(crate) const FEW: usize = 48;

impl Character {
    /// Updates many characters by `dt` seconds (`f32` or `f64`), with the same bits as [`update`](Character::update)
    /// for each. `surroundings` is called with the index of each, between the two halves of its update: its [root
    /// step](crate::Frame::root_step) is known, and its layers have not run yet.
    ///
    /// Faster than separate updates if characters of one rig have matching layers: look-at and limbs of eight
    /// neighbours in the slice are computed side by side.
    ///
    /// ```
    /// use nebula_animation::{AnimationClipLibrary, Character, Surroundings};
    ///
    /// let mut characters = vec![Character::of(AnimationClipLibrary::default()); 100];
    /// Character::update_all(&mut characters, 1.0 / 60.0, |_, _| Surroundings::default());
    /// ```
    pub fn update_all<'s>(
        characters: &mut [Self],
        dt: impl Into<f64>,
        mut surroundings: impl FnMut(usize, &Self) -> Surroundings<'s>,
    ) {
        let are_many = characters.len() > FEW;
        Self::update_some(characters, are_many, dt.into(), &mut surroundings);
    }

    /// Like [`update_all`](Character::update_all), for characters that are part of other structs, such as an engine's
    /// objects.
    ///
    /// ```
    /// use nebula_animation::{AnimationClipLibrary, Character, Surroundings};
    ///
    /// let mut people = vec![("somebody", Character::of(AnimationClipLibrary::default())); 100];
    /// let mut characters: Vec<&mut Character> = people.iter_mut().map(|(_, character)| character).collect();
    /// Character::update_all_of(&mut characters, 1.0 / 60.0, |_, _| Surroundings::default());
    /// ```
    pub fn update_all_of<'s>(
        characters: &mut [&mut Self],
        dt: impl Into<f64>,
        mut surroundings: impl FnMut(usize, &Self) -> Surroundings<'s>,
    ) {
        let are_many = characters.len() > FEW;
        Self::update_some(characters, are_many, dt.into(), &mut surroundings);
    }

    fn update_some<'s, C: BorrowMut<Self>>(
        characters: &mut [C],
        are_many: bool,
        dt: f64,
        surroundings: &mut impl FnMut(usize, &Self) -> Surroundings<'s>,
    ) {
        for first in (0..characters.len()).step_by(LANES) {
            let end = characters.len().min(first + LANES);
            for index in first..end {
                if are_many {
                    Self::prefetch_from(characters, index + LANES, C::borrow);
                }
                characters[index].borrow_mut().advance(dt);
            }
            let some = &mut characters[first..end];
            match some.as_mut_array::<LANES>() {
                Some(eight) => {
                    let around = std::array::from_fn(|index| surroundings(first + index, eight[index].borrow()));
                    abreast::finish(&mut eight.each_mut().map(C::borrow_mut), &around);
                }
                None => {
                    for (index, character) in some.iter_mut().enumerate() {
                        let character = character.borrow_mut();
                        let around = surroundings(first + index, character);
                        character.finish(&around);
                    }
                }
            }
        }
    }

    /// Like [`update_all`](Character::update_all), on the threads of the current rayon pool, in any order, with the
    /// same bits.
    ///
    /// ```
    /// use nebula_animation::{AnimationClipLibrary, Character, Surroundings};
    ///
    /// let mut characters = vec![Character::of(AnimationClipLibrary::default()); 100];
    /// Character::update_all_on_threads(&mut characters, 1.0 / 60.0, |_, _| Surroundings::default());
    /// ```
    #[cfg(feature = "parallel")]
    pub fn update_all_on_threads<'s>(
        characters: &mut [Self],
        dt: impl Into<f64>,
        surroundings: impl Fn(usize, &Self) -> Surroundings<'s> + Sync,
    ) {
        use rayon::iter::{IndexedParallelIterator, ParallelIterator};
        use rayon::slice::ParallelSliceMut;

        let (are_many, dt) = (characters.len() > FEW, dt.into());
        characters.par_chunks_mut(PIECE).enumerate().for_each(|(piece, characters)| {
            Self::update_some(characters, are_many, dt, &mut |index, character| {
                surroundings(piece * PIECE + index, character)
            });
        });
    }

    /// Calls `work` with every character and its index, in order. Equivalent to a loop, but faster if there are more
    /// characters than fit into the caches: the memory of the next ones is prefetched.
    ///
    /// ```
    /// use nebula_animation::{AnimationClipLibrary, Character, Surroundings};
    ///
    /// let mut characters = vec![Character::of(AnimationClipLibrary::default()); 100];
    /// Character::for_each(&mut characters, |_, character| character.update(1.0 / 60.0, &Surroundings::default()));
    /// ```
    pub fn for_each(characters: &mut [Self], work: impl FnMut(usize, &mut Self)) {
        let are_many = characters.len() > FEW;
        Self::each(characters, are_many, work);
    }

    /// Like [`for_each`](Character::for_each), for characters that are part of other structs, such as an engine's
    /// components: `character` returns the character of each.
    ///
    /// ```
    /// use nebula_animation::{AnimationClipLibrary, Character, Surroundings};
    ///
    /// let mut people = vec![("somebody", Character::of(AnimationClipLibrary::default())); 100];
    /// Character::for_each_in(&mut people, |(_, character)| character, |_, (_, character)| {
    ///     character.update(1.0 / 60.0, &Surroundings::default());
    /// });
    /// ```
    pub fn for_each_in<T>(all: &mut [T], character: impl Fn(&T) -> &Self, mut work: impl FnMut(usize, &mut T)) {
        let are_many = all.len() > FEW;
        for index in 0..all.len() {
            if are_many {
                Self::prefetch_from(all, index + 1, &character);
            }
            work(index, &mut all[index]);
        }
    }

    #[inline]
    fn each(characters: &mut [Self], are_many: bool, mut work: impl FnMut(usize, &mut Self)) {
        for index in 0..characters.len() {
            if are_many {
                Self::prefetch_from(characters, index + 1, |character| character);
            }
            work(index, &mut characters[index]);
        }
    }

    /// Like [`for_each`](Character::for_each), on the threads of the current rayon pool, in any order. The result does
    /// not depend on the threads, down to the bit.
    ///
    /// ```
    /// use nebula_animation::{AnimationClipLibrary, Character, Surroundings};
    ///
    /// let mut characters = vec![Character::of(AnimationClipLibrary::default()); 100];
    /// Character::for_each_on_threads(&mut characters, |_, character| {
    ///     character.update(1.0 / 60.0, &Surroundings::default());
    /// });
    /// ```
    #[cfg(feature = "parallel")]
    pub fn for_each_on_threads(characters: &mut [Self], work: impl Fn(usize, &mut Self) + Send + Sync) {
        use rayon::iter::{IndexedParallelIterator, ParallelIterator};
        use rayon::slice::ParallelSliceMut;

        let are_many = characters.len() > FEW;
        characters.par_chunks_mut(PIECE).enumerate().for_each(|(piece, characters)| {
            Self::each(characters, are_many, |index, character| work(piece * PIECE + index, character));
        });
    }

    /// Prefetches the memory of the next character, and what locates that of the ones after it.
    #[inline]
    pub(crate) fn prefetch_from<T>(all: &[T], next: usize, character: impl Fn(&T) -> &Self) {
        if let Some(later) = all.get(next + 2) {
            prefetch(later);
        }
        if let Some(later) = all.get(next + 1).map(&character) {
            later.mixer.prefetch_outline();
            prefetch(&later.layers.layers[..]);
        }
        if let Some(next) = all.get(next).map(&character) {
            next.prefetch();
        }
    }

    /// Asks for the memory of an update, whose outline has been asked for.
    fn prefetch(&self) {
        self.mixer.prefetch();
        self.frame.prefetch();
        for layer in &self.layers.layers {
            prefetch(&**layer);
        }
    }
}
