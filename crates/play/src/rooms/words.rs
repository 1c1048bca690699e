//! What a game calls its moves, and what chance deals for them.

use games::draw::Ink;
use games::picture::{Colour, Picture};

/// What people call things in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// What a player chooses from.
    pub moves: &'static str,
    /// What the length of a game is counted in.
    pub unit: &'static str,
    /// What is done with a move.
    pub played: &'static str,
    /// What chance deals for a move; empty if it deals nothing.
    pub dealt: &'static str,
}

impl Words {
    /// What most games say.
    pub const USUAL: Self = Self { moves: "moves", unit: "moves", played: "played", dealt: "" };
}

/// What chance has dealt for the next move.
#[derive(Debug, Clone, PartialEq)]
pub struct Dealt {
    /// What it is called, in a letter or two.
    pub text: String,
    /// Its ink in a terminal.
    pub ink: Ink,
    /// Its colour elsewhere.
    pub colour: Colour,
    /// What it looks like.
    pub picture: Picture,
}
