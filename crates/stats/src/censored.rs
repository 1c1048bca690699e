//! Quantiles of times that were not all waited for: what was broken off would have taken longer, nobody knows how much
//! (Kaplan & Meier 1958).

/// Something that was measured, or was broken off at this value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Censored {
    /// The value, or what it is above.
    pub value: f64,
    /// Whether it was measured to its end.
    pub complete: bool,
}

/// The least value that at least this share does not exceed; `None` if too many were broken off to tell, or there are none.
pub fn censored_quantile(values: &[Censored], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    // What was broken off at a value was still going on there.
    sorted.sort_by(|a, b| a.value.total_cmp(&b.value).then(b.complete.cmp(&a.complete)));
    let mut above = 1.0;
    for (i, one) in sorted.iter().enumerate().filter(|(_, one)| one.complete) {
        above *= 1.0 - 1.0 / (sorted.len() - i) as f64;
        if 1.0 - above >= share - 1e-9 {
            return Some(one.value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantile(values: &[f64], share: f64) -> Option<f64> {
        // A value below 0 stands for one that was broken off.
        let values: Vec<Censored> =
            values.iter().map(|&v| Censored { value: v.abs(), complete: v > 0.0 }).collect();
        censored_quantile(&values, share)
    }

    #[test]
    fn without_interruptions_it_is_the_quantile() {
        assert_eq!(quantile(&[4.0, 1.0, 3.0, 2.0], 0.25), Some(1.0));
        assert_eq!(quantile(&[4.0, 1.0, 3.0, 2.0], 0.5), Some(2.0));
        assert_eq!(quantile(&[7.0], 0.25), Some(7.0));
        assert_eq!(quantile(&[], 0.25), None);
    }

    #[test]
    fn what_was_broken_off_counts_as_longer() {
        // Freireich's trial (Cox & Oakes 1984), 6-MP: the survival is 0.753 at 10, 0.690 at 13, 0.627 at 16, 0.538 at 22.
        let remissions = [
            6.0, 6.0, 6.0, -6.0, 7.0, -9.0, 10.0, -10.0, -11.0, 13.0, 16.0, -17.0, -19.0, -20.0, 22.0, 23.0,
            -25.0, -32.0, -32.0, -34.0, -35.0,
        ];
        assert_eq!(quantile(&remissions, 0.25), Some(13.0));
        assert_eq!(quantile(&remissions, 0.37), Some(16.0));
        assert_eq!(quantile(&remissions, 0.4), Some(22.0));
        assert_eq!(quantile(&remissions, 0.9), None);
        assert_eq!(quantile(&[-1.0, -2.0], 0.25), None);
    }
}
