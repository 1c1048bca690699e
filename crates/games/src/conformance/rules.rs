//! Moves, chance, ends, keys, symmetries, values and drawings.

use std::collections::{HashMap, HashSet};

use super::{Met, after, at, legal_moves, random_game};
use crate::draw::Pen;
use crate::game::{Game, Outcome, Side, Turn};
use crate::{Rules, frontier, perft};
use math::Dice;

const GAMES: u64 = 30;
const LONGEST: usize = 400;

/// Names and options, and in every position of random games: moves, copies, chance, symmetries, scores, keys and drawings.
///
/// # Panics
/// If one of them is not sound.
pub fn rules<G: Game>(variants: &[G::Rules]) {
    names::<G>();
    assert!(!variants.is_empty(), "{}: no rules to try", G::NAME);
    for rules in variants {
        options::<G>(rules);
        let start = G::start(rules);
        let games: Vec<_> = (0..GAMES).map(|seed| random_game::<G>(rules, seed, LONGEST)).collect();
        let played: HashSet<G::Move> = games.iter().flatten().filter_map(|(_, mv)| *mv).collect();
        for (position, mv) in games.iter().flatten() {
            moves(position, &played);
            copies(position, &played);
            chance(position);
            symmetry(position);
            values(position);
            drawing(position, *mv);
        }
        keys(games.iter().flatten().map(|(position, _)| position));
        assert_eq!(start, G::start(rules), "{}: start() has changed after some games", G::NAME);
        same_seed_same_game::<G>(rules, &games);
        for depth in 0..=2 {
            let (leaves, parts) = (start.perft(depth), frontier(&start, depth).len() as u64);
            assert_eq!(leaves, parts, "{}: leaves {depth} plies below the start", G::NAME);
            assert_eq!(leaves, perft(&start, depth), "{}: perft() of its own, depth {depth}", G::NAME);
        }
    }
}

fn names<G: Game>() {
    let plain = |name: &str, joint: char| {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == joint;
        name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(allowed)
    };
    // The folder, and so the module, has the game's name.
    assert!(plain(G::NAME, '_'), "NAME {:?} is not of a-z, 0-9 and _", G::NAME);
    let one_line = |text: &str| !text.is_empty() && !text.contains('\n');
    assert!(
        one_line(G::SUMMARY) && one_line(G::MOVE_HELP),
        "{}: SUMMARY and MOVE_HELP are one line",
        G::NAME
    );
    assert!((1..=2).contains(&G::SIDES.len()), "{}: SIDES are one or two", G::NAME);
    for option in <G::Rules as Rules>::OPTIONS {
        let sound = plain(option.name, '-') && one_line(option.help);
        assert!(sound, "{}: option {:?} is not of a-z, 0-9 and -, or has no help", G::NAME, option.name);
    }
}

/// Rules survive the way through text, and refuse what they do not know.
fn options<G: Game>(rules: &G::Rules) {
    let pairs = rules.to_pairs();
    let again = <G::Rules as Rules>::from_pairs(pairs.iter().map(|(key, value)| (*key, value.as_str())));
    assert_eq!(again.as_ref(), Ok(rules), "{}: the rules read back from {pairs:?} are others", G::NAME);
    assert!(<G::Rules as Rules>::from_pairs([("no-such-option", "1")]).is_err(), "{}: any option", G::NAME);
    for option in <G::Rules as Rules>::OPTIONS {
        let Err(error) = <G::Rules as Rules>::from_pairs([(option.name, "\u{0}nonsense")]) else {
            panic!("{}: option {} takes nonsense", G::NAME, option.name)
        };
        let error = error.to_string();
        let says = error.contains(option.name) && error.contains("allowed: ");
        assert!(says, "{}: an error names the option and what is allowed: {error}", G::NAME);
    }
}

