//! Othello at the command line: endgames are solved, tables of patterns fitted.

mod regress;
mod regress_report;
mod solve;

use games::othello::Othello;

use super::{CliGame, Own};

impl CliGame for Othello {
    const SOLVE: Option<Own> = Some(Own::of::<solve::Endgames>());
    const REGRESS: Option<Own> = Some(Own::of::<regress::Tables>());
}
