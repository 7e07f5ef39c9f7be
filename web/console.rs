//! What a module says on the console: the library's warnings, and why it ended where it should not have.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn warn(text: &str);
    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);
}

struct Console;

impl log::Log for Console {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        // Of others, what they say of every frame would drown what matters.
        let least = if metadata.target().starts_with("nebula") { log::Level::Warn } else { log::Level::Error };
        metadata.level() <= least
    }

    fn log(&self, record: &log::Record<'_>) {
        if self.enabled(record.metadata()) {
            warn(&record.args().to_string());
        }
    }

    fn flush(&self) {}
}

/// Runs when the module is loaded.
#[wasm_bindgen(start)]
fn start() {
    // Where somebody else has set one, that one stays.
    if log::set_logger(&Console).is_ok() {
        log::set_max_level(log::LevelFilter::Warn);
    }
    std::panic::set_hook(Box::new(|info| error(&info.to_string())));
}
