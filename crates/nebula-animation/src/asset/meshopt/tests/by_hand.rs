//! Streams written by hand from the text of the extensions: its examples, and each of its rules broken.

use super::super::{Filter, Mode, decode, indices};

#[test]
fn examples_of_the_extensions_decode() {
    // Sixteen differences of 4 bits, two of which are escaped, in the first of four planes.
    let group = [0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5];
    let deltas = [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0];
    let stream = [&[0xa0, 2], &group[..], &[0, 0, 0], &[0; 32]].concat();
    let mut value = 0_i8;
    let expected: Vec<u8> = deltas
        .into_iter()
        .flat_map(|delta| {
            value = value.wrapping_add(delta);
            [value as u8, 0, 0, 0]
        })
        .collect();
    assert_eq!(decode(&stream, Mode::Attributes, Filter::None, 16, 4), Ok(expected));

    let number = |mut bytes: &[u8]| indices::read_varint(&mut bytes);
    assert_eq!(number(&[0x7f]), Ok(0x7f));
    assert_eq!(number(&[0x81, 0x04]), Ok(0x201));
    // The third example of the extensions, 0x1fd005, takes the groups in the opposite order to the second. The
    // encoder and the definition of LEB128 agree with the second.
    assert_eq!(number(&[0xff, 0xa0, 0x05]), Ok(0x01_507f));
}

#[test]
fn streams_that_break_a_rule_are_errors() {
    // The triangle 0, 1, 2 and one on its last edge, with every byte free to be replaced.
    let triangles = |codes: [u8; 2], table: [u8; 3]| {
        let [first, before_last, last] = table;
        let stream = [&[0xe1][..], &codes, &[first], &[0; 13], &[before_last, last]].concat();
        decode(&stream, Mode::Triangles, Filter::None, 6, 2)
    };
    assert!(triangles([0x00, 0xf0], [0; 3]).is_err(), "an edge before the first");
    assert!(triangles([0xf0, 0x30], [0; 3]).is_err(), "the edge before the first");
    assert!(triangles([0xf0, 0x03], [0; 3]).is_err(), "the vertex before the first");
    assert!(triangles([0xf0, 0x0f], [0; 3]).is_err(), "an index that is not there");
    assert!(triangles([0xf0, 0xfe], [0; 3]).is_err(), "sources that are not there");
    assert!(triangles([0xf0, 0x00], [0x0f, 0, 0]).is_err(), "a digit f on the right");
    assert!(triangles([0xf0, 0x00], [0xf0, 0, 0]).is_err(), "a digit f on the left");
    assert!(triangles([0xf0, 0x00], [0, 1, 0]).is_err(), "a table that does not end in zeros");
    let expected = vec![0, 0, 1, 0, 2, 0, 0, 0, 2, 0, 3, 0];
    assert_eq!(triangles([0xf0, 0x00], [0; 3]), Ok(expected));

    // One index in six bytes, and in five.
    let index = |bytes: &[u8]| {
        let stream = [&[0xd1], bytes, &[0; 4]].concat();
        decode(&stream, Mode::Indices, Filter::None, 1, 4)
    };
    assert!(index(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x00]).is_err());
    assert_eq!(index(&[0x84, 0x80, 0x80, 0x80, 0x00]), Ok(vec![1, 0, 0, 0]));

    // Version 1, one element of one channel whose planes are all zero.
    let channel = |mode| {
        let stream = [&[0xa1, 0xaa], &[0; 19][..], &[1, 2, 3, 4, mode]].concat();
        decode(&stream, Mode::Attributes, Filter::None, 1, 4)
    };
    assert!(channel(0x03).is_err());
    assert!(channel(0x10).is_err());
    assert!(channel(0x11).is_err());
    for mode in [0x00, 0x01, 0x02, 0xf2] {
        assert_eq!(channel(mode), Ok(vec![1, 2, 3, 4]));
    }
}
