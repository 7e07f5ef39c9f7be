//! What the hero does, written down, and the checks on it.

use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3};
use nebula_animation::asset::Primitive;
use nebula_animation::skinning::{Blending, Geometry, SkinnedVertices};
use nebula_animation::{AnimationClip, palette::model_matrices, sample_pose};

use crate::scene::Scene;
use crate::scene::cast::Cast;
use crate::scene::hero::Hero;
use crate::scene::script::Script;
use crate::scene::solo::{Pace, simulate};

/// One moment.
pub struct Moment {
    pub place: Vec3,
    pub forward: Vec3,
    /// Of all joints, in the hero's own frame.
    pub joints: Vec<Vec3>,
    /// Of the left and the right foot: whether it is planted, and the vertices of its sole in the world, each with its height
    /// above the ground.
    pub feet: [(bool, Vec<(Vec3, f32)>); 2],
    pub sword: Mat4,
    /// World from the joint that holds the sword.
    pub hand: Mat4,
}

/// A script as it was played.
pub struct Record {
    pub moments: Vec<Moment>,
    /// Seconds from one moment to the next.
    pub dt: f32,
}

/// Plays a scene, or the whole demo, once with so many moments in a second. `plant` may do something to the hero before.
pub fn record(scene: Option<Scene>, rate: f32, plant: impl FnOnce(&mut Hero)) -> Record {
    let cast = Cast::load().expect("the models");
    let mut script = Script::of(scene);
    let count = (script.seconds * rate) as usize + 1;
    let mut hero = Hero::new(&cast, script.hills, Vec2::ZERO).expect("the hero");
    plant(&mut hero);
    let soles = [["LeftFoot", "LeftToeBase"], ["RightFoot", "RightToeBase"]].map(|names| Sole::new(&cast, names));
    let hand = cast.humanoid.asset.skeleton.joint_by_name("RightHand").expect("a hand");
    let mut moments = Vec::with_capacity(count);
    simulate(&mut script, &mut hero, count, Pace { rate, steps: 1 }, |hero| {
        let [body, sword] = hero.bodies();
        let (model_from_world, feet) = (body.place.inverse(), hero.feet());
        moments.push(Moment {
            place: hero.walker.place(),
            forward: hero.walker.forward(),
            joints: hero.joints().map(|(_, place)| model_from_world.transform_point3(place)).collect(),
            feet: [0, 1].map(|foot| (feet[foot].0, soles[foot].on_ground(hero))),
            sword: sword.place,
            hand: hero.joint(hand),
        });
    })
    .expect("the script");
    Record { moments, dt: 1.0 / rate }
}

impl Record {
    /// The fastest that any joint moves in the hero's own frame, in metres per second, and when.
    pub fn fastest_joint(&self) -> (f32, f32) {
        let mut fastest = (0.0, 0.0);
        for (step, pair) in self.moments.windows(2).enumerate() {
            for (before, after) in pair[0].joints.iter().zip(&pair[1].joints) {
                let speed = before.distance(*after) / self.dt;
                if speed > fastest.0 {
                    fastest = (speed, step as f32 * self.dt);
                }
            }
        }
        fastest
    }

    /// The farthest that a planted foot slides from one moment to the next, in metres, and when: by the vertex of its sole that
    /// moves least among those that touch the ground. A foot may roll from heel to toes, but something of it stands.
    pub fn worst_slide(&self) -> (f32, f32) {
        let mut worst = (0.0, 0.0);
        for (step, pair) in self.moments.windows(2).enumerate() {
            for foot in 0..2 {
                let [(before, old), (after, new)] = [&pair[0].feet[foot], &pair[1].feet[foot]];
                if !(*before && *after) {
                    continue;
                }
                let touching = old.iter().zip(new).filter(|(old, new)| old.1 < TOUCH && new.1 < TOUCH);
                let moved = |(old, new): (&(Vec3, f32), &(Vec3, f32))| old.0.with_y(0.0).distance(new.0.with_y(0.0));
                let least = touching.map(moved).fold(f32::INFINITY, f32::min);
                if least.is_finite() && least > worst.0 {
                    worst = (least, step as f32 * self.dt);
                }
            }
        }
        worst
    }

