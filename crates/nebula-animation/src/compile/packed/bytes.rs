use std::fmt;
use std::ops::Range;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

/// Whoever owns bytes: a vector, a static array, a file that is mapped into memory.
pub(in crate::compile) type Owner = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Bytes that clips share with whoever owns them: a file in memory, or one that is mapped.
#[derive(Clone)]
pub(crate) struct ClipBytes {
    owner: Owner,
    range: Range<usize>,
}

impl ClipBytes {
    /// A part of the bytes of an owner; none where it has fewer.
    pub fn part_of(owner: &Owner, range: Range<usize>) -> Self {
        let range = if (**owner).as_ref().get(range.clone()).is_some() { range } else { 0..0 };
        Self { owner: Arc::clone(owner), range }
    }

    #[inline(always)]
    pub fn get(&self) -> &[u8] {
        (*self.owner).as_ref().get(self.range.clone()).unwrap_or_default()
    }
}

/// Bytes are only read: whatever panics leaves them as they are.
impl RefUnwindSafe for ClipBytes {}
impl UnwindSafe for ClipBytes {}

impl From<Vec<u8>> for ClipBytes {
    fn from(bytes: Vec<u8>) -> Self {
        let range = 0..bytes.len();
        Self { owner: Arc::new(bytes.into_boxed_slice()), range }
    }
}

impl PartialEq for ClipBytes {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl fmt::Debug for ClipBytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} bytes", self.range.len())
    }
}
