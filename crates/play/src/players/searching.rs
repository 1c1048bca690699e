//! Players that search: from their description to a search over the right evaluation, and the clock of their games.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use games::{Dice, Game, Turn};

use super::notation::NotationError;
use super::player_spec::{OwnFunction, PlayerSpec, unknown_evaluation};
use super::spec::{Kind, SCORE, Spec};
use super::{Player, PlayerError, PlayerFailure, Thought};
use crate::PlayedGame;
use crate::evaluator::Evaluator;
use crate::search::alpha_beta::AlphaBeta;
use crate::search::best_move::OnePly;
use crate::search::clock::Clock;
use crate::search::evaluation::{Evaluation, margin};
use crate::search::hybrid::{Hybrid, Stage};
use crate::search::mcts::Mcts;
use crate::search::minimax::Minimax;
use crate::search::probcut::{Cuts, ProbCutFile};
use crate::search::ratios::{RatiosError, RatiosFile};
use crate::search::{Limits, Searcher, is_searchable};

/// A search that has been read and checked: its files are read, and any number of searches can be made of it.
#[derive(Clone)]
pub struct SearchPlan<G: Game> {
    limits: Limits,
    form: Form<G>,
}

#[derive(Clone)]
enum Form<G: Game> {
    /// One search over one evaluation.
    One(Box<One<G>>),
    /// Others, from a step of the game on.
    Stages(Vec<(u32, SearchPlan<G>)>),
}

#[derive(Clone)]
struct One<G: Game> {
    kind: Kind,
    aids: Aids,
    eval: Eval<G>,
}

/// What a search asks for values.
#[derive(Clone)]
enum Eval<G: Game> {
    Score,
    Model(Arc<Evaluator<G>>),
    Own(Arc<dyn OwnFunction<G>>),
}

/// What a search asks and what helps it, or why it has neither.
type Asked<G> = Result<(Aids, Eval<G>), PlayerError>;

/// What helps a search beside its evaluation.
#[derive(Clone, Default)]
pub struct Aids {
    /// The plan for the time of a game; none: that of the game.
    pub clock: Option<Clock>,
    /// By what it leaves out lines that are as good as certain.
    pub cuts: Option<Cuts>,
}

impl<G: PlayedGame> SearchPlan<G> {
    /// The search that a description names, under these rules.
    ///
    /// # Errors
    /// The game is not one of two sides without chance, or a model is at fault.
    pub fn new(rules: &G::Rules, spec: &Spec) -> Result<Self, PlayerError> {
        Self::with(spec, &|spec| {
            let aids = Aids { clock: clock::<G>(spec)?, cuts: cuts::<G>(rules, spec)? };
            if spec.eval == SCORE {
                return Ok((aids, Eval::Score));
            }
            let player = PlayerSpec::<G>::parse(rules, &spec.eval).map_err(|error| match error {
                PlayerError::Unknown(unknown) if unknown.kind == "player" => {
                    unknown_evaluation::<G>(&spec.eval).into()
                }
                other => other,
            });
            match player? {
                PlayerSpec::Model(evaluator) => Ok((aids, Eval::Model(evaluator))),
                PlayerSpec::Function(function) => Ok((aids, Eval::Own(function))),
                _ => Err(unknown_evaluation::<G>(&spec.eval).into()),
            }
        })
    }

    /// The same search over this function in place of its own evaluations.
    ///
    /// # Errors
    /// The game is not one of two sides without chance, or a file of the search is at fault.
    pub fn with_evaluator(spec: &Spec, evaluator: &Arc<Evaluator<G>>) -> Result<Self, PlayerError> {
        Self::with(spec, &|spec| {
            if matches!(&spec.kind, Kind::AlphaBeta { probcut: Some(_), .. }) {
                let reason = "probcut is fitted to one function, and this one is being learned".into();
                return Err(NotationError::Options { player: spec.name().into(), reason }.into());
            }
            Ok((Aids { clock: clock::<G>(spec)?, cuts: None }, Eval::Model(evaluator.clone())))
        })
    }

