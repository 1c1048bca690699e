//! Values as bars for a terminal. Bins of one width begin at 0 and have round edges: the bars of exponential values fall
//! by one factor from row to row. Where a few values are so large that all others would share the first row, bins grow by
//! one factor instead.

use std::fmt::Write;

/// The greatest of n exponential values is about ln(n) means, and the median 0.69 means: for a million games 20 medians.
/// More than this is no exponential law, and bins of one width would show nothing.
const LONG_TAIL: f64 = 32.0;

/// The signs that fill a cell by eighths.
const EIGHTHS: [char; 9] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// A histogram of at most `rows` rows (two at least) and bars of at most `width` cells. A row says which values it
/// counts, from the lower edge to below the upper one, and how many there are. Values that are not finite are left out;
/// of no values there is no row.
#[must_use]
pub fn histogram(values: &[f64], rows: usize, width: usize) -> String {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let Some(edges) = edges(&sorted, rows.max(2)) else { return String::new() };
    let below = |edge: f64| sorted.partition_point(|&value| value < edge);
    let counts: Vec<usize> = edges.windows(2).map(|pair| below(pair[1]) - below(pair[0])).collect();
    let most = counts.iter().copied().max().unwrap_or(1);
    let labels = labels(&edges);
    let label_width = labels.iter().map(String::len).max().unwrap_or(0);
    let count_width = most.to_string().len();
    let mut text = String::new();
    for (row, &count) in counts.iter().enumerate() {
        let (low, high) = (&labels[row], &labels[row + 1]);
        let bar = bar(count, most, width.max(1));
        let line = format!("{low:>label_width$} .. {high:>label_width$} {count:>count_width$} {bar}");
        writeln!(text, "{}", line.trim_end()).expect("a text takes everything");
    }
    text
}

/// The edges of the bins for sorted values: the first is at most the least value, the last above the greatest.
fn edges(sorted: &[f64], rows: usize) -> Option<Vec<f64>> {
    let (least, greatest) = (*sorted.first()?, *sorted.last()?);
    let whole = sorted.iter().all(|value| value.fract() == 0.0);
    // Whole numbers are not split; if each can have a row, it has.
    let narrowest = if whole { 1.0 } else { 0.0 };
    let long_tail = greatest > LONG_TAIL * sorted[sorted.len() / 2] && greatest >= narrowest * rows as f64;
    let growing = if least >= 0.0 && long_tail { growing_edges(sorted, rows) } else { None };
    growing.or_else(|| even_edges(least, greatest, narrowest, rows))
}

/// Edges that grow by one factor, the least that is enough, from a power of ten below all values that are not 0.
fn growing_edges(sorted: &[f64], rows: usize) -> Option<Vec<f64>> {
    let (least, greatest) = (*sorted.first()?, *sorted.last()?);
    let positive = *sorted.get(sorted.partition_point(|&value| value <= 0.0))?;
    let first = math::powi(10.0, math::log10(positive).floor() as i32);
    [2.0, 10.0, 100.0, 1e3, 1e4, 1e6, 1e8].into_iter().find_map(|factor| {
        let mut edges = if least < first { vec![0.0, first] } else { vec![first] };
        while edges[edges.len() - 1] <= greatest && edges.len() <= rows {
            edges.push(edges[edges.len() - 1] * factor);
        }
        (edges[edges.len() - 1] > greatest).then_some(edges)
    })
}

/// Edges at multiples of 1, 2 or 5 times a power of ten, the least that is enough.
fn even_edges(least: f64, greatest: f64, narrowest: f64, rows: usize) -> Option<Vec<f64>> {
    // Bins begin at 0 unless that would leave half of them empty.
    let from = if least >= 0.0 && least <= greatest - least { 0.0 } else { least };
    let wish = ((greatest - from) / rows as f64).max(narrowest);
    // Equal values have no range: a part of the value will do, or anything if they are 0.
    let constant = if greatest == 0.0 { 1.0 } else { greatest.abs() / 10.0 };
    let wish = if wish > 0.0 { wish } else { constant };
    let decade = math::powi(10.0, math::log10(wish).floor() as i32);
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0].map(|round| round * decade);
    steps.into_iter().filter(|&step| step >= narrowest).find_map(|step| {
        let (first, last) = ((from / step).floor(), (greatest / step).floor() + 1.0);
        let edges = || (0..=(last - first) as u32).map(|i| (first + f64::from(i)) * step).collect();
        (last - first <= rows as f64).then(edges)
    })
}

