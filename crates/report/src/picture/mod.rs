//! Games to be looked at: what a game says of a position ([`games::picture`]) becomes a [`drawing`], which is pixels on a
//! [`canvas`] or an [`svg()`]. A [`film`] is such pixels one after the other, with words and charts beside them. All of it is in
//! memory, and made of data: no game is played here.

pub mod animation;
pub mod canvas;
pub mod chart;
pub mod drawing;
pub mod duel;
pub mod film;
pub mod font;
pub mod panel;
pub mod stage;
mod svg;

pub use svg::{hex, svg};
