//! Whole numbers in as few bytes as they need: seven bits a byte, the lowest first.

/// Appends a number.
pub fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front.
///
/// # Errors
/// It is cut short, or too large.
pub fn take(bytes: &mut &[u8]) -> Result<u64, String> {
    number(|| {
        let (&byte, rest) = bytes.split_first().ok_or("it is cut short")?;
        *bytes = rest;
        Ok(byte)
    })
}

/// A number from its bytes.
///
/// # Errors
/// There is no next byte, or the number has more than 64 bits.
pub fn number(mut next: impl FnMut() -> Result<u8, String>) -> Result<u64, String> {
    let mut number = 0u64;
    for shift in (0..64).step_by(7) {
        let byte = next()?;
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            break;
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err("a number in it has more than 64 bits".into())
}
