//! Multi-ProbCut (Buro 1995, 1997): what a shallow search says about a deep one, fitted to an evaluation, so that alpha-beta may prune
//! what is as good as certain. A row says that in a part of the game the value of the deep search is `slope` times that of the shallow one
//! plus `offset`, but for a deviation of `sigma`. The file is what `evalforge tune probcut` writes; nothing in it is trusted.
//!
//! A fit belongs to one function: its file holds what that function says about four positions, and is refused with any other, so that new
//! tables of patterns need a new fit. Cuts are made only in null windows, from two plies below the root on, and at steps where deep
//! searches did not see ends.

use std::path::Path;

use games::error::{one_line, shown};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::evaluation::MOST;
use super::limits::MAX_DEPTH;
use super::ratios::rows_of_text;
use crate::files::{MOST_TEXT, read_text};

const FORMAT: &str = "evalforge probcut 1";

/// How many sigmas the shallow search has to be beyond a bound, unless said otherwise.
pub const DEFAULT_CONFIDENCE: f64 = 1.0;

/// One row: two depths in a part of the game.
#[derive(Debug, Clone, Copy, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cut {
    /// Plies of the shallow search.
    pub shallow: u32,
    /// Plies of the deep one.
    pub deep: u32,
    /// The first step of the part of the game.
    pub from: u32,
    /// The last step of it.
    pub to: u32,
    /// By what the shallow value is multiplied.
    pub slope: f64,
    /// What is added then.
    pub offset: f64,
    /// The standard deviation of the deep value around that.
    pub sigma: f64,
    /// How many positions tell.
    pub n: usize,
}

impl Cut {
    /// What the shallow search has to reach, at least or at most, so that the deep one reaches `bound` but for so many sigmas; a
    /// negative number of them is for at most.
    #[inline]
    pub fn threshold(&self, bound: f64, sigmas: f64) -> f64 {
        (bound + sigmas * self.sigma - self.offset) / self.slope
    }
}

/// The cuts that a search makes.
#[derive(Debug, Clone, PartialEq)]
pub struct Cuts {
    /// By the depth of the deep search, the shallowest first.
    by_depth: Vec<Vec<Cut>>,
    /// How many sigmas are as good as certain.
    pub confidence: f64,
}

impl Cuts {
    /// The cuts for a node of this depth at this step.
    #[inline]
    pub fn at(&self, depth: u32, step: u32) -> impl Iterator<Item = &Cut> {
        let of_depth = self.by_depth.get(depth as usize).map_or(&[][..], Vec::as_slice);
        of_depth.iter().filter(move |cut| (cut.from..=cut.to).contains(&step))
    }

    /// Whether there are any for a depth.
    #[inline]
    pub fn know(&self, depth: u32) -> bool {
        self.by_depth.get(depth as usize).is_some_and(|cuts| !cuts.is_empty())
    }
}

/// What can be wrong with a file of cuts.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("probcut {}: {}", shown(.file), one_line(.reason))]
pub struct ProbCutError {
    file: String,
    reason: String,
}

/// A file of cuts, with what they were fitted to.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbCutFile {
    /// The format of the file.
    format: String,
    /// The game's name.
    pub game: String,
    /// The evaluation, as it was written.
    pub eval: String,
    /// What the evaluation says about four positions: another one would not.
    pub check: Vec<f64>,
    /// Positions that were searched.
    pub positions: usize,
    /// The seed of their games.
    pub seed: u64,
    /// The rows.
    pub cuts: Vec<Cut>,
}

impl ProbCutFile {
    /// A file without rows yet.
    pub fn new(game: &str, eval: &str, check: Vec<f64>, positions: usize, seed: u64) -> Self {
        let [format, game, eval] = [FORMAT, game, eval].map(str::to_string);
        Self { format, game, eval, check, positions, seed, cuts: Vec::new() }
    }

