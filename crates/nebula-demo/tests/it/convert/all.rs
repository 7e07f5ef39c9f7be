//! All files of others through the program: what comes out is what went in, and by Khronos's validator no worse.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::{convert, load};
use crate::corpus;

#[path = "../../../../nebula-import/tests/it/gltf/validator.rs"]
mod validator;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a readable folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|kind| ["glb", "gltf", "vrm", "vrma"].iter().any(|known| kind == *known))
        {
            found.push(path);
        }
    }
}

#[test]
fn all_files_of_others_come_out_as_they_went_in() {
    let Some(corpora) = corpus::find("convert") else { return };
    let mut all = Vec::new();
    files(&corpora.join("conformance/assets"), &mut all);
    files(&corpora.join("characters"), &mut all);
    // Some are made to be refused.
    all.retain(|file| nebula_animation::Asset::load(file).is_ok());
    assert!(all.len() > 80, "{} files", all.len());
    let folder = tempfile::tempdir().expect("a folder");
    let out = |index: usize| folder.path().join(format!("{index}.glb"));
    let next = Mutex::new(0..all.len());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(index) = { next.lock().expect("no panic").next() } {
                    let file = &all[index];
                    convert(&[file, &out(index)]);
                    let (was, is) = (load(file), load(&out(index)));
                    let name = file.display();
                    // Equal keys at equal times are equal poses, to the bit.
                    assert_eq!(was.skeleton, is.skeleton, "{name}");
                    assert_eq!((&was.animations, &was.clip_entries), (&is.animations, &is.clip_entries), "{name}");
                    assert_eq!(
                        (&was.skins, &was.morphs, &was.humanoid),
                        (&is.skins, &is.morphs, &is.humanoid),
                        "{name}"
                    );
                    assert!(was.meshes == is.meshes && was.images == is.images && was.avatar == is.avatar, "{name}");
                }
            });
        }
    });
    let names: Vec<PathBuf> = all.iter().enumerate().flat_map(|(index, file)| [file.clone(), out(index)]).collect();
    let Some(found) = validator::errors(&names) else { return };
    for (file, pair) in all.iter().zip(found.as_chunks::<2>().0) {
        let [was, is] = pair;
        let new: Vec<&String> = is.iter().filter(|code| !was.contains(code)).collect();
        assert!(new.is_empty(), "{}: {new:?} now, {was:?} before", file.display());
    }
}
