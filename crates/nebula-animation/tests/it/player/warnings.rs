//! Counts the warnings of the thread that asks, whatever other tests log.

use std::cell::Cell;
use std::sync::Once;

use log::{LevelFilter, Log, Metadata, Record};

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counter;

impl Log for Counter {
    fn enabled(&self, _: &Metadata) -> bool {
        true
    }
    fn log(&self, record: &Record) {
        if record.level() == log::Level::Warn && record.target().starts_with("nebula_animation") {
            COUNT.with(|count| count.set(count.get() + 1));
        }
    }
    fn flush(&self) {}
}

/// How many warnings this thread logs while it does something.
pub fn count(action: impl FnOnce()) -> usize {
    static LOGGER: Once = Once::new();
    LOGGER.call_once(|| {
        // Without a logger of our own there is nothing to count, and the tests say so.
        let _ = log::set_logger(&Counter);
        log::set_max_level(LevelFilter::Warn);
    });
    let before = COUNT.with(Cell::get);
    action();
    COUNT.with(Cell::get) - before
}
