//! Accessors of a type that their use does not allow, and numbers that are none.

use serde_json::json;

use crate::support::Kind::Malformed;
use crate::support::rigs::{self, BINDS, POSITIONS, ROTATIONS, TIMES, TRANSLATIONS, WEIGHTS};
use crate::support::{Array, Component, F32, Gltf, I8, I16, U8, U16, U32, case, check, finite_problem, spin, try_load};

const WALK: &str = "animation 0 \"walk\", channel 0";

#[test]
fn animation_types() {
    // The first joint's rotations in another form.
    let rotations = |title, component: Component, is_normalized: bool| {
        case(title).edit(move |g, is_wrong| {
            let values = spin(2, &[0.0, 20.0, 40.0, 60.0, 80.0]);
            let mut array = if component == U32 {
                Array::new(U32, "VEC4", values.clone())
            } else {
                Array { is_normalized, ..Array::normalized(component, "VEC4", &values) }
            };
            if !is_wrong {
                array = Array::normalized(if component == U32 { U16 } else { component }, "VEC4", &values);
            }
            let output = g.add(&array);
            g.set("/animations/0/samplers/0/output", output);
        })
    };
    check(&[
        rotations("rotations of unsigned integers", U32, false).refused(Malformed, &[WALK, "rotation", "accessor 10"]),
        rotations("rotations of plain bytes", U8, false).refused(Malformed, &[WALK, "rotation", "normalised"]),
        rotations("rotations of plain shorts", I16, false).refused(Malformed, &[WALK, "rotation", "normalised"]),
        case("rotations of two numbers")
            .set("/accessors/6/type", "VEC2", "VEC4")
            .refused(Malformed, &[WALK, "rotation", "accessor 6"]),
        case("translations of four numbers")
            .edit(|g, is_wrong| {
                if is_wrong {
                    g.set("/animations/0/samplers/3/output", ROTATIONS);
                }
            })
            .refused(Malformed, &["channel 3", "accessor 6"]),
        case("translations of shorts")
            .edit(|g, is_wrong| {
                let values = [0.1; 15];
                let array =
                    if is_wrong { Array::normalized(I16, "VEC3", &values) } else { Array::new(F32, "VEC3", values) };
                let output = g.add(&array);
                g.set("/animations/0/samplers/3/output", output);
            })
            .refused(Malformed, &["channel 3", "accessor 10"]),
        case("times of shorts")
            .edit(|g, is_wrong| {
                let component = if is_wrong { I16 } else { F32 };
                let times = g.add(&Array::new(component, "SCALAR", [0, 1, 2, 3, 4]));
                g.set("/animations/0/samplers/0/input", times);
            })
            .refused(Malformed, &[WALK, "key times", "accessor 10"]),
        case("times of three numbers")
            .edit(|g, is_wrong| {
                if is_wrong {
                    g.set("/animations/0/samplers/0/input", TRANSLATIONS);
                }
            })
            .refused(Malformed, &[WALK, "key times", "accessor 9"]),
    ]);
}

#[test]
fn other_types() {
    check(&[
        case("a component type that does not exist")
            .set("/accessors/5/componentType", 5124, 5126)
            .refused(Malformed, &["accessor 5", "5124"]),
        case("an accessor type that does not exist")
            .set("/accessors/5/type", "SCALER", "SCALAR")
            .refused(Malformed, &["accessor 5", "SCALER"]),
        case("inverse binds of nine numbers")
            .set("/accessors/0/type", "MAT3", "MAT4")
            .refused(Malformed, &["skin 0 \"body skin\"", "accessor 0"]),
        case("inverse binds of shorts")
            .set("/accessors/0/componentType", 5123, 5126)
            .refused(Malformed, &["skin 0 \"body skin\"", "accessor 0"]),
        case("inverse binds that are positions")
            .edit(|g, is_wrong| g.set("/skins/0/inverseBindMatrices", if is_wrong { POSITIONS } else { BINDS }))
            .refused(Malformed, &["skin 0", "accessor 1"]),
    ]);
}

