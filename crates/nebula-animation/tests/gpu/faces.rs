//! Frames and crowds on the GPU with their faces: palettes and morph weights in one call, held against skinning on the CPU.

use glam::Vec3;
use nebula_animation::asset::MeshSelection;
use nebula_animation::crowd::SecondClip;
use nebula_animation::gpu::{Figure, Gpu, GpuError, GpuPalettes, Model, PaletteOptions, SkinInstance};
use nebula_animation::shader::PaletteFormat;
use nebula_animation::skinning::{Blending, SkinnedVertices};
use nebula_animation::{
    AnimationClipLibrary, Asset, Character, Crowd, Frame, LibraryOptions, Rig, Surroundings, asset::LoadOptions,
};

use crate::adapter::{Kind, gpu};
use crate::skinning::subjects::own;
use crate::stage::VertexStage;

/// Files with morph targets that clips move, one of which shows two meshes with them.
fn assets() -> Vec<Asset> {
    let has_face = |asset: &Asset| asset.animations.iter().any(|animation| !animation.morph_tracks.is_empty());
    let assets: Vec<Asset> = own().into_iter().map(|subject| subject.asset).filter(has_face).collect();
    assert!(assets.len() >= 2, "{} files", assets.len());
    assets
}

/// Characters that play the clips of a file, at several times.
fn characters(library: &AnimationClipLibrary) -> Vec<Character> {
    let character = |index: usize| {
        let mut character = Character::of(library.clone());
        character.mixer.play(index % library.len(), 0.0).expect("the clip is there");
        character.update(0.05 + 0.17 * index as f64, &Surroundings::default());
        // Into another clip, halfway.
        if index % 3 == 2 {
            character.mixer.play((index + 1) % library.len(), 0.5).expect("the clip is there");
            character.update(0.25, &Surroundings::default());
        }
        character
    };
    (0..7).map(character).collect()
}

/// Asserts that all parts of a figure come to the same on the GPU and on the CPU, with a palette and the weights of all slots; how many
/// vertices the weights move.
fn check(
    (gpu, stage): (&Gpu, &mut Option<VertexStage>),
    asset: &Asset,
    palettes: &GpuPalettes,
    figure: &Figure,
    (palette, slots): (&[glam::Mat4], &[f32]),
    what: &str,
) -> usize {
    let mut moved = 0;
    let mut parts = figure.parts.iter();
    for mesh in &asset.meshes {
        let first = mesh.morph_slot.unwrap_or_default();
        let weights: Vec<f32> = (0..mesh.morph_weights.len())
            .map(|target| slots.get(first + target).copied().unwrap_or(mesh.morph_weights[target]))
            .collect();
        for primitive in mesh.primitives.iter() {
            let part = parts.next().expect("a part for each primitive");
            // Rigid meshes are moved by the matrix of their joint, which the reference of `files` looks at.
            if mesh.skin.is_none() && mesh.joint.is_some() {
                continue;
            }
            let instance = SkinInstance {
                start_joint: figure.start_joint,
                first_weight: (figure.morph_instance * part.mesh.morphs.target_count()) as u32,
            };
            let stage = stage.get_or_insert_with(|| VertexStage::new(gpu, palettes, &part.mesh));
            let back = stage.skinned(gpu, palettes, &part.mesh, &[instance], false).expect("drawn");
            let mut skinned = SkinnedVertices::default();
            skinned.skin(&primitive.geometry(), &weights, palette, Blending::Linear);
            let mut still = SkinnedVertices::default();
            still.skin(&primitive.geometry(), &[], palette, Blending::Linear);
            let extent = skinned.positions.iter().fold(1.0_f32, |extent, at| extent.max(at.abs().max_element()));
            for (index, (found, expected)) in back.positions.iter().zip(&skinned.positions).enumerate() {
                let off = found.distance(*expected);
                assert!(off < 1e-5 * extent, "{what}, mesh {}, vertex {index}: {off} off", mesh.name);
                moved += usize::from(expected.distance(still.positions[index]) > 1e-3);
            }
            assert_eq!(back.positions.len(), skinned.positions.len());
            let is_turned = |(a, b): (&Vec3, &Vec3)| a.distance(*b) < 1e-4;
            assert!(skinned.normals.is_empty() || back.normals.iter().zip(&skinned.normals).all(is_turned), "{what}");
        }
    }
    moved
}

#[test]
fn frames_bring_their_palettes_and_faces() {
    for kind in [Kind::Vulkan, Kind::WebGl2] {
        let Some(gpu) = gpu("faces of frames", kind) else { continue };
        for format in [PaletteFormat::Rows, PaletteFormat::Matrices] {
            let (mut moved, mut stage) = (0, None);
            for asset in assets() {
                let library = AnimationClipLibrary::new(&asset.rig(), &asset.clips());
                let mut characters = characters(&library);
                let options = PaletteOptions { format, ..PaletteOptions::default() };
                let mut palettes = GpuPalettes::new(&gpu, &options).expect("palettes");
                let mut model = Model::new(&gpu, &asset).expect("a model");
                // More of them, then fewer.
                for count in [1, characters.len(), 3] {
                    let frames = characters[..count].iter().map(Character::frame);
                    model.upload(&gpu, &mut palettes, frames).expect("an upload");
                    for (index, character) in characters[..count].iter().enumerate() {
                        let (figure, frame) = (model.instance(index), character.frame());
                        let what = format!("{kind:?}, {format:?}, instance {index} of {count}");
                        moved += check(
                            (&gpu, &mut stage),
                            &asset,
                            &palettes,
                            &figure,
                            (frame.palette(), frame.morph_weights()),
                            &what,
                        );
                    }
                    characters.iter_mut().for_each(|one| one.update(0.1, &Surroundings::default()));
                }
            }
            assert!(moved > 100, "{kind:?}: {moved} vertices are morphed");
        }
    }
}

