//! Blends, blend spaces and root motion.

use glam::{DVec3, Quat, Vec2, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, BlendSpace, ClipMarkers, Clock, JointMask, Marker, Rig, Skeleton,
    compile::{CompiledClip, Isa, RootDelta, RootMotionOptions, RootTrack, extract_root_motion},
    mixer::{BlendInput, BlendMode, BlendSpaceError, Blender, Motion},
};

use super::Table;
use super::fixtures::{
    INDICES, JOINTS, NUMBERS, chain, clips, is_finite, library, library_of, numbers, places, rotations, skeletons,
    slide, times, turn, vectors,
};
use super::mixers::{frame, mixer};

pub fn rows(table: &mut Table) {
    blends(table);
    spaces(table);
    root_motion(table);
    root_deltas(table);
}

fn blends(table: &mut Table) {
    table.row("Blender::with_isa", || {
        for isa in [Isa::Scalar, Isa::Sse2, Isa::Avx2, Isa::Avx512, Isa::Neon, Isa::Simd128] {
            Blender::with_isa(isa).blend(&Rig::new(chain(3)), &[], &mut chain(3).bind_pose());
        }
    });
    table.row("Blender::blend", || {
        let rigs = [Rig::new(chain(3)), Rig::new(chain(5))];
        let made =
            [CompiledClip::new(&rigs[0], &slide(1, 1.0)), CompiledClip::for_palettes(&rigs[1], &turn(4, 5, 0.3))];
        let masks = [JointMask::all(&Skeleton::default()), JointMask::from_weights(&NUMBERS)];
        for number in numbers() {
            for mode in [BlendMode::Override, BlendMode::Additive] {
                for mask in [None, Some(&masks[0]), Some(&masks[1])] {
                    let input = |clip| BlendInput { clip, time: number, weight: number, mask, mode };
                    for length in [0, 2, 3, 40] {
                        let mut pose = chain(length).bind_pose();
                        // A clip of another rig counts for nothing.
                        Blender::new().blend(&rigs[0], &[input(&made[0]), input(&made[1])], &mut pose);
                        assert!(is_finite(&pose), "{number}");
                    }
                }
            }
        }
    });
}

fn spaces(table: &mut Table) {
    let gait = || BlendSpace::line(&library(), &[(0.0, 0), (1.0, 1), (3.0, 2)]).expect("it is good");
    table.row("BlendSpace::line", || {
        assert_eq!(BlendSpace::line(&library(), &[]), Err(BlendSpaceError::Empty));
        for index in INDICES {
            assert!(matches!(BlendSpace::line(&library(), &[(0.0, index)]), Err(BlendSpaceError::Clip { .. })));
        }
        for number in numbers().filter(|number| !number.is_finite()) {
            assert!(matches!(BlendSpace::line(&library(), &[(number, 0)]), Err(BlendSpaceError::Position { .. })));
        }
        assert!(matches!(BlendSpace::line(&library(), &[(1.0, 0), (1.0, 1)]), Err(BlendSpaceError::SamePlace { .. })));
        assert!(BlendSpace::line(&[] as &[AnimationClip], &[(0.0, 0)]).is_err());
    });
    table.row("BlendSpace::by_speed", || {
        assert_eq!(BlendSpace::by_speed(&library(), &[]), Err(BlendSpaceError::Empty));
        // Clips of a larger library, and two that do not walk.
        let larger = library_of(&chain(3), &vec![AnimationClip { name: "x".into(), ..slide(0, 1.0) }; 9]);
        let far = larger.find("x").expect("there is one");
        assert!(matches!(BlendSpace::by_speed(&larger, &[far, far]), Err(BlendSpaceError::SamePlace { .. })));
        assert!(BlendSpace::by_speed(&AnimationClipLibrary::default(), &[far]).is_err());
    });
    table.row("BlendSpace::plane", || {
        assert!(BlendSpace::plane(&library(), &[]).is_err());
        for place in places() {
            let samples = [(Vec2::ZERO, 0), (place, 1), (Vec2::new(3.0, -2.0), 2)];
            if let Ok(space) = BlendSpace::plane(&library(), &samples) {
                let sum: f32 = space.weights(Vec2::ONE).iter().map(|(_, weight)| weight).sum();
                assert!((sum - 1.0).abs() < 1e-4, "{sum} for {place}");
            }
        }
    });
    table.row("BlendSpace::synchronised", || {
        let mut markers = ClipMarkers::new();
        markers.add(0, Marker { name: "left".into(), time: 0.5 });
        for names in [&["left", "right"][..], &["nobody"], &[], &["left", "left"]] {
            let _ = gait().synchronised(&library(), &markers, names);
            let _ = gait().synchronised(&[] as &[AnimationClip], &markers, names);
        }
    });
    table.row("BlendSpace::weights", || {
        for place in places() {
            let weights = gait().weights(place);
            let sum: f32 = weights.iter().map(|(_, weight)| weight).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{sum} at {place}");
        }
    });
    table.row("BlendSpace::weights_on_line", || {
        for number in numbers() {
            let sum: f32 = gait().weights_on_line(number).iter().map(|(_, weight)| weight).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{sum} at {number}");
        }
    });
    // Weights of another space, with samples that this one lacks.
    let foreign = || {
        let samples: Vec<(f32, usize)> = (0..9).map(|place| (place as f32, place % 3)).collect();
        BlendSpace::line(&library(), &samples).expect("it is good").weights_on_line(7.5)
    };
    table.row("BlendSpace::duration", || assert!(gait().duration(&foreign()).is_finite()));
    table.row("BlendSpace::seconds", || {
        for index in INDICES.into_iter().chain([0, 1]) {
            for phase in times() {
                let own = gait().weights_on_line(0.5);
                assert!(gait().seconds(&own, index, phase).is_finite(), "sample {index} at phase {phase}");
                assert!(gait().seconds(&foreign(), index, phase).is_finite(), "sample {index} at phase {phase}");
            }
        }
    });
    table.row("AnimationMixer::add_blend_space", || {
        // A space of a larger library: its clips are not there.
        let larger = library_of(&chain(3), &vec![slide(0, 1.0); 9]);
        let space = BlendSpace::line(&larger, &[(0.0, 7), (1.0, 8)]).expect("it is good");
        let mut mixer = mixer();
        let motion = mixer.add_blend_space(space);
        assert!(mixer.play(motion, 0.2).is_ok());
        frame(&mut mixer, 0.1);
    });
    table.row("AnimationMixer::set_blend_position", || {
        let mut mixer = mixer();
        let motion = mixer.add_blend_space(gait());
        assert!(mixer.play(motion, 0.2).is_ok());
        for place in places() {
            assert_eq!(mixer.set_blend_position(motion, place), Ok(()));
            assert!(mixer.set_blend_position(Motion::Clip(usize::MAX), place).is_err());
            assert!(mixer.set_blend_position(Motion::Space(usize::MAX), place).is_err());
            frame(&mut mixer, 0.1);
        }
    });
    table.row("AnimationMixer::blend_position", || {
        for index in INDICES {
            assert_eq!(mixer().blend_position(Motion::Space(index)), None);
            assert_eq!(mixer().blend_position(Motion::Clip(index)), None);
        }
    });
}

