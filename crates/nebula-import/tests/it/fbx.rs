//! FBX files that the test writes, read by ours and by ufbx, which is mature and in C.

mod binary;
mod notes;
mod others;
mod programs;
mod skin;

use std::path::Path;

use glam::{DMat4, DVec3, Mat4, Vec3};
use nebula_animation::palette::model_matrices;
use nebula_animation::{Asset, sample_pose};
use nebula_import::fbx::{FbxOptions, read};

/// A scene in text: three limbs, a mesh that they move, a blend shape, one take. `up` is 1 for Y and 2 for Z; `unit` is centimetres.
pub fn text(up: u8, unit: f64) -> String {
    let limb = |id: u32, name: &str, at: [f64; 3], order: u8, pre: [f64; 3]| {
        format!(
            "Model: {id}, \"Model::{name}\", \"LimbNode\" {{\n Version: 232\n Properties70: {{\n\
             P: \"RotationActive\", \"bool\", \"\", \"\",1\n P: \"RotationOrder\", \"enum\", \"\", \"\",{order}\n\
             P: \"PreRotation\", \"Vector3D\", \"Vector\", \"\",{},{},{}\n\
             P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",{},{},{}\n\
             P: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",5,10,15\n }}\n}}\n\
             NodeAttribute: {}, \"NodeAttribute::{name}\", \"LimbNode\" {{\n TypeFlags: \"Skeleton\"\n}}\n",
            pre[0],
            pre[1],
            pre[2],
            at[0],
            at[1],
            at[2],
            id + 50
        )
    };
    let second = 46_186_158_000_i64;
    let curve = |id: u32, values: [f64; 4]| {
        let times: Vec<String> = (0..4).map(|key| (second / 4 * key).to_string()).collect();
        let values: Vec<String> = values.iter().map(f64::to_string).collect();
        format!(
            "AnimationCurve: {id}, \"AnimCurve::\", \"\" {{\n Default: 0\n KeyVer: 4008\n KeyTime: *4 {{\n a: {}\n }}\n\
             KeyValueFloat: *4 {{\n a: {}\n }}\n KeyAttrFlags: *1 {{\n a: 264\n }}\n KeyAttrDataFloat: *4 {{\n a: 0,0,218434821,0\n }}\n\
             KeyAttrRefCount: *1 {{\n a: 4\n }}\n}}\n",
            times.join(","),
            values.join(",")
        )
    };
    let node = |id: u32, kind: &str| {
        format!(
            "AnimationCurveNode: {id}, \"AnimCurveNode::{kind}\", \"\" {{\n Properties70: {{\n P: \"d|X\", \"Number\", \"\", \"A\",0\n P: \"d|Y\", \"Number\", \"\", \"A\",0\n P: \"d|Z\", \"Number\", \"\", \"A\",0\n }}\n}}\n"
        )
    };
    let mut objects = String::new();
    objects += &limb(101, "Hips", [0.0, 90.0, 0.0], 0, [0.0; 3]);
    objects += &limb(102, "Spine", [0.0, 20.0, 1.0], 1, [10.0, 20.0, 30.0]);
    objects += &limb(103, "Head", [0.0, 30.0, -2.0], 4, [0.0, -15.0, 0.0]);
    objects += "Model: 200, \"Model::Body\", \"Mesh\" {\n Version: 232\n}\n";
    objects += "Geometry: 201, \"Geometry::Body\", \"Mesh\" {\n Vertices: *12 {\n a: 0,0,0, 10,0,0, 10,120,0, 0,120,0\n }\n\
        PolygonVertexIndex: *4 {\n a: 0,1,2,-4\n }\n GeometryVersion: 124\n\
        LayerElementUV: 0 {\n Version: 101\n Name: \"map\"\n MappingInformationType: \"ByPolygonVertex\"\n ReferenceInformationType: \"Direct\"\n UV: *8 {\n a: 0,0,1,0,1,1,0,1\n }\n }\n\
        Layer: 0 {\n Version: 100\n LayerElement: {\n Type: \"LayerElementUV\"\n TypedIndex: 0\n }\n }\n}\n";
    objects += "Geometry: 210, \"Geometry::Smile\", \"Shape\" {\n Version: 100\n Indexes: *2 {\n a: 2,3\n }\n Vertices: *6 {\n a: 0,5,0,0,0,7\n }\n}\n";
    objects += "Deformer: 211, \"Deformer::\", \"BlendShape\" {\n Version: 100\n}\n";
    objects += "Deformer: 212, \"SubDeformer::Smile\", \"BlendShapeChannel\" {\n Version: 100\n DeformPercent: 25\n FullWeights: *1 {\n a: 100\n }\n}\n";
    objects += "Deformer: 220, \"Deformer::\", \"Skin\" {\n Version: 101\n Link_DeformAcuracy: 50\n}\n";
    for (id, from, to, height) in [(221, 0, 1, 90.0), (222, 2, 3, 110.0)] {
        objects += &format!(
            "Deformer: {id}, \"SubDeformer::\", \"Cluster\" {{\n Version: 100\n Indexes: *2 {{\n a: {from},{to}\n }}\n Weights: *2 {{\n a: 1,0.5\n }}\n\
             Transform: *16 {{\n a: 1,0,0,0,0,1,0,0,0,0,1,0,0,-{height},0,1\n }}\n TransformLink: *16 {{\n a: 1,0,0,0,0,1,0,0,0,0,1,0,0,{height},0,1\n }}\n}}\n"
        );
    }
    objects += &format!(
        "AnimationStack: 300, \"AnimStack::Take 001\", \"\" {{\n Properties70: {{\n P: \"LocalStop\", \"KTime\", \"Time\", \"\",{0}\n P: \"ReferenceStop\", \"KTime\", \"Time\", \"\",{0}\n }}\n}}\n",
        second / 4 * 3
    );
    objects += "AnimationLayer: 301, \"AnimLayer::Base\", \"\" {\n}\n";
    objects += &(node(310, "T") + &node(311, "R") + &node(312, "R") + &node(313, "DeformPercent"));
    objects += &curve(320, [90.0, 95.0, 91.0, 90.0]);
    objects += &curve(321, [0.0, 30.0, -20.0, 0.0]);
    objects += &curve(322, [10.0, -40.0, 25.0, 60.0]);
    objects += &curve(323, [0.0, 100.0, 50.0, 0.0]);
    let mut connections = String::new();
    for (from, to) in [
        (101, 0),
        (102, 101),
        (103, 102),
        (151, 101),
        (152, 102),
        (153, 103),
        (200, 0),
        (201, 200),
        (211, 201),
        (212, 211),
        (210, 212),
        (220, 201),
        (221, 220),
        (222, 220),
        (101, 221),
        (102, 222),
        (301, 300),
        (310, 301),
        (311, 301),
        (312, 301),
        (313, 301),
    ] {
        connections += &format!("C: \"OO\",{from},{to}\n");
    }
    for (from, to, what) in [
        (310, 101, "Lcl Translation"),
        (311, 102, "Lcl Rotation"),
        (312, 103, "Lcl Rotation"),
        (313, 212, "DeformPercent"),
        (320, 310, "d|Y"),
        (321, 311, "d|X"),
        (322, 312, "d|Z"),
        (323, 313, "d|DeformPercent"),
    ] {
        connections += &format!("C: \"OP\",{from},{to}, \"{what}\"\n");
    }
    let front = if up == 1 { 2 } else { 1 };
    let sign = if up == 1 { 1 } else { -1 };
    format!(
        "; FBX 7.4.0 project file\nFBXHeaderExtension: {{\n FBXHeaderVersion: 1003\n FBXVersion: 7400\n}}\nGlobalSettings: {{\n Version: 1000\n Properties70: {{\n\
         P: \"UpAxis\", \"int\", \"Integer\", \"\",{up}\n P: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n P: \"FrontAxis\", \"int\", \"Integer\", \"\",{front}\n P: \"FrontAxisSign\", \"int\", \"Integer\", \"\",{sign}\n\
         P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n P: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{unit}\n }}\n}}\n\
         Definitions: {{\n Version: 100\n}}\nObjects: {{\n{objects}}}\nConnections: {{\n{connections}}}\n"
    )
}

