//! Skeletons and their masks; rigs, compiled clips, libraries, crowds.

use glam::{Affine3A, Mat4, Quat, Vec3};
use nebula_animation::compile::CompiledWeights;
use nebula_animation::crowd::{CrowdCharacterId, CrowdError, DrawnCharacter, SecondClip};
use nebula_animation::{
    AnimationClipLibrary, AnimationMixer, ClipMarkers, Crowd, HumanoidJoint, HumanoidMap, Interpolation, JointMask,
    LibraryOptions, Marker, Rig, Skeleton,
    clip::{MorphLayout, MorphMesh},
    compile::{CompiledClip, Compression, ContactTrack, RootDelta, RootMotionOptions},
    palette::{PaletteRows, SkinLayout},
    rig::RigOptions,
    skeleton::{Finger, Side},
};

use super::Table;
use super::compressed::each_clip;
use super::fixtures::{INDICES, JOINTS, NAMES, chain, clips, library, numbers, skeletons, slide, times, vectors};

pub fn rows(table: &mut Table) {
    names(table);
    masks(table);
    humanoids(table);
    compiled(table);
    weights(table);
    crowds(table);
}

fn names(table: &mut Table) {
    table.row("Skeleton::joint_by_name", || {
        NAMES.iter().for_each(|name| assert_eq!(chain(3).joint_by_name(name), None));
    });
    table.row("Skeleton::require_joint", || {
        for name in NAMES {
            assert!(!chain(3).require_joint(name).expect_err("nobody is called that").to_string().is_empty());
            assert!(Skeleton::default().require_joint(name).is_err());
        }
    });
}

fn masks(table: &mut Table) {
    table.row("JointMask::all", || assert!(JointMask::all(&Skeleton::default()).weights().is_empty()));
    table.row("JointMask::none", || assert!(JointMask::none(&Skeleton::default()).weights().is_empty()));
    table.row("JointMask::from_weights", || {
        let mask = JointMask::from_weights(&super::fixtures::NUMBERS);
        assert!(mask.weights().iter().all(|weight| (0.0..=1.0).contains(weight)), "{mask:?}");
    });
    table.row("JointMask::with_subtree", || {
        for (name, weight) in NAMES.into_iter().zip(numbers()) {
            for skeleton in skeletons() {
                let is_known = skeleton.joint_by_name(name).is_some();
                assert_eq!(
                    JointMask::none(&chain(3)).with_subtree(&skeleton, name, weight).is_ok(),
                    is_known,
                    "{name:?}"
                );
                let Some(root) = skeleton.joints.first() else { continue };
                let mask = JointMask::none(&chain(3)).with_subtree(&skeleton, &root.name, weight).expect("it is there");
                assert!(mask.weights().iter().all(|weight| (0.0..=1.0).contains(weight)), "{mask:?}");
            }
        }
    });
    table.row("JointMask::with_joint", || {
        for weight in numbers() {
            let mask = JointMask::all(&chain(2)).with_joint(&chain(9), "Joint 8", weight).expect("it is there");
            let mask = mask.with_joint(&chain(9), "Joint 1", weight).expect("it is there");
            assert!(mask.clone().with_joint(&chain(2), "Joint 8", weight).is_err());
            assert!(mask.weights().len() == 2 && mask.weights().iter().all(|weight| (0.0..=1.0).contains(weight)));
        }
    });
    table.row("JointMask::with_morphs", || {
        for weight in numbers() {
            let mask = JointMask::all(&chain(2)).with_morphs(weight);
            assert!((0.0..=1.0).contains(&mask.morph_weight()), "{weight}");
        }
    });
    table.row("JointMask::set", || {
        let mut mask = JointMask::none(&chain(3));
        for index in INDICES {
            numbers().for_each(|weight| mask.set(index, weight));
        }
        assert_eq!(mask, JointMask::none(&chain(3)));
    });
    table.row("JointMask::weight", || {
        INDICES.into_iter().for_each(|index| assert_eq!(JointMask::all(&chain(3)).weight(index), 0.0));
    });
}

