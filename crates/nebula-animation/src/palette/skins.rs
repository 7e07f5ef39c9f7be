//! Skin layouts: which matrices the meshes need, and where they go.

use std::ops::Range;

/// Which skinning matrices the meshes of a character need, and in which order: for renderers with a buffer in which
/// every skinned mesh has its own range. Created once for all characters of a file.
///
/// ```
/// use nebula_animation::palette::SkinLayout;
///
/// // Two meshes with the same skin of three joints: one uses all of them, the other the last alone.
/// let layout = SkinLayout::new([[Some(4), Some(0), Some(2)], [None, None, Some(2)]]);
/// assert_eq!((layout.skins(), layout.written()), (2, 4));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SkinLayout {
    skins: usize,
    /// For each joint up to the last that is wanted, its places. (Ends alone would do; two numbers are fetched at once.)
    joints: Vec<(u32, u32)>,
    places: Vec<SkinPlace>,
}

/// Where a matrix goes: which skin, and which of its matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SkinPlace {
    pub skin: u32,
    pub matrix: u32,
}

impl SkinLayout {
    /// A layout of skins, each of which lists the rig's joint for each of its matrices. `None` if no vertex of the mesh
    /// uses it: it is never written.
    #[must_use]
    pub fn new<S: IntoIterator<Item = Option<u16>>>(skins: impl IntoIterator<Item = S>) -> Self {
        let (mut wanted, mut count) = (Vec::new(), 0);
        for (skin, joints) in skins.into_iter().enumerate() {
            count = skin + 1;
            let places = joints.into_iter().enumerate().filter_map(|(matrix, joint)| {
                let (skin, matrix) = (u32::try_from(skin).ok()?, u32::try_from(matrix).ok()?);
                Some((joint?, SkinPlace { skin, matrix }))
            });
            wanted.extend(places);
        }
        wanted.sort_by_key(|(joint, _)| *joint);
        let last = wanted.last().map_or(0, |(joint, _)| usize::from(*joint) + 1);
        let mut joints = vec![(0, 0); last];
        for (index, (joint, _)) in wanted.iter().enumerate() {
            let (start, end) = &mut joints[usize::from(*joint)];
            if start == end {
                *start = index as u32;
            }
            *end = index as u32 + 1;
        }
        Self { skins: count, joints, places: wanted.into_iter().map(|(_, place)| place).collect() }
    }

    /// The number of skins.
    #[must_use]
    pub fn skins(&self) -> usize {
        self.skins
    }

    /// The number of matrices written for all skins together.
    #[must_use]
    pub fn written(&self) -> usize {
        self.places.len()
    }

    /// The joints up to the last that is wanted.
    pub(crate) fn joints(&self) -> Range<usize> {
        0..self.joints.len()
    }

    /// Where the matrices of a joint go.
    #[inline(always)]
    pub(crate) fn places_of(&self, joint: usize) -> &[SkinPlace] {
        match self.joints.get(joint) {
            Some(&(start, end)) => self.places.get(start as usize..end as usize).unwrap_or_default(),
            None => &[],
        }
    }
}
