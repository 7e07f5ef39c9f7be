//! Joints that are asked for by name, and names of any kind that are nearly right.

use thiserror::Error;

use super::Skeleton;

/// There is no joint of that name.
///
/// ```
/// use nebula_animation::Skeleton;
///
/// let error = Skeleton::default().require_joint("hand_right").expect_err("there are no joints");
/// assert_eq!(error.to_string(), "there is no joint \"hand_right\" among 0 joints");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no joint \"{}\" among {joint_count} joints{}", name.escape_debug(), hint(near))]
pub struct UnknownJoint {
    /// What was asked for.
    pub name: String,
    /// Names of joints that come close, best first; at most five.
    pub near: Vec<String>,
    /// How many joints the skeleton has.
    pub joint_count: usize,
}

fn hint(near: &[String]) -> String {
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
    /// Index of the first joint of this name.
    ///
    /// # Errors
    /// That there is none, with names that come close.
    pub fn require_joint(&self, name: &str) -> Result<u16, UnknownJoint> {
        self.joint_by_name(name).ok_or_else(|| UnknownJoint {
            name: name.to_owned(),
            near: near_names(name, self.joints.iter().map(|joint| joint.name.as_str())),
            joint_count: self.joints.len(),
        })
    }
}

/// The names that come close to one that there is not, best first; at most five.
pub(crate) fn near_names<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = Spelling::of(name);
    let distance = |known: &'a str| Some((wanted.distance(&Spelling::of(known))?, known));
    let mut found: Vec<(usize, &str)> = known.into_iter().filter_map(distance).collect();
    found.sort_by_key(|(distance, _)| *distance);
    found.dedup_by_key(|(_, name)| *name);
    found.into_iter().take(NEAR).map(|(_, name)| name.to_owned()).collect()
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

/// The least number of letters that are inserted, left out or replaced.
fn edit_distance(from: &[char], to: &[char]) -> usize {
    // The distances of the beginnings of `to` from what of `from` was seen.
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, letter) in from.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], index + 1);
        for (column, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column].min(diagonal) + 1);
        }
    }
    row[to.len()]
}
