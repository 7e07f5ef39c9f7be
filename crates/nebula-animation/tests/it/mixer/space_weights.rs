use glam::{DVec2, Vec2};
use nebula_animation::{AnimationClip, BlendSpace, mixer::BlendSpaceError};
use proptest::prelude::*;

fn clips(count: usize) -> Vec<AnimationClip> {
    (0..count).map(|index| AnimationClip { duration: 1.0 + index as f32, ..Default::default() }).collect()
}

fn plane(positions: &[Vec2]) -> BlendSpace {
    let samples: Vec<(Vec2, usize)> = positions.iter().copied().zip(0..).collect();
    BlendSpace::plane(&clips(positions.len()), &samples).expect("places of their own")
}

#[test]
fn a_space_that_cannot_be_is_refused() {
    let three = clips(3);
    let at = Vec2::new;
    assert_eq!(BlendSpace::line(&three, &[]), Err(BlendSpaceError::Empty));
    assert_eq!(
        BlendSpace::line(&three, &[(0.0, 0), (1.0, 3)]),
        Err(BlendSpaceError::Clip { sample: 1, clip: 3, count: 3 })
    );
    let error = BlendSpace::line(&three, &[(0.0, 0), (f32::INFINITY, 1)]).expect_err("nowhere");
    assert_eq!(error.to_string(), "sample 1: position [inf, 0] is not finite");
    let error =
        BlendSpace::plane(&three, &[(at(1.0, 2.0), 0), (at(0.0, 0.0), 1), (at(1.0, 2.0), 2)]).expect_err("twice");
    assert_eq!(error.to_string(), "samples 0 and 2 are both at [1, 2]");
    // One value less, and it is a space; a clip may be in several places.
    assert!(BlendSpace::plane(&three, &[(at(1.0, 2.0), 0), (at(0.0, 0.0), 1), (at(1.0, 2.5), 0)]).is_ok());
}

#[test]
fn on_a_line_neighbours_are_blended() {
    let space = BlendSpace::line(&clips(3), &[(4.0, 0), (0.0, 1), (1.0, 2)]).expect("a line");
    assert!(!space.is_plane());
    for (x, expected) in [
        (-5.0, vec![(1, 1.0)]),
        (0.0, vec![(1, 1.0)]),
        (0.25, vec![(1, 0.75), (2, 0.25)]),
        (1.0, vec![(2, 1.0)]),
        (2.5, vec![(2, 0.5), (0, 0.5)]),
        (4.0, vec![(0, 1.0)]),
        (f32::INFINITY, vec![(0, 1.0)]),
        (f32::NEG_INFINITY, vec![(1, 1.0)]),
        (f32::NAN, vec![(1, 1.0)]),
    ] {
        assert_eq!(space.weights_on_line(x).to_vec(), expected, "at {x}");
    }
    assert_eq!(*BlendSpace::line(&clips(1), &[(7.0, 0)]).expect("one").weights_on_line(-1.0), [(0, 1.0)]);
}

#[test]
fn points_on_one_line_of_a_plane_work_as_a_line() {
    let positions = [(0.0, 1.0), (2.0, 5.0), (1.0, 3.0), (0.5, 2.0)].map(|(x, y)| Vec2::new(x, y));
    let space = plane(&positions);
    assert!(!space.is_plane());
    for (index, position) in positions.iter().enumerate() {
        assert_eq!(*space.weights(*position), [(index, 1.0)]);
    }
    assert_eq!(space.weights(Vec2::new(1.5, 4.0)).to_vec(), [(2, 0.5), (1, 0.5)]);
    // Beside the line its nearest point counts, in units of the extents: 2 wide, 4 high.
    assert_eq!(space.weights(Vec2::new(1.0 + 0.5, 3.0 - 1.0)).to_vec(), [(2, 1.0)]);
}

