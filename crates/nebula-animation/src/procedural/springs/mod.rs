//! Springs for hair, tails and strips of cloth: bones that lag behind and swing.
//!
//! The far end of every bone is a point mass that is pulled to its position in the pose, falls, is damped, and is kept
//! outside spheres and capsules. Time is divided into equal steps, whatever the frame rate.

mod collider;
mod joints;
mod layer;
mod strand;
mod why;

pub use collider::SpringCollider;
pub use joints::SpringJoints;
pub use layer::SpringChain;
pub use strand::SpringSettings;
