//! Everyone's characters, each frame restored.

use nebula_animation::recorder::Recording;

use super::seen;
use crate::characters::Random;
use crate::explain::troupe::{Actor, files, share};

/// Ten thousand frames of random games with the characters of others, and as many each with ours, with layers of every kind: each comes back with the same bits, by
/// itself, from a file, in a character that is not traced where the one that was recorded was, and is where that one was not.
#[test]
fn frames_of_everyone_come_back() {
    let files = files("frames_of_everyone_come_back");
    let each = share(10_000, &files);
    let mut random = Random::new(62);
    let mut total = 0;
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut actor = Actor::new(&file, &mut random);
        let is_traced = random.chance(0.5);
        actor.character.set_traced(is_traced);
        actor.character = actor.character.with_states_every(32);
        let mut past = actor.character.clone_character();
        past.set_traced(!is_traced);
        let mut sights = Vec::new();
        for frame in 0..each {
            if random.chance(0.1) {
                actor.act(&mut random);
            }
            let dt = [1.0 / 60.0, 1.0 / 30.0, 0.0, 0.2, -0.02][random.below(40).saturating_sub(35)];
            actor.update(frame as u32, dt);
            sights.push(seen(&actor.character));
        }
        let bytes = Recording::of([("it", actor.character.tape())]).to_bytes();
        let recording = Recording::from_bytes(&bytes).expect("what was written is read");
        let tape = recording.tape("it").expect("its name");
        assert_eq!(tape.frames(), 0..each, "{name}");
        let mut order: Vec<u64> = (0..each).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last + 1));
        }
        for frame in order {
            tape.restore(frame, &mut past).expect("a frame of the tape");
            assert_eq!(seen(&past), sights[frame as usize], "{name}, frame {frame}");
            total += 1;
        }
        println!("{name}: {} bytes a frame", tape.bytes() as u64 / each);
    }
    assert!(total >= 10_000);
}
