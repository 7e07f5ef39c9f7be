//! The facts as text.

use std::fmt::Write;

use super::facts::{ClipFacts, Facts, Slide, Trial};
use super::problems::{FLOAT, KNEE, PELVIS, SINK, SLIDE, USUAL_SLIDE};
use crate::tool::inspect::text::printable;

/// The whole page.
pub fn page(facts: &Facts) -> String {
    let mut page = format!("{}\n\n", printable(&facts.file));
    head(&mut page, facts);
    if !facts.clips.is_empty() {
        clips(&mut page, facts);
    }
    for clip in facts.clips.iter().filter(|clip| !clip.grounds.is_empty()) {
        grounds(&mut page, clip);
    }
    let _ = writeln!(page, "\nproblems: {}", facts.problems.len());
    for problem in &facts.problems {
        let _ = writeln!(page, "  {problem}");
    }
    page
}

fn head(page: &mut String, facts: &Facts) {
    let faces = facts.facing.axis.as_deref().unwrap_or("unknown");
    let _ = writeln!(page, "faces     {faces}");
    let unit = &facts.unit;
    let height = unit.height.map_or("unknown".into(), |height| format!("{height:.2} m"));
    let _ = writeln!(page, "height    {height}, {}", unit.measured);
    let scale = unit.joint_scale.filter(|scale| (scale - 1.0).abs() > 1e-3);
    let scale = scale.map(|scale| format!("; the hips have a scale of {scale:.4}")).unwrap_or_default();
    let _ = writeln!(page, "unit      {}{scale}", unit.seems);
    let humanoid = &facts.humanoid;
    let sure = format!("{} joints of a human, {:.0} % sure", humanoid.joints.len(), 100.0 * humanoid.certainty);
    let _ = writeln!(page, "humanoid  {}", if humanoid.is_human { sure } else { "no".into() });
    match &facts.soles.why_not {
        Some(why) => {
            let _ = writeln!(page, "soles     not known: {why}");
        }
        None => {
            let counts: Vec<String> = facts.soles.vertices.iter().map(ToString::to_string).collect();
            let _ = writeln!(page, "soles     {} vertices", counts.join(" and "));
        }
    }
    if humanoid.joints.is_empty() {
        return;
    }
    let width = humanoid.joints.iter().map(|joint| joint.what.len()).max().unwrap_or(0);
    let names: Vec<String> = humanoid.joints.iter().map(|joint| printable(&joint.joint)).collect();
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(40);
    let _ = writeln!(page, "\njoints");
    for (joint, name) in humanoid.joints.iter().zip(&names) {
        let _ = writeln!(page, "  {:width$}  {name:longest$}  {}", joint.what, joint.evidence);
    }
}

fn clips(page: &mut String, facts: &Facts) {
    let names: Vec<String> = facts.clips.iter().map(|clip| printable(&clip.name)).collect();
    let width = width(names.iter().map(String::as_str).chain(["clips"]));
    let _ = writeln!(
        page,
        "\n{:width$}        length  speed  stride  travels   loop seam     slide   depth  float\n{:width$}             s    m/s       m        m    deg     mm      mm      mm     mm",
        "clips", ""
    );
    for (clip, name) in facts.clips.iter().zip(&names) {
        let number = |value: Option<f32>, digits: usize| value.map_or("-".into(), |value| format!("{value:.digits$}"));
        let travels = (clip.travels > 0.0).then_some(clip.travels);
        let _ = writeln!(
            page,
            "{name:width$}  {:5} {:>6.2} {:>6} {:>7} {:>8} {:>6.1} {:>6.0} {:>7} {:>7} {:>6}",
            clip.way.unwrap_or(""),
            clip.seconds,
            number(clip.speed, 2),
            number(clip.stride, 2),
            number(travels, 2),
            clip.seam.degrees,
            clip.seam.mm,
            number(clip.slide_mm.map(|slide| slide.largest), 1),
            number(clip.depth_mm, 1),
            number(clip.float_mm, 1),
        );
    }
    let told = facts.clips.iter().zip(&names).filter(|(clip, _)| clip.contacts.iter().any(|leg| !leg.is_empty()));
    let mut lines = told.map(|(clip, name)| format!("  {name:width$}  {}", contacts(clip))).peekable();
    if lines.peek().is_some() {
        let _ = writeln!(page, "\nwhen feet stand, in seconds");
        for line in lines {
            let _ = writeln!(page, "{line}");
        }
    }
}

fn contacts(clip: &ClipFacts) -> String {
    let foot = |spans: &Vec<[f32; 2]>| {
        let spans: Vec<String> = spans.iter().map(|[from, to]| format!("{from:.2}-{to:.2}")).collect();
        if spans.is_empty() { "never".into() } else { spans.join(" ") }
    };
    // Of an animal those in front first, the left one of each pair before the right one.
    let count = clip.contacts.len();
    let name = |leg: usize| match (count, leg) {
        (1 | 2, _) => ["left", "right"][leg % 2].to_owned(),
        (4, _) => ["left fore", "right fore", "left hind", "right hind"][leg].to_owned(),
        _ => format!("{} {}", ["left", "right"][leg % 2], leg / 2 + 1),
    };
    let sides = (0..count).map(name).zip(&clip.contacts);
    sides.map(|(side, spans)| format!("{side} {}", foot(spans))).collect::<Vec<_>>().join(", ")
}

fn grounds(page: &mut String, clip: &ClipFacts) {
    let width = width(clip.grounds.iter().map(|trial| trial.name));
    let _ = writeln!(page, "\n{} with foot placement; ! is too much", printable(&clip.name));
    let _ = writeln!(
        page,
        "  {:width$}     slide per stance      sink     float      knee    pelvis\n  {:width$}   median  largest mm        mm        mm   x clip's  x clip's",
        "ground", ""
    );
    for trial in &clip.grounds {
        let _ = writeln!(page, "  {:width$}  {}", trial.name, row(trial));
    }
}

fn row(trial: &Trial) -> String {
    let marked =
        |value: f32, limit: f32, digits: usize| format!("{value:.digits$}{}", if value > limit { '!' } else { ' ' });
    let slide = |of: fn(Slide) -> f32, limit: f32| trial.slide_mm.map_or("- ".into(), |it| marked(of(it), limit, 1));
    format!(
        "{:>8} {:>11} {:>9} {:>9} {:>9} {:>9}",
        slide(|slide| slide.median, USUAL_SLIDE),
        slide(|slide| slide.largest, SLIDE),
        marked(trial.sink_mm, SINK, 0),
        marked(trial.float_mm, FLOAT, 0),
        marked(trial.knee, KNEE, 2),
        marked(trial.pelvis, PELVIS, 2)
    )
}

/// The width of a column of names; longer ones push their line aside.
fn width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(|name| name.chars().count()).max().unwrap_or(0).min(32)
}
