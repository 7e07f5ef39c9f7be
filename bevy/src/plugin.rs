//! The plugin: loaders, systems, messages, and their order.

use bevy::camera::visibility::VisibilitySystems;
use bevy::gltf::extensions::GltfExtensionHandlers;
use bevy::prelude::*;
use bevy::transform::TransformSystems;

use crate::asset::{CharacterAsset, CharacterLoader, MachineAsset, MachineLoader, register_vrm};
use crate::attach::AttachedTo;
use crate::character::{AnimatedMorphs, Animator, NebulaCharacter, Unbound};
use crate::finish::{Left, advance_characters, finish_characters};
use crate::ground::{GroundResource, OtherGround};
use crate::layers::{FeetOnGround, GazeAt};
use crate::library::Libraries;
use crate::messages::{AnimationEvent, AnimationFinished, AnimationLooped, StateChanged};
use crate::node::NodeIndices;
use crate::playing::NowPlaying;
use crate::root_motion::RootMotion;
use crate::trouble::AnimationTrouble;
use crate::{attach, bind, crowd, layers, playing, rebind, root_motion, write};

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

/// The stages of a frame, in `PostUpdate` and in this order, all but the last before transform propagation. Order your
/// own systems between them.
#[derive(SystemSet, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NebulaSystems {
    /// Scenes are bound to files, components become layers, objects are attached to joints.
    Bind,
    /// State machines decide, mixers play, messages are written.
    Advance,
    /// Root motion moves entities. Put your own character controller here, or before.
    Move,
    /// Layers adapt poses to the world.
    Finish,
    /// Joints get their `Transform`s, meshes their `MorphWeights`.
    Write,
    /// After transform propagation: rigid meshes on joints of crowds get their `GlobalTransform`s.
    Place,
}

impl Plugin for NebulaPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<CharacterAsset>()
            .init_asset::<MachineAsset>()
            .register_asset_loader(CharacterLoader)
            .register_asset_loader(MachineLoader)
            .init_resource::<Libraries>()
            .init_resource::<Left>()
            .init_resource::<crowd::NebulaCrowd>()
            .add_message::<AnimationEvent>()
            .add_message::<AnimationFinished>()
            .add_message::<AnimationLooped>()
            .add_message::<StateChanged>()
            .add_message::<AnimationTrouble>();
        // Scenes that are loaded from now on tell which node each entity is.
        let handlers = app.world_mut().get_resource_or_init::<GltfExtensionHandlers>();
        handlers.0.write_blocking().push(Box::new(NodeIndices));

        app.add_observer(bind::scene_is_ready)
            .add_observer(crowd::scene_is_ready)
            .add_observer(crowd::leave)
            .add_observer(attach::detach);
        use NebulaSystems::{Advance, Bind, Finish, Move, Place, Write};
        app.configure_sets(
            PostUpdate,
            (
                (Bind, Advance, Move, Finish, Write).chain().before(TransformSystems::Propagate),
                Place.after(TransformSystems::Propagate).before(VisibilitySystems::CheckVisibility),
            ),
        );
        // What has nothing to do is not even begun: a thread that is woken up for it takes longer than the work itself.
        let files_change = on_message::<AssetEvent<CharacterAsset>>;
        let bind_characters = (
            rebind::rebind_changed.run_if(files_change.or_else(on_message::<AssetEvent<MachineAsset>>)),
            rebind::follow_characters.run_if(any_match_filter::<Changed<NebulaCharacter>>),
            bind::bind_characters.run_if(any_with_component::<Unbound>),
            layers::update_gazes.run_if(any_with_component::<GazeAt>.or_else(any_component_removed::<GazeAt>)),
            layers::update_feet
                .run_if(any_with_component::<FeetOnGround>.or_else(any_component_removed::<FeetOnGround>)),
            attach::attach.run_if(any_with_component::<AttachedTo>),
        );
        let bind_members = (
            crowd::rebind_members.run_if(files_change),
            crowd::forget_meshes.run_if(on_message::<AssetEvent<Mesh>>),
            crowd::follow_members.run_if(any_match_filter::<Changed<crowd::CrowdMember>>),
            crowd::bind_members.run_if(any_with_component::<crowd::Seatless>),
            crowd::check_members.run_if(any_with_component::<GazeAt>.or_else(any_with_component::<FeetOnGround>)),
            root_motion::check_root_motion.run_if(any_with_component::<RootMotion>),
        );
        let has_characters = any_with_component::<Animator>;
        let has_members = any_with_component::<crowd::CrowdSeat>;
        app.add_systems(PostUpdate, (bind_characters.chain(), bind_members.chain()).chain().in_set(Bind))
            .add_systems(PostUpdate, advance_characters.in_set(Advance).run_if(has_characters))
            .add_systems(PostUpdate, crowd::advance_crowd.in_set(Advance).run_if(has_members))
            .add_systems(
                PostUpdate,
                (root_motion::move_entities.run_if(has_characters), root_motion::move_members.run_if(has_members))
                    .in_set(Move)
                    .run_if(any_with_component::<RootMotion>),
            )
            .add_systems(
                PostUpdate,
                finish_characters::<GroundResource>
                    .in_set(Finish)
                    .run_if(has_characters.and_then(not(resource_exists::<OtherGround>))),
            )
            .add_systems(
                PostUpdate,
                (
                    write::write_joints.run_if(has_characters),
                    write::write_morphs.run_if(any_with_component::<AnimatedMorphs>),
                    crowd::pose_crowd.run_if(any_with_component::<crowd::CrowdMorphs>),
                    playing::note_characters.run_if(any_with_component::<NowPlaying>),
                    playing::note_members.run_if(any_with_component::<NowPlaying>),
                )
                    .chain()
                    .in_set(Write),
            )
            .add_systems(PostUpdate, crowd::place_parts.in_set(Place).run_if(any_with_component::<crowd::CrowdPart>));
    }

    fn finish(&self, app: &mut App) {
        register_vrm(app);
        #[cfg(feature = "render")]
        if let Some(render) = app.get_sub_app_mut(bevy::render::RenderApp) {
            // A renderer without `PbrPlugin` has no buffer of skins.
            let write_skins = crowd::write_skins.run_if(resource_exists::<bevy::pbr::SkinUniforms>);
            render.add_systems(ExtractSchedule, write_skins.after(bevy::pbr::extract_skins));
        }
    }
}
