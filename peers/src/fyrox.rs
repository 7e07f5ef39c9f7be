//! `fyrox-animation`: an animation container per character, as fyrox's own animation player node holds.

use std::hint::black_box;

use fyrox_animation::container::{TrackDataContainer, TrackValueKind};
use fyrox_animation::core::math::curve::{Curve, CurveKey, CurveKeyKind};
use fyrox_animation::core::pool::{ErasedHandle, Handle};
use fyrox_animation::machine::{BlendPose, Machine, PoseNode, State};
use fyrox_animation::track::{Track, TrackBinding};
use fyrox_animation::value::{TrackValue, ValueBinding};
use fyrox_animation::{Animation, AnimationContainer, AnimationPose, AnimationTracksData, AnimationTracksDataResource};
use glam::{Quat, Vec3};
use nebula_animation::{AnimationClip as Authored, Channel};

use crate::scene::{Expected, FRAME_SECS, Fade, Playing, Runtime, Scene, positions_apart, rotations_apart};

/// What the figure stands for.
pub const SCOPE: &str =
    "sampling only, to a hash map of local values; its scene graph, which makes matrices, is not run";

/// Characters whose poses end where fyrox would write them into its scene graph.
pub struct Fyrox {
    characters: Vec<Character>,
    /// Seconds of the walk and of the jog.
    durations: [f64; 2],
    joint_count: usize,
}

struct Character {
    animations: AnimationContainer<ErasedHandle>,
    walk: Handle<Animation<ErasedHandle>>,
    fade: Option<Blend>,
    /// The node of the first joint.
    first_node: u32,
}

/// Blends the two clips with constant weights.
struct Blend {
    machine: Machine<ErasedHandle>,
    jog: Handle<Animation<ErasedHandle>>,
    weight: f32,
}

/// The tracks of a clip, which all characters share, and the joint of each.
struct Tracks {
    shared: AnimationTracksDataResource,
    targets: Vec<(fyrox_animation::core::uuid::Uuid, u32)>,
    duration: f32,
}

impl Fyrox {
    pub fn new(scene: &Scene) -> Self {
        let [walk, jog] = [&scene.walk, &scene.jog].map(Tracks::new);
        let character = |(index, start): (usize, &Playing)| {
            let first_node = (index * scene.joint_count()) as u32;
            let mut animations = AnimationContainer::new();
            let walk = animations.add(walk.play(start.walk, first_node));
            let fade = start.fade.map(|Fade { jog: time, weight }| {
                let jog = animations.add(jog.play(time, first_node));
                Blend { machine: blend(walk, jog, weight), jog, weight }
            });
            Character { animations, walk, fade, first_node }
        };
        Self {
            characters: scene.starts.iter().enumerate().map(character).collect(),
            durations: [&scene.walk, &scene.jog].map(|clip| f64::from(clip.duration)),
            joint_count: scene.joint_count(),
        }
    }
}

impl Runtime for Fyrox {
    fn frame(&mut self) {
        for character in &mut self.characters {
            if let Some(fade) = &mut character.fade {
                black_box(fade.machine.evaluate_pose(&mut character.animations, FRAME_SECS as f32));
            } else {
                for animation in character.animations.iter_mut().filter(|animation| animation.is_enabled()) {
                    animation.tick(FRAME_SECS as f32);
                }
            }
        }
    }

    fn shown(&self, character: usize) -> Playing {
        let Character { animations, walk, fade, .. } = &self.characters[character];
        // A tick takes the pose first, and moves the clock on afterwards.
        let time = |handle, duration| {
            (f64::from(animations.get(handle).time_position()) - f64::from(FRAME_SECS as f32)).rem_euclid(duration)
        };
        let fade = fade.as_ref().map(|fade| Fade { jog: time(fade.jog, self.durations[1]), weight: fade.weight });
        Playing { walk: time(*walk, self.durations[0]), fade }
    }

