use nebula_animation::{AnimationClip, Rig, Skeleton, compile::CompiledClip};

use crate::bench::rig::{self, Keys};

/// The character of the benchmarks, as authored and as compiled.
pub struct Scene {
    pub skeleton: Skeleton,
    pub rig: Rig,
    pub walk: Motion,
    pub jog: Motion,
}

/// A clip in its three forms.
pub struct Motion {
    pub authored: AnimationClip,
    /// For local poses.
    pub local: CompiledClip,
    /// For palettes.
    pub bound: CompiledClip,
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
    pub fn new(keys: Keys) -> Self {
        let skeleton = rig::skeleton();
        let rig = Rig::new(&skeleton);
        let walk = Motion::new(&rig, rig::walk(&skeleton, keys));
        let jog = Motion::new(&rig, rig::jog(&skeleton, keys));
        Self { skeleton, rig, walk, jog }
    }

    pub fn joint_count(&self) -> usize {
        self.skeleton.joints.len()
    }

    /// The facts of a clip of this scene.
    pub fn facts(&self, motion: &Motion) -> ClipFacts {
        /// About 20 in each interval between keys.
        const TIMES: u16 = 1_000;
        let report = motion.bound.report();
        ClipFacts {
            bytes: report.bytes,
            authored_bytes: report.authored_bytes,
            worst_error: motion.bound.worst_error(&self.skeleton, &self.rig, &motion.authored, TIMES),
        }
    }
}

impl Motion {
    fn new(rig: &Rig, authored: AnimationClip) -> Self {
        let local = CompiledClip::new(rig, &authored);
        let bound = CompiledClip::for_palettes(rig, &authored);
        Self { authored, local, bound }
    }
}
