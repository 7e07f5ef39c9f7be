use std::collections::HashMap;

use crate::skeleton::Skeleton;

/// For each joint of `source` the joint of `target` that has its name: the same one if there is, otherwise one that differs
/// only in capitals, punctuation or the prefix of its rig (`mixamorig:LeftArm`, `leftarm`, `Left_Arm`).
pub(super) fn partners(source: &Skeleton, target: &Skeleton) -> Vec<Option<u16>> {
    // Of joints with the same name, the first goes with the first, the second with the second.
    let mut exact: HashMap<&str, Vec<u16>> = HashMap::new();
    let mut plain: HashMap<String, Vec<u16>> = HashMap::new();
    for (index, joint) in target.joints.iter().enumerate().rev() {
        exact.entry(&joint.name).or_default().push(index as u16);
        plain.entry(plain_name(&joint.name)).or_default().push(index as u16);
    }
    let mut is_taken = vec![false; target.joints.len()];
    let mut partners: Vec<Option<u16>> = vec![None; source.joints.len()];
    for is_exact in [true, false] {
        for (partner, joint) in partners.iter_mut().zip(&source.joints).filter(|(partner, _)| partner.is_none()) {
            let found = if is_exact { exact.get_mut(&*joint.name) } else { plain.get_mut(&plain_name(&joint.name)) };
            let mut next = found.into_iter().flat_map(|found| std::iter::from_fn(|| found.pop()));
            *partner = next.find(|index| !std::mem::replace(&mut is_taken[usize::from(*index)], true));
        }
    }
    partners
}

/// Letters and digits of a name, small, without what stands before the last `:` or `|` and without Mixamo's prefix.
pub(super) fn plain_name(name: &str) -> String {
    let own = name.rsplit([':', '|']).next().unwrap_or(name);
    let plain: String = own.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    plain.strip_prefix("mixamorig").map_or(plain.clone(), str::to_owned)
}

/// The name of the same thing on the other side, if the name tells a side: `LeftArm` and `RightArm`, `hand.L` and
/// `hand.R`, `foot_l`, `Bip01 L Thigh`, `lShin`, `left_down`. If a name can be read in several ways, the first one
/// counts.
///
/// ```
/// use nebula_animation::retarget::mirrored_name;
///
/// assert_eq!(mirrored_name("LeftForeArm").as_deref(), Some("RightForeArm"));
/// assert_eq!(mirrored_name("upperarm_r.001").as_deref(), Some("upperarm_l.001"));
/// assert_eq!(mirrored_name("Pelvis"), None);
/// ```
#[must_use]
pub fn mirrored_name(name: &str) -> Option<String> {
    mirrored_names(name).into_iter().next()
}

/// All readings, the likeliest first. Telling whether one is right takes a look at the other names.
pub(super) fn mirrored_names(name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let lower = name.to_ascii_lowercase();
    for (side, other) in [("left", "right"), ("right", "left")] {
        for (at, _) in lower.match_indices(side) {
            let end = at + side.len();
            let other = in_case_of(&name[at..end], other);
            found.push(format!("{}{other}{}", &name[..at], &name[end..]));
        }
    }
    let letters: Vec<(usize, char)> = name.char_indices().collect();
    for (index, &(at, letter)) in letters.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| letters[before].1);
        let after = letters.get(index + 1).map(|after| after.1);
        let other = match letter {
            'L' => 'R',
            'R' => 'L',
            'l' => 'r',
            'r' => 'l',
            _ => continue,
        };
        // A word of its own, the last letter of `handL`, or the first of `lHand` and `LHand`.
        let begins = before.is_none_or(|before| {
            !before.is_alphanumeric() || (letter.is_uppercase() && (before.is_lowercase() || before.is_numeric()))
        });
        let ends = after.is_none_or(|after| !after.is_alphabetic() || (after.is_uppercase()));
        if begins && ends {
            found.push(format!("{}{other}{}", &name[..at], &name[at + 1..]));
        }
    }
    found
}

/// `other` in the capitals of `word`.
fn in_case_of(word: &str, other: &str) -> String {
    let is_upper = |part: &str| part.chars().all(|letter| letter.is_ascii_uppercase());
    match (is_upper(&word[..1]), is_upper(word)) {
        (_, true) => other.to_ascii_uppercase(),
        (true, false) => format!("{}{}", other[..1].to_ascii_uppercase(), &other[1..]),
        (false, false) => other.to_owned(),
    }
}
