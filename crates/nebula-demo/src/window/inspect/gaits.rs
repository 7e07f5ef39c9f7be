//! Finds the gaits among a file's clips: by their names, and by whether they loop.

use glam::Quat;
use nebula_animation::{Character, Surroundings};

/// Words for gaits, each with its place among them.
const WORDS: [(&str, u8); 6] = [("idle", 0), ("stand", 0), ("walk", 1), ("jog", 2), ("run", 3), ("sprint", 4)];

/// Radians that a joint of a clip that goes round and round may be off at its seam.
const SEAM: f32 = 0.2;

/// Clips to blend by speed, each with its place: one that stands, then gaits as they become faster. Where no name says that it is one, the clip
/// that goes round best.
pub fn gaits(character: &Character) -> Vec<(f32, String)> {
    let clips = character.mixer.clips();
    let mut seams: Vec<(usize, f32)> = (0..clips.len()).map(|clip| (clip, seam(character, clip))).collect();
    // Those that go round and round come first, and the shorter names of them: they say less else.
    let length = |clip: usize| clips.get(clip).map_or(0, |clip| clip.name().len());
    seams.sort_by_key(|(clip, seam)| (*seam > SEAM, length(*clip)));
    let mut chosen: Vec<(u8, usize)> = Vec::new();
    for (clip, _) in &seams {
        let place = clips.get(*clip).and_then(|clip| place(clip.name()));
        if let Some(place) = place.filter(|place| chosen.iter().all(|(known, _)| known != place)) {
            chosen.push((place, *clip));
        }
    }
    if chosen.is_empty() {
        chosen.extend(seams.iter().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(clip, _)| (0, *clip)));
    }
    chosen.sort_unstable();
    // Where the clips' own speeds rise as their names say, they are the places.
    let speed = |clip: usize| clips.get(clip).map_or(0.0, |clip| (clip.velocity().length() * 100.0).round() / 100.0);
    let rise = chosen.windows(2).all(|pair| speed(pair[1].1) > speed(pair[0].1) + 0.1);
    let name = |clip: usize| clips.get(clip).map_or(String::new(), |clip| clip.name().to_owned());
    let placed = chosen.iter().enumerate();
    placed.map(|(nth, (_, clip))| (if rise { speed(*clip) } else { nth as f32 }, name(*clip))).collect()
}

/// The gait that a name speaks of: in a word of its own, as in `Walking_A`, `runFast` or `Armature|Idle`.
fn place(name: &str) -> Option<u8> {
    let lower = name.to_ascii_lowercase();
    let is_word = |(at, _): &(usize, &str)| {
        let (before, own) = (name[..*at].chars().next_back(), name[*at..].chars().next());
        let is_capital = own.is_some_and(char::is_uppercase) && before.is_some_and(char::is_lowercase);
        before.is_none_or(|before| !before.is_alphabetic()) || is_capital
    };
    WORDS.iter().find(|(word, _)| lower.match_indices(word).any(|found| is_word(&found))).map(|(_, place)| *place)
}

/// How far the joint that is off most is at the end of a clip from where it is at its beginning, in radians.
fn seam(character: &Character, clip: usize) -> f32 {
    let mut probe = Character::of(character.mixer.clips().clone());
    let mut pose = |is_end: bool| -> Vec<Quat> {
        if let Ok(action) = probe.mixer.restart(clip, 0.0) {
            action.looping = false;
            action.seek(if is_end { f64::from(action.duration()) } else { 0.0 });
        }
        probe.update(0.0, &Surroundings::default());
        (0..probe.rig().joint_count() as u16).map(|joint| probe.frame().local(joint).1).collect()
    };
    let (begin, end) = (pose(false), pose(true));
    begin.iter().zip(&end).map(|(begin, end)| begin.angle_between(*end)).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn gaits_are_words_of_their_own() {
        for (name, expected) in [
            ("Idle", Some(0)),
            ("Walking_A", Some(1)),
            ("Armature|Run", Some(3)),
            ("slowWalk", Some(1)),
            ("CHARACTER_SPRINT", Some(4)),
            ("Grunt", None),
            ("Trunk_Sway", None),
            ("Understand", None),
            ("Attack", None),
            ("ä run", Some(3)),
        ] {
            assert_eq!(place(name), expected, "{name}");
        }
    }
}
