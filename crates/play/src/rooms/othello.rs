//! Othello as players know it: functions that add up tables of patterns, the solver at the end, programs that speak GTP or NBoard.

use std::path::Path;
use std::sync::Arc;

use games::Side;
use games::othello::Othello;
use notation::name_of;

use super::PlayedGame;
use crate::evaluator::Evaluator;
use crate::patterns::{ENDING, TableModel};
use crate::players::{OwnFunction, OwnPlayer, PlayerError, PlayerInfo, SearchMaker};
use crate::protocol::othello::external::ExternalOthello;
use crate::protocol::pipe::serve_nboard;
use crate::protocol::thinker::Thinker;
use crate::protocol::{ProtocolInfo, ServeError, Table};
use crate::recorded::{self, RecordedError, RecordedGame, WrittenGame};
use crate::search::Searcher;
use crate::search::clock::ClockPlan;
use crate::search::endgame::{Endgame, othello};
use crate::search::evaluation::{ModelEval, Score};
use crate::search::pattern_eval::{PatternEval, PatternEvalAfresh};
use crate::shipped::{Best, PATTERNS};
use crate::timed::{self, Timed};

const BEST: &str = "alphabeta(time=1, probcut=patterns, eval=patterns)";

impl PlayedGame for Othello {
    const LEVEL_ELO: &'static [i32] = &[0, 282, 502, 684, 898, 1065, 1280, 1297];

    const BEST: Option<Best> = Some(Best {
        evaluation: "patterns",
        player: BEST,
        engine: BEST,
        // Cuts would give symmetric moves different values.
        analyst: "alphabeta(time=5, eval=patterns)",
    });
    const PROBCUTS: &'static [(&'static str, &'static str)] =
        &[("patterns", include_str!("../../../../models/othello/patterns.probcut.json"))];
    const OWN_FUNCTIONS: &'static [&'static str] = &["patterns"];
    const FUNCTION_FILES: &'static [PlayerInfo] = &[PlayerInfo {
        name: "FILE.tables",
        summary: "tables of patterns that 'evalforge fit tables' has written",
    }];
    const OWN_PLAYERS: &'static [PlayerInfo] = &[
        PlayerInfo {
            name: "external(gtp=COMMAND)",
            summary: "a program of somebody else's that speaks GTP; seconds=S a move, game-time=S a game",
        },
        PlayerInfo {
            name: "external(nboard=COMMAND)",
            summary: "one that speaks NBoard; depth=N, seconds=S a move, game-time=S a game",
        },
    ];

    const TITLE: &'static str = "Othello";
    const PROTOCOLS: &'static [ProtocolInfo] = &[ProtocolInfo {
        name: "nboard",
        summary: "version 2 over standard input and output, for NBoard",
        is_network: false,
    }];
    const RECORDED: &'static [&'static str] = &["wtb", "ggf"];

    /// As in f5d6c3: books and transcripts have no blanks.
    fn book_moves(line: &str) -> Vec<String> {
        let signs: Vec<char> = line.chars().filter(|sign| !sign.is_whitespace()).collect();
        signs.chunks(2).map(|square| square.iter().collect()).collect()
    }

    const WRITTEN: &'static [&'static str] = &["ggf"];

    fn game_text(_ggf: &str, game: &WrittenGame<Self>) -> String {
        recorded::othello::ggf_text(game)
    }

    fn clock_plan() -> ClockPlan {
        ClockPlan::even(60)
    }

    fn endgame(megabytes: usize) -> Option<Box<dyn Endgame<Self>>> {
        Some(Box::new(othello::Exact::new(megabytes)))
    }

    fn is_called(name: &str) -> bool {
        ["othello", "reversi"].iter().any(|known| name.eq_ignore_ascii_case(known))
    }

    fn rows(&self) -> Vec<String> {
        let square = |index: usize| match index {
            _ if self.discs(Side::First) >> index & 1 != 0 => "X",
            _ if self.discs(Side::Second) >> index & 1 != 0 => "O",
            _ => ".",
        };
        let row = |row: usize| (0..8).map(|column| square(8 * row + column)).collect::<Vec<_>>().join(" ");
        (0..8).map(row).collect()
    }

    fn serve(_nboard: &str, rules: &Self::Rules, table: Table<'_>) -> Result<(), ServeError> {
        let thinker = Thinker::new(rules, table.player, table.seed)?;
        Ok(serve_nboard(thinker, table.input, table.output)?)
    }

    fn own_function(text: &str) -> Result<Option<Arc<dyn OwnFunction<Self>>>, PlayerError> {
        Ok(match text {
            _ if text == PATTERNS.name => Some(PATTERNS.model()),
            _ if text.ends_with(ENDING) => Some(Arc::new(TableModel::load(Path::new(text))?)),
            _ => None,
        })
    }

    fn read_games(path: &Path) -> Result<Vec<RecordedGame<Self>>, RecordedError> {
        recorded::othello::read_games(path)
    }

    fn search_score(make: SearchMaker<'_>) -> Box<dyn Searcher<Self>> {
        make.over(Score)
    }

    fn search_with(make: SearchMaker<'_>, evaluator: Arc<Evaluator<Self>>) -> Box<dyn Searcher<Self>> {
        make.over(ModelEval(evaluator))
    }

    fn own_player(_rules: &Self::Rules, text: &str) -> Result<Option<OwnPlayer<Self>>, PlayerError> {
        if name_of(text) != "external" {
            return Ok(None);
        }
        let text = text.to_string();
        let program = ExternalOthello::parse(&text)?;
        Ok(Some(OwnPlayer::of_program(program.command(), move || Ok(Box::new(ExternalOthello::new(&text)?)))))
    }

    fn timed() -> Vec<Timed> {
        timed::othello::timed()
    }
}

impl OwnFunction<Othello> for TableModel {
    fn search(self: Arc<Self>, make: SearchMaker<'_>) -> Box<dyn Searcher<Othello>> {
        if make.is_updated() { make.over(PatternEval(self)) } else { make.over(PatternEvalAfresh(self)) }
    }

    fn about(&self) -> &str {
        TableModel::about(self)
    }

    fn shares(&self, position: &Othello) -> Vec<(String, f64)> {
        TableModel::shares(self, position.own(), position.opponent())
    }
}
