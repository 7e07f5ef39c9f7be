/// Numbers that look random: xorshift.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u32) -> Self {
        Self(u64::from(seed) << 1 | 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % end.max(1)
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}
