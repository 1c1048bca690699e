//! The behaviour signature of every game is the one kept in its folder. A change of it is a decision: it says that the
//! program plays differently. `BLESS=1 cargo test --workspace --no-fail-fast` writes what is missing or has changed on purpose.

use std::path::Path;

use measure::bench::signature;
use play::{Games as _, PlayedGame, Visitor};

#[test]
fn behaviour_is_as_kept() {
    struct Kept;
    impl Visitor for Kept {
        fn game<G: PlayedGame>(&mut self) {
            let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/src");
            let path = games.join(G::NAME).join("golden/signature.txt");
            let found = format!("{:016x}\n", signature::<G>());
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(&path, &found).unwrap();
            }
            let missing = |error| panic!("{}: {error}; BLESS=1 writes it", path.display());
            let kept: String = std::fs::read_to_string(&path).unwrap_or_else(missing);
            assert_eq!(kept, found, "{} behaves differently; BLESS=1 accepts it", G::NAME);
        }
    }
    games::Listed::visit(&mut Kept);
}
