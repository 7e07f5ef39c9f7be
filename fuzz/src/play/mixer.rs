//! Everything that can be done to a mixer.

use glam::Vec2;
use nebula_animation::{
    AnimationAction, AnimationMixer, BlendSpace, JointMask, LayerId, Skeleton,
    mixer::{BlendMode, Motion},
};

use super::draw::Draw;
use super::world::{NAMES, World};

/// Layers and blend spaces that are added at most.
const MOST: usize = 4;

pub fn call(mixer: &mut AnimationMixer, spaces: &mut Vec<Motion>, world: &World, draw: &mut Draw) {
    let layer = LayerId::new(draw.below(MOST));
    match draw.below(24) {
        1 if mixer.layers().count() <= MOST => {
            let name = draw.pick(&NAMES);
            let id = mixer.add_layer(name);
            assert!(mixer.layer_named(name).is_ok() && mixer.layer(id).is_some());
        }
        2 => mixer.time_scale = draw.wild(),
        3 if mixer.layers().count() <= MOST => {
            let mask = match mixer.rig().upper_body() {
                Ok(mask) if draw.yes() => mask,
                _ => mixer.rig().face(),
            };
            mixer.add_masked_layer(draw.pick(&NAMES), mask);
        }
        4 if spaces.len() < MOST => add_space(mixer, spaces, world, draw),
        5 => {
            let space = motion(spaces, draw);
            let _ = mixer.set_blend_position(space, draw.place());
            let _ = mixer.blend_position(space);
        }
        6 => {
            let (clip, fade) = (draw.index(), draw.fade());
            let played = if draw.yes() {
                mixer.play_on(layer, clip, fade)
            } else {
                mixer.play_once_on(layer, clip, fade, draw.fade())
            };
            if let Err(error) = played {
                assert!(!error.to_string().is_empty());
            }
        }
        7 => {
            if let Some(layer) = mixer.layer_mut(layer) {
                layer.weight = draw.wild();
                layer.mode = draw.pick(&[BlendMode::Override, BlendMode::Additive]);
            }
        }
        8 => {
            let rig = world.rig(draw);
            let mask = mask(draw, rig);
            if let Some(layer) = mixer.layer_mut(layer) {
                layer.set_mask(draw.yes().then_some(mask));
            }
        }
        9 => {
            if let Some(layer) = mixer.layer_mut(layer) {
                (layer.fade_progress, layer.fade_duration) = (draw.wild(), draw.wild());
            }
        }
        10 => {
            if let Some(layer) = mixer.layer_mut(layer) {
                // A user may take the action away, or give it to another layer.
                let taken = layer.current_action.take();
                if let Some(other) = mixer.layer_mut(LayerId::new(draw.below(MOST))) {
                    other.fading_action = taken;
                }
            }
        }
        11 => mixer.pause(),
        12 => mixer.resume(),
        13 => *mixer = mixer.clone(),
        14 | 15 => write_action(mixer, layer, draw),
        16 => {
            if let Some(layer) = mixer.layer_mut(layer) {
                layer.stop(draw.fade());
            }
        }
        17..=20 => play(mixer, spaces, layer, draw),
        _ => {}
    }
}

/// What holds of every mixer.
pub fn check(mixer: &AnimationMixer, draw: &mut Draw) {
    let mut pose = mixer.rig().bind_pose();
    mixer.write_pose(&mut pose);
    super::assert_finite(&pose, "of a mixer");
    // A shorter slice gets the first joints, a longer one keeps the others.
    let count = pose.len();
    mixer.write_pose(&mut pose[..draw.below(4).min(count)]);
    pose.push(super::AT_REST);
    mixer.write_pose(&mut pose);
    assert_eq!(pose[count], super::AT_REST);
    for layer in mixer.layers() {
        for (action, share) in layer.actions() {
            assert!(action.time.is_finite() && action.total_time().is_finite(), "{action:?}");
            assert!((0.0..=1.001).contains(&share), "a share of {share}");
        }
    }
}

