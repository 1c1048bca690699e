//! GGF, the text form of whole games: `(;GM[Othello]PB[black]PW[white]RE[+2]TY[8]BO[8 <64 of -*O> *]B[d3/eval/time]W[...];)`. Black is
//! `*`, a pass `PA`; what follows a `/` is what a program thought of its move. Passes may be left out.

use super::{Move, Othello, text};
use crate::error::shown;
use crate::game::{Game, Side, Turn};
use crate::rules::Fixed;

/// A game that was played.
#[derive(Debug, Clone, PartialEq)]
pub struct Ggf {
    /// The names of black and white; empty if it says none.
    pub players: [String; 2],
    /// Where it began.
    pub start: Othello,
    /// All moves, passes included.
    pub moves: Vec<Move>,
    /// Black's discs less white's, as the text says.
    pub result: Option<f64>,
}

/// What is wrong with a text, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: {reason}")]
pub struct GgfError {
    /// The byte at which the fault begins, the first being 0.
    pub at: usize,
    /// What is wrong.
    pub reason: String,
}

impl Ggf {
    /// The position after all moves.
    ///
    /// # Panics
    /// If a move is illegal, which those of a text that was read never are.
    pub fn end(&self) -> Othello {
        let mut position = self.start;
        self.moves.iter().for_each(|&mv| position.play(mv).expect("moves were checked"));
        position
    }

    /// The first game of a text.
    ///
    /// # Errors
    /// There is none, or it is no game of Othello on 8x8 from beginning to end.
    pub fn parse(text: &str) -> Result<Self, GgfError> {
        let first = Self::parse_all(text)?.into_iter().next();
        first.ok_or_else(|| GgfError { at: 0, reason: "there is no game; one begins with '(;'".into() })
    }

    /// All games of a text; what stands between them is left out.
    ///
    /// # Errors
    /// One is no game of Othello on 8x8 from beginning to end.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, GgfError> {
        let (mut games, mut at) = (Vec::new(), 0);
        while let Some(begin) = text[at..].find("(;") {
            let mut reader = Reader { text, at: at + begin + 2 };
            games.push(reader.game()?);
            at = reader.at;
        }
        Ok(games)
    }

    /// The game as text, which reads as the same again.
    pub fn text(&self) -> String {
        self.text_with("", &|_| String::new())
    }

    /// The same with a note behind the result, as `:r`, and one behind each move, by its number, as `/1.50/0.3`.
    pub fn text_with(&self, result_note: &str, note: &dyn Fn(usize) -> String) -> String {
        let board: String = text::to_obf(&self.start)
            .trim_end_matches(';')
            .chars()
            .map(|sign| if sign == 'X' { '*' } else { sign })
            .collect();
        let result = self.result.map_or("?".to_string(), |result| format!("{result:+.3}{result_note}"));
        let name = |name: &str| name.replace('\\', "\\\\").replace(']', "\\]");
        let [black, white] = [name(&self.players[0]), name(&self.players[1])];
        let mut out = format!("(;GM[Othello]PB[{black}]PW[{white}]RE[{result}]TY[8]BO[8 {board}]");
        let mut side = self.start.side();
        for (number, mv) in self.moves.iter().enumerate() {
            let letter = if side == Side::First { 'B' } else { 'W' };
            let square = mv.index().map_or("PA".to_string(), text::square_name);
            out.push_str(&format!("{letter}[{}{}]", square.to_uppercase(), note(number)));
            side = side.other();
        }
        out + ";)"
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn fault<T>(&self, at: usize, reason: impl Into<String>) -> Result<T, GgfError> {
        Err(GgfError { at, reason: reason.into() })
    }

    /// From behind the opening to behind the end.
    fn game(&mut self) -> Result<Ggf, GgfError> {
        let mut game = Ggf {
            players: Default::default(),
            start: Othello::start(&Fixed),
            moves: Vec::new(),
            result: None,
        };
        let mut position = game.start;
        loop {
            let rest = &self.text[self.at..];
            let begin = self.at + (rest.len() - rest.trim_start().len());
            if self.text[begin..].starts_with(";)") {
                self.at = begin + 2;
                return Ok(game);
            }
            let (key, value) = self.property(begin)?;
            match key.as_str() {
                "GM" if !value.trim().eq_ignore_ascii_case("othello") => {
                    return self.fault(begin, format!("a game of {}; Othello is expected", shown(&value)));
                }
                "PB" => game.players[0] = value,
                "PW" => game.players[1] = value,
                "RE" => game.result = result(&value),
                "BO" if !game.moves.is_empty() => return self.fault(begin, "the board comes after a move"),
                "BO" => {
                    game.start = board(&value).or_else(|reason| self.fault(begin, reason))?;
                    position = game.start;
                }
                "B" | "W" => {
                    let side = if key == "B" { Side::First } else { Side::Second };
                    let played =
                        moves(&mut position, side, &value).or_else(|reason| self.fault(begin, reason))?;
                    game.moves.extend(played);
                }
                _ => {}
            }
        }
    }

    fn property(&mut self, begin: usize) -> Result<(String, String), GgfError> {
        let rest = &self.text[begin..];
        let name = rest.len() - rest.trim_start_matches(|sign: char| sign.is_ascii_alphabetic()).len();
        if name == 0 || !rest[name..].starts_with('[') {
            return match rest.is_empty() {
                true => self.fault(begin, "the game is cut short; it ends with ';)'"),
                false => {
                    self.fault(begin, format!("{} is no property, as PB[name]", shown(&first(rest, 12))))
                }
            };
        }
        let (mut value, mut escaped) = (String::new(), false);
        for (offset, sign) in rest[name + 1..].char_indices() {
            match sign {
                _ if escaped => {
                    value.push(sign);
                    escaped = false;
                }
                '\\' => escaped = true,
                ']' => {
                    self.at = begin + name + 2 + offset;
                    return Ok((rest[..name].to_ascii_uppercase(), value));
                }
                _ => value.push(sign),
            }
        }
        self.fault(begin, format!("{}[ is not closed", &rest[..name]))
    }
}

