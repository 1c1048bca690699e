//! evalforge with one more game: every command knows it, from `play` to `learn`.

use std::process::ExitCode;

use connect4::Connect4;

fn main() -> ExitCode {
    evalforge_cli::run_with::<(Connect4, games::Listed)>()
}
