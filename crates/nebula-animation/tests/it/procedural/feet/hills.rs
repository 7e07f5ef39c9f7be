use super::walker::{Humanoid, Terrain, Walk};

const WALK: Walk = Walk {
    clip: "walk",
    speed: 0.6,
    terrain: |_, _| 0.0,
    heading: 0.0,
    hertz: 60.0,
    seconds: 8.0,
    is_placed: true,
    is_told: true,
};

const SLOPES: [(&str, Terrain); 5] = [
    ("flat", |_, _| 0.0),
    ("10", |_, z| 0.176_327 * z),
    ("20", |_, z| 0.363_970 * z),
    ("30", |_, z| 0.577_350 * z),
    ("hills", |x, z| 0.25 * (1.2 * z).sin() + 0.2 * (0.9 * x).sin()),
];

#[test]
fn a_planted_foot_stays_in_its_place() {
    let humanoid = Humanoid::load();
    for clip in 0..3 {
        println!("{}: {:?} {:?}", humanoid.clips[clip].name, humanoid.tracks[clip].spans(0), humanoid.tracks[clip].spans(1));
    }
    for (name, terrain) in SLOPES {
        for (way, heading) in [("up", 0.0_f64), ("down", 180.0), ("across", 90.0), ("aslant", 40.0)] {
            for hertz in [30.0, 60.0, 144.0] {
            let walk = Walk { terrain, heading: heading.to_radians(), hertz, ..WALK };
            let m = walk.measure(&humanoid);
            println!("{name:6} {way:6} {hertz:3}: slide {:.1} mm sink {:.1} float {:.1} turn {:.2} {} swing sink {:.1} hips {:.3}",
                m.slide*1e3, m.sink*1e3, m.float*1e3, m.turn_ratio, m.turning_joint, m.swing_sink*1e3, m.lowest_hips);
            }
        }
    }
    let m = Walk{is_placed:false, ..WALK}.measure(&humanoid);
    println!("without flat {m:?}");
    let m = Walk{is_placed:false, terrain: SLOPES[2].1, ..WALK}.measure(&humanoid);
    println!("without 20 {m:?}");
    panic!();
}
