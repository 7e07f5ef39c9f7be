//! The meaning of joint names.

use std::collections::HashMap;

use super::{HumanoidJoint as J, Side};

/// What a joint is called, whatever the convention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    Hips,
    Spine,
    Neck,
    Head,
    Jaw,
    Eye,
    Clavicle,
    /// The collar bone for some, the upper arm for others.
    Shoulder,
    UpperArm,
    /// The upper arm for some, a piece of the arm for others.
    Arm,
    LowerArm,
    Wrist,
    Hand,
    UpperLeg,
    /// The lower leg for some, the upper one or a piece of the leg for others.
    Leg,
    LowerLeg,
    Ankle,
    Foot,
    Ball,
    Toes,
}

impl Word {
    /// Whether the word is a name of a joint, and not just of the limb that it belongs to.
    pub fn says(self, joint: J) -> bool {
        match joint {
            J::Hips => self == Self::Hips,
            J::Spine | J::Chest | J::UpperChest => self == Self::Spine,
            J::Neck => self == Self::Neck,
            J::Head => self == Self::Head,
            _ => true,
        }
    }
}

/// The meaning of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meaning {
    pub word: Word,
    pub side: Option<Side>,
    /// Some rigs have several sets of joints: the set that deforms the mesh counts most, the set it was made from least.
    pub rank: u8,
    /// Whether another joint has a better claim: what is called a hip may be a part of the pelvis, and a palm a part of the hand.
    pub is_weak: bool,
}

const WORDS: [(Word, &[&str]); 20] = [
    (Word::Hips, &["hips", "pelvis", "hip"]),
    (
        Word::Spine,
        &[
            "spine",
            "torso",
            "waist",
            "abdomen",
            "chest",
            "upperchest",
            "spinelower",
            "spineupper",
            "back",
            "lowerback",
            "upperback",
            "thorax",
        ],
    ),
    (Word::Neck, &["neck", "necklower", "neckupper", "necktwist", "lowerneck", "upperneck"]),
    (Word::Head, &["head", "skull"]),
    (Word::Jaw, &["jaw", "jawroot", "lowerjaw", "mandible"]),
    (Word::Eye, &["eye", "faceeye", "eyeball"]),
    (Word::Clavicle, &["clavicle", "collar", "collarbone", "scapula"]),
    (Word::Shoulder, &["shoulder"]),
    (Word::UpperArm, &["upperarm", "uparm", "armupper", "shldr", "shldrbend", "humerus"]),
    (Word::Arm, &["arm"]),
    (Word::LowerArm, &["lowerarm", "loarm", "armlower", "forearm", "forearmbend", "elbow", "radius", "ulna"]),
    (Word::Wrist, &["wrist"]),
    (Word::Hand, &["hand", "gripper", "palm", "fist"]),
    (Word::UpperLeg, &["upperleg", "upleg", "legupper", "thigh", "thighbend", "femur"]),
    (Word::Leg, &["leg"]),
    (Word::LowerLeg, &["lowerleg", "loleg", "leglower", "shin", "calf", "knee", "tibia"]),
    (Word::Ankle, &["ankle"]),
    (Word::Foot, &["foot"]),
    (Word::Ball, &["ball"]),
    (Word::Toes, &["toe", "toes", "toebase"]),
];

/// Words that name the tool or the kind of thing, not the joint.
const NOISE: [&str; 25] = [
    "mixamorig",
    "bip",
    "biped",
    "valve",
    "j",
    "c",
    "adj",
    "def",
    "org",
    "cc",
    "base",
    "armature",
    "rig",
    "character",
    "bone",
    "bn",
    "b",
    "jnt",
    "joint",
    "sk",
    "skel",
    "skeleton",
    "stretch",
    "x",
    "bind",
];

/// Words of joints that help others.
const HELPERS: [&str; 22] = [
    "ik",
    "fk",
    "twist",
    "roll",
    "end",
    "tip",
    "nub",
    "mch",
    "ctrl",
    "control",
    "target",
    "pole",
    "tweak",
    "helper",
    "socket",
    "effector",
    "attach",
    "dummy",
    "prop",
    "corrective",
    "leaf",
    "slot",
];

