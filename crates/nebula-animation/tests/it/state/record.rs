use nebula_animation::{CharacterState, state::StateProblem};
use proptest::prelude::*;

fn state() -> CharacterState {
    CharacterState::record(0x0123_4567_89ab_cdef, |writer| writer.write(&vec![1.5_f32, -0.0, 3.25]))
}

#[test]
fn the_bytes_are_the_same_everywhere() {
    let bytes = state().to_bytes();
    let expected = [
        &b"NBST"[..],
        &[3, 0, 0, 0],
        &[0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01],
        &[3, 0, 0, 0],
        &[0, 0, 0xc0, 0x3f],
        &[0, 0, 0, 0x80],
        &[0, 0, 0x50, 0x40],
    ];
    assert_eq!(bytes[..bytes.len() - 8], expected.concat());
    assert_eq!(CharacterState::from_bytes(&bytes), Ok(state()));
}

#[test]
fn every_changed_byte_and_every_cut_shows() {
    let bytes = state().to_bytes();
    for at in 0..bytes.len() {
        assert!(CharacterState::from_bytes(&bytes[..at]).is_err(), "cut off at {at}");
        for bit in 0..8 {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            assert!(CharacterState::from_bytes(&changed).is_err(), "bit {bit} of byte {at}");
        }
    }
    let mut longer = bytes;
    longer.push(0);
    assert!(CharacterState::from_bytes(&longer).is_err());
}

#[test]
fn other_versions_and_rigs_are_refused() {
    let mut bytes = state().to_bytes();
    bytes[4] = 9;
    let error = CharacterState::from_bytes(&bytes).expect_err("another version");
    assert_eq!(error.to_string(), "the state has version 9, expected 3");
    let error = state().restore(1, |_| Ok(())).expect_err("another rig");
    assert_eq!(error.problem, StateProblem::Rig);
}

#[test]
fn everything_has_to_be_read() {
    let error = state().restore(state().rig(), |reader| reader.word()).expect_err("there is more");
    assert_eq!(error.problem, StateProblem::LeftOver(3));
}

#[cfg(feature = "serde")]
#[test]
fn it_can_be_part_of_other_documents() {
    let text = serde_json::to_string(&state()).expect("it is written");
    assert_eq!(text, r#"{"version":3,"rig":81985529216486895,"words":[3,1069547520,2147483648,1078984704]}"#);
    let read: CharacterState = serde_json::from_str(&text).expect("it is read");
    assert_eq!(read, state());
    let other: CharacterState = serde_json::from_str(&text.replace(":3,", ":9,")).expect("it is read");
    let error = other.restore(state().rig(), |_| Ok(())).expect_err("another version");
    assert_eq!(error.problem, StateProblem::Version { found: 9, expected: 3 });
}

proptest! {
    #[test]
    fn bytes_of_any_kind_are_refused(mut bytes in proptest::collection::vec(any::<u8>(), 0..100), has_head in any::<bool>()) {
        if has_head && bytes.len() > 8 {
            bytes[..8].copy_from_slice(b"NBST\x03\0\0\0");
        }
        prop_assert!(CharacterState::from_bytes(&bytes).is_err());
    }
}
