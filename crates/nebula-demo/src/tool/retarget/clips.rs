//! The clips of one file for the character of another, and what is lost.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use nebula_animation::retarget::{RetargetOptions, Unpaired, WhyUnpaired};
use nebula_animation::rig::avatar::{Avatar, EyeGazeKind};
use nebula_animation::{AnimationClip, Asset, Retarget, Rig};

/// The way of clips from one character to another: joints, morph weights, expressions and gazes.
pub struct Transfer<'a> {
    source: &'a Asset,
    target: &'a Asset,
    rigs: [Arc<Rig>; 2],
    /// `None` where both are the same body.
    pub retarget: Option<Retarget>,
}

impl<'a> Transfer<'a> {
    /// Between the characters of two files.
    pub fn new(files: [&Path; 2], [source, target]: [&'a Asset; 2], options: RetargetOptions) -> Result<Self, String> {
        let rigs = [source.rig(), target.rig()];
        let is_same = rigs[0].skeleton() == rigs[1].skeleton() && source.morphs == target.morphs;
        let retarget = match is_same {
            true => None,
            false => Some(
                Retarget::with_options(&rigs[0], &rigs[1], options)
                    .map_err(|error| format!("{} to {}: {error}", files[0].display(), files[1].display()))?,
            ),
        };
        Ok(Self { source, target, rigs, retarget })
    }

    /// A clip of the source for the target.
    pub fn clip(&self, clip: &AnimationClip) -> AnimationClip {
        let mut made = self.retarget.as_ref().map_or_else(|| clip.clone(), |retarget| retarget.clip(clip));
        // A VRM animation moves faces by the names of expressions, and eyes by where they look.
        if let (Some(from), Some(to)) = (&self.source.avatar, &self.target.avatar) {
            to.add_expression_tracks(from, clip, &self.target.morphs, &mut made);
            to.add_gaze_tracks(from, clip, &self.rigs[1], &mut made);
        }
        made
    }

    /// Joints, morph targets, expressions and gazes that the target does not take over from these clips, and joints of its own that stay at rest.
    pub fn notes(&self, clips: &[&AnimationClip]) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(retarget) = &self.retarget {
            let report = retarget.report();
            // What no clip moves is nothing that is lost.
            let moved: BTreeSet<u16> = clips.iter().flat_map(|clip| joints(clip)).collect();
            let faces = self.face_joints();
            let lost = report.missing_in_target.iter();
            let lost: Vec<Unpaired> =
                lost.copied().filter(|it| moved.contains(&it.joint) && !faces.contains(&it.joint)).collect();
            notes.extend(self.listed(0, &lost, "without a counterpart in the character, and left out"));
            notes.extend(self.listed(
                1,
                &report.missing_in_source,
                "of the character without a counterpart, and at rest",
            ));
            let lacking: Vec<&str> = report.missing_morphs.iter().map(String::as_str).collect();
            notes.extend(line(&lacking, "morph targets that the character lacks"));
        }
        if let Some(from) = &self.source.avatar {
            notes.extend(self.lost_faces(from, clips));
        }
        notes
    }

    /// Joints of VRM animations that stand for expressions and gazes.
    fn face_joints(&self) -> BTreeSet<u16> {
        let from = self.source.avatar.as_ref();
        let faces = from
            .into_iter()
            .flat_map(|from| from.expression_joints.iter().map(|(_, joint)| *joint).chain(from.gaze_joint));
        faces.collect()
    }

    fn lost_faces(&self, from: &Avatar, clips: &[&AnimationClip]) -> Vec<String> {
        let mut notes = Vec::new();
        let to = self.target.avatar.as_ref();
        let moves = |joint: u16| clips.iter().any(|clip| joints(clip).any(|moved| moved == joint));
        let has = |name: &str| to.is_some_and(|to| to.expression(name).is_ok());
        let lost = from.expression_joints.iter().filter(|(name, joint)| moves(*joint) && !has(name));
        let lost: Vec<&str> = lost.map(|(name, _)| name.as_str()).collect();
        notes.extend(line(&lost, "expressions that the character lacks"));
        if from.gaze_joint.is_some_and(moves) {
            let looks = to.and_then(|to| to.gaze).is_some_and(|gaze| match gaze.kind {
                EyeGazeKind::Joints => gaze.eyes.iter().any(Option::is_some),
                EyeGazeKind::Expressions => ["lookLeft", "lookRight", "lookUp", "lookDown"].into_iter().any(has),
            });
            if !looks {
                notes.push("where the eyes look is left out: the character has none that VRM knows of".into());
            }
        }
        notes
    }

    fn listed(&self, body: usize, joints: &[Unpaired], what: &str) -> Option<String> {
        let name = |joint: u16| self.rigs[body].joints.get(usize::from(joint)).map_or("?", |joint| joint.name.as_str());
        let alone = joints.iter().filter(|joint| joint.why != WhyUnpaired::SharesTwist);
        let names: Vec<&str> = alone.map(|joint| name(joint.joint)).collect();
        line(&names, &format!("joints {what}"))
    }
}

/// The joints that a clip moves.
fn joints(clip: &AnimationClip) -> impl Iterator<Item = u16> {
    let places = clip.translation_channels.iter().map(|channel| channel.joint_index);
    let turns = clip.rotation_channels.iter().map(|channel| channel.joint_index);
    places.chain(turns).chain(clip.scale_channels.iter().map(|channel| channel.joint_index))
}

/// So many of something, and the first names.
fn line(names: &[&str], what: &str) -> Option<String> {
    const SHOWN: usize = 8;
    if names.is_empty() {
        return None;
    }
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("{name:?}")).collect();
    let more = if names.len() > SHOWN { format!(" and {} more", names.len() - SHOWN) } else { String::new() };
    Some(format!("{} {what}: {}{more}", names.len(), shown.join(", ")))
}
