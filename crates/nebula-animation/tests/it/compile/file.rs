//! Files of compiled clips: what is read is what was compiled, and what is no such file for the rig is an error that says why.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use nebula_animation::compile::{ClipFileError, CompiledClip, RootMotionOptions};
use nebula_animation::palette::{Evaluator, PaletteRows};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, Asset, Compression, Joint, LibraryOptions, Marker, Rig, Skeleton,
    load_skeleton_and_clips,
};

use crate::determinism::{corpus, gltf_files};
use crate::fuzz::clips::mended;

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
        // Why a clip was kept as it is is not in the file.
        if compiled.report().uncompressed.is_none() {
            assert_eq!(**read, **compiled, "{what}");
        }
        assert_eq!(read.report().groups, compiled.report().groups, "{what}");
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

/// Bytes that count how often they are asked for.
struct Watched {
    bytes: Vec<u8>,
    asked: Arc<AtomicUsize>,
}

impl AsRef<[u8]> for Watched {
    fn as_ref(&self) -> &[u8] {
        self.asked.fetch_add(1, Ordering::Relaxed);
        &self.bytes
    }
}

#[test]
fn bytes_that_are_borrowed_are_not_copied() {
    let (rig, clips) = humanoid();
    let bytes = AnimationClipLibrary::to_bytes(&rig, &clips, options(true));
    let asked = Arc::new(AtomicUsize::new(0));
    let watched = Watched { bytes: bytes.clone(), asked: Arc::clone(&asked) };
    let borrowed = AnimationClipLibrary::from_bytes(&rig, watched).expect("the clips");
    let owned = AnimationClipLibrary::from_bytes(&rig, bytes).expect("the clips");
    for (borrowed, owned) in borrowed.iter().zip(owned.iter()).filter(|(clip, _)| clip.is_compressed()) {
        let before = asked.load(Ordering::Relaxed);
        assert_eq!(bits(&rig, borrowed), bits(&rig, owned));
        let poses = asked.load(Ordering::Relaxed) - before;
        assert!(poses >= 23, "{}: asked {poses} times for 23 poses: it has a copy", borrowed.name());
    }
    drop(borrowed);
    assert_eq!(Arc::strong_count(&asked), 1, "the bytes are not given back");
}

/// Replaces what is there once.
fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let places: Vec<usize> = (16..bytes.len() - old.len()).filter(|at| bytes[*at..].starts_with(old)).collect();
    assert_eq!(places.len(), 1, "{old:?} is there {} times", places.len());
    let mut changed = bytes.to_vec();
    changed[places[0]..places[0] + old.len()].copy_from_slice(new);
    mended(changed)
}

#[test]
fn what_would_take_a_machine_for_hours_is_refused() {
    let (rig, clips) = humanoid();
    let mut options = LibraryOptions { compression: Some(Compression::default()), ..LibraryOptions::default() };
    options.markers.add(0, Marker { name: "first of two".into(), time: 0.125 });
    options.markers.add(0, Marker { name: "second of two".into(), time: 0.25 });
    let bytes = AnimationClipLibrary::to_bytes(&rig, &clips[..1], options);
    assert_eq!(mended(bytes.clone()), bytes);
    let refused = |bytes: Vec<u8>| AnimationClipLibrary::from_bytes(&rig, bytes).expect_err("damaged").to_string();
    // Each marker that comes before all others moves them all.
    let first = [b"first of two".as_slice(), &0.125_f64.to_le_bytes()].concat();
    let late = [b"first of two".as_slice(), &0.375_f64.to_le_bytes()].concat();
    let said = refused(replaced(&bytes, &first, &late));
    assert!(said.contains("the times of markers fall"), "{said}");
    // Groups of joints that stand still take no bytes for a segment, and time for each sample: a group of two joints, on the same one.
    let groups = (16..bytes.len() - 22).filter(|at| is_group(&bytes[*at..], rig.joint_count()));
    let said: Vec<String> = groups
        .map(|at| {
            let mut twice = bytes.clone();
            twice.copy_within(at + 6..at + 8, at + 8);
            AnimationClipLibrary::from_bytes(&rig, mended(twice))
                .err()
                .map(|error| error.to_string())
                .unwrap_or_default()
        })
        .collect();
    assert!(said.iter().any(|said| said.contains("is moved twice")), "{said:?}");
    // Every clip has a rest pose at least, whatever else it has not.
    let joints = (0..2_000_u16).map(|index| Joint {
        index,
        parent: index.checked_sub(1),
        name: index.to_string(),
        ..rig.joints[0].clone()
    });
    let large = Rig::new(Skeleton { joints: joints.collect() });
    let empty: Vec<AnimationClip> = (0..65_000).map(|_| AnimationClip::default()).collect();
    let none = AnimationClipLibrary::to_bytes(&large, &empty[..1], LibraryOptions::default());
    let of_one = none.len() - AnimationClipLibrary::to_bytes(&large, &empty[..0], LibraryOptions::default()).len();
    let mut many = none.clone();
    let count = none.len() - of_one - 4;
    many[count..count + 4].copy_from_slice(&65_000_u32.to_le_bytes());
    many.extend(none[none.len() - of_one..].repeat(64_999));
    let error = AnimationClipLibrary::from_bytes(&large, mended(many)).expect_err("gigabytes of rest poses");
    assert!(error.to_string().contains("65000 clips would take"), "{error}");
}

/// Whether these bytes may be a group of several joints that turn.
fn is_group(bytes: &[u8], joint_count: usize) -> bool {
    let is_joint =
        |member: usize| usize::from(u16::from_le_bytes([bytes[6 + 2 * member], bytes[7 + 2 * member]])) < joint_count;
    let members = usize::from(bytes[1]);
    bytes[0] < 4
        && (2..=8).contains(&members)
        && bytes[2..6].iter().all(|width| *width < 25)
        && (0..members).all(is_joint)
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
