//! Past frames: restored from the tape, and shown as ghosts.

use glam::{Mat4, Vec3, Vec4};
use nebula_animation::{Character, Frame, Recorder};

use super::Inspector;
use crate::picture::Line;

/// A frame of the past that is looked at.
pub struct Past {
    pub frame: u64,
    pub character: Character,
    /// Where the entity stood.
    pub place: Mat4,
}

/// Ghosts, and frames from one to the next.
const GHOSTS: u64 = 6;
const APART: u64 = 12;

const GHOST: Vec4 = Vec4::new(0.25, 0.55, 1.0, 0.75);
const MARK: Vec4 = Vec4::new(1.0, 0.1, 0.5, 1.0);

impl Inspector {
    /// Shows a frame of the tape.
    pub fn go_to(&mut self, character: &Recorder, frame: u64) {
        let frames = character.tape().frames();
        if frames.is_empty() {
            return;
        }
        let frame = frame.clamp(frames.start, frames.end - 1);
        if self.past.as_ref().is_some_and(|past| past.frame == frame) {
            return;
        }
        let mut past = character.clone_character();
        past.set_traced(true);
        match character.tape().restore(frame, &mut past) {
            Ok(()) => {
                let place = self.moments.place_of(frame);
                self.past = Some(Past { frame, character: past, place });
                self.has_moved = true;
                self.make_ghosts(character);
            }
            Err(error) => self.message = Some(error.to_string()),
        }
    }

    /// Shows the present again.
    pub fn go_live(&mut self) {
        self.has_moved |= self.past.take().is_some();
    }

    /// Goes on from the frame that is shown: what came after it has not happened.
    pub fn branch(&mut self, character: &mut Recorder) {
        let Some(past) = &self.past else { return };
        match character.rewind(past.frame) {
            Ok(()) => {
                self.moments.cut_after(past.frame);
                self.branched = Some((past.frame, past.place));
                self.message = Some(format!("it goes on from frame {}", past.frame));
                self.go_live();
            }
            Err(error) => self.message = Some(error.to_string()),
        }
    }

    /// The character that is shown.
    pub fn shown<'a>(&'a self, character: &'a Recorder) -> &'a Character {
        self.past.as_ref().map_or(&**character, |past| &past.character)
    }

    /// Forgets what was recorded, because the character is made in another way now.
    pub fn record_anew(&mut self, character: &mut Recorder) {
        self.go_live();
        character.set_recording(false);
        character.set_recording(true);
        self.moments.clear();
        self.ghosts.clear();
    }

    /// Where the joints were some moments before the frame that is shown.
    pub fn make_ghosts(&mut self, character: &Recorder) {
        self.ghosts.clear();
        let frames = character.tape().frames();
        if !self.has_ghosts || frames.is_empty() {
            return;
        }
        let now = self.past.as_ref().map_or(frames.end - 1, |past| past.frame);
        let is_one = |frame: u64| (now - frame).is_multiple_of(APART) && frame != now;
        let oldest = now.saturating_sub(GHOSTS * APART).max(frames.start);
        let mut ghost = character.clone_character();
        ghost.set_traced(false);
        // Once through all of them, from the oldest to the newest.
        let Ok(mut playback) = character.tape().playback(oldest) else { return };
        while playback.next_frame() < now {
            let frame = playback.next_frame();
            if !playback.step(&mut ghost).is_ok_and(|is_there| is_there) {
                break;
            }
            if frame >= oldest && is_one(frame) {
                self.ghosts.push(joints(ghost.frame(), self.moments.place_of(frame)));
            }
        }
        self.ghosts.reverse();
    }
}

/// Where the joints of a frame are in the world.
pub fn joints(frame: &Frame, place: Mat4) -> Vec<Vec3> {
    let mut matrices = vec![Mat4::IDENTITY; frame.rig().joint_count()];
    frame.write_model_matrices(&mut matrices);
    matrices.iter().map(|matrix| place.transform_point3(matrix.w_axis.truncate())).collect()
}

/// Ghosts as bones, fainter the older they are.
pub fn lines(ghosts: &[Vec<Vec3>], parents: &[Option<u16>], height: u32, lines: &mut Vec<Line>) {
    let width = (height as f32 / 260.0).clamp(1.0, 4.0);
    for (nth, joints) in ghosts.iter().enumerate() {
        let color = GHOST.with_w(GHOST.w * (1.0 - nth as f32 / (GHOSTS + 1) as f32));
        for (joint, parent) in parents.iter().enumerate() {
            let ends = parent.and_then(|parent| Some([joints.get(usize::from(parent))?, joints.get(joint)?]));
            lines.extend(ends.map(|[start, end]| Line {
                start: *start,
                end: *end,
                widths: [width, width * 0.4],
                color,
            }));
        }
    }
}

/// The joint that is looked at.
pub fn mark(place: Vec3, height: u32) -> Line {
    Line { start: place, end: place, widths: [(height as f32 / 60.0).clamp(4.0, 14.0); 2], color: MARK }
}
