//! A room a game: what only one game has in the half that plays, one file a game, and the way to a game by its name.

mod avalam;
mod othello;
mod pushover;
mod tetris;
mod tetris_fast;
mod words;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use games::{Game, GameInfo, Rules};

use crate::evaluator::Evaluator;
use crate::outlook::{self, Expert};
use crate::players::spec::SCORE;
use crate::players::{OwnFunction, OwnPlayer, PlayerError, PlayerInfo, PlayerSpec, SearchMaker};
use crate::protocol::{ProtocolInfo, ServeError, Table};
use crate::recorded::{RecordedError, RecordedGame, RecordedPosition, WrittenGame};
use crate::search::Searcher;
use crate::search::clock::ClockPlan;
use crate::search::endgame::Endgame;
use crate::search::evaluation::{ModelEval, Score};
use crate::search::ratios::Ratios;
use crate::shipped::{Best, Shipped};
use crate::solo::{self, Measure, SoloPlayer};
use crate::solve::{OracleMaker, Progress};
use crate::timed::Timed;

pub use words::{Dealt, Words};

/// A game as players know it. Everything has a default: a new game writes `impl PlayedGame for Sticks {}`.
pub trait PlayedGame: Game {
    /// The models that come with the program.
    const MODELS: &'static [Shipped] = &[];

    /// What is used where nothing is named; a game without it has nothing better than its score.
    const BEST: Option<Best> = None;

    /// How much a search that is behind counts on a mistake of the other side, from 0 to 0.9, unless a player says otherwise.
    const SWINDLE: f64 = 0.0;

    /// The fits of ProbCut that come with the program: the name of the function and the text of the file.
    const PROBCUTS: &'static [(&'static str, &'static str)] = &[];

