//! Buffers that are not there, or not long enough.

use serde_json::json;

use crate::support::Kind::{Gltf, Malformed, Resource};
use crate::support::{Gltf as File, base64, case, check, glb_of};

/// Sets the buffer's URI to a data URI of these bytes.
fn set_data(g: &mut File, head: &str, bytes: &[u8]) {
    g.set("/buffers/0/byteLength", g.buffers[0].len());
    g.set("/buffers/0/uri", format!("{head}{}", base64(bytes)));
}

#[test]
fn data_uris() {
    check(&[
        case("letters that are not base64")
            .edit(|g, is_wrong| {
                let bytes = g.buffers[0].clone();
                set_data(g, if is_wrong { "data:;base64,@@!!" } else { "data:;base64," }, &bytes);
            })
            .embedded()
            .refused(Resource, &["buffer 0", "base64"]),
        case("one byte too few")
            .edit(|g, is_wrong| {
                let bytes = g.buffers[0][..g.buffers[0].len() - usize::from(is_wrong)].to_vec();
                set_data(g, "data:application/octet-stream;base64,", &bytes);
            })
            .embedded()
            .refused(Malformed, &["buffer 0", "byteLength"]),
        case("a data URI without base64")
            .edit(|g, is_wrong| {
                let bytes = g.buffers[0].clone();
                set_data(g, if is_wrong { "data:application/octet-stream," } else { "data:;base64," }, &bytes);
            })
            .embedded()
            .refused(Resource, &["buffer 0", "base64"]),
        case("a data URI without a comma")
            .edit(|g, is_wrong| {
                let bytes = g.buffers[0].clone();
                set_data(g, if is_wrong { "data:;base64" } else { "data:;base64," }, &bytes);
            })
            .embedded()
            .refused(Resource, &["buffer 0", "comma"]),
    ]);
}

#[test]
fn lengths() {
    check(&[
        case("a length of 2^63")
            .edit(|g, is_wrong| {
                g.set("/buffers/0/byteLength", if is_wrong { 1 << 63 } else { g.buffers[0].len() as u64 });
            })
            .refused(Malformed, &["buffer 0", "9223372036854775808"]),
        case("a length of 2^64 - 1")
            .edit(|g, is_wrong| {
                g.set("/buffers/0/byteLength", if is_wrong { u64::MAX } else { g.buffers[0].len() as u64 });
            })
            .refused(Malformed, &["buffer 0", "18446744073709551615"]),
        case("a length that the chunk has not")
            .edit(|g, is_wrong| {
                let length = g.buffers[0].len().next_multiple_of(4);
                g.buffers[0].resize(length, 0);
                g.set("/buffers/0/byteLength", length + usize::from(is_wrong));
            })
            .refused(Malformed, &["buffer 0", "byteLength"]),
        case("a length that its views exceed")
            .edit(|g, is_wrong| g.set("/buffers/0/byteLength", g.buffers[0].len() - usize::from(is_wrong)))
            .refused(Malformed, &["buffer view 9", "buffer 0"]),
        case("no length")
            .edit(|g, is_wrong| {
                let length = g.buffers[0].len();
                g.set("/buffers/0", if is_wrong { json!({}) } else { json!({"byteLength": length}) });
            })
            .bytes(|g, _| glb_of(&[(b"JSON", g.json.to_string().as_bytes()), (b"BIN\0", &g.buffers[0])]))
            .refused(Gltf, &["buffers[0]", "byteLength"]),
        case("a chunk much longer than the buffer")
            .edit(|g, is_wrong| {
                g.set("/buffers/0/byteLength", g.buffers[0].len());
                g.buffers[0].extend(vec![0; if is_wrong { 400 } else { 0 }]);
            })
            .noted(&["buffer 0", "longer"]),
    ]);
}

#[test]
fn places() {
    check(&[
        case("no binary chunk")
            .bytes(|g, is_wrong| {
                let json = g.completed(|_| None);
                if is_wrong { glb_of(&[(b"JSON", &json)]) } else { g.glb() }
            })
            .refused(Malformed, &["buffer 0", "binary chunk"]),
        case("no URI outside a .glb")
            .bytes(|g, is_wrong| if is_wrong { g.completed(|_| None) } else { g.embedded() })
            .refused(Malformed, &["buffer 0", "URI"]),
        case("a second buffer without a URI")
            .edit(|g, is_wrong| {
                let second = if is_wrong {
                    json!({"byteLength": 3})
                } else {
                    json!({"byteLength": 3, "uri": "data:;base64,AAAA"})
                };
                g.push("buffers", second);
            })
            .refused(Malformed, &["buffer 1"]),
        case("a buffer that does not exist")
            .set("/bufferViews/5/buffer", 1, 0)
            .refused(Malformed, &["buffer view 5", "buffer 1"]),
        case("no buffers at all").put("/buffers", json!([])).refused(Malformed, &["buffer view 0", "buffer 0"]),
        case("an address on the net")
            .edit(|g, is_wrong| {
                if is_wrong {
                    g.set("/buffers/0/uri", "http://127.0.0.1:9/x.bin");
                }
            })
            .embedded()
            .refused(Resource, &["buffer 0", "http://127.0.0.1:9/x.bin"]),
    ]);
}
