//! The joints of some characters of one rig that a layer asks for, in lanes: a lane is a character.

use glam::Quat;

use super::Member;
use super::math::{Odd, Turn, Vector, add, length_squared_of, load, product, rotated, scale, store, turn_of};
use crate::math::isa::Isa;
use crate::math::lanes::{Kernel, Lanes, dispatch};
use crate::rig::block::{Component, LANES, PoseBlock};
use crate::rig::{Link, Rig};

/// One joint of eight characters.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
struct JointLanes {
    local: Transform,
    /// In model space.
    placed: Transform,
}

/// A rotation, then a scale that is the same for all directions, then a translation.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(32))]
struct Transform {
    rotation: [Component; 4],
    translation: [Component; 3],
    scale: Component,
}

impl Transform {
    const IDENTITY: Self = Self {
        rotation: [[0.0; LANES], [0.0; LANES], [0.0; LANES], [1.0; LANES]],
        translation: [[0.0; LANES]; 3],
        scale: [1.0; LANES],
    };
}

/// What is known of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Nothing,
    Local,
    Placed,
}

/// What is known of eight joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Unread,
    /// Read: all scales are the same for all directions.
    Even,
    /// Their joints have to be read one by one.
    Odd,
}

/// The joints that are known.
#[derive(Debug, Default)]
pub(super) struct Table {
    joints: Vec<JointLanes>,
    known: Vec<Known>,
    /// Those of which anything is known.
    touched: Vec<u16>,
    /// From a root to the joint that was asked for last.
    path: Vec<u16>,
    /// What is known of blocks: all local poses of eight joints are read at once.
    blocks: Vec<Block>,
    /// Not 0 for characters whose scales or rotations are not as these transforms can say.
    pub odd: Component,
    /// How many lanes there are characters in.
    pub width: usize,
    /// Whether somebody else has changed a pose.
    pub is_stale: bool,
}

/// A joint in model space, of some characters.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedLanes<L> {
    pub rotation: Turn<L>,
    pub origin: Vector<L>,
    pub scale: L,
}

impl<L: Lanes> PlacedLanes<L> {
    /// What is above the roots.
    #[inline(always)]
    fn model() -> Self {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        Self { rotation: [zero, zero, zero, one], origin: [zero; 3], scale: one }
    }

    /// Takes points to model space.
    #[inline(always)]
    pub fn point(&self, point: Vector<L>) -> Vector<L> {
        add(self.origin, scale(rotated(self.rotation, point), self.scale))
    }
}

impl Table {
    /// Forgets everything, and has room for so many joints of so many characters.
    pub fn begin(&mut self, joint_count: usize, width: usize) {
        self.width = width;
        if self.known.len() < joint_count {
            let blocks = joint_count.div_ceil(LANES);
            let identity = JointLanes { local: Transform::IDENTITY, placed: Transform::IDENTITY };
            self.joints.resize(blocks * LANES, identity);
            self.blocks.resize(blocks, Block::Unread);
            self.known.resize(joint_count, Known::Nothing);
            // A rig's joints are at most all touched, and on the path.
            self.touched.reserve(joint_count);
            self.path.reserve(joint_count);
        }
        self.touched.drain(..).for_each(|joint| self.known[usize::from(joint)] = Known::Nothing);
        self.blocks.fill(Block::Unread);
        (self.odd, self.is_stale) = ([0.0; LANES], false);
    }

    /// Reads the local poses of a joint and of all above it.
    pub fn fetch(&mut self, members: &[Member<'_, '_>], links: &[Link], joint: u16) {
        let mut next = joint;
        while next != Link::NONE && self.known[usize::from(next)] == Known::Nothing {
            self.known[usize::from(next)] = Known::Local;
            self.touched.push(next);
            if let [member] = members {
                let JointLanes { local, .. } = &mut self.joints[usize::from(next)];
                let (translation, rotation, scale) = member.pose.local.get(usize::from(next));
                local.rotation = rotation.to_array().map(|value| [value; LANES]);
                local.translation = translation.to_array().map(|value| [value; LANES]);
                local.scale = [scale.x; LANES];
                if scale.x != scale.y || scale.x != scale.z {
                    self.odd = [1.0; LANES];
                }
            } else if self.read(members, usize::from(next) / LANES) != Block::Even {
                self.read_joint(members, usize::from(next));
            }
            next = links[usize::from(next)].parent;
        }
    }

