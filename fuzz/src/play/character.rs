use glam::{Affine3A, Mat4, Vec3};
use nebula_animation::character::AttachmentId;
use nebula_animation::{
    BoneAttachment, Character, Frame, GroundPoint, Surroundings, TargetId,
    mixer::{Motion, update_mixer},
};

use super::draw::Draw;
use super::world::{JOINTS, World};
use super::{machine, mixer, procedural};

/// A whole character: mixer, machines, layers, feet, things that it holds, and a face.
pub struct Actor {
    character: Character,
    spaces: Vec<Motion>,
    held: Vec<AttachmentId>,
}

/// Machines, layers and attachments that are added at most.
const MOST: usize = 4;
/// Events that are looked at in a frame: a long step in a short loop has any number.
const EVENTS: usize = 64;

impl Actor {
    pub fn new(world: &World, draw: &mut Draw) -> Self {
        Self { character: Character::of(world.library(draw).clone()), spaces: Vec::new(), held: Vec::new() }
    }

    /// What a theme is about: 1 and 2 the mixer, 3 the machines, others the layers.
    pub fn call(&mut self, world: &World, theme: usize, draw: &mut Draw) {
        match draw.below(12) {
            0 => *self = Self::new(world, draw),
            1 => self.character = self.character.clone(),
            2 => self.hold(draw),
            3 if self.character.machines.len() < MOST => {
                let clips = self.character.mixer.clips().clone();
                self.character.machines.extend(machine::player(&clips, draw));
            }
            _ => match theme {
                1 | 2 => mixer::call(&mut self.character.mixer, &mut self.spaces, world, draw),
                3 => machine::call(&mut self.character, draw),
                _ => {
                    let rig = self.character.rig().clone();
                    procedural::change(&mut self.character.layers, &rig, draw);
                }
            },
        }
        self.frame(draw);
    }

    fn hold(&mut self, draw: &mut Draw) {
        let thing = BoneAttachment::named(draw.pick(&JOINTS)).at(draw.wild_vector(), draw.rotation());
        let thing = if draw.yes() { thing.with_joint_scale() } else { thing };
        if self.held.len() < MOST
            && let Ok(id) = self.character.attach(thing)
        {
            self.held.push(id);
        }
        if let Some(&id) = self.held.get(draw.below(MOST))
            && let Some(thing) = self.character.attachment_mut(id)
        {
            thing.offset.0 = draw.wild_vector();
        }
    }

    fn frame(&mut self, draw: &mut Draw) {
        let (height, normal, velocity) = (draw.wild(), draw.wild_vector(), draw.wild_vector());
        let ground = move |place: Vec3| {
            (place.x < 100.0).then(|| GroundPoint::new(height + 0.1 * place.x, normal).moving(velocity))
        };
        let target = draw.wild_vector();
        let targets = move |id: TargetId| (id.0 < 2).then_some(target);
        let surroundings = Surroundings {
            world_from_model: place(draw),
            velocity: draw.wild_vector(),
            ground: if draw.one_in(4) { None } else { Some(&ground) },
            is_grounded: !draw.one_in(4),
            targets: if draw.yes() { Some(&targets) } else { None },
        };
        let character = &mut self.character;
        match draw.below(6) {
            0 => {
                let step = character.advance(draw.step());
                assert!(!draw.is_tame || step.translation.is_finite(), "{step:?}");
                // The world is looked at twice: a game may change its mind.
                character.finish(&surroundings);
                character.finish(&Surroundings::default());
            }
            1 => {
                // The mixer alone, into a frame that somebody else has.
                let mut frame = Frame::new(character.rig());
                update_mixer(&mut character.mixer, &mut frame, draw.step());
                frame.finish(&[]);
                check_frame(&frame, draw.is_tame);
                character.update(0.0, &surroundings);
            }
            _ => character.update(draw.step(), &surroundings),
        }
        check_frame(character.frame(), draw.is_tame && character.layers.layers.is_empty());
        if draw.is_tame {
            let motion = character.mixer.root_motion();
            assert!(motion.translation.is_finite(), "{motion:?}");
        }
        for &id in &self.held {
            // The offset may be anything; that there is a place may not depend on it.
            let _: Mat4 = character.attachment(id);
        }
        for event in character.events().take(EVENTS) {
            assert!(event.total_time.is_finite() && (0.0..=1.001).contains(&event.weight), "{event:?}");
        }
        mixer::check(&character.mixer, draw);
    }
}

fn place(draw: &mut Draw) -> Affine3A {
    match draw.below(4) {
        0 => Affine3A::from_translation(draw.wild_vector()),
        1 => Affine3A::from_scale_rotation_translation(draw.wild_vector(), draw.rotation(), draw.wild_vector()),
        _ => Affine3A::IDENTITY,
    }
}

fn check_frame(frame: &Frame, has_tame_palette: bool) {
    let mut pose = frame.rig().bind_pose();
    frame.write_pose(&mut pose);
    super::assert_finite(&pose, "of a frame");
    assert_eq!(frame.palette().len(), frame.rig().joint_count());
    assert_eq!(frame.morph_weights().len(), frame.rig().morphs().slot_count());
    assert!(frame.morph_weights().iter().all(|weight| weight.is_finite()), "morph weights of a frame");
    if has_tame_palette {
        assert!(frame.palette().iter().all(|matrix| matrix.is_finite()), "the palette of a frame");
    }
    for clip in frame.shown() {
        let is_share = |weight: f32| (0.0..=1.001).contains(&weight);
        assert!(clip.time.is_finite() && is_share(clip.weight) && is_share(clip.feet_weight), "{clip:?}");
    }
}
