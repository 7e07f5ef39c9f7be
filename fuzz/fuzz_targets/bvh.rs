#![no_main]

use libfuzzer_sys::fuzz_target;
use nebula_fuzz::import;

fuzz_target!(|input: &[u8]| import::bvh(input));
