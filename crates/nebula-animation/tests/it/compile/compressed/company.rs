//! Compressed clips where clips are: in libraries, mixers, layers and crowds.

use glam::{Affine3A, Vec3};
use nebula_animation::crowd::SecondClip;
use nebula_animation::palette::PaletteRows;
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, Asset, Character, Compression, Crowd, GroundPoint, GroundQuery, Surroundings,
};

use crate::determinism::corpus;

/// A hillside that goes up ahead.
struct Hill;

impl GroundQuery for Hill {
    fn ground(&self, place: Vec3) -> Option<GroundPoint> {
        Some(GroundPoint::new(0.1 * place.z, Vec3::new(0.0, 1.0, -0.1)))
    }
}

/// Whoever plays a compressed library with everything that a game has (a fade, a masked layer, a face, a gaze, feet on a hill) looks as with the plain
/// one, and so does a crowd.
#[test]
fn whatever_plays_clips_plays_compressed_ones() {
    let humanoid = std::path::PathBuf::from("test_assets/simple_humanoid.glb");
    let strangers = corpus("whatever_plays_clips_plays_compressed_ones").map_or_else(Vec::new, |folder| {
        ["robot-expressive.glb", "kaykit-knight.glb"].map(|file| folder.join("characters").join(file)).to_vec()
    });
    for file in [humanoid].into_iter().chain(strangers) {
        let asset = Asset::load(&file).expect("a character");
        let rig = asset.rig();
        let mut clips: Vec<AnimationClip> = asset.clips().to_vec();
        clips.truncate(14);
        clips.push(AnimationClip::of_morph_weight("frown", 0, &[(0.0, 0.0), (0.2, 1.0)]));
        let compression = Compression::default();
        let libraries =
            [AnimationClipLibrary::new(&rig, &clips), AnimationClipLibrary::compressed(&rig, &clips, &compression)];
        assert!(libraries[1].iter().any(|clip| clip.is_compressed()));
        let height = rig.joints.iter().map(|joint| rig.position(joint.index).y).fold(0.0, f32::max);
        let mut both = libraries.each_ref().map(|library| {
            let mut hero = Character::of(library.clone());
            hero.mixer.play(2, 0.0).expect("a clip");
            let arms = hero.mixer.add_masked_layer("arms", rig.upper_body().expect("a chest"));
            hero.mixer.play_on(arms, 1, 0.1).expect("a clip");
            let face = hero.mixer.add_masked_layer("face", rig.face());
            hero.mixer.play_on(face, "frown", 0.1).expect("a face").looping = false;
            hero.add_layer(rig.humanoid().aim(&rig, Vec3::new(1.0, 1.0, 9.0) * height).expect("a head"));
            hero.add_layer(rig.humanoid().foot_placement(&rig).expect("two legs"));
            hero
        });
        let mut sum = 0.0;
        for frame in 0_u16..180 {
            let z = 0.004 * height * f32::from(frame);
            let world_from_model = Affine3A::from_translation(Vec3::new(0.0, 0.1 * z, z));
            let around = Surroundings { world_from_model, ground: Some(&Hill), ..Default::default() };
            let frames = both.each_mut().map(|hero| {
                if frame == 60 {
                    hero.mixer.play(3, 0.3).expect("a clip");
                }
                hero.update(1.0 / 60.0, &around);
                hero.frame().clone()
            });
            let off = |joint: u16| {
                let [a, b] = frames.each_ref().map(|frame| frame.model_matrix(joint).w_axis.truncate());
                a.distance(b) / height
            };
            let worst = (0..rig.joint_count() as u16).map(off).fold(0.0, f32::max);
            // Between keys both go other ways, and a foot may land a frame apart.
            assert!(worst < 0.03, "{}, frame {frame}: {worst} of its height", file.display());
            sum += worst;
            let [plain, small] = frames.each_ref().map(|frame| frame.morph_weights());
            assert!(plain.iter().zip(small).all(|(a, b)| (a - b).abs() < 1e-3), "{plain:?}, {small:?}");
        }
        assert!(sum / 180.0 < 0.003, "{}: {} of its height on average", file.display(), sum / 180.0);
        let [plain, small] = libraries.each_ref().map(|library| {
            let mut crowd = Crowd::new();
            let clips =
                [1, 2].map(|clip| crowd.add_clip(library, library.ids().nth(clip).expect("a clip")).expect("a clip"));
            for index in 0..20_u8 {
                crowd.spawn(clips[0]).expect("one more");
                let member = crowd.characters_mut().last_mut().expect("the new one");
                member.time = 0.07 * f64::from(index);
                member.second = (index % 2 == 1).then_some(SecondClip { clip: clips[1], time: 0.1, weight: 0.5 });
            }
            crowd.update(0.3);
            crowd.palettes().to_vec()
        });
        // Where joints come to lie, by what their palettes do to their bind places.
        let far = |(index, (a, b)): (usize, (&PaletteRows, &PaletteRows))| {
            let place = rig.joints[index % rig.joint_count()].inverse_bind_matrix.inverse().w_axis.truncate();
            let [a, b] = [a, b].map(|rows| rows.to_matrix().transform_point3(place));
            a.distance(b) / height
        };
        let worst = plain.iter().zip(&small).enumerate().map(far).fold(0.0, f32::max);
        assert!(worst < 0.03, "{}: {worst} of its height in a crowd", file.display());
    }
}

/// Eight neighbours who play one compressed clip read once what all of its moments share. Each has the bits that it has alone.
#[test]
fn neighbours_that_play_one_clip_have_the_bits_of_each_alone() {
    let humanoid = std::path::PathBuf::from("test_assets/simple_humanoid.glb");
    let strangers = corpus("neighbours_that_play_one_clip_have_the_bits_of_each_alone")
        .map_or_else(Vec::new, |folder| vec![folder.join("characters/robot-expressive.glb")]);
    for file in [humanoid].into_iter().chain(strangers) {
        let asset = Asset::load(&file).expect("a character");
        let library = AnimationClipLibrary::compressed(&asset.rig(), &asset.clips(), &Compression::default());
        for clip in library.ids() {
            let palettes = |times: &[f64]| {
                let mut crowd = Crowd::new();
                let clip = crowd.add_clip(&library, clip).expect("a clip");
                for time in times {
                    crowd.spawn(clip).expect("one more");
                    crowd.characters_mut().last_mut().expect("the new one").time = *time;
                }
                crowd.evaluate();
                crowd.palettes().to_vec()
            };
            let times: Vec<f64> = (0..19).map(|index| 0.083 * f64::from(index)).collect();
            let alone: Vec<PaletteRows> = times.iter().flat_map(|time| palettes(&[*time])).collect();
            assert_eq!(palettes(&times), alone, "{}, {clip:?}", file.display());
        }
    }
}
