//! What every game must keep, for every game by being listed and under all rules that its counts name.

use std::collections::{HashMap, HashSet};

use crate::common::{random_game, variants};
use games::draw::Pen;
use games::{Dice, Game, Outcome, Rules, Side, Turn, Visitor, perft, visit_games};

const GAMES: u64 = 30;
const LONGEST: usize = 400;

#[test]
fn every_listed_game_conforms() {
    struct Conformance(usize);
    impl Visitor for Conformance {
        fn game<G: Game>(&mut self) {
            // Shown when something below fails.
            println!("conformance of {}", G::NAME);
            self.0 += 1;
            names::<G>();
            for rules in variants::<G>() {
                options::<G>(&rules);
                let games: Vec<_> = (0..GAMES).map(|seed| random_game::<G>(&rules, seed, LONGEST)).collect();
                let played: HashSet<G::Move> = games.iter().flatten().filter_map(|(_, mv)| *mv).collect();
                for (position, mv) in games.iter().flatten() {
                    moves(position, &played);
                    copies(position, &played);
                    text(&rules, position);
                    chance(position);
                    symmetry(position);
                    values(position);
                    drawing(position, *mv);
                }
                keys(games.iter().flatten().map(|(position, _)| position));
                same_seed_same_game::<G>(&rules);
            }
        }
    }
    let mut conformance = Conformance(0);
    visit_games(&mut conformance);
    assert!(conformance.0 >= 4);
}

fn names<G: Game>() {
    let plain = |name: &str, joint: char| {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == joint;
        name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(allowed)
    };
    // The folder, and so the module, has the game's name.
    assert!(plain(G::NAME, '_'), "{}", G::NAME);
    assert!(!G::SUMMARY.is_empty() && !G::SUMMARY.contains('\n'));
    assert!((1..=2).contains(&G::SIDES.len()));
    let options = <G::Rules as Rules>::OPTIONS;
    assert!(options.iter().all(|option| plain(option.name, '-') && !option.help.is_empty()));
}

/// Rules survive the way through text, and refuse what they do not know.
fn options<G: Game>(rules: &G::Rules) {
    let pairs = rules.to_pairs();
    let again = <G::Rules as Rules>::from_pairs(pairs.iter().map(|(key, value)| (*key, value.as_str())));
    assert_eq!(again.as_ref(), Ok(rules));
    assert!(<G::Rules as Rules>::from_pairs([("no-such-option", "1")]).is_err());
    for option in <G::Rules as Rules>::OPTIONS {
        let error =
            <G::Rules as Rules>::from_pairs([(option.name, "\u{0}nonsense")]).unwrap_err().to_string();
        assert!(error.contains(option.name) && error.contains("allowed: "), "{error}");
    }
}

/// Legal moves are unique and legal, exactly those are legal, and only a player's turn has any.
fn moves<G: Game>(position: &G, played: &HashSet<G::Move>) {
    let mut moves = vec![];
    position.legal_moves(&mut moves);
    let set: HashSet<G::Move> = moves.iter().copied().collect();
    assert_eq!(set.len(), moves.len(), "twice the same move in {}", position.text());
    assert_eq!(position.count_moves(), moves.len(), "{}", position.text());
    assert_eq!(matches!(position.turn(), Turn::Player(_)), !moves.is_empty(), "{}", position.text());
    assert_eq!(perft(position, 0), 1);
    for seed in 0..5 {
        let (mut listed, mut direct) = (Dice::seeded(&[seed]), Dice::seeded(&[seed]));
        let expected = (!moves.is_empty()).then(|| listed.pick(&moves));
        assert_eq!(position.random_move(&mut direct, &mut vec![]), expected, "{}", position.text());
        assert_eq!(listed, direct);
    }
    for &mv in set.iter().chain(played) {
        assert_eq!(position.is_legal(mv), set.contains(&mv), "{mv:?} in {}", position.text());
        assert_eq!(position.parse_move(&position.move_text(mv)), Ok(mv));
        let text = position.move_text(mv);
        assert!(!text.is_empty() && !text.contains(char::is_whitespace), "{text:?}");
    }
    if let Turn::Player(side) = position.turn() {
        assert!(side.index() < G::SIDES.len());
    }
}

/// Playing on a copy leaves the original; the checked door plays as the other, or refuses and changes nothing.
fn copies<G: Game>(position: &G, played: &HashSet<G::Move>) {
    let text = position.text();
    let mut moves = vec![];
    position.legal_moves(&mut moves);
    for &mv in &moves {
        let (mut checked, mut unchecked) = (position.clone(), position.clone());
        checked.play(mv).unwrap();
        unchecked.play_unchecked(mv);
        assert_eq!(checked, unchecked);
        assert_ne!(&checked, position);
        assert_eq!(position.text(), text);
    }
    for &mv in played.iter().filter(|mv| !moves.contains(mv)) {
        let mut copy = position.clone();
        let error = copy.play(mv).unwrap_err().to_string();
        assert!(error.starts_with("illegal move ") && !error.contains('\n'), "{error}");
        assert_eq!(&copy, position);
    }
}

fn text<G: Game>(rules: &G::Rules, position: &G) {
    let text = position.text();
    assert!(!text.contains('\n'), "{text}");
    assert_eq!(G::parse(rules, &text).as_ref(), Ok(position), "{text}");
    assert_eq!(G::parse(rules, &format!("  {text}\n")).as_ref(), Ok(position), "{text}");
}

