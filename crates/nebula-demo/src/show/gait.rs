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
const TOUCH: f32 = 0.006;

/// How far the ground moved between two poses under the vertices that touch it in both: a foot that stands does not
/// slide. None while nothing stands.
///
/// Of two feet, the one counts that stands in the pose `ahead`, which the figure is about to take: in a first step, the
/// other one is lifted.
pub fn ground_step(before: &[Surface], after: &[Surface], ahead: &[Surface]) -> Option<Vec3> {
    let standing = |surface: &Surface, vertex: usize| surface.positions[vertex].y < TOUCH;
    let mean = |is_counted: &dyn Fn(usize, usize) -> bool| {
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for (index, (before, after)) in before.iter().zip(after).enumerate() {
            for vertex in 0..before.positions.len().min(after.positions.len()) {
                if standing(before, vertex) && standing(after, vertex) && is_counted(index, vertex) {
                    sum += after.positions[vertex] - before.positions[vertex];
                    count += 1.0;
                }
            }
        }
        (count > 0.0).then(|| Vec3::new(sum.x, 0.0, sum.z) / count)
    };
    mean(&|index, vertex| standing(&ahead[index], vertex)).or_else(|| mean(&|_, _| true))
}
