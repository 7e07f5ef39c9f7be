//! Translates the shaders as WebGL2 gets them with naga; needs neither a GPU nor a browser.

use naga::back::glsl;
use naga::valid::{Capabilities, ValidationFlags, Validator};
use nebula_animation::shader::{PaletteFormat, PalettePath, ShaderOptions};

/// The modules that OpenGL gets, by their names, as `pipelines` puts them together.
fn modules() -> Vec<(&'static str, String)> {
    let constants = super::constants::constants(false);
    let library = ShaderOptions {
        path: PalettePath::Texture,
        format: PaletteFormat::Rows,
        palette_group: 0,
        morph_group: Some(1),
        ..ShaderOptions::default()
    };
    let (library, frame) = (library.text(), include_str!("frame.wgsl"));
    let light = [include_str!("heights_fetched.wgsl"), include_str!("light.wgsl")].join("\n");
    let body = include_str!("body.wgsl");
    let whole = |parts: &[&str]| [&[constants.as_str()], parts].concat().join("\n");
    let alone = light.replace("@group(2)", "@group(0)");
    vec![
        ("surface", whole(&[&library, frame, &light, body, include_str!("looks.wgsl"), include_str!("surface.wgsl")])),
        ("cast", whole(&[&library, frame, body, include_str!("cast.wgsl")])),
        ("pyramid", whole(&[frame, include_str!("pyramid.wgsl")])),
        ("backdrop", whole(&[frame, &alone, include_str!("backdrop.wgsl"), include_str!("hills.wgsl")])),
        ("lines", whole(&[include_str!("lines.wgsl")])),
        ("ground", whole(&[frame, include_str!("ground.wgsl")])),
        ("resolve", whole(&[include_str!("resolve_mixed.wgsl")])),
    ]
}

#[test]
fn every_shader_becomes_web_gl() {
    for (name, text) in modules() {
        let module = naga::front::wgsl::parse_str(&text)
            .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(&text)));
        let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(&text)));
        let mut layouter = naga::proc::Layouter::default();
        layouter.update(module.to_ctx()).unwrap();
        for (_, variable) in module.global_variables.iter() {
            let size = layouter[variable.ty].size;
            let is_uniform = variable.space == naga::AddressSpace::Uniform;
            assert!(!is_uniform || size.is_multiple_of(16), "{name}: {:?} has {size} bytes", variable.name);
        }
        for entry in &module.entry_points {
            let pipeline =
                glsl::PipelineOptions { shader_stage: entry.stage, entry_point: entry.name.clone(), multiview: None };
            let options = glsl::Options {
                version: glsl::Version::Embedded { version: 300, is_webgl: true },
                ..Default::default()
            };
            let names = ["HAS_BASE", "HAS_SECOND", "HAS_NORMALS", "HAS_FOURTH", "HAS_EMISSIVE"];
            let constants = names.map(|name| (name.to_owned(), 1.0));
            let constants = naga::back::PipelineConstants::from_iter(constants);
            let constants = if module.overrides.is_empty() { Default::default() } else { constants };
            let stage = Some((entry.stage, entry.name.as_str()));
            let (module, info) =
                naga::back::pipeline_constants::process_overrides(&module, &info, stage, &constants).unwrap();
            let mut out = String::new();
            glsl::Writer::new(&mut out, &module, &info, &options, &pipeline, Default::default())
                .and_then(|mut writer| writer.write())
                .unwrap_or_else(|error| panic!("{name}, {}: {error}", entry.name));
            // Depths that are only read must not become samplers that compare.
            assert!(!out.contains("Shadow") && !out.contains("textureGather"), "{name}, {}:\n{out}", entry.name);
        }
    }
}
