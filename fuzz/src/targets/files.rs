//! Files that people hand to the program: experiments, models, fits, games and positions.

use std::str::from_utf8;

use games::othello::Othello;
use games::othello::ggf::Ggf;
use games::pushover::Pushover;
use games::rules::Fixed;
use games::{Dice, Game, Turn};
use measure::arena::{BookOrder, GameRecord, Openings, record};
use measure::problems;
use play::evaluator::{Evaluator, ModelFile};
use play::files::checksum;
use play::recorded::wthor::{self, Names};
use play::search::probcut::ProbCutFile;
use play::search::ratios::RatiosFile;
use play::{Job, PlayedGame, with_game};
use train::data::{self, Format, Writer};
use train::run::config::Config;
use train::run::experiment::Experiment;

use super::texts::playable;
use super::{Answer, Room, Verdict, again, check_line, refused, same};

const NO_TEXT: &str = "it is no text";

/// Two things without an equality of their own, or in which a number may be none.
fn same_shown<T: std::fmt::Debug>(what: &str, first: &T, again: &T) -> Result<(), String> {
    same(what, &format!("{first:?}"), &format!("{again:?}"))
}

/// An experiment becomes a plan; nothing is started.
pub(super) fn experiments(bytes: &[u8], _: &Room) -> Verdict {
    let Ok(text) = from_utf8(bytes) else { return refused(NO_TEXT) };
    let plan = |text: &str, quick| Experiment::parse::<games::Listed>("it", "it.toml", text, quick, &[]);
    if let Err(error) = plan(text, true) {
        check_line(&error.to_string())?;
    }
    let experiment = match plan(text, false) {
        Ok(experiment) => experiment,
        Err(error) => return refused(error),
    };
    let configs: Vec<&Config> = experiment.configs().collect();
    for config in &configs {
        let printed = config.text();
        // The quick variant is no part of what is printed.
        let plain = Config { quick: Default::default(), ..(*config).clone() };
        same_shown("a stage", &plain, &again("a stage", &printed, Config::parse("", &printed, false, &[]))?)?;
        if configs.len() == 1 {
            again("an experiment", &printed, plan(&printed, false))?;
        }
    }
    Ok(Answer::Accepted)
}

pub(super) fn models(bytes: &[u8], _: &Room) -> Verdict {
    struct Evaluated<'a>(&'a ModelFile);
    impl Job for Evaluated<'_> {
        type Output = Verdict;
        fn run<G: PlayedGame>(self) -> Verdict {
            let rules = G::Rules::default();
            let function = match Evaluator::<G>::from_file("it.json", self.0, &rules) {
                Ok(function) => function,
                Err(error) => return refused(error),
            };
            let (mut position, mut dice) = (G::start(&rules), Dice::seeded(&[1]));
            while position.turn() == Turn::Chance {
                position.deal(&mut dice);
            }
            let (mut moves, mut rows, mut values) = (Vec::new(), Vec::new(), Vec::new());
            position.legal_moves(&mut moves);
            function.values(&position, &moves, &mut rows, &mut values);
            match values.len() == moves.len()
                && function.parameter_names().len() == function.model().parameters().len()
            {
                true => Ok(Answer::Accepted),
                false => Err("a value for every move and a name for every parameter are expected".into()),
            }
        }
    }
    let Ok(text) = from_utf8(bytes) else { return refused(NO_TEXT) };
    let file = match ModelFile::parse("it.json", text) {
        Ok(file) => file,
        Err(error) => return refused(error),
    };
    for printed in [file.text(), file.line()] {
        same("a model", &file, &again("a model", &printed, ModelFile::parse("it.json", &printed))?)?;
    }
    let read = with_game::<games::Listed, _>(&file.game, Evaluated(&file));
    read.unwrap_or_else(|| refused("no such game"))
}

pub(super) fn probcut(bytes: &[u8], _: &Room) -> Verdict {
    let Ok(text) = from_utf8(bytes) else { return refused(NO_TEXT) };
    match ProbCutFile::parse("it.json", text, Othello::NAME) {
        Ok(file) => {
            let printed = file.text();
            same(
                "a fit",
                &file,
                &again("a fit", &printed, ProbCutFile::parse("it.json", &printed, Othello::NAME))?,
            )?;
            if let Err(error) = file.check("it.json", "score", &[]) {
                check_line(&error.to_string())?;
            }
            let cuts = file.cuts(1.0);
            file.cuts.iter().for_each(|cut| {
                let _ = cuts.at(cut.deep, cut.from).count();
            });
            Ok(Answer::Accepted)
        }
        Err(error) => refused(error),
    }
}

pub(super) fn clocks(bytes: &[u8], _: &Room) -> Verdict {
    let Ok(text) = from_utf8(bytes) else { return refused(NO_TEXT) };
    match RatiosFile::parse("it.json", text, "avalam") {
        Ok(file) => {
            let printed = file.text();
            same(
                "a clock",
                &file,
                &again("a clock", &printed, RatiosFile::parse("it.json", &printed, "avalam"))?,
            )?;
            file.ratios().get(20, 5);
            Ok(Answer::Accepted)
        }
        Err(error) => refused(error),
    }
}

