//! `inspect`: what is in a file, as text or JSON.

mod summary;
pub(crate) mod text;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use super::print;
use summary::Summary;

/// Prints what is in a file.
pub fn run(file: &Path, is_json: bool) -> Result<ExitCode, String> {
    let asset = nebula_import::open(file).map_err(|error| error.in_file(file))?.asset;
    let file_bytes = fs::metadata(file).map(|metadata| metadata.len()).unwrap_or_default();
    let summary = Summary::new(&asset, file, file_bytes);
    if is_json {
        let json = serde_json::to_string_pretty(&summary).map_err(|error| format!("{}: {error}", file.display()))?;
        print(&format!("{json}\n"))
    } else {
        print(&text::page(&summary))
    }
}
