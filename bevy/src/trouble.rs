//! Errors of characters, as messages and log lines; the game keeps running.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use nebula_animation::PlayError;
use nebula_animation::compile::UnknownClip;
use nebula_animation::mixer::MachineError;
use nebula_animation::retarget::RetargetError;
use nebula_animation::rig::LegError;
use nebula_animation::skeleton::UnknownJoint;

/// Something about an entity cannot work. It is reported once, here and in the log; the entity stays as it is.
#[derive(Message, Debug, Clone)]
pub struct AnimationTrouble {
    /// The entity with the component in question. It may no longer exist when this is read.
    pub entity: Entity,
    /// The error.
    pub error: NebulaError,
}

/// What can go wrong with a character.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum NebulaError {
    /// A file could not be loaded: it is missing, invalid, or has no such scene.
    #[error("{file} could not be loaded: {reason}")]
    NotLoaded {
        /// The path, with the label of the scene.
        file: String,
        /// Why.
        reason: String,
    },
    /// The handle of a character belongs to no file, so there is no scene to show.
    #[error("the character asset was not loaded from a file: give its entity a WorldAssetRoot")]
    NoFile,
    /// The scene belongs to another file.
    #[error("the WorldAssetRoot shows {shown}, not {file}")]
    OtherScene {
        /// What is shown.
        shown: String,
        /// The character's file.
        file: String,
    },
    /// The scene has no joints of the character.
    #[error(
        "the scene has none of the joints of {0}: it was loaded before the plugin was added, or has different nodes"
    )]
    NoJoints(String),
    /// There is no such clip.
    #[error("{0}")]
    Play(#[from] PlayError),
    /// There is no such clip.
    #[error("{0}")]
    Clip(#[from] UnknownClip),
    /// A state machine does not fit the character.
    #[error("state machine {file}: {error}")]
    Machine {
        /// The path of the machine.
        file: String,
        /// What is wrong with it.
        error: MachineError,
    },
    /// Clips of another file cannot be retargeted.
    #[error("clips of {file} cannot be retargeted: {error}")]
    Retarget {
        /// The other file.
        file: String,
        /// Why.
        error: RetargetError,
    },
    /// There is no such joint.
    #[error("{0}")]
    Joint(#[from] UnknownJoint),
    /// The body lacks what a component needs.
    #[error("{component} needs joints that the rig does not have: {error}")]
    Body {
        /// The component that asks for it.
        component: &'static str,
        /// What is missing, or wrong with a leg.
        error: LegError,
    },
    /// The clips were loaded without root motion.
    #[error("RootMotion moves nothing: load the file with CharacterSettings {{ root_motion: true, .. }}")]
    NoRootMotion,
    /// There is no ground for feet to stand on.
    #[error("FeetOnGround needs a ground: insert the resource Ground, or add GroundPlugin or GroundCastPlugin")]
    NoGround,
    /// The crowd rejected the character.
    #[error("{0}")]
    Crowd(String),
    /// A component has no effect on members of crowds.
    #[error("{component} has no effect on a CrowdMember: use a NebulaCharacter, of the same file if you like")]
    NotInCrowds {
        /// The component.
        component: &'static str,
    },
    /// Something is attached to an entity that is not a character.
    #[error("AttachedTo refers to {0}, which is not a character")]
    NoCharacter(Entity),
}

/// What was last said about something that is looked at in every frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct Told(Option<String>);

/// Says what is wrong.
#[derive(SystemParam)]
pub(crate) struct Troubles<'w, 's> {
    messages: MessageWriter<'w, AnimationTrouble>,
    names: Query<'w, 's, NameOrEntity>,
}

impl Troubles<'_, '_> {
    /// Says what was not said before; returns whether it was not.
    pub fn say_once(&mut self, Told(told): &mut Told, entity: Entity, error: NebulaError) -> bool {
        let text = error.to_string();
        let is_new = told.as_ref() != Some(&text);
        if is_new {
            *told = Some(text);
            self.say(entity, error);
        }
        is_new
    }

    pub fn say(&mut self, entity: Entity, error: impl Into<NebulaError>) {
        let error = error.into();
        match self.names.get(entity) {
            Ok(name) => error!("{name}: {error}"),
            Err(_) => error!("{entity}: {error}"),
        }
        self.messages.write(AnimationTrouble { entity, error });
    }
}
