//! `retarget`: writes the clips of one file for the character of another.

pub(crate) mod clips;
pub(crate) mod report;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use nebula_animation::asset::LoadOptions;
use nebula_animation::retarget::{HandPlaces, RetargetOptions};
use nebula_animation::{AnimationClip, AnimationClipLibrary, Asset, Rig};

use super::print;
use clips::Transfer;

/// What is to be done.
#[derive(Debug)]
pub struct Options {
    /// The file with the clips.
    pub source: PathBuf,
    /// The file with the character.
    pub target: PathBuf,
    /// Names or numbers of clips; all where there are none.
    pub clips: Vec<String>,
    /// The file to write.
    pub out: PathBuf,
    /// Whether to list which joints are paired.
    pub is_told: bool,
    /// How hands are placed.
    pub hands: Hands,
}

/// How hands are placed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Hands {
    /// Arms keep their directions.
    #[default]
    Free,
    /// Hands keep their place relative to the body.
    Body,
    /// Hands keep their place relative to each other.
    Together,
}

impl From<Hands> for HandPlaces {
    fn from(hands: Hands) -> Self {
        match hands {
            Hands::Free => Self::Free,
            Hands::Body => Self::OnBody,
            Hands::Together => Self::Together,
        }
    }
}

/// Writes the target with the source's clips.
pub fn run(options: &Options) -> Result<ExitCode, String> {
    let open = |file: &Path| nebula_import::open(file).map_err(|error| error.in_file(file));
    let (source, opened) = (open(&options.source)?.asset, open(&options.target)?);
    let target = &opened.asset;
    let (source_rig, target_rig) = (source.rig(), target.rig());
    let chosen = chosen(&source, &source_rig, &options.clips)
        .map_err(|problem| format!("{}: {problem}", options.source.display()))?;
    let retarget_options = RetargetOptions { hands: options.hands.into(), ..RetargetOptions::default() };
    let files = [options.source.as_path(), options.target.as_path()];
    let transfer = Transfer::new(files, [&source, target], retarget_options)?;
    let own: Vec<AnimationClip> = chosen.iter().map(|&clip| source.animations[clip].to_clip()).collect();
    let clips: Vec<AnimationClip> = own.iter().map(|clip| transfer.clip(clip)).collect();
    let failed = |problem: String| format!("{}: {problem}", options.target.display());
    let mut document = opened.document().map_err(|error| failed(error.to_string()))?;
    let mut notes = transfer.notes(&own.iter().collect::<Vec<_>>());
    notes.extend(document.add_clips(&clips).map_err(|error| failed(error.to_string()))?);
    let bytes = document.into_glb().map_err(|error| failed(error.to_string()))?;
    let written = check(&bytes, &clips, &options.out)?;
    fs::write(&options.out, &bytes).map_err(|error| format!("{}: {error}", options.out.display()))?;
    let mut text = String::new();
    let pairs = transfer.retarget.as_ref().map_or(target_rig.joint_count(), |retarget| retarget.report().pairs.len());
    if let Some(retarget) = transfer.retarget.as_ref().filter(|_| options.is_told) {
        text = report::text(retarget, [&source_rig, &target_rig]);
    } else if options.is_told {
        text.push_str("both are the same body: clips are as they were\n");
    }
    for note in notes {
        text.push_str(&format!("note: {note}\n"));
    }
    text.push_str(&format!(
        "{}: {} of {} clips for {} joints, {} of which follow {}\n",
        options.out.display(),
        written,
        source.animations.len(),
        target_rig.joint_count(),
        pairs,
        options.source.display()
    ));
    print(&text)
}

/// Indices of the clips that were asked for, each once.
fn chosen(source: &Asset, rig: &std::sync::Arc<Rig>, names: &[String]) -> Result<Vec<usize>, String> {
    if source.animations.is_empty() {
        return Err("has no clips".into());
    }
    if names.is_empty() {
        return Ok((0..source.animations.len()).collect());
    }
    let mut library = None;
    let mut chosen = BTreeSet::new();
    for name in names {
        let number = name.parse::<usize>().ok().filter(|number| *number < source.animations.len());
        let found = source.animation_by_name(name).or(number);
        chosen.insert(match found {
            Some(found) => found,
            // The library knows names that come close.
            None => {
                let library = library.get_or_insert_with(|| AnimationClipLibrary::new(rig, &source.clips()));
                return Err(match library.find(name) {
                    Err(error) => error.to_string(),
                    Ok(_) => format!("there is no clip {name:?}"),
                });
            }
        });
    }
    Ok(chosen.into_iter().collect())
}

/// Loads what is about to be written, and returns how many of the clips it has: a file that cannot be read again, or has none, is not
/// worth writing.
fn check(bytes: &[u8], clips: &[AnimationClip], out: &Path) -> Result<usize, String> {
    let name = out.display().to_string();
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("{uri} was not embedded")));
    let asset = Asset::from_bytes(&name, bytes, &LoadOptions::default(), &mut nothing)
        .map_err(|error| format!("what was made cannot be read again: {}", error.in_file(out)))?;
    match clips.iter().filter(|clip| asset.animation_by_name(&clip.name).is_some()).count() {
        0 => Err(format!("{name}: the clips move nothing that the target has")),
        written => Ok(written),
    }
}
