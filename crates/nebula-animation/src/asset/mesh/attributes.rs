//! Vertex attributes: the encodings that glTF allows, and joints with their weights.

use gltf::json::accessor::{ComponentType, Type};

use crate::asset::accessor::{Accessors, Form};
use crate::asset::document::{Attributes, Uint};
use crate::asset::error::AnimationLoadError;
use crate::asset::report::Report;

use ComponentType::{F32, I8, I16, U8, U16, U32};

/// Plain glTF stores positions, normals and tangents as floats. KHR_mesh_quantization allows small integers too, and
/// files that use them without saying so are read as well: there is only one way to understand them.
const GEOMETRY: &[ComponentType] = &[F32, I8, U8, I16, U16];
const UNIT: &[ComponentType] = &[F32, U8, U16];
const VECTOR: &[Type] = &[Type::Vec3];

pub(super) const POSITION: Form = Form { role: "POSITION", shapes: VECTOR, components: GEOMETRY, normalized: None };
pub(super) const NORMAL: Form =
    Form { role: "NORMAL", shapes: VECTOR, components: &[F32, I8, I16], normalized: Some(true) };
pub(super) const TANGENT: Form =
    Form { role: "TANGENT", shapes: &[Type::Vec4], components: &[F32, I8, I16], normalized: Some(true) };
pub(super) const TANGENT_DELTA: Form =
    Form { role: "TANGENT", shapes: VECTOR, components: &[F32, I8, I16], normalized: Some(true) };
pub(super) const UV: Form = Form { role: "TEXCOORD", shapes: &[Type::Vec2], components: GEOMETRY, normalized: None };
pub(super) const COLOR: Form =
    Form { role: "COLOR_0", shapes: &[Type::Vec3, Type::Vec4], components: UNIT, normalized: Some(true) };
pub(super) const INDICES: Form =
    Form { role: "indices", shapes: &[Type::Scalar], components: &[U8, U16, U32], normalized: Some(false) };
const JOINTS: Form = Form { role: "JOINTS", shapes: &[Type::Vec4], components: &[U8, U16], normalized: Some(false) };
const WEIGHTS: Form = Form { role: "WEIGHTS", shapes: &[Type::Vec4], components: UNIT, normalized: Some(true) };

/// Reads attributes of one primitive, all with the same number of vertices.
pub(super) struct AttributeReader<'a> {
    pub accessors: &'a Accessors<'a>,
    pub object: &'a str,
    pub vertex_count: usize,
}

/// Joints and weights of every vertex, four at a time.
#[derive(Default)]
pub(super) struct Influences {
    pub joints: Vec<[u16; 4]>,
    pub weights: Vec<[f32; 4]>,
    pub more_joints: Vec<[u16; 4]>,
    pub more_weights: Vec<[f32; 4]>,
}