/// Two rigs in one crowd, characters of which come and go: one upload of palettes, the weights by rig.
#[test]
fn crowds_bring_their_palettes_and_faces() {
    let Some(gpu) = gpu("faces of a crowd", Kind::Vulkan) else { return };
    let assets = assets();
    let mut crowd = Crowd::new();
    let libraries: Vec<AnimationClipLibrary> = assets
        .iter()
        .map(|asset| {
            let options = LibraryOptions { for_palettes: true, ..LibraryOptions::default() };
            AnimationClipLibrary::with_options(&asset.rig(), &asset.clips(), options)
        })
        .collect();
    let mut all = Vec::new();
    for number in 0..24 {
        let library = &libraries[number % libraries.len()];
        let clips: Vec<_> = library.ids().map(|clip| crowd.add_clip(library, clip).expect("its own library")).collect();
        let id = crowd.spawn(clips[number % clips.len()]).expect("its own clip");
        let character = crowd.character_mut(id).expect("it is there");
        character.time = 0.07 * number as f64;
        character.second = (number % 5 == 0).then_some(SecondClip { clip: clips[0], time: 0.2, weight: 0.5 });
        all.push(id);
    }
    assert!([3, 4, 20].iter().all(|&number: &usize| crowd.remove(all[number]).is_some()));
    crowd.update(1.0 / 60.0);

    let mut palettes = GpuPalettes::new(&gpu, &PaletteOptions::default()).expect("palettes");
    palettes.upload(&gpu, crowd.palettes()).expect("an upload");
    let (mut moved, mut seen, mut stage) = (0, 0, None);
    for (asset, library) in assets.iter().zip(&libraries) {
        let mut model = Model::new(&gpu, asset).expect("a model");
        let rig = library.rig().id();
        model.set_morphs(&gpu, crowd.morph_weights_of(rig)).expect("weights");
        for (morph_instance, index) in crowd.indices_of(rig).enumerate() {
            let id = crowd.id_at(index).expect("it is there");
            let start_joint = crowd.palette_start(id).expect("it is there");
            let figure = Figure { start_joint, morph_instance, ..model.figure() };
            let palette: Vec<glam::Mat4> = crowd.palettes()[start_joint..][..library.rig().joint_count()]
                .iter()
                .map(|rows| rows.to_matrix())
                .collect();
            let start = crowd.morph_start(id).expect("it is there");
            let slots = &crowd.morph_weights()[start..][..library.rig().morphs().slot_count()];
            moved +=
                check((&gpu, &mut stage), asset, &palettes, &figure, (&palette, slots), &format!("character {index}"));
            seen += 1;
        }
    }
    assert_eq!(seen, crowd.characters().len());
    assert!(moved > 100, "{moved} vertices are morphed");
}

/// Weights that a rig does not have are those of the file at rest; a rig of other joints is refused.
#[test]
fn what_is_missing_is_at_rest_and_what_does_not_fit_is_refused() {
    let Some(gpu) = gpu("faces that do not fit", Kind::Vulkan) else { return };
    let asset = &assets()[0];
    let mut model = Model::new(&gpu, asset).expect("a model");
    let mut palettes = GpuPalettes::new(&gpu, &PaletteOptions::default()).expect("palettes");
    // A rig that knows nothing of faces.
    let (plain, mut stage) = (Frame::new(&Rig::new(&asset.skeleton)), None);
    model.upload(&gpu, &mut palettes, [&plain, &plain]).expect("an upload");
    for index in [0, 1] {
        check((&gpu, &mut stage), asset, &palettes, &model.instance(index), (plain.palette(), &[]), "without a face");
    }
    let other = Frame::new(&Rig::new(nebula_animation::Skeleton::default()));
    let refused = model.upload(&gpu, &mut palettes, [&plain, &other]);
    assert!(matches!(refused, Err(GpuError::Mismatch(_))), "{refused:?}");
    assert_eq!(palettes.joint_count(), 2 * asset.skeleton.joints.len(), "nothing was uploaded");
    // Nobody at all.
    model.upload(&gpu, &mut palettes, []).expect("nothing to upload");
    assert_eq!(palettes.joint_count(), 0);
    let options = LoadOptions { meshes: MeshSelection::None, ..LoadOptions::default() };
    let empty = Asset::load_with(concat!(env!("CARGO_MANIFEST_DIR"), "/test_assets/robot.glb"), &options);
    let empty = Model::new(&gpu, &empty.expect("a file without meshes"));
    empty.expect("no parts").set_morphs(&gpu, [&[1.0_f32; 3][..]]).expect("nothing to set");
}
