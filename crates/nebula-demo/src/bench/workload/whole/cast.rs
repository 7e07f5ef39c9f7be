//! The characters, what they play, and their surroundings.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use nebula_animation::procedural::ik::TwoBoneIk;
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, BlendSpace, Character, GroundPoint, JointMask, ProceduralAnimationStack, Rig,
    Skeleton, Surroundings, TargetId, clip::MorphLayout, rig::RigOptions,
};

use super::plain::{Part, PlainCharacter};
use crate::bench::rig::{self, Keys};
use crate::bench::workload::crowd::scattered;

/// What the characters do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A mixer plays one clip.
    Mixed,
    /// One clip that moves the face too, by 52 morph targets.
    Morph,
    /// The character that a game has: three gaits blended, the upper body doing something else, both legs brought to targets, chest and
    /// head turned to another one.
    Full,
    /// The same with feet that are placed on the ground instead of legs with targets.
    Feet,
}

/// How many morph targets a face has that is driven by a phone.
const MORPH_TARGETS: usize = 52;

/// Everything that the characters share.
pub struct Cast {
    pub kind: Kind,
    pub skeleton: Skeleton,
    /// Three gaits, and what the upper body does.
    pub clips: [AnimationClip; 4],
    pub library: AnimationClipLibrary,
    pub space: Arc<BlendSpace>,
    pub mask: JointMask,
    layers: ProceduralAnimationStack,
    /// How high the ground is below the middle.
    floor: f32,
}

impl Cast {
    pub fn new(kind: Kind) -> Result<Self, Box<dyn std::error::Error>> {
        let skeleton = rig::skeleton();
        let gait = |name, duration, swing| rig::gait(&skeleton, name, duration, swing, Keys::Sparse);
        let mut clips = [
            rig::walk(&skeleton, Keys::Sparse),
            rig::jog(&skeleton, Keys::Sparse),
            gait("sneak", 1.7, 0.25),
            gait("wave", 0.9, 0.5),
        ];
        if kind == Kind::Morph {
            rig::add_face(&mut clips[0], MORPH_TARGETS)?;
        }
        let options = RigOptions { morphs: MorphLayout::of_clips(&clips), ..RigOptions::default() };
        let rig = Rig::with_options(&skeleton, options);
        let library = AnimationClipLibrary::new(&rig, &clips);
        let corners = [(Vec2::ZERO, 0), (Vec2::X, 1), (Vec2::Y, 2)];
        let space = Arc::new(BlendSpace::plane(&library, &corners)?);
        let feet = rig.feet().ok_or("the character has no feet")?;
        let floor = feet.legs().iter().map(|leg| rig.position(leg.foot).y).fold(f32::INFINITY, f32::min);
        let (mask, layers) = (rig.upper_body()?, layers(kind, &rig)?);
        Ok(Self { kind, skeleton, clips, library, space, mask, layers, floor })
    }

    pub fn rig(&self) -> &Arc<Rig> {
        self.library.rig()
    }

    fn has_layers(&self) -> bool {
        matches!(self.kind, Kind::Full | Kind::Feet)
    }

    /// Where one is in the blend of gaits, at which part of their cycle, and at which second of the upper body's clip.
    fn moment(&self, index: usize) -> (Vec2, f64, f64) {
        let place = Vec2::new(0.2 + 0.3 * scattered(index, 1.0) as f32, 0.2 + 0.2 * scattered(index + 2, 1.0) as f32);
        (place, scattered(index, 1.0), scattered(index + 1, self.clips[3].duration))
    }

    pub fn character(&self, index: usize) -> Result<Character, Box<dyn std::error::Error>> {
        let mut character = Character::of(self.library.clone());
        let (place, phase, time) = self.moment(index);
        if self.has_layers() {
            let gait = character.mixer.add_blend_space(Arc::clone(&self.space));
            character.mixer.set_blend_position(gait, place)?;
            character.mixer.play(gait, 0.0)?.seek(phase);
            let upper_body = character.mixer.add_masked_layer("upper body", self.mask.clone());
            character.mixer.play_on(upper_body, "wave", 0.0)?.seek(time);
            character.layers = self.layers.clone();
        } else {
            character.mixer.play(0, 0.0)?.seek(phase * f64::from(self.clips[0].duration));
        }
        Ok(character)
    }

    /// The same character for the plain path.
    pub fn plain(&self, index: usize) -> PlainCharacter {
        let (place, phase, time) = self.moment(index);
        if self.has_layers() {
            let weights = self.space.weights(place);
            let parts =
                weights.iter().map(|&(sample, weight)| Part { clip: self.space.samples()[sample].clip, weight });
            let cycle = self.space.duration(&weights);
            PlainCharacter::new(self, index, parts.collect(), phase, cycle, Some(time), self.layers.clone())
        } else {
            let (parts, layers) = (vec![Part { clip: 0, weight: 1.0 }], ProceduralAnimationStack::default());
            let cycle = f64::from(self.clips[0].duration);
            PlainCharacter::new(self, index, parts, phase, cycle, None, layers)
        }
    }
}

fn layers(kind: Kind, rig: &Arc<Rig>) -> Result<ProceduralAnimationStack, Box<dyn std::error::Error>> {
    let mut layers = ProceduralAnimationStack::default();
    layers.push(rig.humanoid().aim(rig, Vec3::Z)?.following(TargetId(0)));
    if kind == Kind::Feet {
        layers.push(rig.humanoid().foot_placement(rig)?);
        return Ok(layers);
    }
    for (leg, id) in rig.feet().ok_or("the character has no feet")?.legs().iter().zip(1..) {
        let mut limb = TwoBoneIk::new(rig, [leg.thigh, leg.shin, leg.foot], rig.position(leg.foot));
        limb.follows = Some(TargetId(id));
        layers.push(limb);
    }
    Ok(layers)
}

/// The ground, a slope, and where the targets are at a time in seconds: one goes round the character, the others are near the rest
/// pose of a foot.
pub fn around(cast: &Cast, time: f64) -> (impl Fn(Vec3) -> Option<GroundPoint>, impl Fn(TargetId) -> Option<Vec3>) {
    let (rig, floor) = (cast.rig(), cast.floor);
    let (sine, cosine) = (time % std::f64::consts::TAU).sin_cos();
    let (sine, cosine) = (sine as f32, cosine as f32);
    let ground =
        move |place: Vec3| Some(GroundPoint::new(floor + 0.1 * place.x + 0.05 * place.z, Vec3::new(-0.1, 1.0, -0.05)));
    let targets = move |TargetId(id): TargetId| {
        let Some(leg) = (id as usize).checked_sub(1) else { return Some(Vec3::new(4.0 * sine, 1.5, 4.0 * cosine)) };
        let foot = rig.feet()?.legs().get(leg)?.foot;
        Some(rig.position(foot) + 0.05 * Vec3::new(sine, cosine, -sine))
    };
    (ground, targets)
}

pub fn surroundings<'a>(
    ground: &'a impl Fn(Vec3) -> Option<GroundPoint>,
    targets: &'a impl Fn(TargetId) -> Option<Vec3>,
) -> Surroundings<'a> {
    Surroundings { ground: Some(ground), targets: Some(targets), ..Surroundings::default() }
}
