//! Files that are already in memory, with a resolver for what lies beside them.

use std::io;

use nebula_animation::asset::Limits;
use nebula_animation::{AnimationLoadError, Asset, asset::LoadOptions};

use crate::support::{Gltf, Kind, rigs};

/// `chain` with its buffer at this URI, loaded with an answer to every question.
fn resolve(uri: &str, answer: impl Fn() -> io::Result<Vec<u8>>) -> (Result<Asset, AnimationLoadError>, Vec<String>) {
    let mut g = rigs::chain();
    g.set("/buffers/0/uri", uri);
    let mut asked = Vec::new();
    let result = Asset::from_bytes("hero", &g.files().0, &LoadOptions::default(), &mut |path| {
        asked.push(path.to_owned());
        answer()
    });
    (result, asked)
}

fn buffer() -> Vec<u8> {
    rigs::chain().buffers[0].clone()
}

#[test]
fn a_resolver_gives_the_bytes() {
    let (asset, asked) = resolve("hero.bin", || Ok(buffer()));
    assert_eq!(asset.expect("a valid file").skeleton.joints.len(), 3);
    assert_eq!(asked, ["hero.bin"]);
}

#[test]
fn a_resolver_is_never_asked_for_what_lies_outside() {
    for uri in [
        "../hero.bin",
        "a/../../hero.bin",
        "%2e%2e/hero.bin",
        "..%2Fhero.bin",
        "/etc/passwd",
        "//server/hero.bin",
        "file:///etc/passwd",
        "http://example.com/hero.bin",
        "C:/hero.bin",
        "..\\hero.bin",
        "%5C%5Cserver%5Chero.bin",
        "a%00b.bin",
        "a%FFb.bin",
        "",
    ] {
        let (result, asked) = resolve(uri, || Ok(buffer()));
        let error = result.expect_err(uri);
        assert_eq!(Kind::of(&error), Kind::Resource, "{error}");
        assert!(asked.is_empty(), "{uri:?} was asked for as {asked:?}");
        assert!(error.to_string().contains("buffer 0"), "{error}");
    }
}

#[test]
fn a_resolver_s_error_is_told_on() {
    let (result, _) = resolve("hero.bin", || Err(io::Error::other("the archive has no such entry")));
    let error = result.expect_err("nothing came");
    assert_eq!(Kind::of(&error), Kind::Resource);
    for words in ["hero:", "buffer 0", "hero.bin", "the archive has no such entry"] {
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_resolver_that_gives_too_little_is_an_error() {
    let (result, _) = resolve("hero.bin", || Ok(buffer()[1..].to_vec()));
    let message = result.expect_err("one byte is missing").to_string();
    assert!(message.contains("buffer 0"), "{message}");
    let (result, _) = resolve("hero.bin", || Ok([buffer(), vec![0]].concat()));
    assert!(result.is_ok(), "more than enough is enough");
}

#[test]
fn what_a_resolver_gives_counts_against_the_limit() {
    let mut g = rigs::chain();
    g.set("/buffers/0/uri", "hero.bin");
    let json = g.files().0;
    let load = |file_bytes: usize| {
        let limits = Limits { file_bytes: file_bytes as u64, ..Limits::default() };
        let options = LoadOptions { limits, ..LoadOptions::default() };
        Asset::from_bytes("hero", &json, &options, &mut |_| Ok(buffer()))
    };
    let needed = json.len() + buffer().len();
    assert!(load(needed).is_ok());
    assert_eq!(Kind::of(&load(needed - 1).expect_err("one byte too many")), Kind::Limit);
}

#[test]
fn the_name_is_for_messages_only() {
    for name in ["", "no/such/folder/x.glb", "a\nb", "../..", "http://x"] {
        let asset = Asset::from_bytes(name, &rigs::chain().glb(), &LoadOptions::default(), &mut |_| Ok(Vec::new()));
        assert_eq!(asset.expect("a valid file").skins.len(), 1, "{name:?}");
    }
}

#[test]
fn a_failed_load_leaves_nothing_behind() {
    // The same bytes load alike before and after a failure in between.
    let good = rigs::chain().glb();
    let bad: Vec<u8> = good[..good.len() / 2].to_vec();
    let load = |bytes: &[u8]| Asset::from_bytes("x", bytes, &LoadOptions::default(), &mut |_| Ok(Vec::new()));
    let before = format!("{:?}", load(&good).expect("a valid file"));
    assert!(load(&bad).is_err());
    assert_eq!(format!("{:?}", load(&good).expect("a valid file")), before);
}

#[test]
fn an_asset_outlives_its_bytes_and_crosses_threads() {
    let asset = {
        let bytes = rigs::chain().glb();
        Asset::from_bytes("x", &bytes, &LoadOptions::default(), &mut |_| Ok(Vec::new())).expect("a valid file")
    };
    let joints = std::thread::spawn(move || asset.clone().skeleton.joints.len()).join().expect("no panic");
    assert_eq!(joints, 3);
}

#[test]
fn an_error_crosses_threads() {
    fn assert_send<T: Send + Sync + 'static>(_: &T) {}
    assert_send(&resolve("../x", || Ok(Vec::new())).0.expect_err("outside"));
}

#[test]
fn an_empty_builder_is_a_valid_file() {
    let asset = Asset::from_bytes("x", &Gltf::new().glb(), &LoadOptions::default(), &mut |_| Ok(Vec::new()));
    assert!(asset.expect("a valid file").warnings.is_empty());
}
