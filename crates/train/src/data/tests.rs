//! Labels checked against their definitions, formats against any bytes, runs against each other.

use std::ops::ControlFlow;

use games::avalam::Avalam;
use games::othello::Othello;
use games::pushover::Pushover;
use games::{Game, Rules, Side, Turn};
use measure::arena::Openings;
use play::playout::{GameDice, play_observed};
use play::{Games as _, PlayedGame, Visitor};
use proptest::prelude::*;

use super::*;

fn setup<G: PlayedGame>(label: &str) -> LabelSetup<G> {
    LabelSetup {
        rules: G::Rules::default(),
        recorded: Vec::new(),
        players: vec!["random".into()],
        games: 12,
        opening_plies: 3,
        more_plies: 0,
        label: label.parse().unwrap(),
        every: 1,
        distinct: false,
        seed: 5,
    }
}

fn made<G: PlayedGame>(setup: &LabelSetup<G>, threads: usize) -> (Made, Vec<Labelled>) {
    let mut all = Vec::new();
    let mut sink = |position: &Labelled| {
        all.push(position.clone());
        Ok(())
    };
    let made = make(setup, threads, &mut sink, &mut |_| ControlFlow::Continue(())).unwrap();
    (made, all)
}

fn dataset<G: PlayedGame>(setup: &LabelSetup<G>) -> Dataset {
    Dataset { header: setup.header(), positions: made(setup, 2).1 }
}

fn file(format: Format, data: &Dataset) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), format, &data.header).unwrap();
    data.positions.iter().for_each(|position| writer.push(position).unwrap());
    let (bytes, length) = writer.finish().unwrap();
    assert_eq!(bytes.len() as u64, length);
    bytes
}

#[test]
fn every_game_for_two_is_labelled_and_comes_back_from_both_formats() {
    struct All;
    impl Visitor for All {
        fn game<G: PlayedGame>(&mut self) {
            if G::SIDES.len() != 2 || G::CHANCE {
                return;
            }
            for label in [
                "outcome",
                "fraction",
                "difference/48",
                "simulations:3",
                "search/2:alphabeta(depth=2, table=1)",
                "value/48:alphabeta(depth=2, table=1)",
            ] {
                let data = dataset(&setup::<G>(label));
                assert!(data.positions.len() > 60 && data.games() == 12);
                let (text, packed) = (file(Format::Text, &data), file(Format::Packed, &data));
                assert!(3 * packed.len() < 2 * text.len(), "{} of {}", packed.len(), text.len());
                assert_eq!(from_bytes(&text).unwrap(), data);
                assert_eq!(from_bytes(&packed).unwrap(), data);
                for (parsed, labelled) in data.parsed::<G>().unwrap().zip(&data.positions) {
                    let (position, label) = parsed.unwrap();
                    assert_eq!(position.text(), labelled.text);
                    assert!(matches!(position.turn(), Turn::Player(_)) && (-1.0..=1.0).contains(&label));
                }
            }
        }
    }
    games::Listed::visit(&mut All);
}

/// The games played again without any of the code that labels them.
#[test]
fn labels_are_what_they_are_defined_to_be() {
    let outcomes = dataset(&setup::<Pushover>("outcome"));
    let fractions = dataset(&setup::<Pushover>("fraction"));
    let rules = Default::default();
    let openings = Openings::<Pushover>::random(&rules, 3, 12, 5).unwrap();
    let mut at = 0;
    for game in 0..12 {
        let mut players = ["random"; 2].map(|name| play::players::player(&rules, name).unwrap());
        let mut positions = vec![openings.get(game).clone()];
        let mut see = |_, _, after: &Pushover| {
            positions.push(after.clone());
            ControlFlow::Continue(())
        };
        let mut dice = GameDice::new(5, game as u64);
        let end = play_observed(openings.get(game), &mut players, &mut dice, 1000, &mut see).unwrap();
        let length = 3 + end.moves as usize;
        positions.pop();
        for (number, position) in positions.iter().enumerate() {
            let Turn::Player(side) = position.turn() else { panic!("over in the middle") };
            let value = end.end.final_value(side);
            let sign = if value == 0.0 { 0.0 } else { value.signum() };
            let (one, other) = (&outcomes.positions[at], &fractions.positions[at]);
            assert_eq!((one.text.as_str(), one.game), (position.text().as_str(), game as u64));
            assert_eq!((one.label, one.ply as usize), (sign as f32, number + 3));
            assert_eq!(other.label, (sign * (number + 3) as f64 / length as f64) as f32);
            at += 1;
        }
    }
    assert_eq!(at, outcomes.positions.len());
    assert!(outcomes.positions.iter().any(|position| position.label > 0.0));
    assert!(outcomes.positions.iter().any(|position| position.label < 0.0));
}

