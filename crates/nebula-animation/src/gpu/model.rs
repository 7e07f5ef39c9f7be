use glam::{Mat3, Mat4, Vec3};

use super::{Figure, Gpu, GpuError, GpuMesh, GpuPalettes, Part, Transparency, Upload};
use crate::asset::{Alpha, Asset, Mesh, Primitive, Topology};
use crate::frame::Frame;
use crate::skinning::{Blending, Bounds, Palette, PoseBounds};

/// The meshes of a loaded file on the GPU.
///
/// All of them, including rigid ones attached to joints, use the palette of the file's skeleton.
///
/// ```no_run
/// # use nebula_animation::gpu::{Camera, Canvas, Gpu, GpuError, GpuPalettes, Model};
/// # fn frame(gpu: &Gpu, model: &mut Model, palettes: &mut GpuPalettes, canvas: &mut Canvas, camera: &Camera,
/// #     characters: &[nebula_animation::Character]) -> Result<(), GpuError> {
/// // Each frame: palettes and faces of all characters of this model, in one call.
/// model.upload(gpu, palettes, characters.iter().map(|character| character.frame()))?;
/// let figures: Vec<_> = (0..characters.len()).map(|index| model.instance(index)).collect();
/// canvas.draw(gpu, palettes, camera, &figures)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Model {
    /// The parts to draw: one for each primitive of each mesh.
    pub parts: Vec<Part>,
    /// For each part, the index of its mesh in [`Asset::meshes`].
    pub part_meshes: Vec<usize>,
    bounds: Vec<PoseBounds>,
    /// For each part, the morph weights of all instances.
    morph_weights: Vec<Vec<f32>>,
    /// For each mesh.
    faces: Vec<Face>,
    joint_count: usize,
    /// For the weights of one mesh.
    scratch: Vec<f32>,
}

/// The morph targets of a mesh.
#[derive(Debug)]
struct Face {
    /// The slot of the first weight.
    first_slot: usize,
    /// The weights while nothing drives them.
    defaults: Vec<f32>,
}

impl Model {
    /// Uploads the meshes of a file.
    ///
    /// # Errors
    /// Like [`GpuMesh::new`].
    pub fn new(gpu: &Gpu, asset: &Asset) -> Result<Self, GpuError> {
        Self::with_blending(gpu, asset, |_| Blending::Linear)
    }

    /// Uploads the meshes of a file, with a blending method for each.
    ///
    /// # Errors
    /// Like [`GpuMesh::new`].
    pub fn with_blending(gpu: &Gpu, asset: &Asset, blending: impl Fn(&Mesh) -> Blending) -> Result<Self, GpuError> {
        let face = |mesh: &Mesh| Face {
            first_slot: mesh.morph_slot.unwrap_or_default(),
            defaults: mesh.morph_weights.clone(),
        };
        let mut model = Self {
            parts: Vec::new(),
            part_meshes: Vec::new(),
            bounds: Vec::new(),
            morph_weights: Vec::new(),
            faces: asset.meshes.iter().map(face).collect(),
            joint_count: asset.skeleton.joints.len(),
            scratch: Vec::new(),
        };
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

    /// Uploads the palettes and morph weights of frames, which become the [instances](Model::instance) of the model in
    /// this order.
    ///
    /// All palettes are replaced. If characters of several models share them, use [`GpuPalettes::upload_frames`] for
    /// all and [`Model::set_morphs`] for each model.
    ///
    /// # Errors
    /// [`GpuError::Mismatch`] for a frame of a rig with a different number of joints; errors of [`GpuPalettes::upload`]
    /// and [`Model::set_morphs`].
    pub fn upload<'f, F>(&mut self, gpu: &Gpu, palettes: &mut GpuPalettes, frames: F) -> Result<Upload, GpuError>
    where
        F: IntoIterator<Item = &'f Frame, IntoIter: Clone>,
    {
        let frames = frames.into_iter();
        if frames.clone().any(|frame| frame.rig().joint_count() != self.joint_count) {
            return Err(GpuError::Mismatch("a frame's rig has another number of joints than the model's skeleton"));
        }
        self.set_morphs(gpu, frames.clone().map(Frame::morph_weights))?;
        palettes.upload_frames(gpu, frames)
    }

    /// Sets the morph weights of all meshes, instance by instance, in slots as in [`Frame::morph_weights`] and
    /// [`Crowd::morph_weights_of`](crate::Crowd::morph_weights_of). Targets whose slot an instance lacks have their
    /// default.
    ///
    /// # Errors
    /// Like [`GpuMorphs::upload_weights`](super::GpuMorphs::upload_weights).
    pub fn set_morphs<'w, W>(&mut self, gpu: &Gpu, instances: W) -> Result<(), GpuError>
    where
        W: IntoIterator<Item = &'w [f32], IntoIter: Clone>,
    {
        let instances = instances.into_iter();
        let mut weights = std::mem::take(&mut self.scratch);
        for mesh in 0..self.faces.len() {
            let Face { first_slot, defaults } = &self.faces[mesh];
            weights.clear();
            for slots in instances.clone() {
                let given = slots.get(*first_slot..).unwrap_or_default();
                let weight = |(target, rest): (usize, &f32)| given.get(target).copied().unwrap_or(*rest);
                weights.extend(defaults.iter().enumerate().map(weight));
            }
            if !weights.is_empty() {
                self.set_morph_weights(gpu, mesh, &weights)?;
            }
        }
        self.scratch = weights;
        Ok(())
    }

    /// Sets the morph weights of a mesh, instance by instance.
    ///
    /// # Errors
    /// Like [`GpuMorphs::upload_weights`](super::GpuMorphs::upload_weights).
    pub fn set_morph_weights(&mut self, gpu: &Gpu, mesh: usize, weights: &[f32]) -> Result<(), GpuError> {
        for (index, part) in self.parts.iter_mut().enumerate() {
            if self.part_meshes[index] == mesh && part.mesh.morphs.target_count() > 0 {
                part.mesh.morphs.upload_weights(gpu, weights)?;
                self.morph_weights[index].clear();
                self.morph_weights[index].extend_from_slice(weights);
            }
        }
        Ok(())
    }

    /// The model at the origin, with the first palette of the upload and the first morph weights.
    #[must_use]
    pub fn figure(&self) -> Figure<'_> {
        self.instance(0)
    }

    /// One instance of the model, at the origin, by index: palettes and morph weights were uploaded in this order.
    #[must_use]
    pub fn instance(&self, index: usize) -> Figure<'_> {
        let start_joint = index.saturating_mul(self.joint_count);
        Figure { parts: &self.parts, world_from_model: Mat4::IDENTITY, start_joint, morph_instance: index }
    }

    /// The bounding box of the model in a pose, with the morph weights of the first instance, in model space; `None` if
    /// there is nothing, or the extent is unknown.
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
        emissive: if primitive.material.is_unlit { [0.0; 3] } else { primitive.material.emissive_factor },
        is_unlit: primitive.material.is_unlit,
        transparency: match primitive.material.alpha {
            Alpha::Opaque => Transparency::Opaque,
            Alpha::Mask(cutoff) => Transparency::Mask(cutoff),
            Alpha::Blend => Transparency::Blend,
        },
        topology: match primitive.topology {
            Topology::Triangles => wgpu::PrimitiveTopology::TriangleList,
            Topology::Lines => wgpu::PrimitiveTopology::LineList,
            Topology::Points => wgpu::PrimitiveTopology::PointList,
        },
        is_flat: primitive.normals.is_empty(),
    };
    Ok((part, PoseBounds::new(&geometry, blending)))
}
