//! Where the values of groups go.

use super::VECTOR;
use super::parts::Group;
use crate::math::lanes::{ComponentTarget, Lanes};
use crate::rig::block::{Component, LANES, Part, PoseBlock};

/// Where the values at `N` moments go. (Not closures: they would not be inlined into the kernel.)
pub(super) trait Out<const N: usize> {
    /// Takes the rotations of a group's joints at each moment.
    fn rotations<L: Lanes>(&mut self, group: &Group, all: &[[Component; 4]; N]);
    /// Takes single numbers of vectors at one moment.
    fn numbers(&mut self, moment: usize, group: &Group, numbers: &Component, origins: &[[u8; 4]]);
}

/// A pose.
pub(super) struct OnePose<'a>(pub &'a mut [PoseBlock]);

impl Out<1> for OnePose<'_> {
    #[inline(always)]
    fn rotations<L: Lanes>(&mut self, group: &Group, [values]: &[[Component; 4]; 1]) {
        let (pose, first) = (&mut *self.0, usize::from(group.targets[0]));
        if group.members == 8 && first.is_multiple_of(LANES) && usize::from(group.targets[7]) == first + 7 {
            pose[first / LANES].rotation = *values;
            return;
        }
        for (member, target) in group.targets.iter().enumerate().take(usize::from(group.members)) {
            let rotation = &mut pose[usize::from(*target) / LANES].rotation;
            for (component, values) in rotation.iter_mut().zip(values) {
                component[usize::from(*target) % LANES] = values[member];
            }
        }
    }

    #[inline(always)]
    fn numbers(&mut self, _: usize, group: &Group, numbers: &Component, origins: &[[u8; 4]]) {
        put_numbers(group, numbers, origins, self.0);
    }
}

/// Eight poses, one after the other. Their rotations go elsewhere, joint by joint, lanes being moments: whoever wants them so need not turn
/// poses over, and nobody has to look for the place of each number.
pub(super) struct EightPoses<'a> {
    pub poses: &'a mut [PoseBlock],
    /// Blocks of a pose.
    pub stride: usize,
    /// One for each joint, and one for what no joint has.
    pub turned: &'a mut [PoseBlock],
}

impl Out<LANES> for EightPoses<'_> {
    #[inline(always)]
    fn rotations<L: Lanes>(&mut self, group: &Group, all: &[[Component; 4]; LANES]) {
        let mut places = [self.turned.len() - 1; LANES];
        for (place, target) in places.iter_mut().zip(&group.targets).take(usize::from(group.members)) {
            *place = usize::from(*target);
        }
        #[allow(clippy::needless_range_loop, reason = "it is the second index")]
        for component in 0..4 {
            let source = std::array::from_fn(|moment| &all[moment][component]);
            L::transpose(source, &mut Rotations { turned: &mut *self.turned, places, component });
        }
    }

    #[inline(always)]
    fn numbers(&mut self, moment: usize, group: &Group, numbers: &Component, origins: &[[u8; 4]]) {
        put_numbers(group, numbers, origins, &mut self.poses[moment * self.stride..][..self.stride]);
    }
}

/// One component of the rotations of some joints.
struct Rotations<'a> {
    turned: &'a mut [PoseBlock],
    places: [usize; LANES],
    component: usize,
}

impl ComponentTarget for Rotations<'_> {
    #[inline(always)]
    fn of_component(&mut self, index: usize) -> &mut [f32; 8] {
        &mut self.turned[self.places[index]].rotation[self.component]
    }
}

/// Puts numbers of vectors where they belong, each relative to its origin.
#[inline(always)]
fn put_numbers(group: &Group, numbers: &Component, origins: &[[u8; 4]], pose: &mut [PoseBlock]) {
    for ((target, number), origin) in group.targets.iter().take(usize::from(group.members)).zip(numbers).zip(origins) {
        let target = usize::from(*target);
        let part = pose[target / VECTOR].part_mut(Part::Translation).as_flattened_mut();
        part[target % VECTOR] = number + f32::from_le_bytes(*origin);
    }
}
