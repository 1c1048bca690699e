//! Push-over as players know it.

use games::pushover::Pushover;

use super::PlayedGame;

impl PlayedGame for Pushover {}
