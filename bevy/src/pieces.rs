//! Processes slices of components on all threads.

use bevy::tasks::ComputeTaskPool;

/// Into how many parts memory is cut that threads write to: more than there are threads, which are not all as fast; one where there is one thread only.
pub(crate) fn zones() -> usize {
    match ComputeTaskPool::try_get().map_or(1, |pool| pool.thread_num()) {
        0 | 1 => 1,
        threads => 4 * threads,
    }
}

/// How many things make a piece of work: so many, or all where there is one thread only.
pub(crate) fn piece_of(count: usize) -> usize {
    let are_many = ComputeTaskPool::try_get().is_some_and(|pool| pool.thread_num() > 1);
    if are_many { count } else { usize::MAX }
}

/// Does every piece of work, on the threads that Bevy has for such; in turn where there is one thread only, so that nobody waits for it to wake up.
pub(crate) fn for_each_piece<T: Send>(pieces: impl Iterator<Item = T>, work: impl Fn(T) + Send + Sync) {
    let Some(pool) = ComputeTaskPool::try_get().filter(|pool| pool.thread_num() > 1) else {
        return pieces.for_each(work);
    };
    let work = &work;
    pool.scope(|scope| {
        for piece in pieces {
            scope.spawn(async move { work(piece) });
        }
    });
}
