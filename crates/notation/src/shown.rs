//! Foreign texts in messages: never raw, so that a message stays one line and no terminal obeys what it says.

/// Foreign text made fit for one line of a message: quoted, control characters escaped, long texts shortened.
pub fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let mut out = String::from("'");
    for (i, sign) in text.chars().enumerate() {
        if i == MOST {
            out.push_str("...");
            break;
        }
        if sign == '\\' {
            out.push('\\');
        }
        push(&mut out, sign);
    }
    out.push('\'');
    out
}

/// A text that is part of a message, whole and as it is but for control characters, which are escaped.
pub fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|sign| push(&mut out, sign));
    out
}

fn push(out: &mut String, sign: char) {
    match sign {
        '\'' | '"' | '\\' => out.push(sign),
        _ => out.extend(sign.escape_debug()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_stays_on_one_short_line() {
        assert_eq!(shown("a\nb\u{1b}[31m\""), "'a\\nb\\u{1b}[31m\"'");
        assert_eq!(shown("a\\n"), "'a\\\\n'");
        assert_eq!(shown(&"x".repeat(100)), format!("'{}...'", "x".repeat(60)));
    }

    #[test]
    fn what_is_already_escaped_is_not_escaped_again() {
        let message = format!("a\tb {}", shown("c\rd\\"));
        assert_eq!(one_line(&message), "a\\tb 'c\\rd\\\\'");
        assert_eq!(one_line(&one_line(&message)), one_line(&message));
    }
}
