//! Assets.

use js_sys::{Float32Array, Function, Uint8Array, Uint16Array, Uint32Array};
use nebula_animation::asset::{LoadOptions, MeshSelection, Primitive};
use nebula_animation::clip::Marker;
use nebula_animation::compile::RootMotionOptions;
use nebula_animation::{AnimationClipLibrary, ClipMarkers, LibraryOptions};
use wasm_bindgen::prelude::*;

use crate::{describe, exception};

/// A file, and its clips as characters and crowds play them.
#[wasm_bindgen(js_name = RawAsset)]
pub struct RawAsset {
    pub(crate) asset: nebula_animation::Asset,
    pub(crate) library: AnimationClipLibrary,
}

#[wasm_bindgen(js_class = RawAsset)]
impl RawAsset {
    /// Loads a file. `resolve` is given the paths of files that it refers to, and returns their bytes or nothing.
    ///
    /// # Errors
    /// The loader's message.
    #[wasm_bindgen(constructor)]
    pub fn new(
        name: &str,
        bytes: &[u8],
        resolve: Option<Function>,
        all_nodes: bool,
        meshes: bool,
    ) -> Result<RawAsset, JsError> {
        // The same joints as on the desktop: what a clip can move may carry a mesh.
        let mut options = LoadOptions { all_nodes_as_joints: all_nodes, ..LoadOptions::default() };
        if meshes {
            options.meshes = MeshSelection::All;
        }
        let mut fetch = |path: &str| {
            let found = resolve.as_ref().and_then(|resolve| resolve.call1(&JsValue::NULL, &path.into()).ok());
            let bytes = found.and_then(|found| found.dyn_into::<Uint8Array>().ok());
            bytes.map(|bytes| bytes.to_vec()).ok_or_else(|| std::io::Error::other(format!("no file {path} was given")))
        };
        let asset = nebula_animation::Asset::from_bytes(name, bytes, &options, &mut fetch)
            .map_err(|error| exception(error.in_file(name.as_ref())))?;
        let library = AnimationClipLibrary::new(&asset.rig(), &asset.clips());
        Ok(Self { asset, library })
    }

    /// Compiles the clips anew: markers as triples of clip, name and seconds told by JSON; markers wherever a foot lands; a joint whose way is taken
    /// out of the clips.
    ///
    /// # Errors
    /// A clip or a joint that the file does not have; JSON that is none.
    pub fn compile(
        &mut self,
        markers: &str,
        step_marker: Option<String>,
        root_joint: Option<String>,
        for_palettes: bool,
    ) -> Result<(), JsError> {
        let told: Vec<(String, String, f64)> = serde_json::from_str(markers).map_err(exception)?;
        let mut markers = ClipMarkers::new();
        for (clip, name, time) in told {
            markers.add(self.library.find(&clip).map_err(exception)?.index(), Marker { name, time });
        }
        let rig = self.library.rig().clone();
        let root = root_joint.map(|name| rig.require_joint(&name)).transpose().map_err(exception)?;
        let options = LibraryOptions {
            markers,
            step_marker,
            root_motion: root.map(RootMotionOptions::of_joint),
            for_palettes,
            ..LibraryOptions::default()
        };
        self.library = AnimationClipLibrary::with_options(&rig, &self.asset.clips(), options);
        Ok(())
    }

    /// All that does not change from frame to frame, as JSON.
    #[must_use]
    pub fn describe(&self) -> String {
        describe::asset(self).to_string()
    }

    /// Sixteen floats for each joint.
    #[wasm_bindgen(js_name = inverseBindMatrices)]
    #[must_use]
    pub fn inverse_bind_matrices(&self) -> Float32Array {
        let matrices = self.asset.skeleton.joints.iter().map(|joint| joint.inverse_bind_matrix.to_cols_array());
        floats(&matrices.collect::<Vec<_>>())
    }

    /// Three floats for each vertex of a primitive.
    #[must_use]
    pub fn positions(&self, mesh: usize, primitive: usize) -> Option<Float32Array> {
        self.primitive(mesh, primitive).map(|primitive| floats(&primitive.positions))
    }

    /// Three floats for each vertex.
    #[must_use]
    pub fn normals(&self, mesh: usize, primitive: usize) -> Option<Float32Array> {
        self.primitive(mesh, primitive).map(|primitive| floats(&primitive.normals))
    }

    /// Two floats for each vertex: those that the base colour is read with.
    #[must_use]
    pub fn uvs(&self, mesh: usize, primitive: usize) -> Option<Float32Array> {
        let primitive = self.primitive(mesh, primitive)?;
        let texture = primitive.material.base_color_texture;
        let uvs = primitive.uvs.get(texture.map_or(0, |texture| texture.uv))?;
        let transform = texture.map(|texture| texture.transform).unwrap_or_default();
        Some(floats(&uvs.iter().map(|&uv| transform.apply(uv)).collect::<Vec<_>>()))
    }

    /// Four floats for each vertex, linear; none for vertices without colours.
    #[must_use]
    pub fn colors(&self, mesh: usize, primitive: usize) -> Option<Float32Array> {
        self.primitive(mesh, primitive).map(|primitive| floats(&primitive.colors))
    }

    /// Four indices into the skeleton for each vertex; none for what no joint bends.
    #[must_use]
    pub fn joints(&self, mesh: usize, primitive: usize) -> Option<Uint16Array> {
        self.primitive(mesh, primitive).map(|primitive| Uint16Array::from(primitive.joints.as_flattened()))
    }

    /// Four floats for each vertex.
    #[must_use]
    pub fn weights(&self, mesh: usize, primitive: usize) -> Option<Float32Array> {
        self.primitive(mesh, primitive).map(|primitive| floats(&primitive.weights))
    }

    /// Three indices for each triangle.
    #[must_use]
    pub fn indices(&self, mesh: usize, primitive: usize) -> Option<Uint32Array> {
        self.primitive(mesh, primitive).map(|primitive| Uint32Array::from(primitive.indices.as_slice()))
    }

    /// An image as it is in the file: PNG, JPEG.
    #[must_use]
    pub fn image(&self, index: usize) -> Option<Uint8Array> {
        self.asset.images.get(index).map(|image| Uint8Array::from(&*image.bytes))
    }
}

impl RawAsset {
    fn primitive(&self, mesh: usize, primitive: usize) -> Option<&Primitive> {
        self.asset.meshes.get(mesh)?.primitives.get(primitive)
    }
}

fn floats<const N: usize>(values: &[[f32; N]]) -> Float32Array {
    Float32Array::from(values.as_flattened())
}
