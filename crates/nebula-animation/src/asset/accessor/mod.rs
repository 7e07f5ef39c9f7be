//! Accessors, and the views and buffers below them, checked before they are read.

mod decode;
mod layout;
mod view;

use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;

use gltf::json::accessor::{ComponentType, Type};

use super::document::Document;
use super::error::AnimationLoadError;
use super::report::Report;
use decode::{decode_floats, decode_integers};
use layout::Layout;
use view::View;

/// Every accessor of a file, with all ranges checked. Decoding one charges the budget of the whole file.
pub(super) struct Accessors<'d> {
    views: Vec<View<'d>>,
    layouts: Vec<Layout>,
    budget: Budget,
}

/// Bytes that may still be decoded.
pub(super) struct Budget {
    left: Cell<u64>,
    limit: u64,
}

impl Budget {
    /// Takes `bytes` off the budget, before the memory is taken.
    pub fn charge(&self, bytes: u64, report: &Report) -> Result<(), AnimationLoadError> {
        match self.left.get().checked_sub(bytes) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => {
                let asked = (self.limit - self.left.get()).saturating_add(bytes);
                Err(report.limit("bytes of decoded data", asked, self.limit))
            }
        }
    }
}

/// What an array is used for: the forms of data that glTF allows there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    /// The use, for messages: `rotation keys`.
    pub role: &'static str,
    pub shapes: &'static [Type],
    pub components: &'static [ComponentType],
    /// Whether integers must be normalised, must not be, or may be either.
    pub normalized: Option<bool>,
}

impl<'d> Accessors<'d> {
    /// Checks every view and every accessor of the file.
    pub fn new(
        document: &'d Document<'d>,
        buffers: &'d [Cow<'d, [u8]>],
        decode_limit: u64,
        report: &mut Report,
    ) -> Result<Self, AnimationLoadError> {
        // Far beyond any memory, and low enough that sizes below it cannot overflow.
        let decode_limit = decode_limit.min(1 << 46);
        let views = view::check(document, buffers, report)?;
        let layouts = layout::check(document, &views, report)?;
        Ok(Self { views, layouts, budget: Budget { left: Cell::new(decode_limit), limit: decode_limit } })
    }

    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// How many elements the accessor has; at least one.
    pub fn count(&self, accessor: usize) -> usize {
        self.layouts[accessor].count
    }

    /// How many numbers each element has.
    pub fn width(&self, accessor: usize) -> usize {
        self.layouts[accessor].shape.multiplicity()
    }

    /// The bytes of a whole buffer view, for images.
    pub fn view_bytes(&self, view: usize, report: &Report) -> Result<&[u8], AnimationLoadError> {
        self.views[view].bytes(view, &self.budget, report)
    }

    /// Decodes an accessor into finite floats, element after element.
    pub fn floats(
        &self,
        accessor: usize,
        form: Form,
        object: &str,
        report: &Report,
    ) -> Result<Arc<[f32]>, AnimationLoadError> {
        let layout = self.checked_form(accessor, form, object, report)?;
        self.budget.charge(layout.number_count().saturating_mul(4), report)?;
        let values = decode_floats(layout, &self.element_bytes(layout, report)?)
            .map_err(|problem| report.malformed(accessor_name(accessor), problem))?;
        // Checked a block at a time, so that the common case runs through the vector unit.
        let is_finite = |block: &[f32]| block.iter().fold(0.0_f32, |sum, value| sum + value * 0.0) == 0.0;
        if let Some(block) = values.chunks(4096).position(|block| !is_finite(block)) {
            let number = (block * 4096..values.len()).find(|&number| !values[number].is_finite()).unwrap_or_default();
            let (element, component) = (number / layout.shape.multiplicity(), number % layout.shape.multiplicity());
            let problem = format!(
                "{}: element {element}, component {component} of accessor {accessor} is {}, expected a finite number",
                form.role, values[number]
            );
            return Err(report.malformed(object, problem));
        }
        Ok(values)
    }

    /// Decodes an accessor of unsigned integers, element after element.
    pub fn integers(
        &self,
        accessor: usize,
        form: Form,
        object: &str,
        report: &Report,
    ) -> Result<Vec<u32>, AnimationLoadError> {
        let layout = self.checked_form(accessor, form, object, report)?;
        self.budget.charge(layout.number_count().saturating_mul(4), report)?;
        decode_integers(layout, &self.element_bytes(layout, report)?)
            .map_err(|problem| report.malformed(accessor_name(accessor), problem))
    }

    fn checked_form(
        &self,
        accessor: usize,
        form: Form,
        object: &str,
        report: &Report,
    ) -> Result<&Layout, AnimationLoadError> {
        let layout = &self.layouts[accessor];
        let is_integer = layout.component != ComponentType::F32;
        let is_allowed = form.shapes.contains(&layout.shape)
            && form.components.contains(&layout.component)
            && form.normalized.is_none_or(|normalized| !is_integer || normalized == layout.is_normalized);
        if is_allowed {
            return Ok(layout);
        }
        let normalized = if layout.is_normalized { "normalised " } else { "" };
        let expected = match form.normalized {
            Some(true) if form.components.len() > 1 => " (integers normalised)",
            Some(false) => " (not normalised)",
            _ => "",
        };
        let problem = format!(
            "{}: accessor {accessor} holds {:?} of {normalized}{:?}, expected {} of {}{expected}",
            form.role,
            layout.shape,
            layout.component,
            listed(form.shapes),
            listed(form.components),
        );
        Err(report.malformed(object, problem))
    }

    fn element_bytes<'s>(
        &'s self,
        layout: &Layout,
        report: &Report,
    ) -> Result<decode::ElementBytes<'s>, AnimationLoadError> {
        let bytes = |view: Option<usize>| match view {
            Some(view) => self.views[view].bytes(view, &self.budget, report),
            None => Ok(&[][..]),
        };
        Ok(decode::ElementBytes {
            base: bytes(layout.view)?,
            sparse_indices: bytes(layout.sparse.as_ref().map(|sparse| sparse.index_view))?,
            sparse_values: bytes(layout.sparse.as_ref().map(|sparse| sparse.value_view))?,
        })
    }
}

fn accessor_name(accessor: usize) -> String {
    format!("accessor {accessor}")
}

fn listed(choices: &[impl std::fmt::Debug]) -> String {
    let names: Vec<_> = choices.iter().map(|choice| format!("{choice:?}")).collect();
    names.join(" or ")
}
