//! Hair, tails and strips of cloth: bones that lag behind and swing.
//!
//! Every bone's far end is a point with inertia, which is pulled to where the pose would have it, falls, is braked, and is
//! kept out of spheres and capsules. Time is cut into steps of equal length, whatever the frame rate.

mod collider;
mod joints;
mod layer;
mod strand;
mod why;

pub use collider::SpringCollider;
pub use joints::SpringJoints;
pub use layer::SpringChain;
pub use strand::SpringSettings;
