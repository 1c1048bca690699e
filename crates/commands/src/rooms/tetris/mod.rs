//! Tetris at the command line: small boards are solved, long games estimated by two shortcuts, surfaces drawn, pieces moved
//! by keys.

mod explain;
mod falling;
mod keys;
mod shortcuts;
mod shortcuts_report;
mod solve;
mod surfaces;

use games::tetris::Tetris;

use super::{CliGame, Own};

impl CliGame for Tetris {
    const SOLVE: Option<Own> = Some(Own::of::<solve::Board>());
    const ESTIMATE: Option<Own> = Some(Own::of::<shortcuts::Shortcuts>());
    const PLAY: Option<Own> = Some(Own::of::<keys::ByKeys>());
    const EXPLAIN: Option<Own> = Some(Own::of::<explain::Placements>());
}