fn asset(bytes: &[u8]) -> Asset {
    let (document, notes) =
        read(bytes, &FbxOptions { name: "wave".into(), ..FbxOptions::default() }).expect("a sound file");
    assert_eq!(notes, [] as [String; 0]);
    let bytes = document.into_glb().expect("small");
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("no {uri}")));
    Asset::from_bytes("made", &bytes, &Default::default(), &mut nothing).unwrap_or_else(|error| panic!("{error}"))
}

/// The same file by ufbx, with the conversions that ours makes.
fn oracle(bytes: &[u8]) -> ufbx::SceneRoot {
    load_by_ufbx(bytes).unwrap_or_else(|error| panic!("{error}"))
}

fn load_by_ufbx(bytes: &[u8]) -> Result<ufbx::SceneRoot, String> {
    let axes = ufbx::CoordinateAxes::right_handed_y_up();
    let options = ufbx::LoadOpts {
        target_axes: axes,
        target_unit_meters: 1.0,
        space_conversion: ufbx::SpaceConversion::ModifyGeometry,
        geometry_transform_handling: ufbx::GeometryTransformHandling::ModifyGeometry,
        inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
        target_camera_axes: axes,
        target_light_axes: axes,
        ..Default::default()
    };
    ufbx::load_memory(bytes, options).map_err(|error| format!("{:?}", error.description))
}

