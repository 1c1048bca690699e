//! A second Tetris, written differently: pictures of the pieces, turned by matrix rotation, fall cell by cell through
//! a grid of signs.

use std::collections::BTreeSet;

use math::Dice;

use super::{Clearing, GameOver, Kind, Losing, Piece, Placement, Tetris, TetrisRules};
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

    /// The places of an original game's piece, found by going one step after the other from where it appears.
    fn reached(&self, pictures: &[Picture]) -> BTreeSet<(usize, usize)> {
        let (width, height) = (usize::from(self.rules.width), usize::from(self.rules.height));
        let mut found = BTreeSet::new();
        let mut open = vec![(0, ((width - pictures[0][0].len()) / 2) as isize)];
        while let Some((orientation, left)) = open.pop() {
            let picture = &pictures[orientation];
            let (rows, columns) = (picture.len(), picture[0].len());
            let between_walls = left >= 0 && left as usize + columns <= width;
            if !between_walls || !self.free(picture, height - rows, left as usize) {
                continue;
            }
            if !found.insert((orientation, left as usize)) {
                continue;
            }
            open.extend([(orientation, left - 1), (orientation, left + 1)]);
            for quarters in [1, 3] {
                let turned = (orientation + quarters) % pictures.len();
                // Half the difference, towards zero whether the picture becomes narrower or wider.
                let shift = (columns as isize - pictures[turned][0].len() as isize) / 2;
                open.push((turned, left + shift));
            }
        }
        found
    }

    fn after(&self, picture: &Picture, column: usize) -> Twin {
        let inside = self.rules.game == Kind::Original;
        let mut row = if inside { usize::from(self.rules.height) - picture.len() } else { self.grid.len() };
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

    /// None if the piece cannot appear, which ends the original game.
    fn children(&self, piece: Piece) -> Vec<(Placement, Twin)> {
        let mut all = Vec::new();
        let pictures = orientations(piece);
        let reached = self.reached(&pictures);
        for (orientation, picture) in pictures.iter().enumerate() {
            for column in 0..=usize::from(self.rules.width) - picture[0].len() {
                if self.rules.game == Kind::Original && !reached.contains(&(orientation, column)) {
                    continue;
                }
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
        let below = |piece: &Piece| {
            let children = self.children(*piece);
            let leaves = |(_, child): &(Placement, Twin)| child.perft(depth - 1, pieces);
            if children.is_empty() { 1 } else { children.iter().map(leaves).sum() }
        };
        pieces.iter().map(below).sum()
    }

    /// The same with one more piece known than the one to place, each dealt as soon as there is room for it.
    fn perft_ahead(&self, depth: u32, known: &[Piece]) -> u64 {
        let stuck = known.first().is_some_and(|&piece| self.children(piece).is_empty());
        if depth == 0 || self.lost || stuck {
            return 1;
        }
        if known.len() < 2 {
            return Piece::ALL.iter().map(|&next| self.perft_ahead(depth, &[known, &[next]].concat())).sum();
        }
        let children = self.children(known[0]);
        children.iter().map(|(_, child)| child.perft_ahead(depth - 1, &known[1..])).sum()
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
                    for game in ["simplified", "original"] {
                        let size = [("game", game), ("width", width), ("height", height)];
                        let switches = [("losing", losing), ("over", over), ("clearing", clearing)];
                        // Switches that would do nothing are refused.
                        all.extend(TetrisRules::from_pairs(size.into_iter().chain(switches)));
                    }
                }
            }
        }
    }
    assert_eq!(all.len(), 4 * (8 + 5));
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
fn counts_with_two_known_pieces_agree_in_the_original_game() {
    for (width, height, over, depth) in
        [("4", "4", "overflow", 3), ("4", "4", "top-row", 3), ("6", "4", "overflow", 2)]
    {
        let pairs = [("game", "original"), ("width", width), ("height", height), ("over", over)];
        let rules = TetrisRules::from_pairs(pairs.into_iter().chain([("preview", "on")])).unwrap();
        let expected = Twin::new(&rules).perft_ahead(depth, &[]);
        assert_eq!(crate::perft(&Tetris::start(&rules), depth), expected, "{rules:?}");
    }
}

#[test]
fn whole_games_agree_placement_by_placement() {
    let (mut seen_lines, mut stuck, mut hindered) = (0, 0, 0);
    let variants = variants();
    for (seed, rules) in variants.iter().cycle().take(variants.len() * 20).enumerate() {
        let mut dice = Dice::seeded(&[seed as u64]);
        let (mut twin, mut fast) = (Twin::new(rules), Tetris::start(rules));
        for _ in 0..200 {
            fast.deal(&mut dice);
            let piece = fast.current().unwrap();
            let children = twin.children(piece);
            let mut moves = Vec::new();
            fast.legal_moves(&mut moves);
            assert_eq!(fast.turn() == Turn::Over, children.is_empty(), "{}", fast.text());
            if children.is_empty() {
                stuck += 1;
                break;
            }
            let everywhere =
                piece.shapes().iter().map(|shape| fast.columns().len() + 1 - shape.columns().len());
            let original = rules.game == Kind::Original && rules.over == GameOver::Overflow;
            hindered += usize::from(original && children.len() < everywhere.sum());
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
    assert!(stuck > 100 && hindered > 100, "pieces must find no room and no way: {stuck}, {hindered}");
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
