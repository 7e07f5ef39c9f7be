//! What a character shows at one moment, in `f64`: the poses of its joints and the weights of its face, and how two such pictures mix.

use nebula_animation::Frame;

/// Translation, rotation (xyzw) and scale of a joint.
#[derive(Debug, Clone, Copy)]
pub struct Local {
    pub t: [f64; 3],
    pub r: [f64; 4],
    pub s: [f64; 3],
}

/// The joints of a character in their order, and its morph weights slot by slot.
#[derive(Debug, Clone)]
pub struct Picture {
    /// `None` for a joint whose node has a matrix.
    pub joints: Vec<Option<Local>>,
    pub weights: Vec<f64>,
}

impl Picture {
    /// What a library's frame holds.
    pub fn of_frame(frame: &Frame) -> Self {
        let joint = |joint: u16| {
            let (t, r, s) = frame.local(joint);
            let [t, s] = [t, s].map(|part| part.to_array().map(f64::from));
            Some(Local { t, r: r.to_array().map(f64::from), s })
        };
        let weights = frame.morph_weights().iter().copied().map(f64::from).collect();
        Self { joints: (0..frame.rig().joint_count() as u16).map(joint).collect(), weights }
    }

    /// A fraction of the way to another picture: straight lines, and the shorter arc at an even pace.
    pub fn mixed(&self, other: &Self, fraction: f64) -> Self {
        self.with(other, |a, b| lerp(a, b, fraction), |a, b| slerp(a, b, fraction))
    }

    /// The body of one picture and the face of another.
    pub fn with_face(&self, other: &Self) -> Self {
        Self { weights: other.weights.clone(), ..self.clone() }
    }

    /// Both pictures joint by joint and weight by weight: by one function of numbers, and by one of rotations.
    pub fn with(
        &self,
        other: &Self,
        number: impl Fn(f64, f64) -> f64,
        turn: impl Fn([f64; 4], [f64; 4]) -> [f64; 4],
    ) -> Self {
        let three = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|axis| number(a[axis], b[axis]));
        let joint = |(a, b): (&Option<Local>, &Option<Local>)| {
            let (a, b) = ((*a)?, (*b)?);
            Some(Local { t: three(a.t, b.t), r: turn(a.r, b.r), s: three(a.s, b.s) })
        };
        Self {
            joints: self.joints.iter().zip(&other.joints).map(joint).collect(),
            weights: self.weights.iter().zip(&other.weights).map(|(a, b)| number(*a, *b)).collect(),
        }
    }

    /// Fails unless a picture agrees: face and body, each number to `tolerance` times its size or 1.
    #[track_caller]
    pub fn assert_shown(&self, shown: &Self, tolerance: f64, what: &str) {
        let close = |part: &str, expected: &[f64], found: &[f64]| {
            assert_eq!(expected.len(), found.len(), "{what}: {part}");
            for (a, b) in expected.iter().zip(found) {
                let is_close = (a - b).abs() <= tolerance * a.abs().max(1.0);
                assert!(is_close, "{what}: {part} is {found:?}, expected {expected:?}, off by {:e}", (a - b).abs());
            }
        };
        close("the face", &self.weights, &shown.weights);
        for (joint, (expected, found)) in self.joints.iter().zip(&shown.joints).enumerate() {
            let (Some(expected), Some(found)) = (expected, found) else { continue };
            close(&format!("translation of joint {joint}"), &expected.t, &found.t);
            close(&format!("scale of joint {joint}"), &expected.s, &found.s);
            let sign = if dot(expected.r, found.r) < 0.0 { -1.0 } else { 1.0 };
            close(&format!("rotation of joint {joint}"), &expected.r, &found.r.map(|part| part * sign));
        }
    }
}

pub fn lerp(a: f64, b: f64, fraction: f64) -> f64 {
    (1.0 - fraction) * a + fraction * b
}

pub fn dot(a: [f64; 4], b: [f64; 4]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = dot(q, q).sqrt();
    q.map(|part| part / length)
}

/// A weighted sum of two rotations at unit length: the shorter arc, at its own pace.
pub fn nlerp(a: [f64; 4], b: [f64; 4], fraction: f64) -> [f64; 4] {
    let sign = if dot(a, b) < 0.0 { -1.0 } else { 1.0 };
    unit(std::array::from_fn(|part| lerp(a[part], sign * b[part], fraction)))
}

/// The shorter arc at an even pace, by sines.
pub fn slerp(a: [f64; 4], b: [f64; 4], fraction: f64) -> [f64; 4] {
    let cosine = dot(a, b);
    let (b, cosine) = if cosine < 0.0 { (b.map(|part| -part), -cosine) } else { (b, cosine) };
    let angle = cosine.min(1.0).acos();
    if angle < 1e-9 {
        return unit(std::array::from_fn(|part| lerp(a[part], b[part], fraction)));
    }
    let (from, to) = (((1.0 - fraction) * angle).sin() / angle.sin(), (fraction * angle).sin() / angle.sin());
    unit(std::array::from_fn(|part| from * a[part] + to * b[part]))
}

/// `left` after `right`.
pub fn product(left: [f64; 4], right: [f64; 4]) -> [f64; 4] {
    let ([a, b, c, d], [x, y, z, w]) = (left, right);
    [
        d * x + a * w + b * z - c * y,
        d * y - a * z + b * w + c * x,
        d * z + a * y - b * x + c * w,
        d * w - a * x - b * y - c * z,
    ]
}

pub fn inverse([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    [-x, -y, -z, w]
}

#[test]
fn a_difference_in_face_or_body_is_seen() {
    let joint = Local { t: [0.5; 3], r: [0.0, 0.0, 0.6, 0.8], s: [1.0; 3] };
    let picture = Picture { joints: vec![None, Some(joint)], weights: vec![0.25, 0.5] };
    picture.assert_shown(&picture, 1e-6, "itself");
    let faults: [fn(&mut Picture); 4] = [
        |picture| picture.weights[1] += 2e-6,
        |picture| picture.joints[1].iter_mut().for_each(|joint| joint.t[2] -= 2e-6),
        |picture| picture.joints[1].iter_mut().for_each(|joint| joint.r[0] += 2e-6),
        |picture| picture.joints[1].iter_mut().for_each(|joint| joint.s[0] += 2e-6),
    ];
    for (index, fault) in faults.into_iter().enumerate() {
        let mut other = picture.clone();
        fault(&mut other);
        let judged = std::panic::catch_unwind(|| picture.assert_shown(&other, 1e-6, "another"));
        assert!(judged.is_err(), "fault {index}");
    }
}
