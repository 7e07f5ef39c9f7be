//! Names of objects, truncated if they are too long.

use super::document::Text;
use super::report::{Report, named};

/// How long names may be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Names {
    pub most_bytes: usize,
}

impl Names {
    /// The names of all objects of a kind; generated if missing.
    pub fn of_all<'t, 'd: 't>(
        self,
        kind: &str,
        names: impl Iterator<Item = &'t Option<Text<'d>>>,
        prefix: &str,
        report: &mut Report,
    ) -> Vec<String> {
        let name = |(index, name): (usize, &'t Option<Text<'d>>)| match name {
            Some(name) => self.of(kind, index, name, report),
            None => format!("{prefix}_{index}"),
        };
        names.enumerate().map(name).collect()
    }

    /// The name of one object.
    pub fn of(self, kind: &str, index: usize, name: &str, report: &mut Report) -> String {
        if name.len() <= self.most_bytes {
            return name.to_owned();
        }
        let message = format!("the name is cut from {} to {} bytes", name.len(), self.most_bytes);
        report.note(named(kind, index, Some(name)), message);
        self.cut(name).to_owned()
    }

    /// The part of a name that is kept.
    pub fn cut(self, name: &str) -> &str {
        &name[..name.floor_char_boundary(self.most_bytes)]
    }
}
