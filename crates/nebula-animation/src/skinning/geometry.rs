//! Vertices as plain slices.

use thiserror::Error;

/// The most joints that move one vertex.
pub(super) const MOST_INFLUENCES: usize = 8;

/// The vertices of a mesh in its bind pose, borrowed. Every slice is empty or has one entry per vertex.
///
/// ```
/// use nebula_animation::skinning::Geometry;
///
/// let geometry = Geometry {
///     positions: &[[0.0, 1.0, 0.0]],
///     joints: &[[0, 1, 0, 0]],
///     weights: &[[0.5, 0.5, 0.0, 0.0]],
///     ..Geometry::default()
/// };
/// assert!(geometry.check(2).is_ok());
/// assert!(geometry.check(1).is_err(), "there is no joint 1 then");
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Geometry<'a> {
    /// Positions in mesh space.
    pub positions: &'a [[f32; 3]],
    /// Unit normals in mesh space; may be empty.
    pub normals: &'a [[f32; 3]],
    /// Unit tangents in mesh space, and in `w` the sign of the bitangent `cross(normal, tangent.xyz) * w`; may be empty.
    pub tangents: &'a [[f32; 4]],
    /// The first four joints of each vertex, as indices into the palette; empty for an unskinned mesh.
    pub joints: &'a [[u16; 4]],
    /// Their weights. The weights of a vertex are normalized to a sum of 1; a vertex without weights is not skinned.
    pub weights: &'a [[f32; 4]],
    /// Joints five to eight; may be empty.
    pub more_joints: &'a [[u16; 4]],
    /// Weights five to eight; may be empty.
    pub more_weights: &'a [[f32; 4]],
    /// Offsets that morph weights scale and add before skinning.
    pub morph_targets: Vec<MorphDeltas<'a>>,
}

/// Offsets of one morph target at weight 1, in mesh space. Every slice is empty or has one entry per vertex.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MorphDeltas<'a> {
    /// Added to positions.
    pub positions: &'a [[f32; 3]],
    /// Added to normals.
    pub normals: &'a [[f32; 3]],
    /// Added to the `xyz` of tangents.
    pub tangents: &'a [[f32; 3]],
}

/// What is wrong with a [`Geometry`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GeometryError {
    /// A slice does not have the length of the positions.
    #[error("{found} {attribute} for {expected} vertices")]
    Length {
        /// Which slice.
        attribute: &'static str,
        /// Its length.
        found: usize,
        /// The number of vertices.
        expected: usize,
    },
    /// A vertex refers to a joint that the palette does not have.
    #[error("vertex {vertex} is moved by joint {joint}, but the palette has {joint_count} joints")]
    Joint {
        /// The vertex.
        vertex: usize,
        /// The joint.
        joint: u16,
        /// Joints of the palette.
        joint_count: usize,
    },
    /// A weight is negative or not a finite number.
    #[error("vertex {vertex} has a weight that is negative or not finite")]
    Weight {
        /// The vertex.
        vertex: usize,
    },
}

impl Geometry<'_> {
    /// Checks that all slices match, that weights are valid, and that every joint with a weight exists in a palette of
    /// `joint_count` joints.
    ///
    /// # Errors
    /// The first problem found.
    pub fn check(&self, joint_count: usize) -> Result<(), GeometryError> {
        let expected = self.positions.len();
        let is_skinned = !self.joints.is_empty() || !self.weights.is_empty();
        let has_more = !self.more_joints.is_empty() || !self.more_weights.is_empty();
        let four = if is_skinned || has_more { expected } else { 0 };
        let eight = if has_more { expected } else { 0 };
        let exact = [
            ("joints", self.joints.len(), four),
            ("weights", self.weights.len(), four),
            ("more joints", self.more_joints.len(), eight),
            ("more weights", self.more_weights.len(), eight),
        ];
        for (attribute, found, expected) in exact {
            if found != expected {
                return Err(GeometryError::Length { attribute, found, expected });
            }
        }
        let base = [("normals", self.normals.len()), ("tangents", self.tangents.len())];
        let morphed = self.morph_targets.iter().flat_map(|target| {
            [
                ("morph positions", target.positions.len()),
                ("morph normals", target.normals.len()),
                ("morph tangents", target.tangents.len()),
            ]
        });
        for (attribute, found) in base.into_iter().chain(morphed) {
            if found != 0 && found != expected {
                return Err(GeometryError::Length { attribute, found, expected });
            }
        }
        for vertex in 0..self.joints.len() {
            for (joint, weight) in self.raw_influences(vertex) {
                if !(0.0..f32::INFINITY).contains(&weight) {
                    return Err(GeometryError::Weight { vertex });
                }
                if weight > 0.0 && usize::from(joint) >= joint_count {
                    return Err(GeometryError::Joint { vertex, joint, joint_count });
                }
            }
        }
        Ok(())
    }

    /// `true` if joints move the vertices.
    #[must_use]
    pub fn is_skinned(&self) -> bool {
        !self.joints.is_empty() && !self.weights.is_empty()
    }

    /// Joints and weights as they are given.
    fn raw_influences(&self, vertex: usize) -> impl Iterator<Item = (u16, f32)> + use<'_> {
        let four = |joints: &[[u16; 4]], weights: &[[f32; 4]]| match (joints.get(vertex), weights.get(vertex)) {
            (Some(&joints), Some(&weights)) => (joints, weights),
            _ => ([0; 4], [0.0; 4]),
        };
        let (joints, weights) = four(self.joints, self.weights);
        let (more_joints, more_weights) = four(self.more_joints, self.more_weights);
        joints.into_iter().zip(weights).chain(more_joints.into_iter().zip(more_weights))
    }

    /// The joints that move a vertex, with weights that sum to 1. Weights that are no use count as zero.
    pub(crate) fn influences(&self, vertex: usize) -> Influences {
        let mut influences = Influences { joints: [0; MOST_INFLUENCES], weights: [0.0; MOST_INFLUENCES], count: 0 };
        let mut sum = 0.0_f32;
        for (joint, weight) in self.raw_influences(vertex) {
            if weight > 0.0 && weight < f32::INFINITY {
                influences.joints[influences.count] = joint;
                influences.weights[influences.count] = weight;
                influences.count += 1;
                sum += weight;
            }
        }
        // Weights as a loader leaves them keep their bits.
        if (sum - 1.0).abs() > 1e-6 && sum > 0.0 && sum < f32::INFINITY {
            influences.weights.iter_mut().for_each(|weight| *weight /= sum);
        }
        influences
    }
}

/// The joints of one vertex.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Influences {
    /// Those with a weight come first.
    pub joints: [u16; MOST_INFLUENCES],
    pub weights: [f32; MOST_INFLUENCES],
    pub count: usize,
}

impl Influences {
    /// The joints with a weight, and it.
    pub fn iter(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        self.joints[..self.count].iter().map(|&joint| usize::from(joint)).zip(self.weights)
    }

    /// The position of the largest weight, the first of several.
    pub fn pivot(&self) -> usize {
        let mut pivot = 0;
        for at in 1..self.count {
            if self.weights[at] > self.weights[pivot] {
                pivot = at;
            }
        }
        pivot
    }
}
