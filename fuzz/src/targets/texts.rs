//! What people type: positions, moves, players, options, lists of features, settings, patterns.

use games::draw::Pen;
use games::othello::Phases;
use games::othello::patterns::PatternSet;
use games::{Dice, Rules, Turn};
use learn::fitting::Method;
use learn::models::Form;
use notation::Call;
use play::players::PlayerSpec;
use play::players::common_limits::with_common_limits;
use play::players::notation::with_todays_keys;
use play::players::spec::Spec;
use play::search::Limits;
use play::{Job, PlayedGame, with_game};

use super::{Answer, Room, Verdict, again, check_line, refused, same};

/// Plies that an accepted position is played on.
const PLIES: usize = 6;

/// Reads a text of one game under its rules, which the first line of the input names: `tetris width=6`.
pub(super) trait OfGame {
    fn read<G: PlayedGame>(rules: &G::Rules, text: &str) -> Verdict;
}

pub(super) fn with_head<T: OfGame>(bytes: &[u8]) -> Verdict {
    struct Headed<'a, T>(Vec<(&'a str, &'a str)>, &'a str, std::marker::PhantomData<T>);
    impl<T: OfGame> Job for Headed<'_, T> {
        type Output = Verdict;
        fn run<G: PlayedGame>(self) -> Verdict {
            match G::Rules::from_pairs(self.0) {
                Ok(rules) => T::read::<G>(&rules, self.1),
                Err(error) => refused(error),
            }
        }
    }
    let text = String::from_utf8_lossy(bytes);
    let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let mut words = head.split(' ');
    let name = words.next().unwrap_or_default();
    let pairs = words.filter_map(|word| word.split_once('=')).collect();
    let job = Headed::<T>(pairs, rest, std::marker::PhantomData);
    with_game::<games::Listed, _>(name, job).unwrap_or_else(|| refused("no such game"))
}

/// Whoever accepts a position can play it.
pub(super) fn playable<G: PlayedGame>(position: &G) -> Result<(), String> {
    let (mut now, mut moves) = (position.clone(), Vec::new());
    let mut dice = Dice::seeded(&[7]);
    for _ in 0..PLIES {
        now.legal_moves(&mut moves);
        if moves.len() != now.count_moves() {
            return Err(format!("{}: {} moves, counted as {}", now.text(), moves.len(), now.count_moves()));
        }
        match now.turn() {
            Turn::Player(_) if moves.is_empty() => return Err(format!("{}: nobody can move", now.text())),
            Turn::Player(_) => {
                let mv = dice.pick(&moves);
                let text = now.move_text(mv);
                same("a move", &mv, &again("a move", &text, now.parse_move(&text))?)?;
                again("a legal move", &text, now.play(mv))?;
            }
            Turn::Chance => now.deal(&mut dice),
            Turn::Over => {
                for side in [games::Side::First, games::Side::Second].into_iter().take(G::SIDES.len()) {
                    if !now.final_value(side).is_finite() || !now.score(side).is_finite() {
                        return Err(format!("{}: an end without a value", now.text()));
                    }
                }
                break;
            }
        }
        let text = now.text();
        check_line(&text)?;
        now.draw(&mut Pen::new(false), None);
        now.key();
    }
    Ok(())
}

pub(super) fn positions(bytes: &[u8], _: &Room) -> Verdict {
    struct Positions;
    impl OfGame for Positions {
        fn read<G: PlayedGame>(rules: &G::Rules, text: &str) -> Verdict {
            let position = match G::parse(rules, text) {
                Ok(position) => position,
                Err(error) => return refused(error),
            };
            let printed = position.text();
            same("a position", &position, &again("a position", &printed, G::parse(rules, &printed))?)?;
            playable(&position)?;
            Ok(Answer::Accepted)
        }
    }
    with_head::<Positions>(bytes)
}

/// A position, and then words that are moves; those that are legal are played.
pub(super) fn moves(bytes: &[u8], _: &Room) -> Verdict {
    struct Moves;
    impl OfGame for Moves {
        fn read<G: PlayedGame>(rules: &G::Rules, text: &str) -> Verdict {
            let (position, words) = text.split_once('\n').unwrap_or(("", text));
            let mut position = match G::parse(rules, position) {
                Ok(position) => position,
                Err(error) => return refused(error),
            };
            let mut fault = None;
            for word in words.split('\n').filter(|word| !word.is_empty()) {
                let mv = match position.parse_move(word) {
                    Ok(mv) => mv,
                    Err(error) => {
                        let said = error.to_string();
                        check_line(&said)?;
                        fault = Some(said);
                        continue;
                    }
                };
                let printed = position.move_text(mv);
                check_line(&printed)?;
                same("a move", &mv, &again("a move", &printed, position.parse_move(&printed))?)?;
                let before = position.clone();
                match position.play(mv) {
                    Ok(()) => {
                        let mut dice = Dice::seeded(&[1]);
                        while position.turn() == Turn::Chance {
                            position.deal(&mut dice);
                        }
                    }
                    Err(error) => {
                        check_line(&error.to_string())?;
                        same("a position after an illegal move", &before, &position)?;
                    }
                }
            }
            fault.map_or(Ok(Answer::Accepted), refused)
        }
    }
    with_head::<Moves>(bytes)
}

