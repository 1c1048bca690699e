//! Avalam as players know it: observations and towers kept up to date, its endgame, a clock with turning points, agents over
//! XML-RPC.

use std::sync::{Arc, LazyLock};

use games::avalam::Avalam;
use notation::{name_of, one_line};

use super::PlayedGame;
use crate::evaluator::Evaluator;
use crate::players::{OwnPlayer, PlayerError, PlayerInfo, PlayerSpec, SearchMaker};
use crate::protocol::avalam::Engine;
use crate::protocol::external::External;
use crate::protocol::server::Server;
use crate::protocol::{ProtocolInfo, ServeError, Table};
use crate::search::Searcher;
use crate::search::avalam_eval::{AvalamObservationEval, AvalamTowerEval};
use crate::search::clock::ClockPlan;
use crate::search::endgame::{Endgame, avalam};
use crate::search::evaluation::{ModelEval, Score};
use crate::search::ratios::{Ratios, RatiosFile};
use crate::shipped::{Best, Shipped};
use crate::timed::{self, Timed};

/// What `evalforge tune clock` has written. It was measured on a busy machine, which stretches long times more than short ones: its rows of
/// depth 4, after some milliseconds of depth 3, were taken out.
static RATIOS: LazyLock<Ratios> = LazyLock::new(|| {
    let text = include_str!("../../../../models/avalam/clock.json");
    RatiosFile::parse("shipped", text, "avalam").expect("a test reads it").ratios()
});

impl PlayedGame for Avalam {
    const MODELS: &'static [Shipped] = &[
        Shipped::new("observer", include_str!("../../../../models/avalam/observer.json")),
        Shipped::new("surveyor", include_str!("../../../../models/avalam/surveyor.json")),
    ];
    const LEVEL_ELO: &'static [i32] = &[0, 193, 284, 390, 420, 457, 471, 471];

    const BEST: Option<Best> = Some(Best {
        evaluation: "surveyor",
        player: "alphabeta(time=1, eval=surveyor)",
        engine: "alphabeta(game-time=900, eval=surveyor)",
        analyst: "alphabeta(time=5, eval=surveyor)",
    });
    /// As measured (docs/reference/avalam.md).
    const SWINDLE: f64 = 0.5;
    const OWN_PLAYERS: &'static [PlayerInfo] = &[PlayerInfo {
        name: "external(xmlrpc=URL)",
        summary: "a server of somebody else's, asked over XML-RPC; seconds=60 a move, game-time=900 a game",
    }];

    const PROTOCOLS: &'static [ProtocolInfo] = &[ProtocolInfo {
        name: "xml-rpc",
        summary: "an agent for the course framework, method 'play' over HTTP",
        is_network: true,
    }];

    /// The report's was depth 1 up to step 5 and a share of 34 steps, the turning points of steps 19 to 27 times 1.75. Ours searches from the
    /// start and shares as if games ended at step 32, which leaves half of the time for the question who wins: from step 19 on
    /// it may take most of what is left, and then no time is needed.
    fn clock_plan() -> ClockPlan {
        ClockPlan { quick_until: 0, quick_depth: 1, length: 32, factors: vec![(1..=6, 0.5)] }
    }

    fn clock_ratios() -> Ratios {
        RATIOS.clone()
    }

    fn endgame(megabytes: usize) -> Option<Box<dyn Endgame<Self>>> {
        Some(Box::new(avalam::Solver::new(megabytes)))
    }

    fn own_player(_rules: &Self::Rules, text: &str) -> Result<Option<OwnPlayer<Self>>, PlayerError> {
        if name_of(text) != "external" {
            return Ok(None);
        }
        External::parse(text)?;
        let server = text.to_string();
        Ok(Some(OwnPlayer::of_program(text, move || Ok(Box::new(External::new(&server)?)))))
    }

    fn serve(_xml_rpc: &str, rules: &Self::Rules, table: Table<'_>) -> Result<(), ServeError> {
        let spec = PlayerSpec::<Self>::parse(rules, table.player)?;
        let engine = Engine::new(Box::new(move || spec.player()), table.seed)?;
        let (address, port) = table.address;
        let refused = |cause| ServeError::Address { address: address.into(), port, cause };
        let server = Server::bind(address, port).map_err(refused)?;
        let player = one_line(table.player);
        writeln!(table.output, "{player} plays avalam at http://{}/RPC2", server.address()?)?;
        table.output.flush()?;
        Ok(server.serve(engine, table.stop)?)
    }

    fn search_score(make: SearchMaker<'_>) -> Box<dyn Searcher<Self>> {
        make.over(Score)
    }

    fn search_with(make: SearchMaker<'_>, evaluator: Arc<Evaluator<Self>>) -> Box<dyn Searcher<Self>> {
        if !make.is_updated() {
            make.over(ModelEval(evaluator))
        } else if let Some(observations) = AvalamObservationEval::of(&evaluator) {
            make.over(observations)
        } else if let Some(towers) = AvalamTowerEval::of(&evaluator) {
            make.over(towers)
        } else {
            make.over(ModelEval(evaluator))
        }
    }

    fn timed() -> Vec<Timed> {
        timed::avalam::timed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorded_ratios_are_as_profile_writes_them() {
        let text = include_str!("../../../../models/avalam/clock.json");
        let file = RatiosFile::parse("shipped", text, "avalam").unwrap();
        assert_eq!(file.text(), text);
        assert_eq!(Avalam::clock_ratios(), file.ratios());
    }
}
