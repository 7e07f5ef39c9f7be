//! A Bevy app without a window, and where its files are.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bevy::animation::AnimationPlugin;
use bevy::asset::io::{AssetSource, AssetSourceBuilder, AssetSourceEvent, AssetSourceId, AssetWatcher};
use bevy::camera::CameraPlugin;
use bevy::gltf::GltfPlugin;
use bevy::image::ImagePlugin;
use bevy::mesh::MeshPlugin;
use bevy::prelude::*;
use bevy::tasks::{ComputeTaskPool, TaskPoolBuilder};
use bevy::time::TimeUpdateStrategy;
use bevy::world_serialization::WorldSerializationPlugin;
use nebula_bevy::{AnimationTrouble, Animator, CharacterAsset, NebulaCharacter, NebulaPlugin};

/// Seconds of a frame.
pub const DT: f32 = 1.0 / 60.0;

/// The characters that come with the library.
pub fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/nebula-animation/test_assets")
}

/// The folder of the corpora: `NEBULA_CORPORA`, or `shared` beside the repository. `None` where there is none, which is said on the terminal; with
/// `NEBULA_REQUIRE_CORPORA=1` it is a failure.
pub fn corpora(test: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("NEBULA_CORPORA") {
        // A relative one is relative to the repository.
        Some(folder) => Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
    };
    if folder.join("conformance/SCHEMA.md").is_file() {
        return Some(folder);
    }
    let is_required = std::env::var_os("NEBULA_REQUIRE_CORPORA").is_some_and(|value| value == "1");
    assert!(!is_required, "{test}: no corpora in {}, and NEBULA_REQUIRE_CORPORA=1", folder.display());
    // Straight to the terminal: what `eprintln!` writes in a passing test is never seen.
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: no corpora (set NEBULA_CORPORA to their folder)");
    None
}

/// An app whose frames are all of the same length, and whose assets are in a folder.
pub struct Stage {
    pub app: App,
}

impl Stage {
    pub fn new(folder: &Path) -> Self {
        Self::with(folder, |_| {})
    }

    /// As `new`, with more in the app.
    pub fn with(folder: &Path, add: impl FnOnce(&mut App)) -> Self {
        Self::build(folder, false, |_| {}, add)
    }

    /// As `new`, where files that change are loaded anew.
    pub fn watching(folder: &Path) -> Self {
        let source = watched(folder.canonicalize().expect("the folder is there"));
        let register = |app: &mut App| {
            app.register_asset_source(AssetSourceId::Default, source);
        };
        Self::build(folder, true, register, |_| {})
    }

    fn build(folder: &Path, watch: bool, first: impl FnOnce(&mut App), add: impl FnOnce(&mut App)) -> Self {
        let mut app = App::new();
        let folder = folder.canonicalize().expect("the folder is there");
        // Once in a process: who wants another number starts one.
        if let Some(threads) = std::env::var("NEBULA_TEST_THREADS").ok().and_then(|threads| threads.parse().ok()) {
            ComputeTaskPool::get_or_init(|| TaskPoolBuilder::new().num_threads(threads).build());
        }
        first(&mut app);
        app.add_plugins((
            MinimalPlugins,
            TransformPlugin,
            AssetPlugin {
                file_path: folder.to_string_lossy().into_owned(),
                watch_for_changes_override: Some(watch),
                ..default()
            },
            WorldSerializationPlugin,
            ImagePlugin::default(),
            MeshPlugin,
            CameraPlugin,
            GltfPlugin::default(),
            // Bevy's loader asks for it where the feature `gltf_animation` is on.
            AnimationPlugin,
            NebulaPlugin,
        ));
        app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(DT)));
        app.init_resource::<Said>().add_systems(Last, listen);
        add(&mut app);
        app.finish();
        app.cleanup();
        Self { app }
    }

    /// The asset server's handle of a character.
    pub fn load(&self, file: &str) -> Handle<CharacterAsset> {
        self.app.world().resource::<AssetServer>().load(file.to_owned())
    }

    /// Spawns a character and waits until it is there.
    pub fn spawn(&mut self, bundle: impl Bundle) -> Entity {
        let entity = self.app.world_mut().spawn(bundle).id();
        self.until(|world| world.get::<Animator>(entity).is_some());
        entity
    }

    /// A character that plays a clip.
    pub fn character(&mut self, file: &str) -> Entity {
        let asset = self.load(file);
        self.spawn(NebulaCharacter::new(asset))
    }

    /// Frames until something is true; fails after half a minute.
    pub fn until(&mut self, is_true: impl Fn(&World) -> bool) {
        let start = Instant::now();
        while !is_true(self.app.world()) {
            assert!(start.elapsed() < Duration::from_secs(30), "nothing happens; said: {:?}", self.said());
            self.app.update();
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub fn frames(&mut self, count: usize) {
        (0..count).for_each(|_| self.app.update());
    }

    /// Lets frames of this length pass from now on.
    pub fn pace(&mut self, seconds: f32) {
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(seconds)));
    }

    pub fn animator(&self, entity: Entity) -> &Animator {
        self.app.world().get::<Animator>(entity).expect("the character is there")
    }

    pub fn animator_mut(&mut self, entity: Entity) -> Mut<'_, Animator> {
        self.app.world_mut().get_mut::<Animator>(entity).expect("the character is there")
    }

    /// Where an entity is in the world.
    pub fn place(&self, entity: Entity) -> Mat4 {
        self.app.world().get::<GlobalTransform>(entity).expect("it has a place").to_matrix()
    }

    /// What was said to be wrong, so far.
    pub fn said(&self) -> Vec<String> {
        self.app.world().resource::<Said>().0.clone()
    }

    /// Waits until something is said to be wrong.
    pub fn trouble(&mut self) -> String {
        self.until(|world| !world.resource::<Said>().0.is_empty());
        self.said().join("; ")
    }
}

#[derive(Resource, Default)]
pub struct Said(pub Vec<String>);

fn listen(mut troubles: MessageReader<AnimationTrouble>, mut said: ResMut<Said>) {
    said.0.extend(troubles.read().map(|trouble| trouble.error.to_string()));
}

/// A source of assets whose files are looked at every few milliseconds. (Bevy's own watcher, the feature `file_watcher`, is the crate `notify` with all that it needs, and
/// reports through the same channel.)
fn watched(folder: PathBuf) -> AssetSourceBuilder {
    struct Watcher(Arc<AtomicBool>);
    impl AssetWatcher for Watcher {}
    impl Drop for Watcher {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    let root = folder.to_string_lossy().into_owned();
    AssetSourceBuilder::new(AssetSource::get_default_reader(root)).with_watcher(move |sender| {
        let (is_over, folder) = (Arc::new(AtomicBool::new(false)), folder.clone());
        let watcher = Watcher(Arc::clone(&is_over));
        std::thread::spawn(move || {
            let mut known = HashMap::new();
            while !is_over.load(Ordering::Relaxed) {
                for path in folder.read_dir().expect("a folder").flatten().map(|entry| entry.path()) {
                    let Ok(about) = path.metadata() else { continue };
                    let state = (about.len(), about.modified().ok());
                    if known.insert(path.clone(), state).is_some_and(|before| before != state) {
                        let name = PathBuf::from(path.file_name().expect("a file"));
                        let _ = sender.try_send(AssetSourceEvent::ModifiedAsset(name));
                    }
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        Some(Box::new(watcher))
    })
}