    /// The form of a description, `eval` giving what each of its searches asks.
    fn with(spec: &Spec, eval: &dyn Fn(&Spec) -> Asked<G>) -> Result<Self, PlayerError> {
        if !is_searchable::<G>() {
            return Err(NotationError::Game { player: spec.name().into(), game: G::NAME }.into());
        }
        let form = match &spec.kind {
            Kind::Hybrid(stages) => {
                let stage = |(from, spec): &(u32, Spec)| Ok((*from, Self::with(spec, eval)?));
                Form::Stages(stages.iter().map(stage).collect::<Result<_, PlayerError>>()?)
            }
            kind => {
                let (aids, eval) = eval(spec)?;
                Form::One(Box::new(One { kind: kind.clone(), aids, eval }))
            }
        };
        Ok(Self { limits: spec.limits, form })
    }

    /// Makes a search.
    pub fn searcher(&self) -> Box<dyn Searcher<G>> {
        match &self.form {
            Form::Stages(stages) => {
                let stage = |(from, plan): &(u32, Self)| Stage {
                    from: *from,
                    search: plan.searcher(),
                    limits: plan.limits,
                };
                Box::new(Hybrid::new(stages.iter().map(stage).collect()))
            }
            Form::One(one) => {
                let One { kind, aids, eval } = &**one;
                let make = SearchMaker { kind, aids: aids.clone() };
                match eval {
                    Eval::Score => G::search_score(make),
                    Eval::Model(evaluator) => G::search_with(make, evaluator.clone()),
                    Eval::Own(function) => function.clone().search(make),
                }
            }
        }
    }

    /// What it may use for a move, or for the game.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Makes a player.
    pub fn player(&self) -> SearchPlayer<G> {
        SearchPlayer::new(self.searcher(), self.limits)
    }
}

/// The search that a description names, under these rules.
///
/// # Errors
/// The game is not one of two sides without chance, or a model is at fault.
pub fn searcher<G: PlayedGame>(rules: &G::Rules, spec: &Spec) -> Result<Box<dyn Searcher<G>>, PlayerError> {
    Ok(SearchPlan::new(rules, spec)?.searcher())
}

/// A search that lacks its evaluation: [`SearchMaker::over`] is the one place where the two types meet, so that a search is
/// compiled for its evaluation.
pub struct SearchMaker<'a> {
    kind: &'a Kind,
    aids: Aids,
}

impl SearchMaker<'_> {
    /// A search of one ply.
    pub fn one_ply() -> Self {
        Self { kind: &Kind::BestMove, aids: Aids::default() }
    }

    /// Whether an evaluation is to be kept up to date from move to move where it can be, and not counted afresh.
    pub fn is_updated(&self) -> bool {
        !matches!(self.kind, Kind::AlphaBeta { update: false, .. })
    }

    /// The search over an evaluation.
    ///
    /// # Panics
    /// For a hybrid, which has evaluations of its own, and in a game that is not one of two sides without chance.
    pub fn over<G: PlayedGame, E: Evaluation<G>>(self, evaluation: E) -> Box<dyn Searcher<G>> {
        // Known when this is compiled: for other games there is nothing to compile.
        if const { G::SIDES.len() != 2 || G::CHANCE } {
            panic!("{} is no game of two sides without chance", G::NAME);
        }
        match self.kind {
            Kind::BestMove => Box::new(OnePly(evaluation)),
            Kind::Minimax => Box::new(Minimax::new(evaluation)),
            Kind::AlphaBeta { table, swindle, .. } => {
                let mut search = AlphaBeta::new(evaluation, *table).with_cuts(self.aids.cuts);
                if let Some(clock) = self.aids.clock {
                    search = search.with_clock(clock);
                }
                search.swindle = swindle.unwrap_or(search.swindle);
                Box::new(search.with_endgame(G::endgame(*table)))
            }
            Kind::Mcts { rollout, exploration } => Box::new(Mcts::new(evaluation, *rollout, *exploration)),
            Kind::Hybrid(_) => panic!("a hybrid is put together from searches"),
        }
    }
}

