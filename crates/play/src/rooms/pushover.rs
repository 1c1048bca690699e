//! Push-over as players know it: solved, so that one player knows the value of every position.

use std::ops::ControlFlow;
use std::sync::Arc;

use games::pushover::Pushover;

use super::PlayedGame;
use crate::evaluator::Evaluator;
use crate::players::notation::Call;
use crate::players::{OwnPlayer, PlayerError, PlayerInfo, SearchMaker};
use crate::recorded::{RecordedPosition, muller};
use crate::search::Searcher;
use crate::search::evaluation::{ModelEval, Score};
use crate::shipped::Shipped;
use crate::solve::pushover::perfect_spec::{self, PerfectSpec};
use crate::solve::pushover::{Perfect, PerfectPlayer};
use crate::solve::{Oracle, OracleMaker, Progress};

impl PlayedGame for Pushover {
    const LEVEL_ELO: &'static [i32] = &[0, 210, 321, 467, 698, 913, 1113, 1158, 1228];

    const MODELS: &'static [Shipped] = &[
        Shipped::new("expert", include_str!("../../../../models/pushover/expert.json")),
        Shipped::new("pusher", include_str!("../../../../models/pushover/pusher.json")),
        Shipped::under(
            "pusher-5x5",
            include_str!("../../../../models/pushover/pusher-5x5.json"),
            &[("size", "5")],
        ),
    ];
    const OWN_PLAYERS: &'static [PlayerInfo] = &[
        PlayerInfo {
            name: perfect_spec::NAME,
            summary: "wins soonest, loses latest; the game is solved first",
        },
        PlayerInfo {
            name: "perfect(table=FILE)",
            summary: "the same, by a table that 'evalforge solve' has written",
        },
    ];

    fn search_score(make: SearchMaker<'_>) -> Box<dyn Searcher<Self>> {
        make.over(Score)
    }

    fn search_with(make: SearchMaker<'_>, evaluator: Arc<Evaluator<Self>>) -> Box<dyn Searcher<Self>> {
        make.over(ModelEval(evaluator))
    }

    fn own_player(rules: &Self::Rules, text: &str) -> Result<Option<OwnPlayer<Self>>, PlayerError> {
        if Call::name_of(text) != perfect_spec::NAME {
            return Ok(None);
        }
        let spec = PerfectSpec::parse(rules, text)?;
        Ok(Some(OwnPlayer::new(move || Ok(Box::new(PerfectPlayer::new(spec.values()?))))))
    }

    const ORACLE: Option<OracleMaker<Self>> = Some(|rules, table, progress| {
        let perfect = match table {
            Some(path) => Some(Arc::new(Perfect::load_for(path, rules)?)),
            None => {
                perfect_spec::solved(rules, progress).map_err(|error| PlayerError::Own(Box::new(error)))?
            }
        };
        Ok(perfect.map(|perfect| perfect as Arc<dyn Oracle<Self>>))
    });

    fn may_be_positions(beginning: &[u8]) -> bool {
        muller::may_begin(beginning)
    }

    fn read_positions(text: &str) -> Result<Vec<RecordedPosition<Self>>, String> {
        muller::positions(text)
    }

    fn prepare(rules: &Self::Rules, text: &str, progress: Progress<'_>) -> ControlFlow<()> {
        match text.trim() == perfect_spec::NAME {
            true if matches!(perfect_spec::solved(rules, progress), Ok(None)) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}