fn humanoids(table: &mut Table) {
    table.row("HumanoidMap::find", || {
        skeletons().iter().for_each(|skeleton| assert!(HumanoidMap::find(skeleton).is_err()));
    });
    table.row("HumanoidMap::find_some", || {
        skeletons().iter().for_each(|skeleton| drop(HumanoidMap::find_some(skeleton)));
    });
    table.row("HumanoidMap::check", || {
        for skeleton in skeletons() {
            for joint in JOINTS {
                let map = HumanoidJoint::ALL.into_iter().fold(HumanoidMap::default(), |map, it| map.with(it, joint));
                assert!(map.check(&skeleton).is_ok(), "whoever says it is believed");
                assert!(map.without(HumanoidJoint::Hips).check(&skeleton).is_err());
            }
        }
    });
    table.row("HumanoidMap::with_finger", || {
        for joint in JOINTS {
            let map = HumanoidMap::default().with_finger(Side::Left, Finger::Ring, [Some(joint); 3]);
            assert_eq!(map.finger(Side::Left, Finger::Ring), [Some(joint); 3]);
            assert_eq!(map.iter().count(), 0);
        }
    });
    table.row("HumanoidMap::finger", || {
        assert_eq!(HumanoidMap::default().finger(Side::Right, Finger::Thumb), [None; 3]);
    });
    table.row("HumanoidMap::evidence", || {
        assert_eq!(HumanoidMap::default().evidence(HumanoidJoint::Head), None);
    });
    table.row("HumanoidMap::from_names", || {
        for name in NAMES {
            assert!(HumanoidMap::from_names(&chain(3), [(HumanoidJoint::Hips, name)]).is_err());
        }
    });
    table.row("HumanoidMap::with", || {
        for joint in JOINTS {
            let map = HumanoidMap::default().with(HumanoidJoint::Head, joint).with(HumanoidJoint::Head, joint);
            assert_eq!(map.get(HumanoidJoint::Head), Some(joint), "whose rig it is not tells the one who uses it");
        }
    });
    table.row("HumanoidMap::without", || {
        assert_eq!(HumanoidMap::default().without(HumanoidJoint::Jaw).iter().count(), 0);
    });
    table.row("HumanoidMap::get", || assert_eq!(HumanoidMap::default().get(HumanoidJoint::Head), None));
    table.row("HumanoidMap::require", || assert!(HumanoidMap::default().require(HumanoidJoint::Head).is_err()));
}