/// The clock of a description with the ratios of its file; none without a file.
fn clock<G: PlayedGame>(spec: &Spec) -> Result<Option<Clock>, RatiosError> {
    match &spec.kind {
        Kind::AlphaBeta { clock: Some(file), .. } => {
            Ok(Some(Clock::of::<G>().with_ratios(RatiosFile::read(file, G::NAME)?.ratios())))
        }
        _ => Ok(None),
    }
}

/// The cuts of a description, if it asks for some and they were fitted to its evaluation.
fn cuts<G: PlayedGame>(rules: &G::Rules, spec: &Spec) -> Result<Option<Cuts>, PlayerError> {
    let Kind::AlphaBeta { probcut: Some(name), confidence, .. } = &spec.kind else { return Ok(None) };
    let file = ProbCutFile::read(name, G::NAME, G::PROBCUTS)?;
    file.check(name, &spec.eval, &answers::<G>(rules, &spec.eval)?)?;
    Ok(Some(file.cuts(*confidence)))
}

/// What an evaluation says about a few positions of a game, by which it can be told from others.
///
/// # Errors
/// There is no such evaluation.
pub fn answers<G: PlayedGame>(rules: &G::Rules, eval: &str) -> Result<Vec<f64>, PlayerError> {
    let spec = Spec { eval: eval.to_string(), ..Spec::parse("best-move")? };
    let mut search = searcher::<G>(rules, &spec)?;
    let (mut dice, mut moves) = (Dice::seeded(&[1]), Vec::new());
    let mut answer = |plies: usize| {
        let mut position = G::start(rules);
        for _ in 0..plies {
            let mut after = position.clone();
            let Some(mv) = after.random_move(&mut dice, &mut moves) else { break };
            after.play_unchecked(mv);
            if after.turn() == Turn::Over {
                break;
            }
            position = after;
        }
        margin(search.search(&position, &Limits::depth(1), &mut dice).value)
    };
    Ok([2, 9, 16, 23].map(&mut answer).to_vec())
}

/// A player that searches. The time of a game is the player's, what a move is worth of it the search's: the player counts the seconds,
/// the search's [`Clock`] allots them. A step that does not come after the last one begins another game. An arena with a game time counts too,
/// and tells the player before every move.
pub struct SearchPlayer<G: Game> {
    search: Box<dyn Searcher<G>>,
    limits: Limits,
    /// Seconds of the game time that are left.
    left: Option<f64>,
    /// The step of the last move: if it is not before the next one, another game has begun.
    last: Option<u32>,
    thought: Option<Thought<G::Move>>,
}

impl<G: Game> SearchPlayer<G> {
    /// A player with this search and these limits; a game time is for each of its games.
    pub fn new(search: Box<dyn Searcher<G>>, limits: Limits) -> Self {
        Self { search, limits, left: limits.game_time, last: None, thought: None }
    }
}

impl<G: Game> Player<G> for SearchPlayer<G> {
    fn choose(&mut self, position: &G, dice: &mut Dice) -> Result<G::Move, PlayerFailure> {
        let begun = Instant::now();
        let step = position.step();
        if self.last.is_some_and(|last| step <= last) {
            self.search.new_game();
            self.left = self.limits.game_time;
        }
        self.last = Some(step);
        let limits = Limits { game_time: self.left, ..self.limits };
        let found = self.search.search(position, &limits, dice);
        if let Some(left) = &mut self.left {
            *left = (*left - begun.elapsed().as_secs_f64()).max(0.0);
        }
        let best = found.best;
        self.thought = Some(Thought::of(found));
        Ok(best)
    }

    fn new_game(&mut self) {
        self.search.new_game();
        (self.left, self.last) = (self.limits.game_time, None);
    }

    fn thought(&self) -> Option<Thought<G::Move>> {
        self.thought.clone()
    }

    /// What is left of a game time may all go into one move.
    fn limit(&self) -> Option<Duration> {
        let shortest = [self.limits.time, self.left].into_iter().flatten().reduce(f64::min);
        shortest.map(Duration::from_secs_f64)
    }

