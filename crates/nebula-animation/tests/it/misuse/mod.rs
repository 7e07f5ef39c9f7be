//! Every public call times every argument that makes no sense: a documented answer, and never a panic.
//!
//! The rows are by stage. [`coverage`] reads the source and fails for a public function with arguments that has no row here, so
//! that the table stays whole.

mod assets;
mod avatars;
mod blends;
mod characters;
mod clips;
mod compressed;
mod coverage;
#[cfg(feature = "ecs")]
mod ecs;
mod fixtures;
mod limbs;
mod machines;
mod mixers;
mod players;
mod poses;
mod procedural;
mod rigs;
mod skinning;
mod states;
mod troupes;
mod whys;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::support::within_a_minute;

/// What has been tried, and what of it panicked.
#[derive(Default)]
pub struct Table {
    called: BTreeSet<&'static str>,
    failed: Vec<&'static str>,
}

impl Table {
    /// Calls a public function (`Type::function`, or `function`) with arguments that make no sense, and checks the answer.
    pub fn row(&mut self, function: &'static str, misuse: impl FnOnce()) {
        self.called.insert(function);
        // Some rows make thousands of calls; none takes more than a second.
        if catch_unwind(AssertUnwindSafe(|| within_a_minute(function, misuse))).is_err() {
            self.failed.push(function);
        }
    }
}

#[test]
fn every_public_call_survives_every_senseless_argument() {
    let mut table = Table::default();
    assets::rows(&mut table);
    blends::rows(&mut table);
    characters::rows(&mut table);
    clips::rows(&mut table);
    compressed::rows(&mut table);
    #[cfg(feature = "ecs")]
    ecs::rows(&mut table);
    limbs::rows(&mut table);
    avatars::rows(&mut table);
    machines::rows(&mut table);
    mixers::rows(&mut table);
    players::rows(&mut table);
    poses::rows(&mut table);
    procedural::rows(&mut table);
    rigs::rows(&mut table);
    skinning::rows(&mut table);
    states::rows(&mut table);
    troupes::rows(&mut table);
    whys::rows(&mut table);
    assert!(table.failed.is_empty(), "the panics above come from: {}", table.failed.join(", "));
    // Without features there are fewer functions than in the source.
    #[cfg(all(feature = "ecs", feature = "documents"))]
    coverage::check(&table.called);
}
