//! Parsers that are broken on purpose, one for each kind of failure: the harness is held to finding them. They run only when they are named.

use super::{Answer, Room, Target, Verdict, refused};

/// The list; each breaks on some inputs, and reads the others.
pub const BROKEN: &[Target] = &[
    Target::new("broken-panic", "panics", panics, "boom"),
    Target::new("broken-stack", "recurses", recurses, "boom"),
    Target::new("broken-loop", "never ends", loops, "boom"),
    Target::new("broken-sleep", "waits for ever", sleeps, "boom"),
    Target::new("broken-memory", "asks for 100 GB", grows, "boom"),
    Target::new("broken-text", "prints what it read", prints, "boom"),
    Target::new("broken-again", "reads another thing again", forgets, "boom"),
    Target::new("broken-caught", "panics, and catches that", catches, "boom"),
];

fn is_bad(bytes: &[u8]) -> bool {
    bytes.windows(4).any(|four| four == b"boom")
}

fn panics(bytes: &[u8], _: &Room) -> Verdict {
    assert!(!is_bad(bytes), "boom");
    Ok(Answer::Accepted)
}

fn recurses(bytes: &[u8], _: &Room) -> Verdict {
    fn deeper(bytes: &[u8], depth: u64) -> u64 {
        let room = std::hint::black_box([depth; 64]);
        if is_bad(bytes) { deeper(bytes, depth + 1) + room[(depth % 64) as usize] } else { depth }
    }
    std::hint::black_box(deeper(bytes, 0));
    Ok(Answer::Accepted)
}

fn loops(bytes: &[u8], _: &Room) -> Verdict {
    while std::hint::black_box(is_bad(bytes)) {}
    Ok(Answer::Accepted)
}

fn sleeps(bytes: &[u8], _: &Room) -> Verdict {
    while is_bad(bytes) {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
    Ok(Answer::Accepted)
}

fn grows(bytes: &[u8], _: &Room) -> Verdict {
    let size = if is_bad(bytes) { 100_000_000_000 } else { 1 };
    let room: Vec<u8> = std::hint::black_box(Vec::with_capacity(size));
    if room.capacity() >= size { Ok(Answer::Accepted) } else { refused("no room") }
}

fn prints(bytes: &[u8], _: &Room) -> Verdict {
    if is_bad(bytes) { refused("\u{1b}[31mboom") } else { Ok(Answer::Accepted) }
}

fn forgets(bytes: &[u8], _: &Room) -> Verdict {
    super::same("a text", &bytes.len(), &if is_bad(bytes) { 0 } else { bytes.len() })?;
    Ok(Answer::Accepted)
}

fn catches(bytes: &[u8], _: &Room) -> Verdict {
    let _ = std::panic::catch_unwind(|| assert!(!is_bad(bytes), "boom"));
    Ok(Answer::Accepted)
}
