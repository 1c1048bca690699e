//! Escaping: text from files becomes text and nothing else, whatever it goes into.

/// As text of a page, and as the value of an attribute. Signs that no page may contain become a mark.
pub fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(harmless(sign)),
        }
    }
    out
}

/// In a cell of a Markdown table or a line of it.
pub fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in plain(text).chars() {
        match sign {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '|' | '`' | '*' | '_' | '[' | ']' | '#' | '\\' => out.extend(['\\', sign]),
            _ => out.push(sign),
        }
    }
    out
}

/// On one line of a terminal: nothing there moves the cursor or changes the colour.
pub fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").chars().map(harmless).collect()
}

/// As a cell of a CSV file.
pub fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

fn harmless(sign: char) -> char {
    let reversing =
        matches!(sign, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}');
    if (sign.is_control() && sign != '\n' && sign != '\t') || reversing { '\u{fffd}' } else { sign }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(html("<a b='c'>\"&\u{1b}"), "&lt;a b=&#39;c&#39;&gt;&quot;&amp;\u{fffd}");
        assert_eq!(markdown("a|b\n<i>_"), "a\\|b &lt;i>\\_");
        assert_eq!(plain("a\u{1b}[31m\n  b"), "a\u{fffd}[31m b");
        assert_eq!((cell("a"), cell("a,\"b\"")), ("a".to_string(), "\"a,\"\"b\"\"\"".to_string()));
    }
}