#[test]
fn vertex_types() {
    let attribute = |title, pointer: &'static str, wrong: fn() -> Array, right: fn() -> Array| {
        case(title).edit(move |g, is_wrong| {
            let accessor = g.add(&if is_wrong { wrong() } else { right() });
            g.set(pointer, accessor);
        })
    };
    const JOINTS: &str = "/meshes/0/primitives/0/attributes/JOINTS_0";
    const SHARES: &str = "/meshes/0/primitives/0/attributes/WEIGHTS_0";
    const STRIP: &str = "mesh 0 \"strip\", primitive 0";
    check(&[
        attribute(
            "joints of floats",
            JOINTS,
            || Array::new(F32, "VEC4", [0.0; 24]),
            || Array::new(U8, "VEC4", [0; 24]),
        )
        .refused(Malformed, &[STRIP, "JOINTS"]),
        attribute(
            "joints of unsigned integers",
            JOINTS,
            || Array::new(U32, "VEC4", [0; 24]),
            || Array::new(U16, "VEC4", [0; 24]),
        )
        .refused(Malformed, &[STRIP, "JOINTS"]),
        attribute(
            "joints of signed bytes",
            JOINTS,
            || Array::new(I8, "VEC4", [0; 24]),
            || Array::new(U8, "VEC4", [0; 24]),
        )
        .refused(Malformed, &[STRIP, "JOINTS"]),
        attribute(
            "joints of three numbers",
            JOINTS,
            || Array::new(U8, "VEC3", [0; 18]),
            || Array::new(U8, "VEC4", [0; 24]),
        )
        .refused(Malformed, &[STRIP, "JOINTS"]),
        attribute(
            "weights of plain bytes",
            SHARES,
            || Array::new(U8, "VEC4", [255, 0, 0, 0].repeat(6)),
            || Array::normalized(U8, "VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(6)),
        )
        .refused(Malformed, &[STRIP, "WEIGHTS"]),
        attribute(
            "weights of signed bytes",
            SHARES,
            || Array::normalized(I8, "VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(6)),
            || Array::normalized(U8, "VEC4", &[1.0, 0.0, 0.0, 0.0].repeat(6)),
        )
        .refused(Malformed, &[STRIP, "WEIGHTS"]),
        attribute(
            "positions of two numbers",
            "/meshes/0/primitives/0/attributes/POSITION",
            || Array::new(F32, "VEC2", [0.5; 12]),
            || Array::new(F32, "VEC3", [0.5; 18]),
        )
        .refused(Malformed, &[STRIP, "POSITION"]),
        attribute(
            "indices of floats",
            "/meshes/0/primitives/0/indices",
            || Array::new(F32, "SCALAR", [0, 1, 2]),
            || Array::new(U32, "SCALAR", [0, 1, 2]),
        )
        .refused(Malformed, &[STRIP, "indices"]),
        attribute(
            "indices of shorts with a sign",
            "/meshes/0/primitives/0/indices",
            || Array::new(I16, "SCALAR", [0, 1, 2]),
            || Array::new(U16, "SCALAR", [0, 1, 2]),
        )
        .refused(Malformed, &[STRIP, "indices"]),
    ]);
}

#[test]
fn numbers_that_are_not_finite() {
    let (nan, infinity) = (f64::NAN, f64::INFINITY);
    check(&[
        case("a time that is no number").poke(TIMES, 2, 0, nan, 1.0).refused(Malformed, &[WALK, "element 2", "NaN"]),
        case("a time without end").poke(TIMES, 4, 0, infinity, 2.5).refused(Malformed, &[WALK, "element 4", "inf"]),
        case("a time before all times")
            .poke(TIMES, 0, 0, -infinity, 0.0)
            .refused(Malformed, &[WALK, "element 0", "inf"]),
        case("a rotation that is no number")
            .poke(ROTATIONS + 1, 0, 3, nan, 1.0)
            .refused(Malformed, &["channel 1", "element 0, component 3", "NaN"]),
        case("a translation without end")
            .poke(TRANSLATIONS, 3, 1, infinity, 1.0)
            .refused(Malformed, &["channel 3", "element 3, component 1"]),
        case("an inverse bind that is no number")
            .poke(BINDS, 1, 13, nan, -1.0)
            .refused(Malformed, &["skin 0", "element 1, component 13"]),
        case("an inverse bind without end")
            .poke(BINDS, 2, 12, infinity, 0.0)
            .refused(Malformed, &["skin 0", "element 2, component 12"]),
        case("a weight that is no number")
            .poke(WEIGHTS, 2, 1, nan, 0.5)
            .refused(Malformed, &["mesh 0", "WEIGHTS", "element 2, component 1"]),
        case("a position that is no number")
            .poke(POSITIONS, 5, 0, nan, 0.1)
            .refused(Malformed, &["mesh 0", "POSITION", "element 5"]),
        case("a node too far away for f32")
            .set("/nodes/1/translation/1", 1e300, 1e30)
            .refused(Malformed, &["node 1 \"j1\"", "translation"]),
        case("a node too large for f32")
            .set("/nodes/1/scale", json!([1, 1e39, 1]), json!([1, 1, 1]))
            .refused(Malformed, &["node 1 \"j1\"", "scale"]),
    ]);
}

/// Numbers that are finite one by one, but not when they are multiplied and added. Such a file is refused, or its poses
/// are finite all the same.
#[test]
fn numbers_whose_sums_are_not_finite() {
    type Edit = fn(&mut Gltf);
    let cases: [(&str, Edit); 5] = [
        ("two translations of 3e38", |g| {
            g.set("/nodes/1/translation/1", 3e38);
            g.set("/nodes/2/translation/1", 3e38);
        }),
        ("two scales of 1e30", |g| {
            g.set("/nodes/1/scale", json!([1e30, 1, 1]));
            g.set("/nodes/2/scale", json!([1e30, 1, 1]));
        }),
        ("an inverse bind of 3e38 in two directions", |g| {
            g.poke(BINDS, 2, 12, 3e38);
            g.poke(BINDS, 2, 13, 3e38);
        }),
        ("a spline of 1e30 s with a slope of 1e30", |g| {
            let values = [[0.0; 3], [0.0; 3], [1e30, 0.0, 0.0], [1e30, 0.0, 0.0], [1.0; 3], [0.0; 3]].concat();
            g.animate(1, 1, "translation", "CUBICSPLINE", &[0.0, 1e30], &values);
        }),
        ("a spline of weights with a slope of 1e30", |g| {
            let face = rigs::add_morph(g, 1);
            g.animate(1, face, "weights", "CUBICSPLINE", &[0.0, 1e30], &[0.0, 0.0, 1e30, 1e30, 1.0, 0.0]);
        }),
    ];
    let mut failures = Vec::new();
    for (title, edit) in cases {
        let mut g = rigs::chain();
        edit(&mut g);
        if let Some(problem) = try_load(&g.glb()).ok().and_then(|asset| finite_problem(&asset)) {
            failures.push(format!("{title}: loaded, but not finite in {problem}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
