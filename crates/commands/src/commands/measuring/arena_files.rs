//! The files that `duel` writes while it plays: a line a game, and whole games for `review`.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use measure::arena::{DuelSetup, GameRecord, PlayedPair, Results, record};
use play::PlayedGame;

use crate::failure::unwritten;

/// Opens a file before anything is played, so that an unwritable one is known at once.
pub fn create(option: &str, path: &Path) -> anyhow::Result<File> {
    File::create(path).map_err(|error| unwritten(option, path, &error))
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
            let mut file = Growing::begin("--csv", path, |pair: &PlayedPair| lines(setup, pair))?;
            file.add(COLUMNS)?;
            files.push(file);
        }
        if let Some(path) = save {
            let ending = path.extension().and_then(|ending| ending.to_str());
            let ending = G::WRITTEN.iter().find(|known| ending == Some(**known));
            let text = move |pair: &PlayedPair| match ending {
                Some(ending) => {
                    record::written(setup, pair).iter().map(|game| G::game_text(ending, game)).collect()
                }
                None => record::records(setup, pair).iter().map(GameRecord::text).collect(),
            };
            files.push(Growing::begin("--save", path, text)?);
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

impl<'a> Growing<'a> {
    fn begin(
        option: &'static str,
        path: &'a Path,
        text: impl Fn(&PlayedPair) -> String + 'a,
    ) -> anyhow::Result<Self> {
        Ok(Self { option, path, file: create(option, path)?, pairs: 0, text: Box::new(text) })
    }

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
