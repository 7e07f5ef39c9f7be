use glam::{DVec3, Mat3A, Quat, Vec2, Vec3, Vec3A};
use nebula_animation::state::{StateError, StateProblem, StateReader, StateWriter, Stateful};
use proptest::prelude::*;

/// Writes a value and reads it into another one; the words that it took.
fn copy<T: Stateful>(from: &T, to: &mut T) -> Result<usize, StateError> {
    let mut writer = StateWriter::default();
    writer.write(from);
    let mut reader = StateReader::new(writer.words());
    reader.read(to)?;
    reader.finish()?;
    Ok(writer.words().len())
}

fn comes_back<T: Stateful + Default + PartialEq + std::fmt::Debug>(value: T, words: usize) {
    let mut read = T::default();
    assert_eq!(copy(&value, &mut read), Ok(words), "{value:?}");
    assert_eq!(read, value);
}

#[test]
fn every_kind_of_value_comes_back() {
    comes_back(true, 1);
    comes_back(200_u8, 1);
    comes_back(60_000_u16, 1);
    comes_back(u32::MAX, 1);
    comes_back(u64::MAX - 1, 2);
    comes_back(i32::MIN, 1);
    comes_back(i64::MIN + 1, 2);
    comes_back(usize::MAX, 2);
    comes_back(-1.5_f32, 1);
    comes_back(std::f64::consts::PI, 2);
    comes_back(Vec2::new(1.0, -2.0), 2);
    comes_back(Vec3::new(1.0, -2.0, 3.0), 3);
    comes_back(Vec3A::new(1.0, -2.0, 3.0), 3);
    comes_back(DVec3::new(1.0, -2.0, 1e300), 6);
    comes_back(Quat::from_rotation_x(1.0), 4);
    comes_back(Mat3A::from_rotation_x(1.0), 9);
    comes_back([1_u8, 2, 3], 3);
    comes_back(Some(Vec2::X), 3);
    comes_back(None::<u64>, 1);
    comes_back(vec![Some(1_u16), None], 4);
    comes_back((1_u8, 2_u64), 3);
    comes_back((1_u8, 2.0_f32, vec![true]), 4);
    comes_back((1_u8, 2_u8, 3_u8, false), 4);
    let mut fixed: Box<[u8]> = Box::new([7, 7]);
    assert_eq!(copy(&Box::from([1, 2]), &mut fixed), Ok(3));
    assert_eq!(*fixed, [1, 2]);
}

#[test]
fn zeros_keep_their_sign() {
    let mut read = 1.0_f32;
    assert_eq!(copy(&-0.0, &mut read), Ok(1));
    assert_eq!(read.to_bits(), (-0.0_f32).to_bits());
}

#[test]
fn what_is_there_already_is_replaced() {
    let mut list = vec![7_u8; 9];
    assert_eq!(copy(&vec![1, 2], &mut list), Ok(3));
    assert_eq!(list, [1, 2]);
    let mut option = Some(4_u8);
    assert_eq!(copy(&None, &mut option), Ok(1));
    assert_eq!(option, None);
}

#[test]
fn numbers_that_are_none_are_refused_unless_users_set_them() {
    for number in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        assert_eq!(copy(&number, &mut 0.0), Err(StateProblem::NotFinite.into()));
        assert_eq!(copy(&f64::from(number), &mut 0.0), Err(StateProblem::NotFinite.into()));
        assert_eq!(copy(&Vec3::new(0.0, 0.0, number), &mut Vec3::default()), Err(StateProblem::NotFinite.into()));
        let words = [number.to_bits(), number.to_bits()];
        let mut reader = StateReader::new(&words);
        let mut read = 0.0_f32;
        assert_eq!(reader.read_any(&mut read), Ok(()));
        assert_eq!(read.to_bits(), number.to_bits());
        assert_eq!(reader.read(&mut read), Err(StateProblem::NotFinite.into()), "the exception is over");
    }
    assert_eq!(copy(&-2e15_f32, &mut 0.0), Err(StateProblem::TooLarge.into()));
    assert_eq!(copy(&2e15_f64, &mut 0.0), Ok(2), "times are long");
    let nothing = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    assert_eq!(copy(&nothing, &mut Quat::default()), Err(StateProblem::NotARotation.into()));
}

fn read<T: Stateful + Default>(words: &[u32]) -> Result<T, StateProblem> {
    let mut value = T::default();
    StateReader::new(words).read(&mut value).map_err(|error| error.problem).map(|()| value)
}

#[test]
fn values_that_a_type_does_not_have_are_refused() {
    assert_eq!(read::<bool>(&[2]), Err(StateProblem::OutOfRange(2)));
    assert_eq!(read::<Option<u8>>(&[7, 1]), Err(StateProblem::OutOfRange(7)));
    assert_eq!(read::<u8>(&[256]), Err(StateProblem::OutOfRange(256)));
    assert_eq!(read::<u16>(&[65_536]), Err(StateProblem::OutOfRange(65_536)));
    let mut fixed = vec![0_u8; 3].into_boxed_slice();
    let error = StateReader::new(&[2, 1, 1]).read(&mut fixed).map_err(|error| error.problem);
    assert_eq!(error, Err(StateProblem::Count { found: 2, expected: 3 }));
}

/// A length is no reason to take memory.
#[test]
fn lengths_beyond_the_record_are_refused() {
    for length in [3, 1000, u32::MAX] {
        assert_eq!(read::<Vec<[u64; 32]>>(&[length, 0, 0]), Err(StateProblem::TooShort));
    }
}

proptest! {
    #[test]
    fn any_words_are_a_value_or_an_error(words in proptest::collection::vec(prop_oneof![any::<u32>(), 0..4_u32], 0..40)) {
        let _ = read::<Vec<Option<(Vec3, u16)>>>(&words);
        let _ = read::<Vec<Vec<Vec<u8>>>>(&words);
        let _ = read::<(f64, Vec<bool>, Quat, usize)>(&words);
        let _ = read::<[Option<DVec3>; 3]>(&words);
    }
}
