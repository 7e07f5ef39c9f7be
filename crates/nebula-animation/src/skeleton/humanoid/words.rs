//! What the name of a joint says.

use super::Side;

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

/// The meaning of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Meaning {
    pub word: Word,
    pub side: Option<Side>,
    /// Some rigs have several sets of joints: the set that deforms the mesh counts most, the set it was made from least.
    pub rank: u8,
}

const WORDS: [(Word, &[&str]); 20] = [
    (Word::Hips, &["hips", "pelvis", "hip"]),
    (Word::Spine, &["spine", "torso", "waist", "abdomen", "chest", "upperchest", "spinelower", "spineupper", "back"]),
    (Word::Neck, &["neck", "necklower", "neckupper", "necktwist"]),
    (Word::Head, &["head", "skull"]),
    (Word::Jaw, &["jaw", "jawroot", "lowerjaw", "mandible"]),
    (Word::Eye, &["eye", "faceeye", "eyeball"]),
    (Word::Clavicle, &["clavicle", "collar", "collarbone", "scapula"]),
    (Word::Shoulder, &["shoulder"]),
    (Word::UpperArm, &["upperarm", "uparm", "armupper", "shldr", "shldrbend", "humerus"]),
    (Word::Arm, &["arm"]),
    (Word::LowerArm, &["lowerarm", "loarm", "armlower", "forearm", "forearmbend", "elbow"]),
    (Word::Wrist, &["wrist"]),
    (Word::Hand, &["hand", "gripper"]),
    (Word::UpperLeg, &["upperleg", "upleg", "legupper", "thigh", "thighbend", "femur"]),
    (Word::Leg, &["leg"]),
    (Word::LowerLeg, &["lowerleg", "loleg", "leglower", "shin", "calf", "knee"]),
    (Word::Ankle, &["ankle"]),
    (Word::Foot, &["foot"]),
    (Word::Ball, &["ball"]),
    (Word::Toes, &["toe", "toes", "toebase"]),
];

/// Words that name the tool or the kind of thing, not the joint.
const NOISE: [&str; 22] = [
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
];

/// Words of joints that help others.
const HELPERS: [&str; 20] = [
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
];

/// What a name says, if it names a joint of a humanoid.
pub(super) fn meaning(name: &str) -> Option<Meaning> {
    let words = split(name);
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
    }
    let (mut word, _) = WORDS.into_iter().find(|(_, names)| names.contains(&part))?;
    if word == Word::Hips && side.is_some() {
        // Hips have no side: these are the joints of the thighs, unless they are the bones of the pelvis.
        if part == "pelvis" {
            return None;
        }
        word = Word::UpperLeg;
    }
    Some(Meaning { word, side, rank })
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
