//! The original game: the piece appears inside the board, is moved and turned at the top, then drops straight.
//!
//! - It appears in orientation 0, the top of its box in the top row, its left column floor((width - its width) / 2).
//!   If a cell of that place is full, the game is lost.
//! - A step moves it by one column, or turns it by a quarter in either direction. Its box stays at the top. A turn keeps
//!   the middle: an orientation of width v has its left column floor((w - v) / 2) to the right of where orientation 0,
//!   of width w, has it. So only an I shifts, by one column, and turning back undoes a turn.
//! - A step is made only if the piece is then between the walls and on free cells. Nothing pushes it aside.
//!
//! Rounding down leans to the left, on every width for some pieces: this game has no mirror image.
//! Whether a piece has room follows from board and piece, and is judged when it is its turn: the text form needs no word for it.
//!
//! What the simplified game passes by is marked cold, which keeps it out of its loops.

use super::{Kind, Losing, Piece, Placement, Shape, Tetris};

/// Places of one piece at the top: in each orientation its left columns, one bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places([u16; 4]);

impl Places {
    /// How many there are.
    #[cold]
    pub fn count(self) -> usize {
        self.0.iter().map(|columns| columns.count_ones() as usize).sum()
    }

    /// All of them, one bit each, 16 to an orientation.
    pub fn bits(self) -> u64 {
        self.0.iter().rev().fold(0, |bits, &columns| bits << 16 | u64::from(columns))
    }

    /// Whether this one is among them.
    pub fn holds(self, placement: Placement) -> bool {
        self.0[usize::from(placement.orientation)] >> placement.column & 1 != 0
    }

    /// All of them as placements of the piece, by orientation and then from left to right.
    pub fn placements(self, piece: Piece) -> impl Iterator<Item = Placement> {
        (0..4).flat_map(move |orientation| {
            let all = (0..16).map(move |column| Placement { piece, orientation, column });
            all.filter(move |&placement| self.holds(placement))
        })
    }
}

/// A board as pieces find it that appear in it.
#[derive(Debug, Clone, Copy)]
pub struct Top<'a> {
    /// The columns from left to right.
    pub columns: &'a [u32],
    /// Rows of the board.
    pub rows: u32,
}

/// Bit n of a number at bit 16 n.
const SPREAD: [u64; 16] = {
    let mut spread = [0; 16];
    let mut i = 0;
    while i < 64 {
        spread[i / 4] |= ((i as u64 / 4) >> (i % 4) & 1) << (16 * (i % 4));
        i += 1;
    }
    spread
};

impl Top<'_> {
    /// The four rows at the top, the highest one last: 16 bits each, the first column's first.
    fn cells(self) -> u64 {
        let column = |&column: &u32| SPREAD[(column >> (self.rows - 4)) as usize % 16];
        self.columns.iter().zip(0..).fold(0, |rows, (cells, i)| rows | column(cells) << i)
    }

    /// The left columns in which the shape covers free cells only, given the rows at the top.
    fn free(self, shape: &Shape, cells: u64) -> u16 {
        let mut blocked = 0;
        for (k, &column) in shape.columns().iter().enumerate() {
            for row in (0..shape.height()).filter(|row| column >> row & 1 != 0) {
                blocked |= (cells >> (16 * (row + 4 - shape.height()))) as u16 >> k;
            }
        }
        let places = self.columns.len() + 1 - shape.columns().len();
        ((1u32 << places) - 1) as u16 & !blocked
    }

    fn first_column(self, piece: Piece) -> usize {
        (self.columns.len() - piece.shapes()[0].columns().len()) / 2
    }

    /// Whether the piece can appear.
    pub fn appears(self, piece: Piece) -> bool {
        self.free(&piece.shapes()[0], self.cells()) >> self.first_column(piece) & 1 != 0
    }

    /// The places that the piece can be moved and turned to. All steps are taken at once, until none finds a new place.
    pub fn reached(self, piece: Piece) -> Places {
        let (shapes, cells) = (piece.shapes(), self.cells());
        let mut free = [0u16; 4];
        for (shape, free) in shapes.iter().zip(&mut free) {
            *free = self.free(shape, cells);
        }
        if cells == 0 {
            return Places(free);
        }
        let mut reached = [1 << self.first_column(piece) & free[0], 0, 0, 0];
        loop {
            let before = reached;
            for to in 0..shapes.len() {
                let mut columns = before[to] | before[to] << 1 | before[to] >> 1;
                for from in [to + 1, to + shapes.len() - 1].map(|from| from % shapes.len()) {
                    // A shift beyond the left wall drops the bit.
                    columns |= before[from] << to_middle(piece, to) >> to_middle(piece, from);
                }
                reached[to] = columns & free[to];
            }
            if reached == before {
                return Places(reached);
            }
        }
    }

    /// Where the lowest cell of the shape's box comes to lie, dropped from the top: what hangs beside or above the piece
    /// there does not stop it.
    pub fn landing_row(self, shape: &Shape, column: usize) -> u32 {
        let top = self.rows - shape.height();
        let mut row = 0;
        for (i, &bottom) in shape.bottoms().iter().enumerate() {
            let below = self.columns[column + i] & ((1 << (top + bottom)) - 1);
            row = row.max(super::height(below).saturating_sub(bottom));
        }
        row
    }
}

