//! Every shader through naga, alone where it stands alone and in every combination that is used; no GPU needed.

use naga::back::{glsl, spv};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use nebula_animation::shader::{self, PaletteFormat, PalettePath, ShaderOptions};

fn validated(what: &str, text: &str) -> (naga::Module, ModuleInfo) {
    let module =
        naga::front::wgsl::parse_str(text).unwrap_or_else(|error| panic!("{what}: {}", error.emit_to_string(text)));
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{what}: {}", error.emit_to_string(text)));
    (module, info)
}

/// WebGL2 refuses uniforms of other sizes, which OpenGL of desktops takes: no native test draws and sees it.
fn assert_uniforms_fit_web_gl(what: &str, module: &naga::Module) {
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).unwrap_or_else(|error| panic!("{what}: {error}"));
    for (_, variable) in
        module.global_variables.iter().filter(|(_, variable)| variable.space == naga::AddressSpace::Uniform)
    {
        let size = layouter[variable.ty].size;
        assert!(size > 0 && size.is_multiple_of(16), "{what}: {:?} has {size} bytes", variable.name);
    }
}

fn options() -> Vec<ShaderOptions> {
    let mut all = Vec::new();
    for path in [PalettePath::Storage, PalettePath::Uniform, PalettePath::Texture] {
        for format in [PaletteFormat::Rows, PaletteFormat::Matrices] {
            for uniform_bytes in [16 << 10, 64 << 10] {
                all.push(ShaderOptions { path, format, palette_group: 0, morph_group: Some(1), uniform_bytes });
            }
        }
    }
    all
}

/// The files that are made to be included, as they are, and no file is forgotten.
#[test]
fn every_file_passes_naga() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/shader");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the shaders") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "wgsl") {
            continue;
        }
        count += 1;
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        match name.as_str() {
            "compute.wgsl" | "draw.wgsl" => {
                for options in options() {
                    let what = format!("{name} with {options:?}");
                    let (module, _) = validated(&what, &format!("{}\n{text}", options.text()));
                    if name == "draw.wgsl" {
                        assert_uniforms_fit_web_gl(&what, &module);
                    }
                }
            }
            // Parts of palettes, which are whole together.
            _ if name.starts_with("palette_") => {}
            _ => {
                validated(&name, &text);
            }
        }
    }
    let palettes = [shader::PALETTE_STORAGE, shader::PALETTE_UNIFORM, shader::PALETTE_TEXTURE];
    for text in palettes {
        validated("palette", text);
    }
    assert_eq!(count, 9, "a new file needs a line above");
}

/// What a vertex shader includes becomes SPIR-V, and without storage buffers the GLSL of WebGL2.
#[test]
fn every_combination_translates() {
    for options in options() {
        let what = format!("{options:?}");
        let text = format!("{}\n{}", options.text(), shader::DRAW);
        let (module, info) = validated(&what, &text);
        spv::write_vec(&module, &info, &spv::Options::default(), None)
            .unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_uniforms_fit_web_gl(&what, &module);
        if options.path == PalettePath::Storage {
            continue;
        }
        for (stage, entry_point) in [
            (naga::ShaderStage::Vertex, "nebula_draw4"),
            (naga::ShaderStage::Vertex, "nebula_draw8"),
            (naga::ShaderStage::Fragment, "nebula_shade"),
            (naga::ShaderStage::Fragment, "nebula_shade_cut"),
            (naga::ShaderStage::Fragment, "nebula_shade_blend"),
        ] {
            let glsl_options = glsl::Options {
                version: glsl::Version::Embedded { version: 300, is_webgl: true },
                ..Default::default()
            };
            let pipeline =
                glsl::PipelineOptions { shader_stage: stage, entry_point: entry_point.into(), multiview: None };
            let mut out = String::new();
            let policies = naga::proc::BoundsCheckPolicies::default();
            glsl::Writer::new(&mut out, &module, &info, &glsl_options, &pipeline, policies)
                .and_then(|mut writer| writer.write())
                .unwrap_or_else(|error| panic!("{what}, {entry_point}: {error}"));
            assert!(out.contains("#version 300 es"));
        }
    }
}

#[test]
fn options_reach_the_text() {
    let text = ShaderOptions {
        path: PalettePath::Uniform,
        format: PaletteFormat::Matrices,
        palette_group: 2,
        morph_group: Some(3),
        uniform_bytes: 4096,
    }
    .text();
    assert_eq!(text.matches("@group(2) @binding").count(), 2);
    assert_eq!(text.matches("@group(3) @binding").count(), 3);
    assert!(text.contains("NEBULA_VECTORS_PER_JOINT: u32 = 4u"));
    assert_eq!(text.matches("array<vec4<f32>, 256>").count(), 2);
    assert!(!text.contains("1024"), "the default size is gone");
    let without = ShaderOptions::default().text();
    assert!(!without.contains("nebula_morph"), "morph targets only where asked for");
}
