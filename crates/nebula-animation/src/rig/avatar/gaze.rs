use glam::Vec3;

/// How eyes follow a target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EyeGaze {
    /// How the eyes are moved.
    pub kind: EyeGazeKind,
    /// The head joint.
    pub head: u16,
    /// The joints of the eyes, left and right.
    pub eyes: [Option<u16>; 2],
    /// The point between the eyes, in the head's own space.
    pub offset: Vec3,
    /// Limits for looking towards the nose, at something on the eye's other side.
    pub inner: EyeRange,
    /// Limits for looking away from the nose.
    pub outer: EyeRange,
    /// Downwards.
    pub down: EyeRange,
    /// Upwards.
    pub up: EyeRange,
}

/// How eyes are moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EyeGazeKind {
    /// The eye joints rotate; ranges give degrees.
    #[default]
    Joints,
    /// The expressions `lookLeft`, `lookRight`, `lookUp`, `lookDown`; ranges give strengths.
    Expressions,
}

/// Maps the angle of a target to the movement of an eye: linear up to the end of the range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EyeRange {
    /// The target angle in degrees beyond which the eye does not move further; above 0.
    pub most: f32,
    /// The output at that angle: degrees of the eye, or strength of the expression.
    pub output: f32,
}

impl Default for EyeRange {
    fn default() -> Self {
        Self { most: 90.0, output: 10.0 }
    }
}

impl EyeRange {
    /// The output for a target angle in degrees, of either sign.
    #[must_use]
    pub fn map(&self, degrees: f32) -> f32 {
        let most = if self.most > 0.0 { self.most } else { return self.output };
        degrees.abs().min(most) / most * self.output
    }
}

impl EyeGaze {
    /// The rotations of the left and right eye, in degrees to the avatar's left and downwards, for a target at these
    /// angles in degrees to the left and below.
    ///
    /// ```
    /// use nebula_animation::rig::avatar::{EyeGaze, EyeGazeKind, EyeRange};
    ///
    /// let range = |output| EyeRange { most: 90.0, output };
    /// let gaze = EyeGaze {
    ///     kind: EyeGazeKind::Joints,
    ///     head: 0,
    ///     eyes: [None; 2],
    ///     offset: glam::Vec3::ZERO,
    ///     inner: range(8.0),
    ///     outer: range(12.0),
    ///     down: range(10.0),
    ///     up: range(10.0),
    /// };
    /// assert_eq!(gaze.eye_angles(45.0, -90.0), [(6.0, -10.0), (4.0, -10.0)]);
    /// ```
    #[must_use]
    pub fn eye_angles(&self, left: f32, down: f32) -> [(f32, f32); 2] {
        let vertical = if down > 0.0 { self.down.map(down) } else { -self.up.map(down) };
        [[self.outer, self.inner], [self.inner, self.outer]]
            .map(|[to_left, to_right]| (if left > 0.0 { to_left.map(left) } else { -to_right.map(left) }, vertical))
    }

    /// The strengths of `lookLeft`, `lookRight`, `lookUp` and `lookDown` for such a target.
    #[must_use]
    pub fn strengths(&self, left: f32, down: f32) -> [f32; 4] {
        let sides = if left > 0.0 { [self.outer.map(left), 0.0] } else { [0.0, self.outer.map(left)] };
        let heights = if down > 0.0 { [0.0, self.down.map(down)] } else { [self.up.map(down), 0.0] };
        [sides[0], sides[1], heights[0], heights[1]]
    }
}