fn motion(spaces: &[Motion], draw: &mut Draw) -> Motion {
    match spaces.get(draw.below(MOST)) {
        Some(space) if draw.yes() => *space,
        _ if draw.one_in(6) => Motion::Space(draw.index()),
        _ => Motion::Clip(draw.index()),
    }
}

fn play(mixer: &mut AnimationMixer, spaces: &[Motion], layer: LayerId, draw: &mut Draw) {
    let (motion, fade, name) = (motion(spaces, draw), draw.fade(), draw.pick(&NAMES));
    let Some(layer) = mixer.layer_mut(layer) else { return };
    let played = match draw.below(4) {
        0 => layer.play(motion, fade),
        1 => layer.restart(motion, fade),
        2 => layer.play_once(motion, fade, draw.fade()),
        _ => layer.play(name, fade),
    };
    if let Ok(action) = played
        && draw.yes()
    {
        write(action, draw);
    }
}

fn write_action(mixer: &mut AnimationMixer, layer: LayerId, draw: &mut Draw) {
    let Some(layer) = mixer.layer_mut(layer) else { return };
    let action = if draw.yes() { &mut layer.current_action } else { &mut layer.fading_action };
    if let Some(action) = action {
        write(action, draw);
    }
}

fn add_space(mixer: &mut AnimationMixer, spaces: &mut Vec<Motion>, world: &World, draw: &mut Draw) {
    let clips = mixer.clips().clone();
    let samples: Vec<(Vec2, usize)> = (0..draw.below(7)).map(|_| (draw.place(), draw.below(5))).collect();
    let ids: Vec<_> = NAMES.iter().filter_map(|name| clips.find(name).ok()).collect();
    let space = match draw.below(4) {
        0 => BlendSpace::by_speed(&clips, &ids),
        1 => BlendSpace::line(&clips, &samples.iter().map(|(place, clip)| (place.x, *clip)).collect::<Vec<_>>()),
        _ => BlendSpace::plane(&clips, &samples),
    };
    let Ok(space) = space else { return };
    for _ in 0..3 {
        let weights = space.weights(draw.place());
        let sum: f32 = weights.iter().map(|(_, weight)| weight).sum();
        assert!((sum - 1.0).abs() < 1e-4, "the weights of a blend space add up to {sum}");
        assert!(space.duration(&weights).is_finite(), "the duration of a blend");
    }
    let names = [draw.pick(&NAMES), draw.pick(&NAMES)];
    let synchronised = space.clone().synchronised(&clips, &world.markers, &names);
    spaces.push(mixer.add_blend_space(synchronised.unwrap_or(space)));
}

fn write(action: &mut AnimationAction, draw: &mut Draw) {
    match draw.below(9) {
        0 => action.time = draw.wild(),
        1 => action.speed = draw.wild(),
        2 => action.looping = draw.yes(),
        3 => action.repetitions = draw.pick(&[0, 1, 2, -1, i32::MAX, i32::MIN]),
        4 => action.back_and_forth = draw.yes(),
        5 => action.weight = draw.wild(),
        6 => action.seek(f64::from(draw.wild())),
        7 => action.restart(),
        _ => {
            action.play_by(draw.clock());
        }
    }
}

fn mask(draw: &mut Draw, skeleton: &Skeleton) -> JointMask {
    let mut mask = match draw.below(3) {
        0 => JointMask::all(skeleton),
        1 => {
            let name = draw.pick(&["Hips", "Spine", "nobody"]);
            let mask = JointMask::none(skeleton).with_subtree(skeleton, name, draw.wild());
            mask.unwrap_or_else(|_| JointMask::all(skeleton))
        }
        _ => JointMask::from_weights(&[draw.wild(), draw.wild(), draw.wild()]),
    };
    mask.set(draw.below(20), draw.wild());
    let mask = if draw.one_in(4) { mask.with_morphs(draw.wild()) } else { mask };
    if draw.yes() { mask.inverted() } else { mask }
}