/// Near the end a random game is nearly decided: simulations agree with what the best side to move can see.
#[test]
fn simulations_measure_the_side_to_move() {
    let data = dataset(&LabelSetup { games: 40, ..setup::<Avalam>("simulations:60") });
    let (mut agree, mut strong) = (0, 0);
    for ((position, label), labelled) in
        data.parsed::<Avalam>().unwrap().map(Result::unwrap).zip(&data.positions)
    {
        let Turn::Player(side) = position.turn() else { unreachable!() };
        let lead = position.score(side) - position.score(side.other());
        if labelled.ply >= 28 && lead.abs() >= 4.0 {
            strong += 1;
            agree += usize::from(label * lead > 0.0);
        }
    }
    assert!(strong > 20 && agree * 10 > strong * 9, "{agree} of {strong}");
    let (_, start) =
        made(&LabelSetup { opening_plies: 0, games: 1, ..setup::<Avalam>("simulations:500") }, 1);
    assert!(start[0].ply == 0 && start[0].label.abs() < 0.25, "{}", start[0].label);
}

#[test]
fn threads_change_nothing_and_seeds_do() {
    for label in ["outcome", "simulations:2"] {
        let setup = LabelSetup { distinct: true, every: 2, ..setup::<Othello>(label) };
        let one = made(&setup, 1);
        assert_eq!(one, made(&setup, 3));
        assert_eq!(one, made(&setup, 64));
        assert_ne!(one, made(&LabelSetup { seed: 6, ..setup.clone() }, 1));
        // More games are the same ones and others after them.
        let more = made(&LabelSetup { games: 20, ..setup.clone() }, 2).1;
        assert_eq!(more[..one.1.len()], one.1[..]);
    }
}

#[test]
fn equals_are_left_out_up_to_symmetry() {
    // The four first moves of Othello are one, and the start is always the start.
    let all = LabelSetup { opening_plies: 0, games: 200, ..setup::<Othello>("outcome") };
    let once = LabelSetup { distinct: true, ..all.clone() };
    let ((_, all), (made, once)) = (made(&all, 2), made(&once, 2));
    assert_eq!(made.positions + made.duplicates, all.len() as u64);
    let at = |positions: &[Labelled], ply| positions.iter().filter(|position| position.ply == ply).count();
    assert_eq!((at(&all, 0), at(&once, 0), at(&once, 1), at(&once, 2)), (200, 1, 1, 3));
    // The first ones are kept, in their order.
    let mut rest = all.iter();
    assert!(once.iter().all(|position| rest.any(|other| other == position)));
}

#[test]
fn every_so_manieth_position_and_two_players() {
    let all = made(&setup::<Avalam>("outcome"), 1).1;
    let (_, some) = made(&LabelSetup { every: 4, ..setup::<Avalam>("outcome") }, 1);
    assert!(
        some.iter()
            .all(|one| (one.ply as usize - 3 + one.game as usize).is_multiple_of(4) && all.contains(one))
    );
    assert!((all.len() / 5..all.len() / 3).contains(&some.len()));

    let both = vec!["greedy".to_string(), "random".to_string()];
    let (_, duel) = made(&LabelSetup { players: both, games: 40, ..setup::<Avalam>("outcome") }, 2);
    let first = |game: u64| duel.iter().find(|position| position.game == game).unwrap();
    // A pair begins from one position; greedy wins from either side.
    assert!((0..40).step_by(2).all(|game| first(game).text == first(game + 1).text));
    let to_move = Avalam::parse(&Default::default(), &first(0).text).unwrap().turn();
    let sign = if to_move == Turn::Player(Side::First) { 1.0 } else { -1.0 };
    let sum = |odd: u64| (0..20).map(|pair| sign * first(2 * pair + odd).label).sum::<f32>();
    assert!(sum(0) > 10.0 && sum(1) < -10.0, "{} {}", sum(0), sum(1));
}

