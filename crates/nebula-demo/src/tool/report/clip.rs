//! The facts about each clip.

use std::sync::Arc;

use glam::Vec3;
use nebula_animation::compile::ContactTrack;
use nebula_animation::{AnimationClip, AnimationClipLibrary, Asset, Rig};
use serde_json::json;

use super::facts::ClipFacts;
use super::run::{HZ, Run, Scene};
use super::soles::Soles;
use super::trial::{Own, SETTLED};
use crate::tool::spot::{Ends, hips, leg_length, on_the_spot};

/// Joints and vertices of feet that are looked at in all: a thousand clips of a thousand joints would take hours.
const MOST_WORK: f64 = 4e9;
/// Seconds of a clip that are looked at: longer ones are scenes, and no clip that anybody loops.
const LONGEST: f32 = 60.0;
/// What is no walk: slower than this, in lengths of a leg per second.
const SLOWEST: f32 = 0.25;

/// All clips, in the order of the file.
pub fn all(asset: &Arc<Asset>, rig: &Arc<Rig>, soles: &Soles) -> Result<Vec<ClipFacts>, String> {
    let mut left = MOST_WORK;
    let each = asset.animations.iter().enumerate();
    each.map(|(index, animation)| one(asset, rig, soles, index, &animation.to_clip(), &mut left)).collect()
}

fn one(
    asset: &Arc<Asset>,
    rig: &Arc<Rig>,
    soles: &Soles,
    index: usize,
    clip: &AnimationClip,
    left: &mut f64,
) -> Result<ClipFacts, String> {
    let ends = Ends::of(rig, clip);
    let hips = hips(rig);
    let legs = rig.feet().map_or(&[][..], |feet| feet.legs());
    let (size, way) = (leg_length(rig), ends.way(rig));
    let mut facts = ClipFacts {
        index,
        name: clip.name.clone(),
        seconds: clip.duration,
        speed: None,
        way: None,
        stride: None,
        travels: way.length(),
        seam: ends.seam(rig, hips, way),
        contacts: Vec::new(),
        slide_mm: None,
        depth_mm: None,
        float_mm: None,
        knee_speed: None,
        pelvis_acceleration: None,
        grounds: Vec::new(),
        not_measured: None,
    };
    if legs.is_empty() {
        facts.not_measured = soles.why_not.clone();
        return Ok(facts);
    }
    let library = AnimationClipLibrary::new(rig, &[on_the_spot(rig, clip, way)]);
    let Some(compiled) = library.iter().next() else { return Ok(facts) };
    let velocity = compiled.velocity().with_y(0.0);
    let speed = velocity.length();
    facts.speed = Some(speed);
    let contacts = compiled.contacts();
    let spans = |leg: usize| contacts.map_or(&[][..], |contacts| contacts.spans(leg));
    let finite = |span: &[f32; 2]| span.map(|time| time.min(clip.duration));
    facts.contacts = (0..legs.len()).map(|leg| spans(leg).iter().map(finite).collect()).collect();
    let steps = (0..legs.len()).map(|leg| spans(leg).len()).min().unwrap_or(0);
    // Whoever ends a leg's length from where it began, as when sitting down, does not go on with the first pose.
    let is_cycle = 1e-3 * facts.seam.mm < size && contacts.is_some_and(|contacts| alternates(contacts, clip.duration));
    let is_gait = is_cycle && speed > SLOWEST * size;
    if is_gait {
        facts.way = Some(named(velocity, rig.front().unwrap_or(Vec3::Z)));
        facts.stride = (steps > 0).then(|| speed * clip.duration / steps as f32);
    }
    facts.not_measured = soles.why_not.clone();
    let points = rig.joint_count() + soles.feet.iter().map(|foot| foot.len()).sum::<usize>();
    // As many frames as twelve passes of six seconds.
    *left -= points as f64 * f64::from(HZ) * f64::from(if is_gait { 72.0 } else { clip.duration.min(LONGEST) });
    if *left < 0.0 {
        facts.not_measured = Some("the file is too large to measure all of its clips".into());
    }
    if facts.not_measured.is_some() {
        return Ok(facts);
    }
    if is_gait {
        let seconds = (1.0 + 2.5 * clip.duration).clamp(6.0, 20.0);
        let own = Own::of(asset, &library, soles, seconds)?;
        facts.slide_mm = own.run.slide(&own.stances);
        measure(&mut facts, &own.run, SETTLED);
        facts.grounds = own.trials(asset, &library, soles)?;
    } else {
        // One pass; its last frame would be the first one again.
        let seconds = (clip.duration.min(LONGEST) - 0.5 / HZ).max(0.0);
        let scene = Scene { seconds, ground: json!({"kind": "flat"}), has_feet: false };
        let run = Run::of(asset, &library, soles, &scene)?;
        facts.slide_mm = run.slide(&run.stances(0, true));
        measure(&mut facts, &run, 0);
    }
    Ok(facts)
}

fn measure(facts: &mut ClipFacts, run: &Run, from: usize) {
    let (mut depth, mut float) = (0.0_f32, 0.0_f32);
    for (index, frame) in run.frames.iter().enumerate().skip(from) {
        for (leg, foot) in frame.feet.iter().enumerate() {
            depth = depth.max(-foot.low);
            if run.stands(leg, index) {
                float = float.max(foot.low);
            }
        }
    }
    (facts.depth_mm, facts.float_mm) = (Some(1e3 * depth), Some(1e3 * float));
    (facts.knee_speed, facts.pelvis_acceleration) = (Some(run.knee_speed(from)), Some(run.pelvis_acceleration(from)));
}

/// Whether each foot has a moment in which it stands alone: jumps, falls and whoever sits down have none.
fn alternates(contacts: &ContactTrack, duration: f32) -> bool {
    const MOMENTS: u8 = 120;
    let mut alone = [false; 2];
    for moment in 0..MOMENTS {
        let time = duration * f32::from(moment) / f32::from(MOMENTS);
        match [0, 1].map(|leg| contacts.is_planted(leg, time)) {
            [true, false] => alone[0] = true,
            [false, true] => alone[1] = true,
            _ => {}
        }
    }
    duration > 0.0 && alone == [true; 2]
}

/// A direction over the ground in words.
fn named(way: Vec3, front: Vec3) -> &'static str {
    let (ahead, left) = (way.dot(front), way.dot(Vec3::Y.cross(front)));
    match (ahead.abs() >= left.abs(), ahead > 0.0, left > 0.0) {
        (true, true, _) => "ahead",
        (true, false, _) => "back",
        (false, _, true) => "left",
        (false, _, false) => "right",
    }
}