pub(super) fn wthor(bytes: &[u8], _: &Room) -> Verdict {
    let mut is_read = false;
    for kind in [Names::Players, Names::Tournaments] {
        match wthor::names(bytes, kind) {
            Ok(names) => {
                is_read = true;
                names.iter().try_for_each(|name| check_line(name))?;
            }
            Err(error) => check_line(&error.to_string())?,
        }
    }
    match wthor::games(bytes) {
        Ok(read) => {
            for game in &read.games {
                let mut position = Othello::start(&Fixed);
                for &mv in &game.moves {
                    again("a move", "", position.play(mv))?;
                }
            }
            Ok(Answer::Accepted)
        }
        Err(_) if is_read => Ok(Answer::Accepted),
        Err(error) => refused(error),
    }
}

pub(super) fn ggf(bytes: &[u8], room: &Room) -> Verdict {
    let path = room.file("it.ggf", bytes)?;
    if let Err(error) = Othello::read_games(&path) {
        check_line(&error.to_string())?;
    }
    let Ok(text) = from_utf8(bytes) else { return refused(NO_TEXT) };
    let games = match Ggf::parse_all(text) {
        Ok(games) => games,
        Err(error) => return refused(error),
    };
    for game in &games {
        let printed = game.text();
        let read = again("a game", &printed, Ggf::parse(&printed))?;
        same("a game", &(&game.players, game.start, &game.moves), &(&read.players, read.start, &read.moves))?;
        same("a printed game", &printed, &read.text())?;
        game.end();
    }
    if games.is_empty() { refused("there is no game") } else { Ok(Answer::Accepted) }
}

pub(super) fn obf(bytes: &[u8], room: &Room) -> Verdict {
    let problems = match problems::read(&room.file("it.obf", bytes)?) {
        Ok(problems) => problems,
        Err(error) => return refused(error),
    };
    for problem in &problems {
        playable(&problem.position)?;
        for &(mv, _) in &problem.scores {
            again("a move", "", problem.position.check(mv))?;
            problem.is_best(mv);
        }
    }
    Ok(Answer::Accepted)
}

pub(super) fn openings(bytes: &[u8], room: &Room) -> Verdict {
    match Openings::<Othello>::read(&Fixed, &room.file("it.txt", bytes)?, &BookOrder::default()) {
        Ok(openings) => {
            check_line(openings.label())?;
            (0..openings.distinct().min(8)).try_for_each(|pair| playable(openings.get(pair)))?;
            Ok(Answer::Accepted)
        }
        Err(error) => refused(error),
    }
}

pub(super) fn recorded(bytes: &[u8], _: &Room) -> Verdict {
    let Ok(text) = from_utf8(bytes) else { return refused(NO_TEXT) };
    Pushover::may_be_positions(bytes);
    match Pushover::read_positions(text) {
        Ok(positions) => {
            positions.iter().take(8).try_for_each(|one| playable(&one.position))?;
            Ok(Answer::Accepted)
        }
        Err(error) => refused(error),
    }
}

pub(super) fn saved_games(bytes: &[u8], _: &Room) -> Verdict {
    struct Replayed<'a>(&'a GameRecord);
    impl Job for Replayed<'_> {
        type Output = Verdict;
        fn run<G: PlayedGame>(self) -> Verdict {
            match self.0.replay::<G>() {
                Ok(_) => Ok(Answer::Accepted),
                Err(error) => refused(error),
            }
        }
    }
    let Ok(text) = from_utf8(bytes) else { return refused(NO_TEXT) };
    let games = match record::parse(text) {
        Ok(games) => games,
        Err(error) => return refused(error),
    };
    let printed: String = games.iter().map(GameRecord::text).collect();
    same("a list of games", &games, &again("a list of games", &printed, record::parse(&printed))?)?;
    for game in &games {
        match with_game::<games::Listed, _>(&game.game, Replayed(game)) {
            Some(Ok(Answer::Accepted)) => {}
            Some(other) => return other,
            None => return refused("no such game"),
        }
    }
    Ok(Answer::Accepted)
}

pub(super) fn labelled(bytes: &[u8], _: &Room) -> Verdict {
    struct Parsed<'a>(&'a data::Dataset);
    impl Job for Parsed<'_> {
        type Output = Verdict;
        fn run<G: PlayedGame>(self) -> Verdict {
            let positions = match self.0.parsed::<G>() {
                Ok(positions) => positions,
                Err(error) => return refused(error),
            };
            for position in positions {
                match position {
                    Ok((position, _)) => playable(&position)?,
                    Err(error) => check_line(&error.to_string())?,
                }
            }
            Ok(Answer::Accepted)
        }
    }
    let read = match data::from_bytes(bytes) {
        Ok(read) => read,
        Err(error) => return refused(error),
    };
    for (_, format) in Format::WORDS {
        let failed = |error: std::io::Error| format!("what was read cannot be written: {error}");
        let mut writer = Writer::new(Vec::new(), format, &read.header).map_err(failed)?;
        read.positions.iter().try_for_each(|position| writer.push(position)).map_err(failed)?;
        let (written, _) = writer.finish().map_err(failed)?;
        same("a file", &read, &again("a file", format.word(), data::from_bytes(&written))?)?;
    }
    read.split(0.5, 1);
    with_game::<games::Listed, _>(&read.header.game, Parsed(&read)).unwrap_or_else(|| refused("no such game"))
}

/// The packed format ends with the checksum of what stands before it.
pub(super) fn seal_labelled(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.starts_with(b"evalforge positions 1 packed") && bytes.len() > 40 {
        bytes.truncate(bytes.len() - 8);
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
    }
    bytes
}
