//! The features of Push-over by name: the board itself, the 44 numbers of section 5 of Müller 1992, and the lines of his
//! classical program, and how many pushes would win at once. All are those of the position after the move, for the side that moved.

use super::expert;
use super::{Entry, Pushover, PushoverRules, entries};
use crate::error::InputError;
use crate::features::{Behaviour, FeatureInfo, FeatureNames, FeatureSet, NamedFeature, split};
use crate::game::Side;

/// One number read off a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Feature {
    /// 1 an own piece, 0 one of the enemy, 0.5 none.
    Cell(u8),
    /// Pieces of one side in some cells; `true`: own ones.
    Count(bool, Cells),
    /// The largest group of pieces of one side that are neighbours on a line.
    Group(bool, Line),
    /// One of the features of `expert.rs`.
    Expert(u8),
    /// Entries by which one side would win if it were its turn.
    Threats(bool),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cells {
    Line(Line),
    /// Those that are not at the edge.
    Centre,
    Corners,
}

/// A line by its number from 0; the second diagonal runs from the upper right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Row(u8),
    Column(u8),
    Diagonal(u8),
}

use Feature::{Cell, Count, Expert, Group, Threats};
use Line::{Column, Diagonal, Row};

impl Line {
    fn all(size: u8) -> impl Iterator<Item = Line> {
        (0..size).map(Row).chain((0..size).map(Column)).chain((0..2).map(Diagonal))
    }

    /// The cells in order.
    fn cells(self, size: u8) -> impl Iterator<Item = u8> {
        (0..size).map(move |k| match self {
            Row(row) => row * size + k,
            Column(column) => k * size + column,
            Diagonal(0) => k * size + k,
            Diagonal(_) => k * size + size - 1 - k,
        })
    }

    fn name(self) -> String {
        match self {
            Row(number) => format!("row-{}", number + 1),
            Column(number) => format!("column-{}", number + 1),
            Diagonal(number) => format!("diagonal-{}", number + 1),
        }
    }
}

fn is_edge(size: u8, cell: u8) -> [bool; 2] {
    [cell / size, cell % size].map(|place| place == 0 || place == size - 1)
}

fn owner(own: bool) -> &'static str {
    if own { "own" } else { "enemy" }
}

impl NamedFeature for Feature {
    fn name(&self) -> String {
        match *self {
            Cell(cell) => format!("cell-{}", cell + 1),
            Count(own, Cells::Line(line)) => format!("{}-{}", owner(own), line.name()),
            Count(own, Cells::Centre) => format!("{}-centre", owner(own)),
            Count(own, Cells::Corners) => format!("{}-corners", owner(own)),
            Group(own, line) => format!("{}-group-{}", owner(own), line.name()),
            Expert(number) => expert::FEATURES[usize::from(number)].0.into(),
            Threats(own) => format!("{}-threats", owner(own)),
        }
    }

    /// Cells and lines change places when the board is turned; centre, corners and what all lines are worth do not.
    fn behaviour(&self) -> Behaviour {
        match self {
            Cell(_) | Count(_, Cells::Line(_)) | Group(..) => Behaviour::NEITHER.oriented(),
            Count(..) | Expert(_) | Threats(_) => Behaviour::NEITHER,
        }
    }
}

/// What is listed for boards of this size: the sets and the expert's features. Each number of the other sets has a name of its own too.
fn listed(size: u8) -> FeatureNames<Feature> {
    let mut names = FeatureNames::default();
    let counts = |own| Line::all(size).map(move |line| Count(own, Cells::Line(line)));
    let groups = |own| Line::all(size).map(move |line| Group(own, line));
    let rest = [Cells::Centre, Cells::Corners].into_iter();
    let rest = rest.flat_map(|cells| [true, false].map(|own| Count(own, cells)));
    names.set(
        "board",
        "every cell, cell-1 on: 1 a piece of the side that moved, 0 one of the other, 0.5 empty",
        (0..size * size).map(Cell),
    );
    names.set(
        "muller",
        "Müller 1992, section 5: pieces and largest groups of both sides on every line (own-row-1, \
         enemy-group-diagonal-2), in the centre and in the corners, over the size of the board: 44 numbers on 4x4",
        counts(true).chain(counts(false)).chain(groups(true)).chain(groups(false)).chain(rest),
    );
    names.set(
        "expert",
        "Müller 1992, the classical program: lines and blocked lines of both sides",
        (0..expert::FEATURES.len() as u8).map(Expert),
    );
    for (number, (name, meaning)) in (0..).zip(expert::FEATURES) {
        names.single(name, meaning, [Expert(number)]);
    }
    names.set(
        "threats",
        "own-threats and enemy-threats: entries by which the side that moved, and the other, would make a line if it were its \
         turn, over the size of the board",
        [Threats(true), Threats(false)],
    );
    names
}

