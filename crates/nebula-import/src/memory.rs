use nebula_animation::Asset;

use crate::{ImportError, OpenOptions, gltf::GltfDocument};

/// Like [`open`](crate::open()), for a glTF file in memory, as on a web page. `resolve` is called with each URI that is
/// not a data URI. Returns the asset, and notes about it.
///
/// With the features `draco` and `ktx2`, compressed geometry and images are decoded.
///
/// # Errors
/// See [`ImportError`].
///
/// ```
/// let json = br#"{ "asset": { "version": "2.0" }, "nodes": [{}] }"#;
/// let mut nothing = |uri: &str| Err(std::io::Error::other(format!("no file {uri}")));
/// let (asset, notes) = nebula_import::open_bytes("a.gltf", json, &nebula_import::OpenOptions::default(), &mut nothing)?;
/// assert!(asset.meshes.is_empty() && notes.is_empty());
/// # Ok::<(), nebula_import::ImportError>(())
/// ```
pub fn open_bytes(
    name: &str,
    bytes: &[u8],
    options: &OpenOptions,
    resolve: &mut dyn FnMut(&str) -> std::io::Result<Vec<u8>>,
) -> Result<(Asset, Vec<String>), ImportError> {
    let asset = Asset::from_bytes(name, bytes, &options.load, resolve)?;
    let lacks_geometry = asset.meshes.iter().any(|mesh| mesh.is_geometry_missing);
    let has_ktx2 = asset.images.iter().any(|image| image.mime_type.as_deref() == Some("image/ktx2"));
    let can_decode = (cfg!(feature = "draco") && lacks_geometry) || (cfg!(feature = "ktx2") && has_ktx2);
    if !can_decode {
        return Ok((asset, Vec::new()));
    }
    #[cfg_attr(not(any(feature = "draco", feature = "ktx2")), allow(unused_mut, reason = "nothing is decoded"))]
    let mut document = GltfDocument::of_bytes(bytes, &asset, resolve)?;
    #[cfg_attr(not(feature = "ktx2"), allow(unused_mut, reason = "nothing is told"))]
    let mut notes = Vec::new();
    #[cfg(feature = "draco")]
    if document.has_draco() {
        document.decode_draco()?;
    }
    #[cfg(feature = "ktx2")]
    if document.has_ktx2() {
        notes.append(&mut document.decode_ktx2()?);
    }
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("{uri} was not embedded")));
    let asset = Asset::from_bytes(name, &document.into_glb()?, &options.load, &mut nothing)?;
    Ok((asset, notes))
}
