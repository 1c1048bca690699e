//! The files that `duel` and `tournament` write while they play: a line a game, and whole games for `replay`.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use measure::arena::{DuelSetup, GameRecord, PlayedPair, Results, record};
use play::PlayedGame;

use crate::failure::unwritten;

/// Opens a file before anything is played, so that an unwritable one is known at once.
fn create<'a>(
    option: &'static str,
    path: &'a Path,
    text: impl Fn(&PlayedPair) -> String + 'a,
) -> anyhow::Result<Growing<'a>> {
    let file = File::create(path).map_err(|error| unwritten(option, path, &error))?;
    Ok(Growing { option, path, file, pairs: 0, text: Box::new(text) })
}

/// The files of a match.
pub struct Files<'a>(Vec<Growing<'a>>);

impl<'a> Files<'a> {
    /// Begins those that are asked for: a line a game, and whole games.
    pub fn create<G: PlayedGame>(
        setup: &'a DuelSetup<G>,
        csv: Option<&'a Path>,
        save: Option<&'a Path>,
    ) -> anyhow::Result<Self> {
        let mut files = Vec::new();
        if let Some(path) = csv {
            let mut file = create("--csv", path, |pair| lines(setup, pair))?;
            file.add(COLUMNS)?;
            files.push(file);
        }
        if let Some(path) = save {
            let text =
                |pair: &PlayedPair| record::records(setup, pair).iter().map(GameRecord::text).collect();
            files.push(create("--save", path, text)?);
        }
        Ok(Self(files))
    }

    /// Adds what counts and is not yet there.
    pub fn write(&mut self, results: &Results) -> anyhow::Result<()> {
        self.0.iter_mut().try_for_each(|file| file.write(results))
    }
}

/// A file that grows with the pairs that count.
struct Growing<'a> {
    option: &'static str,
    path: &'a Path,
    file: File,
    pairs: usize,
    text: Box<dyn Fn(&PlayedPair) -> String + 'a>,
}

impl Growing<'_> {
    fn write(&mut self, results: &Results) -> anyhow::Result<()> {
        let text: String = results.counted().skip(self.pairs).map(&self.text).collect();
        self.pairs = results.counted().len();
        self.add(&text)
    }

    fn add(&mut self, text: &str) -> anyhow::Result<()> {
        self.file.write_all(text.as_bytes()).map_err(|error| unwritten(self.option, self.path, &error))
    }
}

/// The head of a table of games.
const COLUMNS: &str = "pair,game,first,second,opening,result,reason,moves,first_score,second_score,first_seconds,second_seconds\n";

/// One line a game.
fn lines<G: PlayedGame>(setup: &DuelSetup<G>, pair: &PlayedPair) -> String {
    let mut text = String::new();
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let PlayedPair { first, second, opening, .. } = pair;
    for (number, game) in pair.games.iter().enumerate() {
        let seats = if number == 0 { [*first, *second] } else { [*second, *first] };
        let [first, second] = seats.map(|player| quoted(&setup.players[player]));
        let [a, b] = game.spent.map(|nanos| nanos as f64 / 1e9);
        text.push_str(&format!(
            "{},{number},{first},{second},{},{},{},{},{},{},{a},{b}\n",
            pair.pair,
            quoted(opening),
            game.winner.word(),
            quoted(&game.reason.to_string()),
            game.moves.len(),
            game.scores[0],
            game.scores[1],
        ));
    }
    text
}
