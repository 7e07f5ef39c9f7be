//! How far a character gets: by what its clips say, and by the feet that stand on the ground.

use glam::Vec3;
use serde::Deserialize;

use super::skin::Surface;

/// A clip of the shipped humanoid, and the ground that passes below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gait {
    /// Index of the clip.
    pub clip: usize,
    /// Length of one pass in seconds.
    pub seconds: f32,
    /// Metres along +Z in one pass.
    pub metres: f32,
}

#[derive(Deserialize)]
struct Document {
    animations: Vec<Animation>,
}

#[derive(Deserialize)]
struct Animation {
    #[serde(default)]
    extras: Extras,
}

#[derive(Deserialize, Default)]
struct Extras {
    #[serde(default)]
    distance: f32,
}

/// The `distance` in the `extras` of every animation of a .glb file; zero where there is none.
///
/// # Errors
/// One line if it is no such file.
pub fn distances(glb: &[u8]) -> Result<Vec<f32>, String> {
    // The header takes 12 bytes, then the JSON chunk comes with its length and its kind.
    let length = glb.get(12..16).and_then(|bytes| Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize));
    let json = length.and_then(|length| glb.get(20..)?.get(..length)).ok_or("no JSON in the file")?;
    let document: Document = serde_json::from_slice(json).map_err(|error| error.to_string())?;
    Ok(document.animations.into_iter().map(|animation| animation.extras.distance).collect())
}

/// Height below which a vertex touches the ground, in metres: what a shoe's sole yields.
pub const TOUCH: f32 = 0.006;

/// How far the ground moved between two poses under the vertices that touch it in both: a foot that stands does not
/// slide. None while nothing stands.
pub fn ground_step(before: &[Surface], after: &[Surface]) -> Option<Vec3> {
    let pairs = before.iter().zip(after).flat_map(|(before, after)| before.positions.iter().zip(&after.positions));
    let (mut sum, mut count) = (Vec3::ZERO, 0.0);
    for (before, after) in pairs.filter(|(before, after)| before.y < TOUCH && after.y < TOUCH) {
        sum += *after - *before;
        count += 1.0;
    }
    (count > 0.0).then(|| Vec3::new(sum.x, 0.0, sum.z) / count)
}
