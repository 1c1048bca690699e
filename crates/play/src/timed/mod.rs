//! What is worth timing in a game beside its rules: a list of pieces of work, one file a game. Whoever holds the clock runs each of them
//! again and again, on one thread.

pub mod avalam;
pub mod othello;
pub mod tetris;

/// Does a piece of work and adds what it has done, one number a unit.
pub type Work = Box<dyn FnMut(&mut [u64])>;

/// Something to time.
pub struct Timed {
    /// What is done.
    pub name: String,
    /// What is counted.
    pub units: &'static [&'static str],
    /// Gets everything ready.
    pub prepare: Box<dyn FnOnce() -> Work>,
}

impl Timed {
    /// Work that returns how much it has done of one thing.
    pub fn new<W: FnMut() -> u64 + 'static>(
        name: impl Into<String>,
        unit: &'static [&'static str; 1],
        prepare: impl FnOnce() -> W + 'static,
    ) -> Self {
        let prepare = || -> Work {
            let mut work = prepare();
            Box::new(move |done| done[0] += work())
        };
        Self { name: name.into(), units: unit, prepare: Box::new(prepare) }
    }
}

#[cfg(test)]
mod tests {
    use games::avalam::Avalam;
    use games::othello::Othello;
    use games::tetris::Tetris;

    use crate::PlayedGame;

    /// Each does something of every unit that it names.
    fn check<G: PlayedGame>(rows: usize) {
        let all = G::timed();
        assert_eq!(all.iter().map(|timed| timed.units.len()).sum::<usize>(), rows);
        for timed in all {
            let mut done = vec![0; timed.units.len()];
            (timed.prepare)()(&mut done);
            assert!(done.iter().all(|&done| done > 0), "{} {done:?}", timed.name);
        }
    }

    #[test]
    fn all_of_them_do_something() {
        check::<Tetris>(28);
        check::<Othello>(4);
        check::<Avalam>(9);
    }
}
