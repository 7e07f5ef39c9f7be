//! `convert`: any motion to any character, as a `.glb` with everything embedded.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use nebula_animation::asset::{LoadOptions, MeshSelection};
use nebula_animation::retarget::RetargetOptions;
use nebula_animation::skeleton::HumanoidJoint;
use nebula_animation::{AnimationClip, Asset};
use nebula_import::bvh::{BvhRest, UpAxis};
use nebula_import::{OpenOptions, Opened, edit};

use super::print;
use super::retarget::clips::Transfer;

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
    /// How BVH files are read.
    pub bvh: BvhArguments,
}

/// How BVH files are read.
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct BvhArguments {
    /// Metres per unit of .bvh files [default: whatever makes them human-sized].
    #[arg(long, value_name = "METRES", value_parser = unit, allow_negative_numbers = true)]
    pub unit: Option<f32>,
    /// The up axis of .bvh files, y or z [default: the one along which a human stands].
    #[arg(long, value_name = "AXIS", value_parser = up)]
    pub up: Option<UpAxis>,
    /// The rest pose of .bvh files: zero, or a frame from 1 [default: zero if a human stands then, else the first frame in which one
    /// does].
    #[arg(long, value_name = "zero|FRAME", value_parser = rest)]
    pub rest: Option<BvhRest>,
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
fn unit(text: &str) -> Result<f32, String> {
    let unit = text.parse::<f32>().ok().filter(|unit| (1e-6..=1e3).contains(unit));
    unit.ok_or_else(|| "expected metres, from 0.000001 to 1000".into())
}

/// An axis that is up, told on the command line.
///
/// # Errors
/// What is neither.
fn up(text: &str) -> Result<UpAxis, String> {
    match text {
        "y" | "Y" => Ok(UpAxis::Y),
        "z" | "Z" => Ok(UpAxis::Z),
        _ => Err("expected y or z".into()),
    }
}

/// A rest pose, told on the command line: frames count from 1 there.
///
/// # Errors
/// What is neither `zero` nor a frame.
fn rest(text: &str) -> Result<BvhRest, String> {
    let frame = text.parse::<usize>().ok().and_then(|frame| frame.checked_sub(1));
    match (text, frame) {
        ("zero", _) => Ok(BvhRest::Zero),
        (_, Some(frame)) => Ok(BvhRest::Frame(frame)),
        _ => Err("expected zero or the number of a frame, from 1".into()),
    }
}

/// Writes the file.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    let ending = options.out.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    if !ending.is_some_and(|ending| ["glb", "vrm", "vrma"].contains(&ending.as_str())) {
        return Err(format!("{}: the output must be a .glb, .vrm or .vrma file", options.out.display()));
    }
    let files = [&options.input].into_iter().chain(&options.retarget_to).chain(&options.clips);
    let is_bvh = |file: &PathBuf| file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bvh"));
    let BvhArguments { unit, up, rest } = &options.bvh;
    let told = [("--unit", unit.is_some()), ("--up", up.is_some()), ("--rest", rest.is_some())];
    if let Some((option, _)) = told.into_iter().find(|(_, is_told)| *is_told)
        && !files.into_iter().any(is_bvh)
    {
        return Err(format!("{option} is for .bvh files, and there is none"));
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
        clips.extend(retargeted(source, target, target_file, &mut names, &mut notes)?);
    }
    if is_edited && clips.is_empty() {
        let problem = "has no clips that --rate, --trim, --loop or --compress could change";
        return Err(format!("{}: {problem}", target_file.display()));
    }
    let hips = rig.humanoid().get(HumanoidJoint::Hips);
    for clip in &mut clips {
        *clip = edited(clip, &target.asset, hips, options);
    }
    let mut document = target.document().map_err(|error| format!("{}: {error}", target_file.display()))?;
    notes.extend(document.add_clips(&clips).map_err(|error| error.to_string())?);
    let document_extensions = EXTENSIONS.map(|(_, names)| names.iter().any(|name| document.has_extension(name)));
    let bytes = document.into_glb().map_err(|error| format!("{}: {error}", options.out.display()))?;
    let read = check(&bytes, &options.out)?;
    is_as_called(&document_extensions, &options.out)?;
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
    let BvhArguments { unit, up, rest } = options.bvh;
    let bvh_rest = rest.unwrap_or_default();
    let how = OpenOptions { bvh_unit: unit, bvh_up: up, bvh_rest, ..OpenOptions::default() };
    let opened = nebula_import::open_with(file, &how).map_err(|error| error.in_file(file))?;
    notes.extend(opened.notes.iter().map(|note| format!("{}: {note}", file.display())));
    Ok(opened)
}

/// The clips of a file for the target. A name that is taken already gets that of the file in front of it, and a number where that is taken too.
fn retargeted(
    source: &Source,
    target: &Opened,
    target_file: &Path,
    names: &mut BTreeSet<String>,
    notes: &mut Vec<String>,
) -> Result<Vec<AnimationClip>, String> {
    let own = source.opened.clips();
    if own.is_empty() {
        notes.push(format!("{}: has no clips", source.file.display()));
        return Ok(Vec::new());
    }
    let files = [source.file.as_path(), target_file];
    let transfer = Transfer::new(files, [&source.opened.asset, &target.asset], RetargetOptions::default())?;
    let told = transfer.notes(&own.iter().collect::<Vec<_>>());
    notes.extend(told.iter().map(|note| format!("{}: {note}", source.file.display())));
    let stem = source.file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let made = own.iter().map(|clip| {
        let mut made = transfer.clip(clip);
        made.name = free_name(&made.name, &stem, names);
        made
    });
    Ok(made.collect())
}

/// Endings that promise what only some files hold, and the extensions that hold it.
const EXTENSIONS: [(&str, &[&str]); 2] = [("vrm", &["VRMC_vrm", "VRM"]), ("vrma", &["VRMC_vrm_animation"])];

/// Whether a file is what its ending says.
fn is_as_called(has: &[bool; 2], out: &Path) -> Result<(), String> {
    let ending = out.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match EXTENSIONS.iter().zip(has).find(|((name, _), _)| *name == ending) {
        Some(((name, extensions), false)) => Err(format!(
            "{}: what is written is no .{name}, for it has no {}: write a .glb",
            out.display(),
            extensions.join(" or ")
        )),
        _ => Ok(()),
    }
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
