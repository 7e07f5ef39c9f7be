//! Many characters, one after the other or on all cores.

use super::Character;
use crate::math::lanes::prefetch;

/// So many characters stay in the caches by themselves.
const FEW: usize = 48;

impl Character {
    /// Calls `work` with each of many characters and its index, in order. The same as a loop, and faster where there are more characters
    /// than the caches hold: the memory of the next ones is asked for while one is worked on.
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

    #[inline]
    fn each(characters: &mut [Self], are_many: bool, mut work: impl FnMut(usize, &mut Self)) {
        for index in 0..characters.len() {
            if are_many {
                if let Some(later) = characters.get(index + 3) {
                    prefetch(later);
                }
                if let Some(later) = characters.get(index + 2) {
                    later.mixer.prefetch_outline();
                    prefetch(&later.layers.layers[..]);
                }
                if let Some(next) = characters.get(index + 1) {
                    next.prefetch();
                }
            }
            work(index, &mut characters[index]);
        }
    }

    /// As [`for_each`](Character::for_each), on the threads of the current rayon pool, in any order. What becomes of a character does not
    /// depend on the thread: the result has the same bits.
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

        /// Characters in one piece of work for a thread: enough to be worth it, and so few that no thread waits for long.
        const PIECE: usize = 16;
        let are_many = characters.len() > FEW;
        characters.par_chunks_mut(PIECE).enumerate().for_each(|(piece, characters)| {
            Self::each(characters, are_many, |index, character| work(piece * PIECE + index, character));
        });
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
