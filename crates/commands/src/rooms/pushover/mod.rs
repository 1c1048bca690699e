//! Push-over at the command line: small boards are solved.

mod solve;

use games::pushover::Pushover;

use super::{CliGame, Own};

impl CliGame for Pushover {
    const SOLVE: Option<Own> = Some(Own::of::<solve::Boards>());
}