    fn difference(&self, character: usize, expected: &Expected) -> f32 {
        let character = &self.characters[character];
        let pose: &AnimationPose<_> = match &character.fade {
            Some(fade) => fade.machine.pose(),
            None => character.animations.get(character.walk).pose(),
        };
        let mut worst = 0.0_f32;
        for joint in 0..self.joint_count {
            let Some(node) = pose.poses().get(&node(character.first_node, joint as u32)) else { return f32::INFINITY };
            for bound in &node.values.values {
                worst = worst.max(match (&bound.binding, &bound.value) {
                    (ValueBinding::Rotation, TrackValue::UnitQuaternion(rotation)) => {
                        let xyzw = rotation.as_ref().coords;
                        let rotation = Quat::from_xyzw(xyzw[0], xyzw[1], xyzw[2], xyzw[3]);
                        // Fyrox blends by nlerp.
                        rotations_apart(rotation, expected.nlerp_rotations[joint])
                    }
                    (ValueBinding::Position, TrackValue::Vector3(position)) => {
                        positions_apart(Vec3::new(position.x, position.y, position.z), expected.pose[joint].0)
                    }
                    _ => f32::INFINITY,
                });
            }
        }
        worst
    }
}

impl Tracks {
    fn new(authored: &Authored) -> Self {
        let rotation = TrackValueKind::UnitQuaternion;
        let rotations = authored.rotation_channels.iter().map(|channel| {
            (track(channel, rotation, ValueBinding::Rotation, |value| value.to_array()), channel.joint_index)
        });
        let positions = authored.translation_channels.iter().map(|channel| {
            (
                track(channel, TrackValueKind::Vector3, ValueBinding::Position, |value| value.to_array()),
                channel.joint_index,
            )
        });
        let mut data = AnimationTracksData::default();
        let mut targets = Vec::new();
        for (track, joint) in rotations.chain(positions) {
            targets.push((track.id(), u32::from(joint)));
            data.add_track(track);
        }
        Self { shared: AnimationTracksDataResource::new_embedded(data), targets, duration: authored.duration }
    }

    /// An animation of one character's nodes.
    fn play(&self, start: f64, first_node: u32) -> Animation<ErasedHandle> {
        let mut animation = Animation::default();
        animation.set_tracks_data(self.shared.clone());
        for &(track, joint) in &self.targets {
            animation.track_bindings_mut().insert(track, TrackBinding::new(node(first_node, joint)));
        }
        animation.set_time_slice(0.0..self.duration);
        animation.set_loop(true).set_time_position(start as f32);
        animation
    }
}

/// A node of the scene graph that is not there.
fn node(first: u32, joint: u32) -> ErasedHandle {
    ErasedHandle::new(first + joint, 1)
}

/// A curve for each component, as fyrox's glTF importer makes them. All keys are kept: the importer leaves out some that it
/// finds needless, and is then less exact.
fn track<T: Copy, const N: usize>(
    channel: &Channel<T>,
    kind: TrackValueKind,
    binding: ValueBinding,
    components: impl Fn(T) -> [f32; N],
) -> Track {
    let mut container = TrackDataContainer::new(kind);
    for (component, curve) in container.curves_mut().iter_mut().enumerate() {
        let keys = channel.keyframes.iter();
        let keys = keys.map(|key| CurveKey::new(key.time, components(key.value)[component], CurveKeyKind::Linear));
        *curve = Curve::from(keys.collect::<Vec<_>>());
    }
    Track::new(container, binding)
}

/// A state machine of one state that blends two animations.
fn blend(
    walk: Handle<Animation<ErasedHandle>>,
    jog: Handle<Animation<ErasedHandle>>,
    weight: f32,
) -> Machine<ErasedHandle> {
    let mut machine = Machine::new();
    let layer = &mut machine.layers_mut()[0];
    let sources = [(walk, 1.0 - weight), (jog, weight)].map(|(animation, weight)| {
        BlendPose::with_constant_weight(weight, layer.add_node(PoseNode::make_play_animation(animation)))
    });
    let root = layer.add_node(PoseNode::make_blend_animations(sources.into()));
    let state = layer.add_state(State::new("fade", root));
    layer.set_entry_state(state);
    machine
}
