//! The "classical program" of the paper (section 2.2): what lines are worth to a side, as features of the side that has
//! just moved.
//!
//! Along each of the rows, columns and diagonals a run of k own pieces adds 5 + 25 + ... + 5^k, an empty cell adds 1, and
//! a piece of the other side adds nothing and breaks the run. The paper does not say how the two sides are weighed
//! against each other, nor how much a run of own pieces that fills a row or column but for an enemy at its end is
//! docked: both are weights of a linear function of these features.

use super::{Board, Entry, Pushover};
use crate::error::InputError;
use crate::features::{FeatureInfo, FeatureSet, unknown_feature};
use crate::game::Side;

const MOST_CELLS: usize = 5;
const SET: &str = "expert";

/// Name and definition of each feature.
const FEATURES: [(&str, &str); 4] = [
    ("own-lines", "worth of all lines to the side that moved: runs of own pieces and empty cells"),
    ("enemy-lines", "worth of all lines to the other side"),
    ("own-blocked", "rows and columns of own pieces but for an enemy at one end"),
    ("enemy-blocked", "rows and columns of the other side's pieces but for one of the mover's at one end"),
];

/// The lines of a board of one size, rows and columns first.
struct Lines {
    size: usize,
    cells: [[u8; MOST_CELLS]; 2 * MOST_CELLS + 2],
}

static LINES: [Lines; 3] = [Lines::new(3), Lines::new(4), Lines::new(5)];

impl Lines {
    const fn new(size: usize) -> Self {
        let mut cells = [[0; MOST_CELLS]; 2 * MOST_CELLS + 2];
        let mut i = 0;
        while i < size {
            let mut k = 0;
            while k < size {
                cells[i][k] = (i * size + k) as u8;
                cells[size + i][k] = (k * size + i) as u8;
                k += 1;
            }
            cells[2 * size][i] = (i * size + i) as u8;
            cells[2 * size + 1][i] = (i * size + size - 1 - i) as u8;
            i += 1;
        }
        Self { size, cells }
    }

    fn of(size: u8) -> &'static Self {
        &LINES[usize::from(size - 3)]
    }

    /// What all lines are worth to a side with these pieces, and how many rows and columns of it are blocked.
    fn worth(&self, own: u32, enemy: u32) -> (u32, u32) {
        let (mut worth, mut blocked) = (0, 0);
        for (number, line) in self.cells[..2 * self.size + 2].iter().enumerate() {
            // The paper's procedure `setval`.
            let (mut weight, mut pieces) = (1, 0);
            for cell in &line[..self.size] {
                if own >> cell & 1 != 0 {
                    weight = 5 * weight.max(1);
                    pieces += 1;
                } else {
                    weight = u32::from(enemy >> cell & 1 == 0);
                }
                worth += weight;
            }
            if pieces + 1 == self.size && number < 2 * self.size {
                let ends = [line[0], line[self.size - 1]];
                blocked += u32::from(ends.iter().any(|end| enemy >> end & 1 != 0));
            }
        }
        (worth, blocked)
    }
}

/// What the lines of a board are worth to a side, and how many rows and columns it has filled but for an enemy at one
/// end. `size`: cells along an edge.
pub fn worth(size: u8, board: Board, side: Side) -> (u32, u32) {
    Lines::of(size).worth(board[side.index()], board[side.other().index()])
}

