use std::sync::Arc;

use nebula_animation::{
    AnimationClip, AnimationClipLibrary, ClipId, Compression, LibraryOptions, Rig, Skeleton,
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
    form: Form,
}

/// How clips are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Every key as it is.
    Exact,
    /// With an error of a tenth of a millimetre.
    Compressed,
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
    pub fn new(keys: Keys, form: Form) -> Result<Self, UnknownClip> {
        let skeleton = rig::skeleton();
        let rig = Rig::new(&skeleton);
        let clips = [rig::walk(&skeleton, keys), rig::jog(&skeleton, keys)];
        let compression = (form == Form::Compressed).then(Compression::default);
        let options = LibraryOptions { for_palettes: true, compression, ..LibraryOptions::default() };
        let library = AnimationClipLibrary::with_options(&rig, &clips, options);
        let [walk, jog] = clips.map(|authored| Ok(Motion { id: library.find(&authored.name)?, authored }));
        Ok(Self { walk: walk?, jog: jog?, skeleton, rig, library, form })
    }

    pub fn joint_count(&self) -> usize {
        self.skeleton.joints.len()
    }

    /// How far matrices may be from those of the plain path. The bound of compressed clips is one on points near their joints, whose
    /// turns move the model's origin, of which matrices tell, more than these.
    pub fn allowed_difference(&self) -> f32 {
        if self.form == Form::Compressed { 1e-2 } else { 1e-4 }
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
            // A compressed clip does not know of what it was made.
            let authored = CompiledClip::new(&self.rig, &motion.authored).report().authored_bytes;
            ClipFacts {
                bytes: all.bytes + report.bytes,
                authored_bytes: all.authored_bytes + authored,
                worst_error: all.worst_error.max(error),
            }
        })
    }
}
