//! Where a search may prune: the guard of [`Cuts`], condition by condition. Each window below lies so far from all values that a
//! shallower search makes it certain; only the guard says no.

use games::Dice;
use games::othello::Othello;

use super::*;
use crate::search::evaluation::{Score, WIN};
use crate::search::probcut::{Cut, ProbCutFile};
use crate::solve::othello::tests::late;

/// What a cut at a node of four plies says, if the value of four plies is `slope` times that of one.
fn bound(position: &Othello, slope: f64, ply: usize, alpha: f64, beta: f64) -> Option<f64> {
    let mut file = ProbCutFile::new("othello", "score", Vec::new(), 0, 0);
    file.cuts = vec![Cut { shallow: 1, deep: 4, from: 0, to: 99, slope, offset: 0.0, sigma: 0.0, n: 1 }];
    let mut search = AlphaBeta::<Othello, Score>::new(Score, 1).with_cuts(Some(file.cuts(1.0)));
    let side = match position.turn() {
        Turn::Player(side) => side,
        _ => Side::First,
    };
    search.cut(position, &(), Node { side, depth: 4, ply, alpha, beta })
}

fn middle() -> Othello {
    late(&mut Dice::seeded(&[21]), 30)
}

const LOW: f64 = -1000.0;

#[test]
fn a_narrow_window_far_from_the_root_is_cut() {
    assert_eq!(bound(&middle(), 1.0, FIRST_CUT, LOW, LOW.next_up()), Some(LOW.next_up()));
    assert_eq!(bound(&middle(), 1.0, FIRST_CUT, -LOW, (-LOW).next_up()), Some(-LOW));
}

#[test]
fn nothing_is_cut_at_the_root_or_next_to_it() {
    for ply in [0, 1] {
        assert_eq!(bound(&middle(), 1.0, ply, LOW, LOW.next_up()), None, "ply {ply}");
    }
    assert!(bound(&middle(), 1.0, 2, LOW, LOW.next_up()).is_some());
}

#[test]
fn nothing_is_cut_where_a_value_is_wanted() {
    for (alpha, beta) in [(LOW, LOW + 1.0), (LOW, LOW.next_up().next_up()), (f64::NEG_INFINITY, LOW)] {
        assert_eq!(bound(&middle(), 1.0, 2, alpha, beta), None, "{alpha} {beta}");
    }
}

#[test]
fn nothing_is_cut_where_an_end_is_in_question() {
    // Just inside the values that are decided, on one side of the window or on both.
    let edge = 2.0 * MOST;
    assert!(!is_decided(edge) && is_decided(edge.next_up()));
    for alpha in [edge, -edge.next_up(), edge.next_up(), -WIN] {
        // A steep line would bring thresholds back among evaluations.
        assert_eq!(bound(&middle(), 1000.0, 2, alpha, alpha.next_up()), None, "{alpha}");
    }
    assert!(bound(&middle(), 1000.0, 2, edge.next_down(), edge).is_some());
    // A flat line sends thresholds among the ends.
    assert_eq!(bound(&middle(), 0.001, 2, -1e6, (-1e6_f64).next_up()), None);
    assert!(bound(&middle(), 0.001, 2, -1e4, (-1e4_f64).next_up()).is_some());
}

#[test]
fn nothing_is_cut_once_a_game_is_over() {
    // Black has everything.
    let over = Othello::new(!0, 0, Side::First);
    assert_eq!(over.turn(), Turn::Over);
    assert_eq!(bound(&over, 1.0, 2, LOW, LOW.next_up()), None);
}
