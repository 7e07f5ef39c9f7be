//! Which glTF node an entity of a scene was created from.

use bevy::asset::LoadContext;
use bevy::gltf::extensions::{ErasedGltfExtensionHandler, GltfExtensionHandler};
use bevy::prelude::*;

/// The index of the glTF node from which an entity was created. Every node of a scene that is loaded while the plugin
/// is active has one: names may occur twice in a file, indices do not.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Reflect)]
#[reflect(Component, Debug, Clone, PartialEq, Default)]
pub struct GltfNodeIndex(pub usize);

/// Puts [`GltfNodeIndex`] on the entities of scenes while Bevy loads them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeIndices;

impl GltfExtensionHandler for NodeIndices {
    fn dyn_clone(&self) -> Box<dyn ErasedGltfExtensionHandler> {
        Box::new(*self)
    }

    fn on_gltf_node(&mut self, _: &mut LoadContext<'_>, node: &gltf::Node, entity: &mut EntityWorldMut) {
        entity.insert(GltfNodeIndex(node.index()));
    }
}
