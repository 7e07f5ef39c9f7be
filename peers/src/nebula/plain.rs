use std::hint::black_box;

use glam::Mat4;
use nebula_demo::bench::plain::{Plain, PlainLayer};

use crate::scene::{Expected, FRAME_SECS, Fade, Playing, Runtime, Scene, matrices_apart};

/// The algorithm as one would write it down, over the authored clips.
pub struct PlainPath {
    scene: Scene,
    playing: Vec<Playing>,
    plain: Plain,
    palettes: Vec<Mat4>,
}

impl PlainPath {
    pub const SCOPE: &str = "sample_pose, model_matrices and skinning_matrices over authored clips, to palettes";

    pub fn new(scene: Scene) -> Self {
        let palettes = vec![Mat4::IDENTITY; scene.starts.len() * scene.joint_count()];
        Self { playing: scene.starts.clone(), plain: Plain::new(&scene.skeleton), palettes, scene }
    }
}

impl Runtime for PlainPath {
    fn frame(&mut self) {
        let Self { scene, playing, plain, palettes } = self;
        for (playing, palette) in playing.iter_mut().zip(palettes.chunks_mut(scene.joint_count())) {
            *playing = playing.after(scene, FRAME_SECS);
            let walk = PlainLayer { clip: &scene.walk, time: playing.walk as f32 };
            match playing.fade {
                Some(Fade { jog, weight }) => {
                    let jog = PlainLayer { clip: &scene.jog, time: jog as f32 };
                    plain.blend(&scene.skeleton, walk, jog, weight);
                }
                None => plain.sample(&scene.skeleton, walk),
            }
            plain.palette(&scene.skeleton, palette);
        }
        black_box(palettes);
    }

    fn shown(&self, character: usize) -> Playing {
        self.playing[character]
    }

    fn difference(&self, character: usize, expected: &Expected) -> f32 {
        let joints = self.scene.joint_count();
        matrices_apart(self.palettes[character * joints..][..joints].iter().copied(), &expected.palette)
    }
}
