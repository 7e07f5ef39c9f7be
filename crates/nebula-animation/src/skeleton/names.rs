//! Finding joints by name, and similar names for error messages.

use thiserror::Error;

use super::Skeleton;

/// There is no joint with that name.
///
/// ```
/// use nebula_animation::Skeleton;
///
/// let error = Skeleton::default().require_joint("hand_right").expect_err("there are no joints");
/// assert_eq!(error.to_string(), "there is no joint \"hand_right\" among 0 joints");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no joint \"{}\" among {joint_count} joints{}", name.escape_debug(), listed(near))]
pub struct UnknownJoint {
    /// The requested name.
    pub name: String,
    /// Similar joint names, best first; at most five.
    pub near: Vec<String>,
    /// How many joints the skeleton has.
    pub joint_count: usize,
}

pub(crate) fn listed(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; near names: {}", quoted(near, ", ")) }
}

/// Names in quotation marks.
pub(crate) fn quoted(names: &[String], between: &str) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.escape_debug())).collect();
    names.join(between)
}

/// How many near names an error lists.
const NEAR: usize = 5;

/// Longer names are compared by their beginning: what a file names may be megabytes long.
const COMPARED: usize = 64;

impl Skeleton {
    /// Index of the first joint with this name.
    ///
    /// # Errors
    /// There is no such joint; similar names are listed.
    pub fn require_joint(&self, name: &str) -> Result<u16, UnknownJoint> {
        self.joint_by_name(name).ok_or_else(|| UnknownJoint {
            name: name.to_owned(),
            near: near_names(name, self.joints.iter().map(|joint| joint.name.as_str())),
            joint_count: self.joints.len(),
        })
    }
}

/// The names that come close to one, best first.
pub(crate) fn near_names<'a>(name: &str, all: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = Spelling::of(name);
    let mut found: Vec<(usize, &str)> =
        all.into_iter().filter_map(|other| Some((wanted.distance(&Spelling::of(other))?, other))).collect();
    found.sort_by_key(|(distance, _)| *distance);
    let mut near: Vec<String> = Vec::new();
    for (_, name) in found {
        if near.len() < NEAR && !near.iter().any(|known| known == name) {
            near.push(name.to_owned());
        }
    }
    near
}

/// A name as it is compared: letters and digits in small letters, in order of appearance and by words.
struct Spelling {
    letters: Vec<char>,
    words: Vec<String>,
}

impl Spelling {
    fn of(name: &str) -> Self {
        let words = super::humanoid::split(name);
        let letters = words.iter().flat_map(|word| word.chars()).take(COMPARED).collect();
        Self { letters, words }
    }

    /// How many letters differ, if the names have much in common: most letters, or words. Words in another order, as in
    /// `hand_right` and `RightHand`, come closest.
    fn distance(&self, other: &Self) -> Option<usize> {
        let shared = self.words.iter().filter(|word| other.words.contains(word)).count();
        let is_same = shared > 0 && shared == self.words.len();
        let letters = edit_distance(&self.letters, &other.letters);
        if is_same {
            return Some(other.words.len() - shared.min(other.words.len()));
        }
        let longer = self.letters.len().max(other.letters.len());
        (letters * 2 <= longer || shared > 0).then_some(10 + letters.saturating_sub(2 * shared))
    }
}

/// How many letters have to be inserted, left out, replaced or swapped with their neighbour to make one name of the other.
/// Of longer names, only the beginnings and the lengths are compared.
pub(crate) fn edit_distance(from: &[char], to: &[char]) -> usize {
    let least = from.len().abs_diff(to.len());
    let (from, to) = (&from[..from.len().min(COMPARED)], &to[..to.len().min(COMPARED)]);
    // The distances of the beginnings of `to` from what of `from` was seen; and as they were one letter and two letters ago.
    let mut row: Vec<usize> = (0..=to.len()).collect();
    let (mut last, mut before_last) = (row.clone(), row.clone());
    for (index, letter) in from.iter().enumerate() {
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut row);
        row[0] = index + 1;
        for (column, other) in to.iter().enumerate() {
            let replaced = last[column] + usize::from(letter != other);
            let mut best = replaced.min(last[column + 1] + 1).min(row[column] + 1);
            if index > 0 && column > 0 && *letter == to[column - 1] && from[index - 1] == *other {
                best = best.min(before_last[column - 1] + 1);
            }
            row[column + 1] = best;
        }
    }
    row[to.len()].max(least)
}
