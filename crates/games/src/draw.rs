//! Drawing for a terminal: text with or without colour. A game says what a cell means, the pen knows how it looks.

/// What a piece of a drawing means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Coordinates and empty cells.
    Faint,
    /// What belongs to the first side.
    First,
    /// What belongs to the second side.
    Second,
    /// A piece of colour number n, for games with many.
    Piece(u8),
    /// The last move.
    Last,
}

/// Collects a drawing.
#[derive(Debug, Clone, Default)]
pub struct Pen {
    text: String,
    colour: bool,
}

impl Pen {
    /// A pen that writes ANSI colours, or plain text.
    pub fn new(colour: bool) -> Self {
        Self { text: String::new(), colour }
    }

    /// Writes without a meaning.
    pub fn plain(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Writes with a meaning, which shows only in colour: a plain drawing must be clear without it.
    pub fn ink(&mut self, ink: Ink, text: &str) {
        if !self.colour {
            return self.plain(text);
        }
        let code = match ink {
            Ink::Faint => "2".to_string(),
            Ink::First => "1;33".to_string(),
            Ink::Second => "1;36".to_string(),
            // Seven hues of the 256-colour cube that can be told apart on dark and light grounds.
            Ink::Piece(n) => format!("38;5;{}", [44, 220, 135, 40, 197, 33, 208][usize::from(n % 7)]),
            Ink::Last => "1;7".to_string(),
        };
        self.text.push_str(&format!("\x1b[{code}m{text}\x1b[0m"));
    }

    /// Ends a line.
    pub fn line(&mut self) {
        self.text.push('\n');
    }

    /// The drawing.
    pub fn finish(self) -> String {
        self.text
    }
}