    /// Reads a text; `file` is what it is called in messages.
    ///
    /// # Errors
    /// It is no list of cuts, or that of another game.
    pub fn parse(file: &str, text: &str, game: &str) -> Result<Self, ProbCutError> {
        let wrong = |reason: String| ProbCutError { file: file.to_string(), reason };
        let read: Self = serde_json::from_str(text)
            .map_err(|error| wrong(format!("not what 'evalforge tune probcut' writes: {error}")))?;
        if read.format != FORMAT {
            return Err(wrong(format!("its format is {}, not '{FORMAT}'", shown(&read.format))));
        }
        if read.game != game {
            return Err(wrong(format!("it is of {}, not of {game}", shown(&read.game))));
        }
        if read.cuts.is_empty() {
            return Err(wrong("it has no row, so that nothing would be left out".into()));
        }
        for (number, cut) in read.cuts.iter().enumerate() {
            let &Cut { shallow, deep, from, to, slope, offset, sigma, .. } = cut;
            let refused = |said: String| Err(wrong(format!("row {} {said}", number + 1)));
            if !(1 <= shallow && shallow < deep && deep <= MAX_DEPTH) {
                return refused(format!(
                    "has depths {shallow} and {deep}; allowed: the first below the second, from 1 to {MAX_DEPTH}"
                ));
            }
            if from > to {
                return refused(format!(
                    "is for steps {from} to {to}; allowed: the first not above the second"
                ));
            }
            if !((1e-3..=1e3).contains(&slope) && offset.abs() <= MOST && (0.0..=MOST).contains(&sigma)) {
                return refused(format!(
                    "has slope {slope}, offset {offset}, sigma {sigma}; allowed: a slope from 0.001 to 1000, the others within {MOST}"
                ));
            }
        }
        Ok(read)
    }

    /// Reads what is `shipped` by this name, or else a file.
    ///
    /// # Errors
    /// It cannot be read, is no list of cuts, or that of another game.
    pub fn read(name: &str, game: &str, shipped: &[(&str, &str)]) -> Result<Self, ProbCutError> {
        if let Some((_, text)) = shipped.iter().find(|(known, _)| *known == name) {
            return Self::parse(name, text, game);
        }
        let known: String = shipped.iter().map(|(known, _)| format!("{known} or ")).collect();
        let refused = |error: std::io::Error| ProbCutError {
            file: name.into(),
            reason: format!("{error}; allowed: {known}a file of 'evalforge tune probcut'"),
        };
        Self::parse(name, &read_text(Path::new(name), MOST_TEXT).map_err(refused)?, game)
    }

    /// Says whether an evaluation that answers this is the one it was fitted to.
    ///
    /// # Errors
    /// It is another.
    pub fn check(&self, file: &str, eval: &str, answers: &[f64]) -> Result<(), ProbCutError> {
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-6 * (1.0 + a.abs());
        if answers.len() == self.check.len() && answers.iter().zip(&self.check).all(near) {
            return Ok(());
        }
        let reason = format!(
            "it was fitted to another function ({}) than {}; 'evalforge tune probcut {} --eval ...' fits it to that",
            shown(&self.eval),
            shown(eval),
            self.game
        );
        Err(ProbCutError { file: file.to_string(), reason })
    }

    /// The cuts in it.
    pub fn cuts(&self, confidence: f64) -> Cuts {
        let mut by_depth: Vec<Vec<Cut>> = vec![Vec::new(); MAX_DEPTH as usize + 1];
        self.cuts.iter().for_each(|cut| by_depth[cut.deep as usize].push(*cut));
        by_depth.iter_mut().for_each(|cuts| cuts.sort_by_key(|cut| cut.shallow));
        Cuts { by_depth, confidence }
    }

