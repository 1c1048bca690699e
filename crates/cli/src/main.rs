//! The program `evalforge`: the command line with the games that are built in.

fn main() -> std::process::ExitCode {
    evalforge_cli::run()
}
