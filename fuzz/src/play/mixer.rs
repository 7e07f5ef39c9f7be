use glam::Vec2;
use nebula_animation::{
    AnimationAction, AnimationMixer, AnimationPlayer, BlendSpace, JointMask, LayerId, RootTracks, Skeleton,
    compile::RootMotionOptions,
    mixer::{BlendMode, Motion, update_mixer},
};

use super::draw::Draw;
use super::world::{NAMES, World};

/// A mixer, and whom it moves.
pub struct Mixer<'w> {
    pub mixer: AnimationMixer,
    skeleton: &'w Skeleton,
    spaces: Vec<Motion>,
}

/// Layers and blend spaces that are added at most.
const MOST: usize = 4;
/// Events that are looked at in a frame: a long step in a short loop has any number.
const EVENTS: usize = 64;

impl<'w> Mixer<'w> {
    pub fn new(world: &'w World, draw: &mut Draw) -> Self {
        let mixer = AnimationMixer::new(world.library(draw).clone()).with_markers(world.markers.clone());
        Self { mixer, skeleton: world.skeleton(draw), spaces: Vec::new() }
    }

    pub fn call(&mut self, world: &'w World, draw: &mut Draw) {
        let layer = LayerId::new(draw.below(MOST));
        match draw.below(24) {
            0 => self.skeleton = world.skeleton(draw),
            1 if self.mixer.layers().count() <= MOST => {
                self.mixer.add_layer(draw.pick(&NAMES));
            }
            2 => self.mixer.time_scale = draw.wild(),
            3 => self.mixer.forget_skeleton(),
            4 if self.spaces.len() < MOST => self.add_space(draw),
            5 => {
                let space = self.motion(draw);
                self.mixer.set_blend_position(space, draw.place());
                let _ = self.mixer.blend_position(space);
            }
            6 => {
                let options =
                    RootMotionOptions { y: draw.yes(), yaw: draw.yes(), ..RootMotionOptions::of_joint(draw.joint()) };
                let clips = self.mixer.clips().clone();
                self.mixer.set_root_tracks(RootTracks::extract(&clips, self.skeleton, &options).1);
            }
            7 => {
                if let Some(layer) = self.mixer.layer_mut(layer) {
                    layer.weight = draw.wild();
                    layer.mode = draw.pick(&[BlendMode::Override, BlendMode::Additive]);
                }
            }
            8 => {
                let skeleton = world.skeleton(draw);
                let mask = mask(draw, skeleton);
                if let Some(layer) = self.mixer.layer_mut(layer) {
                    layer.set_mask(draw.yes().then_some(mask));
                }
            }
            9 => {
                if let Some(layer) = self.mixer.layer_mut(layer) {
                    (layer.fade_progress, layer.fade_duration) = (draw.wild(), draw.wild());
                }
            }
            10 => {
                if let Some(layer) = self.mixer.layer_mut(layer) {
                    // A user may take the action away, or give it to another layer.
                    let taken = layer.current_action.take();
                    if let Some(other) = self.mixer.layer_mut(LayerId::new(draw.below(MOST))) {
                        other.fading_action = taken;
                    }
                }
            }
            11 => self.mixer.pause(),
            12 => self.mixer.resume(),
            13 => self.mixer = self.mixer.clone(),
            14 | 15 => self.write_action(layer, draw),
            16 => {
                if let Some(layer) = self.mixer.layer_mut(layer) {
                    layer.stop(draw.fade());
                }
            }
            17..=20 => self.play(layer, draw),
            _ => {}
        }
        self.frame(draw);
    }

    fn motion(&self, draw: &mut Draw) -> Motion {
        match self.spaces.get(draw.below(MOST)) {
            Some(space) if draw.yes() => *space,
            _ if draw.one_in(6) => Motion::Space(draw.index()),
            _ => Motion::Clip(draw.index()),
        }
    }

    fn play(&mut self, layer: LayerId, draw: &mut Draw) {
        let (motion, fade, name) = (self.motion(draw), draw.fade(), draw.pick(&NAMES));
        let Some(layer) = self.mixer.layer_mut(layer) else { return };
        let played = match draw.below(4) {
            0 => layer.play(motion, fade),
            1 => layer.restart(motion, fade),
            2 => layer.play_once(motion, fade, draw.fade()),
            _ => layer.play(name, fade),
        };
        if let Ok(action) = played
            && draw.yes()
        {
            write(action, draw);
        }
    }