    /// Reads the local poses of eight joints at once, if they can be and that has not been done.
    fn read(&mut self, members: &[Member<'_, '_>], block: usize) -> Block {
        if self.blocks[block] == Block::Unread {
            let joints = self.joints.as_chunks_mut::<LANES>().0.get_mut(block);
            let mut all = members.iter().map(|member| member.pose.local.block(block));
            let first = all.clone().next().flatten().filter(|_| all.all(|found| found.is_some()));
            self.blocks[block] = match (joints, first) {
                (Some(joints), Some(first)) => {
                    let mut source = [first; LANES];
                    for (lane, slot) in source.iter_mut().enumerate() {
                        // Lanes without a character do as the last one.
                        *slot = members[lane.min(members.len() - 1)].pose.local.block(block).unwrap_or(first);
                    }
                    let is_even = dispatch(Isa::best(), TurnOver { source, joints });
                    if is_even { Block::Even } else { Block::Odd }
                }
                _ => Block::Odd,
            };
        }
        self.blocks[block]
    }

    /// Reads the local poses of a joint, and marks the characters whose scale differs by axis.
    fn read_joint(&mut self, members: &[Member<'_, '_>], joint: usize) {
        let JointLanes { local, .. } = &mut self.joints[joint];
        for lane in 0..LANES {
            let (translation, rotation, scale) = members[lane.min(members.len() - 1)].pose.local.get(joint);
            for (component, value) in local.rotation.iter_mut().zip(rotation.to_array()) {
                component[lane] = value;
            }
            for (component, value) in local.translation.iter_mut().zip(translation.to_array()) {
                component[lane] = value;
            }
            local.scale[lane] = scale.x;
            if scale.x != scale.y || scale.x != scale.z {
                self.odd[lane] = 1.0;
            }
        }
    }

    /// Whether nobody can be dealt with side by side.
    pub fn is_all_odd(&self) -> bool {
        self.odd[..self.width].iter().all(|odd| *odd != 0.0)
    }

    /// Where joints that have been fetched are in model space.
    #[inline(always)]
    pub fn place<L: Lanes>(&mut self, links: &[Link], joint: u16) {
        let Self { joints, known, path, odd, width, .. } = self;
        path.clear();
        let mut next = joint;
        while next != Link::NONE && known[usize::from(next)] != Known::Placed {
            path.push(next);
            next = links[usize::from(next)].parent;
        }
        for lane in (0..*width).step_by(L::WIDTH) {
            let mut above = match next {
                Link::NONE => PlacedLanes::model(),
                above => read::<L>(&joints[usize::from(above)].placed, lane),
            };
            let mut strange = Odd(L::load(&odd[lane..]));
            for joint in path.iter().rev() {
                let JointLanes { local, placed } = &mut joints[usize::from(*joint)];
                let local = read::<L>(local, lane);
                let (length_squared, size) = (length_squared_of(local.rotation), above.scale.mul(local.scale));
                // Of a quaternion that is not of unit length, the matrix is no rotation.
                strange.unless_above(length_squared, L::splat(1.0 - 1e-5));
                strange.unless_above(L::splat(1.0 + 1e-5), length_squared);
                strange.unless_above(size, L::splat(1e-9));
                strange.unless_above(L::splat(1e9), size);
                let unit = scale(local.rotation, L::splat(1.5).sub(L::splat(0.5).mul(length_squared)));
                above = PlacedLanes {
                    rotation: product(above.rotation, unit),
                    origin: above.point(local.origin),
                    scale: size,
                };
                write(above, placed, lane);
            }
            strange.0.store(&mut odd[lane..]);
        }
        for joint in path.drain(..) {
            known[usize::from(joint)] = Known::Placed;
        }
    }

    /// A joint that is placed.
    #[inline(always)]
    pub fn placed<L: Lanes>(&self, joint: u16, lane: usize) -> PlacedLanes<L> {
        read(&self.joints[usize::from(joint)].placed, lane)
    }