    /// The functions of [`PlayedGame::own_function`] that come with the program.
    const OWN_FUNCTIONS: &'static [&'static str] = &[];

    /// How the files of such functions are called.
    const FUNCTION_FILES: &'static [PlayerInfo] = &[];

    /// How the players of [`PlayedGame::own_player`] are written.
    const OWN_PLAYERS: &'static [PlayerInfo] = &[];

    /// How the time of a game is spread over its moves.
    fn clock_plan() -> ClockPlan {
        ClockPlan::even(40)
    }

    /// How many times as long a depth takes as the one before, from recorded games.
    fn clock_ratios() -> Ratios {
        Ratios::default()
    }

    /// Who finds out how games end, long before a general search does, with a table of at most so many megabytes.
    fn endgame(_megabytes: usize) -> Option<Box<dyn Endgame<Self>>> {
        None
    }

    /// An evaluation function that is no model over features; `None` if the text names none.
    ///
    /// # Errors
    /// Its file is at fault.
    fn own_function(_text: &str) -> Result<Option<Arc<dyn OwnFunction<Self>>>, PlayerError> {
        Ok(None)
    }

    /// A player that only this game has; `None` if the text names none. Nothing that takes long is done here and no program
    /// is started: see [`OwnPlayer`].
    ///
    /// # Errors
    /// The text or a file that it names is at fault.
    fn own_player(_rules: &Self::Rules, _text: &str) -> Result<Option<OwnPlayer<Self>>, PlayerError> {
        Ok(None)
    }

    /// Does what takes long before a player of this text can be made; breaks if `progress` does. What is wrong with the
    /// text, [`PlayedGame::own_player`] says.
    fn prepare(_rules: &Self::Rules, _text: &str, _progress: Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// How to find out what every position is worth, if the game can be solved.
    const ORACLE: Option<OracleMaker<Self>> = None;

    /// What people call its moves.
    const WORDS: Words = Words::USUAL;

    /// What chance has dealt for the next move, if it deals something for it.
    fn dealt(&self) -> Option<Dealt> {
        None
    }

    /// The game's name as other programs write it, and the others that they have for it.
    const TITLE: &'static str = Self::NAME;

    /// Whether other programs call the game so.
    fn is_called(name: &str) -> bool {
        name.eq_ignore_ascii_case(Self::TITLE)
    }

    /// The board in rows of signs with spaces between them, for programs that draw squares: X and O are the sides. None by default.
    fn rows(&self) -> Vec<String> {
        Vec::new()
    }

    /// The protocols that only this game has; every game for two speaks GTP.
    const PROTOCOLS: &'static [ProtocolInfo] = &[];

    /// Serves a player by one of them.
    ///
    /// # Errors
    /// There is no such player, or the wire is cut.
    ///
    /// # Panics
    /// If there is no such protocol.
    fn serve(protocol: &str, _rules: &Self::Rules, _table: Table<'_>) -> Result<(), ServeError> {
        panic!("{} has no protocol {protocol}", Self::NAME)
    }

    /// The ends of the names of files with recorded games, as `wtb`.
    const RECORDED: &'static [&'static str] = &[];

    /// Reads the games of such a file.
    ///
    /// # Errors
    /// It cannot be read, or is damaged.
    fn read_games(path: &Path) -> Result<Vec<RecordedGame<Self>>, RecordedError> {
        let reason = format!("there is no format for recorded games of {}", Self::NAME);
        Err(RecordedError::Content { path: path.to_path_buf(), reason })
    }

    /// The moves of a line of a book of openings, one by one. Blanks are between them, unless people of this game write them without.
    fn book_moves(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_string).collect()
    }

    /// Who tells people what their moves are worth, and why, in about a second.
    fn adviser() -> String {
        format!("alphabeta(time=1, eval={})", Self::BEST.map_or(SCORE, |best| best.evaluation))
    }

    /// Who plays against people at a level from 1 to 10: to a depth at first, then by nodes. Nothing is left to a clock, so that a level is as
    /// strong on every machine; and no depth without a bound, for six plies of a game with many moves take longer than any level may.
    fn level_player(level: u32) -> String {
        let eval = Self::BEST.map_or(SCORE, |best| best.evaluation);
        let limit = match level {
            0..=4 => format!("depth={}", level.max(1)),
            5 => "depth=6, nodes=100000".to_string(),
            6 => "depth=8, nodes=200000".to_string(),
            7 => "nodes=400000".to_string(),
            8 => "nodes=800000".to_string(),
            9 => "nodes=2000000".to_string(),
            _ => "nodes=5000000".to_string(),
        };
        format!("alphabeta({limit}, eval={eval})")
    }

    /// The Elo of each level over level 1, as far as it is measured, by matches of every two neighbours: `evalforge duel GAME LEVEL_N+1 LEVEL_N`
    /// with the players' texts. docs/use/playing.md has the numbers of games and the intervals.
    const LEVEL_ELO: &'static [i32] = &[];

    /// The ends of the names of files in which other programs read whole games, as `ggf`.
    const WRITTEN: &'static [&'static str] = &[];

    /// A game as such a file has it.
    ///
    /// # Panics
    /// If there is no such format.
    fn game_text(ending: &str, _game: &WrittenGame<Self>) -> String {
        panic!("{} has no format {ending}", Self::NAME)
    }

    /// Whether a file that begins so may hold recorded positions in a format of the game's own.
    fn may_be_positions(_beginning: &[u8]) -> bool {
        false
    }

    /// Reads the text of such a file.
    ///
    /// # Errors
    /// It is none; the text names the line.
    fn read_positions(_text: &str) -> Result<Vec<RecordedPosition<Self>>, String> {
        Err(format!("there is no format for recorded positions of {}", Self::NAME))
    }

    /// A search over the score. A game of ours says it again, so that its searches are compiled here, once and for speed, and not wherever
    /// a player is read.
    fn search_score(make: SearchMaker<'_>) -> Box<dyn Searcher<Self>> {
        make.over(Score)
    }

    /// A search over a model; a game that can keep a model's value up to date from move to move does it here.
    fn search_with(make: SearchMaker<'_>, evaluator: Arc<Evaluator<Self>>) -> Box<dyn Searcher<Self>> {
        make.over(ModelEval(evaluator))
    }

    /// A player of a game for one with a position of its own; a game that can be played faster than move by move does it here.
    ///
    /// # Errors
    /// The game is not for one, or the player cannot be made.
    fn solo(
        rules: &Self::Rules,
        player: &PlayerSpec<Self>,
    ) -> Result<Box<dyn SoloPlayer<Self>>, PlayerError> {
        Ok(Box::new(solo::General::new(rules, player)?))
    }

    /// The highest score that so many moves of a game for one can bring: a record of more is none.
    fn most_score(_rules: &Self::Rules, _moves: u64) -> f64 {
        f64::INFINITY
    }

    /// The highest level that a position can have in which the game is not over; none if the game is not lost level by level.
    fn highest_level(_rules: &Self::Rules, _measure: Measure) -> Option<u32> {
        None
    }

    /// The level of a position in which the game is not over: the higher, the nearer to the end. Asked only where there is a highest.
    fn level(&self, _measure: Measure) -> u32 {
        0
    }

    /// What levels count, as "rows of the highest column".
    fn level_unit(_measure: Measure) -> &'static str {
        "levels"
    }

    /// What is worth timing beside the rules.
    fn timed() -> Vec<Timed> {
        Vec::new()
    }

    /// Who looks at moves one deal further with a function, in the fastest way there is.
    fn expert<'a>(_rules: &Self::Rules, evaluator: &'a Evaluator<Self>) -> Box<dyn Expert<Self> + 'a> {
        Box::new(outlook::General::new(evaluator))
    }
}

