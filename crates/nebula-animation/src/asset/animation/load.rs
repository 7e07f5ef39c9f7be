//! Loads the animations of a file as tracks: each accessor is decoded and checked once, and shared by all its users.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use glam::Quat;
use gltf::json::accessor::{ComponentType, Type};

use super::channel::{Target, TargetPath, Unusable, target};
use super::{Animation, MorphTrack, Property, Track};
use crate::asset::accessor::{Accessors, Form};
use crate::asset::document::{self, Document};
use crate::asset::error::{AnimationLoadError, escaped};
use crate::asset::morphs;
use crate::asset::nodes::checked_rotation;
use crate::asset::report::{Report, named};
use crate::clip::{Interpolation, MorphLayout};

/// What channels can drive.
pub(in crate::asset) struct Drivable<'a> {
    pub node_joints: &'a [Option<u16>],
    pub morphs: &'a MorphLayout,
    /// The positions of meshes, by the node that shows them.
    pub node_meshes: HashMap<usize, usize>,
}

/// The largest amounts among the values of an animation: for each of its tracks, and for each of its morph tracks.
#[derive(Default)]
pub(in crate::asset) struct Amounts {
    pub tracks: Vec<f32>,
    pub morph_tracks: Vec<f32>,
}

/// Loads every animation.
pub(in crate::asset) fn load(
    document: &Document,
    drivable: &Drivable,
    accessors: &Accessors,
    names: &[String],
    report: &mut Report,
) -> Result<(Vec<Animation>, Vec<Amounts>), AnimationLoadError> {
    let mut loader = Loader { document, drivable, accessors, times: HashMap::new(), values: HashMap::new() };
    let mut animations = Vec::with_capacity(document.animations.len());
    let mut amounts = Vec::with_capacity(document.animations.len());
    for (index, (animation, name)) in document.animations.iter().zip(names).enumerate() {
        let (animation, largest) = loader.load_animation(animation, index, name, report)?;
        animations.push(animation);
        amounts.push(largest);
    }
    Ok((animations, amounts))
}

struct Loader<'a> {
    document: &'a Document<'a>,
    drivable: &'a Drivable<'a>,
    accessors: &'a Accessors<'a>,
    /// By input accessor.
    times: HashMap<usize, Times>,
    /// By output accessor, kind, and input accessor where that one had to be sorted.
    values: HashMap<(usize, ValueKind, Option<usize>), Values>,
}

#[derive(Clone)]
struct Values {
    numbers: Arc<[f32]>,
    /// The largest of their amounts.
    largest: f32,
}

#[derive(Clone)]
struct Times {
    sorted: Arc<[f32]>,
    /// Where the keys stood in the file, if not in order.
    order: Option<Arc<[usize]>>,
}

/// What is checked about values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ValueKind {
    Vector,
    Rotation { has_tangents: bool },
    Weights,
}

/// One channel and the words for it.
struct Source<'a> {
    sampler: &'a document::Sampler<'a>,
    object: String,
    interpolation: Interpolation,
}

