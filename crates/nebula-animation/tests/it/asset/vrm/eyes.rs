//! Through whose eyes meshes are seen.

use nebula_animation::asset::{Mesh, MeshSelection, Primitive, Topology};
use nebula_animation::rig::avatar::{Eyes, FirstPerson, Seen};
use nebula_animation::{Asset, asset::LoadOptions};
use serde_json::json;

use super::{avatar, joint, one};

#[test]
fn each_kind_is_seen_by_whom_the_specification_says() {
    let (_, mut avatar) = avatar(&one());
    for (kind, own, others) in [
        (FirstPerson::Auto, Seen::WithoutHead, Seen::Whole),
        (FirstPerson::Both, Seen::Whole, Seen::Whole),
        (FirstPerson::ThirdPersonOnly, Seen::Nothing, Seen::Whole),
        (FirstPerson::FirstPersonOnly, Seen::Whole, Seen::Nothing),
    ] {
        avatar.first_person = vec![(11, kind)];
        assert_eq!((avatar.seen(11, Eyes::Own), avatar.seen(11, Eyes::Others)), (own, others), "{kind:?}");
        assert_eq!(avatar.seen(3, Eyes::Own), Seen::WithoutHead, "what is not listed is as if it were automatic");
    }
}

/// Four vertices: of the hips, of the head, of the hair below it by a tenth, and of the hair without any weight.
fn skinned(asset: &Asset) -> Primitive {
    let [hips, head, hair] = ["hips", "head", "hair2"].map(|name| joint(asset, name));
    Primitive {
        positions: vec![[0.0; 3]; 6],
        joints: vec![
            [hips, 0, 0, 0],
            [head, 0, 0, 0],
            [hips, hair, 0, 0],
            [hips, hair, 0, 0],
            [hips, 0, 0, 0],
            [hips; 4],
        ],
        weights: vec![
            [1.0, 0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0, 0.0],
            [0.9, 0.1, 0.0, 0.0],
            [1.0, 0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0, 0.0],
            [0.9, 0.0, 0.0, 0.0],
        ],
        more_joints: [vec![[0; 4]; 5], vec![[hair, 0, 0, 0]]].concat(),
        more_weights: [vec![[0.0; 4]; 5], vec![[0.1, 0.0, 0.0, 0.0]]].concat(),
        indices: vec![0, 3, 4, 0, 1, 3, 3, 4, 2, 4, 3, 0, 0, 5, 4],
        ..Primitive::default()
    }
}

#[test]
fn triangles_that_follow_the_head_are_not_seen_from_within() {
    let (mut asset, mut avatar) = avatar(&one());
    let primitive = skinned(&asset);
    let lines = Primitive { topology: Topology::Lines, indices: vec![0, 1, 3, 4], ..primitive.clone() };
    let mesh = |primitives: Vec<Primitive>, joint: Option<u16>| Mesh {
        node: 20,
        primitives: primitives.into(),
        joint,
        ..Mesh::default()
    };
    let rigid = Primitive { indices: vec![0, 1, 2], ..Primitive::default() };
    let [eye, arm] = ["leftEye", "arm"].map(|name| Some(joint(&asset, name)));
    asset.meshes = vec![
        mesh(vec![primitive.clone(), lines], None),
        mesh(vec![rigid.clone()], eye),
        mesh(vec![rigid.clone()], arm),
        mesh(vec![rigid], None),
    ];
    avatar.first_person.clear();
    asset.avatar = Some(avatar.clone());
    assert_eq!(asset.indices_seen(0, 0, Eyes::Own), [0, 3, 4, 4, 3, 0], "a weight of zero follows nobody");
    assert_eq!(asset.indices_seen(0, 0, Eyes::Others), primitive.indices);
    assert_eq!(asset.indices_seen(0, 1, Eyes::Own), [3, 4], "lines have two ends");
    assert!(asset.indices_seen(1, 0, Eyes::Own).is_empty(), "an eye is part of the head");
    assert_eq!(asset.indices_seen(2, 0, Eyes::Own).len(), 3);
    assert_eq!(asset.indices_seen(3, 0, Eyes::Own).len(), 3);
    avatar.first_person = vec![(20, FirstPerson::ThirdPersonOnly)];
    asset.avatar = Some(avatar.clone());
    assert!(asset.indices_seen(0, 0, Eyes::Own).is_empty() && asset.indices_seen(3, 0, Eyes::Own).is_empty());
    avatar.first_person = vec![(20, FirstPerson::Both)];
    asset.avatar = Some(avatar);
    assert_eq!(asset.indices_seen(0, 0, Eyes::Own), primitive.indices);
    // A file that is no avatar's is seen by everybody.
    asset.avatar = None;
    assert_eq!(asset.indices_seen(0, 0, Eyes::Own), primitive.indices);
}

/// As a file has it, with the mesh of its face.
#[test]
fn the_words_of_files_are_those_kinds() {
    for (word, is_seen) in [("auto", true), ("both", true), ("thirdPersonOnly", false), ("firstPersonOnly", true)] {
        let mut file = one();
        file["extensions"]["VRMC_vrm"]["firstPerson"]["meshAnnotations"][0]["type"] = json!(word);
        let options = LoadOptions { meshes: MeshSelection::All, ..LoadOptions::default() };
        let bytes = serde_json::to_vec(&file).expect("JSON");
        let mut nothing = |uri: &str| Err(std::io::Error::other(format!("no {uri}")));
        let asset = Asset::from_bytes("a.vrm", &bytes, &options, &mut nothing).expect("a file");
        let face = asset.meshes.iter().position(|mesh| mesh.node == 11).expect("a face");
        assert_eq!(!asset.indices_seen(face, 0, Eyes::Own).is_empty(), is_seen, "{word}");
        let is_seen = word != "firstPersonOnly";
        assert_eq!(!asset.indices_seen(face, 0, Eyes::Others).is_empty(), is_seen, "{word}");
    }
}