/// The names of the set and of its features.
pub fn feature_list() -> Vec<FeatureInfo> {
    let set = FeatureInfo {
        name: SET,
        summary: "Müller 1992, the classical program: lines and blocked lines of both sides".into(),
        is_set: true,
    };
    let single =
        |(name, summary): (&'static str, &str)| FeatureInfo { name, summary: summary.into(), is_set: false };
    [set].into_iter().chain(FEATURES.into_iter().map(single)).collect()
}

/// Some of the expert's features, by their numbers.
pub struct ExpertFeatures(Vec<usize>);

impl ExpertFeatures {
    /// The features that a list of names stands for, each at most once.
    ///
    /// # Errors
    /// A name is unknown.
    pub fn new(names: &str) -> Result<Self, InputError> {
        let mut found = Vec::new();
        for name in names.split([',', '+']).map(str::trim) {
            let is_named = |&number: &usize| name == SET || FEATURES[number].0 == name;
            let numbers: Vec<usize> = (0..FEATURES.len()).filter(is_named).collect();
            if numbers.is_empty() {
                return Err(unknown_feature(name, &feature_list()));
            }
            found.extend(numbers);
        }
        let mut seen = [false; FEATURES.len()];
        found.retain(|&number| !std::mem::replace(&mut seen[number], true));
        Ok(Self(found))
    }
}

impl FeatureSet<Pushover> for ExpertFeatures {
    fn names(&self) -> Vec<String> {
        self.0.iter().map(|&number| FEATURES[number].0.to_string()).collect()
    }

    fn extract(&self, before: &Pushover, _entry: Entry, after: &Pushover, features: &mut [f64]) {
        let mover = before.side();
        let [own, enemy] = [mover, mover.other()].map(|side| worth(after.size(), after.board(), side));
        let all = [own.0, enemy.0, own.1, enemy.1];
        for (feature, &number) in features.iter_mut().zip(&self.0) {
            *feature = all[number].into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use crate::game::{Game, Turn};
    use crate::pushover::PushoverRules;
    use crate::rules::Rules;

    fn worths(size: u8, text: &str) -> [(u32, u32); 2] {
        let rules = PushoverRules::from_pairs([("size", size.to_string().as_str())]).unwrap();
        let board = Pushover::parse(&rules, text).unwrap().board();
        Side::BOTH.map(|side| worth(size, board, side))
    }

    #[test]
    fn lines_counted_by_hand() {
        // Ten lines of four empty cells; twelve of five, eight of three.
        assert_eq!(worths(4, "................-+"), [(40, 0); 2]);
        assert_eq!(worths(5, ".........................-+"), [(60, 0); 2]);
        assert_eq!(worths(3, ".........-+"), [(24, 0); 2]);
        // Row 1: 5 + 25 + 125 and nothing for the enemy. Columns 1 to 3: 5 + 1 + 1 + 1 each; column 4: 0 + 3. The diagonal
        // from the left: 5 + 3, the other: 0 + 3. Three empty rows: 4 each.
        // For the enemy: row 1: 5; columns 1 to 3: 3 each; column 4: 8; diagonals 3 and 8; rows 12.
        assert_eq!(
            worths(4, "ooo+............Eo"),
            [(155 + 3 * 8 + 3 + 8 + 3 + 12, 1), (5 + 9 + 8 + 3 + 8 + 12, 0)]
        );
        // An enemy inside the line is no block at its end, nor is an empty cell.
        assert_eq!(worths(4, "o+oo............Eo").map(|(_, blocked)| blocked), [0, 0]);
        assert_eq!(worths(4, "ooo.............Eo").map(|(_, blocked)| blocked), [0, 0]);
        // Nor does a diagonal count.
        assert_eq!(worths(4, "o....o....o....+Eo").map(|(_, blocked)| blocked), [0, 0]);
        assert_eq!(worths(4, "o...+...+...+...Eo").map(|(_, blocked)| blocked), [0, 1]);
    }

    /// The paper rewrote the function because it changed when the board was turned.
    #[test]
    fn a_turned_board_is_worth_the_same() {
        for size in ["4", "5"] {
            let rules = PushoverRules::from_pairs([("size", size)]).unwrap();
            let (mut dice, mut moves) = (Dice::seeded(&[1]), Vec::new());
            let mut position = Pushover::start(&rules);
            while position.turn() != Turn::Over {
                for symmetry in 0..Pushover::SYMMETRIES {
                    let image = position.mirrored(symmetry);
                    for side in Side::BOTH {
                        let values = [&position, &image].map(|one| worth(one.size(), one.board(), side));
                        assert_eq!(values[0], values[1], "{}", position.text());
                    }
                }
                let entry = position.random_move(&mut dice, &mut moves).unwrap();
                position.play_unchecked(entry);
            }
        }
    }

    #[test]
    fn features_are_the_movers_and_unknown_names_are_refused() {
        let mut position = Pushover::start(&PushoverRules::default());
        let names = |text: &str| ExpertFeatures::new(text).map(|set| set.names());
        assert_eq!(names("expert").unwrap().len(), 4);
        assert_eq!(names("enemy-lines, expert").unwrap()[..2], ["enemy-lines", "own-lines"]);
        assert!(names("expert, lines").unwrap_err().to_string().contains("own-lines"));
        for letter in ["A", "E"] {
            let (before, entry) = (position.clone(), position.parse_move(letter).unwrap());
            position.play(entry).unwrap();
            let mut row = [0.0; 4];
            ExpertFeatures::new("expert").unwrap().extract(&before, entry, &position, &mut row);
            let [own, enemy] =
                [before.side(), before.side().other()].map(|side| worth(4, position.board(), side).0);
            assert_eq!(row, [own.into(), enemy.into(), 0.0, 0.0]);
        }
    }
}
