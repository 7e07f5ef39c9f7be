//! Crowds that lose characters: nobody else is touched, and no handle ever means another one.

use nebula_animation::crowd::{CrowdCharacter, CrowdCharacterId};
use nebula_animation::{AnimationClip, Crowd};

use super::{Stage, add_all, bits, library, skeletons};
use crate::characters::Random;

/// Asserts that all have the palettes that they have in a crowd that is built anew, of those who are left.
fn check_against_new(stage: &Stage) {
    let mut new = Stage::new(0, 0);
    for (index, character) in stage.crowd.characters().iter().enumerate() {
        let rig = stage.rigs[&stage.crowd.id_at(index).expect("there is a character")];
        // Spawned with any clip of its rig; the two crowds have the same clips, so that what it plays is copied.
        let (_, clip) = *stage.clips.iter().find(|(of, _)| *of == rig).expect("a clip of each rig");
        let twin = new.crowd.spawn(clip).expect("the clip is of this crowd");
        *new.crowd.character_mut(twin).expect("it is there") = *character;
    }
    new.crowd.evaluate();
    assert!(bits(stage.crowd.palettes()).eq(bits(new.crowd.palettes())));
}

/// What a character plays, as text: numbers that are none are the same there.
fn text(character: Option<CrowdCharacter>) -> String {
    format!("{:?}", character.expect("it is there"))
}

#[test]
fn whoever_stays_keeps_the_bits() {
    for (count, seed) in [(1, 1), (9, 2), (40, 3), (300, 4), (1500, 5)] {
        let mut stage = Stage::new(count, seed);
        let mut random = Random::new(seed);
        stage.crowd.update(0.1);
        let mut there: Vec<CrowdCharacterId> = (0..count).filter_map(|index| stage.crowd.id_at(index)).collect();
        while !there.is_empty() {
            let known = |stage: &Stage, id: &CrowdCharacterId| text(stage.crowd.character(*id).copied());
            let mut before: Vec<String> = there.iter().map(|id| known(&stage, id)).collect();
            for _ in 0..=there.len() / 3 {
                let leaver = random.below(there.len());
                let id = there.swap_remove(leaver);
                assert_eq!(text(stage.crowd.remove(id)), before.swap_remove(leaver));
                assert!(stage.crowd.remove(id).is_none());
            }
            assert!(there.iter().map(|id| known(&stage, id)).eq(before), "nobody else is touched");
            assert_eq!(stage.crowd.characters().len(), there.len());
            stage.crowd.update(1.0 / 60.0);
            stage.check(stage.crowd.palettes(), "after some left");
            check_against_new(&stage);
        }
        assert_eq!(stage.crowd.palettes(), []);
    }
}

/// Some come, some go, for a while: characters of one rig stay together, and everybody is what they are alone.
#[test]
fn coming_and_going_mixes_nobody_up() {
    let mut stage = Stage::new(0, 6);
    let mut random = Random::new(7);
    let (mut there, mut gone) = (Vec::new(), Vec::new());
    for round in 0..60 {
        for _ in 0..random.below(12) {
            let id = stage.add_character(&mut random);
            assert!(!there.contains(&id) && !gone.contains(&id), "a handle is given out once");
            there.push(id);
        }
        for _ in 0..random.below(10).min(there.len()) {
            let id = there.swap_remove(random.below(there.len()));
            assert!(stage.crowd.remove(id).is_some());
            gone.push(id);
        }
        stage.crowd.update(1.0 / 60.0);
        stage.check(stage.crowd.palettes(), &format!("round {round}"));
        for id in &gone {
            assert_eq!(
                (stage.crowd.index_of(*id), stage.crowd.palette_start(*id), stage.crowd.morph_start(*id)),
                (None, None, None)
            );
            assert!(stage.crowd.character(*id).is_none() && stage.crowd.character_mut(*id).is_none());
            assert!(stage.crowd.root_step(*id).is_none());
        }
        let rigs: Vec<usize> =
            (0..there.len()).map(|index| stage.rigs[&stage.crowd.id_at(index).expect("it is there")]).collect();
        assert!(rigs.is_sorted(), "rig by rig: {rigs:?}");
    }
    assert!(gone.len() > 100 && there.len() > 10, "{} gone, {} there", gone.len(), there.len());
}

