//! Sparse accessors.

use serde_json::json;

use crate::support::Kind::{Limit, Malformed};
use crate::support::rigs::{TIMES, TRANSLATIONS};
use crate::support::{Array, Component, F32, Gltf, I16, U8, U32, case, check};

/// Replaces translations at these places by `values` numbers.
fn replace(g: &mut Gltf, index_type: Component, places: &[usize], values: usize) {
    g.replace(TRANSLATIONS, index_type, places, &Array::new(F32, "VEC3", vec![0.5; values]));
}

#[test]
fn indices() {
    check(&[
        case("an index beyond the end")
            .edit(|g, is_wrong| replace(g, U32, &[if is_wrong { 5 } else { 4 }], 3))
            .refused(Malformed, &["accessor 9", "sparse", "5"]),
        case("an index of 2^32 - 1")
            .edit(|g, is_wrong| replace(g, U32, &[if is_wrong { u32::MAX as usize } else { 4 }], 3))
            .refused(Malformed, &["accessor 9", "4294967295"]),
        case("indices that fall")
            .edit(|g, is_wrong| replace(g, U8, if is_wrong { &[3, 1] } else { &[1, 3] }, 6))
            .refused(Malformed, &["accessor 9", "3 and 1"]),
        case("an index twice")
            .edit(|g, is_wrong| replace(g, U8, if is_wrong { &[2, 2] } else { &[2, 3] }, 6))
            .refused(Malformed, &["accessor 9", "2 and 2"]),
        case("signed indices")
            .edit(|g, is_wrong| replace(g, if is_wrong { I16 } else { crate::support::U16 }, &[1], 3))
            .refused(Malformed, &["accessor 9", "sparse indices"]),
        case("float indices")
            .edit(|g, is_wrong| replace(g, if is_wrong { F32 } else { U32 }, &[1], 3))
            .refused(Malformed, &["accessor 9", "sparse indices"]),
        case("indices of no type")
            .edit(|g, _| replace(g, U32, &[1], 3))
            .set("/accessors/9/sparse/indices/componentType", 5124, 5125)
            .refused(Malformed, &["accessor 9", "5124"]),
    ]);
}

#[test]
fn counts() {
    check(&[
        case("a count of 0")
            .edit(|g, _| replace(g, U32, &[1], 3))
            .set("/accessors/9/sparse/count", 0, 1)
            .refused(Malformed, &["accessor 9", "sparse.count is 0"]),
        case("a count above the accessor's")
            .edit(|g, is_wrong| {
                let places: Vec<usize> = (0..if is_wrong { 7 } else { 5 }).collect();
                replace(g, U32, &places, 3 * places.len());
            })
            .refused(Malformed, &["accessor 9", "sparse.count is 7"]),
        case("too few values")
            .edit(|g, is_wrong| replace(g, U32, &[0, 1, 2], if is_wrong { 6 } else { 9 }))
            .refused(Malformed, &["accessor 9", "sparse values"]),
        case("too few indices")
            .edit(|g, _| replace(g, U32, &[0, 1], 9))
            .set("/accessors/9/sparse/count", 3, 2)
            .refused(Malformed, &["accessor 9", "sparse indices"]),
        case("values that start too late")
            .edit(|g, _| replace(g, U32, &[0, 1], 6))
            .set("/accessors/9/sparse/values/byteOffset", 4, 0)
            .refused(Malformed, &["accessor 9", "sparse values"]),
        case("indices at 2^64 - 4")
            .edit(|g, _| replace(g, U32, &[0, 1], 6))
            .set("/accessors/9/sparse/indices/byteOffset", u64::MAX - 3, 0)
            .refused(Malformed, &["accessor 9", "sparse indices"]),
    ]);
}

#[test]
fn views() {
    check(&[
        case("a view of indices that does not exist")
            .edit(|g, _| replace(g, U32, &[1], 3))
            .set("/accessors/9/sparse/indices/bufferView", 99, 10)
            .refused(Malformed, &["accessor 9", "buffer view 99"]),
        case("a view of values that does not exist")
            .edit(|g, _| replace(g, U32, &[1], 3))
            .set("/accessors/9/sparse/values/bufferView", 99, 11)
            .refused(Malformed, &["accessor 9", "buffer view 99"]),
    ]);
}

/// A few bytes of JSON that ask for gigabytes of zeros.
#[test]
fn zeros_without_end() {
    let translations = |title, count: u64| {
        case(title).edit(move |g, is_wrong| {
            g.remove("/accessors/9/bufferView");
            replace(g, U32, &[0], 3);
            if is_wrong {
                g.set("/accessors/9/count", count);
                g.set("/animations/0/samplers/3", json!({"input": TRANSLATIONS, "output": TRANSLATIONS}));
                g.set("/accessors/9/type", "SCALAR");
            }
        })
    };
    check(&[
        translations("300,000,000 zeros", 300_000_000).refused(Limit, &["decoded"]),
        translations("2^32 + 10 zeros", (1 << 32) + 10).refused(Limit, &["decoded"]),
        translations("2^62 zeros", 1 << 62).refused(Limit, &["decoded"]),
        translations("2^64 - 1 zeros", u64::MAX).refused(Limit, &["decoded"]),
        case("100,000,000 indices that are all zero")
            .edit(|g, is_wrong| {
                let indices = g.zeros(U8, "SCALAR", if is_wrong { 100_000_000 } else { 3 });
                g.set("/meshes/0/primitives/0/indices", indices);
            })
            .refused(Limit, &["decoded"]),
        case("300,000,000 zeros without sparse values")
            .edit(|g, is_wrong| {
                g.remove("/accessors/5/bufferView");
                g.set("/accessors/5/count", if is_wrong { 300_000_000 } else { 5 });
                if !is_wrong {
                    // Five equal times would be a fault of their own.
                    g.set("/accessors/5/bufferView", TIMES);
                }
            })
            .refused(Limit, &["decoded"]),
    ]);
}
