//! `bevy_animation` with the entities that bevy's glTF loader makes of a character, apart from what rendering adds.

use std::time::Duration;

use bevy_animation::prelude::*;
use bevy_animation::{AnimatedBy, AnimationTargetId, animated_field};
use bevy_app::{App, PostUpdate, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, Assets, Handle};
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::name::Name;
use bevy_math::curve::UnevenSampleAutoCurve;
use bevy_math::{Mat4, Quat, Vec3};
use bevy_time::Time;
use bevy_transform::TransformPlugin;
use bevy_transform::components::{GlobalTransform, Transform};
use nebula_animation::{AnimationClip as Authored, Joint};

use crate::scene::{Expected, FRAME_SECS, Fade, Playing, Runtime, Scene, matrices_apart, rotations_apart};

/// What the figure stands for.
pub const SCOPE: &str = "the PostUpdate schedule: animation and transform propagation, to a GlobalTransform per joint";

/// An app without a window, and one player entity per character above a tree of joint entities.
pub struct Bevy {
    app: App,
    players: Vec<Entity>,
    /// Of all characters.
    joints: Vec<Entity>,
    joint_count: usize,
    walk: AnimationNodeIndex,
    jog: Option<AnimationNodeIndex>,
}

impl Bevy {
    pub fn new(scene: &Scene) -> Result<Self, String> {
        let mut app = App::new();
        app.add_plugins((TaskPoolPlugin::default(), AssetPlugin::default(), TransformPlugin, AnimationPlugin));
        app.init_resource::<Time>();
        app.finish();
        app.cleanup();

        let mut clips = vec![clip(scene, &scene.walk)?];
        if scene.is_fading() {
            clips.push(clip(scene, &scene.jog)?);
        }
        let mut assets = app.world_mut().resource_mut::<Assets<AnimationClip>>();
        let handles: Vec<Handle<AnimationClip>> = clips.into_iter().map(|clip| assets.add(clip)).collect();
        let (graph, nodes) = AnimationGraph::from_clips(handles);
        let graph = app.world_mut().resource_mut::<Assets<AnimationGraph>>().add(graph);
        let walk = *nodes.first().ok_or("no node for the walk")?;

        let mut bevy = Self {
            app,
            players: Vec::new(),
            joints: Vec::new(),
            joint_count: scene.joint_count(),
            walk,
            jog: nodes.get(1).copied(),
        };
        for &start in &scene.starts {
            bevy.spawn(scene, start, &graph);
        }
        // Without time passing: startup schedules, and what assets set off.
        for _ in 0..3 {
            bevy.app.update();
        }
        Ok(bevy)
    }

    fn spawn(&mut self, scene: &Scene, start: Playing, graph: &Handle<AnimationGraph>) {
        let mut player = AnimationPlayer::default();
        player.play(self.walk).seek_to(start.walk as f32).repeat();
        if let (Some(Fade { jog, weight }), Some(node)) = (start.fade, self.jog) {
            player.play(self.walk).set_weight(1.0 - weight);
            player.play(node).seek_to(jog as f32).set_weight(weight).repeat();
        }
        let world = self.app.world_mut();
        let root = (Name::new("character"), Transform::default(), player, AnimationGraphHandle(graph.clone()));
        let root = world.spawn(root).id();
        let first = self.joints.len();
        for joint in &scene.skeleton.joints {
            let parent = joint.parent.map_or(root, |parent| self.joints[first + usize::from(parent)]);
            let parts = (name(joint), rest(joint), target(joint), AnimatedBy(root), ChildOf(parent));
            self.joints.push(world.spawn(parts).id());
        }
        self.players.push(root);
    }
}

impl Runtime for Bevy {
    fn frame(&mut self) {
        let world = self.app.world_mut();
        world.resource_mut::<Time>().advance_by(Duration::from_secs_f64(FRAME_SECS));
        world.run_schedule(PostUpdate);
        world.clear_trackers();
    }

    fn shown(&self, character: usize) -> Playing {
        let player = self.app.world().get::<AnimationPlayer>(self.players[character]);
        let active = |node| player.and_then(|player| player.animation(node));
        let time = |node| active(node).map_or(f64::NAN, |active| f64::from(active.seek_time()));
        let weight = |node| active(node).map_or(f32::NAN, |active| active.weight());
        Playing { walk: time(self.walk), fade: self.jog.map(|jog| Fade { jog: time(jog), weight: weight(jog) }) }
    }

    fn difference(&self, character: usize, expected: &Expected) -> f32 {
        let world = self.app.world();
        let joints = &self.joints[character * self.joint_count..][..self.joint_count];
        let global = |joint: &Entity| world.get::<GlobalTransform>(*joint).map_or(Mat4::NAN, |it| it.affine().into());
        let models = joints.iter().map(|joint| glam::Mat4::from_cols_array(&global(joint).to_cols_array()));
        let local = |joint: &Entity| world.get::<Transform>(*joint).map_or(Quat::NAN, |local| local.rotation);
        let rotations = joints.iter().map(|joint| glam::Quat::from_array(local(joint).to_array()));
        let pairs = rotations.zip(&expected.pose);
        let worst = pairs.map(|(rotation, expected)| rotations_apart(rotation, expected.1)).fold(0.0, f32::max);
        worst.max(matrices_apart(models, &expected.model))
    }
}

fn name(joint: &Joint) -> Name {
    Name::new(joint.name.clone())
}

fn target(joint: &Joint) -> AnimationTargetId {
    AnimationTargetId::from_name(&name(joint))
}

fn rest(joint: &Joint) -> Transform {
    Transform {
        translation: Vec3::from_array(joint.bind_translation.to_array()),
        rotation: Quat::from_array(joint.bind_rotation.to_array()),
        scale: Vec3::from_array(joint.bind_scale.to_array()),
    }
}

/// A clip with the curves that bevy's glTF loader makes of linear channels.
fn clip(scene: &Scene, authored: &Authored) -> Result<AnimationClip, String> {
    let mut clip = AnimationClip::default();
    let target = |index: u16| target(&scene.skeleton.joints[usize::from(index)]);
    for channel in &authored.rotation_channels {
        let keys = channel.keyframes.iter().map(|key| (key.time, Quat::from_array(key.value.to_array())));
        let curve = UnevenSampleAutoCurve::new(keys).map_err(|error| error.to_string())?;
        let property = animated_field!(Transform::rotation);
        clip.add_curve_to_target(target(channel.joint_index), AnimatableCurve::new(property, curve));
    }
    for channel in &authored.translation_channels {
        let keys = channel.keyframes.iter().map(|key| (key.time, Vec3::from_array(key.value.to_array())));
        let curve = UnevenSampleAutoCurve::new(keys).map_err(|error| error.to_string())?;
        let property = animated_field!(Transform::translation);
        clip.add_curve_to_target(target(channel.joint_index), AnimatableCurve::new(property, curve));
    }
    Ok(clip)
}