fn compiled(table: &mut Table) {
    table.row("Rig::new", || {
        for skeleton in skeletons() {
            assert_eq!(Rig::new(&skeleton).joint_count(), skeleton.joints.len());
        }
    });
    table.row("Rig::with_options", || {
        for vector in vectors() {
            let humanoid = Some(HumanoidMap::default().with(HumanoidJoint::Hips, 65_535));
            let options = RigOptions { front: Some(vector), up: Some(vector), humanoid, ..RigOptions::default() };
            let rig = Rig::with_options(chain(3), options);
            assert!(rig.front().is_none_or(|front| front.is_finite()) && rig.up().is_finite(), "{vector}");
        }
        let mesh = MorphMesh { first_slot: usize::MAX, weights: vec![f32::NAN; 7], ..MorphMesh::default() };
        let options = RigOptions { morphs: MorphLayout { meshes: vec![mesh; 2] }, ..RigOptions::default() };
        assert_eq!(Rig::with_options(chain(3), options).joint_count(), 3);
    });
    let rig = Rig::new(chain(3));
    table.row("Rig::in_joint", || {
        for joint in JOINTS {
            vectors().for_each(|way| drop(format!("{}", rig.in_joint(joint, way))));
            assert!(rig.in_joint(joint, Vec3::X).is_finite());
        }
    });
    table.row("Rig::parent", || JOINTS.into_iter().for_each(|joint| assert_eq!(rig.parent(joint), None)));
    table.row("Rig::children", || JOINTS.into_iter().for_each(|joint| assert!(rig.children(joint).is_empty())));
    table.row("Rig::is_below", || {
        for joint in JOINTS {
            assert!(!rig.is_below(joint, joint) && !rig.is_below(joint, 0) && !rig.is_below(0, joint));
        }
    });
    table.row("Rig::model_from_joint", || {
        JOINTS.into_iter().for_each(|joint| assert!(rig.model_from_joint(joint).is_finite()));
    });
    table.row("Rig::position", || JOINTS.into_iter().for_each(|joint| assert!(rig.position(joint).is_finite())));
    table.row("CompiledClip::new", || each_clip(CompiledClip::new));
    table.row("CompiledClip::for_palettes", || each_clip(CompiledClip::for_palettes));
    table.row("CompiledClip::worst_error", || {
        let (rig, other) = (Rig::new(chain(3)), Rig::new(chain(5)));
        let clip = CompiledClip::new(&rig, &slide(1, 1.0));
        for skeleton in [chain(3), chain(5), chain(1), Skeleton::default()] {
            for count in [0, 1, 9] {
                let _ = clip.worst_error(&skeleton, &rig, &slide(60_000, 2.0), count);
                let _ = clip.worst_error(&skeleton, &other, &slide(1, 1.0), count);
            }
        }
    });
    table.row("AnimationClipLibrary::new", || {
        for skeleton in skeletons() {
            let rig = Rig::new(&skeleton);
            assert_eq!(AnimationClipLibrary::new(&rig, &clips()).len(), clips().len());
            assert_eq!(AnimationClipLibrary::new(&rig, &[]).len(), 0);
        }
    });
    table.row("AnimationClipLibrary::with_options", || {
        let mut markers = ClipMarkers::new();
        markers.add(60_000, Marker { name: "of no clip".into(), time: 1e300 });
        markers.add(0, Marker { name: "nowhere".into(), time: f64::NAN });
        for joint in JOINTS {
            let options = LibraryOptions {
                markers: markers.clone(),
                root_motion: Some(RootMotionOptions::of_joint(joint)),
                keeps_authored: true,
                for_palettes: true,
                step_marker: Some(String::new()),
                contacts: vec![ContactTrack::from_markers(f32::NAN, &[], &[]); 500],
                compression: Some(Compression {
                    error: if joint == JOINTS[0] { 1e-4 } else { f32::NAN },
                    ..Compression::default()
                }),
                additive_bases: vec![(0, vec![]), (1, vec![(Vec3::NAN, Quat::IDENTITY, Vec3::ZERO); 9])],
            };
            let library = AnimationClipLibrary::with_options(&Rig::new(chain(3)), &clips(), options);
            assert!(library.len() == clips().len() && library.iter().all(|clip| clip.velocity().is_finite()));
            let mut mixer = AnimationMixer::new(library);
            assert!(mixer.play(1, 0.0).is_ok());
            mixer.update(1e9);
            assert!(mixer.events().all(|event| event.marker.name != "of no clip"));
            assert_eq!(mixer.root_motion(), RootDelta::ZERO, "a joint that is not there goes nowhere");
        }
    });
    table.row("AnimationClipLibrary::find", || {
        for name in NAMES {
            let error = library().find(name).expect_err("nobody is called that");
            assert_eq!((error.name.as_str(), error.count), (name, 3));
            assert!(AnimationClipLibrary::default().find(name).is_err());
        }
    });
    table.row("AnimationClipLibrary::find_any", || {
        assert!(library().find_any(&NAMES).is_err() && library().find_any(&[]).is_err());
    });
    table.row("AnimationClipLibrary::index_of", || {
        NAMES.iter().for_each(|name| assert_eq!(library().index_of(name), None));
    });
}

