//! The crowd, and the order of frames.

use crate::scene::many::COUNT;
use crate::scene::{Play, Scene};

fn palettes(play: &mut Play, frame: usize) -> Vec<glam::Mat4> {
    play.show(frame, 1.6, |shot| shot.bodies.iter().flat_map(|body| body.palette.iter().copied()).collect())
}

#[test]
fn a_thousand_people_differ_and_move() {
    let mut play = Play::new(Some(Scene::Crowd), Some(1.0)).expect("the crowd");
    let (count, triangles) = play.show(0, 1.6, |shot| {
        let of = |body: &crate::show::shot::Body| {
            body.model.parts.iter().map(|part| body.model.primitive(part).indices.len() / 3).sum::<usize>()
        };
        (shot.bodies.len(), shot.bodies.iter().map(of).sum::<usize>())
    });
    assert_eq!(count, COUNT);
    println!("{triangles} triangles");
    assert!(triangles < 1_500_000, "{triangles}");
    let (first, later) = (palettes(&mut play, 0), palettes(&mut play, 10));
    assert!(first.iter().chain(&later).all(|matrix| matrix.is_finite()));
    assert_ne!(first, later);
}

#[test]
fn a_frame_is_the_same_in_whatever_order_it_is_asked_for() {
    for scene in [Some(Scene::Crowd), Some(Scene::Crossfade)] {
        let mut play = Play::new(scene, Some(0.8)).expect("a scene");
        let forwards: Vec<_> = (0..20).map(|frame| palettes(&mut play, frame)).collect();
        for frame in [19, 3, 11, 0] {
            assert!(palettes(&mut play, frame) == forwards[frame], "{scene:?} {frame}");
        }
    }
}
