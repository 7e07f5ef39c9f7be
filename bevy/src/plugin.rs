//! The plugin: loaders, systems, messages, and their order.

use bevy::gltf::extensions::GltfExtensionHandlers;
use bevy::prelude::*;
use bevy::transform::TransformSystems;

use crate::asset::{CharacterAsset, CharacterLoader, MachineAsset, MachineLoader};
use crate::finish::{advance_characters, finish_characters};
use crate::ground::{GroundResource, OtherGround};
use crate::library::Libraries;
use crate::messages::{AnimationEvent, AnimationFinished, AnimationLooped, StateChanged};
use crate::node::NodeIndices;
use crate::trouble::AnimationTrouble;
use crate::{attach, bind, crowd, layers, root_motion, write};

/// Characters for Bevy: add it after `DefaultPlugins`, and spawn [`NebulaCharacter`](crate::NebulaCharacter)s.
///
/// ```no_run
/// use bevy::prelude::*;
/// use nebula_bevy::NebulaPlugin;
///
/// App::new().add_plugins((DefaultPlugins, NebulaPlugin)).run();
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct NebulaPlugin;

/// The stages of a frame, in `PostUpdate` and in this order, all before Bevy propagates transforms. Systems of your own go between them.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NebulaSystems {
    /// Scenes and files are put together; components become layers; things are hung on joints.
    Bind,
    /// State machines decide, mixers play, messages are written.
    Advance,
    /// Root motion moves entities. A character controller of your own belongs here, or before.
    Move,
    /// Layers bend poses to the world.
    Finish,
    /// Joints get their `Transform`s, meshes their `MorphWeights`.
    Write,
}

impl Plugin for NebulaPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<CharacterAsset>()
            .init_asset::<MachineAsset>()
            .register_asset_loader(CharacterLoader)
            .register_asset_loader(MachineLoader)
            .init_resource::<Libraries>()
            .init_resource::<crowd::NebulaCrowd>()
            .add_message::<AnimationEvent>()
            .add_message::<AnimationFinished>()
            .add_message::<AnimationLooped>()
            .add_message::<StateChanged>()
            .add_message::<AnimationTrouble>();
        // Scenes that are loaded from now on tell which node each entity is.
        let handlers = app.world_mut().get_resource_or_init::<GltfExtensionHandlers>();
        handlers.0.write_blocking().push(Box::new(NodeIndices));

        app.add_observer(bind::scene_is_ready).add_observer(crowd::scene_is_ready).add_observer(crowd::leave);
        use NebulaSystems::{Advance, Bind, Finish, Move, Write};
        app.configure_sets(
            PostUpdate,
            (Bind, Advance, Move, Finish, Write).chain().before(TransformSystems::Propagate),
        );
        let bind_characters = (
            bind::rebind_changed,
            bind::bind_characters,
            bind::follow_speed,
            root_motion::check_root_motion,
            layers::update_gazes,
            layers::update_feet,
            attach::attach,
        );
        let bind_members = (crowd::rebind_members, crowd::bind_members, crowd::follow_members);
        app.add_systems(PostUpdate, (bind_characters.chain(), bind_members.chain()).chain().in_set(Bind))
            .add_systems(PostUpdate, (advance_characters, crowd::advance_crowd).in_set(Advance))
            .add_systems(PostUpdate, root_motion::move_entities.in_set(Move))
            .add_systems(
                PostUpdate,
                finish_characters::<GroundResource>.in_set(Finish).run_if(not(resource_exists::<OtherGround>)),
            )
            .add_systems(
                PostUpdate,
                (write::write_joints, write::write_morphs, crowd::pose_crowd).chain().in_set(Write),
            );
    }

    #[cfg(feature = "render")]
    fn finish(&self, app: &mut App) {
        if let Some(render) = app.get_sub_app_mut(bevy::render::RenderApp) {
            render.add_systems(ExtractSchedule, crowd::write_skins.after(bevy::pbr::extract_skins));
        }
    }
}
