//! Counts the warnings of the thread that asks, whatever other tests log.

use std::cell::Cell;
use std::sync::{Mutex, Once, PoisonError};

use log::{LevelFilter, Log, Metadata, Record};

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static ERRORS: Cell<usize> = const { Cell::new(0) };
}

/// The texts of all threads.
static TEXTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Counter;

impl Log for Counter {
    fn enabled(&self, _: &Metadata) -> bool {
        true
    }
    fn log(&self, record: &Record) {
        if record.target().starts_with("nebula_animation") {
            let of = |level: log::Level| usize::from(record.level() == level);
            COUNT.with(|count| count.set(count.get() + of(log::Level::Warn)));
            ERRORS.with(|count| count.set(count.get() + of(log::Level::Error)));
            TEXTS.lock().unwrap_or_else(PoisonError::into_inner).push(record.args().to_string());
        }
    }
    fn flush(&self) {}
}

fn listen() {
    static LOGGER: Once = Once::new();
    LOGGER.call_once(|| {
        // Without a logger of our own there is nothing to count, and the tests say so.
        let _ = log::set_logger(&Counter);
        log::set_max_level(LevelFilter::Warn);
    });
}

/// How many warnings and errors with these words, which no other test provokes, any thread logs while this one does something:
/// with bevy's threads, systems run elsewhere.
pub fn count_of(words: &str, action: impl FnOnce()) -> usize {
    texts_of(words, action).len()
}

/// What they say.
pub fn texts_of(words: &str, action: impl FnOnce()) -> Vec<String> {
    listen();
    let texts = || {
        let texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
        texts.iter().filter(|text| text.contains(words)).cloned().collect::<Vec<_>>()
    };
    let before = texts().len();
    action();
    texts().split_off(before)
}

/// How many warnings this thread logs while it does something.
pub fn count(action: impl FnOnce()) -> usize {
    listen();
    let before = COUNT.with(Cell::get);
    action();
    COUNT.with(Cell::get) - before
}

/// How many errors this thread logs while it does something.
pub fn count_errors(action: impl FnOnce()) -> usize {
    listen();
    let before = ERRORS.with(Cell::get);
    action();
    ERRORS.with(Cell::get) - before
}
