//! A second generator of Othello, written differently: walks over an 8x8 array of signs.

use proptest::prelude::*;

use super::{Move, Othello};
use crate::game::{Game, Side, Turn};

type Board = [[i8; 8]; 8];

fn flipped(board: &Board, row: usize, column: usize, colour: i8) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    if board[row][column] != 0 {
        return all;
    }
    for (dr, dc) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
        let (mut r, mut c) = (row as i32 + dr, column as i32 + dc);
        let mut line = Vec::new();
        while (0..8).contains(&r) && (0..8).contains(&c) && board[r as usize][c as usize] == -colour {
            line.push((r as usize, c as usize));
            (r, c) = (r + dr, c + dc);
        }
        if (0..8).contains(&r) && (0..8).contains(&c) && board[r as usize][c as usize] == colour {
            all.extend(line);
        }
    }
    all
}

fn squares(board: &Board, colour: i8) -> Vec<(usize, usize)> {
    let all = (0..64).map(|i| (i / 8, i % 8));
    all.filter(|&(r, c)| !flipped(board, r, c, colour).is_empty()).collect()
}

fn to_fast(board: &Board, colour: i8) -> Othello {
    let discs = |of: i8| (0..64).filter(|i| board[i / 8][i % 8] == of).map(|i| 1u64 << i).sum();
    Othello::new(discs(colour), discs(-colour), if colour == 1 { Side::First } else { Side::Second })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    /// Any placing of discs, not only those that a game can reach.
    #[test]
    fn moves_and_results_agree_on_any_board(cells in proptest::collection::vec(-1i8..=1, 64), black in any::<bool>()) {
        let colour = if black { 1 } else { -1 };
        let mut board = [[0; 8]; 8];
        for (i, &cell) in cells.iter().enumerate() {
            board[i / 8][i % 8] = cell;
        }
        let fast = to_fast(&board, colour);
        let mine = squares(&board, colour);
        let mut moves = Vec::new();
        fast.legal_moves(&mut moves);
        let expected: Vec<Move> = match (mine.is_empty(), squares(&board, -colour).is_empty()) {
            (true, true) => vec![],
            (true, false) => vec![Move::PASS],
            _ => mine.iter().map(|&(r, c)| Move::square((8 * r + c) as u8)).collect(),
        };
        prop_assert_eq!(&moves, &expected);
        prop_assert_eq!(fast.turn() == Turn::Over, moves.is_empty());
        for (r, c) in mine {
            let mut after = board;
            after[r][c] = colour;
            for (i, j) in flipped(&board, r, c, colour) {
                after[i][j] = colour;
            }
            let mut played = fast;
            played.play(Move::square((8 * r + c) as u8)).unwrap();
            prop_assert_eq!(played, to_fast(&after, -colour));
        }
    }
}

fn perft(board: &Board, colour: i8, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mine = squares(board, colour);
    if mine.is_empty() {
        return if squares(board, -colour).is_empty() { 1 } else { perft(board, -colour, depth - 1) };
    }
    let child = |(r, c): (usize, usize)| {
        let mut after = *board;
        after[r][c] = colour;
        flipped(board, r, c, colour).iter().for_each(|&(i, j)| after[i][j] = colour);
        perft(&after, -colour, depth - 1)
    };
    mine.into_iter().map(child).sum()
}

#[test]
fn counts_agree_from_the_start() {
    let mut board = [[0; 8]; 8];
    (board[3][4], board[4][3], board[3][3], board[4][4]) = (1, 1, -1, -1);
    let start = Othello::start(&Default::default());
    assert_eq!(start, to_fast(&board, 1));
    for depth in 0..=7 {
        assert_eq!(crate::perft(&start, depth), perft(&board, 1, depth), "depth {depth}");
    }
}
