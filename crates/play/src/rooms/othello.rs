//! Othello as players know it.

use games::othello::Othello;

use super::PlayedGame;

impl PlayedGame for Othello {}
