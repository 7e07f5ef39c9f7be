//! Where the bytes of buffers come from: files beside the asset, and data URIs.

use nebula_animation::asset::Limits;
use nebula_animation::{Asset, asset::LoadOptions};

use crate::support::{Folder, Gltf, Kind, base64, rigs, try_load};

/// `chain` with its buffer at this URI.
fn at_uri(uri: &str) -> Vec<u8> {
    let mut g = rigs::chain();
    g.set("/buffers/0/uri", uri);
    g.files().0
}

fn buffer() -> Vec<u8> {
    rigs::chain().buffers[0].clone()
}

#[test]
fn relative_uris_of_every_spelling() {
    for (uri, file) in [
        ("data.bin", "data.bin"),
        ("./data.bin", "data.bin"),
        ("my%20data.bin", "my data.bin"),
        ("my data.bin", "my data.bin"),
        ("buffers/deep/data.bin", "buffers/deep/data.bin"),
        ("b%C3%A4r.bin", "bär.bin"),
        ("bär.bin", "bär.bin"),
        ("100%25.bin", "100%.bin"),
        ("a+b&c=d.bin", "a+b&c=d.bin"),
        ("data", "data"),
    ] {
        let folder = Folder::new().file("model.gltf", &at_uri(uri)).file(file, &buffer());
        let asset = folder.load().unwrap_or_else(|error| panic!("{uri}: {error}"));
        assert_eq!(asset.skeleton.joints.len(), 3, "{uri}");
    }
}

#[test]
fn a_resolver_is_given_decoded_paths_once_per_buffer() {
    let mut g = rigs::chain();
    g.next_buffer();
    let view = g.view(&[0; 16]);
    g.push("accessors", serde_json::json!({"bufferView": view, "componentType": 5126, "type": "SCALAR", "count": 4}));
    g.set("/buffers/0/uri", "a%20b/c.bin");
    let mut asked = Vec::new();
    let result = Asset::from_bytes("x", &g.files().0, &LoadOptions::default(), &mut |uri| {
        asked.push(uri.to_owned());
        Ok(g.buffers[usize::from(asked.len() > 1)].clone())
    });
    assert_eq!(result.expect("all buffers are there").skins.len(), 1);
    assert_eq!(asked[0], "a b/c.bin");
    assert!(asked.len() <= 2, "{asked:?}");
}

#[test]
fn data_uris_of_every_spelling() {
    let data = base64(&buffer());
    for head in [
        "data:application/octet-stream;base64,",
        "data:application/gltf-buffer;base64,",
        "data:;base64,",
        "data:text/plain;charset=utf-8;base64,",
    ] {
        let asset = try_load(&at_uri(&format!("{head}{data}"))).unwrap_or_else(|error| panic!("{head}: {error}"));
        assert_eq!(asset.skeleton.joints.len(), 3, "{head}");
    }
}

#[test]
fn a_data_uri_may_come_without_padding() {
    let mut g = rigs::chain();
    // A length that base64 has to pad.
    while g.buffers[0].len() % 3 != 1 {
        g.buffers[0].push(7);
    }
    let data = base64(&g.buffers[0]);
    assert!(data.ends_with("=="));
    g.set("/buffers/0/uri", format!("data:;base64,{}", data.trim_end_matches('=')));
    assert_eq!(try_load(&g.files().0).expect("it is all there").skins.len(), 1);
}

#[test]
fn a_buffer_may_be_longer_than_it_says() {
    let longer = [buffer(), vec![1, 2, 3]].concat();
    let folder = Folder::new().file("model.gltf", &at_uri("data.bin")).file("data.bin", &longer);
    assert_eq!(folder.load().expect("the surplus is ignored").skins.len(), 1);
}

#[test]
fn a_link_that_stays_inside_is_followed() {
    #[cfg(unix)]
    {
        let folder = Folder::new().file("model.gltf", &at_uri("link.bin")).file("data.bin", &buffer());
        std::os::unix::fs::symlink("data.bin", folder.path("link.bin")).expect("a link");
        assert_eq!(folder.load().expect("it stays in the folder").skins.len(), 1);
    }
}

#[test]
fn a_buffer_that_nothing_uses_need_not_be_read() {
    let mut g = rigs::chain();
    g.next_buffer();
    g.set("/buffers/1/byteLength", 4);
    g.set("/buffers/1/uri", "missing.bin");
    let folder = Folder::new().file("model.gltf", &g.files().0).file("buffer0.bin", &g.buffers[0]);
    // Either is defensible; what is not is a load that half succeeds.
    match folder.load() {
        Ok(asset) => assert_eq!(asset.animations[0].tracks.len(), 4),
        Err(error) => assert_eq!(Kind::of(&error), Kind::Resource),
    }
}

#[test]
fn errors_name_the_file_the_buffer_and_the_uri() {
    let folder = Folder::new().file("model.gltf", &at_uri("nowhere.bin"));
    let message = folder.load().expect_err("there is no such file").to_string();
    for word in ["model.gltf", "buffer 0", "nowhere.bin"] {
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn a_missing_main_file_is_an_io_error() {
    let error = Folder::new().load_file("none.glb").expect_err("there is no such file");
    assert_eq!(Kind::of(&error), Kind::Io, "{error}");
}

#[test]
fn all_files_together_count_against_the_limit() {
    let main = at_uri("data.bin");
    let folder = Folder::new().file("model.gltf", &main).file("data.bin", &buffer());
    let load = |file_bytes: usize| {
        let limits = Limits { file_bytes: file_bytes as u64, ..Limits::default() };
        Asset::load_with(folder.path("model.gltf"), &LoadOptions { limits, ..LoadOptions::default() })
    };
    let needed = main.len() + buffer().len();
    let error = load(needed - 1).expect_err("one byte too many");
    assert_eq!(Kind::of(&error), Kind::Limit, "{error}");
    assert!(load(needed).is_ok());
    let error = load(main.len() - 1).expect_err("the main file counts too");
    assert_eq!(Kind::of(&error), Kind::Limit, "{error}");
}

#[test]
fn the_same_file_may_serve_two_buffers() {
    let mut g: Gltf = rigs::chain();
    g.next_buffer();
    g.set("/buffers/0/uri", "data.bin");
    g.set("/buffers/1/uri", "data.bin");
    g.set("/buffers/1/byteLength", g.buffers[0].len());
    g.set("/bufferViews/9/buffer", 1);
    let folder = Folder::new().file("model.gltf", &g.files().0).file("data.bin", &g.buffers[0]);
    assert_eq!(folder.load().expect("a valid file").animations[0].tracks.len(), 4);
}
