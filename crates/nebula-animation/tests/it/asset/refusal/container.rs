//! The binary container, and files that end too early.

use crate::support::Kind::Gltf;
use crate::support::{Gltf as File, case, check, chunk, glb_of, rigs, try_load, with_length};

/// The JSON chunk and the binary chunk of a file.
fn chunks(g: &File) -> (Vec<u8>, Vec<u8>) {
    (g.completed(|_| None), g.buffers[0].clone())
}

/// The valid file with some bytes replaced.
fn patched(g: &File, at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = g.glb();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

#[test]
fn headers() {
    check(&[
        case("a file of no bytes")
            .bytes(|g, is_wrong| if is_wrong { vec![] } else { g.glb() })
            .refused(Gltf, &["test.glb"]),
        case("the magic number alone")
            .bytes(|g, is_wrong| if is_wrong { b"glTF".to_vec() } else { g.glb() })
            .refused(Gltf, &["header", "4 bytes"]),
        case("a header cut short")
            .bytes(|g, is_wrong| if is_wrong { g.glb()[..11].to_vec() } else { g.glb() })
            .refused(Gltf, &["header", "11 bytes"]),
        case("a header and nothing else")
            .bytes(|g, is_wrong| if is_wrong { with_length(g.glb()[..12].to_vec(), 12) } else { g.glb() })
            .refused(Gltf, &["length 12"]),
        case("a header of length 0")
            .bytes(|g, is_wrong| if is_wrong { with_length(g.glb(), 0) } else { g.glb() })
            .refused(Gltf, &["length 0"]),
        case("a header of length 11")
            .bytes(|g, is_wrong| if is_wrong { with_length(g.glb(), 11) } else { g.glb() })
            .refused(Gltf, &["length 11"]),
        case("a header that claims 4 GB")
            .bytes(|g, is_wrong| if is_wrong { with_length(g.glb()[..12].to_vec(), u32::MAX) } else { g.glb() })
            .refused(Gltf, &["4294967295", "12 bytes"]),
        case("version 1").bytes(|g, is_wrong| patched(g, 4, &[2 - u8::from(is_wrong)])).refused(Gltf, &["version 1"]),
        case("version 3").bytes(|g, is_wrong| patched(g, 4, &[2 + u8::from(is_wrong)])).refused(Gltf, &["version 3"]),
        case("another magic number")
            .bytes(|g, is_wrong| patched(g, 0, if is_wrong { b"GLTF" } else { b"glTF" }))
            .refused(Gltf, &["glTF"]),
        case("something compressed")
            .bytes(|g, is_wrong| if is_wrong { b"\x1f\x8b\x08\0\0\0\0\0".to_vec() } else { g.glb() })
            .refused(Gltf, &["test.glb"]),
    ]);
}

#[test]
fn chunk_lengths() {
    check(&[
        case("a JSON chunk longer than the file")
            .bytes(|g, is_wrong| if is_wrong { patched(g, 12, &0x7fff_ffff_u32.to_le_bytes()) } else { g.glb() })
            .refused(Gltf, &["JSON", "2147483647"]),
        case("a JSON chunk of the largest length")
            .bytes(|g, is_wrong| if is_wrong { patched(g, 12, &u32::MAX.to_le_bytes()) } else { g.glb() })
            .refused(Gltf, &["JSON", "4294967295"]),
        case("an empty JSON chunk")
            .bytes(|g, is_wrong| if is_wrong { glb_of(&[(b"JSON", b""), (b"BIN\0", &[0; 16])]) } else { g.glb() })
            .refused(Gltf, &["test.glb"]),
        case("a binary chunk longer than the file")
            .bytes(|g, is_wrong| {
                let (json, binary) = chunks(g);
                let mut last = chunk(b"BIN\0", &binary);
                if is_wrong {
                    last[..4].copy_from_slice(&0xffff_fffc_u32.to_le_bytes());
                }
                let file = [glb_of(&[(b"JSON", &json)]), last].concat();
                let length = file.len() as u32;
                with_length(file, length)
            })
            .refused(Gltf, &["BIN", "4294967292"]),
        case("bytes too few for a chunk")
            .bytes(|g, is_wrong| {
                let mut file = g.glb();
                if is_wrong {
                    file.extend([0; 5]);
                }
                let length = file.len() as u32;
                with_length(file, length)
            })
            .refused(Gltf, &["5 stray bytes"]),
    ]);
}

#[test]
fn chunk_order() {
    check(&[
        case("two JSON chunks")
            .bytes(|g, is_wrong| {
                let (json, binary) = chunks(g);
                let middle: (&[u8; 4], &[u8]) = (b"JSON", b"{}");
                let all: [(&[u8; 4], &[u8]); 3] = [(b"JSON", &json), middle, (b"BIN\0", &binary)];
                if is_wrong { glb_of(&all) } else { glb_of(&[all[0], all[2]]) }
            })
            .refused(Gltf, &["second", "JSON"]),
        case("two binary chunks")
            .bytes(|g, is_wrong| {
                let (json, binary) = chunks(g);
                let all: [(&[u8; 4], &[u8]); 3] = [(b"JSON", &json), (b"BIN\0", &binary), (b"BIN\0", b"more")];
                glb_of(if is_wrong { &all } else { &all[..2] })
            })
            .refused(Gltf, &["second", "BIN"]),
        case("binary before JSON")
            .bytes(|g, is_wrong| {
                let (json, binary) = chunks(g);
                let mut all: [(&[u8; 4], &[u8]); 2] = [(b"JSON", &json), (b"BIN\0", &binary)];
                if is_wrong {
                    all.reverse();
                }
                glb_of(&all)
            })
            .refused(Gltf, &["first chunk", "BIN"]),
        case("no JSON chunk at all")
            .bytes(|g, is_wrong| if is_wrong { glb_of(&[(b"XTRA", b"{}  ")]) } else { g.glb() })
            .refused(Gltf, &["XTRA"]),
        case("bytes after the end")
            .bytes(|g, is_wrong| if is_wrong { [g.glb(), vec![0; 8]].concat() } else { g.glb() })
            .noted(&["8 bytes", "ignored"]),
    ]);
}

#[test]
fn a_file_cut_at_every_twentieth() {
    let whole = rigs::chain().glb();
    assert!(try_load(&whole).is_ok());
    for twentieth in 0..20 {
        let cut = &whole[..whole.len() * twentieth / 20];
        let error = try_load(cut).expect_err("a part of a file");
        assert!(error.to_string().contains("test.glb"), "{twentieth}/20: {error}");
    }
}

#[test]
fn a_text_cut_at_every_twentieth() {
    let whole = rigs::chain().embedded();
    assert!(try_load(&whole).is_ok());
    for twentieth in 0..20 {
        assert!(try_load(&whole[..whole.len() * twentieth / 20]).is_err(), "{twentieth}/20");
    }
}
