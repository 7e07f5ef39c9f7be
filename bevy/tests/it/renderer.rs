//! Renderers other than `bevy_pbr`.

use bevy::app::SubApp;
use bevy::prelude::*;
use bevy::render::{ExtractSchedule, MainWorld, RenderApp};
use nebula_bevy::CrowdMember;
use nebula_bevy::crowd::NebulaCrowd;

use crate::crowd::spawn;
use crate::stage::{Stage, own};

/// How often something was taken over for the renderer.
#[derive(Resource, Default)]
struct Extracted(usize);

#[test]
fn a_renderer_without_pbr_is_left_alone() {
    let mut stage = Stage::with(&own(), |app| {
        let mut render = SubApp::new();
        render.init_resource::<Extracted>().init_resource::<MainWorld>().add_systems(
            ExtractSchedule,
            |mut extracted: ResMut<Extracted>, main: Res<MainWorld>| {
                extracted.0 += usize::from(!main.resource::<NebulaCrowd>().is_empty());
            },
        );
        render.set_extract(|main, render| {
            std::mem::swap(main, &mut *render.resource_mut::<MainWorld>());
            render.run_schedule(ExtractSchedule);
            std::mem::swap(main, &mut *render.resource_mut::<MainWorld>());
        });
        app.insert_sub_app(RenderApp, render);
    });
    let handle = stage.load("simple_humanoid.glb");
    spawn(&mut stage, [(CrowdMember::new(handle), Transform::default())]);
    stage.frames(5);
    let render = stage.app.get_sub_app(RenderApp).expect("it was put there");
    assert!(render.world().resource::<Extracted>().0 >= 5, "what comes before and after is run");
}