fn weights(table: &mut Table) {
    let kinds = [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline];
    table.row("CompiledWeights::new", || {
        for interpolation in kinds {
            for count in [0, 1, 3, 65_536] {
                for times in [&[][..], &[0.0], &[1.0, 0.0], &[f32::NAN, 1.0], &[0.0, 0.0, 0.0]] {
                    let weights = CompiledWeights::new(interpolation, times, [1.0, 2.0], count);
                    let mut out = vec![7.0; 2];
                    weights.sample(0.5, &mut out);
                    assert!(out.iter().all(|weight| weight.is_finite()), "missing values count as 0");
                }
            }
            // No machine has the memory; the caller's number must not end the program.
            let huge = CompiledWeights::new(interpolation, &[0.0, 1.0], [1.0, 2.0], usize::MAX);
            huge.sample(0.5, &mut [0.0; 4]);
        }
    });
    table.row("CompiledWeights::sample", || {
        let weights = CompiledWeights::new(Interpolation::Linear, &[0.0, 1.0], [0.0, 0.5, 1.0, 0.5], 2);
        for time in numbers() {
            for length in [0, 1, 2, 9] {
                let mut out = vec![7.0; length];
                weights.sample(time, &mut out);
                assert!(out.iter().all(|weight| weight.is_finite()), "{out:?} at {time}");
                assert!(
                    out.iter().skip(2).all(|weight| *weight == 7.0),
                    "entries beyond the targets are left as they are"
                );
            }
        }
    });
}

