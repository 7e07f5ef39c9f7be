//! Numbers, and how an accessor stores them.

/// A component type, by its number in glTF.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Component {
    I8 = 5120,
    U8 = 5121,
    I16 = 5122,
    U16 = 5123,
    U32 = 5125,
    F32 = 5126,
}

use Component::*;

impl Component {
    pub fn of(number: u64) -> Self {
        *[I8, U8, I16, U16, U32, F32].iter().find(|component| **component as u64 == number).expect("a component type")
    }

    pub fn size(self) -> usize {
        match self {
            I8 | U8 => 1,
            I16 | U16 => 2,
            U32 | F32 => 4,
        }
    }

    /// A number as it is stored; a fraction is cut off.
    pub fn bytes(self, value: f64) -> Vec<u8> {
        match self {
            I8 => (value as i8).to_le_bytes().to_vec(),
            U8 => (value as u8).to_le_bytes().to_vec(),
            I16 => (value as i16).to_le_bytes().to_vec(),
            U16 => (value as u16).to_le_bytes().to_vec(),
            U32 => (value as u32).to_le_bytes().to_vec(),
            F32 => (value as f32).to_le_bytes().to_vec(),
        }
    }

    /// The stored number that stands for 1 in a normalised accessor.
    pub fn one(self) -> f64 {
        match self {
            I8 => 127.0,
            U8 => 255.0,
            I16 => 32_767.0,
            U16 => 65_535.0,
            U32 | F32 => panic!("{self:?} is never normalised"),
        }
    }
}

/// How many components an accessor type has.
pub fn width(shape: &str) -> usize {
    match shape {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        other => panic!("accessor type {other}"),
    }
}

/// The content of an accessor.
#[derive(Debug, Clone)]
pub struct Array {
    pub component: Component,
    pub shape: &'static str,
    pub is_normalized: bool,
    /// Component by component, as stored.
    pub values: Vec<f64>,
}

impl Array {
    /// Stores the values as they are.
    pub fn new<V: Into<f64>>(component: Component, shape: &'static str, values: impl IntoIterator<Item = V>) -> Self {
        let values: Vec<f64> = values.into_iter().map(Into::into).collect();
        assert!(values.len().is_multiple_of(width(shape)), "{} values are no whole {shape}", values.len());
        Self { component, shape, is_normalized: false, values }
    }

    /// Stores values from -1 (or 0) to 1 as integers; as they are for floats.
    pub fn normalized(component: Component, shape: &'static str, values: &[f64]) -> Self {
        if component == F32 {
            return Self::new(F32, shape, values.iter().copied());
        }
        let stored = values.iter().map(|value| (value * component.one()).round());
        Self { is_normalized: true, ..Self::new(component, shape, stored) }
    }

    pub fn count(&self) -> usize {
        self.values.len() / width(self.shape)
    }

    /// The bytes of one element.
    pub fn element(&self, element: usize) -> Vec<u8> {
        let width = width(self.shape);
        self.values[element * width..][..width].iter().flat_map(|&value| self.component.bytes(value)).collect()
    }

    /// The bytes of all elements, one after the other.
    pub fn bytes(&self) -> Vec<u8> {
        (0..self.count()).flat_map(|element| self.element(element)).collect()
    }

    /// Smallest and largest value by component, rounded as they are stored; `None` where that is no number.
    pub fn bounds(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let width = width(self.shape);
        let stored = |value: f64| if self.component == F32 { f64::from(value as f32) } else { value };
        let all_of = |part: usize| self.values.iter().skip(part).step_by(width).map(move |&value| stored(value));
        let lowest: Vec<f64> = (0..width).map(|part| all_of(part).fold(f64::INFINITY, f64::min)).collect();
        let highest: Vec<f64> = (0..width).map(|part| all_of(part).fold(f64::NEG_INFINITY, f64::max)).collect();
        lowest.iter().chain(&highest).all(|bound| bound.is_finite()).then_some((lowest, highest))
    }
}