fn root_motion(table: &mut Table) {
    table.row("RootMotionOptions::of_joint", || {
        for joint in JOINTS {
            let (_, track) = extract_root_motion(&slide(0, 1.0), &chain(3), &RootMotionOptions::of_joint(joint));
            assert!(track.is_still(), "a joint that is not there goes nowhere");
        }
    });
    table.row("extract_root_motion", || {
        let options = RootMotionOptions { y: true, ..RootMotionOptions::default() };
        for skeleton in skeletons().into_iter().step_by(3) {
            clips().iter().step_by(2).for_each(|clip| drop(extract_root_motion(clip, &skeleton, &options)));
        }
    });
    let track = || RootTrack::from_keys([(0.0, RootDelta::ZERO), (2.0, RootDelta { translation: DVec3::Z, yaw: 0.5 })]);
    table.row("RootTrack::from_keys", || {
        for number in times() {
            let odd = RootDelta { translation: DVec3::splat(number), yaw: number };
            let made =
                RootTrack::from_keys([(number, RootDelta::ZERO), (0.0, odd), (number, odd), (1.0, RootDelta::ZERO)]);
            assert!(made.place(0.5).yaw.is_finite(), "{number}");
            assert_eq!(RootTrack::from_keys([]).place(number), RootDelta::ZERO);
        }
    });
    table.row("RootTrack::place", || {
        times().for_each(|time| assert!(track().place(time).translation.is_finite(), "at {time}"));
    });
    table.row("RootTrack::between", || {
        for (from, to) in times().zip(times().skip(4)) {
            assert!(track().between(from, to).translation.is_finite(), "from {from} to {to}");
        }
    });
    table.row("RootTrack::motion", || {
        for length in times() {
            for (from, to) in times().zip(times().skip(4)) {
                let _ = track().motion(&Clock::looping(length), from, to);
            }
        }
    });
}

fn root_deltas(table: &mut Table) {
    let step = RootDelta { translation: DVec3::Z, yaw: 0.25 };
    let odd = || times().map(|number| RootDelta { translation: DVec3::splat(number), yaw: number });
    table.row("RootDelta::then", || odd().for_each(|odd| drop(format!("{:?}", step.then(odd).then(step)))));
    table.row("RootDelta::repeated", || {
        for count in [i64::MIN, i64::MAX, 0, -1] {
            assert!(step.repeated(count).translation.is_finite(), "{count} times");
            odd().for_each(|odd| drop(format!("{:?}", odd.repeated(count))));
        }
    });
    table.row("RootDelta::scaled", || times().for_each(|fraction| drop(format!("{:?}", step.scaled(fraction)))));
    table.row("RootDelta::mean", || {
        assert_eq!(RootDelta::mean([]), RootDelta::ZERO);
        for weight in times() {
            let _ = RootDelta::mean([(weight, step), (1.0, step)]);
            odd().for_each(|odd| drop(format!("{:?}", RootDelta::mean([(weight, odd)]))));
        }
    });
    table.row("RootDelta::applied_to", || {
        for (place, turn) in vectors().zip(rotations()) {
            let _ = step.applied_to(place, turn);
        }
        odd().for_each(|odd| drop(format!("{:?}", odd.applied_to(Vec3::ONE, Quat::IDENTITY))));
    });
}
