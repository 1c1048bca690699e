//! Tetris as text: positions, placements, the drawing.
//!
//! `#.../##.# TS 12 4`: the rows from the highest that holds a cell down to the floor (`-` if there is none), the pieces
//! known in their order (`-` if none), the rows removed so far, and, where the dealing remembers something, the pieces
//! left in the bag or the place in the sequence. All but the rows may be missing. A lost board shows the piece that
//! sticks out, or, in the original game, the piece that has no room to appear as the first one known.

use super::rules::{Clearing, Kind};
use super::{Deck, Piece, Pieces, Placement, Tetris, TetrisRules, height, overflows};
use crate::draw::{Ink, Pen};
use crate::error::{InputError, shown};
use crate::game::{Game, Turn};

pub fn to_text(position: &Tetris) -> String {
    let columns = position.columns();
    let top = height(columns.iter().fold(0, |rows, &column| rows | column));
    let cell = |row: u32| move |column: &u32| if column >> row & 1 != 0 { '#' } else { '.' };
    let rows: Vec<String> = (0..top).rev().map(|row| columns.iter().map(cell(row)).collect()).collect();
    let known: String = position.current.iter().chain(&position.next).map(|piece| piece.letter()).collect();
    let or_dash = |text: String| if text.is_empty() { "-".to_string() } else { text };
    let mut text = format!("{} {} {}", or_dash(rows.join("/")), or_dash(known), position.lines);
    match position.rules.pieces {
        Pieces::Weighted(_) => {}
        Pieces::Sequence(_) => text.push_str(&format!(" {}", position.deck.0)),
        Pieces::Bag => {
            let left = Piece::ALL.into_iter().filter(|&piece| position.deck.0 >> piece as u32 & 1 != 0);
            text.push_str(&format!(" {}", left.map(Piece::letter).collect::<String>()));
        }
    }
    text
}

pub fn from_text(rules: &TetrisRules, text: &str) -> Result<Tetris, InputError> {
    let refused = |reason: String| InputError::position(text, reason);
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut position = Tetris::start(rules);
    match words[..] {
        [] => return Err(refused("it is empty".into())),
        ["-", ..] => {}
        [rows, ..] => parse_rows(&mut position, rows).map_err(refused)?,
    }
    if let Some(&word) = words.get(1).filter(|&&word| word != "-") {
        let pieces: Option<Vec<Piece>> = word.chars().map(Piece::from_letter).collect();
        let most = 1 + usize::from(rules.preview);
        let Some(pieces) = pieces.filter(|pieces| pieces.len() <= most) else {
            let reason = format!("{} are not the pieces known: at most {most} of IOTSZJL", shown(word));
            return Err(refused(reason));
        };
        position.current = pieces.first().copied();
        position.next = pieces.get(1).copied();
        position.judge_appearance();
    }
    if let Some(word) = words.get(2) {
        let reason = || format!("{} is no number of rows removed", shown(word));
        position.lines = word.parse().map_err(|_| refused(reason()))?;
    }
    let Some(word) = words.get(3) else {
        position.deck = rules.pieces.deck_after(position.current.iter().chain(&position.next).copied());
        return Ok(position);
    };
    {
        let deck = parse_deck(&rules.pieces, word);
        let reason = || format!("{} does not continue dealing by {}", shown(word), rule_name(&rules.pieces));
        position.deck = deck.ok_or_else(|| refused(reason()))?;
    }
    if let Some(word) = words.get(4) {
        return Err(refused(format!("{} is too much", shown(word))));
    }
    Ok(position)
}

fn parse_rows(position: &mut Tetris, rows: &str) -> Result<(), String> {
    let (width, limit) = (usize::from(position.rules.width), position.rules.limit());
    let rows: Vec<&str> = rows.split('/').collect();
    // A lost board may stick out by a whole upright I, if the pieces come from above.
    let above = if position.rules.game == Kind::Simplified { 4 } else { 0 };
    let most = usize::from(position.rules.height) + above;
    if rows.len() > most {
        return Err(format!("{} rows on a board of height {}", rows.len(), position.rules.height));
    }
    let mut full = 0u32;
    for (row, text) in rows.iter().rev().enumerate() {
        let cells: Vec<char> = text.chars().collect();
        if cells.len() != width || cells.iter().any(|cell| !matches!(cell, '#' | '.')) {
            let from_top = rows.len() - row;
            return Err(format!("row {from_top} is {}; {width} of # and . make a row", shown(text)));
        }
        for (column, cell) in cells.iter().enumerate() {
            position.columns[column] |= u32::from(*cell == '#') << row;
        }
        full |= u32::from(cells.iter().all(|&cell| cell == '#')) << row;
    }
    if rows[0].chars().all(|cell| cell == '.') {
        return Err("the first row is empty; rows begin with the highest that holds a cell".into());
    }
    position.lost = overflows(position.columns(), limit);
    if full != 0 && !(position.lost && position.rules.clearing == Clearing::After) {
        return Err("a full row would have been removed".into());
    }
    Ok(())
}