fn chance<G: Game>(position: &G) {
    let mut outcomes = vec![Outcome { index: 0, weight: 0 }];
    position.outcomes(&mut outcomes);
    assert_eq!(position.turn() == Turn::Chance, !outcomes.is_empty());
    assert!(G::CHANCE || outcomes.is_empty());
    let distinct: HashSet<u8> = outcomes.iter().map(|outcome| outcome.index).collect();
    assert_eq!(distinct.len(), outcomes.len());
    for outcome in outcomes {
        assert!(outcome.weight > 0);
        let mut dealt = position.clone();
        dealt.deal_outcome(outcome.index);
        assert_ne!(&dealt, position);
    }
}

/// Equal positions have equal keys, and positions of one key have the same future: turn, score, moves and what they lead to.
fn keys<'a, G: Game>(positions: impl Iterator<Item = &'a G>) {
    let mut met: HashMap<u64, &G> = HashMap::new();
    let (mut moves, mut other_moves) = (vec![], vec![]);
    for position in positions {
        assert_eq!(position.clone().key(), position.key());
        assert!(position.step() >= 1);
        let other = *met.entry(position.key()).or_insert(position);
        if other == position {
            continue;
        }
        position.legal_moves(&mut moves);
        other.legal_moves(&mut other_moves);
        let texts = (position.text(), other.text());
        assert_eq!((position.turn(), &moves), (other.turn(), &other_moves), "one key for {texts:?}");
        assert_eq!(position.score(Side::First), other.score(Side::First), "one key for {texts:?}");
        for &mv in &moves {
            let (mut after, mut other_after) = (position.clone(), other.clone());
            after.play_unchecked(mv);
            other_after.play_unchecked(mv);
            assert_eq!(after.key(), other_after.key(), "one key for {texts:?}");
        }
    }
}

/// The image of a position has the images of its moves, and playing commutes with the mirror.
fn symmetry<G: Game>(position: &G) {
    let (mut moves, mut image_moves) = (vec![], vec![]);
    position.legal_moves(&mut moves);
    assert_eq!(&position.mirrored(0), position);
    for symmetry in 0..G::SYMMETRIES {
        let image = position.mirrored(symmetry);
        image.legal_moves(&mut image_moves);
        let expected: HashSet<G::Move> =
            moves.iter().map(|&mv| position.mirrored_move(mv, symmetry)).collect();
        assert_eq!(image_moves.iter().copied().collect::<HashSet<_>>(), expected, "{}", position.text());
        assert_eq!(image.turn(), position.turn());
        for &mv in &moves {
            let (mut after, mut image_after) = (position.clone(), image.clone());
            after.play_unchecked(mv);
            image_after.play_unchecked(position.mirrored_move(mv, symmetry));
            assert_eq!(after.mirrored(symmetry), image_after);
        }
        for side in Side::BOTH.into_iter().take(G::SIDES.len()) {
            assert_eq!(position.score(side), image.score(side));
        }
    }
}

fn values<G: Game>(position: &G) {
    assert!(position.score(Side::First).is_finite());
    if G::SIDES.len() == 2 {
        assert_eq!(position.score(Side::First), -position.score(Side::Second));
    }
    if position.turn() == Turn::Over {
        assert!(position.final_value(Side::First).is_finite());
        if G::SIDES.len() == 2 {
            assert_eq!(position.final_value(Side::First), -position.final_value(Side::Second));
        }
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
    assert!(plain.len() > 1 && plain.ends_with('\n') && !plain.contains('\x1b'));
    let mut stripped = String::new();
    for (i, part) in drawn(true, position, None).split("\x1b[").enumerate() {
        stripped.push_str(if i == 0 { part } else { part.split_once('m').unwrap().1 });
    }
    assert_eq!(stripped, plain);
    if let Some(mv) = mv {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let marked = drawn(false, &after, Some((position, mv)));
        assert!(marked.ends_with('\n'));
    }
}

fn same_seed_same_game<G: Game>(rules: &G::Rules) {
    let texts = |seed: u64| random_game::<G>(rules, seed, LONGEST).iter().map(|(p, _)| p.text()).collect();
    let games: HashSet<Vec<String>> = (0..20).map(texts).collect();
    let again: HashSet<Vec<String>> = (0..20).map(texts).collect();
    assert_eq!(games, again);
    assert!(games.len() > 1, "twenty seeds, one game");
}

/// Two players of very different taste meet the same pieces.
#[test]
fn what_is_dealt_depends_on_the_seed_alone() {
    use games::tetris::Tetris;
    let mut compared = 0;
    for rules in variants::<Tetris>() {
        let dealt = |last: bool| {
            let (mut dice, mut position) = (Dice::seeded(&[11]), Tetris::start(&rules));
            let (mut pieces, mut moves) = (vec![], vec![]);
            while position.turn() != Turn::Over && pieces.len() < 8 {
                if position.turn() == Turn::Chance {
                    position.deal(&mut dice);
                    pieces.push(position.next().or(position.current()));
                    continue;
                }
                position.legal_moves(&mut moves);
                position.play_unchecked(if last { moves[moves.len() - 1] } else { moves[0] });
            }
            pieces
        };
        let (a, b) = (dealt(false), dealt(true));
        let common = a.len().min(b.len());
        assert_eq!(a[..common], b[..common]);
        compared += common;
    }
    assert!(compared > 40, "{compared} pieces are too few to prove anything");
}
