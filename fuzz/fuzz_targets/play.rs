#![no_main]

use libfuzzer_sys::fuzz_target;
use nebula_fuzz::play;

fuzz_target!(|input: &[u8]| play::play(input));
