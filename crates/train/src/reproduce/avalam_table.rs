//! The agents of Branly & Guichard 2022 against each other (table 4.1), with our own: greedy on the score, best move by a
//! function of the observations, Monte Carlo tree search with random games, and alpha-beta by the same function, counted
//! afresh at every position ("SL", one loop over the board) and updated from move to move ("Links"). Theirs played one game
//! on each side; ours play many pairs. The two alpha-betas differ in speed alone.

use std::path::Path;
use std::sync::LazyLock;

use games::avalam::Avalam;
use games::rules::Fixed;
use measure::arena::{DuelSetup, MOST_MOVES, Openings, Results, Schedule, Tally};
use play::PlayedGame as _;
use play::players::{PlayerSpec, player};
use play::search::avalam_eval::AvalamObservationEval;
use serde::{Deserialize, Serialize};
use stats::{Elo, Mean, Share};

use super::read;

/// How many agents there are.
const COUNT: usize = 5;

/// The table of the report.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The agents as the report calls them, from the weakest to the strongest.
    pub agents: [String; COUNT],
    /// The share of games that each won, in percent.
    pub won: [f64; COUNT],
    /// Final scores, `[a][b]` with a as player 1 and b as player -1, for player 1.
    scores: [[i32; COUNT]; COUNT],
}

/// The table of the report.
pub static PUBLISHED: LazyLock<Published> =
    LazyLock::new(|| read(include_str!("../../../../experiments/published/avalam-table.toml")));

/// Where no model is shipped: towers, and as much again for those that nothing can happen to any more.
const PLAIN: &str = "linear(score,isolated-1,isolated-2,isolated-3,isolated-4,isolated-5; 1,1,1,1,1,1)";

/// What is played.
pub struct Table {
    /// The tournament.
    pub setup: DuelSetup<Avalam>,
    /// The function of all but greedy and Monte Carlo tree search.
    pub function: String,
    /// Seconds of each agent that searches for a whole game.
    pub game_time: f64,
}

/// A meeting of two agents.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// The one that is better in the report, as its place among the agents.
    pub better: usize,
    /// The other one.
    pub worse: usize,
    /// By how much the better one won in the report, as player 1 and as player -1.
    pub published: [i32; 2],
    /// Games won, drawn and lost by the better one.
    pub games: [u64; 3],
    /// Its share of the points, and what it says in Elo.
    pub elo: Elo,
    /// By how many towers it won.
    pub margin: Mean,
    /// Seconds of a move of both.
    pub seconds_per_move: [f64; 2],
    /// Games that either lost by breaking a rule.
    pub forfeits: u64,
}

/// The function of the observations: the first shipped one that can be kept up to date, or a plain one.
fn function() -> String {
    let known = Avalam::MODELS.iter().map(|model| model.name);
    let fast = |name: &&str| matches!(PlayerSpec::<Avalam>::parse(&Fixed, name), Ok(PlayerSpec::Model(model)) if AvalamObservationEval::of(&model).is_some());
    known.into_iter().find(fast).unwrap_or(PLAIN).to_string()
}

impl Table {
    /// The whole table, or one of fewer and quicker games.
    ///
    /// # Panics
    /// If a shipped model is unsound, which a test excludes.
    pub fn new(quick: bool) -> Self {
        let (pairs, game_time) = if quick { (10, 0.2) } else { (60, 1.0) };
        let function = function();
        let players = vec![
            "greedy".to_string(),
            format!("best-move(eval={function})"),
            format!("mcts(game-time={game_time})"),
            format!("alphabeta(game-time={game_time}, update=off, eval={function})"),
            format!("alphabeta(game-time={game_time}, eval={function})"),
        ];
        for text in &players {
            player::<Avalam>(&Fixed, text).expect("the players are written here");
        }
        let openings = Openings::random(&Fixed, 4, pairs, 2026).expect("games are longer than four plies");
        let setup = DuelSetup {
            rules: Fixed,
            players,
            schedule: Schedule::RoundRobin,
            openings,
            pairs,
            seed: 2026,
            most_moves: MOST_MOVES,
            sprt: None,
            game_time: None,
            increment: 0.0,
            time_margin: 0.0,
            adjudication: Default::default(),
        };
        Self { setup, function, game_time }
    }

