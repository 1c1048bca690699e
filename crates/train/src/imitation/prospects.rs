//! What an expert that looks one deal further thinks of every move, by what it sees. A mean over the deals weighs them as they come; a
//! soft minimum fears the bad ones:
//!
//! -(1/b) ln(sum of shares · exp(-b · value)),  the mean for b -> 0 and the worst for b -> infinity.

use play::outlook::MoveOutlook;

/// How much less than the best one the expert thinks every move is worth. An end of the game counts as `lost` less than the
/// worst answer of all moves. None if there is no answer at all: there is nothing to be learned from such a position.
pub fn regrets(seen: &[MoveOutlook], softness: f64, lost: f64) -> Option<Vec<f64>> {
    let answers = seen.iter().flat_map(|one| &one.next).filter_map(|prospect| prospect.value);
    let worst = answers.reduce(f64::min)? - lost;
    let value = |one: &MoveOutlook| {
        let next = one.next.iter().map(|prospect| (prospect.share, prospect.value.unwrap_or(worst)));
        one.own + if one.next.is_empty() { worst } else { soft_minimum(next, softness) }
    };
    let values: Vec<f64> = seen.iter().map(value).collect();
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(values.iter().map(|value| best - value).collect())
}

/// The soft minimum of shares and values; with softness 0 their mean.
pub fn soft_minimum(all: impl Iterator<Item = (f64, f64)> + Clone, softness: f64) -> f64 {
    if softness == 0.0 {
        return all.map(|(share, value)| share * value).sum();
    }
    // Measured from the least, no power is beyond all bounds.
    let least = all.clone().map(|(_, value)| value).fold(f64::INFINITY, f64::min);
    let sum: f64 = all.map(|(share, value)| share * math::exp(-softness * (value - least))).sum();
    least - math::ln(sum) / softness
}
