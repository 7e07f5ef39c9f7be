//! Poses in saved states, stored as differences from a pose that both sides know, so that predictable parts take almost
//! no space.

use crate::compile::{AnimationClipLibrary, Isa};
use crate::math::lanes::dispatch;
use crate::mixer::AnimationMixer;
use crate::mixer::crossfade::Repair;
use crate::mixer::evaluate::{Moment, Scratch, View};
use crate::mixer::inertia::{Apply, Difference};
use crate::mixer::lease::Lease;
use crate::mixer::memory::Turns;
use crate::mixer::motion::MotionContext;
use crate::mixer::update::extent_of;
use crate::rig::block::{Blocks, Component, LANES, PoseBlock};
use crate::state::{StateError, StateProblem, StateReader, StateWriter};

/// Components of a block's poses: x, y, z of the translation; x, y, z, w of the rotation; x, y, z of the scale.
const PARTS: usize = 10;

fn parts(block: &PoseBlock) -> [&Component; PARTS] {
    let [tx, ty, tz] = &block.translation;
    let [rx, ry, rz, rw] = &block.rotation;
    let [sx, sy, sz] = &block.scale;
    [tx, ty, tz, rx, ry, rz, rw, sx, sy, sz]
}

fn parts_mut(block: &mut PoseBlock) -> [&mut Component; PARTS] {
    let [tx, ty, tz] = &mut block.translation;
    let [rx, ry, rz, rw] = &mut block.rotation;
    let [sx, sy, sz] = &mut block.scale;
    [tx, ty, tz, rx, ry, rz, rw, sx, sy, sz]
}

/// Writes a pose, given one that the reader has too.
pub(super) fn write_pose(writer: &mut StateWriter, pose: &[PoseBlock], known: &[PoseBlock]) {
    // Mostly they are the same, which is seen at once; what follows would come to the same word.
    let is_same = |(own, known): (&PoseBlock, &PoseBlock)| {
        parts(own).iter().zip(parts(known)).all(|(own, known)| own.map(f32::to_bits) == known.map(f32::to_bits))
    };
    if pose.len() == known.len() && pose.iter().zip(known).all(is_same) {
        return writer.word(0);
    }
    writer.runs(pose.iter().zip(known).flat_map(|(block, known)| {
        (0..LANES * PARTS).map(move |at| {
            let [own, known] = [parts(block), parts(known)].map(|parts| parts[at % PARTS][at / PARTS].to_bits());
            own ^ known
        })
    }));
}

/// Reads a pose into the known one, from which it is not to be farther than clips of this library make it.
pub(super) fn read_pose(
    reader: &mut StateReader<'_>,
    pose: &mut [PoseBlock],
    library: &AnimationClipLibrary,
) -> Result<(), StateError> {
    let mut room = Room::of(library);
    // Components of a joint follow each other: at the last one, all of it is there.
    let mut change = [0.0_f32; PARTS];
    reader.runs(pose.len() * LANES * PARTS, |index, bits| {
        let (block, at) = (index / (LANES * PARTS), index % (LANES * PARTS));
        let (part, lane) = (at % PARTS, at / PARTS);
        let number = &mut parts_mut(&mut pose[block])[part][lane];
        let known = std::mem::replace(number, f32::from_bits(number.to_bits() ^ bits));
        change[part] = *number - known;
        if part == PARTS - 1 && change != [0.0; PARTS] {
            let [tx, ty, tz, _, _, _, _, sx, sy, sz] = change;
            room.take([tx, ty, tz], [sx, sy, sz]);
            let squared = pose[block].get(lane).1.length_squared();
            // Lanes after the last joint have rotations that nobody sees, of any length.
            let is_joint = block * LANES + lane < library.rig().joint_count();
            room.turn(if is_joint || !squared.is_finite() { squared } else { 1.0 });
        }
    })?;
    room.left()
}

/// How far poses may be from those that are known, so that nothing that is made of them leaves the range of numbers.
struct Room {
    extent: f32,
    /// How much larger everything may have become, joint by joint.
    growth: f64,
    /// Whether clips do not keep to it either.
    is_endless: bool,
    problem: Option<StateProblem>,
}

/// In lengths of the longest limb: a character that goes from one end of a world to the other takes less.
const FARTHEST: f32 = 1e7;
const MOST_GROWTH: f64 = 1e12;

impl Room {
    fn of(library: &AnimationClipLibrary) -> Self {
        Self { extent: extent_of(library.rig()), growth: 1.0, is_endless: !library.is_finite(), problem: None }
    }

