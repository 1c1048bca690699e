//! Drawing for a terminal: text with or without colour. A game says what a cell means, the pen knows how it looks.

/// What a piece of a drawing means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Coordinates and empty cells.
    Faint,
    /// What belongs to the first side: yellow.
    First,
    /// What belongs to the second side: red.
    Second,
    /// What belongs to a side that is called black.
    Black,
    /// What belongs to a side that is called white.
    White,
    /// A piece of colour number n, for games with many.
    Piece(u8),
    /// The last move.
    Last,
}

/// A part of a line, and what it means.
pub type Span = (Option<Ink>, String);

/// Collects a drawing.
#[derive(Debug, Clone, Default)]
pub struct Pen {
    spans: Vec<Span>,
    colour: bool,
}

impl Pen {
    /// A pen that writes ANSI colours, or plain text.
    pub fn new(colour: bool) -> Self {
        Self { spans: Vec::new(), colour }
    }

    /// Writes without a meaning.
    pub fn plain(&mut self, text: &str) {
        self.spans.push((None, text.to_string()));
    }

    /// Writes with a meaning, which shows only in colour: a plain drawing must be clear without it.
    pub fn ink(&mut self, ink: Ink, text: &str) {
        self.spans.push((Some(ink), text.to_string()));
    }

    /// Ends a line.
    pub fn line(&mut self) {
        self.plain("\n");
    }

    /// The drawing.
    pub fn finish(self) -> String {
        let mut all = String::new();
        for (ink, text) in self.spans {
            match ink.filter(|_| self.colour) {
                Some(ink) => all.push_str(&format!("\x1b[{}m{text}\x1b[0m", code(ink))),
                None => all.push_str(&text),
            }
        }
        all
    }

    /// The drawing by lines.
    pub fn lines(self) -> Vec<Vec<Span>> {
        let mut lines = vec![Vec::new()];
        for (ink, text) in self.spans {
            for (number, part) in text.split('\n').enumerate() {
                if number > 0 {
                    lines.push(Vec::new());
                }
                if let (false, Some(line)) = (part.is_empty(), lines.last_mut()) {
                    line.push((ink, part.to_string()));
                }
            }
        }
        // What follows the end of the last line is no line.
        lines.pop_if(|line| line.is_empty());
        lines
    }
}

fn code(ink: Ink) -> String {
    match ink {
        Ink::Faint => "2".to_string(),
        Ink::First => "1;33".to_string(),
        Ink::Second => "1;31".to_string(),
        // On a green ground, as on a board: black or white by itself is lost on a ground of its own colour.
        Ink::Black => "30;42".to_string(),
        Ink::White => "97;42".to_string(),
        // Seven hues of the 256-colour cube that can be told apart on dark and light grounds.
        Ink::Piece(n) => format!("38;5;{}", [44, 220, 135, 40, 197, 33, 208][usize::from(n % 7)]),
        Ink::Last => "1;7".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_is_the_same_by_lines() {
        let mut pen = Pen::new(true);
        pen.plain("a");
        pen.ink(Ink::Second, "b");
        pen.plain("c\nd");
        pen.line();
        assert_eq!(pen.clone().finish(), "a\x1b[1;31mb\x1b[0mc\nd\n");
        let (plain, second) = (|text: &str| (None, text.to_string()), (Some(Ink::Second), "b".to_string()));
        assert_eq!(pen.lines(), [vec![plain("a"), second, plain("c")], vec![plain("d")]]);
    }
}