impl Tetris {
    fn top(&self) -> Top<'_> {
        Top { columns: self.columns(), rows: self.rules.height.into() }
    }

    /// Whether the piece can appear.
    #[cold]
    pub(super) fn appears(&self, piece: Piece) -> bool {
        self.top().appears(piece)
    }

    /// The places that the piece can be moved and turned to.
    pub(super) fn reached(&self, piece: Piece) -> Places {
        self.top().reached(piece)
    }

    /// The places that may be chosen: those reached, less the losing ones where the rules say so.
    #[cold]
    pub(super) fn legal_places(&self, piece: Piece) -> Places {
        let reached = self.reached(piece);
        if self.rules.losing == Losing::Allowed || !self.near_the_top() {
            return reached;
        }
        let mut safe = Places([0; 4]);
        for placement in reached.placements(piece).filter(|&placement| !self.loses(placement)) {
            safe.0[usize::from(placement.orientation)] |= 1 << placement.column;
        }
        if safe.count() > 0 { safe } else { reached }
    }

    /// Those places as placements.
    #[cold]
    pub(super) fn extend_with_legal_places(&self, piece: Piece, moves: &mut Vec<Placement>) {
        moves.extend(self.legal_places(piece).placements(piece));
    }

    /// Where the lowest cell of the shape's box comes to lie.
    #[cold]
    pub(super) fn landing_row_from_top(&self, shape: &Shape, column: usize) -> u32 {
        self.top().landing_row(shape, column)
    }

    /// Loses the game if it is the original one and the piece to place cannot appear.
    #[inline]
    pub(super) fn judge_appearance(&mut self) {
        if self.rules.game == Kind::Original {
            self.lost |= self.current.is_some_and(|piece| !self.appears(piece));
        }
    }
}

