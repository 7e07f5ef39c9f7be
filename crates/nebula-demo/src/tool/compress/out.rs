//! Where decoded or compiled clips are written.

use std::fs;
use std::path::{Path, PathBuf};

use nebula_animation::Compression;

use super::input::Input;
use super::measure::Measured;
use super::{compiled, decoded};

/// What is to be written.
#[derive(Debug, PartialEq)]
pub enum Out {
    /// The compiled clips of one file.
    Compiled(PathBuf),
    /// Decoded clips: a file for each input.
    Decoded(Vec<PathBuf>),
}

impl Out {
    /// By the ending of a path: compiled clips, one file, or a folder with a file for each of these, which is made if it is not there. An
    /// error where that cannot be.
    pub fn of(out: &Path, files: &[PathBuf]) -> Result<Self, String> {
        let told = |problem: &dyn std::fmt::Display| format!("{}: {problem}", out.display());
        let ending = out.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let count = files.len();
        let is_folder = out.is_dir() || ending.is_none();
        let made = match ending.as_deref() {
            _ if is_folder => Self::Decoded(in_folder(out, files)?),
            Some("clips") if count > 1 => {
                return Err(told(&format!("the clips of {count} files have as many rigs; a file has one")));
            }
            Some("clips") => Self::Compiled(out.to_owned()),
            Some("glb") if count > 1 => return Err(told(&format!("{count} files need a folder to be written to"))),
            Some("glb") => Self::Decoded(vec![out.to_owned()]),
            _ => {
                return Err(told(
                    &"decoded clips are written to a .glb file or a folder, compiled ones to a .clips file",
                ));
            }
        };
        if let Self::Decoded(paths) = &made {
            // What was lost by rounding cannot be had back.
            let same = |path: &Path| path.canonicalize().ok();
            let is_input = |path: &&PathBuf| {
                same(path).is_some_and(|path| files.iter().any(|file| same(file) == Some(path.clone())))
            };
            if let Some(path) = paths.iter().find(is_input) {
                return Err(format!("{}: it is one of the input files", path.display()));
            }
        }
        if is_folder {
            fs::create_dir_all(out).map_err(|error| told(&error))?;
        }
        match out.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
            Some(folder) => Err(told(&format!("there is no folder {}", folder.display()))),
            None => Ok(made),
        }
    }

    /// Writes it.
    pub fn write(
        &self,
        inputs: &[Input],
        jobs: &[(usize, usize)],
        measured: &[Measured],
        compression: &Compression,
    ) -> Result<(), String> {
        match self {
            Self::Compiled(path) => inputs.iter().try_for_each(|input| compiled::write(path, input, compression)),
            Self::Decoded(paths) => inputs.iter().zip(paths).enumerate().try_for_each(|(index, (input, path))| {
                let own = jobs.iter().zip(measured).filter(|((file, _), _)| *file == index);
                let own: Vec<(usize, &Measured)> = own.map(|((_, clip), measured)| (*clip, measured)).collect();
                decoded::write(path, input, &own)
            }),
        }
    }
}

/// Files of the same names in a folder.
fn in_folder(folder: &Path, files: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let mut paths: Vec<PathBuf> = Vec::with_capacity(files.len());
    for file in files {
        let mut name = file.file_stem().unwrap_or_default().to_owned();
        name.push(".glb");
        let path = folder.join(name);
        if paths.contains(&path) {
            return Err(format!("{}: another input has the same name, and would be overwritten", file.display()));
        }
        paths.push(path);
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_follows_from_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let files = |names: &[&str]| names.iter().map(|name| at(name)).collect::<Vec<_>>();
        let (one, two) = (files(&["a.1.bvh"]), files(&["a.1.bvh", "a.2.bvh"]));
        assert_eq!(Out::of(&at("a.glb"), &one), Ok(Out::Decoded(files(&["a.glb"]))));
        assert_eq!(Out::of(&at("a.CLIPS"), &one), Ok(Out::Compiled(at("a.CLIPS"))));
        assert_eq!(Out::of(&at("made"), &two), Ok(Out::Decoded(files(&["made/a.1.glb", "made/a.2.glb"]))));
        assert!(at("made").is_dir());
        fs::create_dir(at("of.glb")).unwrap();
        assert_eq!(Out::of(&at("of.glb"), &one), Ok(Out::Decoded(files(&["of.glb/a.1.glb"]))), "a folder is one");
        fs::write(at("b.glb"), b"").unwrap();
        let same = files(&["x/a.bvh", "y/a.glb"]);
        for (out, files, expected) in [
            ("a.glb", &two, "2 files need a folder"),
            ("a.clips", &two, "have as many rigs"),
            ("a.gltf", &one, "to a .glb file or a folder"),
            ("missing/a.glb", &one, "there is no folder"),
            ("made", &same, "y/a.glb: another input has the same name"),
            ("b.glb", &files(&["b.glb"]), "b.glb: it is one of the input files"),
        ] {
            let error = Out::of(&at(out), files).unwrap_err();
            assert!(error.contains(expected), "{out}: {error}");
        }
    }
}
