use bevy::asset::io::Reader;
use bevy::asset::{AssetLoader, LoadContext};
use bevy::gltf::extensions::GltfExtensionHandlers;
use bevy::gltf::{DefaultGltfImageSampler, GltfError, GltfLoader, GltfLoaderSettings, GltfPlugin};
use bevy::image::{CompressedImageFormatSupport, CompressedImageFormats};
use bevy::prelude::*;
use bevy::reflect::TypePath;

/// Bevy's loader of glTF for the files that are glTF by another name: `.vrm` and `.vrma`. So scenes of them can be asked for by their paths, as `hero.vrm#Scene0`.
#[derive(TypePath)]
struct VrmLoader(GltfLoader);

impl AssetLoader for VrmLoader {
    type Asset = Gltf;
    type Settings = GltfLoaderSettings;
    type Error = GltfError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        settings: &GltfLoaderSettings,
        context: &mut LoadContext<'_>,
    ) -> Result<Gltf, GltfError> {
        self.0.load(reader, settings, context).await
    }

    fn extensions(&self) -> &[&str] {
        &["vrm", "vrma"]
    }
}

/// Registers the loader, with what Bevy's own has, once that is there.
pub(crate) fn register_vrm(app: &mut App) {
    let world = app.world();
    let (Some(sampler), Some(handlers)) =
        (world.get_resource::<DefaultGltfImageSampler>(), world.get_resource::<GltfExtensionHandlers>())
    else {
        return;
    };
    let formats = world.get_resource::<CompressedImageFormatSupport>();
    let Some(plugin) = app.get_added_plugins::<GltfPlugin>().into_iter().next() else { return };
    let loader = GltfLoader {
        supported_compressed_formats: formats.map_or(CompressedImageFormats::NONE, |formats| formats.0),
        custom_vertex_attributes: plugin.custom_vertex_attributes.clone(),
        default_sampler: sampler.get_internal(),
        default_convert_coordinates: plugin.convert_coordinates,
        extensions: handlers.0.clone(),
        default_skinned_mesh_bounds_policy: plugin.skinned_mesh_bounds_policy,
    };
    app.register_asset_loader(VrmLoader(loader));
}
