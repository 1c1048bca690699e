//! The direction of a vector of weights, which is all that counts in a linear function.

/// The vector of length 1 in this direction: all that counts in a linear function. Of no direction it is left as it is.
pub fn unit(vector: &[f64]) -> Vec<f64> {
    // Divided by the largest first, so that no square is too large.
    let largest = vector.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return vector.to_vec();
    }
    let scaled: Vec<f64> = vector.iter().map(|value| value / largest).collect();
    let length = scaled.iter().map(|value| value * value).sum::<f64>().sqrt();
    scaled.iter().map(|value| value / length).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_by_hand() {
        assert_eq!(unit(&[3.0, -4.0]), [0.6, -0.8]);
        assert_eq!(unit(&[0.0, 0.0]), [0.0, 0.0]);
        assert!((unit(&[1e200, 1e200])[0] - 0.5f64.sqrt()).abs() < 1e-12);
    }
}