#[test]
fn what_is_broken_off_is_whole() {
    let setup = LabelSetup { games: 5000, ..setup::<Othello>("outcome") };
    let mut all = Vec::new();
    let mut sink = |position: &Labelled| {
        all.push(position.clone());
        Ok(())
    };
    let mut watch = |live: &LabelProgress| {
        if live.made.games > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let broken = make(&setup, 2, &mut sink, &mut watch).unwrap();
    assert!(broken.games > 0 && broken.games < 5000);
    assert_eq!(all, made(&LabelSetup { games: broken.games, ..setup }, 1).1);
}

#[test]
fn wrong_setups_are_refused() {
    let refused = |setup: LabelSetup<Othello>| {
        make(&setup, 2, &mut |_| Ok(()), &mut |_| ControlFlow::Continue(())).unwrap_err().to_string()
    };
    let error = refused(LabelSetup { opening_plies: 70, ..setup("outcome") });
    assert!(error.contains("a random game of othello is over before"), "{error}");
    let error = refused(LabelSetup { players: vec!["randon".into()], ..setup("outcome") });
    assert!(error.contains("'random'?"), "{error}");
    let full = |_: &Labelled| Err(std::io::Error::other("the disk is full"));
    let error = make(&setup::<Othello>("outcome"), 2, &mut { full }, &mut |_| ControlFlow::Continue(()));
    assert_eq!(error.unwrap_err().to_string(), "the disk is full");
    for text in
        ["", "outcomes", "simulations", "simulations:0", "simulations:x", "simulations:-1", "outcome:1"]
    {
        assert!(text.parse::<Label>().is_err(), "{text}");
    }
}

#[test]
fn a_split_tears_no_game() {
    let data = dataset(&LabelSetup { games: 50, ..setup::<Pushover>("outcome") });
    let (training, test) = data.split(0.2, 1);
    assert_eq!((training.games(), test.games()), (40, 10));
    assert_eq!(training.positions.len() + test.positions.len(), data.positions.len());
    assert!(test.positions.iter().all(|one| training.positions.iter().all(|other| other.game != one.game)));
    assert_eq!(data.split(0.2, 1), (training, test.clone()));
    assert_ne!(data.split(0.2, 2).1, test);
    assert!(data.split(0.0, 1).1.positions.is_empty() && data.split(1.0, 1).0.positions.is_empty());
}

#[test]
fn a_file_of_another_game_or_a_finished_one_is_refused() {
    let data = dataset(&setup::<Othello>("outcome"));
    assert!(data.parsed::<Avalam>().err().unwrap().to_string().contains("avalam is expected"));
    let mut ruled = data.clone();
    ruled.header.rules.insert("size".into(), "5".into());
    assert!(ruled.rules::<Othello>().unwrap_err().to_string().contains("unknown option 'size'"));
    let mut over = data.clone();
    over.positions[1].text = format!("{} X;", "X".repeat(64));
    over.positions[2].text = "nonsense".into();
    let errors: Vec<_> = over.parsed::<Othello>().unwrap().filter_map(Result::err).collect();
    assert!(errors.len() == 2 && errors[0].to_string().starts_with("position number 2: "), "{errors:?}");
    let five = games::pushover::PushoverRules::from_pairs([("size", "5")]).unwrap();
    let five = dataset(&LabelSetup { rules: five.clone(), ..setup::<Pushover>("outcome") });
    assert!(five.parsed::<Pushover>().unwrap().all(|position| position.is_ok()));
}

/// Positions that no game has, but that a file can hold.
fn labelled() -> impl Strategy<Value = Labelled> {
    let text = "[-+.XOé ]{1,40}";
    (text, -1.0f32..=1.0, any::<u32>(), any::<u64>()).prop_map(|(text, label, ply, game)| Labelled {
        text,
        label,
        ply,
        game,
    })
}

/// A packed file with a right checksum, whatever else is wrong with it.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = packed::Packer::default();
    packer.count(bytes);
    [bytes, &packer.checksum()].concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn whatever_is_written_is_read(positions in prop::collection::vec(labelled(), 0..20)) {
        let data = Dataset { header: setup::<Othello>("fraction").header(), positions };
        for format in [Format::Text, Format::Packed] {
            prop_assert_eq!(&from_bytes(&file(format, &data)).unwrap(), &data);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(from_bytes(&bytes).is_err());
        for format in [Format::Text, Format::Packed] {
            let data = Dataset { header: setup::<Othello>("outcome").header(), positions: Vec::new() };
            let mut whole = file(format, &data);
            // Behind a good header: as they are, and with a right checksum.
            whole.truncate(whole.iter().position(|&byte| byte == b'\n').unwrap() + 1);
            whole.extend(&bytes);
            let _ = from_bytes(&whole);
            let _ = from_bytes(&sealed(&whole));
        }
    }

    #[test]
    fn damage_is_seen(
        positions in prop::collection::vec(labelled(), 1..6),
        at in any::<prop::sample::Index>(),
        to in any::<u8>(),
    ) {
        let data = Dataset { header: setup::<Othello>("outcome").header(), positions };
        let whole = file(Format::Packed, &data);
        let at = at.index(whole.len());
        prop_assert!(from_bytes(&whole[..at]).is_err());
        let mut wrong = whole.clone();
        wrong[at] = to;
        prop_assert!(wrong == whole || from_bytes(&wrong).is_err());
        // A right checksum over the damage is no reason to panic.
        let _ = from_bytes(&sealed(&wrong[..wrong.len() - 8]));
        let mut text = file(Format::Text, &data);
        let at = at % text.len();
        text[at] = to;
        let _ = from_bytes(&text);
        let _ = from_bytes(&text[..at]);
    }
}

#[test]
fn a_search_labels_by_what_it_finds() {
    use play::search::evaluation::{Score, is_decided};
    use play::search::minimax::Minimax;
    use play::search::{Limits, Searcher};
    let data = dataset(&setup::<Pushover>("search/4:minimax(depth=3)"));
    let (mut decided, mut open) = (0, 0);
    for parsed in data.parsed::<Pushover>().unwrap() {
        let (position, label) = parsed.unwrap();
        let found = Minimax::new(Score).search(&position, &Limits::depth(3), &mut games::Dice::seeded(&[1]));
        let share = 1.0 / (1.0 + math::exp(-found.value / 4.0));
        let expected = if is_decided(found.value) { found.value.signum() } else { 2.0 * share - 1.0 };
        assert!((label - expected).abs() < 1e-6, "{label} {found:?}");
        *if is_decided(found.value) { &mut decided } else { &mut open } += 1;
    }
    assert!(decided > 10 && open > 10, "{decided} {open}");
}

#[test]
fn a_search_that_remembers_labels_the_same_on_any_number_of_threads() {
    for label in ["search:alphabeta(depth=3, table=1)", "search:mcts(simulations=600)", "search:best-move"] {
        let setup = LabelSetup { games: 5, every: 3, ..setup::<Avalam>(label) };
        let (_, one) = made(&setup, 1);
        assert_eq!(one, made(&setup, 3).1);
        assert!(one.iter().any(|position| !matches!(position.label, -1.0 | 0.0 | 1.0)));
        // Two moves are one link: the last move of a game, seen to its end.
        let last = LabelSetup { every: 1, ..setup };
        let mut ends = made(&last, 2).1;
        ends.retain(|one| Avalam::parse(&Default::default(), &one.text).unwrap().count_moves() <= 2);
        assert!(!ends.is_empty(), "{label}");
        assert!(ends.iter().all(|one| matches!(one.label, -1.0 | 0.0 | 1.0)), "{label} {ends:?}");
    }
}

#[test]
fn labels_by_search_are_read_and_printed() {
    for (text, printed) in [
        ("search:alphabeta", "search:alphabeta(depth=4)"),
        ("search/2.50:mcts(simulations=7)", "search/2.5:mcts(simulations=7)"),
        ("search/1:best-move(eval=score)", "search:best-move"),
        ("value/64.0:alphabeta(nodes=1000)", "value/64:alphabeta(nodes=1000)"),
    ] {
        let label: Label = text.parse().unwrap();
        assert_eq!(label.to_string(), printed);
        assert_eq!(printed.parse::<Label>().unwrap(), label);
    }
    for (text, said) in [
        (
            "search",
            "unknown label 'search'; known: outcome, fraction, difference/N, simulations:N, search:PLAYER",
        ),
        ("search:random", "unknown search 'random'"),
        ("search:alphabeta(depth=0)", "depth cannot be '0'"),
        ("search/0:alphabeta", "the number is one from"),
        ("search/nan:alphabeta", "the number is one from"),
        ("search:alphabeta(game-time=1)", "a game time is for a game"),
        ("search:hybrid(1: mcts)", "allowed: one search"),
        ("value/64:hybrid(1: minimax)", "allowed: one search"),
        ("value/0:minimax", "the number is one from"),
        ("value/64:mcts", "mcts counts wins"),
        (
            "value:minimax",
            "known: outcome, fraction, difference/N, simulations:N, search:PLAYER, value/N:PLAYER",
        ),
    ] {
        let error = text.parse::<Label>().unwrap_err();
        assert!(error.contains(said), "{error}");
    }
}

/// The same search by itself: values in discs, and near the end what the game is won by.
#[test]
fn a_label_by_value_is_in_the_unit_of_the_game() {
    use play::search::evaluation::{Score, is_decided, margin};
    use play::search::minimax::Minimax;
    use play::search::{Limits, Searcher};
    let setup = LabelSetup { opening_plies: 50, ..setup::<Othello>("value/32:minimax(depth=3)") };
    let data = dataset(&setup);
    let (mut decided, mut open, mut cut_off) = (0, 0, 0);
    for parsed in data.parsed::<Othello>().unwrap() {
        let (position, label) = parsed.unwrap();
        let found = Minimax::new(Score).search(&position, &Limits::depth(3), &mut games::Dice::seeded(&[1]));
        let expected = (margin(found.value) / 32.0).clamp(-1.0, 1.0);
        assert!((label - expected).abs() < 1e-6, "{label} {found:?}");
        cut_off += usize::from(expected.abs() == 1.0);
        *if is_decided(found.value) { &mut decided } else { &mut open } += 1;
    }
    assert!(decided > 10 && open > 10 && cut_off > 0, "{decided} {open} {cut_off}");
}

/// A search that asks the solver labels ends by their exact score.
#[test]
fn ends_are_labelled_by_the_exact_score() {
    use play::search::limits::Budget;
    use play::solve::othello::Solver;
    let exact = |position: &Othello| {
        let score = Solver::new(4).solve(position, &mut Budget::new(None, None), &mut 0).unwrap().score;
        f64::from(score)
    };
    let label = "value/64:alphabeta(nodes=200000, table=4)";
    let setup = LabelSetup { opening_plies: 48, games: 4, ..setup::<Othello>(label) };
    for parsed in dataset(&setup).parsed::<Othello>().unwrap() {
        let (position, label) = parsed.unwrap();
        assert!((64.0 * label - exact(&position)).abs() < 1e-4, "{}", position.text());
    }
}

#[test]
fn where_the_winner_alone_is_known_a_value_is_on_its_side() {
    use super::label::won_by;
    use play::search::Found;
    use play::search::evaluation::{WIN, decided};
    let worth = |value: f64, thought: f64| {
        let (best, line) = (games::othello::Move::PASS, Vec::new());
        let found = Found::<Othello> { best, value, line, depth: 5, nodes: 9, exact: false, seconds: 0.0 };
        won_by(&found, &mut |depth| {
            assert!(depth == 5 && value.abs() == WIN, "asked again about {value} to {depth}");
            thought
        })
    };
    assert_eq!((worth(3.25, 9.0), worth(decided(-12.0), 9.0), worth(0.0, 9.0)), (3.25, -12.0, 0.0));
    assert_eq!((worth(WIN, 7.5), worth(WIN, decided(8.0)), worth(WIN, -3.0)), (7.5, 8.0, 0.0));
    assert_eq!((worth(-WIN, 7.5), worth(-WIN, -3.0)), (0.0, -3.0));
}

/// Players that solve the end play it out as it is worth: the final difference of their games is the exact score.
#[test]
fn games_of_a_player_that_solves_the_end_are_labelled_by_the_exact_score() {
    use play::search::limits::Budget;
    use play::solve::othello::Solver;
    let player = "hybrid(1: alphabeta(depth=1), 49: alphabeta(nodes=1000000, table=4))";
    let setup = LabelSetup {
        opening_plies: 48,
        games: 4,
        players: vec![player.into()],
        ..setup::<Othello>("difference/64")
    };
    let data = dataset(&setup);
    let mut solved = 0;
    for (parsed, labelled) in data.parsed::<Othello>().unwrap().zip(&data.positions) {
        let (position, label) = parsed.unwrap();
        if labelled.ply >= 48 {
            let exact = Solver::new(4).solve(&position, &mut Budget::new(None, None), &mut 0).unwrap();
            assert_eq!(64.0 * label, f64::from(exact.score), "{}", position.text());
            solved += 1;
        }
    }
    assert!(solved > 30, "{solved}");
}

/// Games of players become records, and the records get the labels that the games had.
#[test]
fn recorded_games_are_labelled_as_if_they_were_played() {
    for label in
        ["outcome", "fraction", "difference/64", "simulations:3", "value/64:alphabeta(depth=2, table=1)"]
    {
        let setup = LabelSetup { opening_plies: 0, games: 6, ..setup::<Othello>(label) };
        let played = made(&setup, 2).1;
        let mut recorded: Vec<Record<Othello>> = Vec::new();
        for number in 0..6 {
            let texts = played.iter().filter(|one| one.game == number);
            let mut line: Vec<Othello> =
                texts.map(|one| Othello::parse(&Default::default(), &one.text).unwrap()).collect();
            // The move that leads from a position to the next; of the last one any that ends the game.
            let leads = |from: &Othello, to: Option<&Othello>| {
                let mut moves = Vec::new();
                from.legal_moves(&mut moves);
                let after = |mv| {
                    let mut after = *from;
                    after.play_unchecked(mv);
                    after
                };
                let is_it = |after: &Othello| match to {
                    Some(to) => after == to,
                    None => after.turn() == Turn::Over,
                };
                moves.into_iter().find(|&mv| is_it(&after(mv))).unwrap()
            };
            let moves: Vec<_> = (0..line.len()).map(|i| leads(&line[i], line.get(i + 1))).collect();
            let mut end = *line.last().unwrap();
            end.play_unchecked(*moves.last().unwrap());
            let margin = end.final_value(Side::First);
            recorded.push(Record { start: line.swap_remove(0), moves, margin });
        }
        let retraced = LabelSetup { recorded, players: Vec::new(), ..setup };
        assert_eq!(made(&retraced, 2).1, played, "{label}");
        assert_eq!(made(&retraced, 1), made(&retraced, 3));
        let every = made(&LabelSetup { every: 3, ..retraced.clone() }, 2).1;
        assert!(every.len() * 2 < played.len() && every.iter().all(|one| played.contains(one)));
        // Where the moves stop early, the last position is still labelled.
        let mut short = retraced;
        short.recorded.iter_mut().for_each(|record| record.moves.truncate(5));
        assert_eq!(made(&short, 1).1.len(), 6 * 6);
    }
}

#[test]
fn a_header_is_refused_in_one_line() {
    let error = from_bytes(b"evalforge positions 1 text {\"ga\\u001b[2Jme\": 1}\n").unwrap_err();
    assert!(error.contains("unknown field") && !error.contains(char::is_control), "{error:?}");
}
