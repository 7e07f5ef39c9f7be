//! Clocks, markers, entries; sampling; clips for other bodies.

use glam::Vec3;
use nebula_animation::clip::{MOST_MORPH_SLOTS, is_morph_joint, morph_joint};
use nebula_animation::retarget::mirrored_name;
use nebula_animation::{
    AnimationClip, Channel, ClipMarkers, Clock, Interpolation, Keyframe, Marker, Retarget, Rig,
    clip::{ClipEntry, MorphLayout, MorphMesh},
    retarget::{HandPlaces, Mirror, RetargetError, RetargetOptions},
    sample::{additive_clip, additive_clip_from_frame, additive_clip_with_morphs, sample_morph_weights},
    sample_channel, sample_pose,
};

use super::Table;
use super::fixtures::{INDICES, JOINTS, NAMES, chain, clips, is_finite, numbers, poses, skeletons, slide, times};

pub fn rows(table: &mut Table) {
    morph_clips(table);
    clocks(table);
    markers(table);
    sampling(table);
    morphs(table);
    other_bodies(table);
}

/// Clocks with one number that makes no sense.
fn wrong_clocks() -> Vec<Clock> {
    let good = Clock { end: Some(2.0), ..Clock::default() };
    let mut clocks = vec![good, Clock { repetitions: i32::MIN, ..good }, Clock { repetitions: i32::MAX, ..good }];
    for number in times() {
        clocks.extend([
            Clock { start: number, ..good },
            Clock { end: Some(number), ..good },
            Clock { offset: number, ..good },
            Clock { speed: number, reverse: true, ..good },
            Clock { hold: number, repetitions: 3, ..good },
        ]);
    }
    clocks
}

fn clocks(table: &mut Table) {
    table.row("Clock::at", || {
        for clock in wrong_clocks() {
            for total in times() {
                assert!(clock.at(total).time.is_finite(), "{clock:?} at {total}");
            }
        }
    });
    table.row("Clock::looping", || times().for_each(|length| assert!(Clock::looping(length).at(1.5).time.is_finite())));
    table.row("Clock::once", || times().for_each(|length| assert!(Clock::once(length).at(1.5).time.is_finite())));
    table.row("Clock::with_hold", || {
        times().for_each(|hold| assert!(Clock::looping(1.0).with_hold(hold).at(7.5).time.is_finite()));
    });
    table.row("Clock::passes_between", || {
        for clock in wrong_clocks() {
            for (from, to) in times().zip(times().skip(3)) {
                let _ = (clock.passes_between(from, to), clock.passes_between(to, from), clock.finishes_at());
            }
        }
    });
    table.row("ClipEntry::check", || {
        let good = ClipEntry { animations: vec![0], end: Some(2.0), ..ClipEntry::default() };
        assert!(good.check(1).is_ok());
        for index in INDICES {
            assert!(ClipEntry { animations: vec![0, index], ..good.clone() }.check(3).is_err());
        }
        for number in times().filter(|number| !number.is_finite()) {
            assert!(ClipEntry { start: number, ..good.clone() }.check(1).is_err(), "{number}");
            assert!(ClipEntry { end: Some(number), ..good.clone() }.check(1).is_err(), "{number}");
            assert!(ClipEntry { offset: number, ..good.clone() }.check(1).is_err(), "{number}");
            assert!(ClipEntry { speed: number, ..good.clone() }.check(1).is_err(), "{number}");
        }
        assert!(ClipEntry { repetitions: -2, ..good.clone() }.check(1).is_err());
        assert!(ClipEntry { animations: Vec::new(), ..good.clone() }.check(1).is_err());
        assert!(good.check(0).is_err());
    });
    table.row("ClipEntry::merged_clip", || {
        for index in INDICES {
            let entry = ClipEntry { animations: vec![index, 0, 0, index], ..ClipEntry::default() };
            let _ = entry.merged_clip(&[slide(0, 1.0)]);
            let _ = entry.merged_clip(&[]);
        }
    });
}

