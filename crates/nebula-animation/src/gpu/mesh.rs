use super::limits::{BUFFER_SIZE, within};
use super::{Gpu, GpuError, GpuMorphs};
use crate::skinning::{Blending, Geometry};

/// The vertices of a mesh on the GPU, for a vertex shader or the [`Skinner`](super::Skinner).
#[derive(Debug)]
pub struct GpuMesh {
    pub(super) vertices: wgpu::Buffer,
    pub(super) influences: wgpu::Buffer,
    /// Morph targets and the weights of the instances.
    pub morphs: GpuMorphs,
    /// How joints are blended; can be changed at any time.
    pub blending: Blending,
    vertex_count: u32,
    influence_count: u32,
    joint_count: usize,
}

impl GpuMesh {
    /// Bytes of a vertex: position, normal, tangent.
    pub const VERTEX_BYTES: u64 = 40;
    /// Bytes of four joints and their weights.
    pub const INFLUENCE_BYTES: u64 = 24;
    /// The vertex buffer: locations 0 (position), 1 (normal), 2 (tangent). Skinned vertices have it too.
    pub const VERTEX_ATTRIBUTES: [wgpu::VertexAttribute; 3] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x4];

    /// Uploads a mesh. `joint_count` is the number of joints of the palettes that will be used with it.
    ///
    /// Weights are normalized to a sum of 1. Each vertex has four or eight joint slots, as needed.
    ///
    /// # Errors
    /// [`GpuError::Geometry`] for slices that do not match, invalid weights, or a joint outside the palette;
    /// [`GpuError::Limit`] for more than the device allows; and errors of creating buffers.
    pub fn new(gpu: &Gpu, geometry: &Geometry, joint_count: usize, blending: Blending) -> Result<Self, GpuError> {
        geometry.check(joint_count)?;
        let count = geometry.positions.len();
        let influence_count = match (geometry.is_skinned(), geometry.more_joints.is_empty()) {
            (false, _) => 0,
            (true, true) => 4,
            (true, false) => 8,
        };
        // The largest of all buffers: 40 bytes a vertex, or 48.
        let bytes = count as u64 * Self::VERTEX_BYTES.max(Self::INFLUENCE_BYTES * u64::from(influence_count) / 4);
        within("bytes of vertices", bytes, gpu.limits().max_buffer_size, BUFFER_SIZE)?;
        let vertices = vertex_bytes(geometry);
        let influences = influence_bytes(geometry, influence_count);
        let morphs = GpuMorphs::new(gpu, geometry)?;
        let (vertices, influences) = gpu.scoped(|| {
            let mut usage = wgpu::BufferUsages::VERTEX;
            if gpu.limits().max_storage_buffers_per_shader_stage > 0 {
                usage |= wgpu::BufferUsages::STORAGE;
            }
            let vertices = gpu.buffer_with("nebula vertices", usage, bytemuck::cast_slice(&vertices));
            (vertices, gpu.buffer_with("nebula influences", usage, &influences))
        })?;
        Ok(Self { vertices, influences, morphs, blending, vertex_count: count as u32, influence_count, joint_count })
    }

    /// Positions, normals and tangents in the bind pose: [`GpuMesh::VERTEX_BYTES`] each, zeros for missing attributes.
    #[must_use]
    pub fn vertices(&self) -> &wgpu::Buffer {
        &self.vertices
    }

    /// Joints and weights: [`GpuMesh::INFLUENCE_BYTES`] for each four. Zeros for a mesh without joints.
    #[must_use]
    pub fn influences(&self) -> &wgpu::Buffer {
        &self.influences
    }

    /// Stride in bytes of [`GpuMesh::influences`].
    #[must_use]
    pub fn influence_stride(&self) -> u64 {
        Self::INFLUENCE_BYTES * u64::from(self.influence_count.max(4)) / 4
    }

    /// The number of vertices.
    #[must_use]
    pub fn vertex_count(&self) -> u32 {
        self.vertex_count
    }

    /// Joints per vertex: 0, 4 or 8.
    #[must_use]
    pub fn influence_count(&self) -> u32 {
        self.influence_count
    }

    /// The number of joints in a palette for this mesh.
    #[must_use]
    pub fn joint_count(&self) -> usize {
        if self.influence_count == 0 { 0 } else { self.joint_count }
    }
}

fn vertex_bytes(geometry: &Geometry) -> Vec<[f32; 10]> {
    let vertex = |(index, &[x, y, z]): (usize, &[f32; 3])| {
        let [nx, ny, nz] = geometry.normals.get(index).copied().unwrap_or_default();
        let [tx, ty, tz, tw] = geometry.tangents.get(index).copied().unwrap_or_default();
        [x, y, z, nx, ny, nz, tx, ty, tz, tw]
    };
    geometry.positions.iter().enumerate().map(vertex).collect()
}

fn influence_bytes(geometry: &Geometry, influence_count: u32) -> Vec<u8> {
    let fours = influence_count.max(4) as usize / 4;
    let mut bytes = Vec::with_capacity(geometry.positions.len() * fours * GpuMesh::INFLUENCE_BYTES as usize);
    for vertex in 0..geometry.positions.len() {
        // Joints with a weight come first: four places are enough where four were given.
        let influences = geometry.influences(vertex);
        for four in 0..fours {
            bytes.extend_from_slice(bytemuck::cast_slice(&influences.joints[four * 4..four * 4 + 4]));
            bytes.extend_from_slice(bytemuck::cast_slice(&influences.weights[four * 4..four * 4 + 4]));
        }
    }
    bytes
}
