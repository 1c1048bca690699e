//! Games as moving pictures: a canvas of numbered colours, a small font, the board, and the file format. All of it is in
//! memory; files are written by [`play::files::new_file`].

pub mod animation;
pub mod board;
pub mod canvas;
pub mod duel;
pub mod film;
pub mod font;
pub mod palette;
pub mod tetris;
pub mod text;