fn markers(table: &mut Table) {
    table.row("ClipMarkers::add", || {
        for index in INDICES.into_iter().filter(|index| *index >= 65_535) {
            let mut markers = ClipMarkers::new();
            markers.add(index, Marker { name: "far".into(), time: 0.0 });
            assert!(markers.of(index).is_empty(), "an index from a stranger takes no memory");
        }
        for time in times() {
            let mut markers = ClipMarkers::new();
            markers.add(0, Marker { name: "odd".into(), time });
            assert_eq!(markers.of(0).len(), usize::from(time.is_finite()));
        }
    });
    table.row("ClipMarkers::of", || {
        INDICES.into_iter().for_each(|index| assert!(ClipMarkers::new().of(index).is_empty()));
    });
    table.row("Clock::markers_between", || {
        // Not sorted, not finite, out of the clip.
        let odd: Vec<Marker> = times().map(|time| Marker { name: "odd".into(), time }).collect();
        for clock in wrong_clocks() {
            for (from, to) in times().zip(times().skip(2)) {
                let hits = clock.markers_between(&odd, from, to);
                assert!(hits.take(20).all(|hit| hit.total_time.is_finite()), "{clock:?} from {from} to {to}");
                assert_eq!(clock.markers_between(&[], from, to).count(), 0);
            }
        }
    });
}

fn sampling(table: &mut Table) {
    table.row("sample_channel", || {
        let empty: Channel<Vec3> =
            Channel { joint_index: 0, interpolation: Interpolation::Linear, keyframes: Vec::new() };
        assert!(sample_channel(&empty, 0.5).is_finite());
        let key = |time| Keyframe { time, value: Vec3::X, tangents: None };
        for interpolation in [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline] {
            for number in numbers() {
                let channel =
                    Channel { joint_index: 0, interpolation, keyframes: vec![key(0.0), key(number), key(1.0)] };
                numbers().for_each(|time| {
                    let _ = sample_channel(&channel, time);
                });
                let good = Channel { joint_index: 0, interpolation, keyframes: vec![key(0.0), key(1.0)] };
                assert_eq!(sample_channel(&good, number), Vec3::X, "{interpolation:?} at {number}");
            }
        }
    });
    table.row("sample_pose", || {
        for skeleton in skeletons() {
            for clip in clips() {
                for mut pose in [Vec::new(), chain(2).bind_pose(), chain(20).bind_pose()] {
                    sample_pose(&clip, &skeleton, 0.3, &mut pose);
                }
            }
        }
        for time in numbers() {
            let mut pose = chain(3).bind_pose();
            sample_pose(&slide(1, 1.0), &chain(3), time, &mut pose);
            assert!(is_finite(&pose), "at {time}");
        }
    });
    table.row("additive_clip", || {
        for reference in poses() {
            for skeleton in [chain(3), Default::default()] {
                clips().iter().for_each(|clip| drop(additive_clip(clip, &skeleton, &reference)));
            }
        }
    });
    table.row("additive_clip_from_frame", || {
        for (clip, time) in clips().iter().zip(numbers().cycle()) {
            skeletons().iter().for_each(|skeleton| drop(additive_clip_from_frame(clip, skeleton, time)));
        }
    });
}

fn morphs(table: &mut Table) {
    table.row("morph_joint", || {
        for slot in INDICES {
            assert_eq!(morph_joint(slot).is_some(), slot < MOST_MORPH_SLOTS, "{slot}");
        }
    });
    table.row("is_morph_joint", || {
        for joint in JOINTS {
            INDICES.into_iter().for_each(|count| assert!(!is_morph_joint(joint, count) || count <= joint.into()));
        }
    });
    table.row("AnimationClip::set_morph_weights", || {
        let untouched = AnimationClip::default();
        let mut clip = untouched.clone();
        for interpolation in [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline] {
            for slot in INDICES.into_iter().filter(|slot| slot % 3 != 0 || *slot > MOST_MORPH_SLOTS) {
                assert!(clip.set_morph_weights(slot, interpolation, &[0.0], &[0.0; 3], 1).is_err(), "{slot}");
            }
            for count in INDICES {
                assert!(clip.set_morph_weights(0, interpolation, &[0.0, 1.0], &[0.0; 5], count).is_err(), "{count}");
            }
            for time in numbers().filter(|time| !(time.is_finite() && *time >= 0.0)) {
                assert!(clip.set_morph_weights(0, interpolation, &[0.0, time], &[0.0; 6], 3).is_err(), "{time}");
            }
            assert!(clip.set_morph_weights(0, interpolation, &[1.0, 0.5], &[0.0; 6], 3).is_err());
            assert!(clip.set_morph_weights(0, interpolation, &[], &[], 3).is_err());
        }
        assert_eq!(clip, untouched, "a refused clip is as before");
    });
    table.row("sample_morph_weights", || {
        for (clip, time) in clips().iter().zip(numbers().cycle()) {
            for count in [0, 1, 4, 20_000] {
                sample_morph_weights(clip, &[1.0; 2], time, &mut vec![0.0; count]);
            }
        }
    });
    table.row("additive_clip_with_morphs", || {
        for weights in [vec![], vec![f32::NAN; 4], vec![1.0; 100_000]] {
            for clip in clips().iter().take(6) {
                drop(additive_clip_with_morphs(clip, &chain(3), &[], &weights));
            }
        }
    });
    let odd = |first_slot| MorphMesh {
        first_slot,
        target_names: NAMES.map(String::from).to_vec(),
        weights: vec![f32::NAN; 3],
        ..MorphMesh::default()
    };
    let layouts: Vec<MorphLayout> =
        INDICES.into_iter().map(|slot| MorphLayout { meshes: vec![odd(slot), odd(0), odd(1)] }).collect();
    table.row("MorphLayout::find", || {
        for layout in &layouts {
            assert!(layout.slot_count() <= MOST_MORPH_SLOTS && layout.defaults().len() == layout.slot_count());
            assert_eq!(layout.find(""), None);
            for name in NAMES {
                assert!(layout.find(name).is_none_or(|slots| slots.iter().all(|slot| *slot < layout.slot_count())));
            }
        }
    });
    table.row("MorphLayout::require", || {
        for name in NAMES {
            assert!(MorphLayout::default().require(name).is_err());
            layouts.iter().for_each(|layout| drop(layout.require(name)));
        }
    });
}

