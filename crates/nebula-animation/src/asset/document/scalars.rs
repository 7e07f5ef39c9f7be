//! Building blocks of the schema: numbers, strings and arrays that are safe to read from untrusted files.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// A count, a size or an index: a non-negative integer, also when it is written `2.0`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Uint(pub u64);

impl Uint {
    /// The value as an index; beyond the address space it is out of every range anyway.
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl<'de> Deserialize<'de> for Uint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct UintVisitor;
        impl Visitor<'_> for UintVisitor {
            type Value = Uint;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a non-negative integer")
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Uint, E> {
                Ok(Uint(value))
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Uint, E> {
                // Whole numbers up to 2^53 are exact in a double.
                if value.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&value) {
                    Ok(Uint(value as u64))
                } else {
                    Err(E::invalid_value(serde::de::Unexpected::Float(value), &self))
                }
            }
        }
        deserializer.deserialize_u64(UintVisitor)
    }
}

/// A non-negative integer that only affects appearance: anything else in its place is kept as NaN, and reported where
/// the number is needed. Absent by default.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Lenient(pub Option<f64>);

impl<'de> Deserialize<'de> for Lenient {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        Ok(Self((raw != "null").then(|| raw.parse().unwrap_or(f64::NAN))))
    }
}

impl Lenient {
    /// The value as an index, if present; an invalid one is out of every range.
    pub fn index(self) -> Option<usize> {
        // The cast bounds what is too large.
        let index = |value: f64| if value >= 0.0 && value.fract() == 0.0 { value as usize } else { usize::MAX };
        self.0.map(index)
    }
}

/// A value that only affects appearance. If it cannot be read, the fault is kept, to be reported where the value is
/// needed; absent by default.
#[derive(Debug, Clone, Default)]
pub(crate) enum Loose<T> {
    #[default]
    Absent,
    Faulty,
    Present(T),
}

impl<T> Loose<T> {
    /// The value, if it could be read.
    pub fn get(&self) -> Option<&T> {
        if let Self::Present(value) = self { Some(value) } else { None }
    }
}

impl<'de, T: serde::de::DeserializeOwned> Deserialize<'de> for Loose<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        Ok(match serde_json::from_str(raw) {
            Ok(Some(value)) => Self::Present(value),
            Ok(None) => Self::Absent,
            Err(_) => Self::Faulty,
        })
    }
}

/// A string, borrowed from the JSON text unless it holds an escape.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Text<'a>(pub Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string")
            }
            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

/// An array of at most `N` elements; a longer one ends the parse before it is stored.
#[derive(Debug, Clone)]
pub(crate) struct Capped<T, const N: usize>(Vec<T>);

impl<T, const N: usize> Default for Capped<T, N> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T, const N: usize> Deref for Capped<T, N> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a Capped<T, N> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Capped<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CappedVisitor<T, const N: usize>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for CappedVisitor<T, N> {
            type Value = Capped<T, N>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an array")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
                let mut elements = Vec::new();
                while let Some(element) = sequence.next_element()? {
                    if elements.len() == N {
                        return Err(A::Error::custom(format_args!("more than {N} elements")));
                    }
                    elements.push(element);
                }
                Ok(Capped(elements))
            }
        }
        deserializer.deserialize_seq(CappedVisitor(PhantomData))
    }
}