fn parse_deck(pieces: &Pieces, word: &str) -> Option<Deck> {
    match pieces {
        Pieces::Weighted(_) => None,
        Pieces::Sequence(pieces) => {
            word.parse().ok().filter(|&place| (place as usize) < pieces.len()).map(Deck)
        }
        Pieces::Bag => {
            let mut left = 0;
            for letter in word.chars() {
                let bit = 1 << Piece::from_letter(letter)? as u32;
                if left & bit != 0 {
                    return None;
                }
                left |= bit;
            }
            Some(Deck(left)).filter(|_| left != 0)
        }
    }
}

fn rule_name(pieces: &Pieces) -> &'static str {
    match pieces {
        Pieces::Weighted(_) => "lot, which remembers nothing",
        Pieces::Sequence(_) => "this sequence, from place 0",
        Pieces::Bag => "bag, one to seven distinct letters",
    }
}

pub fn move_text(placement: Placement) -> String {
    let column = char::from(b'a'.saturating_add(placement.column));
    format!("{}{}{column}", placement.piece.letter(), placement.orientation)
}

/// The letter of the piece may be missing, and an orientation of 0 too.
pub fn parse_move(position: &Tetris, text: &str) -> Result<Placement, InputError> {
    let refused = |reason: &str| InputError::move_text(text, reason);
    let word = text.trim();
    let (piece, rest) = match word.chars().next().and_then(Piece::from_letter) {
        Some(piece) => (Some(piece), &word[1..]),
        None => (position.current, word),
    };
    let piece = piece.ok_or_else(|| refused("there is no piece to place"))?;
    let (orientation, column) = match *rest.to_ascii_lowercase().as_bytes() {
        [column @ b'a'..=b'p'] => (0, column - b'a'),
        [orientation @ b'0'..=b'3', column @ b'a'..=b'p'] => (orientation - b'0', column - b'a'),
        _ => return Err(refused("a placement is an orientation and a column, as 1d")),
    };
    let Some(shape) = piece.shapes().get(usize::from(orientation)) else {
        let most = piece.shapes().len() - 1;
        return Err(refused(&format!("{} has orientations 0 to {most}", piece.letter())));
    };
    let columns = usize::from(position.rules.width) - shape.columns().len();
    if usize::from(column) > columns {
        let last = char::from(b'a' + columns as u8);
        return Err(refused(&format!("in this orientation the columns are a to {last}")));
    }
    Ok(Placement { piece, orientation, column })
}

/// The board between its walls, what is left of the last piece in round brackets; beside it the orientations of the
/// piece to place.
pub fn draw(position: &Tetris, pen: &mut Pen, last: Option<(&Tetris, Placement)>) {
    let columns = position.columns();
    let top = height(columns.iter().fold(0, |rows, &column| rows | column));
    let (landed, removed) = last.map_or(([0; super::MAX_WIDTH], 0), |(before, mv)| before.left_of(mv));
    let ink = last.map_or(Ink::Last, |(_, mv)| Ink::Piece(mv.piece as u8));
    let mut beside = match (position.turn(), position.current) {
        (Turn::Player(_), Some(piece)) => orientations(piece),
        _ => Vec::new(),
    }
    .into_iter();
    for row in (0..top.max(u32::from(position.rules.height))).rev() {
        let inside = row < position.rules.limit();
        pen.ink(Ink::Faint, &format!("{:>3} {}", row + 1, if inside { '|' } else { '^' }));
        for (column, &cells) in columns.iter().enumerate() {
            if landed[column] >> row & 1 != 0 {
                pen.ink(ink, "()");
            } else if cells >> row & 1 != 0 {
                pen.plain("[]");
            } else {
                pen.ink(Ink::Faint, " .");
            }
        }
        pen.ink(Ink::Faint, if inside { "|" } else { "^" });
        if let Some((piece, line)) = beside.next() {
            pen.plain("   ");
            pen.ink(Ink::Piece(piece), &line);
        }
        pen.line();
    }
    pen.ink(Ink::Faint, "     ");
    (0..position.rules.width).for_each(|i| pen.ink(Ink::Faint, &format!(" {}", char::from(b'a' + i))));
    pen.line();
    pen.plain(&format!("lines {}", position.lines));
    if let Some(next) = position.next {
        pen.plain(&format!("   next {}", next.letter()));
    }
    match removed {
        0 => {}
        1 => pen.plain("   1 row removed"),
        rows => pen.plain(&format!("   {rows} rows removed")),
    }
    if let Some(piece) =
        position.current.filter(|&piece| position.rules.game == Kind::Original && !position.appears(piece))
    {
        pen.plain(&format!("   no room for {}", piece.letter()));
    }
    pen.line();
    // A low board has no room beside it.
    for (piece, line) in beside {
        pen.ink(Ink::Piece(piece), &line);
        pen.line();
    }
}

/// The orientations of a piece one below the other, each with its number.
fn orientations(piece: Piece) -> Vec<(u8, String)> {
    let mut lines = vec![(piece as u8, format!("place {}:", piece.letter()))];
    for (orientation, shape) in piece.shapes().iter().enumerate() {
        for row in (0..shape.height()).rev() {
            let number = if row == 0 { orientation.to_string() } else { " ".to_string() };
            let cells = shape.columns().iter().map(|column| if column >> row & 1 != 0 { "[]" } else { "  " });
            lines.push((
                piece as u8,
                format!("{number} {}", cells.collect::<String>()).trim_end().to_string(),
            ));
        }
    }
    lines
}