/// The names of the sets and of the expert's features.
pub fn feature_list() -> Vec<FeatureInfo> {
    listed(PushoverRules::default().size).list()
}

/// A list of features.
#[derive(Debug, Clone)]
pub struct PushoverFeatures {
    size: u8,
    features: Vec<Feature>,
    expert: bool,
}

impl PushoverFeatures {
    /// The features that a list of names stands for, each at most once.
    ///
    /// # Errors
    /// A name is unknown on a board of this size.
    pub fn new(rules: &PushoverRules, names: &str) -> Result<Self, InputError> {
        let size = rules.size;
        let features = listed(size).choose(split(names))?;
        let expert = features.iter().any(|feature| matches!(feature, Expert(_)));
        Ok(Self { size, features, expert })
    }

    fn fill(&self, position: &Pushover, mover: Side, row: &mut [f64]) {
        let (size, table) = (self.size, entries::table(self.size));
        let pieces = [mover, mover.other()].map(|side| position.board()[side.index()]);
        let of = |own: bool| pieces[usize::from(!own)];
        let holds = |own: bool, cell: u8| of(own) >> cell & 1 != 0;
        let expert = if self.expert { expert::values(size, position.board(), mover) } else { [0; 4] };
        // A share of the cells of a line, as the paper divides everything by 4.
        let share = |count: usize| count as f64 / f64::from(size);
        for (&feature, value) in self.features.iter().zip(row) {
            *value = match feature {
                Cell(cell) if holds(true, cell) => 1.0,
                Cell(cell) if holds(false, cell) => 0.0,
                Cell(_) => 0.5,
                Count(own, Cells::Line(line)) => {
                    share(line.cells(size).filter(|&cell| holds(own, cell)).count())
                }
                Count(own, cells) => {
                    let within = |&cell: &u8| match (cells, is_edge(size, cell)) {
                        (Cells::Corners, edges) => edges == [true; 2],
                        (_, edges) => edges == [false; 2],
                    };
                    share((0..size * size).filter(within).filter(|&cell| holds(own, cell)).count())
                }
                Group(own, line) => {
                    let longest = |(most, run): (usize, usize), cell: u8| {
                        let run = if holds(own, cell) { run + 1 } else { 0 };
                        (most.max(run), run)
                    };
                    share(line.cells(size).fold((0, 0), longest).0)
                }
                Expert(number) => expert[usize::from(number)].into(),
                Threats(own) => {
                    let side = if own { mover } else { mover.other() };
                    let pushed = |entry: &Entry| table.push(position.board(), *entry, side)[side.index()];
                    share(table.entries().filter(|entry| table.has_line(pushed(entry))).count())
                }
            };
        }
    }
}

impl FeatureSet<Pushover> for PushoverFeatures {
    fn names(&self) -> Vec<String> {
        self.features.iter().map(NamedFeature::name).collect()
    }

    fn extract(&self, before: &Pushover, _entry: Entry, after: &Pushover, features: &mut [f64]) {
        self.fill(after, before.side(), features);
    }

    fn extract_position(&self, after: &Pushover, mover: Side, features: &mut [f64]) -> bool {
        self.fill(after, mover, features);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Turn};
    use crate::rules::Rules;

    fn row(size: &str, names: &str, text: &str, mover: Side) -> Vec<(String, f64)> {
        let rules = PushoverRules::from_pairs([("size", size)]).unwrap();
        let features = PushoverFeatures::new(&rules, names).unwrap();
        let mut row = vec![f64::NAN; features.names().len()];
        assert!(features.extract_position(&Pushover::parse(&rules, text).unwrap(), mover, &mut row));
        features.names().into_iter().zip(row).collect()
    }

    #[test]
    fn the_board_as_the_paper_codes_it() {
        let values = |mover| -> Vec<f64> {
            let row = row("4", "board", "+ooo...+....o...Eo", mover);
            assert_eq!((row.len(), row[15].0.as_str()), (16, "cell-16"));
            row.into_iter().map(|(_, value)| value).collect()
        };
        let first = values(Side::First);
        assert_eq!(first[..8], [0.0, 1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.0]);
        assert_eq!(first[8..], [0.5, 0.5, 0.5, 0.5, 1.0, 0.5, 0.5, 0.5]);
        assert!(values(Side::Second).iter().zip(&first).all(|(a, b)| a + b == 1.0));
        assert_eq!(row("5", "board", &format!("{}-+", ".".repeat(25)), Side::First).len(), 25);
    }

