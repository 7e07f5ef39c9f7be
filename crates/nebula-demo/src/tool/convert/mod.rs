//! `convert`: any motion to any character, as a `.glb` that holds everything itself.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use nebula_animation::asset::{LoadOptions, MeshSelection};
use nebula_animation::skeleton::HumanoidJoint;
use nebula_animation::{AnimationClip, Asset, Retarget, Rig};
use nebula_import::{OpenOptions, Opened, edit};

use super::print;

/// What is to be done.
#[derive(Debug)]
pub struct Options {
    /// The file with the character, or with the clips where another file has the character.
    pub input: PathBuf,
    /// The file to write.
    pub out: PathBuf,
    /// The character that gets the clips, where it is not the input itself.
    pub retarget_to: Option<PathBuf>,
    /// Files with more clips.
    pub clips: Vec<PathBuf>,
    /// Samples a second.
    pub rate: Option<f64>,
    /// Whether what stands still at both ends is left out.
    pub trims: bool,
    /// Whether ends are led to beginnings.
    pub loops: bool,
    /// Whether keys that straight lines do without are left out, and how far off they may be, in metres.
    pub error: Option<f32>,
    /// Metres per unit of BVH files.
    pub unit: Option<f32>,
}

/// Clips of one file.
struct Source {
    file: PathBuf,
    opened: Opened,
}

/// Metres per unit, told on the command line.
///
/// # Errors
/// What is no number of metres, or none that a character could have.
pub fn unit(text: &str) -> Result<f32, String> {
    let unit = text.parse::<f32>().ok().filter(|unit| (1e-6..=1e3).contains(unit));
    unit.ok_or_else(|| "expected metres, from 0.000001 to 1000".into())
}

/// Writes the file.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    let ending = options.out.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    if !ending.is_some_and(|ending| ["glb", "vrm", "vrma"].contains(&ending.as_str())) {
        return Err(format!("{}: what is written is a .glb, .vrm or .vrma file", options.out.display()));
    }
    let mut notes = Vec::new();
    let mut opened = |file: &Path| open(file, options, &mut notes);
    let input = Source { file: options.input.clone(), opened: opened(&options.input)? };
    let character = options.retarget_to.as_deref().map(&mut opened).transpose()?;
    let more: Vec<Source> = options
        .clips
        .iter()
        .map(|file| Ok(Source { file: file.clone(), opened: opened(file)? }))
        .collect::<Result<_, String>>()?;
    let (target, target_file) = match (&character, &options.retarget_to) {
        (Some(character), Some(file)) => (character, file),
        _ => (&input.opened, &options.input),
    };
    let rig = target.asset.rig();
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut clips: Vec<AnimationClip> = Vec::new();
    let is_edited = options.rate.is_some() || options.trims || options.loops || options.error.is_some();
    // The target's own clips stay as they are, unless all are to be changed.
    if character.is_none() && is_edited {
        clips.extend(target.clips());
    }
    names.extend(target.asset.animations.iter().map(|animation| animation.name.clone()));
    if character.is_some() && input.opened.asset.animations.is_empty() {
        return Err(format!("{}: has no clips", input.file.display()));
    }
    for source in character.as_ref().map(|_| &input).into_iter().chain(&more) {
        clips.extend(retargeted(source, &rig, target, target_file, &mut names, &mut notes)?);
    }
    let hips = rig.humanoid().get(HumanoidJoint::Hips);
    for clip in &mut clips {
        *clip = edited(clip, &target.asset, hips, options);
    }
    let mut document = target.document().map_err(|error| format!("{}: {error}", target_file.display()))?;
    notes.extend(document.add_clips(&clips).map_err(|error| error.to_string())?);
    let bytes = document.into_glb().map_err(|error| format!("{}: {error}", options.out.display()))?;
    let read = check(&bytes, &options.out)?;
    fs::write(&options.out, &bytes).map_err(|error| format!("{}: {error}", options.out.display()))?;
    let mut text = String::new();
    for note in notes {
        text.push_str(&format!("note: {note}\n"));
    }
    text.push_str(&format!(
        "{}: {} joints, {} meshes, {} clips, {} bytes\n",
        options.out.display(),
        read.skeleton.joints.len(),
        read.meshes.len(),
        read.animations.len(),
        bytes.len()
    ));
    print(&text)
}

