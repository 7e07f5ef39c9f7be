//! Finds fingers by name, below the arm that they belong to.

use super::{FINGER_JOINTS, Finger, HumanoidMap, Side};

/// Which finger a word names.
pub(super) fn finger_of(word: &str) -> Option<Finger> {
    match word {
        "thumb" => Some(Finger::Thumb),
        "index" | "pointer" => Some(Finger::Index),
        "middle" | "mid" => Some(Finger::Middle),
        "ring" => Some(Finger::Ring),
        "pinky" | "pinkie" | "little" => Some(Finger::Little),
        _ => None,
    }
}

/// Finds the fingers of a hand: joints below `arm`, each below the one before.
pub(super) fn find(
    map: &mut HumanoidMap,
    side: Side,
    words: &[Vec<String>],
    is_below: impl Fn(u16, u16) -> bool,
    arm: u16,
) {
    let mut found = [[None; FINGER_JOINTS]; 5];
    for (joint, words) in (0..=u16::MAX).zip(words).skip(usize::from(arm) + 1) {
        let Some(finger) = meant(words) else { continue };
        let joints: &mut [Option<u16>; FINGER_JOINTS] = &mut found[finger as usize];
        let Some(place) = joints.iter().position(Option::is_none) else { continue };
        let above = place.checked_sub(1).and_then(|before| joints[before]).unwrap_or(arm);
        if is_below(joint, above) {
            joints[place] = Some(joint);
        }
    }
    for (finger, joints) in Finger::ALL.into_iter().zip(found) {
        *map = std::mem::take(map).with_finger(side, finger, joints);
    }
}

/// The finger that a name refers to. Palm bones belong to no finger, except the thumb's.
fn meant(words: &[String]) -> Option<Finger> {
    let has = |word: &str| words.iter().any(|own| own == word);
    if ["end", "tip", "nub", "leaf", "ik", "fk", "ctrl", "twist", "roll", "mch", "target", "pole"]
        .iter()
        .any(|it| has(it))
    {
        return None;
    }
    let finger = words.iter().find_map(|word| finger_of(word).or_else(|| finger_of(word.strip_prefix("hand")?)));
    let finger = finger.or_else(|| {
        // 3ds Max counts: Finger0 is the thumb, Finger01 its second joint.
        let at = words.iter().position(|word| word == "finger")?;
        let digit = words.get(at + 1)?.chars().next()?.to_digit(10)? as usize;
        Finger::ALL.get(digit).copied()
    })?;
    let is_in_palm = ["metacarpal", "meta", "palm", "carpal"].iter().any(|word| has(word));
    (finger == Finger::Thumb || !is_in_palm).then_some(finger)
}
