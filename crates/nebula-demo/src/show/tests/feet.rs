//! Feet on the ground do not slide, in whatever the demo shows.

use glam::Vec3;

use crate::show::figure::Figure;
use crate::show::film::FRAMES_PER_SECOND;
use crate::show::script::{Act, Humanoid, Moment, Script};

/// Height below which a vertex is taken to stand on the ground, in metres.
const STANDING: f32 = 0.004;

/// For the left and the right foot, how far the vertex that moves least along the ground moves from one frame to the
/// next, among those that stand on it in both; zero in the air.
fn slides(figure: &mut Figure, bind: &[Vec3], [before, after]: [&Moment; 2]) -> [f32; 2] {
    let mut positions = |moment: &Moment| {
        figure.take_mix(moment.from, moment.to, moment.amount, moment.offset);
        figure.surfaces()[0].positions.clone()
    };
    let (before, after) = (positions(before), positions(after));
    let mut least = [f32::MAX; 2];
    for ((bind, before), after) in bind.iter().zip(&before).zip(&after) {
        if before.y < STANDING && after.y < STANDING {
            let least = &mut least[usize::from(bind.x < 0.0)];
            *least = least.min(before.with_y(0.0).distance(after.with_y(0.0)));
        }
    }
    least.map(|least| if least == f32::MAX { 0.0 } else { least })
}

fn all_slides(humanoid: &Humanoid, script: &Script, count: usize) -> Vec<[f32; 2]> {
    let moments = script.moments(&humanoid.model, count);
    let mut figure = Figure::new(&humanoid.model);
    let bind = figure.surfaces()[0].positions.clone();
    moments.windows(2).map(|pair| slides(&mut figure, &bind, [&pair[0], &pair[1]])).collect()
}

#[test]
fn walking_and_running_feet_stay_where_they_stand() {
    let humanoid = Humanoid::new().expect("the humanoid");
    for (name, limit) in [("walk", 0.003), ("run", 0.004)] {
        let script = Script::of(Act::Play(humanoid.gait(name).expect("a clip")));
        let slides = all_slides(&humanoid, &script, 80);
        let worst = slides.iter().flatten().copied().fold(0.0, f32::max);
        assert!(worst < limit, "{name}: {:.1} mm from one frame to the next", worst * 1e3);
    }
}

/// In a fade one foot may be lifted from the ground on which it stood; the other one carries the figure.
#[test]
fn the_demo_keeps_a_foot_on_its_place_through_every_fade() {
    let humanoid = Humanoid::new().expect("the humanoid");
    let script = Script::all(&humanoid, 12.0).expect("the clips");
    let slides = all_slides(&humanoid, &script, (12.0 * FRAMES_PER_SECOND) as usize);
    for (frame, [left, right]) in slides.iter().enumerate() {
        let time = frame as f32 / FRAMES_PER_SECOND;
        if left.max(*right) > 0.003 {
            println!("{time:.2} s: {:.1} mm, {:.1} mm", left * 1e3, right * 1e3);
        }
        assert!(left.min(*right) < 0.003, "{time} s: {left} m and {right} m");
    }
    let dragged: f32 = slides.iter().flatten().filter(|&&slide| slide > 0.004).sum();
    assert!(dragged < 0.06, "{dragged} m in all");
}