/// The edges as texts, with as many decimals as tell the nearest two apart.
fn labels(edges: &[f64]) -> Vec<String> {
    let nearest = edges.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
    let farthest = edges.iter().fold(0f64, |most, edge| most.max(edge.abs()));
    if nearest < 1e-6 || farthest >= 1e15 {
        return edges.iter().map(|edge| format!("{edge:.3e}")).collect();
    }
    // A step of 0.1 that was rounded down still has one decimal.
    let decimals = (-math::log10(nearest * (1.0 + 1e-9)).floor()).max(0.0) as usize;
    edges.iter().map(|edge| format!("{edge:.decimals$}")).collect()
}

/// A bar to the scale of `most` on `width` cells; what is not 0 shows.
fn bar(count: usize, most: usize, width: usize) -> String {
    let eighths = (count as f64 / most as f64 * (width * 8) as f64).round() as usize;
    let eighths = if count > 0 { eighths.max(1) } else { 0 };
    let mut bar = EIGHTHS[8].to_string().repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push(EIGHTHS[eighths % 8]);
    }
    bar
}

#[cfg(test)]
mod tests {
    use math::Dice;

    use super::super::draws::exponentials;
    use super::*;

    fn lines(mean: f64, n: usize) -> Vec<f64> {
        exponentials(&mut Dice::seeded(&[13]), mean, n).into_iter().map(f64::floor).collect()
    }

    /// The rows as they are printed.
    fn rows(values: &[f64], rows: usize, width: usize) -> Vec<String> {
        histogram(values, rows, width).lines().map(str::to_string).collect()
    }

    #[test]
    fn exponential_values_fall_by_one_factor() {
        let expected = [
            "   0 .. 1000 647 ██████████████████████████████",
            "1000 .. 2000 218 ██████████▏",
            "2000 .. 3000  85 ████",
            "3000 .. 4000  28 █▎",
            "4000 .. 5000  12 ▌",
            "5000 .. 6000   7 ▍",
            "6000 .. 7000   1 ▏",
            "7000 .. 8000   1 ▏",
            "8000 .. 9000   1 ▏",
        ];
        assert_eq!(rows(&lines(1_000.0, 1_000), 10, 30), expected);
    }

    #[test]
    fn small_counts_have_a_row_each() {
        let values = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 3.0];
        assert_eq!(rows(&values, 10, 8), ["0 .. 1 4 ████████", "1 .. 2 2 ████", "2 .. 3 0", "3 .. 4 1 ██"]);
    }

    #[test]
    fn long_tails_have_growing_bins() {
        let values = [0.0, 1.0, 1.0, 2.0, 3.0, 5.0, 9.0, 100.0, 5_000.0];
        let expected = [
            "    0 ..     1 1 ▋",
            "    1 ..    10 6 ████",
            "   10 ..   100 0",
            "  100 ..  1000 1 ▋",
            " 1000 .. 10000 1 ▋",
        ];
        assert_eq!(rows(&values, 6, 4), expected);
    }

    #[test]
    fn fractions_and_signs() {
        let expected = ["-0.4 .. -0.2 1 █", "-0.2 ..  0.0 0", " 0.0 ..  0.2 2 ██", " 0.2 ..  0.4 1 █"];
        assert_eq!(rows(&[-0.3, 0.1, 0.1, 0.25], 4, 2), expected);
    }

    #[test]
    fn every_value_is_counted_once_whatever_it_is() {
        let samples = [
            vec![0.0],
            vec![7.0; 3],
            vec![0.37; 3],
            vec![-5.0, -5.0],
            vec![1e9, 1e9 + 1.0],
            vec![1e-300, 1.0, 1e300],
            vec![1e15, 3.0],
            lines(0.2, 1_000),
            lines(3.0, 1_000),
            lines(1e6, 1_000),
            exponentials(&mut Dice::seeded(&[14]), 1e-4, 1_000),
            exponentials(&mut Dice::seeded(&[15]), 1.0, 1_000)
                .into_iter()
                .map(|value| math::powi(value, 4))
                .collect(),
        ];
        for (values, rows) in
            samples.iter().flat_map(|values| [0, 2, 3, 7, 10, 25].map(|rows| (values, rows)))
        {
            let text = histogram(values, rows, 20);
            let count = |line: &str| line.split_whitespace().nth(3).unwrap().parse::<usize>().unwrap();
            assert_eq!(text.lines().map(count).sum::<usize>(), values.len(), "{rows}\n{text}");
            assert!(text.lines().count() <= rows.max(2), "{rows}\n{text}");
        }
        assert_eq!(histogram(&[], 5, 5), "");
        assert_eq!(histogram(&[f64::NAN, f64::INFINITY], 5, 5), "");
    }
}