impl AttributeReader<'_> {
    /// An attribute of `N` numbers a vertex; empty where the primitive has none.
    pub fn read<const N: usize>(
        &self,
        accessor: Option<Uint>,
        form: Form,
        report: &Report,
    ) -> Result<Vec<[f32; N]>, AnimationLoadError> {
        let Some(accessor) = accessor else { return Ok(Vec::new()) };
        self.check_count(accessor, form, report)?;
        let values = self.accessors.floats(accessor.index(), form, self.object, report)?;
        Ok(values.as_chunks::<N>().0.to_vec())
    }

    /// Vertex colours, opaque where the file states no alpha.
    pub fn read_colors(&self, accessor: Option<Uint>, report: &Report) -> Result<Vec<[f32; 4]>, AnimationLoadError> {
        match accessor {
            Some(index) if self.accessors.width(index.index()) == 3 => {
                let colors = self.read(accessor, COLOR, report)?;
                Ok(colors.into_iter().map(|[red, green, blue]: [f32; 3]| [red, green, blue, 1.0]).collect())
            }
            _ => self.read(accessor, COLOR, report),
        }
    }

    fn check_count(&self, accessor: Uint, form: Form, report: &Report) -> Result<(), AnimationLoadError> {
        let count = self.accessors.count(accessor.index());
        if count == self.vertex_count {
            return Ok(());
        }
        let problem = format!("{}: {count} entries for {} vertices", form.role, self.vertex_count);
        Err(report.malformed(self.object, problem))
    }

    /// Joints as indices into the skeleton, weights that sum to one.
    pub fn read_influences(
        &self,
        attributes: &Attributes,
        skin_joints: &[u16],
        report: &mut Report,
    ) -> Result<Influences, AnimationLoadError> {
        if attributes.joints_2.is_some() {
            report.note(self.object, "has more than 8 influences per vertex: the first 8 are used");
        }
        let first = self.read_set(attributes.joints_0, attributes.weights_0, report)?;
        let Some((mut joints, mut weights)) = first else {
            report.repair(self.object, "is skinned, but has no JOINTS_0 and WEIGHTS_0: left unskinned")?;
            return Ok(Influences::default());
        };
        let (mut more_joints, mut more_weights) =
            self.read_set(attributes.joints_1, attributes.weights_1, report)?.unwrap_or_default();
        if more_weights.iter().flatten().all(|&weight| weight == 0.0) {
            (more_joints, more_weights) = Default::default();
        }
        let mut weightless = 0_usize;
        for vertex in 0..joints.len() {
            let mut sets = [
                Some((&mut joints[vertex], &mut weights[vertex])),
                more_joints.get_mut(vertex).zip(more_weights.get_mut(vertex)),
            ];
            self.normalize(vertex, &mut sets, skin_joints, &mut weightless, report)?;
        }
        if weightless > 0 {
            let message = format!("{weightless} vertices have no weight: bound to their first joint");
            report.repair(self.object, message)?;
        }
        let narrow =
            |joints: Vec<[u32; 4]>| joints.into_iter().map(|joints| joints.map(|joint| joint as u16)).collect();
        Ok(Influences { joints: narrow(joints), weights, more_joints: narrow(more_joints), more_weights })
    }

    #[expect(clippy::type_complexity, reason = "a pair of arrays that only this file passes around")]
    fn read_set(
        &self,
        joints: Option<Uint>,
        weights: Option<Uint>,
        report: &mut Report,
    ) -> Result<Option<(Vec<[u32; 4]>, Vec<[f32; 4]>)>, AnimationLoadError> {
        let (Some(joints), Some(weights)) = (joints, weights) else {
            if joints.is_some() != weights.is_some() {
                report.repair(self.object, "has only one of JOINTS and WEIGHTS: both are ignored")?;
            }
            return Ok(None);
        };
        self.check_count(joints, JOINTS, report)?;
        let joints = self.accessors.integers(joints.index(), JOINTS, self.object, report)?;
        Ok(Some((joints.as_chunks::<4>().0.to_vec(), self.read(Some(weights), WEIGHTS, report)?)))
    }

    /// Maps the joints of one vertex into the skeleton and makes its weights sum to one.
    fn normalize(
        &self,
        vertex: usize,
        sets: &mut [Option<(&mut [u32; 4], &mut [f32; 4])>; 2],
        skin_joints: &[u16],
        weightless: &mut usize,
        report: &Report,
    ) -> Result<(), AnimationLoadError> {
        let mut sum = 0.0_f64;
        for (joint, weight) in
            sets.iter_mut().flatten().flat_map(|(joints, weights)| joints.iter_mut().zip(weights.iter_mut()))
        {
            if *weight < 0.0 {
                let problem = format!("WEIGHTS: vertex {vertex} has the weight {weight}, expected none below 0");
                return Err(report.malformed(self.object, problem));
            }
            sum += f64::from(*weight);
            *joint = match skin_joints.get(*joint as usize) {
                Some(&mapped) => u32::from(mapped),
                // Whatever stands beside a weight of zero is never used.
                None if *weight == 0.0 => u32::from(skin_joints.first().copied().unwrap_or_default()),
                None => {
                    let count = skin_joints.len();
                    let problem = format!("JOINTS: vertex {vertex} refers to joint {joint}, but its skin has {count}");
                    return Err(report.malformed(self.object, problem));
                }
            };
        }
        if sum > 0.0 {
            for weight in sets.iter_mut().flatten().flat_map(|(_, weights)| weights.iter_mut()) {
                *weight = (f64::from(*weight) / sum) as f32;
            }
        } else if let Some((_, weights)) = &mut sets[0] {
            weights[0] = 1.0;
            *weightless += 1;
        }
        Ok(())
    }
}
