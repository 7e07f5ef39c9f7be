//! The corpora within 512 MB of address space: what a file asks for is checked before it is taken, so that a load ends with a
//! verdict and not with the process.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::corpus;

/// KiB of address space, code and stacks included.
const ADDRESS_SPACE: u32 = 512 * 1024;

#[test]
fn both_corpora_get_a_verdict_within_512_megabytes() {
    let Some(shared) = corpus::find("limits") else { return };
    let folder = tempfile::tempdir().expect("a folder for the files");
    let made = corpus::python(&shared.join("hostile/make_hostile.py"), &[&folder.path().join("files")]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut files = Vec::new();
    for start in
        [folder.path().to_path_buf(), shared.join("hostile/khronos-validator"), shared.join("conformance/assets")]
    {
        gather(&start, &mut files);
    }
    assert!(files.len() >= 459, "{} files, the corpora have more", files.len());
    let failures: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = files
            .chunks(files.len().div_ceil(4))
            .map(|part| scope.spawn(|| part.iter().filter_map(|file| problem(file)).collect::<Vec<_>>()))
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("the files are looked at")).collect()
    });
    assert!(failures.is_empty(), "{} of {} files:\n{}", failures.len(), files.len(), failures.join("\n"));
}

/// A limit that nothing fits into is one: the test above can fail.
#[test]
fn the_limit_holds() {
    let sword = Path::new(env!("CARGO_MANIFEST_DIR")).join("../nebula-animation/test_assets/sword.glb");
    assert_eq!(problem(&sword), None);
    let starved = limited(&sword, 2 * 1024);
    assert!(!starved.status.success(), "2 MB are not enough for any program: {starved:?}");
}

/// Every glTF file below a folder.
fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the corpus is readable") {
        let path = entry.expect("the corpus is readable").path();
        if path.is_dir() {
            gather(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "glb" || extension == "gltf") {
            files.push(path);
        }
    }
}

/// Seconds after which a program hangs: the slowest file takes two, on a machine that does other things meanwhile.
const HANGS: u64 = 120;

/// Loads a file and looks at its poses with so many KiB of address space. A program that hangs is ended, and has no success.
fn limited(file: &Path, kibibytes: u32) -> std::process::Output {
    let script = format!("ulimit -v {kibibytes} && exec \"$0\" validate \"$1\"");
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(corpus::program()).arg(file);
    // A line or two: a pipe holds them until the program has ended.
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a shell runs the program");
    let end = Instant::now() + Duration::from_secs(HANGS);
    while child.try_wait().expect("it can be waited for").is_none() {
        if Instant::now() > end {
            child.kill().expect("it can be ended");
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().expect("it has ended")
}

/// Why a file did not get its verdict, if it did not.
fn problem(file: &Path) -> Option<String> {
    let output = limited(file, ADDRESS_SPACE);
    let line = String::from_utf8_lossy(&output.stdout);
    let has_verdict = ["OK ", "WARN ", "ERROR "].iter().any(|verdict| line.starts_with(verdict));
    let has_ended_well = matches!(output.status.code(), Some(0 | 1));
    (!(has_verdict && has_ended_well)).then(|| {
        let error = String::from_utf8_lossy(&output.stderr);
        format!("{}: {} {line} {error}", file.display(), output.status)
    })
}
