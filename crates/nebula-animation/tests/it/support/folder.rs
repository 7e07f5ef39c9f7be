//! Files on disk.

use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use nebula_animation::{AnimationLoadError, Asset};

/// A folder `asset` inside a temporary folder, so that something can lie outside of it.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary folder"));
        std::fs::create_dir(folder.path("")).expect("a folder");
        folder
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("asset").join(name)
    }

    /// Writes a file; `../name` is outside.
    pub fn file(self, name: &str, bytes: &[u8]) -> Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
        self
    }

    /// Loads `model.gltf` of this folder. A loader that waits for ever fails the test.
    pub fn load(&self) -> Result<Asset, AnimationLoadError> {
        self.load_file("model.gltf")
    }

    pub fn load_file(&self, name: &str) -> Result<Asset, AnimationLoadError> {
        let (sender, receiver) = mpsc::channel();
        let path = self.path(name);
        std::thread::spawn(move || drop(sender.send(Asset::load(path))));
        receiver.recv_timeout(Duration::from_secs(20)).expect("an answer within 20 s")
    }
}
