//! Crowds: each character is what an evaluator makes of it alone, to the bit.

mod clocks;
mod equal;
mod events;
mod instruction_sets;
mod libraries;
mod lose;
mod morphs;
mod roots;
#[cfg(feature = "parallel")]
mod threads;
mod totals;
mod world;

use std::collections::HashMap;

use nebula_animation::crowd::{CrowdCharacter, CrowdCharacterId, CrowdClipId, SecondClip};
use nebula_animation::palette::{ClipAt, Evaluator, PaletteRows};
use nebula_animation::{AnimationClip, AnimationClipLibrary, Crowd, Interpolation, LibraryOptions, Rig, Skeleton};

use crate::characters::{Binds, ClipRecipe, Curves, Random, RestScales, RigRecipe, Shape, Timing};

/// A crowd of characters with four rigs, and what is needed to evaluate each of them alone.
pub struct Stage {
    pub crowd: Crowd,
    libraries: Vec<AnimationClipLibrary>,
    clips: Vec<(usize, CrowdClipId)>,
    /// The rig of each character.
    rigs: HashMap<CrowdCharacterId, usize>,
    /// That of the last one.
    last_rig: Option<usize>,
}

/// Rigs of equal and of other joint counts; rigid ones and others, so that bind space is used and is not.
fn skeletons() -> Vec<Skeleton> {
    let recipe = |joints, binds, rest_scales, seed| {
        RigRecipe { joints, shape: Shape::Limbs, binds, rest_scales, extent: 0.3, seed }.skeleton()
    };
    vec![
        recipe(29, Binds::OfRest, RestScales::One, 1),
        recipe(29, Binds::Rigid, RestScales::One, 2),
        recipe(29, Binds::Uneven, RestScales::Uneven, 3),
        recipe(8, Binds::Uniform, RestScales::Uniform, 4),
    ]
}

/// Clips of two to three seconds: with linear keys, with everything, and with scales.
fn clips(joints: usize) -> Vec<AnimationClip> {
    let recipe = |curves, timing, shares, is_odd, seed| {
        ClipRecipe { keys: 25, curves, timing, shares, is_odd, extent: 0.3, seed }.clip(joints)
    };
    vec![
        recipe(Curves::One(Interpolation::Linear), Timing::Uniform, [0.1, 1.0, 0.0], false, 1),
        recipe(Curves::Mixed, Timing::Mixed, [0.3, 0.8, 0.0], true, 2),
        recipe(Curves::Mixed, Timing::Own, [0.5, 0.5, 0.0], true, 3),
        recipe(Curves::Mixed, Timing::Irregular, [0.5, 0.5, 0.5], true, 4),
    ]
}

/// The clips of a skeleton, also in the form for palettes where wanted.
fn library(skeleton: Skeleton, for_palettes: bool) -> AnimationClipLibrary {
    let clips = clips(skeleton.joints.len());
    let options = LibraryOptions { for_palettes, ..LibraryOptions::default() };
    AnimationClipLibrary::with_options(&Rig::new(skeleton), &clips, options)
}

/// Adds all clips of a library, in its order.
fn add_all(crowd: &mut Crowd, library: &AnimationClipLibrary) -> Vec<CrowdClipId> {
    library.ids().map(|clip| crowd.add_clip(library, clip).expect("its own library")).collect()
}

/// A crowd of one character that plays a clip on the smallest rig.
fn crowd_of_one(clip: AnimationClip) -> Crowd {
    let library = AnimationClipLibrary::new(&Rig::new(&skeletons()[3]), &[clip]);
    let mut crowd = Crowd::new();
    let clips = add_all(&mut crowd, &library);
    crowd.spawn(clips[0]).expect("the clip is of this crowd");
    crowd
}

impl Stage {
    /// A crowd of so many characters at random times, with every kind of second clip.
    pub fn new(characters: usize, seed: u64) -> Self {
        let mut crowd = Crowd::new();
        let libraries: Vec<_> = skeletons().into_iter().map(|skeleton| library(skeleton, true)).collect();
        let of_rig = |(index, library)| add_all(&mut crowd, library).into_iter().map(move |clip| (index, clip));
        let clips = libraries.iter().enumerate().flat_map(of_rig).collect();
        let mut stage = Self { crowd, libraries, clips, rigs: HashMap::new(), last_rig: None };
        stage.fill(characters, seed);
        stage
    }