fn first(text: &str, count: usize) -> String {
    text.chars().take(count).collect()
}

/// As `+2.000`, with what follows a colon (resigned, timed out) left out.
fn result(value: &str) -> Option<f64> {
    value.split(':').next()?.trim().parse().ok().filter(|result: &f64| result.abs() <= 64.0)
}

fn board(value: &str) -> Result<Othello, String> {
    let value = value.trim();
    let Some(("8", squares)) = value.split_once(char::is_whitespace) else {
        return Err(format!("board {}; '8', 64 squares and the colour to move are expected", shown(value)));
    };
    text::from_obf(squares).map_err(|error| error.to_string())
}

/// Plays a move; before it the other side's pass, if it was left out.
fn moves(position: &mut Othello, side: Side, value: &str) -> Result<Vec<Move>, String> {
    let mv =
        text::parse_move(value.split('/').next().unwrap_or_default()).map_err(|error| error.to_string())?;
    let mut played = Vec::new();
    if position.turn() == Turn::Player(side.other()) && position.is_legal(Move::PASS) {
        position.play_unchecked(Move::PASS);
        played.push(Move::PASS);
    }
    if position.turn() != Turn::Player(side) {
        let reason =
            if position.turn() == Turn::Over { "the game is over" } else { "the other side is to move" };
        return Err(format!("move {}: {reason}", position.move_text(mv)));
    }
    position.play(mv).map_err(|error| error.to_string())?;
    played.push(mv);
    Ok(played)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "8 ---------------------------O*------*O--------------------------- *";

    #[test]
    fn games_are_read_and_written() {
        let text = format!(
            "1 (;GM[Othello]PC[GGS]PB[one \\] two]PW[x]RE[+2.000:t]TI[15:00]TY[8]BO[{BOARD}]B[d3/1.0/0.5]\n W[C3]B[c4//2];) (;B[F5];)"
        );
        let games = Ggf::parse_all(&text).unwrap();
        assert_eq!(games.len(), 2);
        let game = &games[0];
        assert_eq!((game.players[0].as_str(), game.result, game.moves.len()), ("one ] two", Some(2.0), 3));
        assert_eq!(game.start, Othello::start(&Fixed));
        assert_eq!((game.end().step(), games[1].players[1].as_str(), games[1].result), (4, "", None));
        for game in games {
            assert_eq!(Ggf::parse(&game.text()).unwrap(), game);
        }
    }

    #[test]
    fn passes_may_be_left_out() {
        let board = format!("OXXXXXX-{} X", "X".repeat(56)).replace('X', "*");
        let read = |moves: &str| Ggf::parse(&format!("(;GM[Othello]BO[8 {board}]{moves};)")).unwrap().moves;
        assert_eq!(read("W[H1]"), [Move::PASS, Move::square(7)]);
        assert_eq!(read("B[PA]W[H1]"), read("W[h1]"));
        assert_eq!(read("B[pass]W[H1]"), read("W[h1]"));
    }

    #[test]
    fn faults_name_their_byte() {
        for (text, at, said) in [
            ("", 0, "there is no game"),
            ("(;GM[Othello]", 13, "cut short"),
            ("(;GM[Othello", 2, "GM[ is not closed"),
            ("(;GM[Othello]??;)", 13, "'??;)' is no property"),
            ("(;GM[Go];)", 2, "a game of 'Go'"),
            ("(;BO[10 --- *];)", 2, "'8', 64 squares"),
            ("(;BO[8 --- *];)", 2, "but OBF has 64 squares"),
            ("(;B[D3]B[C3];)", 7, "move c3: the other side is to move"),
            ("(;B[D4];)", 2, "the square is taken"),
            ("(;B[i9];)", 2, "a square is a1 to h8"),
            ("(;B[PA];)", 2, "may not pass"),
            ("(;B[D3]BO[8 - *];)", 7, "the board comes after a move"),
        ] {
            let error = Ggf::parse(text).unwrap_err();
            assert!(error.at == at && error.reason.contains(said), "{text}: {error}");
        }
    }

    #[test]
    fn any_text_is_taken_without_a_panic() {
        let whole = format!("(;PB[é]BO[{BOARD}]B[d3/1]W[c3]B[c4];)");
        for end in (0..whole.len()).filter(|&end| whole.is_char_boundary(end)) {
            assert!(Ggf::parse(&whole[..end]).is_err());
            let _ = Ggf::parse(&format!("{}\u{1f600}[(;{}", &whole[..end], &whole[end..]));
        }
    }
}
