//! The paired joints as text.

use std::fmt::Write;

use glam::Vec3;
use nebula_animation::retarget::Unpaired;
use nebula_animation::{Retarget, Rig};

/// The pairs, and who has no partner and why.
pub fn text(retarget: &Retarget, rigs: [&Rig; 2]) -> String {
    let report = retarget.report();
    let name =
        |body: usize, joint: u16| rigs[body].joints.get(usize::from(joint)).map_or("?", |joint| joint.name.as_str());
    let width = report.pairs.iter().map(|pair| name(0, pair.source).chars().count()).max().unwrap_or(0).clamp(6, 40);
    let mut text = String::new();
    for (which, (rig, front)) in ["source", "target"].into_iter().zip(rigs.into_iter().zip(report.fronts)) {
        let map = rig.humanoid();
        let _ = writeln!(
            text,
            "{which}: {} joints, {} of a human's known, {:.0} % sure, faces {}",
            rig.joint_count(),
            map.iter().count(),
            100.0 * map.certainty(),
            front.map_or("an unknown way".into(), direction)
        );
    }
    let _ = writeln!(text, "legs of the target: {:.3} of the source's", report.proportion);
    let _ = writeln!(text, "paired: {}", report.pairs.len());
    for pair in &report.pairs {
        let _ = writeln!(text, "  {:width$}  {}  ({})", name(0, pair.source), name(1, pair.target), pair.by);
    }
    let mut alone = |which: &str, body: usize, list: &[Unpaired]| {
        let _ = writeln!(text, "only in the {which}: {}", list.len());
        for unpaired in list {
            let _ = writeln!(text, "  {:width$}  {}", name(body, unpaired.joint), unpaired.why);
        }
    };
    alone("source", 0, &report.missing_in_target);
    alone("target", 1, &report.missing_in_source);
    let mut morphs = |what: &str, names: &[String]| {
        if !names.is_empty() {
            let _ = writeln!(text, "{what}: {}\n  {}", names.len(), names.join(", "));
        }
    };
    morphs("morph targets of both", &report.morphs);
    morphs("morph targets of the source alone", &report.missing_morphs);
    text
}

/// A direction by the name of its axis, or as numbers.
pub(crate) fn direction(front: Vec3) -> String {
    let axes = [
        ("+X", Vec3::X),
        ("-X", Vec3::NEG_X),
        ("+Y", Vec3::Y),
        ("-Y", Vec3::NEG_Y),
        ("+Z", Vec3::Z),
        ("-Z", Vec3::NEG_Z),
    ];
    let along = axes.into_iter().find(|(_, axis)| axis.dot(front) > 0.999);
    along.map_or_else(|| format!("({:.2}, {:.2}, {:.2})", front.x, front.y, front.z), |(name, _)| name.into())
}
