use std::collections::HashSet;

use super::entry::ClipEntry;
use super::{AnimationClip, Channel};

impl ClipEntry {
    /// The animations of this entry as one clip, to be played by [`Clock::from`](crate::Clock) of the entry.
    ///
    /// `animations` are all clips of the file, in order; indices beyond it are ignored. If two animations move the same
    /// property of the same joint, the later one wins. The clip is as long as the longest animation.
    ///
    /// ```
    /// use nebula_animation::{AnimationClip, AnimationPlayer, Clock, clip::ClipEntry};
    ///
    /// let clips = [AnimationClip { duration: 2.0, ..Default::default() }, AnimationClip::default()];
    /// let entry = ClipEntry { name: "wave".into(), animations: vec![0, 1], end: Some(1.0), ..Default::default() };
    /// let merged = entry.merged_clip(&clips);
    ///
    /// let mut player = AnimationPlayer::new(0, merged.duration, 3);
    /// player.play_by(0, Clock::from(&entry));
    /// ```
    #[must_use]
    pub fn merged_clip(&self, animations: &[AnimationClip]) -> AnimationClip {
        let parts = || self.animations.iter().filter_map(|&index| animations.get(index));
        AnimationClip {
            name: self.name.clone(),
            duration: parts().map(|clip| clip.duration).fold(0.0, f32::max),
            translation_channels: last_of_each_joint(parts().map(|clip| &clip.translation_channels)),
            rotation_channels: last_of_each_joint(parts().map(|clip| &clip.rotation_channels)),
            scale_channels: last_of_each_joint(parts().map(|clip| &clip.scale_channels)),
        }
    }
}

/// The channels of one property, without those that a later one replaces.
fn last_of_each_joint<'a, T: Clone + 'a>(parts: impl Iterator<Item = &'a Vec<Channel<T>>>) -> Vec<Channel<T>> {
    let mut channels: Vec<_> = parts.flatten().filter(|channel| !channel.keyframes.is_empty()).collect();
    channels.reverse();
    let mut joints = HashSet::new();
    channels.retain(|channel| joints.insert(channel.joint_index));
    channels.into_iter().rev().cloned().collect()
}
