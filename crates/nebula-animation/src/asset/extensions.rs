//! The extensions that a file may require.

use super::document::Document;
use super::error::AnimationLoadError;
use super::report::Report;

/// Extensions that this loader decodes.
const DECODED: [&str; 6] = [
    "EXT_meshopt_compression",
    "KHR_animation_clip",
    "KHR_animation_pointer",
    "KHR_meshopt_compression",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
];

/// Extensions about looks, light, visibility and metadata: no pose depends on them. Families end with `_`.
const WITHOUT_INFLUENCE: [&str; 24] = [
    "ADOBE_materials_",
    "AGI_",
    "EXT_instance_features",
    "EXT_lights_",
    "EXT_materials_",
    "EXT_mesh_features",
    "EXT_mesh_manifold",
    "EXT_structural_metadata",
    "EXT_texture_",
    "FB_",
    "GODOT_",
    "GOOGLE_texture_",
    "KHR_audio",
    "KHR_character",
    "KHR_interactivity",
    "KHR_lights_",
    "KHR_materials_",
    "KHR_node_",
    "KHR_physics_",
    "KHR_texture_",
    "KHR_xmp",
    "MSFT_",
    "NV_materials_",
    "VRM",
];

const DRACO: &str = "KHR_draco_mesh_compression";

/// Refuses a file that cannot be understood without an extension which this loader does not know.
pub(super) fn check(document: &Document, report: &mut Report) -> Result<(), AnimationLoadError> {
    for extension in &document.extensions_required {
        let is_harmless = WITHOUT_INFLUENCE.iter().any(|known| extension.starts_with(known));
        match &**extension {
            known if DECODED.contains(&known) || is_harmless => {}
            DRACO => {
                // Skeleton and clips of a Draco file are plain, only its geometry is lost. A file that requires
                // Draco while no primitive carries it hides something else.
                if !uses_draco(document) {
                    return Err(report.malformed(DRACO, "is required, but no mesh is compressed with it"));
                }
            }
            "EXT_mesh_gpu_instancing" => {
                report.note("EXT_mesh_gpu_instancing", "is not supported: each mesh is loaded once");
            }
            unknown => return Err(report.unsupported_extension(unknown)),
        }
    }
    Ok(())
}

fn uses_draco(document: &Document) -> bool {
    let primitives = document.meshes.iter().flat_map(|mesh| mesh.primitives.iter());
    primitives.into_iter().any(|primitive| primitive.extensions.draco.is_some())
}
