//! Mixers: actions, fades, layers.

use nebula_animation::{
    AnimationClipLibrary, AnimationMixer, Clock, Fade, Frame, JointMask, LayerId, PlayError, Rig, Skeleton,
    mixer::{Motion, blend_poses, update_mixer},
};

use super::Table;
use super::fixtures::{
    INDICES, NAMES, NUMBERS, chain, clips, is_finite, library, library_of, numbers, poses, skeletons, times,
};

/// A mixer that plays the first clip.
pub fn mixer() -> AnimationMixer {
    let mut mixer = AnimationMixer::new(library());
    mixer.play(0, 0.0).expect("there is one");
    mixer.update(0.1);
    mixer
}

/// A frame, which must leave a finite pose.
pub fn frame(mixer: &mut AnimationMixer, step: f64) {
    mixer.update(step);
    let mut pose = chain(3).bind_pose();
    mixer.write_pose(&mut pose);
    assert!(is_finite(&pose), "{pose:?}");
    for (action, share) in mixer.layers().flat_map(|layer| layer.actions()) {
        assert!(action.time.is_finite() && (0.0..=1.001).contains(&share), "{share} of {action:?}");
    }
}

pub fn rows(table: &mut Table) {
    playing(table);
    actions(table);
    updates(table);
}

fn playing(table: &mut Table) {
    table.row("AnimationMixer::new", || {
        frame(&mut AnimationMixer::new(AnimationClipLibrary::default()), 0.1);
        frame(&mut AnimationMixer::new(library_of(&chain(3), &clips())), 0.1);
    });
    table.row("MixerLayer::play", || {
        for index in INDICES {
            let mut mixer = mixer();
            assert!(matches!(mixer.play(index, 0.2), Err(PlayError::NoSuchClip { .. })));
            assert!(matches!(mixer.play(Motion::Space(index), 0.2), Err(PlayError::NoSuchSpace { .. })));
            assert_eq!(
                mixer.current_action.as_ref().and_then(|action| action.clip()),
                Some(0),
                "the old action goes on"
            );
            frame(&mut mixer, 0.1);
        }
        for name in NAMES {
            assert!(matches!(mixer().play(name, 0.2), Err(PlayError::UnknownClip { .. })), "{name:?}");
        }
        for seconds in numbers() {
            let mut mixer = mixer();
            for (clip, fade) in
                [(1, Fade::linear(seconds)), (2, Fade::smooth(seconds)), (0, Fade::inertialised(seconds))]
            {
                assert!(mixer.play(clip, fade).is_ok());
                frame(&mut mixer, 0.1);
            }
        }
    });
    table.row("MixerLayer::restart", || {
        for index in INDICES {
            assert!(mixer().restart(index, 0.1).is_err());
        }
        for seconds in numbers() {
            let mut mixer = mixer();
            assert!(mixer.restart(0, Fade::inertialised(seconds)).is_ok());
            frame(&mut mixer, 0.1);
        }
    });
    table.row("MixerLayer::play_once", || {
        for index in INDICES {
            let mut mixer = mixer();
            assert!(mixer.play_once(index, 0.1, 0.1).is_err());
            assert_eq!(mixer.current_action.as_ref().and_then(|action| action.clip()), Some(0));
        }
        for seconds in numbers() {
            for fade in [Fade::linear(seconds), Fade::smooth(seconds), Fade::inertialised(seconds)] {
                for other in [Fade::linear(0.3), Fade::inertialised(0.3)] {
                    for (fade_in, fade_out) in [(fade, other), (other, fade)] {
                        let mut mixer = mixer();
                        let action = mixer.play_once(1, fade_in, fade_out).expect("there is one");
                        action.speed = seconds;
                        for step in [0.0, 0.1, -0.1, 1e9, 0.1] {
                            frame(&mut mixer, step);
                        }
                    }
                }
            }
        }
    });
    table.row("MixerLayer::stop", || {
        for seconds in numbers() {
            let mut mixer = mixer();
            mixer.stop(seconds);
            mixer.stop(Fade::inertialised(seconds));
            frame(&mut mixer, 0.1);
        }
    });
    table.row("MixerLayer::set_mask", || {
        for mask in
            [JointMask::all(&Skeleton::default()), JointMask::all(&chain(40)), JointMask::from_weights(&NUMBERS)]
        {
            let mut mixer = mixer();
            mixer.set_mask(mask.clone());
            let layer = mixer.add_layer("above");
            let above = mixer.layer_mut(layer).expect("it was added");
            above.set_mask(mask);
            assert!(above.play(1, Fade::inertialised(0.2)).is_ok());
            frame(&mut mixer, 0.1);
        }
    });
    for (function, fade) in [
        ("Fade::linear", Fade::linear as fn(f32) -> Fade),
        ("Fade::smooth", Fade::smooth),
        ("Fade::inertialised", Fade::inertialised),
    ] {
        table.row(function, || {
            for seconds in numbers() {
                let mut mixer = mixer();
                assert!(mixer.play(1, fade(seconds)).is_ok());
                frame(&mut mixer, 0.01);
                frame(&mut mixer, 1e9);
            }
        });
    }
}

