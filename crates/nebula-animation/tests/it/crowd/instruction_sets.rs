//! Crowds choose the instruction set by themselves, once per process: one process for each of them.

use std::process::Command;

#[test]
fn crowds_are_the_same_on_every_instruction_set() {
    let program = std::env::current_exe().expect("this program has a path");
    // What a character alone is does not depend on the instruction set: see `determinism`.
    let tests = [
        "crowd::equal::each_character_is_what_it_is_alone",
        "crowd::equal::streamed_crowds_have_the_same_bits",
        "crowd::equal::what_rests_in_all_of_them_rests",
        "crowd::world::who_stands_at_the_origin_has_the_bits_of_its_palette",
        "crowd::morphs::faces_of_a_crowd_are_those_of_characters_alone",
    ];
    for isa in ["scalar", "sse2", "avx2", "avx512", "neon", "simd128"] {
        let output = Command::new(&program)
            .arg("--exact")
            .args(tests)
            .env("NEBULA_SIMD", isa)
            .output()
            .expect("the tests start");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("5 passed"), "with {isa}: {said}");
    }
}
