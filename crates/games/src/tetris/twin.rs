//! A second Tetris, written differently: pictures of the pieces, turned by matrix rotation, fall cell by cell through
//! a grid of signs.

use std::collections::BTreeSet;

use super::{Clearing, GameOver, Losing, Piece, Placement, Tetris, TetrisRules};
use crate::dice::Dice;
use crate::game::{Game, Turn};
use crate::rules::Rules;

/// Rows from the top, as the eye sees them.
const PICTURES: [&[&str]; 7] = [
    &["####"],
    &["##", "##"],
    &[".#.", "###"],
    &[".##", "##."],
    &["##.", ".##"],
    &["#..", "###"],
    &["..#", "###"],
];

type Picture = Vec<Vec<bool>>;

fn turned(picture: &Picture) -> Picture {
    let (rows, columns) = (picture.len(), picture[0].len());
    (0..columns).map(|c| (0..rows).rev().map(|r| picture[r][c]).collect()).collect()
}

/// The distinct orientations, each a quarter turn clockwise from the one before.
fn orientations(piece: Piece) -> Vec<Picture> {
    let mut picture: Picture =
        PICTURES[piece as usize].iter().map(|row| row.chars().map(|c| c == '#').collect()).collect();
    let mut all: Vec<Picture> = Vec::new();
    for _ in 0..4 {
        if !all.contains(&picture) {
            all.push(picture.clone());
        }
        picture = turned(&picture);
    }
    all
}

#[derive(Clone)]
struct Twin {
    /// Row 0 is the floor; four rows more than the board has.
    grid: Vec<Vec<bool>>,
    rules: TetrisRules,
    lines: u64,
    lost: bool,
}

impl Twin {
    fn new(rules: &TetrisRules) -> Self {
        let grid = vec![vec![false; rules.width.into()]; usize::from(rules.height) + 4];
        Self { grid, rules: rules.clone(), lines: 0, lost: false }
    }

    /// Whether the picture, its lowest row in `row`, covers free cells only; above the grid everything is free.
    fn free(&self, picture: &Picture, row: usize, column: usize) -> bool {
        let cells = picture.iter().rev().enumerate();
        cells.into_iter().all(|(dy, line)| {
            let taken = |dx: usize| self.grid.get(row + dy).is_some_and(|cells| cells[column + dx]);
            line.iter().enumerate().all(|(dx, &cell)| !cell || !taken(dx))
        })
    }

    fn after(&self, picture: &Picture, column: usize) -> Twin {
        let mut row = self.grid.len();
        while row > 0 && self.free(picture, row - 1, column) {
            row -= 1;
        }
        let mut twin = self.clone();
        for (dy, line) in picture.iter().rev().enumerate() {
            for (dx, &cell) in line.iter().enumerate() {
                if cell {
                    twin.grid[row + dy][column + dx] = true;
                }
            }
        }
        let allowed = usize::from(self.rules.height) - usize::from(self.rules.over == GameOver::TopRow);
        let sticks_out = |twin: &Twin| twin.grid[allowed..].iter().flatten().any(|&cell| cell);
        if self.rules.clearing == Clearing::After && sticks_out(&twin) {
            twin.lost = true;
            return twin;
        }
        let rows = twin.grid.len();
        twin.grid.retain(|row| !row.iter().all(|&cell| cell));
        twin.lines += (rows - twin.grid.len()) as u64;
        twin.grid.resize(rows, vec![false; self.rules.width.into()]);
        twin.lost = sticks_out(&twin);
        twin
    }

    fn children(&self, piece: Piece) -> Vec<(Placement, Twin)> {
        let mut all = Vec::new();
        for (orientation, picture) in orientations(piece).iter().enumerate() {
            for column in 0..=usize::from(self.rules.width) - picture[0].len() {
                let placement = Placement { piece, orientation: orientation as u8, column: column as u8 };
                all.push((placement, self.after(picture, column)));
            }
        }
        if self.rules.losing == Losing::Avoided && all.iter().any(|(_, twin)| !twin.lost) {
            all.retain(|(_, twin)| !twin.lost);
        }
        all
    }

    fn perft(&self, depth: u32, pieces: &[Piece]) -> u64 {
        if depth == 0 || self.lost {
            return 1;
        }
        let children = pieces.iter().flat_map(|&piece| self.children(piece));
        children.map(|(_, child)| child.perft(depth - 1, pieces)).sum()
    }

