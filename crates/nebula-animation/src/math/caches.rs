//! Cache sizes of the processor.

use std::sync::OnceLock;

/// What is assumed where the processor does not tell.
const USUAL_BYTES: usize = 8 << 20;

/// The size of the largest cache that this processor reports, in bytes. Detected once.
pub(crate) fn largest_cache() -> usize {
    static LARGEST: OnceLock<usize> = OnceLock::new();
    *LARGEST.get_or_init(|| told().filter(|bytes| *bytes > 0).unwrap_or(USUAL_BYTES))
}

#[cfg(target_arch = "x86_64")]
fn told() -> Option<usize> {
    super::lanes::cache_sizes().max()
}

#[cfg(not(target_arch = "x86_64"))]
fn told() -> Option<usize> {
    None
}

#[cfg(test)]
mod tests {
    use super::largest_cache;

    #[test]
    fn it_is_of_a_size_that_caches_have() {
        assert!((256 << 10..4 << 30).contains(&largest_cache()), "{} bytes", largest_cache());
    }
}
