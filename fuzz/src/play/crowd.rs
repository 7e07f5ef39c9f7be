use nebula_animation::Crowd;
use nebula_animation::crowd::{CrowdCharacterId, CrowdClipId, SecondClip};
use nebula_animation::palette::PaletteRows;

use super::draw::Draw;
use super::world::World;

/// Two crowds, so that clips and characters of one can be given to the other.
#[derive(Default)]
pub struct Crowds {
    crowds: [Crowd; 2],
    clips: Vec<CrowdClipId>,
    /// Those who are there and those who have left.
    characters: Vec<CrowdCharacterId>,
}

/// Characters of a crowd, and handles of one.
const MOST: usize = 24;
const MOST_HANDLES: usize = 200;

impl Crowds {
    pub fn call(&mut self, world: &World, draw: &mut Draw) {
        let crowd = &mut self.crowds[draw.below(8) / 7];
        match draw.below(8) {
            0..=2 => {
                // Perhaps a handle of another library.
                let (library, clip) = (world.library(draw), world.library(draw).ids().nth(draw.below(5)));
                self.clips.extend(clip.and_then(|clip| crowd.add_clip(library, clip).ok()));
            }
            3 | 4 if !self.clips.is_empty() => {
                for _ in 0..draw.below(10) {
                    if crowd.characters().len() < MOST && self.characters.len() < MOST_HANDLES {
                        self.characters.extend(crowd.spawn(draw.pick(&self.clips)));
                    }
                }
            }
            5 if !self.clips.is_empty() => {
                let character = draw.below(MOST);
                if let Some(character) = crowd.characters_mut().get_mut(character) {
                    character.clip = draw.pick(&self.clips);
                    (character.time, character.speed) = (f64::from(draw.wild()), draw.wild());
                    character.looping = draw.yes();
                    character.second = draw.yes().then(|| SecondClip {
                        clip: draw.pick(&self.clips),
                        time: f64::from(draw.wild()),
                        weight: draw.wild(),
                    });
                }
            }
            6 if draw.one_in(4) => crowd.clear(),
            6 if !self.characters.is_empty() => {
                let leaver = draw.pick(&self.characters);
                let (count, was_there) = (crowd.characters().len(), crowd.index_of(leaver).is_some());
                assert_eq!(crowd.remove(leaver).is_some(), was_there);
                assert_eq!(crowd.characters().len() + usize::from(was_there), count);
                assert!(crowd.remove(leaver).is_none());
            }
            _ => {}
        }
        crowd.update(draw.step());
        let is_finite = |rows: &PaletteRows| rows.0.as_flattened().iter().all(|number| number.is_finite());
        assert!(!draw.is_tame || crowd.palettes().iter().all(is_finite), "a palette of a crowd");
        assert!(!draw.is_tame || crowd.morph_weights().iter().all(|weight| weight.is_finite()), "a face of a crowd");
        let mut short = vec![PaletteRows::IDENTITY; draw.below(8)];
        crowd.evaluate_into(&mut short);
        for event in crowd.events().take(50) {
            assert!(crowd.index_of(event.character).is_some() && (0.0..=1.0).contains(&event.weight));
        }
        for index in 0..crowd.characters().len() {
            let id = crowd.id_at(index);
            assert_eq!(id.and_then(|id| crowd.index_of(id)), Some(index));
            let step = id.and_then(|id| crowd.root_step(id));
            assert!(step.is_some_and(|step| !draw.is_tame || (step.translation.is_finite() && step.yaw.is_finite())));
        }
        if let Some(&id) = self.characters.get(draw.index()) {
            let starts = (crowd.palette_start(id), crowd.morph_start(id));
            assert!(starts.0.is_none_or(|start| start <= crowd.palettes().len()));
            assert!(starts.1.is_none_or(|start| start <= crowd.morph_weights().len()));
        }
    }
}
