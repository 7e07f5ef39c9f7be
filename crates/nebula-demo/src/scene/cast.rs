//! The cast of a scene.

use std::f32::consts::{PI, TAU};
use std::sync::Arc;

use glam::Vec3;
use nebula_animation::Asset;
use nebula_animation::asset::{Material, Mesh, Primitive};

use crate::show::model::Model;

/// The shipped models, in the program itself: it works wherever the program is.
#[derive(Debug)]
pub struct Cast {
    /// The character.
    pub humanoid: Model,
    /// What it carries.
    pub sword: Model,
    /// What it looks at.
    pub lamp: Model,
}

impl Cast {
    /// Loads everything.
    ///
    /// # Errors
    /// The loader's message.
    pub fn load() -> Result<Arc<Self>, String> {
        let humanoid = include_bytes!("../../../nebula-animation/test_assets/simple_humanoid.glb");
        let sword = include_bytes!("../../../nebula-animation/test_assets/sword.glb");
        let humanoid = Model::from_bytes("simple_humanoid.glb", humanoid)?;
        Ok(Arc::new(Self { humanoid, sword: Model::from_bytes("sword.glb", sword)?, lamp: Model::new(ball(0.055))? }))
    }
}

/// A ball that is brighter than white paint: it stands for a light.
fn ball(radius: f32) -> Asset {
    const RINGS: u32 = 10;
    const SIDES: u32 = 20;
    let mut normals = Vec::new();
    for ring in 0..=RINGS {
        for side in 0..=SIDES {
            let (polar, around) = (PI * ring as f32 / RINGS as f32, TAU * side as f32 / SIDES as f32);
            normals.push(Vec3::new(polar.sin() * around.sin(), polar.cos(), polar.sin() * around.cos()));
        }
    }
    let corner = |ring: u32, side: u32| ring * (SIDES + 1) + side;
    let squares = (0..RINGS).flat_map(|ring| (0..SIDES).map(move |side| (ring, side)));
    let triangles = squares.flat_map(|(ring, side)| {
        let [a, b, c, d] =
            [corner(ring, side), corner(ring + 1, side), corner(ring + 1, side + 1), corner(ring, side + 1)];
        [a, b, c, a, c, d]
    });
    let primitive = Primitive {
        positions: normals.iter().map(|&normal| (normal * radius).into()).collect(),
        indices: triangles.collect(),
        normals: normals.into_iter().map(Into::into).collect(),
        material: Material {
            base_color_factor: [0.0, 0.0, 0.0, 1.0],
            emissive_factor: [1.0, 0.75, 0.3],
            ..Material::default()
        },
        ..Primitive::default()
    };
    let mesh = Mesh { name: "lamp".into(), primitives: [primitive].into(), ..Mesh::default() };
    Asset { meshes: vec![mesh], ..Asset::default() }
}
