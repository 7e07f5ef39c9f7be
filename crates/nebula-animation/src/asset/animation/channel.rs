//! Resolves the channels of a file: which node, which property.

use std::fmt;

use crate::asset::document::{Channel, Document};
use crate::asset::error::escaped;

/// What a channel drives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Target {
    pub node: usize,
    pub path: TargetPath,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum TargetPath {
    Translation,
    Rotation,
    Scale,
    Weights,
}

impl fmt::Display for TargetPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
            Self::Weights => "weights",
        })
    }
}

/// A channel that cannot be followed.
pub(super) enum Unusable {
    /// Legal in a file, without meaning for a pose.
    Ignored(String),
    /// Against the rules.
    Wrong(String),
}

/// What a channel drives. Indices have been checked, but for those in a pointer's text.
pub(super) fn target(channel: &Channel, document: &Document) -> Result<Target, Unusable> {
    let target = &channel.target;
    if &*target.path != "pointer" {
        let Some(path) = path(&target.path) else {
            let found = escaped(&target.path);
            let expected = "expected translation, rotation, scale, weights or pointer";
            return Err(Unusable::Wrong(format!("path is \"{found}\", {expected}: skipped")));
        };
        let node = target.node.ok_or_else(|| Unusable::Ignored("names no node: skipped".into()))?;
        return Ok(Target { node: node.index(), path });
    }
    let Some(pointer) = &target.extensions.pointer else {
        return Err(Unusable::Wrong("path is \"pointer\", but KHR_animation_pointer is missing: skipped".into()));
    };
    if target.node.is_some() {
        return Err(Unusable::Wrong("names a node and also a pointer: skipped".into()));
    }
    let mut parts = pointer.pointer.split('/');
    let parts = (parts.next(), parts.next(), parts.next(), parts.next(), parts.next());
    let (Some(""), Some("nodes"), Some(node), Some(property), None) = parts else {
        let pointer = escaped(&pointer.pointer);
        return Err(Unusable::Ignored(format!("animates \"{pointer}\", which moves no joint: skipped")));
    };
    match (node.parse::<usize>(), path(property)) {
        (Ok(node), Some(path)) if node < document.nodes.len() => Ok(Target { node, path }),
        (Ok(node), _) if node < document.nodes.len() => {
            Err(Unusable::Ignored(format!("animates \"{}\", which moves no joint: skipped", escaped(&pointer.pointer))))
        }
        _ => Err(Unusable::Wrong(format!("pointer \"{}\" leads to no node: skipped", escaped(&pointer.pointer)))),
    }
}

fn path(name: &str) -> Option<TargetPath> {
    Some(match name {
        "translation" => TargetPath::Translation,
        "rotation" => TargetPath::Rotation,
        "scale" => TargetPath::Scale,
        "weights" => TargetPath::Weights,
        _ => return None,
    })
}

/// For each node, whether some animation moves it.
pub(in crate::asset) fn animated_nodes(document: &Document) -> Vec<bool> {
    let mut is_animated = vec![false; document.nodes.len()];
    for channel in document.animations.iter().flat_map(|animation| &animation.channels) {
        if let Ok(target) = target(channel, document)
            && target.path != TargetPath::Weights
        {
            is_animated[target.node] = true;
        }
    }
    is_animated
}
