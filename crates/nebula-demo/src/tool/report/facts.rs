//! The facts about a file. The fields are the JSON that `report --json` prints; docs/report.md explains them.

use std::path::Path;
use std::sync::Arc;

use nebula_animation::Asset;
use serde::Serialize;
use serde_json::Value;

use super::soles::Soles;
use super::{body, clip, problems};

#[derive(Serialize)]
pub struct Facts {
    pub file: String,
    pub facing: Facing,
    pub humanoid: Humanoid,
    pub unit: Unit,
    pub soles: SoleFacts,
    pub clips: Vec<ClipFacts>,
    /// What is bad, and what could not be measured and why, in plain words.
    pub problems: Vec<String>,
}

#[derive(Serialize)]
pub struct Facing {
    /// Unit length, in model space; `None` where nothing tells.
    pub direction: Option<[f32; 3]>,
    /// `+Z`, or the numbers where it lies along no axis.
    pub axis: Option<String>,
}

#[derive(Serialize)]
pub struct Humanoid {
    pub is_human: bool,
    pub why_not: Option<String>,
    /// From 0 to 1.
    pub certainty: f32,
    pub joints: Vec<MappedJoint>,
}

#[derive(Serialize)]
pub struct MappedJoint {
    pub what: String,
    pub joint: String,
    pub index: u16,
    pub evidence: String,
}

#[derive(Serialize)]
pub struct Unit {
    /// In units of the file, which glTF says are metres; `None` without meshes and joints.
    pub height: Option<f32>,
    /// From where to where the height was measured.
    pub measured: &'static str,
    /// What a unit of the file seems to be.
    pub seems: &'static str,
    /// The scale of the hips in model space; their keys are in units of so many metres.
    pub joint_scale: Option<f32>,
}

#[derive(Serialize)]
pub struct SoleFacts {
    /// Vertices that each foot carries: left, right.
    pub vertices: Vec<usize>,
    pub why_not: Option<String>,
}

#[derive(Serialize)]
pub struct ClipFacts {
    pub index: usize,
    pub name: String,
    /// Of one pass.
    pub seconds: f32,
    /// How fast the feet walk, in metres per second; `None` without legs.
    pub speed: Option<f32>,
    /// Where to, by the character's own front: `ahead`, `back`, `left`, `right`.
    pub way: Option<&'static str>,
    /// Metres of a cycle of both feet; `None` where they do not walk.
    pub stride: Option<f32>,
    /// How far the body goes over the ground by itself in one pass, in metres.
    pub travels: f32,
    pub seam: Seam,
    /// Left, right: when each foot stands, in seconds; over the end of the clip where it lands later than it leaves.
    pub contacts: Vec<Vec<[f32; 2]>>,
    /// Over the ground while a foot stands, in millimetres.
    pub slide_mm: Option<Slide>,
    /// How deep a sole comes below the ground, y = 0, in millimetres.
    pub depth_mm: Option<f32>,
    /// How high the lowest point of a sole is while its foot stands, in millimetres.
    pub float_mm: Option<f32>,
    /// The speed of the fastest knee, in degrees per second.
    pub knee_speed: Option<f32>,
    /// The largest acceleration of the pelvis, in metres per second squared.
    pub pelvis_acceleration: Option<f32>,
    /// With the library's feet, for clips that walk or run.
    pub grounds: Vec<Trial>,
    /// Why there are no figures where there are none.
    pub not_measured: Option<String>,
}

/// How far the last pose is from the first one, without the way over the ground.
#[derive(Serialize)]
pub struct Seam {
    pub degrees: f32,
    pub degrees_at: Option<String>,
    pub mm: f32,
    pub mm_at: Option<String>,
}

/// Per stance.
#[derive(Serialize, Clone, Copy)]
pub struct Slide {
    pub median: f32,
    pub largest: f32,
}

/// What the feet do on a ground, beside the clip without feet on level ground.
#[derive(Serialize)]
pub struct Trial {
    /// In words.
    pub name: &'static str,
    /// As a script of `act` says it.
    pub ground: Value,
    pub slide_mm: Option<Slide>,
    /// In stance, beyond what the clip does on level ground.
    pub sink_mm: f32,
    pub float_mm: f32,
    /// Largest speed of a knee, as a multiple of the clip's own.
    pub knee: f32,
    /// Largest acceleration of the pelvis against the floor, as a multiple of the clip's own.
    pub pelvis: f32,
}

impl Facts {
    pub fn of(asset: &Arc<Asset>, file: &Path) -> Result<Self, String> {
        let rig = asset.rig();
        let soles = Soles::of(asset, &rig);
        let mut facts = Self {
            file: file.display().to_string(),
            facing: body::facing(&rig),
            humanoid: body::humanoid(&rig),
            unit: body::unit(asset, &rig, &soles),
            soles: SoleFacts {
                vertices: soles.feet.iter().map(|foot| foot.len()).collect(),
                why_not: soles.why_not.clone(),
            },
            clips: clip::all(asset, &rig, &soles)?,
            problems: Vec::new(),
        };
        facts.problems = problems::of(&facts);
        Ok(facts)
    }
}