fn actions(table: &mut Table) {
    table.row("AnimationAction::play_by", || {
        for number in times() {
            let mut mixer = mixer();
            let clock = Clock {
                start: number,
                end: Some(number),
                offset: number,
                speed: number,
                hold: number,
                ..Clock::default()
            };
            mixer.play(1, 0.1).expect("there is one").play_by(clock);
            frame(&mut mixer, 0.1);
        }
    });
    table.row("AnimationAction::seek", || {
        for time in times() {
            let mut mixer = mixer();
            mixer.play(1, 0.1).expect("there is one").seek(time);
            frame(&mut mixer, 0.1);
            // Every public field of the action too.
            let action = mixer.current_action.as_mut().expect("it plays");
            (action.time, action.speed, action.weight) = (time as f32, time as f32, time as f32);
            (action.repetitions, action.looping) = (i32::MIN, false);
            frame(&mut mixer, 0.1);
        }
    });
}

fn updates(table: &mut Table) {
    table.row("AnimationMixer::update", || {
        for step in times() {
            frame(&mut mixer(), step);
            for scale in numbers() {
                let mut mixer = mixer();
                mixer.time_scale = scale;
                frame(&mut mixer, step);
            }
        }
        for skeleton in skeletons() {
            let mut mixer = AnimationMixer::new(library_of(&skeleton, &clips()));
            for clip in (0..clips().len()).step_by(5) {
                assert!(mixer.play(clip, 0.1).is_ok());
                mixer.update(0.05);
                let mut pose = skeleton.bind_pose();
                mixer.write_pose(&mut pose);
                assert!(is_finite(&pose), "clip {clip}");
            }
        }
    });
    table.row("AnimationMixer::write_pose", || {
        let mut longer = chain(9).bind_pose();
        AnimationMixer::new(library()).write_pose(&mut longer);
        mixer().write_pose(&mut []);
        mixer().write_pose(&mut longer);
        assert_eq!(longer[3..], chain(9).bind_pose()[3..], "joints that the skeleton lacks are left alone");
    });
    table.row("update_mixer", || {
        for step in times() {
            let mut mixer = mixer();
            let mut frame = Frame::new(mixer.rig());
            update_mixer(&mut mixer, &mut frame, step);
            let mut pose = chain(3).bind_pose();
            frame.write_pose(&mut pose);
            assert!(is_finite(&pose));
            // The frame of another rig stays as it is.
            let mut other = Frame::new(&Rig::new(chain(2)));
            update_mixer(&mut mixer, &mut other, step);
            other.write_pose(&mut pose);
            assert!(pose[..2] == chain(2).bind_pose() && other.shown().is_empty());
        }
    });
    table.row("blend_poses", || {
        for from in poses() {
            for t in numbers() {
                blend_poses(&from, &chain(2).bind_pose(), t, &mut chain(5).bind_pose());
            }
        }
    });
    table.row("AnimationMixer::add_layer", || {
        for name in NAMES {
            let mut mixer = mixer();
            let layer = mixer.add_layer(name);
            let above = mixer.layer_mut(layer).expect("it was added");
            (above.weight, above.fade_progress, above.fade_duration) = (f32::NAN, f32::NAN, f32::NAN);
            assert!(above.play(1, 0.3).is_ok());
            frame(&mut mixer, 0.1);
        }
    });
    table.row("AnimationMixer::add_masked_layer", || {
        for mask in [JointMask::all(&Skeleton::default()), JointMask::from_weights(&NUMBERS)] {
            let mut mixer = mixer();
            let layer = mixer.add_masked_layer("", mask.with_morphs(f32::NAN));
            assert!(mixer.play_on(layer, 2, 0.1).is_ok());
            frame(&mut mixer, 0.1);
        }
    });
    table.row("AnimationMixer::play_on", || {
        for index in INDICES {
            let mut mixer = mixer();
            let error = mixer.play_on(LayerId::new(index), 0, 0.1).map(|_| ());
            assert_eq!(error, Err(PlayError::NoSuchLayer { layer: LayerId::new(index), count: 1 }));
            assert!(matches!(mixer.play_on(LayerId::BASE, index, 0.1), Err(PlayError::NoSuchClip { .. })));
            assert_eq!(mixer.current_action.as_ref().and_then(|action| action.clip()), Some(0));
        }
    });
    table.row("AnimationMixer::play_once_on", || {
        for (index, seconds) in INDICES.into_iter().zip(numbers()) {
            let mut mixer = mixer();
            let error = mixer.play_once_on(LayerId::new(index), 0, seconds, seconds).map(|_| ());
            assert_eq!(error, Err(PlayError::NoSuchLayer { layer: LayerId::new(index), count: 1 }));
            assert!(mixer.play_once_on(LayerId::BASE, "nobody", seconds, seconds).is_err());
            assert_eq!(mixer.current_action.as_ref().and_then(|action| action.clip()), Some(0));
        }
    });
    table.row("AnimationMixer::write_frame", || {
        let mut other = Frame::new(&Rig::new(chain(5)));
        mixer().write_frame(&mut other);
        assert!(other.shown().is_empty(), "a frame of another rig stays as it is");
    });
    table.row("AnimationMixer::layer", || {
        INDICES.into_iter().for_each(|index| assert!(mixer().layer(LayerId::new(index)).is_none()));
    });
    table.row("AnimationMixer::layer_mut", || {
        INDICES.into_iter().for_each(|index| assert!(mixer().layer_mut(LayerId::new(index)).is_none()));
    });
    table.row("AnimationMixer::layer_named", || {
        NAMES.into_iter().for_each(|name| assert!(mixer().layer_named(name).is_err(), "{name:?}"));
    });
    table.row("LayerId::new", || {
        // Handles end at 2^32 - 1, which no mixer has.
        INDICES.into_iter().for_each(|index| assert_eq!(LayerId::new(index).index(), index.min(u32::MAX as usize)));
    });
}
