//! stub, replaced by the real one
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MorphLayout;
impl MorphLayout {
    pub fn of_clips(_: &[super::AnimationClip]) -> Self { Self }
    pub fn slot_count(&self) -> usize { 0 }
    pub fn defaults(&self) -> Vec<f32> { Vec::new() }
}
