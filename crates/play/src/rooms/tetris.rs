//! Tetris as players know it.

use games::tetris::Tetris;

use super::PlayedGame;

impl PlayedGame for Tetris {}
