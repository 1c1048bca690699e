//! The times of a search on a page: legal moves by step, and the time of each depth by step (figures G.1 and I.1 of Branly
//! & Guichard 2022); and the same as tables.

use measure::profile::{DepthProfile, Profile, Spending, StepProfile, StepSpending};
use play::numbers::{moment, number};

use super::axis::Axis;
use super::figure::{Figure, Key};
use super::markup::html as escaped;
use super::page::{document, grid, table};
use super::plot::{Band, Chart, Line, Stroke};
use super::tables::Table;
use super::text::columns;

const SIZE: (f64, f64) = (1200.0, 440.0);
/// Depths that a table has room for.
const MOST_COLUMNS: u32 = 12;

/// The page. `said` tells what was played.
pub fn profile_html(title: &str, said: &str, profile: &Profile) -> String {
    let mut body =
        format!("<header><h1>{}</h1>\n<p class=\"about\">{}</p></header>\n", escaped(title), escaped(said));
    body.push_str(&grid([moves(profile), times(profile)]));
    body.push_str(&table(&time_table(profile, u32::MAX)));
    body.push_str(&table(&ratio_table(profile, u32::MAX)));
    document(title, &body)
}

/// The tables for the terminal.
pub fn profile_text(profile: &Profile) -> String {
    let mut text = String::new();
    for table in [time_table(profile, MOST_COLUMNS), ratio_table(profile, MOST_COLUMNS)] {
        text.push_str(&format!("\n{}\n{}", table.heading, columns(&table)));
    }
    text
}

/// How the time of a game was spent, for the terminal.
pub fn spending_text(spending: &Spending) -> String {
    let head = ["step", "n", "depth", "seconds", "left before", "winner known"];
    let mut table = Table::new("Time of a game, means", &head);
    for StepSpending { step, depth, seconds, left, settled } in &spending.steps {
        table.rows.push(vec![
            step.to_string(),
            depth.n.to_string(),
            format!("{:.1}", depth.mean),
            moment(seconds.mean),
            moment(left.mean),
            format!("{settled} of {}", depth.n),
        ]);
    }
    let mut known: Vec<u32> = spending.known_from.iter().flatten().copied().collect();
    known.sort_unstable();
    let known: Vec<String> = known.iter().map(u32::to_string).collect();
    let (sides, never) = (spending.known_from.len(), spending.known_from.len() - known.len());
    let median = spending.median.map_or("not before the end".to_string(), |step| format!("step {step}"));
    let never = if never > 0 { format!(", never by {never}") } else { String::new() };
    let steps = known.join(", ");
    format!(
        "\n{}\n{}\nWho wins is known from: median {median}, {sides} sides of {} games (steps {steps}{never})\n",
        table.heading,
        columns(&table),
        sides / 2
    )
}

/// Steps with a cell for each depth.
fn by_depth(
    heading: &str,
    profile: &Profile,
    most: u32,
    lead: &[&str],
    leading: impl Fn(&StepProfile) -> Vec<String>,
    cell: impl Fn(&DepthProfile) -> Option<String>,
) -> Table {
    let last = profile.deepest().min(most);
    let depths: Vec<String> = (1..=last).map(|depth| format!("depth {depth}")).collect();
    let head: Vec<&str> = lead.iter().copied().chain(depths.iter().map(String::as_str)).collect();
    let more = if profile.deepest() > last {
        format!("; depths up to {last} of {}", profile.deepest())
    } else {
        String::new()
    };
    let mut table = Table::new(&format!("{heading}{more}"), &head);
    for step in &profile.0 {
        let mut row = leading(step);
        row.extend(
            (0..last as usize).map(|place| step.depths.get(place).and_then(&cell).unwrap_or_default()),
        );
        table.rows.push(row);
    }
    table
}

fn time_table(profile: &Profile, most: u32) -> Table {
    let lead = ["step", "n", "legal moves", "least - most"];
    let leading = |step: &StepProfile| {
        let [least, most] = step.range;
        vec![
            step.step.to_string(),
            step.moves.n.to_string(),
            format!("{:.1}", step.moves.mean),
            format!("{least} - {most}"),
        ]
    };
    let heading =
        "Legal moves (mean), and time of each depth (median, those that ran out of time counted as longer)";
    by_depth(heading, profile, most, &lead, leading, |depth| depth.seconds.map(moment))
}

fn ratio_table(profile: &Profile, most: u32) -> Table {
    let heading = "How many times as long a depth takes as the one before (first quartile)";
    let leading = |step: &StepProfile| vec![step.step.to_string(), step.moves.n.to_string()];
    by_depth(heading, profile, most, &["step", "n"], leading, |depth| {
        depth.ratio.map(|ratio| format!("{ratio:.1}"))
    })
}

