//! Clips that blend in step meet their markers together: each step is reported once.

use glam::Vec2;
use nebula_animation::{AnimationClip, AnimationMixer, BlendSpace, ClipMarkers, Marker, Skeleton, mixer::Motion};

use super::cast::mixer_with_markers;
use crate::characters::Random;

const LEFT: &str = "left_down";
const RIGHT: &str = "right_down";

fn clips() -> Vec<AnimationClip> {
    [("walk", 2.0), ("run", 0.8)]
        .map(|(name, duration)| AnimationClip { name: name.into(), duration, ..Default::default() })
        .into()
}

/// Their steps lie elsewhere in each clip.
fn markers(extra: &[(usize, &str, f64)]) -> ClipMarkers {
    let mut markers = ClipMarkers::new();
    let steps = [(0, LEFT, 0.3), (0, RIGHT, 1.1), (1, LEFT, 0.7), (1, RIGHT, 0.2)];
    for &(clip, name, time) in steps.iter().chain(extra) {
        markers.add(clip, Marker { name: name.into(), time });
    }
    markers
}

fn gait() -> BlendSpace {
    let space = BlendSpace::line(&clips(), &[(0.0, 0), (1.0, 1)]).expect("a line");
    space.synchronised(&clips(), &markers(&[]), &[LEFT, RIGHT]).expect("in order")
}

fn gaits(extra: &[(usize, &str, f64)]) -> (AnimationMixer, Motion) {
    let mut mixer = mixer_with_markers(&Skeleton::default(), &clips(), markers(extra));
    let motion = mixer.add_blend_space(gait());
    mixer.play(motion, 0.0).expect("it is there");
    (mixer, motion)
}

fn is_step(name: &str) -> bool {
    name == LEFT || name == RIGHT
}

/// Swept to and fro over the space, both ends included: left and right come in turn, one event for each.
#[test]
fn a_step_is_reported_once_by_whichever_clip_is_heaviest() {
    for (seed, speed) in [(1, 1.0), (2, -0.7), (3, 2.5)] {
        let (mut mixer, motion) = gaits(&[]);
        mixer.current_action.as_mut().expect("it plays").speed = speed;
        let mut random = Random::new(seed);
        let (mut met, mut by_clip, mut cycles) = (Vec::new(), [0; 2], 0.0);
        for frame in 0..1000_u16 {
            let x = (0.5 - 0.6 * (f32::from(frame) * 0.05).cos()).clamp(0.0, 1.0);
            mixer.set_blend_position(motion, Vec2::new(x, 0.0)).expect("a space");
            let dt = f64::from(random.between(0.0, 0.1));
            cycles += dt * f64::from(speed.abs()) / f64::from(2.0 + (0.8 - 2.0) * x);
            mixer.update(dt);
            for event in mixer.events() {
                met.push(event.marker.name.clone());
                by_clip[event.clip.index()] += 1;
                assert_eq!(event.clip, usize::from(x > 0.5), "the heaviest reports, at {x}");
                assert!((event.weight - 1.0).abs() < 1e-5, "for both: {}", event.weight);
            }
        }
        let is_odd = |pair: &[String]| pair[0] == pair[1];
        assert!(!met.windows(2).any(is_odd), "speed {speed}: left and right come in turn");
        let expected = 2.0 * cycles;
        // The phase of the cycle at which a step comes moves with the blend.
        assert!((met.len() as f64 - expected).abs() < 3.0, "{} steps in {cycles} cycles", met.len());
        assert!(by_clip.iter().all(|count| *count > 10), "{by_clip:?}");
    }
}

/// Frames that end exactly at a step, with a blend that changes there: every clip rounds the moment in its own way.
#[test]
fn a_frame_that_ends_at_a_step_neither_loses_nor_doubles_it() {
    let space = gait();
    let half = space.weights_on_line(0.5);
    // The first phase at which the slow clip has come so far.
    let phase_of = |seconds: f64| {
        let (mut low, mut high) = (0.0, 20.0);
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            *(if space.seconds(&half, 0, middle) < seconds { &mut low } else { &mut high }) = middle;
        }
        high
    };
    let mut steps: Vec<f64> =
        (0..8).flat_map(|cycle| [0.3, 1.1].map(|step| phase_of(step + 2.0 * f64::from(cycle)))).collect();
    steps.retain(|phase| *phase > 0.0);
    for seed in 0..200 {
        let (mut mixer, motion) = gaits(&[]);
        let mut random = Random::new(seed);
        let (mut met, mut phase) = (Vec::new(), 0.0);
        for &step in &steps {
            mixer.set_blend_position(motion, Vec2::new(0.5, 0.0)).expect("a space");
            // A cycle takes 1.4 s there.
            mixer.update((step - phase) * 1.4);
            phase = step;
            met.extend(mixer.events().map(|event| event.marker.name.clone()));
            // Either clip may be the heaviest when the next frame begins.
            mixer.set_blend_position(motion, Vec2::new(0.5 + random.between(-1e-9, 1e-9), 0.0)).expect("a space");
            mixer.update(1e-12);
            phase += 1e-12 / 1.4;
            met.extend(mixer.events().map(|event| event.marker.name.clone()));
        }
        mixer.update(0.05);
        met.extend(mixer.events().map(|event| event.marker.name.clone()));
        assert_eq!(met.len(), steps.len(), "seed {seed}: {met:?}");
        assert!(met.windows(2).all(|pair| pair[0] != pair[1]), "seed {seed}: {met:?}");
    }
}

/// What only one of the clips has is reported by that one, however light it is.
#[test]
fn markers_that_only_a_lighter_clip_has_are_reported_with_its_weight() {
    let (mut mixer, motion) = gaits(&[(1, "pant", 0.4), (0, "sigh", 1.5)]);
    mixer.set_blend_position(motion, Vec2::new(0.25, 0.0)).expect("a space");
    let (mut pants, mut sighs, mut steps) = (0, 0, 0);
    for _ in 0..340 {
        mixer.update(0.05);
        for event in mixer.events() {
            match event.marker.name.as_str() {
                "pant" => {
                    assert!(event.clip == 1 && (event.weight - 0.25).abs() < 1e-6);
                    pants += 1;
                }
                "sigh" => {
                    assert!(event.clip == 0 && (event.weight - 0.75).abs() < 1e-6);
                    sighs += 1;
                }
                name => steps += i32::from(is_step(name)),
            }
        }
    }
    // 17 s at 1.7 s a cycle.
    assert!((9..=11).contains(&pants) && (9..=11).contains(&sighs), "{pants} {sighs}");
    assert!((19..=21).contains(&steps), "{steps}");
}

/// Of clips of the same weight, the first sample reports.
#[test]
fn of_equals_the_first_reports() {
    let (mut mixer, motion) = gaits(&[]);
    mixer.set_blend_position(motion, Vec2::new(0.5, 0.0)).expect("a space");
    mixer.update(1.4);
    let met: Vec<(usize, f32)> = mixer.events().map(|event| (event.clip.index(), event.weight)).collect();
    assert_eq!(met, [(0, 1.0), (0, 1.0)]);
}
