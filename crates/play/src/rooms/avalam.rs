//! Avalam as players know it.

use games::avalam::Avalam;

use super::PlayedGame;

impl PlayedGame for Avalam {}