fn worlds(asset: &Asset, time: f32) -> Vec<Mat4> {
    let clip = &asset.clips()[0];
    let mut pose = asset.skeleton.bind_pose();
    sample_pose(clip, &asset.skeleton, time, &mut pose);
    let mut models = vec![Mat4::IDENTITY; pose.len()];
    model_matrices(&asset.skeleton, &pose, &mut models);
    models
}

/// How far joints are from where ufbx has them in a take, at most, and how many were looked at.
fn apart(bytes: &[u8], stack: usize) -> (f64, usize) {
    let (ours, theirs) = (asset(bytes), oracle(bytes));
    let stack = &theirs.anim_stacks[stack];
    let (mut most, mut count) = (0.0_f64, 0);
    for step in 0..=45_u8 {
        let time = f64::from(step) / 60.0;
        let evaluated = ufbx::evaluate_scene(&theirs, &stack.anim, time, Default::default()).expect("a pose");
        let models = worlds(&ours, time as f32);
        for node in evaluated.nodes.iter().filter(|node| node.bone.is_some()) {
            let joint =
                ours.skeleton.joints.iter().position(|joint| joint.name == *node.element.name).expect("a joint");
            let m = &node.node_to_world;
            let expected = DMat4::from_cols_array(&[
                m.m00, m.m10, m.m20, 0.0, m.m01, m.m11, m.m21, 0.0, m.m02, m.m12, m.m22, 0.0, m.m03, m.m13, m.m23, 1.0,
            ]);
            let found = models[joint].as_dmat4();
            let off = (0..4).map(|column| (expected.col(column) - found.col(column)).abs().max_element());
            (most, count) = (off.fold(most, f64::max), count + 1);
        }
    }
    (most, count)
}

fn compare(bytes: &[u8], what: &str) {
    let (most, count) = apart(bytes, 0);
    assert!(most < 1e-4, "{what}: off by {most}");
    assert!(count >= 3 * 46 && asset(bytes).animations[0].tracks.len() >= 3, "{what}: {count} joints");
}

#[test]
fn poses_are_those_of_ufbx() {
    compare(text(1, 1.0).as_bytes(), "centimetres, Y up");
    compare(text(2, 1.0).as_bytes(), "centimetres, Z up");
    compare(text(1, 100.0).as_bytes(), "metres");
    compare(text(1, 2.54).as_bytes(), "inches");
}

/// A take that plays a part of what its curves have, from before the first of them, or to behind the last.
#[test]
fn takes_begin_and_end_where_the_file_says() {
    let quarter = 46_186_158_000_i64 / 4;
    for (begin, end) in [(1, 2), (1, 3), (0, 2), (-1, 2), (2, 4)] {
        let whole = text(1, 1.0);
        let stop = format!("P: \"LocalStop\", \"KTime\", \"Time\", \"\",{}", quarter * 3);
        let part = format!(
            "P: \"LocalStart\", \"KTime\", \"Time\", \"\",{}\n P: \"LocalStop\", \"KTime\", \"Time\", \"\",{}",
            quarter * begin,
            quarter * end
        );
        assert!(whole.contains(&stop));
        let bytes = whole.replace(&stop, &part).into_bytes();
        let (ours, theirs) = (asset(&bytes), oracle(&bytes));
        let stack = &theirs.anim_stacks[0];
        let what = format!("{begin} to {end} quarters");
        assert!((stack.time_begin - begin as f64 * 0.25).abs() < 1e-6, "{what}: ufbx has {}", stack.time_begin);
        let seconds = (end - begin) as f64 * 0.25;
        assert!(
            (f64::from(ours.animations[0].duration) - seconds).abs() < 1e-4,
            "{what}: {}",
            ours.animations[0].duration
        );
        for step in 0..=(15 * (end - begin)) {
            let time = step as f64 / 60.0;
            let scene = ufbx::evaluate_scene(&theirs, &stack.anim, stack.time_begin + time, Default::default());
            let scene = scene.expect("a pose");
            let models = worlds(&ours, time as f32);
            for node in scene.nodes.iter().filter(|node| node.bone.is_some()) {
                let joint = ours.skeleton.joints.iter().position(|joint| joint.name == *node.element.name);
                let at = models[joint.expect("a joint")].w_axis.truncate().as_dvec3();
                let m = &node.node_to_world;
                let off = at.distance(DVec3::new(m.m03, m.m13, m.m23));
                assert!(off < 1e-4, "{what}, {} at {time}: off by {off} m", &*node.element.name);
            }
        }
    }
}

