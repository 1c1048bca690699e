//! One published figure beside ours, and whether the two agree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::{Estimated, Share, independent_ratio_ci95, median};

use super::holds_1;

/// A published figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Theirs {
    /// From the least to the greatest value that the source allows; the middle of it is that of the logarithms.
    pub range: [f64; 2],
    /// The figure as it is printed, with its place if that is not the part's.
    pub source: String,
}

/// What was found here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ours {
    /// The figure.
    pub value: f64,
    /// Its 95 % interval; of several runs from the least to the greatest.
    pub ci95: Option<[f64; 2]>,
    /// Of so many.
    pub n: usize,
    /// What was counted, as "games".
    pub counted: String,
}

/// What the two say of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The interval of the ratio holds 1.
    Agrees,
    /// It does not.
    Differs,
    /// Nothing is published, or the two are not the same thing.
    NotComparable,
}

impl Verdict {
    /// For people.
    pub fn text(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::NotComparable => "not comparable",
        }
    }
}

/// A cell of a table: theirs beside ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cell {
    /// What it is about, as "10x16, DN".
    pub what: String,
    /// What is published.
    pub theirs: Option<Theirs>,
    /// What was found; none if it was broken off.
    pub ours: Option<Ours>,
    /// Ours over theirs and its 95 % interval, where there is one.
    pub ratio: Option<(f64, [f64; 2])>,
    /// Whether they agree.
    pub verdict: Verdict,
    /// Why they cannot be compared, or why they differ.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

impl Cell {
    /// A mean with its interval beside a published range: they agree if the interval of the ratio holds 1.
    pub fn mean(what: &str, theirs: Option<&Theirs>, ours: Ours, why: &str) -> Self {
        let found = ours.ci95.map(|ci95| (ours.value, ci95));
        let ratio = theirs
            .zip(found)
            .filter(|(theirs, _)| theirs.range[0] > 0.0)
            .map(|(theirs, found)| ratio(found, theirs.range));
        let verdict = match ratio {
            Some((_, ci95)) if holds_1(ci95) => Verdict::Agrees,
            Some(_) => Verdict::Differs,
            None => Verdict::NotComparable,
        };
        Self { what: what.into(), theirs: theirs.cloned(), ours: Some(ours), ratio, verdict, why: why.into() }
    }

    /// What several runs came to beside a published spread of runs: they agree if our median lies within theirs.
    pub fn spread(what: &str, theirs: Option<&Theirs>, runs: &[f64], why: &str) -> Self {
        let (least, most) =
            runs.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
        let middle = median(runs);
        let ours = Ours { value: middle, ci95: Some([least, most]), n: runs.len(), counted: "runs".into() };
        let ratio = theirs.filter(|theirs| theirs.range[0] > 0.0).map(|theirs| {
            let [low, high] = theirs.range;
            let centre = (low * high).sqrt();
            (middle / centre, [middle / high, middle / low])
        });
        let verdict = match ratio {
            _ if runs.is_empty() => Verdict::NotComparable,
            Some((_, ends)) if holds_1(ends) => Verdict::Agrees,
            Some(_) => Verdict::Differs,
            None => Verdict::NotComparable,
        };
        Self { what: what.into(), theirs: theirs.cloned(), ours: Some(ours), ratio, verdict, why: why.into() }
    }

    /// A share of games beside a published share of so many: they agree if the interval of the ratio holds 1.
    pub fn share(
        what: &str,
        theirs: Option<(f64, usize, &str)>,
        ours: &Share,
        counted: &str,
        why: &str,
    ) -> Self {
        let theirs = theirs.map(|(share, n, source)| {
            let range = Share::of((share * n as f64).round() as usize, n).ci95;
            Theirs { range, source: source.into() }
        });
        let ours = Ours { value: ours.share, ci95: Some(ours.ci95), n: ours.n, counted: counted.into() };
        Self::mean(what, theirs.as_ref(), ours, why)
    }

    /// Not comparable, since.
    pub fn because(self, why: &str) -> Self {
        Self { verdict: Verdict::NotComparable, ratio: None, why: why.into(), ..self }
    }
}

/// What was found over what lies somewhere in a range, with its interval.
fn ratio(found: Estimated, range: [f64; 2]) -> (f64, [f64; 2]) {
    let middle = (range[0] * range[1]).sqrt();
    (found.0 / middle, independent_ratio_ci95(found, (middle, range)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn theirs(range: [f64; 2]) -> Theirs {
        Theirs { range, source: "by hand".into() }
    }

    fn ours(value: f64, ci95: [f64; 2]) -> Ours {
        Ours { value, ci95: Some(ci95), n: 400, counted: "games".into() }
    }

    #[test]
    fn what_agrees_has_a_ratio_whose_interval_holds_1() {
        let verdict = |value: f64| {
            let cell =
                Cell::mean("it", Some(&theirs([90.0, 110.0])), ours(value, [0.9 * value, 1.1 * value]), "");
            cell.verdict
        };
        assert_eq!([110.0, 90.0].map(verdict), [Verdict::Agrees; 2]);
        // The intervals touch, [90, 110] and [108, 132], and the means are not equal all the same.
        assert_eq!([120.0, 70.0].map(verdict), [Verdict::Differs; 2]);
        let cell = Cell::mean("it", None, ours(1.0, [0.9, 1.1]), "");
        assert_eq!((cell.verdict, cell.ratio), (Verdict::NotComparable, None));
        let cell = Cell::mean("it", Some(&theirs([90.0, 110.0])), ours(100.0, [90.0, 110.0]), "")
            .because("another game");
        assert_eq!((cell.verdict, cell.why.as_str()), (Verdict::NotComparable, "another game"));
    }

    #[test]
    fn a_spread_agrees_with_its_middle() {
        let verdict = |runs: &[f64]| Cell::spread("it", Some(&theirs([100.0, 3000.0])), runs, "").verdict;
        assert_eq!(verdict(&[50.0, 200.0, 9000.0]), Verdict::Agrees);
        assert_eq!(verdict(&[50.0, 4000.0, 9000.0]), Verdict::Differs);
        assert_eq!(verdict(&[]), Verdict::NotComparable);
    }

    #[test]
    fn shares_have_the_interval_of_their_games() {
        let verdict = |hits: usize| {
            Cell::share("it", Some((0.606, 1000, "60.6 %")), &Share::of(hits, 1000), "games", "").verdict
        };
        assert_eq!((verdict(640), verdict(680)), (Verdict::Agrees, Verdict::Differs));
    }
}
