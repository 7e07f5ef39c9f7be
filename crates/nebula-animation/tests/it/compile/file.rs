//! Files of compiled clips: what is read is what was compiled, and what is no such file for the rig is an error that says why.

use std::sync::Arc;

use nebula_animation::compile::{ClipFileError, CompiledClip, RootMotionOptions};
use nebula_animation::palette::{Evaluator, PaletteRows};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, Asset, Compression, LibraryOptions, Marker, Rig, Skeleton,
    load_skeleton_and_clips,
};

use crate::determinism::{corpus, gltf_files};

fn humanoid() -> (Arc<Rig>, Vec<AnimationClip>) {
    let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref()).expect("the humanoid");
    (Rig::new(skeleton), clips)
}

fn options(is_compressed: bool) -> LibraryOptions {
    let mut options = LibraryOptions {
        compression: is_compressed.then(Compression::default),
        for_palettes: true,
        root_motion: Some(RootMotionOptions::default()),
        step_marker: Some("step".into()),
        ..LibraryOptions::default()
    };
    options.markers.add(1, Marker { name: "hit".into(), time: 0.25 });
    options
}

fn bits(rig: &Rig, clip: &CompiledClip) -> Vec<u32> {
    let mut evaluator = Evaluator::new();
    let mut rows = vec![PaletteRows::IDENTITY; rig.joint_count()];
    let mut all = Vec::new();
    for step in 0..23 {
        evaluator.palette_rows(rig, clip, clip.duration() * step as f32 / 21.0, &mut rows);
        all.extend(rows.iter().flat_map(|rows| rows.0.as_flattened()).map(|number| number.to_bits()));
    }
    all
}

fn assert_same(rig: &Arc<Rig>, clips: &[AnimationClip], options: LibraryOptions, what: &str) -> Vec<u8> {
    let library = AnimationClipLibrary::with_options(rig, clips, options.clone());
    let bytes = AnimationClipLibrary::to_bytes(rig, clips, options);
    let read = AnimationClipLibrary::from_bytes(rig, bytes.clone()).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(read.len(), library.len(), "{what}");
    assert_eq!(read.bytes(), library.bytes(), "{what}");
    for (read, compiled) in read.iter().zip(library.iter()) {
        let what = format!("{what}, {}", compiled.name());
        assert_eq!(read.name(), compiled.name());
        assert_eq!(read.duration(), compiled.duration(), "{what}");
        assert_eq!(**read, **compiled, "{what}");
        assert_eq!(bits(rig, read), bits(rig, compiled), "{what}");
        assert_eq!(bits(rig, read.for_palettes()), bits(rig, compiled.for_palettes()), "{what}");
        assert_eq!((read.markers(), read.root()), (compiled.markers(), compiled.root()), "{what}");
        assert_eq!((read.contacts(), read.velocity()), (compiled.contacts(), compiled.velocity()), "{what}");
    }
    bytes
}

#[test]
fn what_is_read_is_what_was_compiled() {
    let (rig, clips) = humanoid();
    let small = assert_same(&rig, &clips, options(true), "compressed").len();
    let large = assert_same(&rig, &clips, options(false), "as they are").len();
    assert!(small * 2 < large, "{small} bytes of {large}");
}

#[test]
fn clips_of_others_are_read_as_they_were_compiled() {
    let Some(folder) = corpus("clips_of_others_are_read_as_they_were_compiled") else { return };
    let mut files = 0;
    for file in gltf_files(&folder.join("characters")) {
        let Ok(asset) = Asset::load(&file) else { continue };
        let clips: Vec<AnimationClip> = asset.clips().iter().take(3).cloned().collect();
        let options = LibraryOptions { compression: Some(Compression::default()), ..LibraryOptions::default() };
        assert_same(&asset.rig(), &clips, options, &file.display().to_string());
        files += 1;
    }
    assert!(files > 5, "only {files} characters");
}

#[test]
fn bytes_that_are_borrowed_are_not_copied() {
    let (rig, clips) = humanoid();
    let bytes: &'static [u8] = AnimationClipLibrary::to_bytes(&rig, &clips, options(true)).leak();
    let borrowed = AnimationClipLibrary::from_bytes(&rig, bytes).expect("the clips");
    let owned = AnimationClipLibrary::from_bytes(&rig, bytes.to_vec()).expect("the clips");
    assert_eq!(bits(&rig, &borrowed[0]), bits(&rig, &owned[0]));
}

#[test]
fn what_is_no_file_of_clips_for_the_rig_is_refused_by_name() {
    let (rig, clips) = humanoid();
    let bytes = AnimationClipLibrary::to_bytes(&rig, &clips, options(true));
    let refused = |rig: &Arc<Rig>, bytes: &[u8]| {
        AnimationClipLibrary::from_bytes(rig, bytes.to_vec()).expect_err("another rig or no file")
    };
    for none in [&b""[..], b"NBC", b"glTF and more than sixteen bytes of it"] {
        assert_eq!(refused(&rig, none), ClipFileError::NotClips);
    }
    let mut newer = bytes.clone();
    newer[4] = 77;
    assert_eq!(refused(&rig, &newer), ClipFileError::Version { found: 77, expected: 1 });
    for at in [17, bytes.len() / 2, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        assert_eq!(refused(&rig, &changed), ClipFileError::Checksum, "byte {at}");
        assert_eq!(refused(&rig, &bytes[..at]), ClipFileError::Checksum, "{at} bytes");
    }
    let skeleton = || Skeleton { joints: rig.joints.clone() };
    let mut renamed = skeleton();
    renamed.joints[2].name = "tail".into();
    let said = refused(&Rig::new(renamed), &bytes).to_string();
    assert!(said.contains("\"tail\" here") && said.contains(&format!("{:?} there", rig.joints[2].name)), "{said}");
    let mut shorter = skeleton();
    let last = shorter.joints.pop().expect("a joint").name;
    let said = refused(&Rig::new(shorter), &bytes).to_string();
    assert!(said.contains(&format!("{last:?}")), "{said}");
    let mut longer = skeleton();
    let mut wing = longer.joints[1].clone();
    (wing.index, wing.name) = (longer.joints.len() as u16, "wing".into());
    longer.joints.push(wing);
    let said = refused(&Rig::new(longer), &bytes).to_string();
    assert!(said.contains("no \"wing\""), "{said}");
    let mut moved = skeleton();
    moved.joints[3].bind_translation.x += 0.1;
    let said = refused(&Rig::new(moved), &bytes).to_string();
    assert!(said.contains("another rest pose"), "{said}");
}
