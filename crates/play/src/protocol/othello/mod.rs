//! Othello at other programs' tables and theirs at ours, over pipes: `nboard` (NBoard, Edax, NTest), `external` their engines as players
//! here, which speak GTP or NBoard, `answers` what those engines say, `opening_moves` the moves to a position.

pub mod answers;
pub mod external;
pub mod nboard;
mod opening_moves;
#[cfg(test)]
mod tests;
