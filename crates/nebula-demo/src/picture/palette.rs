//! The colours of a GIF: up to 255 for all frames, and dithering for colours in between.

use std::borrow::Borrow;
use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};

use glam::Vec3A;

use super::Canvas;
use super::color::TABLES;

/// Colours for a GIF. The patterns that it makes depend on the colour and on the place in the picture only, so that
/// what does not change between frames does not flicker.
#[derive(Debug, Clone)]
pub struct Palette {
    colors: Vec<[u8; 3]>,
    /// The same colours as the eye sees them.
    seen: Vec<Vec3A>,
    /// For each colour, itself and the ones next to it, which it is mixed with.
    neighbours: Vec<Vec<u8>>,
    /// The bits of a channel that count. The last one does not if the palette is only close to the colours anyway:
    /// this makes the colours that a mix has to be found for several times fewer.
    mask: u8,
    /// For a colour, the palette's colours whose mix comes close to it, from dark to light.
    mixes: HashMap<u32, Mix, BuildHasherDefault<ColorHasher>>,
}

/// One colour of the 256 stands for "as in the frame before".
const LIMIT: usize = 255;

/// Pixels along each side of the pattern.
const PATTERN: usize = 4;

type Mix = [u8; PATTERN * PATTERN];

/// The order in which the pixels of a pattern get lighter: neighbours are far apart in it.
const ORDER: [u8; PATTERN * PATTERN] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

/// Colours that a colour is mixed with, and itself. Far ones would make coarse patterns.
const NEIGHBOURS: usize = 20;

/// Distance at which the palette's colour is as good as the wanted one, as the eye sees them: half of what it can tell apart in
/// neighbouring areas. A pattern there would only make the file larger.
const CLOSE: f32 = 0.008;

/// Rounds that move the colours to the middle of what they stand for. More make no difference that can be seen.
const ROUNDS: usize = 6;

impl Palette {
    /// Colours for some frames of an animation. A dozen, spread over its whole length, are enough.
    pub fn from_frames(frames: impl IntoIterator<Item: Borrow<Canvas>>) -> Self {
        let mut histogram = Histogram::default();
        for frame in frames {
            histogram.add(frame.borrow());
        }
        match histogram.few {
            Some(few) => Self::new(few.into_iter().collect(), 0xFF),
            None => Self::new(choose(&histogram.entries()), 0xFE),
        }
    }

    fn new(mut colors: Vec<[u8; 3]>, mask: u8) -> Self {
        if colors.is_empty() {
            colors.push([0; 3]);
        }
        let seen: Vec<Vec3A> = colors.iter().map(|&color| to_seen(color)).collect();
        let neighbours = seen.iter().map(|&color| {
            let mut indices: Vec<u8> = (0..seen.len()).map(|index| index as u8).collect();
            let distance = |index: u8| seen[usize::from(index)].distance_squared(color);
            indices.sort_by(|&left, &right| distance(left).total_cmp(&distance(right)));
            indices.truncate(NEIGHBOURS);
            indices
        });
        Self { neighbours: neighbours.collect(), colors, seen, mask, mixes: HashMap::default() }
    }

    /// Red, green and blue of all colours.
    pub(super) fn bytes(&self) -> &[u8] {
        self.colors.as_flattened()
    }

    /// The index that no colour has.
    pub(super) fn unchanged(&self) -> u8 {
        self.colors.len() as u8
    }

    /// The index of the colour that stands for a pixel at a place.
    pub(super) fn index(&mut self, [red, green, blue, _]: [u8; 4], x: usize, y: usize) -> u8 {
        let color = [red, green, blue].map(|channel| channel & self.mask);
        let key = u32::from_be_bytes([0, color[0], color[1], color[2]]);
        let mix = match self.mixes.get(&key) {
            Some(mix) => mix,
            None => {
                let mix = self.find_mix(to_seen(color));
                self.mixes.entry(key).or_insert(mix)
            }
        };
        mix[usize::from(ORDER[y % PATTERN * PATTERN + x % PATTERN])]
    }

    /// The colours whose average comes closest to `wanted`: each one is chosen to make up for the error so far.
    fn find_mix(&self, wanted: Vec3A) -> Mix {
        let first = nearest(&self.seen, wanted);
        if self.seen[first].distance(wanted) < CLOSE {
            return [first as u8; PATTERN * PATTERN];
        }
        let neighbours = &self.neighbours[first];
        let mut error = Vec3A::ZERO;
        let mut mix = [0; PATTERN * PATTERN];
        for index in &mut mix {
            let aim = wanted + error;
            let mut best = f32::INFINITY;
            for &neighbour in neighbours {
                let distance = self.seen[usize::from(neighbour)].distance_squared(aim);
                if distance < best {
                    (best, *index) = (distance, neighbour);
                }
            }
            error += wanted - self.seen[usize::from(*index)];
        }
        let lightness = |index: u8| self.seen[usize::from(index)].x;
        mix.sort_by(|&left, &right| lightness(left).total_cmp(&lightness(right)));
        mix
    }
}

fn nearest(seen: &[Vec3A], wanted: Vec3A) -> usize {
    let mut best = (f32::INFINITY, 0);
    for (index, color) in seen.iter().enumerate() {
        let distance = color.distance_squared(wanted);
        if distance < best.0 {
            best = (distance, index);
        }
    }
    best.1
}

