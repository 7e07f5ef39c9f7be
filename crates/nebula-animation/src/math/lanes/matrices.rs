//! Matrices that begin where lines of the caches do.

use std::ops::{Deref, DerefMut};

use glam::Mat4;

/// A matrix in a line of its own: a vector that is written into it never lies in two, which takes twice as long.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Line(Mat4);

const _: () = assert!(size_of::<Line>() == size_of::<Mat4>());

/// So many matrices.
#[derive(Debug, Clone, Default)]
pub(crate) struct Matrices(Vec<Line>);

impl Matrices {
    /// Identities.
    pub fn new(count: usize) -> Self {
        Self(vec![Line(Mat4::IDENTITY); count])
    }
}

impl Deref for Matrices {
    type Target = [Mat4];

    #[inline]
    fn deref(&self) -> &[Mat4] {
        // SAFETY: a line is a matrix and nothing else, which was made sure of; all of them are borrowed.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), self.0.len()) }
    }
}

impl DerefMut for Matrices {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Mat4] {
        // SAFETY: as above, and nobody else has them.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), self.0.len()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_begin_with_lines() {
        for count in [0, 1, 3, 67] {
            let mut matrices = Matrices::new(count);
            assert_eq!(*matrices, vec![Mat4::IDENTITY; count]);
            assert!(matrices.as_ptr().addr().is_multiple_of(64));
            matrices.fill(Mat4::ZERO);
            assert_eq!(*matrices.clone(), vec![Mat4::ZERO; count]);
        }
    }
}