impl Loader<'_> {
    fn load_animation(
        &mut self,
        animation: &document::Animation,
        index: usize,
        name: &str,
        report: &mut Report,
    ) -> Result<(Animation, Amounts), AnimationLoadError> {
        let object = named("animation", index, animation.name.as_deref());
        if animation.channels.is_empty() {
            report.repair(&object, "has no channels, expected at least one")?;
        }
        let mut loaded = Animation {
            name: name.to_owned(),
            duration: 0.0,
            tracks: Vec::with_capacity(animation.channels.len()),
            morph_tracks: Vec::new(),
        };
        let mut amounts = Amounts::default();
        let mut driven = HashSet::new();
        let mut jointless = 0;
        for (position, channel) in animation.channels.iter().enumerate() {
            let sampler = &animation.samplers[channel.sampler.index()];
            let object = format!("{object}, channel {position}");
            let times = self.times(sampler.input.index(), &object, report)?;
            loaded.duration = loaded.duration.max(times.sorted.last().copied().unwrap_or_default());
            let interpolation = interpolation(sampler, &object, report)?;
            let target = match target(channel, self.document) {
                Ok(target) => target,
                Err(Unusable::Ignored(message)) => {
                    report.note(&object, message);
                    continue;
                }
                Err(Unusable::Wrong(message)) => {
                    report.repair(&object, message)?;
                    continue;
                }
            };
            if !driven.insert(target) {
                let message = format!("drives the {} of node {} once more: skipped", target.path, target.node);
                report.repair(&object, message)?;
                continue;
            }
            let source = Source { sampler, object, interpolation };
            if target.path == TargetPath::Weights {
                let track = self.morph_track(target.node, times, &source, report)?;
                if let Some((track, largest)) = track {
                    loaded.morph_tracks.push(track);
                    amounts.morph_tracks.push(largest);
                }
            } else {
                match self.track(target, times, &source, report)? {
                    Some((track, largest)) => {
                        loaded.tracks.push(track);
                        amounts.tracks.push(largest);
                    }
                    // Tips of fingers, which no vertex follows and nothing hangs from: nobody misses them.
                    None => jointless += usize::from(self.carries(target.node)),
                }
            }
        }
        if jointless > 0 {
            report.note(object, format!("{jointless} channels move nodes that are not joints: skipped"));
        }
        Ok((loaded, amounts))
    }

    /// Whether a node shows a mesh or has others below it.
    fn carries(&self, node: usize) -> bool {
        let node = self.document.nodes.get(node);
        node.is_some_and(|node| node.mesh.is_some() || !node.children.is_empty())
    }

    fn track(
        &mut self,
        target: Target,
        times: Times,
        source: &Source,
        report: &mut Report,
    ) -> Result<Option<(Track, f32)>, AnimationLoadError> {
        if self.document.nodes[target.node].matrix.is_some() {
            report.repair(&source.object, format!("moves node {}, which has a matrix", target.node))?;
        }
        let has_tangents = source.interpolation == Interpolation::CubicSpline;
        let (property, kind) = match target.path {
            TargetPath::Rotation => (Property::Rotation, ValueKind::Rotation { has_tangents }),
            TargetPath::Scale => (Property::Scale, ValueKind::Vector),
            TargetPath::Translation | TargetPath::Weights => (Property::Translation, ValueKind::Vector),
        };
        let Some(joint) = self.drivable.node_joints[target.node] else { return Ok(None) };
        let Values { numbers, largest } = self.values(kind, &times, source, 1, report)?;
        let track =
            Track { joint, property, interpolation: source.interpolation, times: times.sorted, values: numbers };
        Ok(Some((track, largest)))
    }

    fn morph_track(
        &mut self,
        node: usize,
        times: Times,
        source: &Source,
        report: &mut Report,
    ) -> Result<Option<(MorphTrack, f32)>, AnimationLoadError> {
        let mesh = self.drivable.node_meshes.get(&node).copied();
        let Some((mesh, morphs)) = mesh.zip(morphs::of_node(self.drivable.morphs, node)) else {
            report.repair(
                &source.object,
                format!("drives weights of node {node}, which has no morph targets: skipped"),
            )?;
            return Ok(None);
        };
        let target_count = morphs.weights.len();
        let Values { numbers, largest } = self.values(ValueKind::Weights, &times, source, target_count, report)?;
        let track = MorphTrack {
            mesh,
            first_slot: morphs.first_slot,
            target_count,
            interpolation: source.interpolation,
            times: times.sorted,
            values: numbers,
        };
        Ok(Some((track, largest)))
    }

    /// The key times of an input accessor: finite, not negative, sorted.
    fn times(&mut self, accessor: usize, object: &str, report: &mut Report) -> Result<Times, AnimationLoadError> {
        let entry = match self.times.entry(accessor) {
            Entry::Occupied(known) => return Ok(known.get().clone()),
            Entry::Vacant(entry) => entry,
        };
        let mut sorted = self.accessors.floats(accessor, KEY_TIMES, object, report)?;
        if let Some(key) = sorted.iter().position(|&time| time < 0.0) {
            let problem = format!("key {key} is at {} s, expected no negative time", sorted[key]);
            return Err(report.malformed(object, problem));
        }
        let mut order = None;
        if let Some(key) = sorted.windows(2).position(|pair| pair[0] > pair[1]) {
            let message = format!("key {} at {} s comes before the previous one: sorted", key + 1, sorted[key + 1]);
            report.repair(object, message)?;
            self.accessors.budget().charge(12 * sorted.len() as u64, report)?;
            let mut by_time: Vec<usize> = (0..sorted.len()).collect();
            by_time.sort_by(|&a, &b| sorted[a].total_cmp(&sorted[b]));
            sorted = by_time.iter().map(|&key| sorted[key]).collect();
            order = Some(by_time.into());
        }
        if let Some(key) = sorted.windows(2).position(|pair| pair[0] == pair[1]) {
            report.repair(object, format!("keys {key} and {} share the time {} s: a step", key + 1, sorted[key]))?;
        }
        Ok(entry.insert(Times { sorted, order }).clone())
    }

    /// The values of an output accessor, in the order of the sorted times.
    fn values(
        &mut self,
        kind: ValueKind,
        times: &Times,
        source: &Source,
        numbers_per_value: usize,
        report: &mut Report,
    ) -> Result<Values, AnimationLoadError> {
        let (accessor, object) = (source.sampler.output.index(), &source.object);
        let values_per_key = if source.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let elements_per_key = values_per_key * numbers_per_value;
        let expected = times.sorted.len().checked_mul(elements_per_key);
        if expected != Some(self.accessors.count(accessor)) {
            let problem = format!(
                "{} values in accessor {accessor} for {} keys, expected {elements_per_key} per key",
                self.accessors.count(accessor),
                times.sorted.len()
            );
            return Err(report.malformed(object, problem));
        }
        let unsorted_input = times.order.is_some().then_some(source.sampler.input.index());
        let entry = match self.values.entry((accessor, kind, unsorted_input)) {
            Entry::Occupied(known) => return Ok(known.get().clone()),
            Entry::Vacant(entry) => entry,
        };
        let form = match kind {
            ValueKind::Vector => VECTOR_KEYS,
            ValueKind::Rotation { .. } => ROTATION_KEYS,
            ValueKind::Weights => WEIGHT_KEYS,
        };
        let mut values = self.accessors.floats(accessor, form, object, report)?;
        if let ValueKind::Rotation { has_tangents } = kind {
            make_unit(&mut values, has_tangents, object, report)?;
        }
        if let Some(order) = &times.order {
            self.accessors.budget().charge(4 * values.len() as u64, report)?;
            let numbers_per_key = values.len() / order.len();
            values = order
                .iter()
                .flat_map(|&key| values[key * numbers_per_key..][..numbers_per_key].iter().copied())
                .collect();
        }
        // NaN is never larger.
        let largest = values.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
        Ok(entry.insert(Values { numbers: values, largest }).clone())
    }
}