    /// Takes all characters away and adds so many others.
    pub fn fill(&mut self, characters: usize, seed: u64) {
        self.crowd.clear();
        self.rigs.clear();
        self.last_rig = None;
        let mut random = Random::new(seed);
        for _ in 0..characters {
            self.add_character(&mut random);
        }
    }

    pub fn add_character(&mut self, random: &mut Random) -> CrowdCharacterId {
        // Mostly the rig of the character before: runs of one rig are evaluated together.
        let rig = match self.last_rig {
            Some(rig) if random.chance(0.95) => rig,
            _ => random.below(self.libraries.len()),
        };
        self.last_rig = Some(rig);
        let clip = self.any_clip(rig, random);
        let id = self.crowd.spawn(clip).expect("the clip is of this crowd");
        self.rigs.insert(id, rig);
        let mut character = *self.crowd.character(id).expect("it is there");
        character.time = f64::from(random.between(-1.0, 5.0));
        character.speed = random.between(-2.0, 2.0);
        character.looping = random.chance(0.7);
        // Perhaps a clip of another rig.
        if random.chance(0.02) {
            character.clip = self.clips[random.below(self.clips.len())].1;
        }
        if random.chance(0.5) {
            let is_foreign = random.chance(0.03);
            let clip =
                if is_foreign { self.clips[random.below(self.clips.len())].1 } else { self.any_clip(rig, random) };
            let weights = [0.0, 1.0, -1.0, 7.0, f32::NAN, random.unit(), random.unit(), random.unit()];
            let (weight, time) = (weights[random.below(weights.len())], f64::from(random.between(0.0, 3.0)));
            character.second = Some(SecondClip { clip, time, weight });
        }
        *self.crowd.character_mut(id).expect("it is there") = character;
        id
    }

    /// A clip of a rig; rarely the one with scales, which takes another path.
    fn any_clip(&self, rig: usize, random: &mut Random) -> CrowdClipId {
        let mine: Vec<_> = self.clips.iter().filter(|(of, _)| *of == rig).map(|&(_, clip)| clip).collect();
        if random.chance(0.03) { mine[mine.len() - 1] } else { mine[random.below(mine.len() - 1)] }
    }

    /// The palette of one character, by an evaluator.
    pub fn alone(&self, id: CrowdCharacterId, evaluator: &mut Evaluator) -> Vec<PaletteRows> {
        let rig_index = self.rigs[&id];
        let rig = self.libraries[rig_index].rig();
        let character: &CrowdCharacter = self.crowd.character(id).expect("the character is of this crowd");
        let mut rows = vec![PaletteRows([[f32::NAN; 4]; 3]); rig.joint_count()];
        let layer = |clip: CrowdClipId, time: f64| {
            let is_mine = self.clips.contains(&(rig_index, clip));
            let clip = self.crowd.clip(clip).expect("the clip is of this crowd").for_palettes();
            is_mine.then_some(ClipAt { clip, time: time as f32 })
        };
        let second = character.second.filter(|second| second.weight > 0.0);
        let second = second.and_then(|second| Some((layer(second.clip, second.time)?, second.weight)));
        match (layer(character.clip, character.time), second) {
            (None, _) => evaluator.palette_rows_of_pose(rig, &[], &mut rows),
            (Some(first), None) => evaluator.palette_rows(rig, first.clip, first.time, &mut rows),
            (Some(first), Some((to, weight))) => evaluator.blended_palette_rows(rig, first, to, weight, &mut rows),
        }
        rows
    }

    /// Asserts that the crowd's palettes are those of its characters alone.
    pub fn check(&self, palettes: &[PaletteRows], what: &str) {
        let mut evaluator = Evaluator::new();
        let mut end = 0;
        for (index, character) in self.crowd.characters().iter().enumerate() {
            let id = self.crowd.id_at(index).expect("there is a character at this index");
            assert_eq!(self.crowd.index_of(id), Some(index), "{what}");
            let start = self.crowd.palette_start(id).expect("the character is of this crowd");
            assert_eq!(start, end, "{what}: palettes follow each other");
            let expected = self.alone(id, &mut evaluator);
            end = start + expected.len();
            assert!(
                bits(&palettes[start..end]).eq(bits(&expected)),
                "{what}: character {index} is not what it is alone: {character:?}"
            );
        }
        assert_eq!(end, palettes.len(), "{what}");
    }
}

/// The bits of palettes: `==` would not tell -0 from 0.
pub fn bits(palettes: &[PaletteRows]) -> impl Iterator<Item = u32> {
    palettes.iter().flat_map(|rows| rows.0.as_flattened()).map(|number| number.to_bits())
}
