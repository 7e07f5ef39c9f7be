//! Records of whole characters that were cut off or changed by somebody who knows how: an error with its place, or finite frames.

use std::sync::LazyLock;

use nebula_animation::{Character, CharacterState, Fade, state::StateProblem};
use proptest::prelude::*;

use super::troupe::{Handles, Troupe, options, step};

/// Characters in the midst of everything: inertialised; and with more actions than are followed.
static SAVED: LazyLock<(Troupe, [CharacterState; 2])> = LazyLock::new(|| {
    let troupe = Troupe::humanoid(options(true));
    let states = [Fade::inertialised(0.8), Fade::linear(0.8)].map(|fade| {
        let (mut character, handles) = troupe.whole();
        lead(&troupe, &mut character, &handles, fade);
        character.state()
    });
    (troupe, states)
});
const SAVED_AT: u32 = 60;

fn lead(troupe: &Troupe, character: &mut Character, handles: &Handles, fade: Fade) {
    for frame in 0..=SAVED_AT {
        match frame {
            20 => {
                let machine = &mut character.machines[0];
                let [busy, wave] = ["busy", "wave"].map(|name| machine.parameter(name).expect("a parameter"));
                machine.set_bool(busy, true).expect("true or false");
                machine.trigger_for(wave, 5.0).expect("a trigger");
            }
            30 | 40 | 50 => {
                let shot = troupe.shots[(frame / 10 % 2) as usize];
                character.mixer.play_once_on(handles.face, shot, fade, fade).expect("it is there");
            }
            _ => {}
        }
        if frame > 48 && frame % 2 == 0 {
            let clip = if frame % 4 == 0 { troupe.gaits[2] } else { troupe.shots[0] };
            character.mixer.play(clip, fade).expect("it is there");
        }
        step(character, frame, 1.0 / 60.0);
    }
    character.mixer.play(handles.gait, fade).expect("it is there");
    character.mixer.current_action.as_mut().expect("it plays").seek(0.25);
}

/// Restores a record and goes on. Frames are finite and their events can be told, and what comes of it can be restored again.
fn survives(record: &[u32], frames: u32) -> bool {
    let (troupe, [saved, _]) = &*SAVED;
    let state = CharacterState::record(saved.rig(), |writer| record.iter().for_each(|word| writer.word(*word)));
    let mut character = troupe.whole().0;
    let before = character.state();
    if let Err(error) = character.restore(&state) {
        assert!(character.state() == before, "an error changed something: {error}");
        return false;
    }
    for frame in SAVED_AT + 1..=SAVED_AT + frames {
        assert!(step(&mut character, frame, 1.0 / 60.0).is_finite, "frame {frame}");
        assert!(character.events().take(1_000_000).count() < 1_000_000, "frame {frame}: events without end");
    }
    if let Err(error) = troupe.whole().0.restore(&character.state()) {
        // What is large may grow.
        assert_eq!(error.problem, StateProblem::TooLarge, "what was restored has spread: {error}");
    }
    true
}

#[test]
fn what_is_cut_off_is_refused_with_its_place() {
    let (troupe, states) = &*SAVED;
    for saved in states {
        assert!(survives(saved.words(), 60), "as it is, it is fine");
        let mut character = troupe.whole().0;
        for length in 0..saved.words().len() {
            let words = &saved.words()[..length];
            let state = CharacterState::record(saved.rig(), |writer| words.iter().for_each(|word| writer.word(*word)));
            let error = character.restore(&state).expect_err("it is cut off");
            assert!(!error.place.is_empty(), "{length} words: {error}");
        }
        let bytes = saved.to_bytes();
        for length in 0..bytes.len() {
            assert!(CharacterState::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
        }
    }
}

/// Each word in turn is a number that fits nowhere, or a length that nothing has.
#[test]
fn senseless_words_do_no_harm() {
    let senseless = [f32::NAN, f32::MAX, -1e14].map(f32::to_bits);
    for saved in &SAVED.1 {
        for at in 0..saved.words().len() {
            for word in senseless.into_iter().chain([u32::MAX, 1]) {
                let mut record = saved.words().to_vec();
                record[at] = word;
                survives(&record, 2);
            }
        }
    }
}

#[test]
fn no_flipped_bit_does_harm() {
    for saved in &SAVED.1 {
        let mut accepted = 0;
        // A few bits of each word, others in the next.
        for bit in (0..saved.words().len() * 32).step_by(7) {
            let mut record = saved.words().to_vec();
            record[bit / 32] ^= 1 << (bit % 32);
            accepted += usize::from(survives(&record, 2));
        }
        assert!(accepted > 500, "{accepted}: most numbers may be others");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn flipped_bits_do_no_harm(
        which in 0..2_usize,
        flips in proptest::collection::vec((any::<prop::sample::Index>(), 0..32_u32), 1..12),
    ) {
        let mut record = SAVED.1[which].words().to_vec();
        for (at, bit) in flips {
            let at = at.index(record.len());
            record[at] ^= 1 << bit;
        }
        survives(&record, 10);
    }

    #[test]
    fn words_of_any_kind_do_no_harm(
        words in proptest::collection::vec(prop_oneof![any::<u32>(), 0..3_u32], 1..200),
        at in any::<prop::sample::Index>(),
    ) {
        // In the place of others, so that they are read at all.
        let mut record = SAVED.1[0].words().to_vec();
        let at = at.index(record.len());
        for (own, other) in record[at..].iter_mut().zip(words) {
            *own = other;
        }
        survives(&record, 5);
    }
}

#[cfg(feature = "serde")]
#[test]
fn other_documents_may_hold_whole_characters() {
    let (troupe, states) = &*SAVED;
    for saved in states {
        let text = serde_json::to_string(saved).expect("it is written");
        let read: CharacterState = serde_json::from_str(&text).expect("it is read");
        assert!(read == *saved);
        let [mut own, mut other] = [saved, &read].map(|state| {
            let mut character = troupe.whole().0;
            character.restore(state).expect("the same set-up");
            character
        });
        for frame in SAVED_AT + 1..SAVED_AT + 30 {
            assert!(step(&mut own, frame, 0.02) == step(&mut other, frame, 0.02), "frame {frame}");
        }
        assert!(serde_json::from_str::<CharacterState>(&text[..text.len() - 2]).is_err());
    }
}
