//! States: records of nothing, of anything, and of something else.

use glam::{Quat, Vec3};
use nebula_animation::{
    AnimationClipLibrary, Character, CharacterState, ClipId,
    state::{StateError, StateProblem, StateReader, StateWriter},
};

use super::Table;
use super::fixtures::{NAMES, numbers, rotations, vectors};

/// Words that no record has.
const RECORDS: [&[u32]; 5] = [&[], &[u32::MAX], &[0], &[u32::MAX, u32::MAX, u32::MAX], &[1, 0x7fc0_0000]];

pub fn rows(table: &mut Table) {
    table.row("StateWriter::write", || {
        let mut writer = StateWriter::default();
        numbers().for_each(|number| writer.write(&number));
        vectors().for_each(|vector| writer.write(&Some(vector)));
        rotations().for_each(|rotation| writer.write(&rotation));
        writer.write(&Vec::<u8>::new());
        writer.write::<[f32; 0]>(&[]);
        assert_eq!(writer.words().len(), 11 + 22 * 4 + 22 * 4 + 1);
    });
    table.row("StateWriter::word", || StateWriter::default().word(u32::MAX));
    table.row("StateReader::new", || {
        for record in RECORDS {
            assert_eq!(StateReader::new(record).finish().is_ok(), record.is_empty());
        }
    });
    table.row("StateReader::read", || {
        for record in RECORDS {
            let mut values = (0_u64, vec![Some(Quat::IDENTITY)], [Vec3::ZERO; 2]);
            assert!(StateReader::new(record).read(&mut values).is_err());
            // However often.
            let mut reader = StateReader::new(record);
            (0..10).for_each(|_| drop(reader.read(&mut vec![0.0_f64])));
        }
    });
    table.row("StateReader::read_any", || {
        for record in RECORDS {
            assert!(StateReader::new(record).read_any(&mut [Vec3::ZERO; 2]).is_err());
        }
    });
    table.row("StateError::new", || {
        assert!(!StateError::new(StateProblem::Other(String::new())).to_string().contains(':'));
    });
    table.row("StateError::within", || {
        for name in NAMES {
            assert!(StateError::new(StateProblem::Rig).within(name).to_string().contains(name));
        }
    });
    table.row("CharacterState::record", || {
        let empty = CharacterState::record(u64::MAX, |_| {});
        assert_eq!(CharacterState::from_bytes(&empty.to_bytes()), Ok(empty));
    });
    table.row("CharacterState::restore", || {
        let empty = CharacterState::record(0, |_| {});
        assert!(empty.restore(u64::MAX, |_| Ok(())).is_err());
        assert!(empty.restore(0, |reader| reader.word()).is_err());
    });
    table.row("Character::restore", || {
        let mut nobody = Character::of(AnimationClipLibrary::default());
        let own = nobody.state();
        for record in RECORDS {
            let state = CharacterState::record(own.rig(), |writer| record.iter().for_each(|word| writer.word(*word)));
            assert!(nobody.restore(&state).is_err());
            assert_eq!(nobody.state(), own);
        }
        assert!(nobody.restore(&CharacterState::record(!own.rig(), |_| {})).is_err());
    });
    table.row("ClipId::new", || {
        let library = AnimationClipLibrary::default();
        assert!(Character::of(library.clone()).mixer.play(ClipId::new(usize::MAX), 0.0).is_err());
        assert!(library.get(ClipId::new(usize::MAX).index()).is_none());
    });
    table.row("CharacterState::from_bytes", || {
        for bytes in [&b""[..], b"N", b"NBST", b"NBST\x01\0\0\0", b"NBST\x01\0\0\0\0\0\0\0\0\0\0\0", &[255; 64]] {
            assert!(CharacterState::from_bytes(bytes).is_err());
        }
    });
}