    /// Takes note of how far a joint is moved and scaled.
    fn take(&mut self, moved: [f32; 3], scaled: [f32; 3]) {
        let largest = |numbers: [f32; 3]| numbers.into_iter().fold(0.0, |most: f32, number| most.max(number.abs()));
        self.growth *= 1.0 + f64::from(largest(scaled));
        // No number is above itself.
        let is_inside = largest(moved) <= FARTHEST * self.extent && self.growth <= MOST_GROWTH;
        if moved.iter().chain(&scaled).any(|number| !number.is_finite()) {
            self.problem = Some(StateProblem::NotFinite);
        } else if !is_inside && !self.is_endless {
            self.problem = Some(StateProblem::TooLarge);
        }
    }

    /// Takes note of the square of a rotation's length.
    fn turn(&mut self, squared: f32) {
        if !squared.is_finite() {
            self.problem = Some(StateProblem::NotFinite);
        } else if !(0.25..4.0).contains(&squared) && !self.is_endless {
            self.problem = Some(StateProblem::NotARotation);
        }
    }

    fn left(self) -> Result<(), StateError> {
        self.problem.map_or(Ok(()), |problem| Err(problem.into()))
    }
}

/// Writes the rotations that a track remembers, given what its action shows. Most often they are the same, or of the other sign.
pub(super) fn write_turns(writer: &mut StateWriter, turns: &[Turns], known: &[PoseBlock]) {
    writer.runs(known.iter().enumerate().flat_map(|(block, known)| {
        let own = turns.get(block).map_or([[0.0; LANES]; 4], |turns| turns.0);
        (0..LANES * 4).map(move |at| own[at % 4][at / 4].to_bits() ^ known.rotation[at % 4][at / 4].to_bits())
    }));
}

pub(super) fn read_turns(
    reader: &mut StateReader<'_>,
    turns: &mut [Turns],
    known: &[PoseBlock],
) -> Result<(), StateError> {
    let mut is_finite = true;
    reader.runs(known.len() * LANES * 4, |index, bits| {
        let (block, at) = (index / (LANES * 4), index % (LANES * 4));
        let number = f32::from_bits(known[block].rotation[at % 4][at / 4].to_bits() ^ bits);
        turns[block].0[at % 4][at / 4] = number;
        is_finite &= number.is_finite() || bits == 0;
    })?;
    if is_finite { Ok(()) } else { Err(StateProblem::NotFinite.into()) }
}

/// Writes what dies away: component by component, because many joints have the same in one, as nothing at all.
pub(super) fn write_differences(writer: &mut StateWriter, differences: &[Difference]) {
    writer.flags([!differences.is_empty()]);
    if !differences.is_empty() {
        writer.runs((0..Difference::COMPONENTS).flat_map(|component| {
            let lanes = differences.iter().filter_map(move |difference| difference.components().nth(component));
            lanes.flatten().map(|number| number.to_bits())
        }));
    }
}

pub(super) fn read_differences(
    reader: &mut StateReader<'_>,
    differences: &mut Lease<Difference>,
    library: &AnimationClipLibrary,
) -> Result<(), StateError> {
    differences.give_back();
    let [is_there] = reader.flags()?;
    if !is_there {
        return Ok(());
    }
    let blocks = library.rig().rest.len();
    let differences = differences.take(blocks);
    reader.runs(Difference::COMPONENTS * blocks * LANES, |index, bits| {
        let (component, lane) = (index / (blocks * LANES), index % (blocks * LANES));
        if let Some(component) = differences[lane / LANES].components_mut().nth(component) {
            component[lane % LANES] = f32::from_bits(bits);
        }
    })?;
    let mut room = Room::of(library);
    for (difference, lane) in differences.iter().flat_map(|block| (0..LANES).map(move |lane| (block, lane))) {
        for [tx, ty, tz, rx, ry, rz, sx, sy, sz] in difference.of_lane(lane) {
            room.take([tx, ty, tz], [sx, sy, sz]);
            room.take([rx, ry, rz].map(|number| number * room.extent), [0.0; 3]);
        }
    }
    if !differences.iter().all(Difference::is_on_its_way) {
        return Err(StateProblem::TooLarge.into());
    }
    room.left()
}

impl AnimationMixer {
    /// Recomputes the pose of the last update from everything else: what was shown before the changes made since then.
    pub(super) fn work_out_pose(&self, scratch: &mut Scratch) -> Vec<PoseBlock> {
        let rig = self.clips.rig();
        let mut pose = rig.rest.to_vec();
        let context = MotionContext { library: &self.clips, spaces: &self.spaces };
        let moment = Moment { isa: Isa::best(), context, ahead: 0.0, view: View::Old };
        for layer in self.layers() {
            // Showing remembers signs.
            layer.clone().show(&moment, scratch, Blocks::ALL, &mut pose);
        }
        dispatch(moment.isa, Apply { pose: &mut pose, differences: self.differences.get(), ahead: 0.0 });
        dispatch(moment.isa, Repair { pose: &mut pose, instead: &rig.rest });
        pose
    }
}