/// What a name says, if it names a joint of a humanoid; given by its words.
pub(super) fn meaning(words: &[String]) -> Option<Meaning> {
    let (mut side, mut rank, mut part) = (None, 1, String::new());
    for (index, word) in words.iter().enumerate() {
        match word.as_str() {
            "left" | "l" | "lft" => side = Some(Side::Left),
            "right" | "r" | "rgt" => side = Some(Side::Right),
            // The first part of a neck is a neck, whatever its tool calls it.
            "twist" if part == "neck" => {}
            word if HELPERS.contains(&word) => return None,
            // A tool's name comes first, but "base" also ends toes.
            word if NOISE.contains(&word) => match word {
                "def" if index == 0 => rank = 2,
                "org" if index == 0 => rank = 0,
                // Auto-Rig Pro's controls.
                "c" if index == 0 => rank = 0,
                _ => {}
            },
            word if word.starts_with(|letter: char| letter.is_ascii_digit()) => {}
            word => part.push_str(word),
        }
    }
    let mut part = part.as_str();
    if side.is_none() {
        for (text, of) in [("left", Side::Left), ("right", Side::Right)] {
            if let Some(rest) = part.strip_prefix(text).or_else(|| part.strip_suffix(text)) {
                (part, side) = (rest, Some(of));
            }
        }
        // Anatomists write their sides with one letter: "lfemur".
        let is_word = |part: &str| WORDS.iter().any(|(_, names)| names.contains(&part));
        for (letter, of) in [('l', Side::Left), ('r', Side::Right)] {
            if let Some(rest) =
                part.strip_prefix(letter).filter(|rest| side.is_none() && !is_word(part) && has_sides(rest))
            {
                (part, side) = (rest, Some(of));
            }
        }
    }
    let (mut word, _) = WORDS.into_iter().find(|(_, names)| names.contains(&part))?;
    if word == Word::Hips && side.is_some() {
        // Hips have no side: these are the joints of the thighs, unless they are the bones of the pelvis.
        if part == "pelvis" {
            return None;
        }
        word = Word::UpperLeg;
    }
    Some(Meaning { word, side, rank, is_weak: matches!(part, "hip" | "hips" | "palm" | "fist") && side.is_some() })
}

/// Whether a part comes in two: limbs and eyes.
fn has_sides(part: &str) -> bool {
    let word = WORDS.into_iter().find(|(_, names)| names.contains(&part)).map(|(word, _)| word);
    word.is_some_and(|word| !matches!(word, Word::Hips | Word::Spine | Word::Neck | Word::Head | Word::Jaw))
}

/// The words of all names, without what names have in common because of their tool or their model: `hero:rig:Hips` and
/// `Model_Hips` are "hips" where most others begin like that too.
pub(super) fn own_words<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Vec<String>> {
    let own = |name: &'a str| name.rsplit([':', '|']).find(|part| !part.trim().is_empty()).unwrap_or(name);
    let mut all: Vec<Vec<String>> = names.map(|name| split(own(name))).collect();
    for is_last in [false, true] {
        // Names have a few such words at most.
        for _ in 0..4 {
            let at = |words: &Vec<String>| if is_last { words.last().cloned() } else { words.first().cloned() };
            let mut counts: HashMap<String, usize> = HashMap::new();
            for word in all.iter().filter(|words| words.len() > 1).filter_map(at) {
                *counts.entry(word).or_default() += 1;
            }
            let common =
                counts.into_iter().find(|(word, count)| 2 * count > all.len() && *count > 3 && is_foreign(word));
            let Some((common, _)) = common else { break };
            for words in all.iter_mut().filter(|words| words.len() > 1 && at(words).as_ref() == Some(&common)) {
                words.remove(if is_last { words.len() - 1 } else { 0 });
            }
        }
    }
    all
}

/// Whether a word says nothing about a joint.
fn is_foreign(word: &str) -> bool {
    let is_known = HELPERS.contains(&word)
        || NOISE.contains(&word)
        || matches!(word, "left" | "right" | "l" | "r" | "lft" | "rgt" | "up" | "lo" | "upper" | "lower" | "fore")
        || WORDS.iter().any(|(_, names)| names.contains(&word))
        || super::fingers::finger_of(word).is_some();
    !is_known && !word.starts_with(|letter: char| letter.is_ascii_digit())
}

/// The words of a name in small letters, numbers apart: "mixamorig:LeftUpLeg" is "mixamorig", "left", "up", "leg".
pub(in crate::skeleton) fn split(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().take(200).collect();
    let mut words: Vec<String> = Vec::new();
    let mut is_new = true;
    for (index, &letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            is_new = true;
            continue;
        }
        if index > 0 {
            let before = letters[index - 1];
            let after = letters.get(index + 1);
            // Where a capital follows a small letter, or begins a word after another capital: "LToe", "upLeg".
            let is_hump =
                letter.is_uppercase() && (before.is_lowercase() || after.is_some_and(|after| after.is_lowercase()));
            is_new |= is_hump || letter.is_ascii_digit() != before.is_ascii_digit();
        }
        if is_new {
            words.push(String::new());
            is_new = false;
        }
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words
}