/// The name of a game with the size of its board, as "sticks 10x20", and the options of its rules that this does not tell. The size is that
/// of the options `width` and `height`, or of `size` where boards are square.
pub fn title<G: PlayedGame>(rules: &G::Rules) -> (String, Vec<(&'static str, String)>) {
    let mut options = rules.to_pairs();
    let has = |key: &&str| <G::Rules as Rules>::OPTIONS.iter().any(|option| option.name == *key);
    let sides = [["width", "height"], ["size", "size"]].into_iter().find(|sides| sides.iter().all(has));
    let Some(sides) = sides else { return (G::NAME.to_string(), options) };
    options.retain(|(key, _)| !sides.contains(key));
    (format!("{} {}x{}", G::NAME, rules.get(sides[0]), rules.get(sides[1])), options)
}

/// A list of games that can be played: [`games::Listed`], or a game of another crate before it, `(Mine, games::Listed)`.
pub trait Games: 'static {
    /// Visits every game, in the order of the list.
    fn visit(visitor: &mut impl Visitor);
}

impl Games for () {
    fn visit(_visitor: &mut impl Visitor) {}
}

impl<G: PlayedGame, Rest: Games> Games for (G, Rest) {
    fn visit(visitor: &mut impl Visitor) {
        visitor.game::<G>();
        Rest::visit(visitor);
    }
}

/// Something to do with every game.
pub trait Visitor {
    /// Called once for each game, in the order of the list.
    fn game<G: PlayedGame>(&mut self);
}

/// Something to do with one game, known by its name only at run time: the place where its type is erased.
pub trait Job {
    /// What comes out.
    type Output;
    /// Does it.
    fn run<G: PlayedGame>(self) -> Self::Output;
}

/// Runs the job with the game of this name; `None` if the list has no such game.
pub fn with_game<L: Games, J: Job>(name: &str, job: J) -> Option<J::Output> {
    struct ByName<'a, J: Job> {
        name: &'a str,
        job: Option<J>,
        output: Option<J::Output>,
    }
    impl<J: Job> Visitor for ByName<'_, J> {
        fn game<G: PlayedGame>(&mut self) {
            if G::NAME == self.name
                && let Some(job) = self.job.take()
            {
                self.output = Some(job.run::<G>());
            }
        }
    }
    let mut visitor = ByName { name, job: Some(job), output: None };
    L::visit(&mut visitor);
    visitor.output
}

/// What games a list holds.
pub fn game_list<L: Games>() -> Vec<GameInfo> {
    struct Collect(Vec<GameInfo>);
    impl Visitor for Collect {
        fn game<G: PlayedGame>(&mut self) {
            self.0.push(GameInfo::of::<G>());
        }
    }
    let mut visitor = Collect(Vec::new());
    L::visit(&mut visitor);
    visitor.0
}
