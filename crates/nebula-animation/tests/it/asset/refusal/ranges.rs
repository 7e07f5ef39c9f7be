//! Accessors and views that do not fit.

use serde_json::json;

use crate::support::Kind::{Gltf, Malformed};
use crate::support::rigs::{BINDS, TIMES, TRANSLATIONS};
use crate::support::{Array, F32, case, check};

/// Times, rotations and translations keep their constants: accessor 5, 6 and 9.
#[test]
fn counts() {
    assert_eq!((BINDS, TIMES, TRANSLATIONS), (0, 5, 9));
    check(&[
        case("one element too many")
            .set("/accessors/5/count", 6, 5)
            .refused(Malformed, &["accessor 5", "buffer view 5"]),
        case("one matrix too many")
            .set("/accessors/0/count", 4, 3)
            .refused(Malformed, &["accessor 0", "buffer view 0"]),
        case("2^31 - 1 elements").set("/accessors/6/count", (1_u64 << 31) - 1, 5).refused(Malformed, &["accessor 6"]),
        case("no elements").set("/accessors/5/count", 0, 5).refused(Malformed, &["accessor 5", "count is 0"]),
        case("no elements, where nobody looks")
            .edit(|g, is_wrong| {
                g.push("accessors", json!({"componentType": 5126, "type": "SCALAR", "count": u32::from(!is_wrong)}));
            })
            .refused(Malformed, &["accessor 10", "count is 0"]),
        case("2^62 + 1 elements of 4 bytes, which is 4 bytes in 64 bits")
            .set("/accessors/5/count", (1_u64 << 62) + 1, 5)
            .refused(Malformed, &["accessor 5"]),
        case("2^60 + 1 matrices").set("/accessors/0/count", (1_u64 << 60) + 1, 3).refused(Malformed, &["accessor 0"]),
        case("2^64 - 1 elements").set("/accessors/5/count", u64::MAX, 5).refused(Malformed, &["accessor 5"]),
    ]);
}

#[test]
fn offsets() {
    check(&[
        case("an accessor that starts behind its view")
            .set("/accessors/9/byteOffset", 4096, 0)
            .refused(Malformed, &["accessor 9", "byte 4096"]),
        case("an accessor that starts 4 bytes too late")
            .set("/accessors/9/byteOffset", 4, 0)
            .refused(Malformed, &["accessor 9"]),
        case("an accessor at 2^32").set("/accessors/0/byteOffset", 1_u64 << 32, 0).refused(Malformed, &["accessor 0"]),
        case("an accessor at 2^64 - 4").set("/accessors/5/byteOffset", u64::MAX - 3, 0).refused(Malformed, &["accessor 5"]),
        case("a negative offset").put("/bufferViews/5/byteOffset", -4).refused(Gltf, &["bufferViews[5].byteOffset"]),
        case("floats at byte 1")
            .edit(|g, is_wrong| {
                let view = g.view(&[0; 24]);
                let offset = u32::from(is_wrong);
                let accessor = json!({"bufferView": view, "byteOffset": offset, "componentType": 5126, "type": "SCALAR", "count": 5});
                g.push("accessors", accessor);
            })
            .repaired(&["accessor 10", "aligned"]),
    ]);
}

#[test]
fn views() {
    check(&[
        case("a view longer than its buffer")
            .put("/bufferViews/0/byteLength", 1_000_000)
            .refused(Malformed, &["buffer view 0", "buffer 0"]),
        case("a view at 2^64 - 8")
            .put("/bufferViews/0/byteOffset", u64::MAX - 7)
            .refused(Malformed, &["buffer view 0"]),
        case("a view of 2^64 - 1 bytes")
            .put("/bufferViews/0/byteLength", u64::MAX)
            .refused(Malformed, &["buffer view 0"]),
        case("a view at 2^63 of 2^63 bytes")
            .put("/bufferViews/0/byteOffset", 1_u64 << 63)
            .put("/bufferViews/0/byteLength", 1_u64 << 63)
            .refused(Malformed, &["buffer view 0"]),
        case("a view one byte too short")
            .put("/bufferViews/5/byteLength", 19)
            .refused(Malformed, &["accessor 5", "19 bytes"]),
        case("a view that does not exist")
            .set("/accessors/5/bufferView", 10, 5)
            .refused(Malformed, &["accessor 5", "buffer view 10"]),
        case("view 2^32, which is 0 in 32 bits")
            .set("/accessors/5/bufferView", 1_u64 << 32, 5)
            .refused(Malformed, &["accessor 5", "4294967296"]),
    ]);
}

#[test]
fn strides() {
    // A view of its own, so that the stride is legal for what reads it.
    let strided = |title, wrong: u64, right: u64| {
        case(title).edit(move |g, is_wrong| {
            let positions = g.add(&Array::new(F32, "VEC3", [0.5; 18 + 3 * 120]));
            let accessor = &mut g.json["accessors"][positions];
            accessor["count"] = json!(6);
            let view = accessor["bufferView"].clone();
            g.set(&format!("/bufferViews/{view}/byteStride"), if is_wrong { wrong } else { right });
            g.set("/meshes/0/primitives/0/attributes/POSITION", positions);
        })
    };
    check(&[
        strided("a stride of 0", 0, 12).refused(Malformed, &["buffer view 10", "byteStride is 0"]),
        strided("a stride smaller than an element", 8, 12).refused(Malformed, &["accessor 10", "byteStride 8"]),
        strided("a stride beyond the view", 1 << 40, 16).refused(Malformed, &["accessor 10"]),
        strided("a stride that overflows", u64::MAX, 16).refused(Malformed, &["accessor 10"]),
        strided("a stride of 256", 256, 252).repaired(&["buffer view 10", "256"]),
        strided("a stride that is not aligned", 13, 12).repaired(&["accessor 10", "aligned"]),
    ]);
}