    /// The largest height of a planted foot's lowest vertex above the ground or below it, in metres, and when.
    pub fn worst_gap(&self) -> (f32, f32) {
        let mut worst = (0.0, 0.0);
        for (step, moment) in self.moments.iter().enumerate() {
            for (_, sole) in moment.feet.iter().filter(|(is_planted, _)| *is_planted) {
                let lowest = sole.iter().map(|vertex| vertex.1).fold(f32::INFINITY, f32::min);
                if lowest.abs() > worst.0 {
                    worst = (lowest.abs(), step as f32 * self.dt);
                }
            }
        }
        worst
    }

    /// The largest distance of the sword's grip from its place in the hand, in metres.
    pub fn worst_grip(&self, in_hand: Vec3) -> f32 {
        let of = |moment: &Moment| moment.sword.w_axis.truncate().distance(moment.hand.transform_point3(in_hand));
        self.moments.iter().map(of).fold(0.0, f32::max)
    }
}

/// Height below which a vertex touches the ground, in metres: what a shoe's sole yields.
const TOUCH: f32 = 0.012;

/// The fastest that any joint of some clips moves, in metres per second, by the plain sampling of the library.
pub fn fastest_in_clips(cast: &Arc<Cast>, names: &[&str]) -> f32 {
    let asset = &cast.humanoid.asset;
    let mut fastest = 0.0_f32;
    for name in names {
        let clip: AnimationClip = asset.animations[cast.humanoid.clip(name).expect("a clip")].to_clip();
        let steps = (clip.duration * 200.0) as usize;
        let mut before: Vec<Mat4> = Vec::new();
        for step in 0..=steps {
            let mut pose = asset.skeleton.bind_pose();
            let mut models = vec![Mat4::IDENTITY; pose.len()];
            sample_pose(&clip, &asset.skeleton, step as f32 / 200.0, &mut pose);
            model_matrices(&asset.skeleton, &pose, &mut models);
            for (before, after) in before.iter().zip(&models) {
                fastest = fastest.max(before.w_axis.distance(after.w_axis) * 200.0);
            }
            before = models;
        }
    }
    fastest
}

/// The vertices of a foot's sole.
struct Sole {
    positions: Vec<[f32; 3]>,
    joints: Vec<[u16; 4]>,
    weights: Vec<[f32; 4]>,
}

impl Sole {
    fn new(cast: &Cast, names: [&str; 2]) -> Self {
        let primitive: &Primitive = cast.humanoid.primitive(&cast.humanoid.parts[0]);
        let joint = |name: &str| cast.humanoid.asset.skeleton.joint_by_name(name).expect("a joint");
        let of_foot = names.map(joint);
        let is_sole = |vertex: &usize| {
            let (joints, weights) = (primitive.joints[*vertex], primitive.weights[*vertex]);
            let strongest = (0..4).max_by(|&left, &right| weights[left].total_cmp(&weights[right])).expect("four");
            primitive.positions[*vertex][1] < 0.012 && of_foot.contains(&joints[strongest])
        };
        let vertices: Vec<usize> = (0..primitive.positions.len()).filter(is_sole).collect();
        assert!(vertices.len() > 20, "{}", vertices.len());
        Self {
            positions: vertices.iter().map(|&vertex| primitive.positions[vertex]).collect(),
            joints: vertices.iter().map(|&vertex| primitive.joints[vertex]).collect(),
            weights: vertices.iter().map(|&vertex| primitive.weights[vertex]).collect(),
        }
    }

    /// The vertices in the world, each with its height above the ground.
    fn on_ground(&self, hero: &Hero) -> Vec<(Vec3, f32)> {
        let geometry = Geometry {
            positions: &self.positions,
            joints: &self.joints,
            weights: &self.weights,
            ..Geometry::default()
        };
        let mut skinned = SkinnedVertices::default();
        skinned.skin(&geometry, &[], hero.bodies()[0].palette, Blending::Linear);
        let height = |place: Vec3| place.y - hero.walker.hills.height(Vec2::new(place.x, place.z));
        skinned.positions.into_iter().map(|place| (place, height(place))).collect()
    }
}
