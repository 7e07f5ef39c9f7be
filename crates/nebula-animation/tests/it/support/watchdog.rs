//! What must come to an end.

use std::fmt::Display;
use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Does some work, and ends the tests with its name where it takes so long that it must be hanging: a minute, for what takes
/// milliseconds.
pub fn within_a_minute<T>(what: impl Display + Sync, work: impl FnOnce() -> T) -> T {
    let (sender, receiver) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let receiver = receiver;
            if receiver.recv_timeout(Duration::from_secs(60)) == Err(RecvTimeoutError::Timeout) {
                // A thread cannot be stopped from outside, so that there is nothing to go on with.
                // Straight to the terminal: what `eprintln!` writes in a test is only shown when the test has ended.
                let _ = writeln!(std::io::stderr(), "HANGS: {what}");
                std::process::exit(101);
            }
        });
        // Dropped at the end of the work, also by a panic.
        let _sender = sender;
        work()
    })
}
