//! Paths that lead where the loader must not read.

use crate::support::{Folder, Kind, rigs};

/// `chain` with its buffer at this URI.
fn at_uri(uri: &str) -> Vec<u8> {
    let mut g = rigs::chain();
    g.set("/buffers/0/uri", uri);
    g.files().0
}

/// What would load if it were read.
fn buffer() -> Vec<u8> {
    rigs::chain().buffers[0].clone()
}

/// The URI is refused, with a message that names the buffer and the reference; from inside the folder, the same bytes load.
fn refused(folder: Folder, uri: &str) {
    let folder = folder.file("model.gltf", &at_uri(uri));
    let error = folder.load().expect_err(uri);
    assert_eq!(Kind::of(&error), Kind::Resource, "{uri}: {error}");
    let message = error.to_string();
    assert!(message.contains("buffer 0") && message.contains("model.gltf"), "{uri}: {message}");
    let folder = folder.file("model.gltf", &at_uri("inside.bin")).file("inside.bin", &buffer());
    assert!(folder.load().is_ok(), "the same character with a file beside it");
}

fn with_secret() -> Folder {
    Folder::new().file("../secret.bin", &buffer())
}

#[test]
fn a_folder_above() {
    for uri in [
        "../secret.bin",
        "./../secret.bin",
        "sub/../../secret.bin",
        "%2e%2e/secret.bin",
        "%2e%2e%2fsecret.bin",
        "%2E%2E%2Fsecret.bin",
        "..%2fsecret.bin",
        "..\\secret.bin",
        "..%5csecret.bin",
        "../asset/../secret.bin",
    ] {
        refused(with_secret().file("sub/x", b""), uri);
    }
}

#[test]
fn a_folder_above_and_back_again() {
    // It ends inside, but on the way it names what lies outside.
    refused(Folder::new().file("data.bin", &buffer()), "../asset/data.bin");
}

#[test]
fn absolute_paths() {
    let folder = with_secret();
    let secret = folder.path("../secret.bin").canonicalize().expect("a path");
    let secret = secret.to_str().expect("UTF-8").to_owned();
    refused(with_secret(), &secret);
    refused(with_secret(), &format!("file://{secret}"));
    refused(with_secret(), &format!("%2F{}", &secret[1..]));
    refused(with_secret(), &format!("//{secret}"));
    // Also where the absolute path lies inside the folder.
    let inside = with_secret().file("data.bin", &buffer());
    let path = inside.path("data.bin").to_str().expect("UTF-8").to_owned();
    refused(inside, &path);
}

#[test]
fn schemes() {
    for uri in
        ["http://localhost/x.bin", "https://localhost/x.bin", "ftp://x/y", "FILE:///etc/hosts", "C:/x.bin", "c:x.bin"]
    {
        refused(Folder::new(), uri);
    }
}

#[test]
fn names_that_no_file_has() {
    for uri in ["", "a%FFb.bin", "a%00b.bin", "missing.bin", ".", "./", "sub"] {
        refused(Folder::new().file("sub/x", b""), uri);
    }
}

#[test]
fn a_name_of_a_hundred_thousand_letters() {
    let error = Folder::new().file("model.gltf", &at_uri(&"a".repeat(100_000))).load().expect_err("no such file");
    assert!(error.to_string().len() < 1_000, "{} bytes", error.to_string().len());
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

    #[test]
    fn a_link_that_leads_out() {
        let folder = with_secret();
        symlink("../secret.bin", folder.path("link.bin")).expect("a link");
        refused(folder, "link.bin");
    }

    #[test]
    fn a_linked_folder_that_leads_out() {
        let folder = with_secret();
        symlink("..", folder.path("up")).expect("a link");
        refused(folder, "up/secret.bin");
    }

    #[test]
    fn a_link_to_nowhere_and_to_itself() {
        let folder = with_secret();
        symlink("nowhere", folder.path("nowhere.bin")).expect("a link");
        symlink("loop.bin", folder.path("loop.bin")).expect("a link");
        refused(folder, "nowhere.bin");
        let folder = with_secret();
        symlink("loop.bin", folder.path("loop.bin")).expect("a link");
        refused(folder, "loop.bin");
    }

    #[test]
    fn devices() {
        refused(Folder::new(), "/dev/zero");
        let folder = Folder::new();
        symlink("/dev/zero", folder.path("zero.bin")).expect("a link");
        refused(folder, "zero.bin");
    }

    fn with_pipe(name: &str) -> Folder {
        let folder = Folder::new();
        let made = Command::new("mkfifo").arg(folder.path(name)).status().expect("mkfifo");
        assert!(made.success());
        folder
    }

    #[test]
    fn a_pipe_is_not_waited_for() {
        refused(with_pipe("pipe.bin"), "pipe.bin");
    }

    #[test]
    fn the_main_file_must_be_a_file_too() {
        let error = with_pipe("model.gltf").load().expect_err("a pipe");
        assert_eq!(Kind::of(&error), Kind::Io, "{error}");
        let error = Folder::new().file("model.gltf/x", b"").load().expect_err("a folder");
        assert_eq!(Kind::of(&error), Kind::Io, "{error}");
        assert!(error.to_string().contains("model.gltf"), "{error}");
        let error = nebula_animation::Asset::load("/dev/zero").expect_err("an endless device");
        assert_eq!(Kind::of(&error), Kind::Io, "{error}");
    }

    #[test]
    fn the_main_file_may_be_a_link() {
        // The user chose it; its folder is the one that the link stands in, or the one that it leads to.
        let folder = Folder::new().file("../elsewhere.glb", &rigs::chain().glb());
        symlink("../elsewhere.glb", folder.path("model.gltf")).expect("a link");
        assert_eq!(folder.load().expect("a valid file").skins.len(), 1);
    }
}
