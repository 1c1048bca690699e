//! What engines of GTP and of NBoard answer, read line by line from wherever the lines come. What they say is taken for hostile: every word of
//! theirs in a message is written out.

use games::error::shown;
use games::othello::{Move, Othello};
use games::{Game, InputError};

use crate::players::Trouble;

/// The next line of an engine, or why there is none.
pub type Next<'a> = dyn FnMut() -> Result<String, String> + 'a;

/// The answer to a command of GTP.
///
/// # Errors
/// There are no more lines, the engine refuses the command, or this is no answer.
pub fn gtp(command: &str, next: &mut Next) -> Result<String, Trouble> {
    // Empty lines may stand before an answer, and one ends it.
    let first = loop {
        let line = next()?;
        if !line.trim().is_empty() {
            break line;
        }
    };
    while !next()?.trim().is_empty() {}
    let rest =
        first.get(1..).unwrap_or_default().trim_start_matches(|sign: char| sign.is_ascii_digit()).trim();
    match first.chars().next() {
        Some('=') => Ok(rest.to_string()),
        Some('?') => Err(Trouble::Misunderstood(format!("{command}: it says {}", shown(rest)))),
        _ => Err(Trouble::Misunderstood(format!("{command}: {} is no answer of GTP", shown(&first)))),
    }
}

/// Waits for what an engine of NBoard says when it has nothing more to say.
///
/// # Errors
/// There are no more lines.
pub fn pong(number: u32, next: &mut Next) -> Result<(), String> {
    let pong = format!("pong {number}");
    while next()?.trim() != pong {}
    Ok(())
}

/// The move that an engine of NBoard answers, as it writes it, and the value that it gives it if it does.
///
/// # Errors
/// There are no more lines.
pub fn nboard(next: &mut Next) -> Result<(String, Option<f64>), String> {
    loop {
        if let Some(answer) = next()?.strip_prefix("===") {
            // Version 1 has blanks between move, value and time where version 2 has slashes, and some programs still have.
            let mut words = answer.trim().split(['/', ' ', '\t']);
            let text = words.next().unwrap_or_default().to_string();
            let value = words.next().and_then(|word| word.parse().ok());
            return Ok((text, value.filter(|value: &f64| value.is_finite())));
        }
    }
}

/// The legal move that a text names.
///
/// # Errors
/// It resigns, names no move, or one that is not legal.
pub fn chosen(position: &Othello, text: &str) -> Result<Move, Trouble> {
    if text.eq_ignore_ascii_case("resign") {
        return Err(Trouble::Resigned);
    }
    let unread = |error: InputError| Trouble::Misunderstood(format!("its answer is no move: {error}"));
    let mv = position.parse_move(text).map_err(unread)?;
    position.check(mv).map_err(|error| error.to_string())?;
    Ok(mv)
}
