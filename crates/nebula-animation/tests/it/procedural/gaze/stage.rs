//! A character that plays a clip and looks at something, and what its head does then, by its matrices in f64.

use std::f32::consts::TAU;
use std::sync::Arc;

use glam::{Affine3A, DMat3, DMat4, DVec3, Mat4, Quat, Vec3};
use nebula_animation::{
    AimLayer, AnimationClip, AnimationClipLibrary, Channel, Character, HumanoidJoint, Interpolation, JointPose,
    Keyframe, Retarget, Rig, Skeleton, Surroundings, load_skeleton_and_clips, skeleton::Side,
};

use super::super::degrees_between;
use crate::determinism::corpus;
use crate::support::humanoid::humanoid;

pub const RATES: [u16; 3] = [30, 60, 144];

/// A character and one of its clips.
pub struct Stage {
    pub name: String,
    pub rig: Arc<Rig>,
    pub library: AnimationClipLibrary,
    pub clip: String,
    pub head: u16,
    /// Joints of the eyes, where there are some.
    pub eyes: Vec<u16>,
}

/// Where everything is at a moment, in seconds.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    pub entity: &'a dyn Fn(f32) -> Affine3A,
    pub target: &'a dyn Fn(f32) -> Vec3,
    pub seconds: f32,
    /// Seconds at the beginning that do not count.
    pub unseen: f32,
}

/// What came of a scene: how far the head's front was from the target, and how fast it and the whole joint turned, in degrees.
#[derive(Debug, Clone, Copy, Default)]
pub struct Figures {
    pub mean: f64,
    pub largest: f64,
    pub speed: f64,
    pub joint_speed: f64,
}

impl Stage {
    fn new(name: &str, rig: &Arc<Rig>, library: &AnimationClipLibrary, clip: &str) -> Self {
        let head = rig.humanoid().require(HumanoidJoint::Head).expect("a head");
        let eyes = Side::BOTH.into_iter().filter_map(|side| rig.humanoid().get(HumanoidJoint::Eye(side))).collect();
        let (rig, library) = (rig.clone(), library.clone());
        Self { name: format!("{name}, {clip}"), rig, library, clip: clip.into(), head, eyes }
    }

    /// Our own humanoid: its gaits, and one whose torso swings as those of others do.
    pub fn own() -> Vec<Self> {
        Self::of_humanoid(&["walk", "run", "swing"], |_| {})
    }

    /// Clips of our own humanoid, after a change of its skeleton: its own ones, "swing" and "turn round".
    pub fn of_humanoid(wanted: &[&str], change: impl Fn(&mut Skeleton)) -> Vec<Self> {
        let (mut skeleton, mut clips) = humanoid();
        clips.extend([swing(&skeleton), turn_round(&skeleton)]);
        change(&mut skeleton);
        let rig = Rig::new(skeleton);
        let library = AnimationClipLibrary::new(&rig, &clips);
        wanted.iter().map(|clip| Self::new("humanoid", &rig, &library, clip)).collect()
    }

    /// Gaits of characters that nobody here made.
    pub fn of_others(test: &str) -> Vec<Self> {
        let gaits: [(&str, &[&str]); 3] = [
            ("kaykit-knight.glb", &["Walking_A", "Running_A"]),
            ("robot-expressive.glb", &["Walking", "Running"]),
            ("m2m-sample-rig.glb", &["New Custom"]),
        ];
        let own = gaits.into_iter().flat_map(|(file, clips)| Self::of_file(test, file, |clip| clips.contains(&clip)));
        own.chain(Self::of_borrowers(test)).collect()
    }