    /// What is above a joint, and is placed.
    #[inline(always)]
    pub fn above<L: Lanes>(&self, links: &[Link], joint: u16, lane: usize) -> PlacedLanes<L> {
        match links[usize::from(joint)].parent {
            Link::NONE => PlacedLanes::model(),
            parent => self.placed(parent, lane),
        }
    }

    /// The local pose of a joint: the rotation, and the origin in the parent's space.
    #[inline(always)]
    pub fn local<L: Lanes>(&self, joint: u16, lane: usize) -> PlacedLanes<L> {
        read(&self.joints[usize::from(joint)].local, lane)
    }

    /// Turns a joint, and says where it comes to lie.
    #[inline(always)]
    pub fn turn<L: Lanes>(&mut self, joint: u16, local: Turn<L>, placed: PlacedLanes<L>, lane: usize) {
        let joint = &mut self.joints[usize::from(joint)];
        store(local, &mut joint.local.rotation, lane);
        write(placed, &mut joint.placed, lane);
    }

    /// Says that a joint has been turned in all lanes: it is where it was put, and it is not known any more where those below it are.
    pub fn settle(&mut self, links: &[Link], joint: u16) {
        let below = links[usize::from(joint)];
        for &other in &self.touched {
            let place = links[usize::from(other)].place;
            if place > below.place && place < below.end && self.known[usize::from(other)] == Known::Placed {
                self.known[usize::from(other)] = Known::Local;
            }
        }
        self.known[usize::from(joint)] = Known::Placed;
    }

    /// Gets ready for the next layer. Joints are placed anew, and read anew if somebody else may have changed them: where they are follows
    /// from their local poses alone, whatever became of other members.
    pub fn refresh(&mut self) {
        let is_stale = std::mem::take(&mut self.is_stale);
        for joint in &self.touched {
            self.known[usize::from(*joint)] = if is_stale { Known::Nothing } else { Known::Local };
        }
        if is_stale {
            self.touched.clear();
            self.blocks.fill(Block::Unread);
        }
    }

    /// The rotation of a member's joint relative to its parent.
    pub fn local_rotation(&self, joint: u16, member: usize) -> Quat {
        turn_of(&self.joints[usize::from(joint)].local.rotation, member)
    }

    /// How what is above a member's joint lies in model space.
    pub fn rotation_above(&self, rig: &Rig, joint: u16, member: usize) -> Option<Quat> {
        rig.parent(joint).map(|parent| turn_of(&self.joints[usize::from(parent)].placed.rotation, member))
    }
}

/// Takes a block of each character to the local poses of eight joints, lanes becoming characters. Whether all of their scales are the same for
/// all directions.
struct TurnOver<'a> {
    source: [&'a PoseBlock; LANES],
    joints: &'a mut [JointLanes; LANES],
}

impl Kernel for TurnOver<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<L: Lanes>(self) -> bool {
        let Self { source, joints } = self;
        for part in 0..4 {
            let values = std::array::from_fn(|member| &source[member].rotation[part]);
            L::transpose(values, &mut joints.each_mut().map(|joint| &mut joint.local.rotation[part]));
        }
        for part in 0..3 {
            let values = std::array::from_fn(|member| &source[member].translation[part]);
            L::transpose(values, &mut joints.each_mut().map(|joint| &mut joint.local.translation[part]));
        }
        let values = std::array::from_fn(|member| &source[member].scale[0]);
        L::transpose(values, &mut joints.each_mut().map(|joint| &mut joint.local.scale));
        let mut is_even = true;
        for block in source {
            let [x, y, z] = &block.scale;
            for (x, (y, z)) in x.iter().zip(y.iter().zip(z)) {
                is_even &= x == y && x == z;
            }
        }
        is_even
    }
}

#[inline(always)]
fn read<L: Lanes>(transform: &Transform, lane: usize) -> PlacedLanes<L> {
    PlacedLanes {
        rotation: load(&transform.rotation, lane),
        origin: load(&transform.translation, lane),
        scale: L::load(&transform.scale[lane..]),
    }
}

#[inline(always)]
fn write<L: Lanes>(placed: PlacedLanes<L>, transform: &mut Transform, lane: usize) {
    store(placed.rotation, &mut transform.rotation, lane);
    store(placed.origin, &mut transform.translation, lane);
    placed.scale.store(&mut transform.scale[lane..]);
}