fn other_bodies(table: &mut Table) {
    table.row("Retarget::new", || {
        for source in skeletons().iter().map(Rig::new) {
            for target in [chain(3), Default::default()].map(Rig::new) {
                for made in [Retarget::new(&source, &target), Retarget::new(&target, &source)] {
                    let (Ok(_) | Err(RetargetError::NoPairs(_) | RetargetError::NotHuman { .. })) = made;
                }
            }
        }
    });
    table.row("Retarget::with_options", || {
        for align_beyond in numbers() {
            for hands in [HandPlaces::Free, HandPlaces::OnBody, HandPlaces::Together] {
                let options = RetargetOptions { align_beyond, hands, ..RetargetOptions::default() };
                let retarget = Retarget::with_options(&Rig::new(chain(3)), &Rig::new(chain(4)), options);
                let made = retarget.expect("three joints in common").clip(&slide(1, 1.0));
                assert!(
                    made.translation_channels
                        .iter()
                        .flat_map(|channel| &channel.keyframes)
                        .all(|key| key.value.is_finite())
                );
            }
        }
    });
    table.row("Retarget::clip", || {
        let retarget = Retarget::new(&Rig::new(chain(3)), &Rig::new(chain(2))).expect("two joints in common");
        clips().iter().for_each(|clip| drop(retarget.clip(clip)));
    });
    table.row("Mirror::new", || skeletons().iter().for_each(|skeleton| drop(Mirror::new(skeleton))));
    table.row("Mirror::from_pairs", || {
        for joint in JOINTS {
            for skeleton in [chain(3), Default::default()] {
                let mirror = Mirror::from_pairs(&skeleton, &[(joint, 0), (1, joint), (joint, joint), (0, 0), (0, 1)]);
                assert_eq!(mirror.partners().len(), skeleton.joints.len());
            }
        }
    });
    table.row("Mirror::clip", || {
        let mirror = Mirror::from_pairs(&chain(3), &[(0, 2)]);
        clips().iter().for_each(|clip| drop(mirror.clip(clip)));
    });
    table.row("Mirror::markers", || {
        let odd: Vec<Marker> =
            NAMES.iter().zip(times()).map(|(name, time)| Marker { name: (*name).into(), time }).collect();
        assert_eq!(Mirror::markers(&odd).len(), odd.len());
    });
    table.row("mirrored_name", || NAMES.iter().for_each(|name| drop(mirrored_name(name))));
}

fn morph_clips(table: &mut Table) {
    table.row("AnimationClip::of_morph_weight", || {
        for slot in INDICES {
            for (time, weight) in numbers().zip(numbers().skip(3)) {
                let clip = AnimationClip::of_morph_weight("odd", slot, &[(time, weight), (0.5, 1.0), (0.1, time)]);
                assert!(clip.duration.is_finite() && clip.duration >= 0.0, "{time}");
            }
            assert_eq!(AnimationClip::of_morph_weight("nothing", slot, &[]).duration, 0.0);
        }
    });
    table.row("MorphLayout::of_clips", || {
        assert_eq!(MorphLayout::of_clips(&[]).slot_count(), 0);
        assert_eq!(MorphLayout::of_clips(&clips()).slot_count(), MorphLayout::of_clips(&clips()).defaults().len());
    });
}
