//! The program as its users meet it, and the walls of the house. One binary: linking costs more than running.

mod arena;
mod arena_terms;
mod commands;
mod common;
mod documents;
mod engine;
mod files;
mod fit;
mod folders;
mod honest;
mod label;
mod learn;
mod othello;
mod pictures;
mod playing;
mod profile;
mod pushover;
mod regress;
mod report;
mod schemas;
mod score;
mod signals;
mod snapshots;
mod tidy;
mod two_players;
