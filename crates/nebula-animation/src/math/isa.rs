//! Selects the vector instruction set.

use std::sync::OnceLock;

/// A set of vector instructions. Results do not depend on it, to the bit; speed does.
///
/// ```
/// use nebula_animation::compile::Isa;
///
/// println!("evaluating with {}", Isa::best());
/// assert_eq!(Isa::Scalar.available(), Isa::Scalar);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Isa {
    /// One float at a time, on any machine. Not in WebAssembly that was compiled for its vectors, which would be larger.
    Scalar,
    /// Four floats: every x86-64.
    Sse2,
    /// Eight floats: x86-64 since 2013.
    Avx2,
    /// Eight floats with twice as many registers, and matrices in one register each, where these help: for crowds, blends and hierarchies. x86-64
    /// with AVX-512 F and VL.
    Avx512,
    /// Four floats: every aarch64.
    Neon,
    /// Four floats: WebAssembly that was compiled for its vectors. Whether a browser has them is asked before a module is loaded.
    Simd128,
}

impl Isa {
    /// The best one of this machine, or the one that the environment variable `NEBULA_SIMD` names (`scalar`, `sse2`,
    /// `avx2`, `avx512`, `neon`, `simd128`). A name that is unknown or not available here gives the best one below it, with a
    /// warning in the log. Looked up once per process.
    #[must_use]
    #[inline]
    pub fn best() -> Self {
        static BEST: OnceLock<Isa> = OnceLock::new();
        *BEST.get_or_init(|| match std::env::var("NEBULA_SIMD") {
            Ok(name) if !name.is_empty() => Self::named(&name).unwrap_or_else(|| {
                log::warn!(
                    "NEBULA_SIMD={} is unknown: expected scalar, sse2, avx2, avx512, neon or simd128",
                    name.escape_debug()
                );
                Self::detected()
            }),
            _ => Self::detected(),
        })
    }

    /// This one where the machine has it, otherwise the best one of the machine.
    #[must_use]
    #[inline]
    pub fn available(self) -> Self {
        // The best one has been looked up already, which is what nearly everybody asks with.
        if self == Self::best() || self.is_available() { self } else { Self::detected() }
    }

    fn named(name: &str) -> Option<Self> {
        let wanted = match name.to_ascii_lowercase().as_str() {
            "scalar" => Self::Scalar,
            "sse2" => Self::Sse2,
            "avx2" => Self::Avx2,
            "avx512" => Self::Avx512,
            "neon" => Self::Neon,
            "simd128" => Self::Simd128,
            _ => return None,
        };
        let found = if wanted.is_available() { wanted } else { Self::detected() };
        if found != wanted {
            log::warn!("NEBULA_SIMD={wanted} is not available on this machine: using {found}");
        }
        Some(found)
    }

    fn is_available(self) -> bool {
        match self {
            Self::Scalar => !cfg!(all(target_arch = "wasm32", target_feature = "simd128")),
            Self::Sse2 => cfg!(target_arch = "x86_64"),
            Self::Neon => cfg!(target_arch = "aarch64"),
            Self::Simd128 => cfg!(all(target_arch = "wasm32", target_feature = "simd128")),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => std::is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                std::is_x86_feature_detected!("avx2")
                    && std::is_x86_feature_detected!("avx512f")
                    && std::is_x86_feature_detected!("avx512vl")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    fn detected() -> Self {
        let by_speed = [Self::Avx512, Self::Avx2, Self::Sse2, Self::Neon, Self::Simd128];
        by_speed.into_iter().find(|isa| isa.is_available()).unwrap_or(Self::Scalar)
    }
}

impl std::fmt::Display for Isa {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Scalar => "scalar",
            Self::Sse2 => "sse2",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
            Self::Simd128 => "simd128",
        })
    }
}
