//! Writing and reading plain values.

use glam::{DVec3, Mat3A, Quat, Vec2, Vec3, Vec3A};

use super::{StateError, StateProblem, StateReader, StateWriter, Stateful};
use crate::math::ExactSum;

/// Numbers below this can be squared, and two of them multiplied with a third one that is no length of a world.
const LARGEST: f32 = 1e15;

/// Integers of one word.
macro_rules! words {
    ($($type:ty),*) => {$(
        impl Stateful for $type {
            fn write_state(&self, writer: &mut StateWriter) {
                writer.word(u32::from(*self));
            }

            fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
                let word = reader.word()?;
                *self = Self::try_from(word).map_err(|_| StateProblem::OutOfRange(word.into()))?;
                Ok(())
            }
        }
    )*};
}
words!(u8, u16, u32);

/// Values of which another one has all bits.
macro_rules! bits {
    ($($type:ty: $write:ident $read:ident, $to:expr, $from:expr;)*) => {$(
        impl Stateful for $type {
            fn write_state(&self, writer: &mut StateWriter) {
                let to: fn(Self) -> _ = $to;
                writer.$write(to(*self));
            }

            fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
                let from: fn(_, bool) -> Result<Self, StateProblem> = $from;
                let takes_any_number = reader.takes_any_number();
                *self = from(reader.$read()?, takes_any_number)?;
                Ok(())
            }
        }
    )*};
}
bits! {
    i32: word word, i32::cast_unsigned, |word, _| Ok(u32::cast_signed(word));
    u64: double double, |value| value, |value, _| Ok(value);
    i64: double double, i64::cast_unsigned, |value, _| Ok(u64::cast_signed(value));
    usize: double double, |value| value as u64,
        |value, _| Self::try_from(value).map_err(|_| StateProblem::OutOfRange(value));
    bool: word word, u32::from, |word, _| match word {
        0 | 1 => Ok(word == 1),
        other => Err(StateProblem::OutOfRange(other.into())),
    };
    f32: word word, f32::to_bits, |word, takes_any| match Self::from_bits(word) {
        number if takes_any || number.abs() < LARGEST => Ok(number),
        number if number.is_finite() => Err(StateProblem::TooLarge),
        _ => Err(StateProblem::NotFinite),
    };
    f64: double double, f64::to_bits, |value, takes_any| Some(Self::from_bits(value))
        .filter(|number| takes_any || number.is_finite()).ok_or(StateProblem::NotFinite);
}

/// Vectors and matrices: their numbers, one after the other.
macro_rules! vectors {
    ($($type:ty, $to:ident, $from:ident;)*) => {$(
        impl Stateful for $type {
            fn write_state(&self, writer: &mut StateWriter) {
                writer.write(&self.$to());
            }

            fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
                let mut numbers = self.$to();
                reader.read(&mut numbers)?;
                *self = Self::$from(numbers);
                Ok(())
            }
        }
    )*};
}
vectors! {
    Vec2, to_array, from_array;
    Vec3, to_array, from_array;
    Vec3A, to_array, from_array;
    DVec3, to_array, from_array;
}

impl Stateful for Quat {
    fn write_state(&self, writer: &mut StateWriter) {
        writer.write(&self.to_array());
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        let mut numbers = self.to_array();
        reader.read(&mut numbers)?;
        let rotation = Self::from_array(numbers);
        // Not to the last bit: those of matrices with shear are off by more than roundings.
        if !reader.takes_any_number() && !(0.25..4.0).contains(&rotation.length_squared()) {
            return Err(StateProblem::NotARotation.into());
        }
        *self = rotation;
        Ok(())
    }
}

impl Stateful for Mat3A {
    fn write_state(&self, writer: &mut StateWriter) {
        writer.write(&self.to_cols_array());
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        let mut numbers = self.to_cols_array();
        reader.read(&mut numbers)?;
        *self = Self::from_cols_array(&numbers);
        Ok(())
    }
}

impl Stateful for ExactSum {
    fn write_state(&self, writer: &mut StateWriter) {
        writer.write(&self.parts());
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        let mut parts = self.parts();
        reader.read(&mut parts)?;
        *self = Self::from_parts(parts).ok_or(StateProblem::TooLarge)?;
        Ok(())
    }
}

/// Writes all of them.
fn write_all<T: Stateful>(values: &[T], writer: &mut StateWriter) {
    values.iter().for_each(|value| writer.write(value));
}

/// Reads all of them.
fn read_all<T: Stateful>(values: &mut [T], reader: &mut StateReader<'_>) -> Result<(), StateError> {
    values.iter_mut().try_for_each(|value| reader.read(value))
}

impl<T: Stateful, const N: usize> Stateful for [T; N] {
    fn write_state(&self, writer: &mut StateWriter) {
        write_all(self, writer);
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        read_all(self, reader)
    }
}

/// A list whose length is no part of the state: it has to be the same.
impl<T: Stateful> Stateful for [T] {
    fn write_state(&self, writer: &mut StateWriter) {
        writer.count(self.len());
        write_all(self, writer);
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        let (found, expected) = (reader.length()?, self.len());
        if found != expected {
            return Err(StateProblem::Count { found: found as u64, expected: expected as u64 }.into());
        }
        read_all(self, reader)
    }
}

impl<T: Stateful + ?Sized> Stateful for Box<T> {
    fn write_state(&self, writer: &mut StateWriter) {
        (**self).write_state(writer);
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        (**self).read_state(reader)
    }
}

impl<T: Stateful + Default> Stateful for Vec<T> {
    fn write_state(&self, writer: &mut StateWriter) {
        writer.count(self.len());
        write_all(self, writer);
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        let length = reader.length()?;
        self.truncate(length);
        read_all(self, reader)?;
        while self.len() < length {
            let mut value = T::default();
            reader.read(&mut value)?;
            self.push(value);
        }
        Ok(())
    }
}

impl<T: Stateful + Default> Stateful for Option<T> {
    fn write_state(&self, writer: &mut StateWriter) {
        writer.write(&self.is_some());
        self.iter().for_each(|value| writer.write(value));
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        let mut is_some = false;
        reader.read(&mut is_some)?;
        if !is_some {
            *self = None;
            return Ok(());
        }
        reader.read(self.get_or_insert_default())
    }
}

/// Tuples: their parts in order.
macro_rules! tuples {
    ($(($($part:ident $index:tt),*);)*) => {$(
        impl<$($part: Stateful),*> Stateful for ($($part,)*) {
            fn write_state(&self, writer: &mut StateWriter) {
                $(writer.write(&self.$index);)*
            }

            fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
                $(reader.read(&mut self.$index)?;)*
                Ok(())
            }
        }
    )*};
}
tuples! {
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
}