    fn write_action(&mut self, layer: LayerId, draw: &mut Draw) {
        let Some(layer) = self.mixer.layer_mut(layer) else { return };
        let action = if draw.yes() { &mut layer.current_action } else { &mut layer.fading_action };
        if let Some(action) = action {
            write(action, draw);
        }
    }

    fn add_space(&mut self, draw: &mut Draw) {
        let clips = self.mixer.clips().clone();
        let samples: Vec<(Vec2, usize)> = (0..draw.below(7)).map(|_| (draw.place(), draw.below(5))).collect();
        let space = if draw.yes() {
            BlendSpace::plane(&clips, &samples)
        } else {
            BlendSpace::line(&clips, &samples.iter().map(|(place, clip)| (place.x, *clip)).collect::<Vec<_>>())
        };
        let Ok(space) = space else { return };
        for _ in 0..3 {
            let weights = space.weights(draw.place());
            let sum: f32 = weights.iter().map(|(_, weight)| weight).sum();
            assert!((sum - 1.0).abs() < 1e-4, "the weights of a blend space add up to {sum}");
            assert!(space.duration(&weights).is_finite(), "the duration of a blend");
        }
        let names = [draw.pick(&NAMES), draw.pick(&NAMES)];
        let synchronised = space.clone().synchronised(&clips, self.mixer.markers(), &names);
        self.spaces.push(self.mixer.add_blend_space(synchronised.unwrap_or(space)));
    }

    fn frame(&mut self, draw: &mut Draw) {
        let mut pose = self.skeleton.bind_pose();
        if draw.one_in(6) {
            let mut player = AnimationPlayer::new(draw.index(), draw.wild(), draw.below(20));
            update_mixer(&mut self.mixer, &mut player, self.skeleton, draw.step());
            pose.copy_from_slice(&player.local_poses);
        } else {
            self.mixer.update(self.skeleton, draw.step());
            self.mixer.write_pose(&mut pose);
            // A shorter slice gets the first joints, a longer one keeps the others.
            self.mixer.write_pose(&mut pose[..draw.below(4).min(self.skeleton.joints.len())]);
        }
        super::assert_finite(&pose, "of a mixer");
        for event in self.mixer.events().take(EVENTS) {
            assert!(event.total_time.is_finite() && (0.0..=1.001).contains(&event.weight), "{event:?}");
        }
        if draw.is_tame {
            let motion = self.mixer.root_motion();
            assert!(motion.translation.is_finite(), "{motion:?}");
        }
        for layer in self.mixer.layers() {
            for (action, share) in layer.actions() {
                assert!(action.time.is_finite() && action.total_time().is_finite(), "{action:?}");
                assert!((0.0..=1.001).contains(&share), "a share of {share}");
            }
        }
    }
}

fn write(action: &mut AnimationAction, draw: &mut Draw) {
    match draw.below(9) {
        0 => action.time = draw.wild(),
        1 => action.speed = draw.wild(),
        2 => action.looping = draw.yes(),
        3 => action.repetitions = draw.pick(&[0, 1, 2, -1, i32::MAX, i32::MIN]),
        4 => action.back_and_forth = draw.yes(),
        5 => action.weight = draw.wild(),
        6 => action.seek(f64::from(draw.wild())),
        7 => action.restart(),
        _ => {
            action.play_by(draw.clock());
        }
    }
}

fn mask(draw: &mut Draw, skeleton: &Skeleton) -> JointMask {
    let mut mask = match draw.below(3) {
        0 => JointMask::all(skeleton),
        1 => {
            let name = draw.pick(&["Hips", "Spine", "nobody"]);
            let mask = JointMask::none(skeleton).with_subtree(skeleton, name, draw.wild());
            mask.unwrap_or_else(|_| JointMask::all(skeleton))
        }
        _ => JointMask::from_weights(&[draw.wild(), draw.wild(), draw.wild()]),
    };
    mask.set(draw.below(20), draw.wild());
    if draw.yes() { mask.inverted() } else { mask }
}
