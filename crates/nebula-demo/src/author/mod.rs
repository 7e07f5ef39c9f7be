//! The program that makes the characters which the tests and the demo use: no file of theirs was drawn by hand or taken
//! from elsewhere. The same program gives the same bytes on every run.

mod character;
mod clip;
mod curve;
mod field;
mod glb;
mod humanoid;
mod mesh;
mod polygonise;
mod pose;
mod rig;
mod robot;
mod schema;
mod sword;
#[cfg(test)]
mod tests;

use std::path::Path;

/// Writes every authored asset into `folder`, which must exist.
pub fn write_assets(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, bytes) in assets()? {
        std::fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}

/// The name and the bytes of every asset.
fn assets() -> std::io::Result<[(&'static str, Vec<u8>); 3]> {
    Ok([
        ("simple_humanoid.glb", humanoid::humanoid_file()?),
        ("robot.glb", robot::robot_file()?),
        ("sword.glb", sword::sword_file()?),
    ])
}