    /// The text of the file: a row a line, so that people can read it.
    pub fn text(&self) -> String {
        rows_of_text(&Self { cuts: Vec::new(), ..self.clone() }, &self.cuts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlayedGame as _;
    use crate::search::alpha_beta::AlphaBeta;
    use crate::search::pattern_eval::PatternEval;
    use crate::search::{Limits, Searcher};
    use crate::shipped::PATTERNS;
    use crate::solve::othello::tests::late;
    use games::othello::Othello;
    use games::{Dice, Game};

    fn file() -> ProbCutFile {
        let mut file = ProbCutFile::new("othello", "patterns", vec![1.5, -2.0], 30, 7);
        let cut = Cut { shallow: 2, deep: 6, from: 11, to: 20, slope: 1.25, offset: 0.5, sigma: 4.0, n: 30 };
        file.cuts = vec![cut, Cut { shallow: 1, deep: 5, ..cut }, Cut { shallow: 1, ..cut }];
        file
    }

    #[test]
    fn a_threshold_is_so_many_sigmas_beyond_the_bound() {
        let cuts = file().cuts(1.5);
        let cut = cuts.at(6, 15).last().unwrap();
        assert_eq!(cut.shallow, 2, "the shallowest comes first");
        // 1.25 * 12.4 + 0.5 is 16, and that is 1.5 * 4 above 10.
        assert!((cut.threshold(10.0, 1.5) - 12.4).abs() < 1e-12);
        assert!((cut.threshold(10.0, -1.5) - 2.8).abs() < 1e-12);
        assert_eq!((cuts.at(6, 10).count(), cuts.at(6, 11).count(), cuts.at(6, 20).count()), (0, 2, 2));
        assert!(cuts.at(6, 21).next().is_none() && !cuts.know(7) && cuts.know(5));
    }

    #[test]
    fn files_come_back_as_they_were_and_nothing_is_trusted() {
        let text = file().text();
        assert_eq!(ProbCutFile::parse("x", &text, "othello").unwrap(), file());
        for (from, to, said) in [
            ("probcut 1", "probcut 2", "its format is 'evalforge probcut 2', not"),
            ("\"othello\"", "\"avalam\"", "it is of 'avalam', not of othello"),
            ("\"deep\":6", "\"deep\":2", "row 1 has depths 2 and 2; allowed"),
            ("\"deep\":6", "\"deep\":500", "from 1 to 120"),
            ("\"shallow\":1", "\"shallow\":0", "row 2 has depths 0 and 5"),
            ("\"from\":11", "\"from\":21", "row 1 is for steps 21 to 20"),
            ("\"slope\":1.25", "\"slope\":-1", "row 1 has slope -1"),
            ("\"sigma\":4.0", "\"sigma\":-4.0", "sigma -4"),
            ("\"sigma\"", "\"sigmo\"", "not what 'evalforge tune probcut' writes: unknown field `sigmo`"),
        ] {
            let error = ProbCutFile::parse("f.json", &text.replacen(from, to, 1), "othello").unwrap_err();
            assert!(error.to_string().starts_with("probcut 'f.json': "), "{error}");
            assert!(error.to_string().contains(said), "{error}");
        }
        let empty = ProbCutFile { cuts: Vec::new(), ..file() }.text();
        assert!(
            ProbCutFile::parse("x", &empty, "othello").unwrap_err().to_string().contains("it has no row")
        );
        assert!(
            ProbCutFile::read("no/such/file", "othello", &[])
                .unwrap_err()
                .to_string()
                .contains("no/such/file")
        );
    }

    #[test]
    fn cuts_save_work_and_without_certainty_change_nothing() {
        let model = PATTERNS.model();
        let file = ProbCutFile::read("patterns", "othello", Othello::PROBCUTS).unwrap();
        let mut dice = Dice::seeded(&[9]);
        let mut nodes = [0, 0];
        for left in [40, 34, 28] {
            let position = late(&mut dice, left);
            let find = |confidence: Option<f64>, depth| {
                let cuts = confidence.map(|confidence| file.cuts(confidence));
                let mut search = AlphaBeta::new(PatternEval(model.clone()), 4).with_cuts(cuts);
                search.search(&position, &Limits::depth(depth), &mut Dice::seeded(&[1]))
            };
            let (plain, cut) = (find(None, 7), find(Some(1.0), 7));
            nodes = [nodes[0] + plain.nodes, nodes[1] + cut.nodes];
            let mut after = position;
            cut.line.iter().for_each(|&mv| after.play(mv).unwrap());
            let doubtful = find(Some(1e6), 6);
            let sure = find(None, 6);
            assert_eq!((doubtful.value, doubtful.best), (sure.value, sure.best));
            assert!(doubtful.nodes > sure.nodes, "it has asked");
        }
        assert!(2 * nodes[1] < nodes[0], "{nodes:?}");
    }

    #[test]
    fn ends_stay_exact() {
        let file = ProbCutFile::read("patterns", "othello", Othello::PROBCUTS).unwrap();
        assert!(file.cuts.iter().all(|cut| cut.to < 50), "no cut is made where searches see the end");
        let mut dice = Dice::seeded(&[4]);
        for _ in 0..4 {
            let position = late(&mut dice, 8);
            let find = |cuts| {
                let mut search = AlphaBeta::new(PatternEval(PATTERNS.model()), 4).with_cuts(cuts);
                let found = search.search(&position, &Limits::default(), &mut Dice::seeded(&[1]));
                (found.value, found.exact)
            };
            assert_eq!(find(Some(file.cuts(0.5))), find(None));
            assert!(find(None).1);
        }
    }

    #[test]
    fn another_function_is_told_apart() {
        assert!(file().check("f", "patterns", &[1.5, -2.0]).is_ok());
        for answers in [&[1.5, -2.1][..], &[1.5], &[1.5, f64::NAN]] {
            let error = file().check("f", "mine.tables", answers).unwrap_err().to_string();
            assert!(error.contains("another function ('patterns') than 'mine.tables'"), "{error}");
        }
    }
}
