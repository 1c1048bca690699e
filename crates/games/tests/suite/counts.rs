//! The tables of leaf counts in the games' folders, and golden playthroughs: one random game of each, every position
//! and the number of its moves, kept in a file. `BLESS=1 cargo test --workspace --no-fail-fast` writes what is missing or
//! has changed on purpose.

use crate::common::{golden_path, perft_lines};
use games::conformance::random_game;
use games::{Game, Turn, Visitor, perft, visit_games};

#[test]
fn leaves_are_as_in_the_tables() {
    struct Counts;
    impl Visitor for Counts {
        fn game<G: Game>(&mut self) {
            for line in perft_lines::<G>() {
                for (depth, leaves) in line.counts {
                    let found = perft(&line.position, depth);
                    assert_eq!(found, leaves, "{} depth {depth} of {}", G::NAME, line.position.text());
                }
            }
        }
    }
    visit_games(&mut Counts);
}

#[test]
fn playthroughs_are_as_kept() {
    struct Playthrough;
    impl Visitor for Playthrough {
        fn game<G: Game>(&mut self) {
            let mut text = String::from("# turn; legal moves; move; position\n");
            for (position, mv) in random_game::<G>(&G::Rules::default(), 2026, 200) {
                let turn = match position.turn() {
                    Turn::Player(side) => G::SIDES[side.index()],
                    Turn::Chance => "chance",
                    Turn::Over => "over",
                };
                let mv = mv.map_or("-".to_string(), |mv| position.move_text(mv));
                text.push_str(&format!("{turn}; {}; {mv}; {}\n", position.count_moves(), position.text()));
            }
            let path = golden_path::<G>("playthrough.txt");
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(&path, &text).unwrap();
            }
            let missing = |error| panic!("{}: {error}; BLESS=1 writes it", path.display());
            let kept: String = std::fs::read_to_string(&path).unwrap_or_else(missing);
            assert!(kept == text, "{} plays differently; BLESS=1 accepts it", G::NAME);
        }
    }
    visit_games(&mut Playthrough);
}
