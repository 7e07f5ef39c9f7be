//! Problems, in plain words.

use super::facts::{ClipFacts, Facts, Trial};
use crate::tool::inspect::text::printable;

/// Figures up to these are good. Slides, sinks and floats are in millimetres, knees and pelvis in multiples of the clip's own.
pub const SLIDE: f32 = 10.0;
pub const USUAL_SLIDE: f32 = 2.0;
pub const SINK: f32 = 10.0;
pub const FLOAT: f32 = 15.0;
pub const KNEE: f32 = 1.5;
pub const PELVIS: f32 = 3.0;
/// What nobody sees of a loop.
const SEAM_DEGREES: f32 = 3.0;
const SEAM_MM: f32 = 10.0;

pub fn of(facts: &Facts) -> Vec<String> {
    let mut problems = Vec::new();
    if facts.facing.direction.is_none() {
        problems.push("facing: cannot tell which way it faces; +Z is assumed".into());
    }
    if facts.facing.direction.is_some_and(|[_, up, _]| up.abs() > 0.5) {
        problems
            .push("facing: the front found in the rest pose is not level: the joints do not stand like a human".into());
    }
    if let Some(why) = &facts.humanoid.why_not {
        problems.push(format!("humanoid: {why}"));
    }
    if facts.humanoid.is_human && facts.unit.seems != "metres" {
        let height = facts.unit.height.unwrap_or_default();
        problems.push(format!("unit: {height:.3} units tall; the file seems to be in {}", facts.unit.seems));
    }
    if facts.clips.is_empty() {
        problems.push("clips: there are none, so there is no motion to measure".into());
    } else if let Some(why) = &facts.soles.why_not {
        problems.push(format!("soles: {why}, so slides and depths cannot be measured"));
    }
    for clip in &facts.clips {
        of_clip(clip, facts, &mut problems);
    }
    problems
}

fn of_clip(clip: &ClipFacts, facts: &Facts, problems: &mut Vec<String>) {
    let name = printable(&clip.name);
    let mut say = |what: String| problems.push(format!("{name}: {what}"));
    if clip.not_measured.is_some() && clip.not_measured != facts.soles.why_not {
        say(clip.not_measured.clone().unwrap_or_default());
    }
    let lower = clip.name.to_lowercase();
    let is_loop = clip.stride.is_some() || ["idle", "loop"].iter().any(|word| lower.contains(word));
    let at = |joint: &Option<String>| joint.as_deref().map(printable).unwrap_or_default();
    if is_loop && clip.seam.degrees > SEAM_DEGREES {
        say(format!("the loop jumps by {:.0} degrees at {}", clip.seam.degrees, at(&clip.seam.degrees_at)));
    }
    if is_loop && clip.seam.mm > SEAM_MM {
        say(format!("the loop jumps by {:.0} mm at {}", clip.seam.mm, at(&clip.seam.mm_at)));
    }
    // Whoever stands and moves neither walks nor is out of balance: only walks and loops are judged.
    if let Some(slide) = clip.slide_mm.filter(|slide| is_loop && slide.largest > SLIDE) {
        say(format!("feet that stand slide by up to {:.0} mm", slide.largest));
    }
    if let Some(depth) = clip.depth_mm.filter(|depth| is_loop && *depth > SINK) {
        say(format!("soles come {depth:.0} mm below the ground"));
    }
    if let Some(float) = clip.float_mm.filter(|float| is_loop && *float > FLOAT) {
        say(format!("feet that stand float by up to {float:.0} mm"));
    }
    let faults = faults(&clip.grounds);
    if !faults.is_empty() {
        say(format!("with foot placement, {}", faults.join(", ")));
    }
}

/// The worst of each kind, with its ground.
fn faults(trials: &[Trial]) -> Vec<String> {
    let worst = |value: &dyn Fn(&Trial) -> f32, limit: f32| {
        let each = trials.iter().map(|trial| (value(trial), trial.name));
        each.filter(|(value, _)| *value > limit).max_by(|a, b| a.0.total_cmp(&b.0))
    };
    let slide = |trial: &Trial| trial.slide_mm.map_or(0.0, |slide| slide.largest);
    let usual_slide = |trial: &Trial| trial.slide_mm.map_or(0.0, |slide| slide.median);
    let mut faults = Vec::new();
    if let Some((value, ground)) = worst(&slide, SLIDE) {
        faults.push(format!("feet slide by up to {value:.0} mm ({ground})"));
    } else if let Some((value, ground)) = worst(&usual_slide, USUAL_SLIDE) {
        faults.push(format!("feet usually slide by {value:.1} mm ({ground})"));
    }
    if let Some((value, ground)) = worst(&|trial| trial.sink_mm, SINK) {
        faults.push(format!("soles sink by {value:.0} mm ({ground})"));
    }
    if let Some((value, ground)) = worst(&|trial| trial.float_mm, FLOAT) {
        faults.push(format!("soles float by {value:.0} mm ({ground})"));
    }
    if let Some((value, ground)) = worst(&|trial| trial.knee, KNEE) {
        faults.push(format!("knees move {value:.1} times as fast as in the clip ({ground})"));
    }
    if let Some((value, ground)) = worst(&|trial| trial.pelvis, PELVIS) {
        faults.push(format!("the pelvis jerks {value:.1} times as hard as in the clip ({ground})"));
    }
    faults
}
