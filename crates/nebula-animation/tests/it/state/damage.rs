//! Records that were cut off or changed: an error, or finite poses, and nothing that stays.

use std::sync::LazyLock;

use nebula_animation::{
    ProceduralAnimationStack,
    state::{StateReader, StateWriter},
};
use proptest::prelude::*;

use super::cast::{Cast, Layers, is_finite};

fn words(stack: &ProceduralAnimationStack) -> Vec<u32> {
    let mut writer = StateWriter::default();
    writer.write(stack);
    writer.into_words()
}

/// All layers after some frames, in which a foot stands and the springs swing.
static SAVED: LazyLock<(Cast, Vec<u32>)> = LazyLock::new(|| {
    let cast = Cast::load();
    let mut stack = cast.stack(Layers::All);
    (0..=SAVED_AT).for_each(|frame| drop(cast.frame(Layers::All, &mut stack, frame)));
    let words = words(&stack);
    (cast, words)
});
const SAVED_AT: u16 = 30;

/// Restores a record and goes on. Poses are finite, and what the layers remember then can be restored again.
fn survives(record: &[u32]) {
    let cast = &SAVED.0;
    let mut stack = cast.stack(Layers::All);
    let before = words(&stack);
    if StateReader::new(record).read(&mut stack).is_err() {
        assert_eq!(words(&stack), before, "an error changed something");
        return;
    }
    for frame in SAVED_AT + 1..SAVED_AT + 16 {
        assert!(is_finite(&cast.frame(Layers::All, &mut stack, frame)), "frame {frame}");
    }
    let after = words(&stack);
    if let Err(error) = StateReader::new(&after).read(&mut cast.stack(Layers::All)) {
        panic!("what was restored has spread: {error}");
    }
}

#[test]
fn what_is_cut_off_is_refused() {
    let record = &SAVED.1;
    for length in 0..record.len() {
        let mut stack = SAVED.0.stack(Layers::All);
        let error = StateReader::new(&record[..length]).read(&mut stack).expect_err("it is cut off");
        assert!(!error.place.is_empty(), "{error}");
    }
}

/// Each word in turn is a number that fits nowhere, or a length that nothing has.
#[test]
fn senseless_words_do_no_harm() {
    let senseless = [f32::NAN, f32::INFINITY, f32::MAX, -1e25, 1e19].map(f32::to_bits);
    for at in 0..SAVED.1.len() {
        for word in senseless.into_iter().chain([u32::MAX, 1]) {
            let mut record = SAVED.1.clone();
            record[at] = word;
            survives(&record);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn flipped_bits_do_no_harm(flips in proptest::collection::vec((any::<prop::sample::Index>(), 0..32_u32), 1..12)) {
        let mut record = SAVED.1.clone();
        for (at, bit) in flips {
            let at = at.index(record.len());
            record[at] ^= 1 << bit;
        }
        survives(&record);
    }

    #[test]
    fn words_of_any_kind_do_no_harm(record in proptest::collection::vec(any::<u32>(), 0..600), has_count in any::<bool>()) {
        let mut record = record;
        if has_count && record.len() > 1 {
            // Past the first check.
            record[..1].copy_from_slice(&SAVED.1[..1]);
        }
        survives(&record);
    }
}