/// A colour in Oklab (Björn Ottosson, 2020), where equal distances look equally large. Lightness comes first.
fn to_seen([red, green, blue]: [u8; 3]) -> Vec3A {
    let linear = TABLES.decode([red, green, blue, 255]);
    let cone = |weights: [f32; 3]| linear.dot(Vec3A::from(weights)).cbrt();
    let cones = Vec3A::new(
        cone([0.412_221_47, 0.536_332_54, 0.051_445_99]),
        cone([0.211_903_5, 0.680_699_5, 0.107_396_96]),
        cone([0.088_302_46, 0.281_718_84, 0.629_978_7]),
    );
    let part = |weights: [f32; 3]| cones.dot(Vec3A::from(weights));
    Vec3A::new(
        part([0.210_454_26, 0.793_617_8, -0.004_072_047]),
        part([1.977_998_5, -2.428_592_2, 0.450_593_7]),
        part([0.025_904_037, 0.782_771_77, -0.808_675_77]),
    )
}

/// How often colours occur.
struct Histogram {
    /// For colours that agree in the upper six bits of each channel: their number and the sums of the channels.
    bins: Vec<[u32; 4]>,
    /// All colours, as long as they are few enough to become the palette themselves.
    few: Option<BTreeSet<[u8; 3]>>,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { bins: vec![[0; 4]; 1 << 18], few: Some(BTreeSet::new()) }
    }
}

impl Histogram {
    fn add(&mut self, frame: &Canvas) {
        let mut before = None;
        for &[red, green, blue, _] in frame.pixels() {
            let bin = usize::from(red >> 2) << 12 | usize::from(green >> 2) << 6 | usize::from(blue >> 2);
            let [count, reds, greens, blues] = &mut self.bins[bin];
            // So many pixels show how common a colour is, and their sums still fit.
            if *count < 1 << 24 {
                *count += 1;
                *reds += u32::from(red);
                *greens += u32::from(green);
                *blues += u32::from(blue);
            }
            if let Some(few) = &mut self.few
                && before.replace([red, green, blue]) != Some([red, green, blue])
            {
                few.insert([red, green, blue]);
                if few.len() > LIMIT {
                    self.few = None;
                }
            }
        }
    }

    fn entries(&self) -> Vec<Entry> {
        let used = self.bins.iter().filter(|bin| bin[0] > 0);
        used.map(|&[count, red, green, blue]| {
            let mean = [red, green, blue].map(|sum| ((sum + count / 2) / count) as u8);
            // Not in proportion: the large, even areas of sky and floor would take all colours for themselves.
            Entry { color: to_seen(mean), rgb: mean, weight: (count as f32).powf(0.75) }
        })
        .collect()
    }
}

#[derive(Clone, Copy)]
struct Entry {
    color: Vec3A,
    rgb: [u8; 3],
    weight: f32,
}

/// Splits the entries, always the group with the largest error, at the mean of its widest axis; then lets every
/// entry go to the nearest group a few times.
fn choose(entries: &[Entry]) -> Vec<[u8; 3]> {
    let mut groups = vec![Group::new(entries.to_vec())];
    while groups.len() < LIMIT {
        let Some(worst) =
            (0..groups.len()).max_by(|&left, &right| groups[left].error().total_cmp(&groups[right].error()))
        else {
            break;
        };
        if groups[worst].error() <= 0.0 {
            break;
        }
        let group = groups.swap_remove(worst);
        let axis = group.spread.max_position();
        let (low, high): (Vec<_>, Vec<_>) =
            group.entries.iter().partition(|entry| entry.color[axis] < group.mean[axis]);
        if low.is_empty() || high.is_empty() {
            // Rounding can make a group of equal values look spread.
            groups.push(Group { spread: Vec3A::ZERO, ..group });
            continue;
        }
        groups.push(Group::new(low));
        groups.push(Group::new(high));
    }
    let mut means: Vec<Vec3A> = groups.iter().map(|group| group.mean).collect();
    let mut rgb = vec![[0; 3]; means.len()];
    for _ in 0..ROUNDS {
        let mut sums = vec![(Vec3A::ZERO, Vec3A::ZERO, 0.0); means.len()];
        for entry in entries {
            let (color, channels, weight) = &mut sums[nearest(&means, entry.color)];
            *color += entry.color * entry.weight;
            *channels += Vec3A::from(entry.rgb.map(f32::from)) * entry.weight;
            *weight += entry.weight;
        }
        for ((mean, rgb), (color, channels, weight)) in means.iter_mut().zip(&mut rgb).zip(sums) {
            if weight > 0.0 {
                *mean = color / weight;
                *rgb = (channels / weight).round().to_array().map(|channel| channel as u8);
            }
        }
    }
    rgb.sort_unstable();
    rgb.dedup();
    rgb
}

struct Group {
    entries: Vec<Entry>,
    mean: Vec3A,
    /// Sum of the squared distances from the mean, for each axis.
    spread: Vec3A,
}

impl Group {
    fn new(entries: Vec<Entry>) -> Self {
        let weight: f32 = entries.iter().map(|entry| entry.weight).sum();
        let mean =
            entries.iter().map(|entry| entry.color * entry.weight).sum::<Vec3A>() / weight.max(f32::MIN_POSITIVE);
        let spread = entries.iter().map(|entry| (entry.color - mean) * (entry.color - mean) * entry.weight).sum();
        Self { entries, mean, spread }
    }

    fn error(&self) -> f32 {
        self.spread.element_sum()
    }
}

/// A hash for colours; nobody chooses them to make the table slow.
#[derive(Debug, Clone, Default)]
struct ColorHasher(u64);

impl Hasher for ColorHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = (self.0 ^ u64::from(value)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(26);
    }
}
