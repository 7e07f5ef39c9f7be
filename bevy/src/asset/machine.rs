use bevy::asset::io::Reader;
use bevy::asset::{Asset, AssetLoader, LoadContext};
use bevy::reflect::TypePath;
use nebula_animation::mixer::{MachineDocument, MachineError};

/// A state machine from JSON; `asset_server.load("hero.machine.json")` returns a handle. Its clips are those of the
/// character to which it is [given](crate::NebulaCharacter::machines).
#[derive(Asset, TypePath, Debug, Clone)]
pub struct MachineAsset(pub MachineDocument);

/// Loads `.machine.json` files as [`MachineAsset`]s.
#[derive(Debug, Default, TypePath)]
pub struct MachineLoader;

/// Why a file could not be loaded as a state machine.
#[derive(Debug, thiserror::Error)]
pub enum MachineLoaderError {
    /// The file could not be read.
    #[error("{0}")]
    Read(#[from] std::io::Error),
    /// The file is not UTF-8.
    #[error("{0}")]
    Text(#[from] std::string::FromUtf8Error),
    /// The text is not a valid state machine.
    #[error("{0}")]
    Machine(#[from] MachineError),
}

impl AssetLoader for MachineLoader {
    type Asset = MachineAsset;
    type Settings = ();
    type Error = MachineLoaderError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        _: &mut LoadContext<'_>,
    ) -> Result<MachineAsset, MachineLoaderError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        Ok(MachineAsset(MachineDocument::from_json(&String::from_utf8(bytes)?)?))
    }

    fn extensions(&self) -> &[&str] {
        &["machine.json"]
    }
}