fn open(file: &Path, options: &Options, notes: &mut Vec<String>) -> Result<Opened, String> {
    let how = OpenOptions { bvh_unit: options.unit, ..OpenOptions::default() };
    let opened = nebula_import::open_with(file, &how).map_err(|error| error.in_file(file))?;
    notes.extend(opened.notes.iter().map(|note| format!("{}: {note}", file.display())));
    Ok(opened)
}

/// The clips of a file for the target. A name that is taken already gets that of the file in front of it, and a number where that is taken too.
fn retargeted(
    source: &Source,
    rig: &Arc<Rig>,
    target: &Opened,
    target_file: &Path,
    names: &mut BTreeSet<String>,
    notes: &mut Vec<String>,
) -> Result<Vec<AnimationClip>, String> {
    if source.opened.asset.animations.is_empty() {
        notes.push(format!("{}: has no clips", source.file.display()));
        return Ok(Vec::new());
    }
    let own = source.opened.asset.rig();
    let is_same = own.skeleton() == rig.skeleton() && source.opened.asset.morphs == target.asset.morphs;
    let retarget = match is_same {
        true => None,
        false => Some(
            Retarget::new(&own, rig)
                .map_err(|error| format!("{} to {}: {error}", source.file.display(), target_file.display()))?,
        ),
    };
    let stem = source.file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut clips = Vec::new();
    for clip in source.opened.clips() {
        let mut made = retarget.as_ref().map_or_else(|| clip.clone(), |retarget| retarget.clip(&clip));
        // A VRM animation moves faces by the names of expressions, and eyes by where they look.
        if let (Some(from), Some(to)) = (&source.opened.asset.avatar, &target.asset.avatar) {
            to.add_expression_tracks(from, &clip, &target.asset.morphs, &mut made);
            to.add_gaze_tracks(from, &clip, rig, &mut made);
        }
        made.name = free_name(&made.name, &stem, names);
        clips.push(made);
    }
    Ok(clips)
}

/// The name, or where it is taken that with the file's in front of it, or else with a number behind it as well.
fn free_name(name: &str, stem: &str, names: &mut BTreeSet<String>) -> String {
    let longer = format!("{stem} {name}");
    let numbered = (2_u32..).map(|number| format!("{longer} {number}"));
    let mut all = [name.to_owned(), longer.clone()].into_iter().chain(numbered);
    all.find(|free| names.insert(free.clone())).unwrap_or_else(|| name.to_owned())
}

fn edited(clip: &AnimationClip, asset: &Asset, hips: Option<u16>, options: &Options) -> AnimationClip {
    let skeleton = &asset.skeleton;
    let mut clip = clip.clone();
    if options.trims {
        clip = edit::trimmed(&clip, skeleton);
    }
    if let Some(rate) = options.rate {
        clip = edit::resampled(&clip, rate);
    }
    if options.loops {
        clip = edit::looped(&clip, skeleton, hips.as_slice());
    }
    if let Some(error) = options.error {
        clip = edit::reduced(&clip, skeleton, error);
    }
    clip
}

/// Loads what is about to be written: a file that cannot be read again is not worth writing.
fn check(bytes: &[u8], out: &Path) -> Result<Asset, String> {
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("{uri} was not embedded")));
    let all = LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() };
    Asset::from_bytes(&out.display().to_string(), bytes, &all, &mut nothing)
        .map_err(|error| format!("what was made cannot be read again: {}", error.in_file(out)))
}
