//! A character that walks.
mod stage;
use bevy::prelude::*;
use nebula_bevy::{NebulaCharacter, NebulaPlugin};

fn main() -> AppExit {
    stage::app("play", 20).add_plugins(NebulaPlugin).add_systems(Startup, spawn).run()
}

fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
    commands.spawn(NebulaCharacter::new(assets.load("simple_humanoid.glb")).playing("walk"));
    commands.spawn((DirectionalLight::default(), Transform::from_xyz(1.0, 2.0, 3.0).looking_at(Vec3::ZERO, Vec3::Y)));
    commands.spawn((Camera3d::default(), Transform::from_xyz(2.0, 1.5, 3.0).looking_at(Vec3::Y, Vec3::Y)));
}