    /// Characters without gaits, in those of the knight.
    fn of_borrowers(test: &str) -> Vec<Self> {
        let Some(shared) = corpus(test) else { return Vec::new() };
        let load = |file: &str| load_skeleton_and_clips(&shared.join("characters").join(file)).expect("it loads");
        let (skeleton, clips) = load("kaykit-knight.glb");
        let (knight, gaits) = (Rig::new(skeleton), ["Walking_A", "Running_A"]);
        let mut stages = Vec::new();
        for file in ["m2m-human-sophia.glb", "m2m-human-female.glb", "vrm1-example.vrm"] {
            let rig = Rig::new(load(file).0);
            let retarget = Retarget::new(&knight, &rig).expect("two humans");
            let lent = clips.iter().filter(|clip| gaits.contains(&&*clip.name));
            let lent: Vec<AnimationClip> = lent.map(|clip| retarget.clip(clip)).collect();
            let library = AnimationClipLibrary::new(&rig, &lent);
            stages.extend(gaits.map(|clip| Self::new(file, &rig, &library, clip)));
        }
        stages
    }

    /// Clips of one of those characters.
    pub fn of_file(test: &str, file: &str, is_wanted: impl Fn(&str) -> bool) -> Vec<Self> {
        let Some(shared) = corpus(test) else { return Vec::new() };
        let (skeleton, clips) = load_skeleton_and_clips(&shared.join("characters").join(file)).expect("it loads");
        let rig = Rig::new(skeleton);
        let library = AnimationClipLibrary::new(&rig, &clips);
        let wanted = clips.iter().filter(|clip| is_wanted(&clip.name));
        wanted.map(|clip| Self::new(file, &rig, &library, &clip.name)).collect()
    }

    pub fn front(&self) -> Vec3 {
        self.rig.front().expect("it has a face")
    }

    /// A place at the height of the head, by an angle in degrees to the left of the front, so many times as far as the head is high.
    pub fn around(&self, degrees: f32, heights: f32) -> Vec3 {
        let height = self.rig.position(self.head).y;
        Quat::from_rotation_y(degrees.to_radians()) * self.front() * heights * height + Vec3::Y * height
    }

    pub fn aim(&self) -> AimLayer {
        self.rig.humanoid().aim(&self.rig, self.around(0.0, 5.0)).expect("a head")
    }

    /// The character as it begins.
    pub fn character(&self, layer: Option<AimLayer>) -> Character {
        let mut character = Character::of(self.library.clone());
        character.mixer.play(&*self.clip, 0.0).expect("a clip");
        layer.into_iter().for_each(|layer| character.add_layer(layer));
        character
    }

    /// Where the head is and where it looks, in world space.
    pub fn gaze(&self, character: &Character, entity: Affine3A) -> (DMat4, DVec3) {
        let wide = |matrix: Mat4| DMat4::from_cols_array(&matrix.to_cols_array().map(f64::from));
        let rest = wide(Mat4::from(self.rig.model_from_joint(self.head)));
        let axis = DMat3::from_mat4(rest).inverse() * self.front().as_dvec3();
        let head = wide(Mat4::from(entity)) * wide(character.frame().model_matrix(self.head));
        (head, head.transform_vector3(axis).normalize())
    }

    /// Where the eyes look, in world space: those of the head's front where there are none.
    pub fn eyes_look(&self, character: &Character) -> DVec3 {
        let wide = |matrix: Mat4| DMat3::from_mat4(DMat4::from_cols_array(&matrix.to_cols_array().map(f64::from)));
        let joints = if self.eyes.is_empty() { std::slice::from_ref(&self.head) } else { &self.eyes };
        let look = |joint: &u16| {
            let at_rest = wide(Mat4::from(self.rig.model_from_joint(*joint)));
            wide(character.frame().model_matrix(*joint)) * at_rest.inverse() * self.front().as_dvec3()
        };
        joints.iter().map(look).sum::<DVec3>().normalize()
    }

    /// Plays a scene and tells of each frame its time, the character and the entity.
    pub fn play(
        &self,
        rate: u16,
        layer: Option<AimLayer>,
        scene: Scene<'_>,
        mut frame: impl FnMut(f32, &Character, Affine3A),
    ) {
        let mut character = self.character(layer);
        for number in 1..=(scene.seconds * f32::from(rate)) as u16 {
            let time = f32::from(number) / f32::from(rate);
            let entity = (scene.entity)(time);
            if let Some(aim) = character.layer_mut::<AimLayer>() {
                aim.target = (scene.target)(time);
            }
            character.update(1.0 / f64::from(rate), &Surroundings::at(entity));
            frame(time, &character, entity);
        }
    }

