use nebula_animation::crowd::SecondClip;
use nebula_animation::{
    Crowd,
    crowd::{CrowdClipId, CrowdRigId},
    palette::PaletteRows,
};

use super::draw::Draw;
use super::world::World;

/// Two crowds, so that rigs and clips of one can be given to the other.
pub struct Crowds {
    crowds: [Crowd; 2],
    rigs: Vec<CrowdRigId>,
    clips: Vec<CrowdClipId>,
}

/// Characters of a crowd.
const MOST: usize = 24;

impl Crowds {
    pub fn new(world: &World) -> Self {
        let mut crowd = Crowd::new();
        let rigs = vec![crowd.add_rig(&world.rigs[0])];
        Self { crowds: [crowd, Crowd::new()], rigs, clips: Vec::new() }
    }

    pub fn call(&mut self, world: &World, draw: &mut Draw) {
        let crowd = &mut self.crowds[draw.below(8) / 7];
        match draw.below(8) {
            0 => self.rigs.push(crowd.add_rig(world.rig(draw))),
            1 | 2 => {
                let clips = world.authored(draw);
                if let Some(clip) = clips.get(draw.below(5)) {
                    self.clips.extend(crowd.add_clip(draw.pick(&self.rigs), clip));
                }
            }
            3 | 4 if !self.clips.is_empty() => {
                for _ in 0..draw.below(10) {
                    if crowd.characters().len() < MOST {
                        crowd.spawn(draw.pick(&self.clips));
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
            _ => {}
        }
        crowd.update(draw.step());
        let is_finite = |rows: &PaletteRows| rows.0.as_flattened().iter().all(|number| number.is_finite());
        assert!(!draw.is_tame || crowd.palettes().iter().all(is_finite), "a palette of a crowd");
        let mut short = vec![PaletteRows::IDENTITY; draw.below(8)];
        crowd.evaluate_into(&mut short);
        let _ = crowd.palette_start(draw.index());
    }
}
