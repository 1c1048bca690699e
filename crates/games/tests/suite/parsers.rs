//! Text from outside never makes a parser panic, and what it accepts is a sound position.

use crate::common::{random_game, variants};
use games::draw::Pen;
use games::{Dice, Game, Rules, Turn, Visitor, visit_games};
use proptest::prelude::*;

/// If the text is accepted, the position can be written, read again, drawn and played to the end.
fn read<G: Game>(rules: &G::Rules, text: &str) {
    if let Err(error) = G::start(rules).parse_move(text) {
        assert!(!error.to_string().contains('\n'));
    }
    let mut position = match G::parse(rules, text) {
        Ok(position) => position,
        Err(error) => return assert!(!error.to_string().contains('\n') && error.to_string().len() < 2000),
    };
    assert_eq!(G::parse(rules, &position.text()).as_ref(), Ok(&position), "{text:?}");
    position.draw(&mut Pen::new(false), None);
    let mut dice = Dice::seeded(&[1]);
    let mut moves = vec![];
    for _ in 0..100 {
        position.legal_moves(&mut moves);
        match position.turn() {
            Turn::Over => break,
            Turn::Chance => position.deal(&mut dice),
            Turn::Player(_) => position.play(dice.pick(&moves)).unwrap(),
        }
    }
}

struct Everywhere<'a>(&'a dyn Fn(&str) -> String);

impl Visitor for Everywhere<'_> {
    fn game<G: Game>(&mut self) {
        for rules in variants::<G>() {
            let game = random_game::<G>(&rules, 5, 60);
            for (position, mv) in game.iter().step_by(9) {
                read::<G>(&rules, &(self.0)(&position.text()));
                if let Some(mv) = mv {
                    let _ = position.parse_move(&(self.0)(&position.move_text(*mv)));
                }
            }
            for option in <G::Rules as Rules>::OPTIONS {
                let value = (self.0)(&rules.get(option.name));
                if let Ok(rules) = <G::Rules as Rules>::from_pairs([(option.name, value.as_str())]) {
                    let again = rules.get(option.name);
                    assert_eq!(
                        <G::Rules as Rules>::from_pairs([(option.name, again.as_str())]).unwrap(),
                        rules
                    );
                    random_game::<G>(&rules, 1, 30);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        visit_games(&mut Everywhere(&|_| text.clone()));
    }

    /// Texts that are nearly right get further into a parser than noise does.
    #[test]
    fn damaged_texts_are_read_or_refused(
        places in proptest::collection::vec((any::<prop::sample::Index>(), 0..4u8, "[-+oOX#./ ;,0-9IOTSZJLéA-P\n]"), 1..4),
    ) {
        let damage = |text: &str| {
            let mut signs: Vec<char> = text.chars().collect();
            for (place, what, sign) in &places {
                let (at, sign) = (place.index(signs.len() + 1), sign.chars().next().unwrap());
                match what {
                    0 => signs.insert(at, sign),
                    1 if at < signs.len() => drop(signs.remove(at)),
                    2 => signs.truncate(at),
                    _ if at < signs.len() => signs[at] = sign,
                    _ => {}
                }
            }
            signs.into_iter().collect()
        };
        visit_games(&mut Everywhere(&damage));
    }
}
