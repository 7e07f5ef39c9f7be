//! What is written to the log.

use std::fmt::Debug;
use std::sync::{Mutex, OnceLock, PoisonError};

use bevy::log::tracing::field::{Field, Visit};
use bevy::log::tracing::{Event, Level, Subscriber, subscriber};
use bevy::log::tracing_subscriber::layer::{Context, SubscriberExt};
use bevy::log::tracing_subscriber::{Layer, registry};
use nebula_bevy::NebulaCharacter;

use crate::stage::{Stage, own};

/// The warnings of all tests of this process: they are told apart by the names of their files.
static WARNINGS: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Listener;

impl<S: Subscriber> Layer<S> for Listener {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        struct Message(Option<String>);
        impl Visit for Message {
            fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
                if field.name() == "message" {
                    self.0 = Some(format!("{value:?}"));
                }
            }
        }
        let mut message = Message(None);
        if *event.metadata().level() == Level::WARN {
            event.record(&mut message);
            WARNINGS.lock().unwrap_or_else(PoisonError::into_inner).extend(message.0);
        }
    }
}

/// The warnings that name both of two things.
fn warnings(a: &str, b: &str) -> Vec<String> {
    let all = WARNINGS.lock().unwrap_or_else(PoisonError::into_inner);
    all.iter().filter(|line| line.contains(a) && line.contains(b)).cloned().collect()
}

#[test]
fn clips_of_one_name_and_joints_without_a_partner_are_warned_of() {
    static IS_HEARD: OnceLock<bool> = OnceLock::new();
    let is_heard = IS_HEARD.get_or_init(|| subscriber::set_global_default(registry().with(Listener)).is_ok());
    assert!(is_heard, "somebody else listens");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy(own().join("robot.glb"), folder.path().join("listener.glb")).expect("copied");
    std::fs::copy(own().join("simple_humanoid.glb"), folder.path().join("lender.glb")).expect("copied");
    let mut stage = Stage::new(folder.path());
    let (body, clips) = (stage.load("listener.glb"), stage.load("lender.glb"));
    let spec = NebulaCharacter::new(body).with_clips_from(clips);
    let [entity, _] = [stage.spawn(spec.clone()), stage.spawn(spec)];
    let library = stage.animator(entity).mixer.clips().clone();
    let names: Vec<_> = library.iter().map(|clip| clip.name().to_owned()).collect();
    let twice: Vec<_> = names.iter().enumerate().filter(|(at, name)| names[..*at].contains(name)).collect();
    assert!(!twice.is_empty(), "the two files have clips of one name: {names:?}");
    let hidden = warnings("lender.glb", "hidden");
    assert_eq!(hidden.len(), 1, "once for all characters: {hidden:?}");
    assert!(twice.iter().all(|(_, name)| hidden[0].contains(*name)), "{hidden:?}");
    let alone = warnings("lender.glb", "joints of");
    assert!(alone.iter().any(|line| line.contains("LeftToeBase") || line.contains("Fingers")), "{alone:?}");
}
