// Palettes in uniform buffers, of which a window is visible: its length is the number in the two lines below.
//
// Bytes: joint after joint, each three rows of four f32 (48 bytes, the upper rows of its skinning matrix), or four columns
// (64 bytes, a whole matrix) where NEBULA_VECTORS_PER_JOINT is 4. Characters follow each other without gaps.
//
// `first` is the index of a character's first vector inside the window. The window starts at a dynamic offset.

const NEBULA_VECTORS_PER_JOINT: u32 = 3u;

@group(0) @binding(0) var<uniform> nebula_palettes: array<vec4<f32>, 1024>;
@group(0) @binding(1) var<uniform> nebula_previous_palettes: array<vec4<f32>, 1024>;
