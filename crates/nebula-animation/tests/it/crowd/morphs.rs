//! Morph weights of crowds: what a character shows alone, one after the other in one buffer.

use nebula_animation::clip::{MorphLayout, MorphMesh};
use nebula_animation::crowd::{CrowdCharacterId, CrowdClipId, SecondClip};
use nebula_animation::rig::RigOptions;
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, Character, Crowd, Interpolation, LibraryOptions, Rig, Skeleton, Surroundings,
};

use super::{clips, skeletons};
use crate::characters::Random;

/// A rig whose meshes have so many morph targets, with weights of their own at rest.
fn rig(skeleton: Skeleton, targets: &[usize]) -> std::sync::Arc<Rig> {
    let mut layout = MorphLayout::default();
    for (mesh, &count) in targets.iter().enumerate() {
        let first_slot = layout.slot_count();
        let weights = (0..count).map(|target| 0.05 * (1 + target + mesh) as f32).collect();
        let target_names = vec![String::new(); count];
        layout.meshes.push(MorphMesh { node: mesh, name: String::new(), first_slot, target_names, weights });
    }
    Rig::with_options(skeleton, RigOptions { morphs: layout, ..RigOptions::default() })
}

/// Clips with weights of every interpolation, for some of the meshes.
fn talking(rig: &Rig, seed: u64) -> Vec<AnimationClip> {
    let mut random = Random::new(seed);
    let mut clips = clips(rig.joint_count());
    let curves = [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline];
    for (index, clip) in clips.iter_mut().enumerate() {
        for (number, mesh) in rig.morphs().meshes.iter().enumerate().filter(|(number, _)| (number + index) % 3 != 2) {
            let curve = curves[(number + index) % 3];
            let times: Vec<f32> = (0..7).map(|key| key as f32 * 0.2).collect();
            let per_key = mesh.weights.len() * if curve == Interpolation::CubicSpline { 3 } else { 1 };
            let values: Vec<f32> = (0..7 * per_key).map(|_| random.between(-0.5, 1.5)).collect();
            clip.set_morph_weights(mesh.first_slot, curve, &times, &values, mesh.weights.len()).expect("good keys");
        }
    }
    clips
}

/// Rigs with and without morph targets, rigid and not, and one without joints.
fn libraries(for_palettes: bool) -> Vec<AnimationClipLibrary> {
    let targets: [&[usize]; 4] = [&[5, 1], &[], &[30], &[2]];
    let skeletons = skeletons().into_iter().take(3).chain([Skeleton::default()]);
    let library = |(skeleton, targets): (Skeleton, &[usize])| {
        let rig = rig(skeleton, targets);
        let options = LibraryOptions { for_palettes, ..LibraryOptions::default() };
        AnimationClipLibrary::with_options(&rig, &talking(&rig, 5), options)
    };
    skeletons.zip(targets).map(library).collect()
}

struct Stage {
    crowd: Crowd,
    libraries: Vec<AnimationClipLibrary>,
    clips: Vec<Vec<CrowdClipId>>,
    members: Vec<(CrowdCharacterId, usize)>,
}

impl Stage {
    fn new(count: usize, for_palettes: bool) -> Self {
        let (mut crowd, libraries) = (Crowd::new(), libraries(for_palettes));
        let clips: Vec<Vec<CrowdClipId>> =
            libraries.iter().map(|library| super::add_all(&mut crowd, library)).collect();
        let mut random = Random::new(6);
        let members = (0..count).map(|_| {
            let rig = random.below(libraries.len());
            let id = crowd.spawn(clips[rig][random.below(4)]).expect("its own clip");
            let character = crowd.character_mut(id).expect("it is there");
            character.time = f64::from(random.between(0.0, 2.0));
            let weights = [0.0, 1.0, f32::NAN, random.unit(), random.unit()];
            let (clip, weight) = (clips[rig][random.below(4)], weights[random.below(5)]);
            let second = SecondClip { clip, time: f64::from(random.between(0.0, 1.0)), weight };
            character.second = random.chance(0.5).then_some(second);
            (id, rig)
        });
        let members = members.collect();
        Self { crowd, libraries, clips, members }
    }

    /// The weights of a character.
    fn weights(&self, (id, rig): (CrowdCharacterId, usize)) -> &[f32] {
        let count = self.libraries[rig].rig().morphs().slot_count();
        &self.crowd.morph_weights()[self.crowd.morph_start(id).expect("it is there")..][..count]
    }

