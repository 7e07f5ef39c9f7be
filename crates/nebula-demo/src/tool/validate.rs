//! `validate`: checks whether a file is valid.

use std::path::Path;
use std::process::ExitCode;

use nebula_animation::Asset;
use nebula_animation::asset::{LoadOptions, MeshSelection, Strictness};
use nebula_import::Opened;

use super::{PosedAsset, open, print};

/// How many times each clip is looked at.
const TIMES: u16 = 16;

/// Joints that are looked at in all: a hundred thousand clips of sixty thousand joints would take hours.
const MOST_JOINTS: usize = 30_000_000;

/// Prints one line that begins with `OK`, `WARN` or `ERROR`.
pub fn run(file: &Path, is_strict: bool) -> Result<ExitCode, String> {
    let strictness = if is_strict { Strictness::Strict } else { Strictness::Lenient };
    let options = LoadOptions { strictness, meshes: MeshSelection::All, ..LoadOptions::default() };
    let name = file.display();
    let checked = open(file, options).and_then(|opened| {
        check_poses(&opened.asset).map_err(|problem| format!("{name}: {problem}"))?;
        Ok(opened)
    });
    let (line, code) = match checked {
        Ok(opened) => (verdict(&opened, file), ExitCode::SUCCESS),
        Err(problem) => (format!("ERROR {problem}"), ExitCode::FAILURE),
    };
    print(&format!("{}\n", line.replace('\n', " ")))?;
    Ok(code)
}

fn verdict(opened: &Opened, file: &Path) -> String {
    let (name, asset) = (file.display(), &opened.asset);
    let summary = format!(
        "{} joints, {} skins, {} clips, {} meshes",
        asset.skeleton.joints.len(),
        asset.skins.len(),
        asset.animations.len(),
        asset.meshes.len()
    );
    // How a recording was read is nothing that is wrong with it.
    let is_recording = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bvh"));
    let notes = opened.notes.iter().filter(|_| !is_recording).cloned();
    let warnings: Vec<String> = asset.warnings.iter().map(ToString::to_string).chain(notes).collect();
    match warnings.as_slice() {
        [] => format!("OK {name}: {summary}"),
        [only] => format!("WARN {name}: {summary}; {only}"),
        [first, others @ ..] => format!("WARN {name}: {summary}; {first} (and {} more warnings)", others.len()),
    }
}

/// Samples every clip and checks that every number that reaches the GPU is finite.
fn check_poses(asset: &Asset) -> Result<(), String> {
    let mut posed = PosedAsset::new(asset);
    check_palette(&posed).map_err(|problem| format!("bind pose: {problem}"))?;
    let joints = asset.skeleton.joints.len() * asset.animations.len();
    let times = u16::try_from(MOST_JOINTS / joints.max(1)).unwrap_or(u16::MAX).clamp(1, TIMES);
    for (index, animation) in asset.animations.iter().take(MOST_JOINTS / asset.skeleton.joints.len().max(1)).enumerate()
    {
        for step in 0..times {
            let time = animation.duration * (f32::from(step) / f32::from(times.max(2) - 1));
            let at = |problem| format!("animation {index} at {time} s: {problem}");
            posed.sample(index, time);
            check_palette(&posed).map_err(at)?;
            for track in &animation.morph_tracks {
                let mut weights = vec![0.0; track.target_count];
                track.sample(time, &mut weights);
                if !weights.iter().all(|weight| weight.is_finite()) {
                    return Err(at(format!("morph weights of mesh {} are not finite", track.mesh)));
                }
            }
        }
    }
    Ok(())
}

fn check_palette(posed: &PosedAsset) -> Result<(), String> {
    let is_finite = |joint: &usize| posed.models[*joint].is_finite() && posed.palette[*joint].is_finite();
    match (0..posed.palette.len()).find(|joint| !is_finite(joint)) {
        Some(joint) => Err(format!("the matrix of joint {joint} is not finite")),
        None => Ok(()),
    }
}
