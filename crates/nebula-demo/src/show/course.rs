//! The path of a travelling clip, for a camera that follows it.

use glam::{Vec2, Vec3, Vec3Swizzles};

use super::figure::Figure;
use super::stage::Standing;

/// Where a figure is over the ground at moments of a clip, and how much room it takes around that place.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// World x and z at even moments from the first to the last; without limbs that swing, which would shake the picture.
    way: Vec<Vec2>,
    /// Seconds of the clip.
    duration: f32,
    /// The box around all poses, each seen from its place on the way.
    room: [Vec3; 2],
}

/// Moments that are looked at.
const MOMENTS: usize = 24;

/// A clip travels if the room of all its poses is wider than that around its way by this part of the latter's largest side. Less is
/// better seen before a floor that stands still.
const FAR: f32 = 0.25;

impl Course {
    /// The way of a clip of this many seconds; none where it stays about where it is, or shows nothing.
    pub fn of(figure: &mut Figure, clip: usize, duration: f32) -> Option<Self> {
        let mut boxes = Vec::with_capacity(MOMENTS + 1);
        let mut standing = Standing::default();
        for moment in 0..=MOMENTS {
            figure.take(Some((clip, duration * moment as f32 / MOMENTS as f32)));
            let bounds = figure.bounds()?;
            standing.see(figure, bounds);
            boxes.push(bounds);
        }
        let mut course = Self::through(&boxes, duration)?;
        course.room[0].y = standing.floor(course.room[0].y);
        Some(course)
    }

    /// The way through boxes around the figure at even moments; none where it stays about where it is.
    pub fn through(boxes: &[[Vec3; 2]], duration: f32) -> Option<Self> {
        let middles: Vec<Vec2> = boxes.iter().map(|[min, max]| (0.5 * (*min + *max)).xz()).collect();
        let way = smooth(&smooth(&middles));
        let union = |boxes: &mut dyn Iterator<Item = [Vec3; 2]>| {
            boxes.reduce(|[min, max], [low, high]| [min.min(low), max.max(high)])
        };
        let around = |([min, max], place): (&[Vec3; 2], &Vec2)| {
            let place = Vec3::new(place.x, 0.0, place.y);
            [*min - place, *max - place]
        };
        let room = union(&mut boxes.iter().zip(&way).map(around))?;
        let all = union(&mut boxes.iter().copied())?;
        let [wide, own] = [all, room].map(|[min, max]| max - min);
        let is_far = (wide - own).xz().max_element() > FAR * own.max_element();
        (is_far && duration > 0.0 && way.iter().all(|place| place.is_finite())).then_some(Self { way, duration, room })
    }

    /// Where the figure is at a time, on the ground.
    pub fn place(&self, time: f32) -> Vec3 {
        let last = self.way.len() - 1;
        let at = (time / self.duration).clamp(0.0, 1.0) * last as f32;
        let before = (at as usize).min(last);
        let place = self.way[before].lerp(self.way[(before + 1).min(last)], at - before as f32);
        Vec3::new(place.x, 0.0, place.y)
    }

    /// How far the figure has come since the clip began.
    pub fn gone(&self, time: f32) -> Vec3 {
        self.place(time) - self.place(0.0)
    }

    /// The box that a camera has to show at a time.
    pub fn room(&self, time: f32) -> [Vec3; 2] {
        self.room.map(|corner| corner + self.place(time))
    }
}

/// The mean of each place and those beside it. The ends stay on the line that leads to them.
fn smooth(way: &[Vec2]) -> Vec<Vec2> {
    let last = way.len().saturating_sub(1);
    let at = |index: usize, step: isize| match index.checked_add_signed(step) {
        Some(index) if index <= last => way[index],
        // Beyond an end it goes on as it came.
        _ => 2.0 * way[index] - way[index.checked_add_signed(-step).filter(|index| *index <= last).unwrap_or(index)],
    };
    (0..way.len()).map(|index| (at(index, -1) + way[index] + at(index, 1)) / 3.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxes(speed: f32, sway: f32) -> Vec<[Vec3; 2]> {
        let at = |moment: u16| {
            let time = f32::from(moment) / 24.0;
            let place = Vec3::new(sway * (40.0 * time).sin(), 0.0, speed * time);
            [place + Vec3::new(-0.3, 0.0, -0.4), place + Vec3::new(0.3, 1.8, 0.4)]
        };
        (0..=24).map(at).collect()
    }

    #[test]
    fn whoever_stays_has_no_course() {
        assert_eq!(Course::through(&boxes(0.3, 0.0), 1.0), None);
        assert_eq!(Course::through(&boxes(0.0, 0.05), 1.0), None);
        assert_eq!(Course::through(&[], 1.0), None);
        assert_eq!(Course::through(&boxes(5.0, 0.0), 0.0), None);
    }

    #[test]
    fn whoever_travels_is_followed_without_a_shake() {
        let course = Course::through(&boxes(5.0, 0.03), 2.0).expect("it goes five metres");
        for (time, z) in [(0.0, 0.0), (1.0, 2.5), (2.0, 5.0), (9.0, 5.0)] {
            let place = course.place(time);
            assert!((place.z - z).abs() < 1e-3 && place.x.abs() < 0.025, "{time}: {place}");
        }
        let [min, max] = course.room(1.0);
        assert!((max - min).z < 0.9 && (max - min).y > 1.79, "{min} {max}");
    }
}
