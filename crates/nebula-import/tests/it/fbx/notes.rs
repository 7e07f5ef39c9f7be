//! What of a file cannot be shown is told: pictures beside the file, maps that nothing here knows, second skins.

use nebula_import::fbx::{FbxOptions, read};

use super::binary::binary;
use super::text;

/// The scene with more objects and connections.
fn with(objects: &str, connections: &str) -> String {
    let made = text(1, 1.0).replacen("}\nConnections: {\n", &format!("{objects}}}\nConnections: {{\n{connections}"), 1);
    assert!(made.contains(objects) && made.contains(connections));
    made
}

fn texture(id: u32, file: &str) -> String {
    format!(
        "Texture: {id}, \"Texture::{file}\", \"\" {{\nType: \"TextureVideoClip\"\nFileName: \"{file}\"\nRelativeFilename: \"{file}\"\n}}\n"
    )
}

fn told(text: &str) -> Vec<String> {
    let (document, notes) = read(text.as_bytes(), &FbxOptions::default()).expect("a sound file");
    assert!(document.into_glb().is_ok());
    let (_, same) = read(&binary(text, 7400), &FbxOptions::default()).expect("a sound file");
    assert_eq!(notes, same, "whatever it is written in");
    notes
}

#[test]
fn pictures_beside_a_file_and_other_maps_are_told() {
    let material = "Material: 400, \"Material::Skin\", \"\" {\nVersion: 102\nShadingModel: \"phong\"\n}\n";
    let objects =
        [material, &texture(401, "skin.png"), &texture(402, "bumps.png"), &texture(403, "shine.png")].concat();
    let connections = "C: \"OO\",400,200\nC: \"OP\",401,400, \"DiffuseColor\"\nC: \"OP\",402,400, \"NormalMap\"\nC: \"OP\",403,400, \"SpecularColor\"\n";
    let notes = told(&with(&objects, connections));
    for words in
        ["\"Skin\": its picture \"skin.png\" is a file of its own", "\"bumps.png\" is a file", "\"SpecularColor\""]
    {
        assert!(notes.iter().any(|note| note.contains(words)), "{words}: {notes:?}");
    }
    assert!(!notes.iter().any(|note| note.contains("NormalMap\"")), "{notes:?}");
}

#[test]
fn second_skins_are_told() {
    let objects = "Deformer: 230, \"Deformer::\", \"Skin\" {\nVersion: 101\nLink_DeformAcuracy: 50\n}\n\
        Deformer: 231, \"SubDeformer::\", \"Cluster\" {\nVersion: 100\nIndexes: *2 {\na: 0,1\n}\nWeights: *2 {\na: 1,1\n}\n\
        Transform: *16 {\na: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n}\nTransformLink: *16 {\na: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1\n}\n}\n";
    let notes = told(&with(objects, "C: \"OO\",230,201\nC: \"OO\",231,230\nC: \"OO\",103,231\n"));
    assert!(notes.iter().any(|note| note.contains("\"Body\" has 2 skins: 1 left out")), "{notes:?}");
}