/// Legal moves are unique and always listed alike, exactly those are legal, and only a player's turn has any.
fn moves<G: Game>(position: &G, played: &HashSet<G::Move>) {
    let moves = legal_moves(position);
    assert_eq!(
        legal_moves(position),
        moves,
        "legal_moves() of one position in another order, {}",
        at(position)
    );
    let mut again = moves.clone();
    position.legal_moves(&mut again);
    assert_eq!(again, moves, "legal_moves() does not overwrite what it is given, {}", at(position));
    let set: HashSet<G::Move> = moves.iter().copied().collect();
    assert_eq!(set.len(), moves.len(), "legal_moves() lists a move twice, {}", at(position));
    assert_eq!(position.count_moves(), moves.len(), "count_moves() is not what is listed, {}", at(position));
    let has_turn = matches!(position.turn(), Turn::Player(_));
    assert_eq!(has_turn, !moves.is_empty(), "a player's turn has moves and only that, {}", at(position));
    for seed in 0..5 {
        let (mut listed, mut direct) = (Dice::seeded(&[seed]), Dice::seeded(&[seed]));
        let expected = (!moves.is_empty()).then(|| listed.pick(&moves));
        let found = position.random_move(&mut direct, &mut vec![]);
        assert_eq!(found, expected, "random_move() is not a pick of what is listed, {}", at(position));
        assert_eq!(listed, direct, "random_move() draws other than a pick does, {}", at(position));
    }
    for &mv in set.iter().chain(played) {
        let (checked, listed) = (position.check(mv), set.contains(&mv));
        assert!(listed || checked.is_err(), "check() accepts {mv:?}, which is not listed, {}", at(position));
        assert!(!listed || checked.is_ok(), "check() refuses {mv:?}, which is listed, {}", at(position));
        assert_eq!(position.is_legal(mv), listed, "is_legal() of {mv:?}, {}", at(position));
        let text = position.move_text(mv);
        assert_eq!(position.parse_move(&text), Ok(mv), "the move read back from {text:?}, {}", at(position));
        let plain = !text.is_empty() && !text.contains(char::is_whitespace);
        assert!(plain, "the text {text:?} of a move is empty or has spaces, {}", at(position));
    }
    if let Turn::Player(side) = position.turn() {
        assert!(side.index() < G::SIDES.len(), "a side to move that has no name, {}", at(position));
    }
}

/// Playing on a copy leaves the original; the checked door plays as the other, or refuses and changes nothing.
fn copies<G: Game>(position: &G, played: &HashSet<G::Move>) {
    let (moves, text) = (legal_moves(position), position.text());
    for &mv in &moves {
        let mut checked = position.clone();
        assert_eq!(checked.play(mv), Ok(()), "play() refuses {mv:?}, which is legal, {}", at(position));
        assert_eq!(checked, after(position, mv), "play() is not play_unchecked(), {mv:?}, {}", at(position));
        assert_ne!(&checked, position, "{mv:?} changes nothing, {}", at(position));
        assert_eq!(position.text(), text, "{}: {mv:?} on a copy changes the original", G::NAME);
    }
    for &mv in played.iter().filter(|mv| !moves.contains(mv)) {
        let mut copy = position.clone();
        let Err(error) = copy.play(mv) else {
            panic!("play() plays {mv:?}, which is illegal, {}", at(position))
        };
        let error = error.to_string();
        let says = error.starts_with("illegal move ") && !error.contains('\n');
        assert!(says, "the refusal of {mv:?} is no line 'illegal move ...': {error}, {}", at(position));
        assert_eq!(&copy, position, "{mv:?} is refused and changes something");
    }
}

fn chance<G: Game>(position: &G) {
    let mut outcomes = vec![Outcome { index: 0, weight: 0 }];
    position.outcomes(&mut outcomes);
    let is_chance = position.turn() == Turn::Chance;
    assert_eq!(is_chance, !outcomes.is_empty(), "chance's turn has outcomes and only that, {}", at(position));
    assert!(G::CHANCE || outcomes.is_empty(), "chance has a turn, and CHANCE is false, {}", at(position));
    let distinct: HashSet<u8> = outcomes.iter().map(|outcome| outcome.index).collect();
    assert_eq!(distinct.len(), outcomes.len(), "outcomes() lists one twice, {}", at(position));
    for outcome in outcomes {
        assert!(outcome.weight > 0, "an outcome that never comes, {}", at(position));
        let mut dealt = position.clone();
        dealt.deal_outcome(outcome.index);
        assert_ne!(&dealt, position, "a deal changes nothing, {}", at(position));
    }
}

