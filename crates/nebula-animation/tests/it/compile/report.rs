//! What compiling says that it did.

use std::sync::Arc;

use glam::{Quat, Vec3};
use nebula_animation::compile::TrackPath;
use nebula_animation::{AnimationClip, Channel, Interpolation, Keyframe, Rig, compile::CompiledClip};

use crate::characters::{Binds, ClipRecipe, Curves, RestScales, RigRecipe, Shape, Timing};

fn rig(joints: usize) -> Arc<Rig> {
    let (shape, binds) = (Shape::Limbs, Binds::OfRest);
    Rig::new(RigRecipe { joints, shape, binds, rest_scales: RestScales::One, extent: 0.3, seed: 1 }.skeleton())
}

fn channel(joint_index: u16, times: &[f32], value: impl Fn(usize) -> Vec3) -> Channel<Vec3> {
    let key = |(key, &time): (usize, &f32)| Keyframe { time, value: value(key), tangents: None };
    let keyframes = times.iter().enumerate().map(key).collect();
    Channel { joint_index, interpolation: Interpolation::Linear, keyframes }
}

fn moving(key: usize) -> Vec3 {
    Vec3::splat(key as f32)
}

#[test]
fn channels_are_counted_where_they_go() {
    let (uniform, odd, own) = ([0.0, 0.5, 1.0], [0.0, 0.1, 1.0], [0.0, 0.7, 1.0]);
    let mut clip = AnimationClip { duration: 1.0, ..AnimationClip::default() };
    // Three or more channels of one grid are evaluated together, or sixteen of another timeline.
    clip.translation_channels.extend((0..5).map(|joint| channel(joint, &uniform, moving)));
    clip.translation_channels.extend((15..31).map(|joint| channel(joint, &odd, moving)));
    // Two are not.
    clip.translation_channels.extend((9..11).map(|joint| channel(joint, &own, moving)));
    // Constant: all values equal, or one key.
    clip.translation_channels.push(channel(11, &uniform, |_| Vec3::X));
    clip.translation_channels.push(channel(12, &[0.3], moving));
    // Left out: empty, no such joint, overridden by the next one.
    clip.translation_channels.push(channel(13, &[], moving));
    clip.translation_channels.push(channel(900, &uniform, moving));
    clip.scale_channels.push(channel(14, &uniform, moving));
    clip.scale_channels.push(channel(14, &[0.0], |_| Vec3::ONE));

    let compiled = CompiledClip::new(&rig(40), &clip);
    let report = compiled.report();
    assert_eq!(report.ignored_channels, 3);
    assert_eq!(report.constant_channels, 3);
    let mut groups: Vec<_> =
        report.groups.iter().map(|group| (group.path, group.interpolation, group.components, group.channels)).collect();
    groups.sort_by_key(|&(.., channels)| channels);
    let linear = Interpolation::Linear;
    assert_eq!(
        groups,
        [
            (TrackPath::Loose, linear, 3, 2),
            (TrackPath::SharedUniform, linear, 3, 5),
            (TrackPath::SharedTable, linear, 3, 16)
        ]
    );
    // 18 keys of moving, 1 of overridden, 3 + 1 of constant, 3 of unknown channels, 3 of the overridden one.
    let keys = 5 * 3 + 16 * 3 + 2 * 3 + 3 + 1 + 3 + 3 + 1;
    assert_eq!(report.authored_bytes, keys * 4 * (1 + 3));
}

#[test]
fn groups_of_rotations_and_splines_are_told_apart() {
    let rotation = |joint_index, interpolation, tangents| Channel {
        joint_index,
        interpolation,
        keyframes: vec![
            Keyframe { time: 0.0, value: Quat::IDENTITY, tangents },
            Keyframe { time: 1.0, value: Quat::from_xyzw(0.6, 0.0, 0.0, 0.8), tangents },
        ],
    };
    let tangents = Some((Quat::from_xyzw(0.1, 0.0, 0.0, 0.0), Quat::from_xyzw(0.1, 0.0, 0.0, 0.0)));
    let mut clip = AnimationClip { duration: 1.0, ..AnimationClip::default() };
    clip.rotation_channels.extend((0..3).map(|joint| rotation(joint, Interpolation::CubicSpline, tangents)));
    clip.rotation_channels.extend((3..6).map(|joint| rotation(joint, Interpolation::Step, None)));
    let compiled = CompiledClip::new(&rig(6), &clip);
    let report = compiled.report();
    assert_eq!((report.ignored_channels, report.constant_channels), (0, 0));
    assert_eq!(report.authored_bytes, 3 * 2 * 4 * (1 + 12) + 3 * 2 * 4 * (1 + 4));
    for interpolation in [Interpolation::CubicSpline, Interpolation::Step] {
        let group = report.groups.iter().find(|group| group.interpolation == interpolation).expect("a group");
        assert_eq!((group.path, group.components, group.channels), (TrackPath::SharedUniform, 4, 3));
    }
}

/// A still clip, and one that only says what the rest pose says, keep no keys at all.
#[test]
fn constants_take_no_keys() {
    let recipe = ClipRecipe {
        keys: 30,
        curves: Curves::Mixed,
        timing: Timing::Mixed,
        shares: [1.0; 3],
        is_odd: false,
        extent: 0.3,
        seed: 3,
    };
    let mut clip = recipe.clip(20);
    clip.translation_channels.iter_mut().chain(&mut clip.scale_channels).for_each(hold);
    clip.rotation_channels.iter_mut().for_each(hold);
    let compiled = CompiledClip::new(&rig(20), &clip);
    let report = compiled.report();
    assert_eq!(report.constant_channels, 60);
    assert_eq!(report.groups, []);
    assert!(report.bytes < 20 * 60 + 1000, "{} bytes for 20 poses", report.bytes);
}

fn hold<T: Copy>(channel: &mut Channel<T>) {
    let first = channel.keyframes[0].value;
    for key in &mut channel.keyframes {
        key.value = first;
        key.tangents = None;
    }
}

/// At most the memory of flat arrays of floats, for clips of a real size: 60 joints, five seconds. What does not depend
/// on the number of keys (the pose at rest, 48 bytes a joint; at most 150 bytes for each channel of its own) is
/// allowed on top, and a fiftieth for tables.
#[test]
fn compiled_clips_are_no_larger_than_flat_keys() {
    for interpolation in [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline] {
        for timing in [Timing::Uniform, Timing::Irregular, Timing::Own, Timing::Mixed] {
            for shares in [[0.07, 1.0, 0.0], [1.0; 3]] {
                let curves = Curves::One(interpolation);
                let recipe = ClipRecipe { keys: 150, curves, timing, shares, is_odd: false, extent: 0.3, seed: 5 };
                let clip = recipe.clip(60);
                let rig = rig(60);
                for compiled in [CompiledClip::new(&rig, &clip), CompiledClip::for_palettes(&rig, &clip)] {
                    let report = compiled.report();
                    let channels: usize = report.groups.iter().map(|group| group.channels).sum();
                    let fixed = 1000 + 48 * 60 + 150 * channels;
                    let limit = report.authored_bytes + report.authored_bytes / 50 + fixed;
                    assert!(
                        report.bytes <= limit,
                        "{interpolation:?}, {timing:?}: {} bytes for {} of flat keys ({limit} allowed): {:?}",
                        report.bytes,
                        report.authored_bytes,
                        report.groups,
                    );
                }
            }
        }
    }
}
