use std::sync::Arc;

use nebula_animation::{
    AnimationClip, AnimationClipLibrary, ClipId, LibraryOptions, Rig, Skeleton,
    compile::{CompiledClip, UnknownClip},
};

use crate::bench::rig::{self, Keys};

/// The character of the benchmarks, as authored and as compiled.
pub struct Scene {
    pub skeleton: Skeleton,
    pub rig: Arc<Rig>,
    /// All of the motions, for local poses and for palettes.
    pub library: AnimationClipLibrary,
    pub walk: Motion,
    pub jog: Motion,
}

/// A clip as it was authored, and where it is in the library.
pub struct Motion {
    pub authored: AnimationClip,
    pub id: ClipId,
}

/// Size and exactness of what is played.
#[derive(Debug, Clone, Copy, Default)]
pub struct ClipFacts {
    /// Bytes as compiled for palettes.
    pub bytes: usize,
    /// Bytes of the keys as flat floats.
    pub authored_bytes: usize,
    /// The largest error of a local pose, as [`CompiledClip::worst_error`] has it.
    pub worst_error: f32,
}

impl Scene {
    pub fn new(keys: Keys) -> Result<Self, UnknownClip> {
        let skeleton = rig::skeleton();
        let rig = Rig::new(&skeleton);
        let clips = [rig::walk(&skeleton, keys), rig::jog(&skeleton, keys)];
        let options = LibraryOptions { for_palettes: true, ..LibraryOptions::default() };
        let library = AnimationClipLibrary::with_options(&rig, &clips, options);
        let [walk, jog] = clips.map(|authored| Ok(Motion { id: library.find(&authored.name)?, authored }));
        Ok(Self { walk: walk?, jog: jog?, skeleton, rig, library })
    }

    pub fn joint_count(&self) -> usize {
        self.skeleton.joints.len()
    }

    /// A clip as it is compiled for local poses.
    pub fn local(&self, motion: &Motion) -> &CompiledClip {
        &self.library[motion.id.index()]
    }

    /// A clip as it is compiled for palettes.
    pub fn bound(&self, motion: &Motion) -> &CompiledClip {
        self.library[motion.id.index()].for_palettes()
    }

    /// The facts of some clips of this scene, in all.
    pub fn facts(&self, motions: &[&Motion]) -> ClipFacts {
        /// About 20 in each interval between keys.
        const TIMES: u16 = 1_000;
        motions.iter().fold(ClipFacts::default(), |all, motion| {
            let (clip, report) = (self.bound(motion), self.bound(motion).report());
            let error = clip.worst_error(&self.skeleton, &self.rig, &motion.authored, TIMES);
            ClipFacts {
                bytes: all.bytes + report.bytes,
                authored_bytes: all.authored_bytes + report.authored_bytes,
                worst_error: all.worst_error.max(error),
            }
        })
    }
}
