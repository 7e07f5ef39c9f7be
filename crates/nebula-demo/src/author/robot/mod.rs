//! The second character: a robot with short legs, long arms and rigid parts. Its rig differs from the person's in all that
//! rigs differ in: every joint points along its own X axis, the arms rest at a slant, and there are 21 joints.

mod body;
mod clips;
mod rig;

/// The bytes of `robot.glb`.
pub(super) fn robot_file() -> std::io::Result<Vec<u8>> {
    let robot = rig::robot_rig();
    let mesh = body::body_mesh(&robot);
    super::character::character_file("robot", &robot.rig, &mesh, &clips::all(&robot))
}