/// Layouts that make triangulations stumble: grids and rings, of which any four points lie on one circle; points on the
/// edges of others; slivers.
fn layouts() -> Vec<Vec<Vec2>> {
    let grid = (0..25_u8).map(|index| Vec2::new(f32::from(index % 5), f32::from(index / 5))).collect();
    let ring = |count: u8| {
        let angle = move |index: u8| f32::from(index) / f32::from(count) * std::f32::consts::TAU;
        (0..count).map(move |index| Vec2::from_angle(angle(index)))
    };
    let compass = ring(8).chain([Vec2::ZERO]).collect();
    let rings = ring(12).chain(ring(12).map(|point| 0.5 * point)).chain([Vec2::ZERO]).collect();
    let t = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (1.0, 2.0)].map(|(x, y)| Vec2::new(x, y)).to_vec();
    let below = [(0.0, 0.0), (0.0, 1.0), (0.0, 2.0), (0.0, 3.0), (5.0, 1.0), (6.0, 1.0), (7.0, 1.0)]
        .map(|(x, y)| Vec2::new(x, y))
        .to_vec();
    let sliver = [(0.0, 0.0), (1.0, 0.0), (0.5, 1e-4), (0.25, -1e-4)].map(|(x, y)| Vec2::new(x, y)).to_vec();
    let units =
        [(0.0, -180.0), (0.0, 180.0), (6.0, -90.0), (6.0, 90.0), (3.0, 0.0)].map(|(x, y)| Vec2::new(x, y)).to_vec();
    // Four on one edge of the outline, which fifths of a unit put out of line by rounding: one of them was lost.
    let in_line = [(-3.0, 1.0), (-1.0, 2.0), (-1.0, -1.0), (1.0, -3.0), (0.0, -2.0), (2.0, 0.0)]
        .map(|(x, y)| Vec2::new(x, y))
        .to_vec();
    vec![grid, compass, rings, t, below, sliver, units, in_line]
}

