/// Which kinds of trouble a player has logged already: a fault of every frame is one line, not sixty a second.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Warnings(u8);

/// A kind of trouble.
#[derive(Debug, Clone, Copy)]
pub(super) enum Trouble {
    Step = 1,
    Seek = 2,
    MissingClip = 4,
    ZeroLength = 8,
    Pose = 16,
    OtherRig = 32,
}

impl Warnings {
    /// Whether this is the first time; it is not the next time.
    pub fn is_first(&mut self, trouble: Trouble) -> bool {
        let is_first = !self.contains(trouble);
        self.0 |= trouble as u8;
        is_first
    }

    pub fn contains(self, trouble: Trouble) -> bool {
        self.0 & trouble as u8 != 0
    }

    pub fn forget(&mut self, trouble: Trouble) {
        self.0 &= !(trouble as u8);
    }
}