fn chart(
    title: &str,
    y_label: &str,
    profile: &Profile,
    y: Axis,
    bands: Vec<Band>,
    lines: Vec<Line>,
) -> Chart {
    let steps: Vec<f64> = profile.0.iter().map(|step| f64::from(step.step)).collect();
    let [title, x_label, y_label] = [title, "step", y_label].map(str::to_string);
    Chart { title, x_label, y_label, x: Axis::tight(&steps), y, bands, lines, size: SIZE }
}

/// Legal moves by step.
fn moves(profile: &Profile) -> Figure {
    let heading = "Legal moves by step";
    let points: Vec<(f64, f64)> =
        profile.0.iter().map(|step| (f64::from(step.step), step.moves.mean)).collect();
    let range = |step: &StepProfile| (f64::from(step.step), step.range[0] as f64, step.range[1] as f64);
    let band = Band { points: profile.0.iter().map(range).collect(), colour: 0 };
    let tip = |step: &StepProfile| {
        let [least, most] = step.range;
        let (mean, n) = (number(step.moves.mean), step.moves.n);
        format!("step {}: {mean} on average, {least} to {most}, n = {n}", step.step)
    };
    let line = Line {
        points,
        colour: 0,
        stroke: Stroke::Thick,
        title: "mean".into(),
        tips: profile.0.iter().map(tip).collect(),
        label: None,
    };
    let values: Vec<f64> =
        [0.0].into_iter().chain(profile.0.iter().map(|step| step.range[1] as f64)).collect();
    let chart = chart(heading, "legal moves", profile, Axis::round(&values), vec![band], vec![line]);
    Figure::one(heading, &chart).keys(vec![Key::line(0, "mean"), Key::band(0, "least to most")]).wide(true)
}

/// The time of each depth by step, by logarithms.
fn times(profile: &Profile) -> Figure {
    let heading = "Time of each depth by step";
    let mut lines = Vec::new();
    for depth in 1..=profile.deepest() {
        let at = |step: &StepProfile| {
            let seconds = step.depths.get(depth as usize - 1).and_then(|it| it.seconds);
            (f64::from(step.step), seconds.unwrap_or(f64::NAN))
        };
        let points: Vec<(f64, f64)> = profile.0.iter().map(at).collect();
        let is_there = |(_, seconds): &(f64, f64)| !seconds.is_nan();
        let Some(first) = points.iter().position(is_there) else { continue };
        let last = points.iter().rposition(is_there).unwrap_or(first);
        let points = points[first..=last].to_vec();
        let tip = |&(step, seconds): &(f64, f64)| format!("step {step}, depth {depth}: {}", moment(seconds));
        lines.push(Line {
            tips: points.iter().map(tip).collect(),
            points,
            colour: depth as usize - 1,
            stroke: Stroke::Thick,
            title: format!("depth {depth}"),
            label: Some(format!("depth {depth}")),
        });
    }
    let values: Vec<f64> = lines.iter().flat_map(|line| line.points.iter().map(|point| point.1)).collect();
    let chart = chart(heading, "seconds", profile, Axis::log(&values), Vec::new(), lines);
    Figure::one(heading, &chart).wide(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Side;
    use measure::profile::Sample;
    use play::search::DepthTime;

    #[test]
    fn figures_and_tables_show_what_was_measured() {
        let depth = |depth, seconds, finished| DepthTime { depth, seconds, nodes: 1, finished };
        let sample = |step, moves, depths| Sample {
            step,
            side: Side::First,
            moves,
            depths,
            depth: 2,
            seconds: 0.25,
            left: Some(3.0),
            settled: step == 2,
        };
        let game = |factor: f64| {
            let deep = vec![depth(1, 0.001, true), depth(2, 0.004 * factor, true)];
            vec![sample(1, 292, vec![depth(1, 0.002, true), depth(2, 1.5, false)]), sample(2, 280, deep)]
        };
        let profile = Profile::of(&[1.0, 2.0, 3.0, 4.0].map(game));
        let text = profile_text(&profile);
        let line = |start: &str| text.lines().find(|line| line.trim_start().starts_with(start)).unwrap();
        let words = |line: &str| line.split_whitespace().map(str::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(words(line("1 ")), "1 4 292.0 292 - 292 2.0 ms");
        assert_eq!(words(line("2 ")), "2 4 280.0 280 - 280 1.0 ms 8.0 ms");
        assert_eq!(words(text.lines().last().unwrap()), "2 4 4.0");
        let page = profile_html("a <title>", "said", &profile);
        assert_eq!(page.matches("<figure").count(), 2);
        assert!(page.contains("a &lt;title&gt;") && page.contains("step 2, depth 2: 8.0 ms"), "{page}");
        let spending = spending_text(&Spending::of(&[1.0, 2.0].map(game)));
        assert!(
            spending.contains("median not before the end, 4 sides of 2 games (steps 2, 2, never by 2)"),
            "{spending}"
        );
        assert!(spending.contains("250.0 ms") && spending.contains("2 of 2"), "{spending}");
        // A page of nothing is still a page.
        assert!(profile_html("x", "y", &Profile::of(&[])).contains("</html>"));
    }
}
