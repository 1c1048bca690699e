//! The one checksum of files, names and signatures: FNV-1a, 64 bits. The same on every machine and in every version, unlike the
//! hashers of the standard library; enough against what disks and editors do, and against nobody who means harm.

/// Bytes that are summed up as they come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    /// Takes more bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let add = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        self.0 = bytes.iter().fold(self.0, add);
    }

    /// The sum of all that was taken.
    pub fn value(self) -> u64 {
        self.0
    }
}

/// The sum of bytes that are all there.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = Checksum::default();
    sum.add(bytes);
    sum.value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_fnv_1a_at_once_or_piece_by_piece() {
        assert_eq!(checksum(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(checksum(b"foobar"), 0x8594_4171_f739_67e8);
        let mut sum = Checksum::default();
        sum.add(b"foo");
        sum.add(b"bar");
        assert_eq!(sum.value(), checksum(b"foobar"));
    }
}