    /// The name of the journal in a folder.
    pub fn journal(folder: &Path) -> std::path::PathBuf {
        folder.join("avalam-table.jsonl")
    }
}

/// The meetings, the strongest of the report first.
pub fn rows(results: &Results) -> Vec<Row> {
    let mut rows = Vec::new();
    for better in (0..COUNT).rev() {
        for worse in (0..better).rev() {
            // In the tournament the weaker one is named first.
            let tally = Tally::of(results.counted(), worse, better);
            let Mean { n, mean, sd, ci95: [low, high] } = tally.margin;
            let forfeits = tally.forfeits.iter().flatten().map(|(_, games)| games).sum();
            rows.push(Row {
                better,
                worse,
                published: [PUBLISHED.scores[better][worse], -PUBLISHED.scores[worse][better]],
                games: [tally.losses, tally.draws, tally.wins],
                elo: Elo::of_pairs(&tally.pentanomial.reversed()),
                margin: Mean { n, mean: -mean, sd, ci95: [-high, -low] },
                seconds_per_move: [tally.seconds_per_move[1], tally.seconds_per_move[0]],
                forfeits,
            });
        }
    }
    rows
}

/// The share of games that each agent won.
pub fn won(rows: &[Row]) -> Vec<Share> {
    let of = |agent: usize| {
        let own = rows.iter().filter(|row| row.better == agent || row.worse == agent);
        let (mut wins, mut games) = (0, 0);
        for row in own {
            wins += if row.better == agent { row.games[0] } else { row.games[2] };
            games += row.games.iter().sum::<u64>();
        }
        Share::of(wins as usize, games as usize)
    };
    (0..COUNT).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use measure::arena::run;
    use std::ops::ControlFlow;

    #[test]
    fn in_the_report_every_agent_beats_those_before_it_on_both_sides() {
        for better in 0..5 {
            for worse in 0..better {
                assert!(PUBLISHED.scores[better][worse] > 0 && PUBLISHED.scores[worse][better] < 0);
            }
            assert_eq!(PUBLISHED.won[better], 25.0 * better as f64);
        }
    }

    #[test]
    fn rows_are_seen_by_the_better_agent_and_add_up() {
        let mut table = Table::new(true);
        // The same agents with next to no time.
        table.setup.players =
            ["random", "greedy", "random", "greedy", "best-move"].map(str::to_string).to_vec();
        table.setup.pairs = 3;
        let mut results = Results::new(&table.setup);
        let maker = |number: usize| player::<Avalam>(&Fixed, &table.setup.players[number]);
        run(&table.setup, &maker, 1, &mut results, None, &mut |_, _| ControlFlow::Continue(())).unwrap();
        let rows = rows(&results);
        assert_eq!((rows.len(), rows[0].better, rows[0].worse, rows[0].published), (10, 4, 3, [1, 1]));
        assert!(rows.iter().all(|row| row.games.iter().sum::<u64>() == 6 && row.forfeits == 0));
        let row = rows.iter().find(|row| (row.better, row.worse) == (1, 0)).unwrap();
        assert!(row.games[0] > row.games[2] && row.margin.mean > 0.0 && row.elo.score > 0.5, "{row:?}");
        assert!(row.margin.ci95[0] < row.margin.mean && row.published == [6, 7]);
        let won = won(&rows);
        assert!(won.iter().all(|share| share.n == 24) && won[1].share > won[0].share, "{won:?}");
    }

    #[test]
    fn the_two_searches_differ_in_how_they_count_alone() {
        let Table { setup, function, .. } = Table::new(false);
        let Ok(PlayerSpec::Model(model)) = PlayerSpec::<Avalam>::parse(&Fixed, &function) else {
            panic!("{function}")
        };
        assert!(AvalamObservationEval::of(&model).is_some());
        assert_eq!(setup.players[3].replace("update=off, ", ""), setup.players[4]);
    }
}
