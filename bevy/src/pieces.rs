//! Work on slices of components, on all threads.

use bevy::tasks::ComputeTaskPool;

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
