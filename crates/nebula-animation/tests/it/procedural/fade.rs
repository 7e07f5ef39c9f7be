use glam::Vec3;
use nebula_animation::{
    BreathingLayer, LookAtLayer, ProceduralAnimationStack, ProceduralLayer,
    procedural::{Faded, WeightFade},
};

use super::context;

#[test]
fn fades_arrive_on_time_at_every_frame_rate() {
    for rate in [1_u16, 7, 30, 60, 144, 1000] {
        let mut fade = WeightFade::new(0.25);
        fade.fade_to(1.0, 2.0);
        (0..rate).for_each(|_| fade.advance(1.0 / f32::from(rate)));
        assert!((fade.value() - 0.625).abs() < 1e-4, "half way at {rate} Hz: {}", fade.value());
        (0..=rate).for_each(|_| fade.advance(1.0 / f32::from(rate)));
        assert_eq!((fade.value(), fade.is_fading()), (1.0, false));
    }
}

/// Sent elsewhere again and again, neither the value nor its speed ever jumps.
#[test]
fn interrupted_fades_are_smooth() {
    let mut fade = WeightFade::new(0.0);
    let dt = 0.001;
    let (mut value, mut speed) = (0.0, 0.0);
    let mut since_held = 0;
    for step in 0..10_000_u16 {
        if step % 370 == 0 {
            fade.fade_to(f32::from(step / 370 % 3) / 2.0, 0.5 + f32::from(step % 7) / 10.0);
        }
        fade.advance(dt);
        let new_speed = (fade.value() - value) / dt;
        assert!((0.0..=1.0).contains(&fade.value()));
        // Where it is held at 0 or 1 it stops and starts at once; that is the only place.
        since_held = if fade.value() == 0.0 || fade.value() == 1.0 { 0 } else { since_held + 1 };
        assert!(since_held < 3 || (new_speed - speed).abs() < 0.05, "step {step}: {speed} {new_speed}");
        (value, speed) = (fade.value(), new_speed);
    }
}

#[test]
fn odd_numbers() {
    let mut fade = WeightFade::new(f32::NAN);
    assert_eq!(fade.value(), 0.0);
    fade.fade_to(7.0, 0.0);
    assert_eq!(fade.value(), 1.0, "at once");
    fade.fade_to(f32::NAN, -1.0);
    assert_eq!(fade.value(), 0.0);
    fade.fade_to(1.0, f32::NAN);
    assert_eq!(fade.value(), 1.0);
    fade.fade_to(0.0, 1.0);
    for dt in [f32::NAN, f32::INFINITY, -1.0, 0.0] {
        fade.advance(dt);
    }
    assert_eq!(fade.value(), 1.0);
    fade.advance(1e30);
    assert_eq!((fade.value(), fade.target()), (0.0, 0.0));
}

#[test]
fn a_layer_that_is_faded_out_is_not_there_and_comes_back() {
    let mut stack = ProceduralAnimationStack::default();
    stack.push(Faded::hidden(BreathingLayer { weight: 0.5, ..BreathingLayer::new(0) }));
    stack.update(&context());
    assert!(stack.is_idle());
    if let Some(layer) = stack.layer_mut::<Faded<BreathingLayer>>() {
        layer.fade.fade_to(1.0, 0.5);
    }
    let mut last = 0.0;
    for _ in 0..30 {
        stack.update(&context());
        let weight = stack.layers[0].weight();
        assert!(weight > last && weight <= 0.5);
        last = weight;
    }
    assert!((last - 0.5).abs() < 1e-4);
    let shown = Faded::shown(LookAtLayer { joint_index: 3, target: Vec3::X, max_angle: 1.0, weight: 7.0 });
    assert_eq!((shown.weight(), shown.target_joint()), (1.0, 3));
}