    /// What a [`Character`] shows that plays one clip.
    fn alone(&self, rig: usize, clip: CrowdClipId, time: f64) -> Vec<f32> {
        let index = self.clips[rig].iter().position(|own| *own == clip).expect("a clip of the rig");
        let mut character = Character::of(self.libraries[rig].clone());
        character.mixer.play(index, 0.0).expect("the clip is there").seek(time);
        character.update(0.0, &Surroundings::default());
        character.frame().morph_weights().to_vec()
    }

    fn check(&self) {
        let mut total = 0;
        for &member in &self.members {
            let (id, rig) = member;
            let weights = self.weights(member);
            total += weights.len();
            let character = self.crowd.character(id).expect("it is there");
            let first = self.alone(rig, character.clip, character.time);
            match character.second.filter(|second| second.weight > 0.0) {
                // The same path, and so the same bits.
                None => assert!(weights.iter().map(|one| one.to_bits()).eq(first.iter().map(|one| one.to_bits()))),
                Some(SecondClip { clip, time, weight }) => {
                    let second = self.alone(rig, clip, time);
                    for ((weights, first), second) in weights.iter().zip(first).zip(second) {
                        assert!((weights - (first * (1.0 - weight) + second * weight)).abs() < 1e-6);
                    }
                }
            }
        }
        assert_eq!(total, self.crowd.morph_weights().len(), "one after the other, without gaps");
    }
}

#[test]
fn faces_of_a_crowd_are_those_of_characters_alone() {
    for for_palettes in [true, false] {
        let mut stage = Stage::new(150, for_palettes);
        for step in [0.0, 1.0 / 60.0, 0.7, -1.1] {
            stage.crowd.update(step);
            stage.check();
        }
        for leaver in [140, 77, 76, 3, 0] {
            assert!(stage.crowd.remove(stage.members.swap_remove(leaver).0).is_some());
        }
        stage.crowd.update(0.1);
        stage.check();
        let mut own = stage.crowd.palettes().to_vec();
        stage.crowd.evaluate_into(&mut own);
        stage.check();
    }
}

/// What a cross-fade of two clips shows on a face, against a mixer that is halfway through a fade.
#[test]
fn faces_blend_as_in_a_mixer() {
    let library = &libraries(false)[0];
    let mut mixed = Character::of(library.clone());
    mixed.mixer.play(0, 0.0).expect("the clip is there");
    mixed.update(0.5, &Surroundings::default());
    mixed.mixer.play(1, 1.0).expect("the clip is there");
    mixed.update(0.25, &Surroundings::default());
    let (mut crowd, clips) = (Crowd::new(), libraries(false));
    let ids = super::add_all(&mut crowd, &clips[0]);
    let id = crowd.spawn(ids[0]).expect("its own clip");
    let character = crowd.character_mut(id).expect("it is there");
    character.time = 0.75;
    character.second = Some(SecondClip { clip: ids[1], time: 0.25, weight: 0.25 });
    crowd.evaluate();
    assert!(crowd.morph_weights().len() >= 6);
    for (own, mixed) in crowd.morph_weights().iter().zip(mixed.frame().morph_weights()) {
        assert!((own - mixed).abs() < 1e-6, "{own} instead of {mixed}");
    }
}

/// A clip of another rig shows the face at rest.
#[test]
fn foreign_clips_leave_faces_at_rest() {
    let libraries = libraries(true);
    let mut crowd = Crowd::new();
    let clips: Vec<_> = libraries.iter().map(|library| super::add_all(&mut crowd, library)).collect();
    let id = crowd.spawn(clips[0][0]).expect("its own clip");
    crowd.character_mut(id).expect("it is there").clip = clips[2][0];
    crowd.update(0.5);
    assert_eq!(crowd.morph_weights(), libraries[0].rig().morphs().defaults());
}

#[test]
fn crowds_without_morph_targets_have_no_weights() {
    let mut crowd = super::crowd_of_one(AnimationClip { duration: 1.0, ..AnimationClip::default() });
    crowd.update(0.5);
    assert_eq!((crowd.morph_weights(), crowd.morph_start(crowd.id_at(0).expect("it is there"))), (&[][..], Some(0)));
}

#[cfg(feature = "parallel")]
#[test]
fn threads_do_not_change_a_face() {
    let mut alone = Stage::new(400, true);
    alone.crowd.update(0.3);
    for threads in [1, 2, 4, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
        let mut stage = Stage::new(400, true);
        stage.crowd.advance(0.3);
        pool.install(|| stage.crowd.evaluate_on_threads());
        let bits = |crowd: &Crowd| crowd.morph_weights().iter().map(|one| one.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&stage.crowd), bits(&alone.crowd), "on {threads} threads");
    }
}