#[test]
fn names_skins_and_blend_shapes_come_along() {
    let asset = asset(text(1, 1.0).as_bytes());
    assert_eq!(asset.animations.len(), 1);
    assert_eq!(asset.animations[0].name, "wave", "a take called \"Take 001\" is called as the file");
    assert_eq!(asset.animations[0].duration, 0.75);
    let mesh = asset.meshes.iter().find(|mesh| mesh.skin.is_some()).expect("a skinned mesh");
    let primitive = &mesh.primitives[0];
    assert_eq!((primitive.positions.len(), primitive.indices.len()), (4, 6));
    let skin = &asset.skins[0];
    let bone = |vertex: usize| asset.skeleton.joints[usize::from(primitive.joints[vertex][0])].name.clone();
    let at = |y: f32| primitive.positions.iter().position(|at| (at[1] - y).abs() < 1e-6).expect("a vertex");
    assert_eq!((bone(at(0.0)), bone(at(1.2))), ("Hips".into(), "Spine".into()));
    assert!(skin.inverse_bind_matrices[0].w_axis.truncate().abs_diff_eq(Vec3::new(0.0, -0.9, 0.0), 1e-6), "metres");
    assert_eq!(mesh.morph_target_names, ["Smile"]);
    assert!((mesh.morph_weights[0] - 0.25).abs() < 1e-6);
    let moved: Vec<Vec3> = primitive.morph_targets[0].positions.iter().map(|at| Vec3::from_array(*at)).collect();
    assert!(moved.iter().any(|at| at.abs_diff_eq(Vec3::new(0.0, 0.05, 0.0), 1e-6)), "{moved:?}");
    let track = &asset.animations[0].morph_tracks[0];
    let mut weights = [0.0];
    track.sample(0.25, &mut weights);
    assert!((weights[0] - 1.0).abs() < 1e-5, "{weights:?}");
}

#[test]
fn damaged_and_hostile_files_are_errors() {
    let whole = text(1, 1.0).into_bytes();
    let mut seed = 5_u32;
    for round in 0..400 {
        let mut bytes = whole.clone();
        for _ in 0..=round % 4 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (seed >> 8) as usize % bytes.len();
            bytes[at] = b"0123456789-,{}\":*e\0\xff "[(seed >> 3) as usize % 21];
        }
        if round % 5 == 0 {
            bytes.truncate(round * 31 % bytes.len());
        }
        if let Ok((document, _)) = read(&bytes, &FbxOptions::default()) {
            let bytes = document.into_glb().expect("small");
            let mut nothing = |uri: &str| Err(std::io::Error::other(format!("no {uri}")));
            let _ = Asset::from_bytes("made", &bytes, &Default::default(), &mut nothing);
        }
    }
    let mut deep = b"; FBX 7.4.0\n".to_vec();
    deep.extend(b"a: {\n".repeat(100_000));
    assert!(read(&deep, &FbxOptions::default()).is_err());
    let mut header = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    header.extend(7400_u32.to_le_bytes());
    header.extend([0xff; 64]);
    assert!(read(&header, &FbxOptions::default()).is_err());
    let folder = tempfile::tempdir().expect("a folder");
    let path: &Path = &folder.path().join("a.fbx");
    std::fs::write(path, &whole).expect("a written file");
    let opened = nebula_import::open(path).expect("told from its first bytes");
    assert_eq!(opened.asset.animations[0].name, "a");
    let place = |asset: &Asset| worlds(asset, 0.3).last().map(|model| model.w_axis.truncate().as_dvec3());
    let written = opened.document().expect("made").into_glb().expect("small");
    let mut nothing = |uri: &str| Err(std::io::Error::other(format!("no {uri}")));
    let again = Asset::from_bytes("again", &written, &Default::default(), &mut nothing).expect("sound");
    let apart = place(&again).zip(place(&opened.asset)).map(|(a, b): (DVec3, DVec3)| a.distance(b));
    assert_eq!(apart, Some(0.0));
}