/// What must hold of any layout at any place.
fn check(positions: &[Vec2], place: Vec2) {
    let space = plane(positions);
    let weights = space.weights(place);
    assert!((1..=3).contains(&weights.len()));
    assert!(weights.iter().all(|(_, weight)| *weight > 0.0 && *weight <= 1.0), "{weights:?}");
    assert!((weights.iter().map(|(_, weight)| weight).sum::<f32>() - 1.0).abs() < 1e-6);

    // Distances are those of the scaled plane.
    let wide: Vec<DVec2> = positions.iter().map(|position| position.as_dvec2()).collect();
    let extent =
        wide.iter().copied().reduce(DVec2::max).expect("some") - wide.iter().copied().reduce(DVec2::min).expect("some");
    let unit = |x: f64| if x > 0.0 { 1.0 / x } else { 1.0 };
    let scale = DVec2::new(unit(extent.x), unit(extent.y));
    let scaled: Vec<DVec2> = wide.iter().map(|position| *position * scale).collect();
    let place = place.as_dvec2() * scale;
    let shown: DVec2 = weights.iter().map(|&(sample, weight)| scaled[sample] * f64::from(weight)).sum();

    // The weighted mean of the places is the place itself, or the point of the hull that is nearest to it. No segment
    // between two samples is nearer, because all of them are in the hull, and its outline is made of some of them.
    let tolerance = 1e-5 * (1.0 + place.length());
    let nearest = scaled.iter().enumerate().flat_map(|(index, a)| scaled[..index].iter().map(move |b| (*a, *b)));
    let nearest = nearest.map(|(a, b)| {
        let along = ((place - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
        place.distance(a.lerp(b, along))
    });
    let nearest = nearest.fold(f64::INFINITY, f64::min);
    let distance = place.distance(shown);
    assert!(distance <= nearest + tolerance, "{distance} from {place}, a segment is at {nearest}: {weights:?}");
    if let &[(a, _), (b, _), (c, _)] = &*weights {
        assert!(distance < tolerance, "three samples, but {distance} away");
        assert_is_delaunay([a, b, c], &scaled);
    }
}

/// No sample lies inside the circle through the corners.
fn assert_is_delaunay(corners: [usize; 3], places: &[DVec2]) {
    let [a, b, c] = corners.map(|corner| places[corner]);
    let double_area = 2.0 * (b - a).perp_dot(c - a);
    let (ab, ac) = (b - a, c - a);
    let centre = DVec2::new(
        ac.y * ab.length_squared() - ab.y * ac.length_squared(),
        ab.x * ac.length_squared() - ac.x * ab.length_squared(),
    ) / double_area;
    let radius = centre.length();
    // A circle through a sliver is not known better than this.
    if double_area.abs() < 1e-3 {
        return;
    }
    for (index, place) in places.iter().enumerate() {
        let distance = place.distance(a + centre);
        assert!(distance > radius * (1.0 - 1e-5), "sample {index} is inside the circle of {corners:?}");
    }
}

#[test]
fn at_every_sample_it_is_alone() {
    for positions in layouts() {
        let space = plane(&positions);
        for (index, position) in positions.iter().enumerate() {
            assert_eq!(*space.weights(*position), [(index, 1.0)], "{positions:?}");
        }
    }
}

#[test]
fn weights_change_without_a_jump() {
    for positions in layouts() {
        let space = plane(&positions);
        let dense = |place: Vec2| {
            let mut all = vec![0.0_f32; positions.len()];
            space.weights(place).iter().for_each(|&(sample, weight)| all[sample] = weight);
            all
        };
        let extent = positions.iter().copied().reduce(Vec2::max).expect("some")
            - positions.iter().copied().reduce(Vec2::min).expect("some");
        let centre = positions.iter().sum::<Vec2>() / positions.len() as f32;
        // Lines through everything and far beyond it, in steps of a ten-thousandth of the extent.
        for direction in 0..12_u8 {
            let way = Vec2::from_angle(f32::from(direction) * 0.55) * extent;
            let offset = extent * 0.013 * f32::from(direction);
            let mut before = dense(centre + offset - way);
            for step in 1..=20_000_u16 {
                let now = dense(centre + offset + way * (f32::from(step) / 10_000.0 - 1.0));
                let change = now.iter().zip(&before).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                assert!(change < 5e-3, "{change} in one step among {positions:?}");
                before = now;
            }
        }
    }
}

proptest! {
    #[test]
    fn any_place_is_between_its_samples(
        points in prop::collection::vec((-3_i8..3, -3_i8..3), 1..14),
        jitter in prop::collection::vec((-0.4_f32..0.4, -0.4_f32..0.4), 14),
        is_exact in any::<bool>(),
        place in (-6.0_f32..6.0, -6.0_f32..6.0),
    ) {
        let mut positions: Vec<Vec2> = Vec::new();
        for (&(x, y), jitter) in points.iter().zip(jitter) {
            let jitter = if is_exact { Vec2::ZERO } else { Vec2::from(jitter) };
            let position = Vec2::new(f32::from(x), f32::from(y)) + jitter;
            if !positions.contains(&position) {
                positions.push(position);
            }
        }
        check(&positions, Vec2::from(place));
        let space = plane(&positions);
        for (index, position) in positions.iter().enumerate() {
            prop_assert_eq!(&*space.weights(*position), &[(index, 1.0)]);
        }
    }
}

#[test]
fn hard_layouts_hold_everywhere() {
    for positions in layouts() {
        let low = positions.iter().copied().reduce(Vec2::min).expect("some");
        let extent = positions.iter().copied().reduce(Vec2::max).expect("some") - low;
        for step in 0..400_u16 {
            let (x, y) = (f32::from(step % 20) / 19.0, f32::from(step / 20) / 19.0);
            check(&positions, low + extent * (Vec2::new(x, y) * 2.0 - 0.5));
        }
    }
}
