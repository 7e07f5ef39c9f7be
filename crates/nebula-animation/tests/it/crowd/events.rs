//! Markers that characters come by: once each, whatever the steps, of both clips.

use nebula_animation::crowd::{CrowdCharacterId, CrowdClipId, SecondClip};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationMixer, ClipMarkers, Clock, Crowd, LibraryOptions, Marker, Rig,
    Skeleton,
};

use super::skeletons;
use crate::characters::Random;

/// Names and times of markers.
type Markers<'a> = &'a [(&'a str, f64)];

/// A library of clips of so many seconds, with markers, for the smallest rig.
pub fn marked(clips: &[(f32, Markers)]) -> AnimationClipLibrary {
    marked_on(&skeletons()[3], clips)
}

fn marked_on(skeleton: &Skeleton, clips: &[(f32, Markers)]) -> AnimationClipLibrary {
    let mut markers = ClipMarkers::new();
    for (index, (_, own)) in clips.iter().enumerate() {
        own.iter().for_each(|&(name, time)| markers.add(index, Marker { name: name.into(), time }));
    }
    let clip = |(index, &(duration, _)): (usize, &(f32, Markers))| AnimationClip {
        name: format!("clip {index}"),
        duration,
        ..AnimationClip::default()
    };
    let clips: Vec<AnimationClip> = clips.iter().enumerate().map(clip).collect();
    let options = LibraryOptions { markers, ..LibraryOptions::default() };
    AnimationClipLibrary::with_options(&Rig::new(skeleton), &clips, options)
}

/// A crowd with these clips and one character, which plays the first.
pub fn crowd_of(library: &AnimationClipLibrary) -> (Crowd, Vec<CrowdClipId>, CrowdCharacterId) {
    let mut crowd = Crowd::new();
    let clips = super::add_all(&mut crowd, library);
    let id = crowd.spawn(clips[0]).expect("its own clip");
    (crowd, clips, id)
}

fn names(crowd: &Crowd) -> Vec<&str> {
    crowd.events().map(|event| event.marker.name.as_str()).collect()
}

const STEPS: Markers = &[("start", 0.0), ("left", 0.5), ("right", 1.25), ("end", 2.0)];

#[test]
fn every_marker_is_told_once_whatever_the_steps() {
    let library = marked(&[(2.0, STEPS)]);
    for step in [0.0625, 0.25, 0.375, 1.0, 2.0, 3.5, 41.0] {
        let (mut crowd, _, _) = crowd_of(&library);
        let (mut told, mut total) = (Vec::new(), 0.0);
        while total < 42.0 {
            crowd.advance(step);
            told.extend(crowd.events().map(|event| (event.total_time, event.marker.name.clone())));
            total += step;
        }
        let expected = Clock::looping(2.0).markers_between(library[0].markers(), -f64::MIN_POSITIVE, total);
        let expected: Vec<_> = expected.map(|hit| (hit.total_time, hit.marker.name.clone())).collect();
        assert_eq!(told, expected, "in steps of {step} s");
    }
}

/// Random steps, forwards and backwards, at random speeds: what a mixer tells of the same clip.
#[test]
fn crowds_tell_what_mixers_tell() {
    let library = marked(&[(1.7, &[("a", 0.0), ("b", 0.3), ("c", 0.31), ("d", 1.0), ("e", f64::from(1.7_f32))])]);
    for looping in [true, false] {
        let (mut crowd, clips, _) = crowd_of(&library);
        let mut mixer = AnimationMixer::new(library.clone());
        let action = mixer.play(0, 0.0).expect("the clip is there");
        action.looping = looping;
        crowd.characters_mut()[0].looping = looping;
        let mut random = Random::new(3);
        let mut count = 0;
        for frame in 0..3000 {
            let speed = if random.chance(0.3) { random.between(-2.0, 2.0) } else { 1.0 };
            let step = if random.chance(0.05) { f64::from(random.between(-9.0, 9.0)) } else { 1.0 / 60.0 };
            crowd.characters_mut()[0].speed = speed;
            let action = mixer.current_action.as_mut().expect("it plays");
            (action.speed, action.playing) = (speed, true);
            crowd.advance(step);
            mixer.update(step);
            let told: Vec<_> = crowd
                .events()
                .map(|event| {
                    assert_eq!((event.clip, event.weight), (clips[0], 1.0));
                    (event.marker.name.as_str(), event.pass, event.is_rewinding)
                })
                .collect();
            let expected: Vec<_> =
                mixer.events().map(|event| (event.marker.name.as_str(), event.pass, event.is_rewinding)).collect();
            assert_eq!(told, expected, "frame {frame}, looping: {looping}, speed {speed}, step {step}");
            count += told.len();
        }
        assert!(count > 300, "{count} markers, looping: {looping}");
    }
}

#[test]
fn both_clips_tell_by_their_weights_and_a_shared_name_once() {
    let library = marked(&[(2.0, &[("step", 0.5), ("clap", 0.75)]), (1.0, &[("step", 0.25), ("nod", 0.5)])]);
    let (mut crowd, clips, id) = crowd_of(&library);
    let told = |weight: f32, crowd: &mut Crowd| -> Vec<(String, f32, CrowdClipId)> {
        let character = crowd.character_mut(id).expect("it is there");
        *character = nebula_animation::crowd::CrowdCharacter {
            time: 0.0,
            second: Some(SecondClip { clip: clips[1], time: 0.0, weight }),
            progress: Default::default(),
            ..*character
        };
        // Forget the clip of before.
        crowd.advance(0.0);
        crowd.advance(0.875);
        crowd.events().map(|event| (event.marker.name.clone(), event.weight, event.clip)).collect()
    };
    let event = |name: &str, weight: f32, clip: usize| (name.to_owned(), weight, clips[clip]);
    assert_eq!(told(0.25, &mut crowd), [event("step", 1.0, 0), event("clap", 0.75, 0), event("nod", 0.25, 1)]);
    assert_eq!(told(0.75, &mut crowd), [event("clap", 0.25, 0), event("step", 1.0, 1), event("nod", 0.75, 1)]);
    // The first of two with the same weight; what is not seen tells nothing.
    assert_eq!(told(0.5, &mut crowd), [event("step", 1.0, 0), event("clap", 0.5, 0), event("nod", 0.5, 1)]);
    assert_eq!(told(0.0, &mut crowd), [event("step", 1.0, 0), event("clap", 1.0, 0)]);
    assert_eq!(told(f32::NAN, &mut crowd), [event("step", 1.0, 0), event("clap", 1.0, 0)]);
    assert_eq!(told(7.0, &mut crowd), [event("step", 1.0, 1), event("nod", 1.0, 1)]);
}

/// The second clip's markers are told once each too, at its own time and length.
#[test]
fn second_clips_tell_every_marker_once() {
    let library = marked(&[(2.0, &[]), (1.5, STEPS)]);
    for step in [0.0625, 0.375, 0.5, 1.0, 1.5, 2.25, 40.0] {
        let (mut crowd, clips, id) = crowd_of(&library);
        let second = SecondClip { clip: clips[1], time: 0.0, weight: 0.5 };
        crowd.character_mut(id).expect("it is there").second = Some(second);
        let (mut told, mut total) = (Vec::new(), 0.0);
        while total < 36.0 {
            crowd.advance(step);
            told.extend(crowd.events().map(|event| (event.total_time, event.marker.name.clone())));
            total += step;
        }
        let expected = Clock::looping(1.5).markers_between(library[1].markers(), -f64::MIN_POSITIVE, total);
        let expected: Vec<_> = expected.map(|hit| (hit.total_time, hit.marker.name.clone())).collect();
        assert_eq!(told, expected, "in steps of {step} s");
    }
}

/// A fade as crowds make them: the second clip comes in and becomes the first, or the first becomes the second and goes. A marker at
/// the very moment is told once.
#[test]
fn clips_that_change_places_go_on() {
    let library = marked(&[(2.0, &[("left", 0.5), ("right", 1.5)]), (2.0, &[("clap", 0.75), ("snap", 1.0)])]);
    let (mut crowd, clips, id) = crowd_of(&library);
    let change = |crowd: &mut Crowd, with: &dyn Fn(&mut nebula_animation::crowd::CrowdCharacter)| {
        with(crowd.character_mut(id).expect("it is there"));
    };
    change(&mut crowd, &|one| one.second = Some(SecondClip { clip: clips[1], time: 0.25, weight: 0.5 }));
    crowd.advance(0.5);
    assert_eq!(names(&crowd), ["left", "clap"]);
    // The second becomes the first.
    change(&mut crowd, &|one| {
        let second = one.second.expect("there is one");
        (one.clip, one.time, one.second) = (second.clip, second.time, None);
    });
    crowd.advance(0.0);
    assert_eq!(names(&crowd), [""; 0]);
    crowd.advance(0.25);
    assert_eq!(names(&crowd), ["snap"]);
    // The first becomes the second.
    change(&mut crowd, &|one| {
        let (clip, time) = (one.clip, one.time);
        (one.clip, one.time, one.second) = (clips[0], 0.25, Some(SecondClip { clip, time, weight: 0.5 }));
    });
    crowd.advance(0.25);
    assert_eq!(names(&crowd), ["left"]);
    // And both at once.
    change(&mut crowd, &|one| {
        let second = one.second.expect("there is one");
        (one.second, one.clip, one.time) =
            (Some(SecondClip { clip: one.clip, time: one.time, ..second }), second.clip, second.time);
    });
    crowd.advance(1.5);
    assert_eq!(names(&crowd), ["clap", "right"]);
}

/// The clocks themselves do not depend on whether anybody listens.
#[test]
fn clocks_are_the_same_with_and_without_markers() {
    let silent = marked(&[(1.7, &[]), (0.9, &[])]);
    let telling = marked(&[(1.7, &[("a", 0.3)]), (0.9, &[])]);
    let [mut silent, mut telling] = [&silent, &telling].map(|library| {
        let (mut crowd, clips, _) = crowd_of(library);
        let mut random = Random::new(8);
        for _ in 0..60 {
            let id = crowd.spawn(clips[random.below(2)]).expect("its own clip");
            let character = crowd.character_mut(id).expect("it is there");
            character.time = f64::from(random.between(-1.0, 4.0));
            (character.speed, character.looping) = (random.between(-3.0, 3.0), random.chance(0.6));
            let time = [f64::from(random.between(-1.0, 3.0)), f64::NAN, 0.0][random.below(3)];
            character.second =
                random.chance(0.7).then_some(SecondClip { clip: clips[random.below(2)], time, weight: 0.5 });
        }
        crowd
    });
    let mut random = Random::new(9);
    for _ in 0..400 {
        let step = [1.0 / 60.0, 0.0, f64::from(random.between(-5.0, 5.0)), f64::NAN][random.below(4)];
        silent.advance(step);
        telling.advance(step);
        let texts =
            |crowd: &Crowd| -> Vec<String> { crowd.characters().iter().map(|one| format!("{one:?}")).collect() };
        assert_eq!(texts(&silent), texts(&telling));
        assert_eq!(silent.events().count(), 0);
    }
}

/// Handles, not indices: events name who met them, while others come and go.
#[test]
fn events_name_their_characters() {
    let library = marked(&[(2.0, &[("left", 0.5), ("right", 1.5)])]);
    let (mut crowd, clips, first) = crowd_of(&library);
    let others: Vec<CrowdCharacterId> = (0..20).map(|_| crowd.spawn(clips[0]).expect("its own clip")).collect();
    for (index, id) in others.iter().enumerate() {
        crowd.character_mut(*id).expect("it is there").time = 0.1 * index as f64;
    }
    crowd.advance(0.0);
    crowd.remove(first);
    crowd.remove(others[7]);
    crowd.advance(0.1);
    let mut told: Vec<(usize, &str)> = crowd
        .events()
        .map(|event| {
            let number = others.iter().position(|id| *id == event.character).expect("one of those who are there");
            (number, event.marker.name.as_str())
        })
        .collect();
    told.sort_unstable();
    // Those between 0.4 and 0.5, and between 1.4 and 1.5; the times are sums of roundings, and a fresh start takes its own moment in.
    let names: Vec<&str> = told.iter().map(|(_, name)| *name).collect();
    assert!(told.iter().all(|(number, name)| match *name {
        "left" => [4, 5].contains(number),
        _ => [14, 15].contains(number),
    }));
    assert!(names.contains(&"left") && names.contains(&"right"), "{told:?}");
    // A clip of markers that comes late.
    crowd.clear();
    assert_eq!(crowd.events().count(), 0);
}

/// While others of several rigs come and go, everybody tells what they tell alone.
#[test]
fn company_changes_no_events() {
    let markers: Markers = &[("left", 0.1), ("right", 0.4)];
    let libraries = [0, 1, 3].map(|skeleton: usize| {
        marked_on(&skeletons()[skeleton], &[(0.7, markers), (0.9, &[("left", 0.5), ("nod", 0.6)])])
    });
    let mut crowd = Crowd::new();
    let clips = libraries.each_ref().map(|library| super::add_all(&mut crowd, library));
    let mut random = Random::new(12);
    // With the same character in a crowd of its own.
    let mut there: Vec<(CrowdCharacterId, Crowd)> = Vec::new();
    let mut told = 0;
    for frame in 0..400 {
        for _ in 0..random.below(3) {
            let rig = random.below(3);
            let (mut alone, own_clips, own) = crowd_of(&libraries[rig]);
            let id = crowd.spawn(clips[rig][0]).expect("its own clip");
            let (time, weight) = (f64::from(random.unit()), random.unit());
            for (crowd, id, clips) in [(&mut alone, own, &own_clips), (&mut crowd, id, &clips[rig])] {
                let character = crowd.character_mut(id).expect("it is there");
                character.time = 0.5 * time;
                character.second = Some(SecondClip { clip: clips[1], time, weight });
            }
            there.push((id, alone));
        }
        if there.len() > 20 || (there.len() > 3 && random.chance(0.5)) {
            let (leaver, _) = there.swap_remove(random.below(there.len()));
            assert!(crowd.remove(leaver).is_some());
        }
        let step = if random.chance(0.1) { f64::from(random.between(-1.0, 2.0)) } else { 1.0 / 60.0 };
        crowd.advance(step);
        let mut all = 0;
        for (id, alone) in &mut there {
            alone.advance(step);
            let text = |crowd: &Crowd, id: CrowdCharacterId| -> Vec<String> {
                let events = crowd.events().filter(|event| event.character == id);
                events
                    .map(|one| format!("{} {} {} {}", one.marker.name, one.weight, one.pass, one.total_time))
                    .collect()
            };
            let own = text(alone, alone.id_at(0).expect("it is there"));
            assert_eq!(text(&crowd, *id), own, "frame {frame}");
            all += own.len();
        }
        assert_eq!(crowd.events().count(), all, "frame {frame}");
        told += all;
    }
    assert!(told > 300, "{told} markers");
}

/// Nobody's events, where time stands still, nothing has markers or steps are none.
#[test]
fn what_stands_still_tells_nothing() {
    let library = marked(&[(2.0, STEPS), (0.0, STEPS)]);
    let (mut crowd, clips, id) = crowd_of(&library);
    assert_eq!(crowd.events().count(), 0);
    crowd.advance(0.0);
    assert_eq!(crowd.events().count(), 0);
    crowd.advance(f64::NAN);
    assert_eq!(crowd.events().count(), 0);
    crowd.advance(0.6);
    // The start of a loop is also the end of the pass before it, as for mixers.
    assert_eq!(names(&crowd), ["end", "start", "left"]);
    crowd.character_mut(id).expect("it is there").speed = f32::INFINITY;
    crowd.advance(0.6);
    assert_eq!(crowd.events().count(), 0);
    crowd.characters_mut()[0] = nebula_animation::crowd::CrowdCharacter { clip: clips[1], ..crowd.characters()[0] };
    crowd.characters_mut()[0].speed = 1.0;
    crowd.advance(0.6);
    assert_eq!(crowd.events().count(), 0);
}

/// Clips of markers that are added when characters are there already.
#[test]
fn markers_may_come_later() {
    let silent = marked(&[(2.0, &[])]);
    let (mut crowd, _, id) = crowd_of(&silent);
    crowd.advance(0.25);
    let rig = silent.rig();
    let mut markers = ClipMarkers::new();
    markers.add(0, Marker { name: "clap".into(), time: 0.5 });
    let clips = [AnimationClip { duration: 1.0, ..AnimationClip::default() }];
    let options = LibraryOptions { markers, ..LibraryOptions::default() };
    let clap = AnimationClipLibrary::with_options(rig, &clips, options);
    let clap = super::add_all(&mut crowd, &clap)[0];
    crowd.character_mut(id).expect("it is there").second = Some(SecondClip { clip: clap, time: 0.0, weight: 0.5 });
    crowd.advance(3.0);
    assert_eq!(names(&crowd), ["clap"; 3]);
}
