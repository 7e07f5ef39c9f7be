use std::hint::black_box;
use std::sync::Arc;

use nebula_animation::crowd::SecondClip;
use nebula_animation::{
    Crowd, Rig,
    compile::CompiledClip,
    palette::{Evaluator, PaletteRows},
};

use crate::scene::{Expected, FRAME_SECS, Fade, Playing, Runtime, Scene, matrices_apart};

/// One character by [`Evaluator::palette_rows`].
pub struct Single {
    scene: Scene,
    rig: Arc<Rig>,
    clip: CompiledClip,
    evaluator: Evaluator,
    playing: Playing,
    rows: Vec<PaletteRows>,
}

impl Single {
    pub const SCOPE: &str = "Evaluator::palette_rows for one character, Crowd::update for many, to palettes of rows";

    /// Plays the walk of the first character.
    pub fn new(scene: Scene) -> Option<Self> {
        let rig = Rig::new(&scene.skeleton);
        Some(Self {
            clip: CompiledClip::for_palettes(&rig, &scene.walk),
            rig,
            evaluator: Evaluator::new(),
            playing: *scene.starts.first()?,
            rows: vec![PaletteRows::IDENTITY; scene.joint_count()],
            scene,
        })
    }
}

impl Runtime for Single {
    fn frame(&mut self) {
        self.playing = self.playing.after(&self.scene, FRAME_SECS);
        self.evaluator.palette_rows(&self.rig, &self.clip, self.playing.walk as f32, &mut self.rows);
        black_box(&mut self.rows);
    }

    fn shown(&self, _: usize) -> Playing {
        self.playing
    }

    fn difference(&self, _: usize, expected: &Expected) -> f32 {
        matrices_apart(self.rows.iter().map(PaletteRows::to_matrix), &expected.palette)
    }
}

/// Many characters by [`Crowd`].
pub struct Many {
    crowd: Crowd,
    joint_count: usize,
}

impl Many {
    pub fn new(scene: &Scene) -> Option<Self> {
        let mut crowd = Crowd::new();
        let rig = crowd.add_rig(&Rig::new(&scene.skeleton));
        let walk = crowd.add_clip(rig, &scene.walk)?;
        let jog = crowd.add_clip(rig, &scene.jog)?;
        for start in &scene.starts {
            let index = crowd.spawn(walk)?;
            let character = crowd.characters_mut().get_mut(index)?;
            character.time = start.walk;
            character.second = start.fade.map(|fade| SecondClip { clip: jog, time: fade.jog, weight: fade.weight });
        }
        Some(Self { crowd, joint_count: scene.joint_count() })
    }
}

impl Runtime for Many {
    fn frame(&mut self) {
        self.crowd.update(FRAME_SECS);
        black_box(self.crowd.palettes());
    }

    fn shown(&self, character: usize) -> Playing {
        let character = &self.crowd.characters()[character];
        let fade = |second: SecondClip| Fade { jog: second.time, weight: second.weight };
        Playing { walk: character.time, fade: character.second.map(fade) }
    }

    fn difference(&self, character: usize, expected: &Expected) -> f32 {
        let rows = &self.crowd.palettes()[character * self.joint_count..][..self.joint_count];
        matrices_apart(rows.iter().map(PaletteRows::to_matrix), &expected.palette)
    }
}