/// Nothing is started and no player is made.
pub(super) fn players(bytes: &[u8], _: &Room) -> Verdict {
    struct Players;
    impl OfGame for Players {
        fn read<G: PlayedGame>(rules: &G::Rules, text: &str) -> Verdict {
            if let Ok(spec) = Spec::parse(text) {
                let printed = spec.to_string();
                same("a search", &spec, &again("a search", &printed, Spec::parse(&printed))?)?;
            }
            for limits in [Limits::depth(3), Limits::time(1.0)] {
                match with_common_limits(&[text.to_string(), "mcts".into()], &limits) {
                    Ok(_) => {}
                    Err(error) => check_line(&error.to_string())?,
                }
            }
            let _ = with_todays_keys(text);
            match PlayerSpec::<G>::parse(rules, text) {
                Ok(_) => Ok(Answer::Accepted),
                Err(error) => refused(error),
            }
        }
    }
    with_head::<Players>(bytes)
}

/// Words `key=value`.
pub(super) fn rules(bytes: &[u8], _: &Room) -> Verdict {
    struct Options;
    impl OfGame for Options {
        fn read<G: PlayedGame>(_: &G::Rules, text: &str) -> Verdict {
            let words = text.split_ascii_whitespace();
            let pairs = words.map(|word| word.split_once('=').unwrap_or((word, "")));
            let rules = match G::Rules::from_pairs(pairs) {
                Ok(rules) => rules,
                Err(error) => return refused(error),
            };
            let printed = rules.to_pairs();
            let pairs = printed.iter().map(|(key, value)| (*key, value.as_str()));
            same(
                "a set of rules",
                &rules,
                &again("a set of rules", &format!("{printed:?}"), G::Rules::from_pairs(pairs))?,
            )?;
            let start = G::start(&rules);
            let text = start.text();
            same("a start", &start, &again("a start", &text, G::parse(&rules, &text))?)?;
            playable(&start)?;
            Ok(Answer::Accepted)
        }
    }
    with_head::<Options>(bytes)
}

pub(super) fn features(bytes: &[u8], _: &Room) -> Verdict {
    struct Features;
    impl OfGame for Features {
        fn read<G: PlayedGame>(rules: &G::Rules, text: &str) -> Verdict {
            match G::features(rules, text) {
                Ok(features) => {
                    features.names().iter().try_for_each(|name| check_line(name))?;
                    Ok(Answer::Accepted)
                }
                Err(error) => refused(error),
            }
        }
    }
    with_head::<Features>(bytes)
}

/// A text in the one notation, which may be the form of a model or an optimiser.
pub(super) fn settings(bytes: &[u8], _: &Room) -> Verdict {
    let text = &*String::from_utf8_lossy(bytes);
    if let Ok(call) = text.parse::<Call>() {
        let printed = call.to_string();
        same("a call", &call, &again("a call", &printed, printed.parse::<Call>())?)?;
    }
    let form = Form::parse(text);
    if let Some(form) = &form {
        let printed = form.name();
        let read = Form::parse(&printed).ok_or("none");
        same("a form", form, &again("a form", &printed, read)?)?;
        let names = ["a".to_string(), "b".to_string()];
        if form.check(2).is_ok() && form.parameter_names(&names).len() != form.parameter_count(2) {
            return Err(format!("{printed}: as many names as parameters are expected"));
        }
    }
    match Method::parse(text) {
        Ok(method) => {
            let printed = method.text();
            same(
                "an optimiser",
                &printed,
                &again("an optimiser", &printed, Method::parse(&printed))?.text(),
            )?;
            Ok(Answer::Accepted)
        }
        Err(error) => {
            check_line(&error.to_string())?;
            if form.is_some() { Ok(Answer::Accepted) } else { refused(error) }
        }
    }
}

/// Phases if the text begins so, and a set of patterns otherwise.
pub(super) fn patterns(bytes: &[u8], _: &Room) -> Verdict {
    let text = &*String::from_utf8_lossy(bytes);
    if text.trim_start().starts_with("phases") {
        return match Phases::parse(text) {
            Ok(phases) => {
                let printed = phases.text();
                same("a division", &phases, &again("a division", &printed, Phases::parse(&printed))?)?;
                Ok(Answer::Accepted)
            }
            Err(error) => refused(error),
        };
    }
    match PatternSet::parse(text) {
        Ok(set) => {
            let printed = set.text();
            same("a set", &printed, &again("a set", &printed, PatternSet::parse(&printed))?.text())?;
            if set.ties().len() != set.weights() || set.sections().len() > set.weights() {
                return Err("a tie for every weight is expected".into());
            }
            set.fresh(0x0000_0008_1000_0000, 0x0000_0010_0800_0000);
            Ok(Answer::Accepted)
        }
        Err(error) => refused(error),
    }
}
