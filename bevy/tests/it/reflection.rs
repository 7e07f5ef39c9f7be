//! Components as inspectors, scenes and clones see them.

use bevy::prelude::*;
use bevy::reflect::{DynamicStruct, TypePath};
use nebula_bevy::{CrowdMember, NebulaCharacter};

use crate::stage::{Stage, own};

/// What the registry makes of a type by itself.
fn registered<T: Reflect + TypePath>(stage: &Stage) -> T {
    let registry = stage.app.world().resource::<AppTypeRegistry>().read();
    let known = registry.get_type_data::<ReflectDefault>(std::any::TypeId::of::<T>()).expect("it has a default");
    known.default().take().expect("one of its type")
}

#[test]
fn components_by_default_run_at_the_speed_of_their_clips() {
    assert_eq!(NebulaCharacter::default().speed, 1.0);
    assert_eq!(CrowdMember::default().speed, 1.0);
    let stage = Stage::new(&own());
    assert_eq!(registered::<NebulaCharacter>(&stage).speed, 1.0);
    assert_eq!(registered::<CrowdMember>(&stage).speed, 1.0);
    // A scene file that names another field only.
    let mut document = DynamicStruct::default();
    document.insert("clip", Some("walk".to_owned()));
    let read = NebulaCharacter::from_reflect(&document).expect("the rest is by default");
    assert_eq!((read.speed, read.clip.as_deref()), (1.0, Some("walk")));
    let mut document = DynamicStruct::default();
    document.insert("time", 0.5_f64);
    let read = CrowdMember::from_reflect(&document).expect("the rest is by default");
    assert_eq!((read.speed, read.time), (1.0, 0.5));
}
