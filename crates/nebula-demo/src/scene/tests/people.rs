//! The crowd, and the order of frames.

use crate::scene::many::{COUNT, SECONDS};
use crate::scene::{Play, Scene};
use crate::show::film::frame_count;

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

/// After the film, everyone stands where someone in the same shirt stood at its beginning, in the same pose: at the beginning there is
/// nobody whom the end does not show. The film repeats without a seam.
#[test]
fn the_crowd_ends_as_it_begins() {
    let mut play = Play::new(Some(Scene::Crowd), Some(SECONDS + 0.1)).expect("the crowd");
    let mut people = |frame: usize| {
        play.show(frame, 1.6, |shot| {
            let of = |body: &crate::show::shot::Body| {
                let places = body.palette.iter().enumerate();
                let joints = places.map(|(joint, matrix)| (*matrix * body.model.bind_matrix(joint)).w_axis.truncate());
                (body.model.id, joints.collect::<Vec<_>>())
            };
            (shot.camera, shot.bodies.iter().map(of).collect::<Vec<_>>())
        })
    };
    let (camera, first) = people(0);
    let (camera_after, last) = people(frame_count(SECONDS));
    assert!(camera.eye.distance(camera_after.eye) < 1e-3);
    let mut farthest = 0.0_f32;
    for (model, joints) in &first {
        let gap = |other: &(u64, Vec<glam::Vec3>)| {
            let pairs = other.1.iter().zip(joints);
            if other.0 == *model { pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max) } else { f32::INFINITY }
        };
        farthest = farthest.max(last.iter().map(gap).fold(f32::INFINITY, f32::min));
    }
    println!("{} mm", farthest * 1e3);
    assert!(farthest < 0.01, "{farthest} m");
    // The check can fail: a frame earlier, nobody is there yet.
    let (_, before) = people(frame_count(SECONDS) - 1);
    assert!(before.iter().zip(&last).any(|(before, after)| before.1[0].distance(after.1[0]) > 0.01));
}

#[test]
fn nobody_is_run_over() {
    let mut play = Play::new(Some(Scene::Crowd), Some(SECONDS)).expect("the crowd");
    for frame in [0, 40, 77] {
        let mut places: Vec<glam::Vec3> = play.show(frame, 1.6, |shot| {
            shot.bodies.iter().map(|body| body.palette[0].transform_point3(glam::Vec3::Y)).collect()
        });
        places.sort_by(|a, b| a.x.total_cmp(&b.x));
        for (index, place) in places.iter().enumerate() {
            for other in places[index + 1..].iter().take_while(|other| other.x - place.x < 0.6) {
                assert!(place.distance(*other) > 0.6, "{place} {other}");
            }
        }
    }
}