    /// A player with a game time of its own counts down what the table says instead, but takes no more than it gives itself: the table may be
    /// anybody's.
    fn game_time(&mut self, seconds: Option<f64>) {
        let told = seconds.filter(|seconds| seconds.is_finite());
        if let (Some(seconds), Some(own)) = (told, self.limits.game_time) {
            self.left = Some(seconds.min(own).max(0.0));
        }
    }

    fn stop_by(&mut self, stop: Arc<AtomicBool>) {
        self.search.stop_by(stop);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::player;
    use crate::playout::{GameDice, play};
    use games::avalam::Avalam;
    use games::othello::Othello;
    use games::tetris::{Tetris, TetrisRules};

    #[test]
    fn no_table_gives_a_player_more_time_than_its_own() {
        let text = "alphabeta(game-time=900)";
        let mut own: Box<dyn Player<Othello>> = player(&Default::default(), text).unwrap();
        for (told, left) in [(Some(1e9), 900), (Some(60.0), 60), (None, 60), (Some(-1.0), 0)] {
            own.game_time(told);
            assert_eq!(own.limit(), Some(Duration::from_secs(left)), "{told:?}");
        }
    }

    /// Each of these would think for years.
    #[test]
    fn a_search_without_end_hears_the_flag() {
        let rules = Default::default();
        let position = Othello::start(&rules);
        for text in [
            "minimax(depth=30)",
            "alphabeta(depth=50)",
            "mcts(simulations=1000000000000)",
            "hybrid(1: mcts(simulations=1000000000000))",
        ] {
            let stop = Arc::new(AtomicBool::new(false));
            let mut own: Box<dyn Player<Othello>> = player(&rules, text).unwrap();
            own.stop_by(Arc::clone(&stop));
            let (sender, answers) = std::sync::mpsc::channel();
            std::thread::spawn(move || sender.send(own.choose(&position, &mut Dice::seeded(&[1]))));
            assert!(answers.recv_timeout(Duration::from_millis(50)).is_err(), "{text} is not long");
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
            let answer = answers.recv_timeout(Duration::from_secs(5)).expect(text).unwrap();
            assert!(position.is_legal(answer), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let said = |text: &str| match player::<Othello>(&Default::default(), text) {
            Ok(_) => panic!("{text} is accepted"),
            Err(error) => error.to_string(),
        };
        assert!(said("alphabta(depth=3)").contains("unknown player 'alphabta' (did you mean 'alphabeta'?)"));
        assert!(said("alphabeta(depth=3").contains("not closed"));
        let known = "; known: score, patterns, FILE.json, FILE.tables, linear(";
        assert!(said("alphabeta(eval=random)").contains(&format!("unknown evaluation 'random'{known}")));
        let slip = format!("unknown evaluation 'paterns' (did you mean 'patterns'?){known}");
        assert!(said("alphabeta(eval=paterns)").contains(&slip));
        let Err(error) = player::<Avalam>(&Default::default(), "mcts(eval=patterns)") else {
            panic!("in Avalam")
        };
        assert!(
            error.to_string().contains("known: score, observer, surveyor, FILE.json, linear("),
            "{error}"
        );
        assert!(said("alphabeta(eval=no/such.json)").contains("no/such.json"));
        assert!(said("alphabeta(clock=no/such.json)").contains("clock 'no/such.json': No such file"));
        let Err(error) = player::<Tetris>(&TetrisRules::default(), "alphabeta") else { panic!("in Tetris") };
        assert!(error.to_string().contains("two sides without chance, not for tetris"), "{error}");
    }

    #[test]
    fn a_search_is_stronger_than_chance() {
        let rules = Default::default();
        let start = Avalam::start(&rules);
        let wins = (0..10).filter(|&number| {
            let mut players =
                [player(&rules, "random").unwrap(), player(&rules, "alphabeta(depth=2)").unwrap()];
            let record = play(&start, &mut players, &mut GameDice::new(1, number), 100).unwrap();
            record.end.final_value(games::Side::Second) > 0.0
        });
        assert!(wins.count() >= 9);
    }
}