/// How far the left column of an orientation lies to the right of that of orientation 0, which is the widest.
fn to_middle(piece: Piece, orientation: usize) -> usize {
    let width = |orientation: usize| piece.shapes()[orientation].columns().len();
    (width(0) - width(orientation)) / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Side, Turn};
    use crate::rules::Rules;
    use crate::tetris::TetrisRules;

    fn original(width: &str, height: &str, more: &[(&str, &str)]) -> TetrisRules {
        let pairs = [("game", "original"), ("width", width), ("height", height)];
        TetrisRules::from_pairs(pairs.into_iter().chain(more.iter().copied())).unwrap()
    }

    /// The legal placements of a drawn board, without the letter of the piece.
    fn moves(rules: &TetrisRules, text: &str) -> String {
        let position = Tetris::parse(rules, text).unwrap();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        assert!(moves.iter().all(|&mv| position.is_legal(mv)));
        moves.iter().map(|&mv| position.move_text(mv)[1..].to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_empty_board_has_the_placements_of_the_simplified_game() {
        for width in 4..=16u8 {
            let rules = original(&width.to_string(), "4", &[]);
            for piece in Piece::ALL {
                let text = format!("- {}", piece.letter());
                let simplified = TetrisRules { game: Kind::Simplified, ..rules.clone() };
                assert_eq!(moves(&rules, &text), moves(&simplified, &text), "{text} at width {width}");
            }
        }
    }

    #[test]
    fn a_wall_beside_the_middle_hides_what_is_behind_it() {
        // The O appears in columns d and e; column c is full to the top.
        let wall = "..#...../..#...../..#...../..#.....";
        assert_eq!(moves(&original("8", "4", &[]), &format!("{wall} O")), "0d 0e 0f 0g");
        // One row more, and it still does not get over; two rows more, and it does.
        assert_eq!(moves(&original("8", "5", &[]), &format!("{wall} O")), "0d 0e 0f 0g");
        assert_eq!(moves(&original("8", "6", &[]), &format!("{wall} O")), "0a 0b 0c 0d 0e 0f 0g");
        // An I gets over in one row, lying, and stands up on both sides.
        let over = moves(&original("8", "5", &[]), &format!("{wall} I"));
        assert_eq!(over, "0a 0b 0c 0d 0e 1a 1b 1d 1e 1f 1g 1h");
    }

    #[test]
    fn a_piece_that_cannot_turn_keeps_its_orientation() {
        let rules = original("4", "4", &[]);
        // Turning takes three rows. The shaft at the wall has them, but only a piece that stands already gets there.
        assert_eq!(moves(&rules, "###./###. T"), "0a 0b");
        // In the third column it can stand up with its nose to the left, and turn on from there.
        assert_eq!(moves(&rules, "##.#/##.# T"), "0a 0b 2a 2b 3b");
    }

    #[test]
    fn turns_keep_the_middle_and_are_not_pushed_aside() {
        // An I that lies in the only free row stands up in its second column, and the shaft must be there.
        let rules = original("4", "5", &[]);
        assert_eq!(moves(&rules, "#.##/#.##/#.##/#.## I"), "0a 1b");
        assert_eq!(moves(&rules, "##.#/##.#/##.#/##.# I"), "0a");
        // It stands in the first column after it has moved there upright.
        assert_eq!(moves(&rules, "..##/..##/..##/..## I"), "0a 1a 1b");
    }

    #[test]
    fn it_drops_from_its_place_and_not_from_the_sky() {
        // A T with its nose up passes below the two cells in the top row.
        let rules = original("5", "4", &[]);
        let mut position = Tetris::parse(&rules, ".#.#./...../...../#.... T").unwrap();
        position.play(position.parse_move("0b").unwrap()).unwrap();
        assert_eq!(position.text(), ".#.#./...../..#../####. - 0");
    }

    #[test]
    fn without_room_to_appear_the_game_is_lost_at_the_deal() {
        let rules = original("5", "4", &[]);
        let mut position = Tetris::parse(&rules, "..#../..#../..#../..#.. - 7").unwrap();
        assert_eq!(position.turn(), Turn::Chance);
        position.deal_outcome(Piece::T as u8);
        assert_eq!((position.turn(), position.count_moves()), (Turn::Over, 0));
        assert_eq!(position.text(), "..#../..#../..#../..#.. T 7");
        assert_eq!(Tetris::parse(&rules, &position.text()).unwrap(), position);
        let mut pen = crate::draw::Pen::new(false);
        position.draw(&mut pen, None);
        assert!(pen.finish().contains("no room for T"));
        // In the middle of the top row a T has its nose, and a J has nothing.
        let turn =
            |piece: char| Tetris::parse(&rules, &format!("..#../...../..#../..#.. {piece}")).unwrap().turn();
        assert_eq!((turn('T'), turn('J')), (Turn::Over, Turn::Player(Side::First)));
    }

    #[test]
    fn a_known_piece_without_room_ends_the_game_when_it_is_its_turn() {
        let rules = original("4", "4", &[("preview", "on")]);
        let mut position = Tetris::parse(&rules, "##.#/##.# OO 0").unwrap();
        position.play(position.parse_move("b").unwrap()).unwrap();
        assert_eq!((position.turn(), position.text().as_str()), (Turn::Over, ".##./.##./##.#/##.# O 0"));
        assert_eq!(Tetris::parse(&rules, &position.text()).unwrap(), position);
    }

    #[test]
    fn touching_the_top_row_loses_after_the_landing_only() {
        let touch = [("over", "top-row")];
        // An upright I comes to rest in the top row in all columns but the first.
        let board = ".###/.#.# I";
        assert_eq!(moves(&original("4", "6", &touch), board), "0a 1a");
        assert_eq!(moves(&original("4", "6", &[touch[0], ("losing", "allowed")]), board), "0a 1a 1b 1c 1d");
        assert_eq!(moves(&original("4", "6", &[]), board), "0a 1a 1b 1c 1d");
    }

    #[test]
    fn switches_that_would_do_nothing_are_refused() {
        for idle in [("losing", "allowed"), ("clearing", "before")] {
            let error = TetrisRules::from_pairs([("game", "original"), idle]).unwrap_err().to_string();
            assert!(error.contains(idle.0) && error.contains("over=top-row"), "{error}");
            assert!(TetrisRules::from_pairs([("game", "original"), idle, ("over", "top-row")]).is_ok());
        }
    }

    #[test]
    fn nothing_lies_above_the_board() {
        let board = "#.../#.../#.../#.../#... -";
        assert!(Tetris::parse(&original("4", "4", &[]), board).is_err());
        assert!(Tetris::parse(&original("4", "5", &[]), board).is_ok());
    }

    #[test]
    fn the_game_is_not_its_own_mirror_image() {
        // A T appears in columns a to c of four: a wall on the right leaves it room, its image on the left does not.
        let rules = original("4", "4", &[]);
        let turn = |board: &str| {
            Tetris::parse(&rules, &format!("{board}/{board}/{board}/{board} T")).unwrap().turn()
        };
        assert_eq!((turn("...#"), turn("#...")), (Turn::Player(Side::First), Turn::Over));
    }
}
