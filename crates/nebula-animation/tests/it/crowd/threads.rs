//! Crowds on several threads: the bits of one thread.

use super::{Stage, bits};

#[test]
fn threads_do_not_change_a_bit() {
    // Fewer characters than threads, one piece of work, a few, and many.
    for (count, seed) in [(0, 1), (3, 2), (64, 3), (65, 4), (400, 5), (1500, 6)] {
        let mut alone = Stage::new(count, seed);
        let steps = [0.0, 1.0 / 60.0, 0.7];
        let mut expected = Vec::new();
        for step in steps {
            alone.crowd.update(step);
            expected.push(alone.crowd.palettes().to_vec());
        }
        for threads in [1, 2, 4, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
            let mut stage = Stage::new(count, seed);
            for (step, expected) in steps.into_iter().zip(&expected) {
                stage.crowd.advance(step);
                pool.install(|| stage.crowd.evaluate_on_threads());
                assert!(
                    bits(stage.crowd.palettes()).eq(bits(expected)),
                    "{count} characters on {threads} threads differ from one thread"
                );
            }
        }
    }
}