/// Equal positions have equal keys, and positions of one key have the same future: turn, score, moves and what they lead to.
fn keys<'a, G: Game>(positions: impl Iterator<Item = &'a G>) {
    let mut met: HashMap<u64, &G> = HashMap::new();
    for position in positions {
        assert_eq!(position.clone().key(), position.key(), "key() of a copy, {}", at(position));
        assert!(position.step() >= 1, "step() counts from 1, {}", at(position));
        let other = *met.entry(position.key()).or_insert(position);
        if other == position {
            continue;
        }
        let moves = legal_moves(position);
        let both = || format!("one key() for other futures, {} and {}", at(position), other.text());
        assert_eq!((position.turn(), &moves), (other.turn(), &legal_moves(other)), "{}", both());
        assert_eq!(position.score(Side::First), other.score(Side::First), "{}", both());
        for &mv in &moves {
            assert_eq!(after(position, mv).key(), after(other, mv).key(), "{}", both());
        }
    }
}

/// The image of a position has the images of its moves, and playing commutes with the mirror.
fn symmetry<G: Game>(position: &G) {
    let moves = legal_moves(position);
    assert_eq!(&position.mirrored(0), position, "symmetry 0 is the identity, {}", at(position));
    for symmetry in 0..G::SYMMETRIES {
        let wrong = |what: &str| format!("symmetry {symmetry}: {what}, {}", at(position));
        let image = position.mirrored(symmetry);
        let expected: HashSet<G::Move> =
            moves.iter().map(|&mv| position.mirrored_move(mv, symmetry)).collect();
        let found: HashSet<G::Move> = legal_moves(&image).into_iter().collect();
        assert_eq!(found, expected, "{}", wrong("the moves of the image are not the images of the moves"));
        assert_eq!(image.turn(), position.turn(), "{}", wrong("the turn of the image"));
        for &mv in &moves {
            let image_after = after(&image, position.mirrored_move(mv, symmetry));
            assert_eq!(
                after(position, mv).mirrored(symmetry),
                image_after,
                "{}",
                wrong("the image after a move is not what the image of the move leads to")
            );
        }
        for side in Side::BOTH.into_iter().take(G::SIDES.len()) {
            assert_eq!(position.score(side), image.score(side), "{}", wrong("the score of the image"));
        }
    }
}

fn values<G: Game>(position: &G) {
    let sound = |name: &str, value: &dyn Fn(Side) -> f64| {
        let own = value(Side::First);
        assert!(own.is_finite(), "{name}() is {own}, {}", at(position));
        if G::SIDES.len() == 2 {
            let other = value(Side::Second);
            assert_eq!(own, -other, "{name}(): what one side has the other lacks, {}", at(position));
        }
    };
    sound("score", &|side| position.score(side));
    if position.turn() == Turn::Over {
        sound("final_value", &|side| position.final_value(side));
    }
}

/// A drawing says the same with and without colour, and can be made of every position.
fn drawing<G: Game>(position: &G, mv: Option<G::Move>) {
    let drawn = |colour: bool, position: &G, last: Option<(&G, G::Move)>| {
        let mut pen = Pen::new(colour);
        position.draw(&mut pen, last);
        pen.finish()
    };
    let plain = drawn(false, position, None);
    let whole = plain.len() > 1 && plain.ends_with('\n') && !plain.contains('\x1b');
    assert!(whole, "a drawing is lines without escapes, not {plain:?}, {}", at(position));
    let mut stripped = String::new();
    for (i, part) in drawn(true, position, None).split("\x1b[").enumerate() {
        stripped.push_str(if i == 0 { part } else { part.split_once('m').map_or(part, |(_, rest)| rest) });
    }
    assert_eq!(stripped, plain, "a drawing says something else in colour, {}", at(position));
    if let Some(mv) = mv {
        let marked = drawn(false, &after(position, mv), Some((position, mv)));
        assert!(marked.ends_with('\n'), "a drawing with the last move is lines, {}", at(position));
    }
}

fn same_seed_same_game<G: Game>(rules: &G::Rules, games: &[Vec<Met<G>>]) {
    for (seed, game) in (0..).zip(games) {
        let again = random_game::<G>(rules, seed, LONGEST);
        assert_eq!(&again, game, "{}: seed {seed} gives another game when it is played again", G::NAME);
    }
    let differ = games.iter().any(|game| game != &games[0]);
    assert!(differ, "{}: {GAMES} seeds, one game", G::NAME);
}
