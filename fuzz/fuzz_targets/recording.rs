#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use nebula_fuzz::{mutate, recording};

fuzz_target!(|input: &[u8]| {
    recording::recording(input);
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::mutate_binary(data, size, max_size, seed, fuzzer_mutate)
});