fn crowds(table: &mut Table) {
    let first = |library: &AnimationClipLibrary| library.ids().next().expect("there is a clip");
    let slides = |skeleton: Skeleton| AnimationClipLibrary::new(&Rig::new(skeleton), &[slide(1, 1.0)]);
    // A crowd with two rigs, identifiers that a smaller crowd does not have, and somebody who has left.
    let stage = || {
        let mut crowd = Crowd::new();
        let libraries = [slides(chain(3)), slides(chain(5))];
        let clips =
            libraries.each_ref().map(|library| crowd.add_clip(library, first(library)).expect("its own library"));
        let gone = clips.map(|clip| crowd.spawn(clip).expect("its own clip"));
        assert!(gone.iter().all(|id| crowd.remove(*id).is_some()));
        (crowd, libraries, clips, gone)
    };
    table.row("Crowd::add_clip", || {
        let mut crowd = Crowd::new();
        for skeleton in skeletons() {
            let library = slides(skeleton);
            let clip = crowd.add_clip(&library, first(&library)).expect("its own library");
            crowd.spawn(clip).expect("its own clip");
        }
        let library = AnimationClipLibrary::new(&Rig::new(chain(3)), &clips());
        for clip in library.ids() {
            let clip = crowd.add_clip(&library, clip).expect("its own library");
            crowd.spawn(clip).expect("its own clip");
        }
        crowd.update(0.1);
        let foreign = library.ids().last().expect("there are clips");
        let refused = crowd.add_clip(&AnimationClipLibrary::default(), foreign);
        assert_eq!(refused, Err(CrowdError::NoSuchClip { index: foreign.index(), count: 0 }));
    });
    table.row("Crowd::clip", || assert!(Crowd::new().clip(stage().2[0]).is_none()));
    table.row("Crowd::spawn", || {
        assert_eq!(Crowd::new().spawn(stage().2[1]), Err(CrowdError::NoSuchCrowdClip { index: 1, count: 0 }));
    });
    // Nobody who has left is found, nor anybody of another crowd.
    let (mut crowd, libraries, _, gone) = stage();
    let mut others = [Crowd::new(), stage().0];
    let mut nobody = |name: &'static str, finds: &mut dyn FnMut(&mut Crowd, CrowdCharacterId) -> bool| {
        table.row(name, || {
            for crowd in others.iter_mut().chain([&mut crowd]) {
                gone.iter().for_each(|id| assert!(!finds(crowd, *id)));
            }
        });
    };
    nobody("Crowd::remove", &mut |crowd, id| crowd.remove(id).is_some());
    nobody("Crowd::character", &mut |crowd, id| crowd.character(id).is_some());
    nobody("Crowd::character_mut", &mut |crowd, id| crowd.character_mut(id).is_some());
    nobody("Crowd::index_of", &mut |crowd, id| crowd.index_of(id).is_some());
    nobody("Crowd::palette_start", &mut |crowd, id| crowd.palette_start(id).is_some());
    nobody("Crowd::morph_start", &mut |crowd, id| crowd.morph_start(id).is_some());
    nobody("Crowd::root_step", &mut |crowd, id| crowd.root_step(id).is_some());
    table.row("Crowd::id_at", || {
        INDICES.into_iter().for_each(|index| assert_eq!(stage().0.id_at(index), None));
    });
    table.row("Crowd::stream_above", || {
        for bytes in [None, Some(0), Some(1), Some(usize::MAX)] {
            let (mut crowd, _, clips, _) = stage();
            crowd.spawn(clips[0]).expect("its own clip");
            crowd.stream_above(bytes);
            crowd.update(0.1);
            assert!(!crowd.palettes().is_empty());
        }
    });
    table.row("Crowd::indices_of", || {
        let known = libraries[0].rig().id();
        assert_eq!((crowd.indices_of(known), crowd.indices_of(Rig::new(chain(3)).id())), (0..0, 0..0));
    });
    table.row("Crowd::morph_weights_of", || {
        let (mut crowd, libraries, clips, _) = stage();
        crowd.spawn(clips[1]).expect("its own clip");
        // Before anything was evaluated, and of a rig without a face.
        let weights: Vec<&[f32]> = crowd.morph_weights_of(libraries[1].rig().id()).collect();
        assert_eq!(weights, [&[0.0_f32; 0][..]]);
        assert_eq!(crowd.morph_weights_of(Rig::new(chain(3)).id()).len(), 0);
    });
    let broken = || {
        let (mut crowd, _, clips, _) = stage();
        for _ in 0..20 {
            crowd.spawn(clips[0]).expect("its own clip");
        }
        for (index, character) in crowd.characters_mut().iter_mut().enumerate() {
            let number = super::fixtures::NUMBERS[index % super::fixtures::NUMBERS.len()];
            (character.time, character.speed) = (f64::from(number), number);
            // A clip of another rig, and weights of any size.
            character.second = Some(SecondClip { clip: clips[index % 2], time: f64::from(number), weight: number });
            if index % 5 == 0 {
                character.clip = clips[1];
            }
        }
        crowd
    };
    let is_finite = |palettes: &[PaletteRows]| palettes.iter().all(|rows| rows.to_matrix().is_finite());
    table.row("Crowd::update", || {
        for step in times() {
            let mut crowd = broken();
            crowd.update(step);
            assert!(is_finite(crowd.palettes()), "after {step}");
        }
    });
    table.row("Crowd::advance", || {
        for step in times() {
            let mut crowd = broken();
            crowd.advance(step);
            crowd.evaluate();
            assert!(
                crowd.characters().iter().all(|character| character.time.is_finite() || !character.speed.is_finite())
            );
        }
    });
    table.row("Crowd::write_in_world", || {
        let crowd = broken();
        let layout = SkinLayout::new([[Some(0), Some(1)]]);
        let world_from_model = Affine3A::from_translation(Vec3::NAN);
        let drawn: Vec<_> = (0..crowd.characters().len())
            .filter_map(|index| crowd.id_at(index))
            .map(|character| DrawnCharacter { character, world_from_model })
            .collect();
        for length in [0, 1, 2, 3, 7, 59, 200] {
            let mut matrices = vec![Mat4::ZERO; length];
            for starts in [&[][..], &[0; 40], &[u32::MAX; 40], &[1; 3]] {
                crowd.write_in_world(&layout, &drawn, starts, &mut matrices);
                crowd.write_in_world(&SkinLayout::default(), &drawn, starts, &mut matrices);
            }
        }
    });
    table.row("Crowd::evaluate_into", || {
        for length in [0, 1, 2, 3, 7, 59, 60, 61, 200] {
            let mut palettes = vec![PaletteRows::IDENTITY; length];
            broken().evaluate_into(&mut palettes);
            assert!(is_finite(&palettes), "{length} entries");
        }
    });
}