    pub fn figures(&self, rate: u16, layer: Option<AimLayer>, scene: Scene<'_>) -> Figures {
        let (mut before, mut figures, mut count) = (None::<(DVec3, DMat3)>, Figures::default(), 0);
        self.play(rate, layer, scene, |time, character, entity| {
            let (head, gaze) = self.gaze(character, entity);
            let [x, y, z] = [head.x_axis, head.y_axis, head.z_axis].map(|axis| axis.truncate().normalize());
            let was = before.replace((gaze, DMat3::from_cols(x, y, z)));
            if time <= scene.unseen {
                return;
            }
            let error = degrees_between(gaze, (scene.target)(time).as_dvec3() - head.w_axis.truncate());
            (figures.mean, figures.largest, count) = (figures.mean + error, figures.largest.max(error), count + 1);
            let Some((way, axes)) = was else { return };
            figures.speed = figures.speed.max(degrees_between(way, gaze) * f64::from(rate));
            let turn = DMat3::from_cols(x, y, z) * axes.transpose();
            let cosine = (turn.x_axis.x + turn.y_axis.y + turn.z_axis.z - 1.0) / 2.0;
            figures.joint_speed =
                figures.joint_speed.max(cosine.clamp(-1.0, 1.0).acos().to_degrees() * f64::from(rate));
        });
        figures.mean /= f64::from(count.max(1));
        figures
    }
}

/// The bits of a pose.
pub fn pose(character: &Character) -> Vec<JointPose> {
    let mut pose = character.rig().bind_pose();
    character.frame().write_pose(&mut pose);
    pose
}

/// A clip in which the spine swings by 15 degrees to either side and rolls by 8, in steps of 0.7 seconds, while the hips go up and down by 3
/// centimetres: about what real gaits do.
fn swing(skeleton: &Skeleton) -> AnimationClip {
    let turn = |phase: f32| {
        let (yaw, roll) = (15_f32.to_radians() * phase.sin(), 8_f32.to_radians() * phase.cos());
        Quat::from_rotation_y(yaw) * Quat::from_rotation_z(roll)
    };
    let mut clip = cycle("swing", 0.7, skeleton, "Spine", turn);
    let hips = skeleton.joint_by_name("Hips").expect("it has hips");
    let rest = skeleton.joints[usize::from(hips)].bind_translation;
    let keyframes = keys(0.7, |phase| rest + Vec3::Y * 0.03 * (2.0 * phase).sin());
    clip.translation_channels = vec![Channel { joint_index: hips, interpolation: Interpolation::Linear, keyframes }];
    clip
}

/// A clip in which the whole body turns its back to where the entity faces, and comes back the same way.
fn turn_round(skeleton: &Skeleton) -> AnimationClip {
    let turn = |phase: f32| Quat::from_rotation_y(85_f32.to_radians() * (1.0 - phase.cos()));
    cycle("turn round", 4.0, skeleton, "Hips", turn)
}

/// A clip that turns one joint, by what is told for each phase in radians.
fn cycle(name: &str, duration: f32, skeleton: &Skeleton, joint: &str, turn: impl Fn(f32) -> Quat) -> AnimationClip {
    let joint_index = skeleton.joint_by_name(joint).expect("it has one");
    let rest = skeleton.joints[usize::from(joint_index)].bind_rotation;
    let keyframes = keys(duration, |phase| turn(phase) * rest);
    let rotation_channels = vec![Channel { joint_index, interpolation: Interpolation::Linear, keyframes }];
    AnimationClip { name: name.into(), duration, rotation_channels, ..AnimationClip::default() }
}

fn keys<T: Clone>(duration: f32, value: impl Fn(f32) -> T) -> Vec<Keyframe<T>> {
    let key = |number: u8| {
        let part = f32::from(number) / 84.0;
        Keyframe { time: duration * part, value: value(TAU * part), tangents: None }
    };
    (0..=84).map(key).collect()
}
