// Palettes in storage buffers.
//
// Bytes: joint after joint, each three rows of four f32 (48 bytes, the upper rows of its skinning matrix), or four columns
// (64 bytes, a whole matrix) where NEBULA_VECTORS_PER_JOINT is 4. Characters follow each other without gaps.
//
// `first` is the index of a character's first vector: its first joint times NEBULA_VECTORS_PER_JOINT.

const NEBULA_VECTORS_PER_JOINT: u32 = 3u;

@group(0) @binding(0) var<storage, read> nebula_palettes: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> nebula_previous_palettes: array<vec4<f32>>;
