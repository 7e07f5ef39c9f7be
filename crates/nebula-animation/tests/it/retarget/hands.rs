//! Hands that keep their place, where asked.

use nebula_animation::retarget::{HandPlaces, RetargetOptions};
use nebula_animation::{AnimationClip, Retarget};

use super::bodies::{Body, humanoid};

fn made(person: &Body, other: &Body, clip: &AnimationClip, hands: HandPlaces) -> AnimationClip {
    let options = RetargetOptions { hands, ..RetargetOptions::default() };
    Retarget::with_options(&person.rig(), &other.rig(), options).expect("two humans").clip(clip)
}

/// Both hands and the middle of the shoulders.
fn places(body: &Body, clip: &AnimationClip, time: f32) -> [glam::Vec3; 3] {
    let models = body.models(clip, time);
    let at = |name: &str| models[body.joint(name)].w_axis.truncate();
    [at("LeftHand"), at("RightHand"), at("LeftArm").midpoint(at("RightArm"))]
}

#[test]
fn longer_arms_reach_the_same_place_about_the_body() {
    let (person, other) = (humanoid(), humanoid().reshaped(1.0, 1.0, 1.3).with_other_axes(7));
    for name in ["walk", "wave", "idle"] {
        let clip = person.clip(name);
        let free = made(&person, &other, clip, HandPlaces::Free);
        let kept = made(&person, &other, clip, HandPlaces::OnBody);
        let (mut worst, mut without) = (0.0_f32, 0.0_f32);
        for step in 0..=40_u8 {
            let time = clip.duration * f32::from(step) / 40.0;
            let (from, to, loose) =
                (places(&person, clip, time), places(&other, &kept, time), places(&other, &free, time));
            for hand in 0..2 {
                worst = worst.max((from[hand] - from[2]).distance(to[hand] - to[2]));
                without = without.max((from[hand] - from[2]).distance(loose[hand] - loose[2]));
            }
        }
        assert!(worst < 2e-3 && without > 0.1, "{name}: {worst} m with care, {without} m without");
    }
}

#[test]
fn hands_stay_as_far_apart_as_arms_are_long() {
    let (person, other) = (humanoid(), humanoid().reshaped(1.0, 1.0, 0.8));
    let clip = person.clip("run");
    let kept = made(&person, &other, clip, HandPlaces::Together);
    let length = |body: &Body| {
        let [upper, lower, hand] =
            ["LeftArm", "LeftForeArm", "LeftHand"].map(|name| body.rig().position(body.joint(name) as u16));
        upper.distance(lower) + lower.distance(hand)
    };
    let size = length(&other) / length(&person);
    for step in 0..=40_u8 {
        let time = clip.duration * f32::from(step) / 40.0;
        let (from, to) = (places(&person, clip, time), places(&other, &kept, time));
        let (wanted, is) = ((from[0] - from[1]) * size, to[0] - to[1]);
        assert!(wanted.distance(is) < 0.01, "at {time}: {is} instead of {wanted}");
    }
}
