//! Bounds of a file's skinned meshes while clips play.

use std::ops::Range;

use nebula_animation::Rig;
use nebula_animation::asset::Asset as File;
use nebula_animation::compile::CompiledClip;
use nebula_animation::palette::{Evaluator, PaletteRows};
use nebula_animation::skinning::{Blending, Bounds, PoseBounds};

/// Moments a second at which a clip is looked at, and the most of a clip.
const RATE: f32 = 30.0;
const MOST_MOMENTS: f32 = 600.0;

/// The skinned meshes of a file, as far as their bounds go.
#[derive(Debug, Default)]
pub(crate) struct Outlines(Vec<Outline>);

#[derive(Debug)]
struct Outline {
    bounds: PoseBounds,
    /// The slots of its morph weights.
    slots: Range<usize>,
}

impl Outlines {
    pub fn new(file: &File) -> Self {
        let skinned = file.meshes.iter().filter(|mesh| mesh.skin.is_some());
        let outlines = skinned.flat_map(|mesh| {
            let first = mesh.morph_slot.unwrap_or_default();
            let slots = first..first + mesh.morph_weights.len();
            let shapes = mesh.primitives.iter().filter(|shape| !shape.positions.is_empty());
            shapes.map(move |shape| {
                let bounds = PoseBounds::new(&shape.geometry(), Blending::Linear);
                Outline { bounds, slots: slots.clone() }
            })
        });
        Self(outlines.collect())
    }

    /// The box that holds all of them in a pose, in model space; `None` where that is not known.
    fn of_pose(&self, palette: &[PaletteRows], weights: &[f32]) -> Option<Bounds> {
        let boxes = self
            .0
            .iter()
            .map(|Outline { bounds, slots }| bounds.of(palette, weights.get(slots.clone()).unwrap_or_default()));
        boxes.reduce(|a, b| Some(a?.union(&b?)))?
    }

    /// The box that holds all of them at all times of a clip, in model space; `None` where that is not known.
    pub fn of_clip(&self, rig: &Rig, clip: &CompiledClip) -> Option<Bounds> {
        let steps = (clip.duration() * RATE).ceil().clamp(1.0, MOST_MOMENTS) as u16;
        let mut evaluator = Evaluator::new();
        let mut palette = vec![PaletteRows::default(); rig.joint_count()];
        let mut weights = rig.morphs().defaults();
        let (mut all, mut last): (Option<Bounds>, Option<Bounds>) = (None, None);
        // How far a side goes from one moment to the next: it may be half as far outside between them.
        let mut stride = 0.0_f32;
        for step in 0..=steps {
            let time = clip.duration() * f32::from(step) / f32::from(steps);
            evaluator.palette_rows(rig, clip, time, &mut palette);
            if !weights.is_empty() {
                clip.morph_weights(rig, time, &mut weights);
            }
            let now = self.of_pose(&palette, &weights)?;
            if let Some(last) = last.replace(now) {
                let change = (now.min - last.min).abs().max((now.max - last.max).abs());
                stride = stride.max(change.max_element());
            }
            all = Some(all.map_or(now, |all| all.union(&now)));
        }
        all.map(|all| Bounds { min: all.min - stride * 0.5, max: all.max + stride * 0.5 })
    }
}
