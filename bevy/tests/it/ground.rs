//! Feet on ground that rays are cast at.

use bevy::asset::RenderAssetUsages;
use bevy::ecs::system::SystemParam;
use bevy::mesh::{Indices, PrimitiveTopology};
use bevy::prelude::*;
use nebula_bevy::{FeetOnGround, GazeAt, Ground, GroundCastPlugin, GroundCaster, GroundPoint, NebulaCharacter};

use crate::stage::{Stage, own};

/// On what feet stand, so that rays do not hit the feet.
#[derive(Component)]
struct Floor;

/// Rays straight down at the triangles of floors, with memory that a cast uses: as Bevy's own are, one at a time.
#[derive(SystemParam)]
struct Rays<'w, 's> {
    floors: Query<'w, 's, (&'static Mesh3d, &'static GlobalTransform), With<Floor>>,
    meshes: Res<'w, Assets<Mesh>>,
    hits: Local<'s, Vec<(f32, Vec3)>>,
}

impl GroundCaster for Rays<'_, '_> {
    fn cast(&mut self, place: Vec3) -> Option<GroundPoint> {
        self.hits.clear();
        for (mesh, at) in &self.floors {
            for triangle in self.meshes.get(mesh)?.triangles().ok()? {
                let [a, b, c] = triangle.vertices.map(|corner| at.transform_point(corner));
                let normal = (b - a).cross(c - a).normalize_or(Vec3::Y);
                let height = a.y - (normal.x * (place.x - a.x) + normal.z * (place.z - a.z)) / normal.y;
                let hit = Vec3::new(place.x, height, place.z);
                let is_left = |from: Vec3, to: Vec3| (to - from).cross(hit - from).dot(normal) >= 0.0;
                if is_left(a, b) && is_left(b, c) && is_left(c, a) {
                    self.hits.push((height, normal));
                }
            }
        }
        let below = self.hits.iter().filter(|(height, _)| *height < place.y + 1.0);
        below.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(height, normal)| GroundPoint::new(*height, *normal))
    }
}

/// How the ground rises along x and z.
const RISE: Vec2 = Vec2::new(0.25, -0.1);

fn slope() -> Mesh {
    let corner = |x: f32, z: f32| [x, RISE.dot(Vec2::new(x, z)), z];
    let corners = vec![corner(-9.0, -9.0), corner(-9.0, 9.0), corner(9.0, 9.0), corner(9.0, -9.0)];
    Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::default())
        .with_inserted_attribute(Mesh::ATTRIBUTE_POSITION, corners)
        .with_inserted_indices(Indices::U32(vec![0, 1, 2, 0, 2, 3]))
}

/// Where the feet of three characters come to be.
fn feet(stage: &mut Stage) -> Vec<Vec3> {
    let target = stage.app.world_mut().spawn(Transform::from_xyz(1.0, 1.5, 4.0)).id();
    let handle = stage.load("simple_humanoid.glb");
    let spec = NebulaCharacter::new(handle).playing("idle");
    stage.pace(0.0);
    let entities = [-1.0, 0.0, 1.5]
        .map(|x| stage.spawn((spec.clone(), FeetOnGround, GazeAt(target), Transform::from_xyz(x, RISE.x * x, 0.0))));
    stage.pace(1.0 / 60.0);
    stage.frames(120);
    assert!(stage.said().is_empty(), "{:?}", stage.said());
    let feet = entities.iter().flat_map(|entity| {
        ["LeftFoot", "RightFoot", "LeftToeBase", "RightToeBase"]
            .map(|name| stage.animator(*entity).joint_entity(name).expect("a foot"))
    });
    feet.map(|foot| stage.place(foot).w_axis.truncate()).collect()
}

#[test]
fn feet_stand_where_rays_hit_triangles() {
    let mut stage = Stage::with(&own(), |app| {
        app.add_plugins(GroundCastPlugin::<Rays>::default());
    });
    let mesh = stage.app.world_mut().resource_mut::<Assets<Mesh>>().add(slope());
    stage.app.world_mut().spawn((Floor, Mesh3d(mesh), Transform::from_xyz(0.0, 0.0, 0.0)));
    let by_rays = feet(&mut stage);
    let mut stage = Stage::new(&own());
    let ground = |place: Vec3| {
        Some(GroundPoint::new(RISE.dot(place.xz()), Vec3::new(-RISE.x, 1.0, -RISE.y).normalize_or(Vec3::Y)))
    };
    stage.app.insert_resource(Ground::new(ground));
    let by_formula = feet(&mut stage);
    for (ray, formula) in by_rays.iter().zip(&by_formula) {
        assert!(ray.distance(*formula) < 1e-3, "{ray} is not {formula}");
    }
    assert_eq!(by_rays.len(), 12);
    // On level ground both ankles are as high as each other.
    assert!((by_rays[0].y - by_rays[1].y).abs() > 0.02, "{by_rays:?}");
}