/// Cleared, a crowd knows nobody whom it knew before.
#[test]
fn handles_from_before_a_clear_find_nobody() {
    let mut stage = Stage::new(20, 8);
    let before: Vec<CrowdCharacterId> = (0..20).filter_map(|index| stage.crowd.id_at(index)).collect();
    stage.fill(30, 9);
    assert_eq!(before.len(), 20);
    assert!(before.iter().all(|id| stage.crowd.index_of(*id).is_none() && stage.crowd.palette_start(*id).is_none()));
    assert_eq!((0..30).filter_map(|index| stage.crowd.id_at(index)).filter(|id| before.contains(id)).count(), 0);
}

/// Handles of another crowd may mean somebody here, but never a place where nobody is.
#[test]
fn foreign_handles_find_somebody_or_nobody() {
    let mut crowd = Crowd::new();
    let clips = add_all(&mut crowd, &library(skeletons().remove(3), false));
    let ids: Vec<CrowdCharacterId> = (0..10).map(|_| crowd.spawn(clips[0]).expect("its own clip")).collect();
    let mut other = Crowd::new();
    add_all(&mut other, &library(skeletons().remove(3), false));
    assert!(ids.iter().all(|id| other.index_of(*id).is_none()));
    for id in &ids {
        crowd.remove(*id);
    }
    let again: Vec<CrowdCharacterId> = (0..10).map(|_| crowd.spawn(clips[0]).expect("its own clip")).collect();
    for _ in 0..10 {
        other.spawn(clips[0]).expect("as many clips");
    }
    let first = other.id_at(0).expect("it is there");
    other.remove(first);
    assert!(again.iter().all(|id| other.index_of(*id).is_none_or(|index| index < 9)));
}

/// Ten thousand of four rigs leave in any order: whenever one leaves, at most one of each rig moves up, however many are there.
#[test]
fn losing_all_in_any_order_is_not_quadratic() {
    let mut crowd = Crowd::new();
    let ranks = skeletons().into_iter().map(|skeleton| add_all(&mut crowd, &library(skeleton, false))[0]);
    let ranks: Vec<_> = ranks.collect();
    let mut random = Random::new(10);
    let mut ids: Vec<CrowdCharacterId> =
        (0..10_000).map(|_| crowd.spawn(ranks[random.below(4)]).expect("its own clip")).collect();
    for end in (1..ids.len()).rev() {
        ids.swap(end, random.below(end + 1));
    }
    let sample: Vec<CrowdCharacterId> = ids.iter().rev().take(200).copied().collect();
    let mut places: Vec<Option<usize>> = sample.iter().map(|id| crowd.index_of(*id)).collect();
    let mut moves = 0;
    for (count, id) in ids.iter().enumerate().take(9_800) {
        assert!(crowd.remove(*id).is_some());
        assert_eq!(crowd.characters().len(), 9_999 - count);
        for (place, id) in places.iter_mut().zip(&sample) {
            let now = crowd.index_of(*id);
            moves += usize::from(std::mem::replace(place, now) != now);
        }
    }
    // Of at most four at a time, these two hundred have their share: one fiftieth while all are there, all of them in the end.
    assert!(moves < 4_000, "{moves} moves of 200 characters, who see 9,800 leave");
    assert!(sample.iter().all(|id| crowd.remove(*id).is_some()));
    crowd.update(0.1);
    assert_eq!(crowd.palettes(), []);
}

/// A character that is added after another one left goes on from nothing of it.
#[test]
fn newcomers_begin_at_the_beginning() {
    let mut crowd = super::crowd_of_one(AnimationClip { duration: 2.0, ..AnimationClip::default() });
    let (first, clip) = (crowd.id_at(0).expect("it is there"), crowd.characters()[0].clip);
    crowd.update(1.5);
    assert_eq!(crowd.remove(first).map(|character| character.time), Some(1.5));
    let second = crowd.spawn(clip).expect("its own clip");
    assert_eq!(crowd.character(second).map(|character| (character.time, character.pass())), Some((0.0, 0)));
    assert!(first != second && crowd.character(first).is_none());
}