/// Makes every rotation a unit quaternion. Tangents are left as they are.
fn make_unit(
    values: &mut Arc<[f32]>,
    has_tangents: bool,
    object: &str,
    report: &mut Report,
) -> Result<(), AnimationLoadError> {
    // Just decoded, so that nobody shares it yet.
    let Some(values) = Arc::get_mut(values) else { return Ok(()) };
    let (first, step) = if has_tangents { (1, 3) } else { (0, 1) };
    let mut worst: Option<(usize, f32)> = None;
    for (key, value) in values.as_chunks_mut::<4>().0.iter_mut().skip(first).step_by(step).enumerate() {
        let Some((unit, is_off)) = checked_rotation(Quat::from_array(*value)) else {
            return Err(
                report.malformed(object, format!("rotation of key {key} is 0, 0, 0, 0, expected a unit quaternion"))
            );
        };
        if is_off && worst.is_none() {
            worst = Some((key, Quat::from_array(*value).length()));
        }
        *value = unit.to_array();
    }
    if let Some((key, length)) = worst {
        report.repair(object, format!("rotation of key {key} has length {length}: normalised"))?;
    }
    Ok(())
}

fn interpolation(
    sampler: &document::Sampler,
    object: &str,
    report: &mut Report,
) -> Result<Interpolation, AnimationLoadError> {
    Ok(match sampler.interpolation.as_deref() {
        None | Some("LINEAR") => Interpolation::Linear,
        Some("STEP") => Interpolation::Step,
        Some("CUBICSPLINE") => Interpolation::CubicSpline,
        Some(other) => {
            let expected = "expected LINEAR, STEP or CUBICSPLINE";
            report.repair(object, format!("interpolation is \"{}\", {expected}: taken as LINEAR", escaped(other)))?;
            Interpolation::Linear
        }
    })
}

const FLOAT: &[ComponentType] = &[ComponentType::F32];
const FLOAT_OR_SMALL: &[ComponentType] =
    &[ComponentType::F32, ComponentType::I8, ComponentType::U8, ComponentType::I16, ComponentType::U16];

const KEY_TIMES: Form = Form { role: "key times", shapes: &[Type::Scalar], components: FLOAT, normalized: None };
const VECTOR_KEYS: Form = Form { role: "keys", shapes: &[Type::Vec3], components: FLOAT, normalized: None };
const ROTATION_KEYS: Form =
    Form { role: "rotation keys", shapes: &[Type::Vec4], components: FLOAT_OR_SMALL, normalized: Some(true) };
const WEIGHT_KEYS: Form =
    Form { role: "weight keys", shapes: &[Type::Scalar], components: FLOAT_OR_SMALL, normalized: Some(true) };
