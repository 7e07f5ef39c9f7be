//! Work on all cores, with a progress bar on a terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Letters of the bar.
const WIDTH: usize = 30;

/// Where the bar is drawn; nowhere but on a terminal.
pub fn terminal() -> Option<io::Stderr> {
    Some(io::stderr()).filter(IsTerminal::is_terminal)
}

/// A bar that is drawn over itself, and wiped away when it is dropped.
pub struct Bar<W: Write> {
    out: Option<W>,
    what: &'static str,
    done: usize,
    all: usize,
}

impl<W: Write> Bar<W> {
    /// Of so many things. It is drawn at once: even the first one may take long.
    pub fn new(out: Option<W>, what: &'static str, all: usize) -> Self {
        let mut bar = Self { out, what, done: 0, all };
        bar.draw();
        bar
    }

    /// One more is done.
    pub fn advance(&mut self) {
        self.done += 1;
        self.draw();
    }

    fn draw(&mut self) {
        let Self { out: Some(out), what, done, all } = self else { return };
        let filled = WIDTH * *done / (*all).max(1);
        let (full, left) = ("#".repeat(filled), "-".repeat(WIDTH - filled));
        // Nobody is told of a terminal that is gone.
        let _ = write!(out, "\r[{full}{left}] {what} {done} of {all}").and_then(|()| out.flush());
    }
}

impl<W: Write> Drop for Bar<W> {
    fn drop(&mut self) {
        if let Some(out) = &mut self.out {
            let _ = write!(out, "\r\x1b[K").and_then(|()| out.flush());
        }
    }
}

/// Does all jobs on as many threads as the machine has; what comes of them, in their order.
pub fn on_all_cores<J: Sync, T: Send>(
    jobs: &[J],
    bar: Bar<impl Write + Send>,
    work: impl Fn(&J) -> T + Sync,
) -> Vec<T> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(jobs.len());
    let (next, done) = (AtomicUsize::new(0), Mutex::new((bar, Vec::with_capacity(jobs.len()))));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index) else { break };
                    let result = work(job);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.0.advance();
                    done.1.push((index, result));
                }
            });
        }
    });
    let (_, mut done) = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is drawn on a terminal, told by a pipe that outlives the bar.
    fn drawn(act: impl FnOnce(Bar<io::PipeWriter>)) -> String {
        let (mut reader, writer) = io::pipe().unwrap();
        act(Bar::new(Some(writer), "compressed", 2));
        io::read_to_string(&mut reader).unwrap()
    }

    #[test]
    fn the_bar_is_there_from_the_beginning_fills_up_and_goes_away() {
        let text = drawn(|mut bar| {
            bar.advance();
            bar.advance();
        });
        let states: Vec<&str> = text.split('\r').collect();
        let (empty, half, full) = ("-".repeat(30), "#".repeat(15) + &"-".repeat(15), "#".repeat(30));
        let [empty, half, full] =
            [(empty, 0), (half, 1), (full, 2)].map(|(bar, done)| format!("[{bar}] compressed {done} of 2"));
        assert_eq!(states, ["", &*empty, &*half, &*full, "\x1b[K"]);
    }

    #[test]
    fn results_are_in_the_order_of_the_jobs_and_each_is_counted() {
        let jobs: Vec<u32> = (0..100).collect();
        let (mut reader, writer) = io::pipe().unwrap();
        let bar = Bar::new(Some(writer), "squared", jobs.len());
        let squares = std::thread::scope(|scope| {
            let text = scope.spawn(move || io::read_to_string(&mut reader).unwrap());
            let squares = on_all_cores(&jobs, bar, |job| job * job);
            let text = text.join().unwrap();
            assert!((0..=100).all(|done| text.contains(&format!("squared {done} of 100\r"))), "{text}");
            squares
        });
        assert_eq!(squares, jobs.iter().map(|job| job * job).collect::<Vec<_>>());
    }
}
