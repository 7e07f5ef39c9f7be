//! A crowd against its characters alone.

use nebula_animation::crowd::{CrowdCharacter, CrowdError, SecondClip};
use nebula_animation::{Crowd, palette::PaletteRows};

use super::Stage;

#[test]
fn a_character_takes_at_most_64_bytes() {
    // With 8 bytes to spare in a line of the cache. Besides it, a crowd keeps 12 bytes for its handle, and no place of its palette.
    assert!(size_of::<CrowdCharacter>() + 8 <= 64, "{} bytes", size_of::<CrowdCharacter>());
    assert_eq!(size_of::<PaletteRows>(), 48);
}

#[test]
fn each_character_is_what_it_is_alone() {
    for (count, seed) in [(0, 1), (1, 2), (2, 3), (63, 4), (64, 5), (300, 6)] {
        let mut stage = Stage::new(count, seed);
        stage.crowd.evaluate();
        stage.check(stage.crowd.palettes(), &format!("{count} characters"));
        for step in [1.0 / 60.0, 0.5, -3.0] {
            stage.crowd.update(step);
            stage.check(stage.crowd.palettes(), &format!("{count} characters after {step} s"));
        }
    }
}

/// What rests in all characters that are evaluated together is not worked out for each of them. It does rest, whatever was played in its
/// place before.
#[test]
fn what_rests_in_all_of_them_rests() {
    let moved =
        super::clips(29)[0].translation_channels.iter().map(|channel| channel.joint_index / 8).collect::<Vec<_>>();
    assert!((0..4).any(|block| moved.contains(&block)) && (0..4).any(|block| !moved.contains(&block)), "{moved:?}");
    let mut stage = Stage::new(200, 12);
    for others in [usize::MAX, 3, usize::MAX, 1, usize::MAX] {
        for index in 0..200 {
            let id = stage.crowd.id_at(index).expect("there are as many");
            let mine: Vec<_> = stage.clips.iter().filter(|(rig, _)| *rig == stage.rigs[&id]).collect();
            let [first, second] = [mine[0].1, mine[1].1];
            let character = stage.crowd.character_mut(id).expect("it is there");
            character.clip = if (index + 1) % others == 0 { second } else { first };
            let faded = SecondClip { clip: first, time: 0.3, weight: 0.4 };
            character.second = (index % 16 < 8).then_some(faded);
        }
        stage.crowd.update(0.1);
        stage.check(stage.crowd.palettes(), &format!("each one in {others} plays another clip"));
    }
}

/// Whether palettes are written past the caches changes no bit, wherever the buffer begins.
#[test]
fn streamed_crowds_have_the_same_bits() {
    for count in [1, 9, 300, 1500] {
        for bytes in [0, usize::MAX] {
            let mut stage = Stage::new(count, 7);
            stage.crowd.stream_above(bytes);
            stage.crowd.update(0.1);
            stage.check(stage.crowd.palettes(), &format!("{count} characters, streamed above {bytes} bytes"));
            let mut buffer = vec![PaletteRows::IDENTITY; stage.crowd.palettes().len() + 1];
            stage.crowd.evaluate_into(&mut buffer[1..]);
            stage.check(&buffer[1..], &format!("{count} characters, streamed above {bytes} bytes, one further on"));
        }
    }
}

/// A buffer of one's own gets the characters that fit, and keeps what is beyond them.
#[test]
fn buffers_of_any_length_are_fine() {
    let mut stage = Stage::new(40, 8);
    stage.crowd.evaluate();
    let whole = stage.crowd.palettes().to_vec();
    let untouched = PaletteRows([[9.0; 4]; 3]);
    let starts: Vec<usize> = (0..40).filter_map(|index| stage.crowd.palette_start(stage.crowd.id_at(index)?)).collect();
    for length in [0, 1, 7, starts[1], starts[1] + 1, starts[20] - 1, whole.len() - 1, whole.len(), whole.len() + 50] {
        let mut buffer = vec![untouched; length];
        stage.crowd.evaluate_into(&mut buffer);
        let ends = starts[1..].iter().copied().chain([whole.len()]);
        let fits = ends.filter(|&end| end <= length).max().unwrap_or(0);
        assert_eq!(buffer[..fits], whole[..fits]);
        assert!(buffer[fits..].iter().all(|rows| *rows == untouched), "length {length}");
    }
}

/// Crowds are cleared and filled again: nothing of the old one is left.
#[test]
fn cleared_crowds_start_over() {
    let mut stage = Stage::new(100, 9);
    stage.crowd.evaluate();
    let first = stage.crowd.id_at(0).expect("there are characters");
    stage.crowd.clear();
    assert_eq!((stage.crowd.characters().len(), stage.crowd.palettes().len()), (0, 0));
    stage.crowd.update(1.0);
    assert_eq!(stage.crowd.palettes(), []);
    assert_eq!((stage.crowd.palette_start(first), stage.crowd.id_at(0)), (None, None));
    stage.fill(30, 10);
    stage.crowd.evaluate();
    stage.check(stage.crowd.palettes(), "filled again");
}

/// Identifiers of another crowd are refused, not mixed up, where this one has no such entry.
#[test]
fn foreign_identifiers_are_refused() {
    let stage = Stage::new(1, 11);
    let clip = stage.crowd.characters()[0].clip;
    let mut empty = Crowd::new();
    assert!(matches!(empty.spawn(clip), Err(CrowdError::NoSuchCrowdClip { count: 0, .. })));
    assert!(empty.clip(clip).is_none());
    empty.update(0.1);
    assert_eq!(empty.palettes(), []);
}