    fn rows(&self) -> String {
        let sign = |&cell: &bool| if cell { '#' } else { '.' };
        let rows = self.grid.iter().rev().skip_while(|row| row.iter().all(|&cell| !cell));
        let rows: Vec<String> = rows.map(|row| row.iter().map(sign).collect()).collect();
        if rows.is_empty() { "-".into() } else { rows.join("/") }
    }
}

fn variants() -> Vec<TetrisRules> {
    let mut all = Vec::new();
    for (width, height) in [("4", "4"), ("5", "6"), ("10", "8"), ("16", "5")] {
        for losing in ["avoided", "allowed"] {
            for over in ["overflow", "top-row"] {
                for clearing in ["after", "before"] {
                    let size = [("width", width), ("height", height)];
                    let switches = [("losing", losing), ("over", over), ("clearing", clearing)];
                    all.push(TetrisRules::from_pairs(size.into_iter().chain(switches)).unwrap());
                }
            }
        }
    }
    all
}

#[test]
fn counts_agree_under_every_switch() {
    for rules in variants() {
        let depth = if rules.width <= 5 { 3 } else { 2 };
        let expected = Twin::new(&rules).perft(depth, &Piece::ALL);
        assert_eq!(crate::perft(&Tetris::start(&rules), depth), expected, "{rules:?}");
    }
}

#[test]
fn whole_games_agree_placement_by_placement() {
    let mut seen_lines = 0;
    for (seed, rules) in variants().iter().cycle().take(16 * 20).enumerate() {
        let mut dice = Dice::seeded(&[seed as u64]);
        let (mut twin, mut fast) = (Twin::new(rules), Tetris::start(rules));
        for _ in 0..200 {
            fast.deal(&mut dice);
            let piece = fast.current().unwrap();
            let children = twin.children(piece);
            let mut moves = Vec::new();
            fast.legal_moves(&mut moves);
            assert_eq!(moves, children.iter().map(|(placement, _)| *placement).collect::<Vec<_>>());
            for (placement, child) in &children {
                let mut after = fast.clone();
                after.play(*placement).unwrap();
                let (rows, lines) = (child.rows(), child.lines);
                assert_eq!(after.text(), format!("{rows} - {lines}"));
                assert_eq!(after.turn() == Turn::Over, child.lost);
            }
            // Prefer low placements, so that games last and rows are completed.
            let lowest = children.iter().map(|(_, child)| child.rows().len()).min().unwrap();
            let low: Vec<usize> =
                (0..children.len()).filter(|&i| children[i].1.rows().len() == lowest).collect();
            let chosen = if dice.below(4) == 0 { dice.below(children.len()) } else { dice.pick(&low) };
            fast.play(moves[chosen]).unwrap();
            twin = children[chosen].1.clone();
            if twin.lost {
                break;
            }
        }
        seen_lines += twin.lines;
    }
    assert!(seen_lines > 300, "the games must complete rows to prove anything: {seen_lines}");
}

#[test]
fn pieces_come_as_the_rules_say() {
    let stream = |pieces: &str, seed: u64, count: usize| {
        let rules = TetrisRules::from_pairs([("pieces", pieces)]).unwrap();
        let (mut deck, mut dice) = (rules.pieces.fresh_deck(), Dice::seeded(&[seed]));
        let deal = |_| {
            let piece = rules.pieces.draw(deck, &mut dice);
            deck = rules.pieces.after(deck, piece);
            piece
        };
        (0..count).map(deal).collect::<Vec<Piece>>()
    };
    for bag in stream("bag", 3, 700).chunks(7) {
        assert_eq!(bag.iter().collect::<BTreeSet<_>>().len(), 7);
    }
    let letters: String = stream("sequence:SZI", 9, 7).into_iter().map(Piece::letter).collect();
    assert_eq!(letters, "SZISZIS");
    assert!(stream("sz", 1, 100).iter().all(|piece| matches!(piece, Piece::S | Piece::Z)));
    for (pieces, weights) in [("uniform", [1.0; 7]), ("harder", [1.0, 1.0, 1.0, 3.0, 3.0, 1.0, 1.0])] {
        let (n, total): (f64, f64) = (110_000.0, weights.iter().sum());
        let dealt = stream(pieces, 5, n as usize);
        for (piece, weight) in Piece::ALL.into_iter().zip(weights) {
            let (count, p) = (dealt.iter().filter(|&&other| other == piece).count() as f64, weight / total);
            // Four standard deviations: passed by chance once in 16,000.
            assert!((count - n * p).abs() < 4.0 * (n * p * (1.0 - p)).sqrt(), "{pieces}: {count} {piece:?}");
        }
    }
    assert_ne!(stream("uniform", 1, 50), stream("uniform", 2, 50));
}