    #[test]
    fn the_44_features_counted_by_hand() {
        // + o o o
        // . o . +
        // . . o .
        // o + . .
        let text = "+ooo.o.+..o.o+..Eo";
        let all = row("4", "muller", text, Side::First);
        assert_eq!(all.len(), 44);
        assert_eq!(row("5", "muller", &format!("{}-+", ".".repeat(25)), Side::First).len(), 52);
        let value = |name: &str| 4.0 * all.iter().find(|(one, _)| one == name).expect(name).1;
        for (name, expected) in [
            ("own-row-1", 3.0),
            ("own-row-2", 1.0),
            ("own-row-4", 1.0),
            ("own-column-1", 1.0),
            ("own-column-2", 2.0),
            ("own-column-3", 2.0),
            ("own-column-4", 1.0),
            ("own-diagonal-1", 2.0),
            ("own-diagonal-2", 2.0),
            ("enemy-row-1", 1.0),
            ("enemy-row-3", 0.0),
            ("enemy-column-1", 1.0),
            ("enemy-column-2", 1.0),
            ("enemy-column-4", 1.0),
            ("enemy-diagonal-1", 1.0),
            ("enemy-diagonal-2", 0.0),
            ("own-group-row-1", 3.0),
            ("own-group-column-2", 2.0),
            ("own-group-column-3", 1.0),
            ("own-group-diagonal-1", 2.0),
            ("own-group-diagonal-2", 1.0),
            ("own-group-row-3", 1.0),
            ("enemy-group-column-4", 1.0),
            ("enemy-group-row-3", 0.0),
            ("own-centre", 2.0),
            ("enemy-centre", 0.0),
            ("own-corners", 2.0),
            ("enemy-corners", 1.0),
        ] {
            assert_eq!(value(name), expected, "{name}");
        }
        // The same position for the other side: own and enemy change places.
        for (name, value) in row("4", "muller", text, Side::Second) {
            let other = name.strip_prefix("own").map(|rest| format!("enemy{rest}"));
            let other = other.unwrap_or_else(|| name.replacen("enemy", "own", 1));
            assert_eq!(Some(value), all.iter().find(|(one, _)| *one == other).map(|(_, value)| *value));
        }
    }

    /// Every push is tried by the rules themselves.
    #[test]
    fn threats_are_the_pushes_that_win() {
        // Row 1 wants a piece at its left end: A and I put one there, and E pushes the row on.
        let of = |mover| row("4", "threats", ".ooo+.....+.+...A+ 8", mover).into_iter().map(|it| 4.0 * it.1);
        assert_eq!(of(Side::First).collect::<Vec<_>>(), [3.0, 0.0], "A, E and I");
        assert_eq!(of(Side::Second).collect::<Vec<_>>(), [0.0, 3.0]);
        let rules = PushoverRules::from_pairs([("repetition", "off")]).unwrap();
        let features = PushoverFeatures::new(&rules, "threats").unwrap();
        let (mut dice, mut moves) = (math::Dice::seeded(&[3]), Vec::new());
        let mut seen = 0;
        for _ in 0..40 {
            let mut position = Pushover::start(&rules);
            while let Turn::Player(side) = position.turn() {
                position.legal_moves(&mut moves);
                let wins = |mv: &&Entry| {
                    let mut after = position.clone();
                    after.play_unchecked(**mv);
                    after.winner() == Some(side)
                };
                let count = moves.iter().filter(wins).count();
                let mut found = [0.0; 2];
                features.extract_position(&position, side.other(), &mut found);
                assert_eq!(4.0 * found[1], count as f64, "{}", position.text());
                seen += count;
                position.play_unchecked(dice.pick(&moves));
            }
        }
        assert!(seen > 50);
    }

    #[test]
    fn the_experts_features_are_the_movers() {
        let mut position = Pushover::start(&PushoverRules::default());
        let features = PushoverFeatures::new(&PushoverRules::default(), "expert").unwrap();
        for letter in ["A", "E"] {
            let (before, entry) = (position.clone(), position.parse_move(letter).unwrap());
            position.play(entry).unwrap();
            let mut row = [0.0; 4];
            features.extract(&before, entry, &position, &mut row);
            let [own, enemy] =
                [before.side(), before.side().other()].map(|side| expert::worth(4, position.board(), side).0);
            assert_eq!(row, [own.into(), enemy.into(), 0.0, 0.0]);
        }
    }

    #[test]
    fn lists_of_names_are_read_and_refused() {
        let rules = PushoverRules::default();
        let names = |text: &str| PushoverFeatures::new(&rules, text).map(|set| set.names());
        assert_eq!(names("cell-3, own-lines, cell-3").unwrap(), ["cell-3", "own-lines"]);
        assert_eq!(names("board, expert").unwrap().len(), 20);
        assert_eq!(names("enemy-lines, expert").unwrap()[..2], ["enemy-lines", "own-lines"]);
        for wrong in ["", "cell-17", "cell-0", "own-row-5", "boards"] {
            let error = names(wrong).unwrap_err().to_string();
            assert!(error.contains("known: board, muller, expert, own-lines"), "{error}");
        }
    }
}
