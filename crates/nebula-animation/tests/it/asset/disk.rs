//! Files that change while they are read, and paths that lead to none: an asset or an error, in time, and never half of one.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use nebula_animation::asset::Limits;
use nebula_animation::{Asset, asset::LoadOptions, load_skeleton_and_clips};

use crate::support::{Folder, Kind, finite_problem, rigs};

/// Loads a file again and again while `change` changes it; gives how often it loaded and how often it was refused.
fn load_while(folder: &Folder, change: impl Fn(&Path) + Sync) -> [usize; 2] {
    let path = folder.path("model.glb");
    let is_over = AtomicBool::new(false);
    let mut counts = [0; 2];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                change(&path);
            }
        });
        for _ in 0..400 {
            match Asset::load(&path) {
                Ok(asset) => {
                    assert_eq!((asset.skeleton.joints.len(), finite_problem(&asset)), (3, None), "half of an asset");
                    counts[0] += 1;
                }
                Err(error) => {
                    assert!(error.to_string().contains("model.glb"), "{error}");
                    counts[1] += 1;
                }
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
    counts
}

#[test]
fn a_file_that_grows_while_it_is_read() {
    let bytes = rigs::chain().glb();
    let folder = Folder::new().file("model.glb", &bytes);
    // In pieces, from nothing, as a slow download does.
    let [loaded, refused] = load_while(&folder, |path| {
        let mut file = fs::File::create(path).expect("the file can be written");
        for piece in bytes.chunks(97) {
            file.write_all(piece).expect("the file can be written");
        }
        drop(file);
        std::thread::sleep(std::time::Duration::from_micros(200));
    });
    assert_eq!(loaded + refused, 400);
}

#[test]
fn a_file_that_is_cut_while_it_is_read() {
    let bytes = rigs::chain().glb();
    let folder = Folder::new().file("model.glb", &bytes);
    let [loaded, refused] = load_while(&folder, |path| {
        fs::write(path, &bytes).expect("the file can be written");
        std::thread::sleep(std::time::Duration::from_micros(200));
        let file = fs::OpenOptions::new().write(true).open(path).expect("the file can be written");
        file.set_len(bytes.len() as u64 / 3).expect("the file can be cut");
    });
    assert_eq!(loaded + refused, 400);
}

/// A file that never stops growing stays within the limit.
#[test]
fn a_file_that_outgrows_the_limit_is_refused() {
    let folder = Folder::new().file("model.glb", &rigs::chain().glb());
    let limits = Limits { file_bytes: 100_000, ..Limits::default() };
    let options = LoadOptions { limits, ..LoadOptions::default() };
    assert!(Asset::load_with(folder.path("model.glb"), &options).is_ok());
    let mut file = fs::OpenOptions::new().append(true).open(folder.path("model.glb")).expect("the file can be written");
    file.write_all(&[0; 100_000]).expect("the file can be written");
    let error = Asset::load_with(folder.path("model.glb"), &options).expect_err("more than the limit");
    assert_eq!(Kind::of(&error), Kind::Limit, "{error}");
}

/// Both ways to load refuse a path with an error of the file system that names it.
fn refused(path: &Path, title: &str) {
    let errors = [Asset::load(path).expect_err(title), load_skeleton_and_clips(path).expect_err(title)];
    for error in errors {
        assert_eq!(Kind::of(&error), Kind::Io, "{title}: {error}");
    }
}

#[test]
fn paths_that_lead_to_no_file() {
    let folder = Folder::new().file("model.glb", &rigs::chain().glb());
    refused(&folder.path("missing.glb"), "nothing is there");
    refused(&folder.path("missing/model.glb"), "not even the folder");
    refused(&folder.path(""), "a folder");
    refused(&folder.path("model.glb/model.glb"), "a way through a file");
    refused(&folder.path(&"x".repeat(5_000)), "a name that no file system takes");
    refused(Path::new(""), "no path at all");
    refused(Path::new("\0"), "a path that the system cannot be asked for");
}

#[cfg(unix)]
#[test]
fn paths_that_unix_has_besides() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};

    let bytes = rigs::chain().glb();
    let folder = Folder::new().file("model.glb", &bytes);
    symlink("nowhere", folder.path("dangling.glb")).expect("a link");
    refused(&folder.path("dangling.glb"), "a link to nothing");
    symlink("loop.glb", folder.path("loop.glb")).expect("a link");
    refused(&folder.path("loop.glb"), "a link to itself");

    // Not UTF-8: legal here, and loaded as any other.
    let odd = folder.path("").join(OsStr::from_bytes(b"caf\xe9\xff.glb"));
    fs::write(&odd, &bytes).expect("the file can be written");
    assert_eq!(Asset::load(&odd).expect("a good file").skeleton.joints.len(), 3);
    assert!(load_skeleton_and_clips(&odd).is_ok());
    refused(
        &folder.path("").join(OsStr::from_bytes(b"\xff\xfe.glb")),
        "nothing is there, under a name that is not UTF-8",
    );

    // Unreadable, but for those who may read everything.
    fs::set_permissions(folder.path("model.glb"), fs::Permissions::from_mode(0o000)).expect("the mode can be set");
    match fs::read(folder.path("model.glb")) {
        Err(_) => refused(&folder.path("model.glb"), "nobody may read it"),
        Ok(_) => assert!(Asset::load(folder.path("model.glb")).is_ok(), "whoever may read it loads it"),
    }
}
