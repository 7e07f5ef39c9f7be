//! The ground for foot placement: a resource, any system parameter, or ray casts.

use std::marker::PhantomData;

use bevy::ecs::system::{ReadOnlySystemParam, SystemParam};
use bevy::prelude::*;
use nebula_animation::{GroundPoint, GroundQuery};

use crate::finish::{finish_characters, finish_in_turn};
use crate::plugin::NebulaSystems;

/// The ground of the game as a resource, for [`FeetOnGround`](crate::FeetOnGround). Without it, there is no ground.
///
/// ```
/// use bevy::prelude::*;
/// use nebula_bevy::{Ground, GroundPoint};
///
/// // A slope that rises along +X.
/// App::new().insert_resource(Ground::new(|place: Vec3| Some(GroundPoint::new(0.3 * place.x, Vec3::new(-0.3, 1.0, 0.0)))));
/// ```
#[derive(Resource)]
pub struct Ground(Box<dyn GroundQuery + Send + Sync>);

impl Ground {
    /// The ground as a function of a position. See [`GroundQuery`].
    pub fn new(ground: impl GroundQuery + Send + Sync + 'static) -> Self {
        Self(Box::new(ground))
    }
}

impl GroundQuery for Ground {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        self.0.ground(place)
    }
}

/// The default ground source, without a [`GroundPlugin`]: the resource [`Ground`].
#[derive(SystemParam)]
pub struct GroundResource<'w> {
    ground: Option<Res<'w, Ground>>,
}

impl GroundSource for GroundResource<'_> {
    fn query(&self) -> Option<&dyn GroundQuery> {
        self.ground.as_deref().map(|ground| ground as &dyn GroundQuery)
    }
}

/// A source of ground, as a system parameter: your own resource, a spatial query of your physics, a query for
/// colliders. It is called from several threads at once.
pub trait GroundSource {
    /// The ground; `None` while there is none.
    fn query(&self) -> Option<&dyn GroundQuery>;
}

/// Makes foot placement query your own system parameter instead of the resource [`Ground`].
///
/// ```
/// use bevy::ecs::system::SystemParam;
/// use bevy::prelude::*;
/// use nebula_bevy::{GroundPlugin, GroundPoint, GroundQuery, GroundSource};
///
/// #[derive(Component)]
/// struct Floor;
///
/// /// Floors are entities; a ray cast of a physics crate goes the same way.
/// #[derive(SystemParam)]
/// struct Floors<'w, 's>(Query<'w, 's, &'static GlobalTransform, With<Floor>>);
///
/// impl GroundQuery for Floors<'_, '_> {
///     fn ground(&self, place: Vec3) -> Option<GroundPoint> {
///         let below = self.0.iter().map(|floor| floor.translation().y).filter(|height| *height < place.y + 0.5);
///         below.max_by(f32::total_cmp).map(GroundPoint::level)
///     }
/// }
/// impl GroundSource for Floors<'_, '_> {
///     fn query(&self) -> Option<&dyn GroundQuery> {
///         Some(self)
///     }
/// }
///
/// App::new().add_plugins(GroundPlugin::<Floors>::default());
/// ```
pub struct GroundPlugin<P>(PhantomData<fn() -> P>);

impl<P> Default for GroundPlugin<P> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

/// In worlds where the resource [`Ground`] is not asked.
#[derive(Resource, Debug, Default)]
pub(crate) struct OtherGround;

/// Casts rays for foot placement, as a system parameter that needs mutable access, like Bevy's `MeshRayCast`, which
/// caches its results.
pub trait GroundCaster {
    /// The ground at the x and z of a place, in world space; its y tells which storey is meant. `None` where there is none.
    fn cast(&mut self, place: Vec3) -> Option<GroundPoint>;
}

/// Makes foot placement query a system parameter that only one thread can use at a time. Characters with layers are
/// then updated one after the other; if the ground can be queried from several threads, [`GroundPlugin`] is faster.
///
/// With Bevy's rays against meshes, which are its feature `mesh_picking`, the body of `cast` is
///
/// ```text
/// let ray = Ray3d::new(place + Vec3::Y, Dir3::NEG_Y);
/// let is_floor = |entity: Entity| self.floors.contains(entity);
/// let settings = MeshRayCastSettings::default().with_visibility(RayCastVisibility::Any).with_filter(&is_floor);
/// let (_, hit) = self.rays.cast_ray(ray, &settings).first()?;
/// Some(GroundPoint::new(hit.point.y, hit.normal))
/// ```
///
/// where `rays` is a `MeshRayCast`, and `floors` a query that keeps the character's own feet out. One that counts its casts:
///
/// ```
/// use bevy::ecs::system::SystemParam;
/// use bevy::prelude::*;
/// use nebula_bevy::{GroundCastPlugin, GroundCaster, GroundPoint};
///
/// #[derive(Component)]
/// struct Floor;
///
/// #[derive(SystemParam)]
/// struct Rays<'w, 's> {
///     floors: Query<'w, 's, &'static GlobalTransform, With<Floor>>,
///     casts: Local<'s, usize>,
/// }
///
/// impl GroundCaster for Rays<'_, '_> {
///     fn cast(&mut self, place: Vec3) -> Option<GroundPoint> {
///         *self.casts += 1;
///         let below = self.floors.iter().map(|floor| floor.translation().y).filter(|height| *height < place.y + 0.5);
///         below.max_by(f32::total_cmp).map(GroundPoint::level)
///     }
/// }
///
/// App::new().add_plugins(GroundCastPlugin::<Rays>::default());
/// ```
pub struct GroundCastPlugin<P>(PhantomData<fn() -> P>);

impl<P> Default for GroundCastPlugin<P> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<P> Plugin for GroundCastPlugin<P>
where
    P: SystemParam + 'static,
    for<'w, 's> P::Item<'w, 's>: GroundCaster,
{
    fn build(&self, app: &mut App) {
        app.init_resource::<OtherGround>();
        app.add_systems(PostUpdate, finish_in_turn::<P>.in_set(NebulaSystems::Finish));
    }
}

impl<P> Plugin for GroundPlugin<P>
where
    P: ReadOnlySystemParam + 'static,
    for<'w, 's> P::Item<'w, 's>: GroundSource + Sync,
{
    fn build(&self, app: &mut App) {
        app.init_resource::<OtherGround>();
        app.add_systems(PostUpdate, finish_characters::<P>.in_set(NebulaSystems::Finish));
    }
}
