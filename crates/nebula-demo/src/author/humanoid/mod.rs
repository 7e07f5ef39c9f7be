//! The person: rig, body, skin weights and clips.

mod body;
mod clips;
mod figure;
mod gait;
mod hand;
mod head;
mod jump;
mod rig;
mod run;
mod shoe;
mod stand;
mod stroll;
mod turn;
mod walk;
mod wave;
mod weights;

/// The bytes of `simple_humanoid.glb`.
pub(super) fn humanoid_file() -> std::io::Result<Vec<u8>> {
    let humanoid = rig::humanoid_rig();
    let mesh = body::body_mesh(&humanoid);
    super::character::character_file("humanoid", &humanoid.rig, &mesh, &clips::all(&humanoid))
}
