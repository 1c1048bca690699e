//! Text forms: positions lead back to themselves, and text from outside never makes a parser panic; what it accepts is sound.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{after, at, legal_moves, random_game};
use crate::draw::Pen;
use crate::game::{Game, Outcome, Side, Turn};
use crate::{InputError, Rules};
use math::Dice;

const GAMES: u64 = 30;
const LONGEST: usize = 400;
/// Texts of each kind for every position and option that is damaged.
const DAMAGED: u64 = 200;
const LONGEST_ERROR: usize = 2000;

/// Texts of positions, moves and options lead back; any text is read or refused in one line, and what is read can be played.
///
/// # Panics
/// If it is not so.
pub fn text<G: Game>(variants: &[G::Rules]) {
    for rules in variants {
        for (position, _) in (0..GAMES).flat_map(|seed| random_game::<G>(rules, seed, LONGEST)) {
            leads_back(rules, &position);
        }
        let game = random_game::<G>(rules, 5, 60);
        let signs: Vec<char> = game[0].0.text().chars().chain("-+oX#./ ;,0159Aé\n".chars()).collect();
        for seed in 0..DAMAGED {
            let mut dice = Dice::seeded(&[seed]);
            let noise: Vec<u8> = (0..dice.below(200)).map(|_| dice.bits() as u8).collect();
            let noise = String::from_utf8_lossy(&noise);
            read_position::<G>(rules, &noise);
            read_move(&game[0].0, &noise);
            for (position, mv) in game.iter().step_by(9) {
                read_position::<G>(rules, &damaged(&position.text(), &signs, &mut dice));
                if let Some(mv) = mv {
                    read_move(position, &damaged(&position.move_text(*mv), &signs, &mut dice));
                }
            }
            for option in <G::Rules as Rules>::OPTIONS {
                for value in [damaged(&rules.get(option.name), &signs, &mut dice), noise.to_string()] {
                    read_option::<G>(option.name, &value);
                }
            }
        }
    }
}

/// The position read back from its text is equal, and goes on as the original does.
fn leads_back<G: Game>(rules: &G::Rules, position: &G) {
    let text = position.text();
    assert!(!text.contains('\n'), "the text of a position is one line, {}", at(position));
    let again = match G::parse(rules, &text) {
        Ok(again) => again,
        Err(error) => panic!("the text of a position is refused: {error}, {}", at(position)),
    };
    assert!(
        &again == position && again.text() == text,
        "read back from its text it is another position: text() leaves something out, parse() reads it otherwise, or playing has changed \
         the rules: {again:?} is not {position:?}, {}",
        at(position)
    );
    let spaced = G::parse(rules, &format!("  {text}\n"));
    assert_eq!(spaced.as_ref(), Ok(position), "spaces around the text are no part of it, {}", at(position));
    let wrong = || {
        let why = "it remembers what text() leaves out, or playing has changed the rules";
        format!("read back from its text it goes on in another way: {why}, {}", at(position))
    };
    let future = |position: &G| {
        let mut outcomes: Vec<Outcome> = vec![];
        position.outcomes(&mut outcomes);
        let over = (position.turn() == Turn::Over).then(|| position.final_value(Side::First));
        (position.turn(), legal_moves(position), outcomes, position.score(Side::First), over, position.key())
    };
    assert_eq!(future(&again), future(position), "{}", wrong());
    let alike = |mv: &G::Move| after(&again, *mv) == after(position, *mv);
    assert!(legal_moves(position).iter().all(alike), "{}", wrong());
}

/// A text with one to three signs put in, taken out, changed, or cut off there: nearly right, it gets further into a parser than noise does.
fn damaged(text: &str, signs: &[char], dice: &mut Dice) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=dice.below(3) {
        let (place, sign) = (dice.below(letters.len() + 1), dice.pick(signs));
        match dice.below(4) {
            0 => letters.insert(place, sign),
            1 if place < letters.len() => drop(letters.remove(place)),
            2 => letters.truncate(place),
            _ if place < letters.len() => letters[place] = sign,
            _ => {}
        }
    }
    letters.into_iter().collect()
}

/// What a parser says, unless it panics or says too much.
fn parsed<T>(name: &str, text: &str, parse: impl FnOnce() -> Result<T, InputError>) -> Option<T> {
    let result = catch_unwind(AssertUnwindSafe(parse));
    let result = result.unwrap_or_else(|_| panic!("{name} panics at the text {text:?}"));
    let short = |error: &dyn Display| {
        let error = error.to_string();
        assert!(
            !error.contains('\n') && error.len() < LONGEST_ERROR,
            "{name}: an error is one line, not {error:?}"
        );
    };
    result.map_err(|error| short(&error)).ok()
}

/// If the text is accepted, the position can be written, read again, drawn and played on.
fn read_position<G: Game>(rules: &G::Rules, text: &str) {
    let name = format!("{}: parse()", G::NAME);
    let Some(mut position) = parsed(&name, text, || G::parse(rules, text)) else { return };
    let again = G::parse(rules, &position.text());
    assert_eq!(again.as_ref(), Ok(&position), "{name} accepts {text:?}, which does not lead back");
    position.draw(&mut Pen::new(false), None);
    let mut dice = Dice::seeded(&[1]);
    for _ in 0..100 {
        match position.turn() {
            Turn::Over => break,
            Turn::Chance => position.deal(&mut dice),
            Turn::Player(_) => {
                let moves = legal_moves(&position);
                assert!(!moves.is_empty(), "{name} accepts {text:?}, where nobody can move");
                let played = position.play(dice.pick(&moves));
                assert_eq!(played, Ok(()), "{name} accepts {text:?}, which cannot be played");
            }
        }
    }
}

/// If the text is accepted, the move is refused unless it is legal.
fn read_move<G: Game>(position: &G, text: &str) {
    let name = format!("{}: parse_move()", G::NAME);
    let Some(mv) = parsed(&name, text, || position.parse_move(text)) else { return };
    let listed = legal_moves(position).contains(&mv);
    let checked = parsed(&format!("{}: check()", G::NAME), text, || position.check(mv));
    assert_eq!(checked.is_some(), listed, "check() of {mv:?}, read from {text:?}, {}", at(position));
}

fn read_option<G: Game>(key: &str, value: &str) {
    let read = |value: &str| <G::Rules as Rules>::from_pairs([(key, value)]);
    let name = format!("{}: option {key}", G::NAME);
    let Some(rules) = parsed(&name, value, || read(value)) else { return };
    let again = read(&rules.get(key));
    assert_eq!(again.as_ref(), Ok(&rules), "{name} takes {value:?}, which does not lead back");
    random_game::<G>(&rules, 1, 30);
}
