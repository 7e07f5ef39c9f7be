use glam::{Mat3, Mat4, Vec3};

use super::{Figure, Gpu, GpuError, GpuMesh, Part};
use crate::asset::{Asset, Mesh, Primitive, Topology};
use crate::skinning::{Blending, Bounds, Palette, PoseBounds};

/// The meshes of a loaded file on the GPU.
///
/// All of them, also rigid ones that joints carry, are moved by the palette of the file's skeleton.
#[derive(Debug)]
pub struct Model {
    /// What to draw: one for each primitive of each mesh.
    pub parts: Vec<Part>,
    /// For each part, its mesh in [`Asset::meshes`].
    pub part_meshes: Vec<usize>,
    bounds: Vec<PoseBounds>,
    /// For each part.
    morph_weights: Vec<Vec<f32>>,
}

impl Model {
    /// Uploads the meshes of a file.
    ///
    /// # Errors
    /// As [`GpuMesh::new`].
    pub fn new(gpu: &Gpu, asset: &Asset) -> Result<Self, GpuError> {
        Self::with_blending(gpu, asset, |_| Blending::Linear)
    }

    /// Uploads the meshes of a file, each with a way of blending.
    ///
    /// # Errors
    /// As [`GpuMesh::new`].
    pub fn with_blending(gpu: &Gpu, asset: &Asset, blending: impl Fn(&Mesh) -> Blending) -> Result<Self, GpuError> {
        let mut model =
            Self { parts: Vec::new(), part_meshes: Vec::new(), bounds: Vec::new(), morph_weights: Vec::new() };
        for (index, mesh) in asset.meshes.iter().enumerate() {
            for primitive in mesh.primitives.iter() {
                let carried = carried(asset, mesh, primitive);
                let primitive = carried.as_ref().unwrap_or(primitive);
                let (part, bounds) = part(gpu, asset, primitive, blending(mesh))?;
                model.parts.push(part);
                model.part_meshes.push(index);
                model.bounds.push(bounds);
                model.morph_weights.push(Vec::new());
            }
            model.set_morph_weights(gpu, index, &mesh.morph_weights)?;
        }
        Ok(model)
    }

    /// Sets the morph weights of a mesh, for one instance after the other.
    ///
    /// # Errors
    /// As [`GpuMorphs::upload_weights`](super::GpuMorphs::upload_weights).
    pub fn set_morph_weights(&mut self, gpu: &Gpu, mesh: usize, weights: &[f32]) -> Result<(), GpuError> {
        for (index, part) in self.parts.iter_mut().enumerate() {
            if self.part_meshes[index] == mesh && part.mesh.morphs.target_count() > 0 {
                part.mesh.morphs.upload_weights(gpu, weights)?;
                self.morph_weights[index] = weights.to_vec();
            }
        }
        Ok(())
    }

    /// The model at the origin, moved by the first palette of the upload.
    #[must_use]
    pub fn figure(&self) -> Figure<'_> {
        Figure { parts: &self.parts, world_from_model: Mat4::IDENTITY, start_joint: 0, morph_instance: 0 }
    }

    /// The box around the model in a pose, in model space; `None` where there is nothing or nothing is known.
    #[must_use]
    pub fn bounds<'p>(&self, palette: impl Into<Palette<'p>>) -> Option<Bounds> {
        let palette = palette.into();
        let mut all = self.bounds.iter().zip(&self.morph_weights).map(|(part, weights)| part.of(palette, weights));
        let first = all.next()??;
        all.try_fold(first, |bounds, part| Some(bounds.union(&part?)))
    }
}

/// A rigid mesh as a skinned one: of one joint, in the space that its inverse bind matrix expects.
fn carried(asset: &Asset, mesh: &Mesh, primitive: &Primitive) -> Option<Primitive> {
    let joint = mesh.joint.filter(|_| mesh.skin.is_none())?;
    let bind_from_joint = asset.skeleton.joints.get(usize::from(joint))?.inverse_bind_matrix.inverse();
    let linear = Mat3::from_mat4(bind_from_joint);
    let side = if linear.determinant() < 0.0 { -1.0 } else { 1.0 };
    // Cofactors, as for any normal. Nothing is made unit length here, so that morph targets add up as before.
    let [x, y, z] = [linear.x_axis, linear.y_axis, linear.z_axis];
    let turn = Mat3::from_cols(y.cross(z), z.cross(x), x.cross(y)) * side;
    let each = |vectors: &mut Vec<[f32; 3]>, by: &Mat3| {
        vectors.iter_mut().for_each(|vector| *vector = (*by * Vec3::from(*vector)).into());
    };
    let mut carried = primitive.clone();
    carried.positions.iter_mut().for_each(|at| *at = bind_from_joint.transform_point3((*at).into()).into());
    each(&mut carried.normals, &turn);
    for tangent in &mut carried.tangents {
        let [x, y, z, w] = *tangent;
        *tangent = (linear * Vec3::new(x, y, z)).extend(w * side).into();
    }
    for target in &mut carried.morph_targets {
        each(&mut target.positions, &linear);
        each(&mut target.normals, &turn);
        each(&mut target.tangents, &linear);
    }
    carried.joints = vec![[joint, 0, 0, 0]; primitive.positions.len()];
    carried.weights = vec![[1.0, 0.0, 0.0, 0.0]; primitive.positions.len()];
    Some(carried)
}

fn part(gpu: &Gpu, asset: &Asset, primitive: &Primitive, blending: Blending) -> Result<(Part, PoseBounds), GpuError> {
    let geometry = primitive.geometry();
    let mesh = GpuMesh::new(gpu, &geometry, asset.skeleton.joints.len(), blending)?;
    let white = vec![[1.0; 4]; if primitive.colors.is_empty() { primitive.positions.len() } else { 0 }];
    let colors = if primitive.colors.is_empty() { &white } else { &primitive.colors };
    let (indices, colors) = gpu.scoped(|| {
        let indices = bytemuck::cast_slice(&primitive.indices);
        (
            gpu.buffer_with("nebula indices", wgpu::BufferUsages::INDEX, indices),
            gpu.buffer_with("nebula colors", wgpu::BufferUsages::VERTEX, bytemuck::cast_slice(colors)),
        )
    })?;
    let part = Part {
        mesh,
        indices,
        index_count: primitive.indices.len() as u32,
        colors,
        color: primitive.material.base_color_factor,
        topology: match primitive.topology {
            Topology::Triangles => wgpu::PrimitiveTopology::TriangleList,
            Topology::Lines => wgpu::PrimitiveTopology::LineList,
            Topology::Points => wgpu::PrimitiveTopology::PointList,
        },
        is_flat: primitive.normals.is_empty(),
    };
    Ok((part, PoseBounds::new(&geometry, blending)))
}
